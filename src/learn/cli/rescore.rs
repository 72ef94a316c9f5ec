//! `rescore`: old games labelled anew.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;

use super::super::filter::Filter;
use super::super::rewrite;
use super::super::teacher::SearchTeacher;
use crate::{complain, say};

/// Searches the positions of games again and stores the new scores; moves and results stay.
///
/// A run can be ended with Ctrl-C, or killed; the same command goes on where it ended.
#[derive(Debug, Args)]
pub(super) struct Rescore {
    /// File of games.
    file: PathBuf,
    /// File to append to.
    #[arg(long)]
    out: PathBuf,
    /// Nodes a position after which no new iteration begins.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Network to evaluate with: a file, `hand` for the evaluation by hand, or the one built in.
    #[arg(long, default_value = "embedded")]
    net: String,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Memory of each thread's transposition table, in MiB.
    #[arg(long, default_value_t = 8)]
    hash: usize,
    /// Label every position anew, not only those training would keep.
    #[arg(long)]
    all: bool,
}

impl Rescore {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(self.file != self.out, "{} is also read", self.out.display());
        let stop = super::stop_flag()?;
        let network = super::network(&self.net)?;
        let mut teachers = (0..self.threads.max(1))
            .map(|_| SearchTeacher::new(self.hash, network.clone()))
            .collect::<Result<Vec<_>, _>>()?;
        let filter = if self.all { Filter::NONE } else { Filter::TRAINING };
        let bar = super::progress_bar(None, "games");
        let begun = Instant::now();
        let task = (filter, self.nodes);
        let games = rewrite::rescore(
            &self.file,
            &self.out,
            task,
            &mut teachers,
            &stop,
            |count, damage| {
                if let Some(damage) = damage {
                    bar.suspend(|| complain!("warning: {damage}"));
                }
                bar.set_position(count);
                let rate = count as f64 / begun.elapsed().as_secs_f64();
                bar.set_message(format!("{rate:.1} games/s"));
            },
        )?;
        bar.finish_and_clear();
        let state = if stop.load(Ordering::Relaxed) { "stopped after" } else { "labelled anew:" };
        say!("{state} {games} games in {:.0} s", begun.elapsed().as_secs_f64());
        Ok(())
    }
}
