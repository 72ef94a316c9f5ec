//! `qishou perft`: the tree of legal moves, counted.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use qishou::uci;

/// Count the leaves of the tree of legal moves
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many plies deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// The position, if not the initial one
    #[arg(long)]
    fen: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut lines = Vec::new();
    if let Some(fen) = &arguments.fen {
        fen.parse::<qishou::chess::Position>().with_context(|| format!("{fen:?}"))?;
        lines.push(format!("position fen {fen}"));
    }
    lines.push(format!("perft {}", arguments.depth));
    uci::run_lines(&lines, std::io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
