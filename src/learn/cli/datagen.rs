//! `datagen`: self-play games.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;

use super::super::datagen::{self, ADJUDICATION, Settings, Tally};
use super::super::teacher::SearchTeacher;
use crate::openings::{self, Openings};
use crate::{complain, say};

/// Plays games of the engine against itself and appends them to a file.
///
/// A run can be ended with Ctrl-C, or killed, at any time; started again with the same file it
/// goes on with new games.
#[derive(Debug, Args)]
pub(super) struct Datagen {
    /// File to append to; it is begun if there is none.
    #[arg(long)]
    out: PathBuf,
    /// End after so many games.
    #[arg(long)]
    games: Option<u64>,
    /// End after so many positions that training would keep.
    #[arg(long)]
    positions: Option<u64>,
    /// Nodes a move after which no new iteration begins.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// How many games are played at once.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// All randomness follows from this and the number of the game.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Network to evaluate with: a file, `hand` for the evaluation by hand, or the one built in.
    #[arg(long, default_value = "embedded")]
    net: String,
    /// Positions to begin with (FEN or EPD, one a line) instead of the initial one.
    #[arg(long)]
    book: Option<PathBuf>,
    /// How many of a hundred games begin with shuffled back ranks (double Fischer random).
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=100))]
    dfrc: u32,
    /// Random moves at the beginning; every other game has one more.
    #[arg(long, default_value_t = 8)]
    random_plies: u32,
    /// An opening whose score is further from zero is replaced, in centipawns.
    #[arg(long, default_value_t = 600)]
    exit_score: i32,
    /// Nodes of the search that finds the score of an opening.
    #[arg(long, default_value_t = 5000)]
    exit_nodes: u64,
    /// Memory of each thread's transposition table, in MiB.
    #[arg(long, default_value_t = 8)]
    hash: usize,
}

impl Datagen {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let stop = super::stop_flag()?;
        let network = super::network(&self.net)?;
        let book = match &self.book {
            Some(path) => openings::read_book(path).context("the book can't be used")?,
            None => Vec::new(),
        };
        let settings = Settings {
            out: self.out,
            games: self.games,
            positions: self.positions,
            soft_nodes: self.nodes,
            seed: self.seed,
            openings: Openings { book, dfrc_percent: self.dfrc, random_plies: self.random_plies },
            exit_score: self.exit_score,
            exit_nodes: self.exit_nodes,
            adjudication: ADJUDICATION,
        };
        let teachers = (0..self.threads.max(1))
            .map(|_| SearchTeacher::new(self.hash, network.clone()))
            .collect::<Result<_, _>>()?;
        let mut monitor = Monitor::new(&settings);
        let tally = datagen::run(&settings, teachers, &stop, |tally| monitor.show(tally))
            .with_context(|| format!("{}", settings.out.display()))?;
        monitor.bar.finish_and_clear();
        say!("{}", monitor.line(&tally));
        Ok(())
    }
}

/// Shows how far a run is.
struct Monitor {
    bar: indicatif::ProgressBar,
    by_positions: bool,
    begun: Instant,
    told: Instant,
}

impl Monitor {
    fn new(settings: &Settings) -> Self {
        let by_positions = settings.positions.is_some();
        let bar = if by_positions {
            super::progress_bar(settings.positions, "positions")
        } else {
            super::progress_bar(settings.games, "games")
        };
        Self { bar, by_positions, begun: Instant::now(), told: Instant::now() }
    }

    fn show(&mut self, tally: &Tally) {
        self.bar.set_position(if self.by_positions { tally.kept } else { tally.games });
        let rate = tally.kept as f64 / self.begun.elapsed().as_secs_f64();
        self.bar.set_message(format!("{} games, {rate:.0} kept/s", tally.games));
        if self.bar.is_hidden() && self.told.elapsed() > Duration::from_secs(30) {
            self.told = Instant::now();
            complain!("{}", self.line(tally));
        }
    }

    fn line(&self, tally: &Tally) -> String {
        let seconds = self.begun.elapsed().as_secs_f64();
        let [black, draws, white] = tally.results;
        format!(
            "{} games (+{white} ={draws} -{black} for White), {} positions, {} kept, {:.0} s, \
             {:.0} positions/s, {:.0} kept/s",
            tally.games,
            tally.plies,
            tally.kept,
            seconds,
            tally.plies as f64 / seconds,
            tally.kept as f64 / seconds,
        )
    }
}
