//! The command line of `qishou`.

use clap::{Parser, Subcommand};

pub(crate) mod analyse;
pub(crate) mod colour;
mod interrupt;
pub(crate) mod perft;
pub(crate) mod prompt;
pub(crate) mod spsa;

/// A UCI chess engine. Without arguments it speaks UCI on its standard input and output.
#[derive(Debug, Parser)]
#[command(version, about, after_help = PROMPT_HELP, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
}

const PROMPT_HELP: &str = "\
Prompt commands can be given as arguments; the program leaves when they are answered:
  qishou go movetime 3000                     think about the initial position for 3 s
  qishou bench                                a fixed amount of work: nodes and speed
  qishou d | eval | compiler | help | uci     one command, as at the prompt
  qishou \"position fen FEN\" \"go depth 12\"     several: each argument is a line";

/// What the program is asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Count the leaves of the tree of legal moves
    Perft(perft::Arguments),
    /// Look at games and positions, or let the engine solve test suites
    Analyse(analyse::Arguments),
    /// List the tunable numbers of the search for an `OpenBench` SPSA test
    Spsa,
    /// Words of the prompt.
    #[command(external_subcommand)]
    Prompt(Vec<String>),
}
