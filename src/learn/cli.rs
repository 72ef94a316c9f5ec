//! The command line of `qishou-learn`: a subcommand a file.
//!
//! Results go to standard output, progress and warnings to standard error.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::blocks::{self, Damage};
use super::record::GameRecord;
use crate::complain;
use crate::eval::Network;

mod datagen;
mod files;
mod fit;
mod gauge;
mod rescore;
mod stats;
mod train;

/// Makes training games by self-play and trains the evaluation network on them.
#[derive(Debug, Parser)]
#[command(name = "qishou-learn", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Datagen(datagen::Datagen),
    Stats(stats::Stats),
    Train(train::Train),
    Gauge(gauge::Gauge),
    Fit(fit::Fit),
    Merge(files::Merge),
    Shuffle(files::Shuffle),
    Filter(files::Select),
    Rescore(rescore::Rescore),
    Export(files::Export),
    Import(files::Import),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Datagen(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Gauge(command) => command.run(),
        Command::Fit(command) => command.run(),
        Command::Merge(command) => command.run(),
        Command::Shuffle(command) => command.run(),
        Command::Filter(command) => command.run(),
        Command::Rescore(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Import(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        complain!("ending; press again to end at once");
    })
    .context("no handler for Ctrl-C")?;
    Ok(flag)
}

/// A bar on a terminal; a line every half minute elsewhere.
fn progress_bar(length: Option<u64>, unit: &str) -> ProgressBar {
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let template =
        format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit} {{elapsed}} eta {{eta}} {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// Calls `visit` with each game of the files; damage is reported and counted.
fn read_games(files: &[PathBuf], visit: impl FnMut(GameRecord)) -> anyhow::Result<u64> {
    let mut damages = 0;
    let report = |damage: Damage| {
        complain!("warning: {damage}");
        damages += 1;
    };
    blocks::for_each_game(files, report, visit)?;
    Ok(damages)
}

/// The network that a command line names: a file, `hand` for none, `embedded` for the built-in one
/// (or none if there is none).
fn network(name: &str) -> anyhow::Result<Option<Arc<Network>>> {
    Ok(match name {
        "hand" => None,
        "embedded" => Network::embedded()?,
        file => Some(Arc::new(Network::load(Path::new(file))?)),
    })
}
