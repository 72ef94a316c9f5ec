//! `qishou analyse`: an engine looks at games and positions, and solves the positions of test suites.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::{self, INTERRUPTED, STOP};

mod games;
mod question;
mod subject;
mod suite;
mod thinker;

use subject::Subject;
use thinker::{Limit, Thinker};

/// Look at games (PGN) and positions (FEN), or let the engine solve test suites (EPD)
#[derive(Debug, Args)]
#[command(after_help = "\
Games and positions come out as PGN: a score at each move ([%eval 0.31,18]: pawns seen by White, and the
depth), and a better line where something was thrown away. ?! marks a move that throws away at least
0.06 of the points to expect (a win is 1, a draw a half), ? one of 0.12, ?? one of 0.2. Comments stay;
variations that were there are left out. A position alone gets the three best lines. With --html
comes a page for the browser: board, moves and a graph. Without a limit each move takes half a
second, a position three.

What counts as solved in a test suite, by the operations of a line:
  bm MOVES    one of these is played
  am MOVES    none of these is played
  dm N        the last score is a mate in N moves or fewer, and its line is legal and ends in that
              mate; N is negative where the side to move is mated. bm #N says the same
  c0 \"A=10, B=3\"  points for moves; without bm the move with most points solves

Examples:
  qishou analyse games.pgn --out annotated.pgn --html games.html
  qishou analyse games.pgn --nodes 200000
  qishou analyse \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\" --depth 20
  qishou analyse suite.epd --movetime 1000
  qishou analyse mates/*.epd --nodes 1000000 --each
  qishou analyse suite.epd --movetime 200 --engine stockfish --engine-option Contempt=0")]
pub(crate) struct Arguments {
    /// Games, test suites, or a position in quotes (also startpos)
    #[arg(required = true, value_name = "FILE.pgn|FILE.epd|FEN")]
    subjects: Vec<String>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    hash: u32,
    /// Games: write the annotated games here; without this and --html they go to standard output
    #[arg(long, value_name = "FILE.pgn")]
    out: Option<PathBuf>,
    /// Games: write a page for the browser here; it needs nothing else
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Suites: tell of each position whether it is solved
    #[arg(long)]
    each: bool,
    /// Suites: ask this UCI engine instead, with the same limits: a program with its arguments
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// An option of that engine; may be given several times
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "NAME=VALUE", requires = "engine", value_parser = engine_option)]
    engine_option: Vec<(String, String)>,
}

/// How long each position is thought about: one of these.
#[derive(Debug, Args)]
#[group(required = false, multiple = false)]
struct LimitArguments {
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Iterations for each position
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
}

impl LimitArguments {
    fn limit(&self) -> Option<Limit> {
        let time = self.movetime.map(Limit::Time);
        time.or(self.nodes.map(Limit::Nodes)).or(self.depth.map(Limit::Depth))
    }
}

#[cfg(feature = "tools")]
fn engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is no NAME=VALUE"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Arguments {
    #[cfg(feature = "tools")]
    fn thinker(&self, limit: Limit) -> anyhow::Result<Box<dyn Thinker>> {
        Ok(match &self.engine {
            None => Box::new(self.own(Some(limit))?),
            Some(command) => {
                let mut options = vec![
                    ("Threads".to_owned(), self.threads.to_string()),
                    ("Hash".to_owned(), self.hash.to_string()),
                ];
                options.extend(self.engine_option.iter().cloned());
                Box::new(thinker::Other::new(limit, command, options)?)
            }
        })
    }

    #[cfg(not(feature = "tools"))]
    fn thinker(&self, limit: Limit) -> anyhow::Result<Box<dyn Thinker>> {
        Ok(Box::new(self.own(Some(limit))?))
    }

    fn own(&self, limit: Option<Limit>) -> anyhow::Result<thinker::Own> {
        thinker::Own::new(limit, self.threads, self.hash)
    }

    /// The option that only suites know and that was given.
    fn for_suites(&self) -> Option<&'static str> {
        #[cfg(feature = "tools")]
        if self.engine.is_some() {
            return Some("--engine");
        }
        self.each.then_some("--each")
    }
}

/// A bar on standard error; hidden when that is no terminal.
fn bar(length: usize, what: &str) -> ProgressBar {
    let template =
        format!("{{elapsed_precise}} [{{bar:40}}] {{human_pos}}/{{human_len}} {what} {{eta}}");
    let bar = ProgressBar::new(length as u64);
    bar.set_style(ProgressStyle::with_template(&template).expect("a fixed template"));
    bar
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let subjects = arguments.subjects.iter().map(|text| Subject::of(text));
    let subjects = subjects.collect::<anyhow::Result<Vec<Subject>>>()?;
    let suites: Vec<&Path> = subjects.iter().filter_map(Subject::suite).collect();
    if suites.is_empty() {
        if let Some(option) = arguments.for_suites() {
            bail!("{option} is for test suites only");
        }
        let output =
            games::Output::open(arguments.out.as_deref(), arguments.html.as_deref(), &subjects)?;
        let mut own = arguments.own(arguments.limit.limit())?;
        interrupt::catch()?;
        return games::run(subjects, &mut own, output);
    }
    if suites.len() < subjects.len() {
        bail!("test suites and games can't be looked at together");
    }
    if arguments.out.is_some() || arguments.html.is_some() {
        bail!("--out and --html are for games and positions only");
    }
    let limit = arguments.limit.limit();
    let limit = limit.context("one of --movetime, --nodes and --depth is needed")?;
    let mut thinker = arguments.thinker(limit)?;
    interrupt::catch()?;
    suite::run(&suites, thinker.as_mut(), arguments.each)
}
