//! `qishou perft`: the tree of legal moves, counted; suites of known counts, checked.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::{self, INTERRUPTED, STOP};

mod single;
mod suite;

/// Count the leaves of the tree of legal moves, or check suites of known counts
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  qishou perft 6
  qishou perft 5 --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" --breakdown
  qishou perft 8 --threads 2 --hash 1024
  qishou perft --suite perft/*.epd --max-nodes 100000000 --threads 2")]
pub(crate) struct Arguments {
    /// How many plies deep
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30), required_unless_present = "suite")]
    depth: Option<u32>,
    /// The position, if not the initial one
    #[arg(long, value_name = "FEN", conflicts_with = "suite")]
    fen: Option<String>,
    /// Moves to make first, in coordinate notation or SAN
    #[arg(long, num_args = 1.., value_name = "MOVE", conflicts_with = "suite")]
    moves: Vec<String>,
    /// Files of lines such as "FEN ;D1 20 ;D2 400"; every count is checked
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with = "depth")]
    suite: Vec<PathBuf>,
    /// In suites: leave out counts above this
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,
    /// Threads to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// MiB of memory for positions already counted; 0 counts each anew
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_048_576))]
    hash: u32,
    /// Make every move of the last ply instead of counting them
    #[arg(long, conflicts_with = "hash")]
    no_bulk: bool,
    /// Also count captures, en passants, castles, promotions, checks and mates by depth
    #[arg(long, conflicts_with = "suite")]
    breakdown: bool,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    interrupt::catch()?;
    if arguments.suite.is_empty() { single::run(arguments) } else { suite::run(arguments) }
}

/// A bar on standard error that counts nodes; hidden when that is no terminal.
fn bar(nodes: Option<u64>) -> ProgressBar {
    const WITH_END: &str =
        "{elapsed_precise} [{bar:40}] {human_pos}/{human_len} nodes {per_sec} {eta} {msg}";
    let (bar, template) = match nodes {
        Some(nodes) => (ProgressBar::new(nodes), WITH_END),
        None => (ProgressBar::no_length(), "{elapsed_precise} {human_pos} nodes {per_sec} {msg}"),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
    bar
}

/// Million nodes per second.
fn speed(nodes: u64, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9) / 1e6
}
