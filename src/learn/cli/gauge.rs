//! `gauge`: which network is better.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use super::super::filter::Filter;
use super::super::gauge::{self, Match};
use super::super::sample::Sample;
use super::super::teacher::SearchTeacher;
use super::super::train::source::Source;
use crate::eval::Network;
use crate::openings::{self, Openings};
use crate::referee::score::Results;
use crate::{complain, say};

/// Compares networks.
#[derive(Debug, Args)]
pub(super) struct Gauge {
    #[command(subcommand)]
    way: Way,
}

#[derive(Debug, Subcommand)]
enum Way {
    Loss(Loss),
    Match(Play),
}

impl Gauge {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.way {
            Way::Loss(loss) => loss.run(),
            Way::Match(play) => play.run(),
        }
    }
}

/// Mean squared error of networks on the games that training holds out.
#[derive(Debug, Args)]
struct Loss {
    /// Network files.
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// Files of games.
    #[arg(long, required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// One game in so many is held out; 1 takes all.
    #[arg(long, default_value_t = 50)]
    hold_out: u32,
    /// How much of the target is the game's result.
    #[arg(long, default_value_t = 0.4)]
    wdl: f64,
}

impl Loss {
    fn run(self) -> anyhow::Result<()> {
        let source = Source {
            files: self.games,
            filter: Filter::TRAINING,
            hold_out: self.hold_out,
            capacity: 0,
            seed: 0,
        };
        let contents = source.survey()?;
        contents.damages.iter().for_each(|damage| complain!("warning: {damage}"));
        let samples: &[Sample] = &contents.held_out;
        ensure!(!samples.is_empty(), "no position is held out");
        say!("{} positions held out", samples.len());
        for path in &self.networks {
            let network = Arc::new(Network::load(path)?);
            let part = |share| gauge::loss(&network, samples, share);
            say!(
                "{}: loss {:.6} (against scores {:.6}, against results {:.6})",
                path.display(),
                part(self.wdl),
                part(0.0),
                part(1.0),
            );
        }
        Ok(())
    }
}

/// A match at fixed nodes: pairs of games from one opening with either colour.
#[derive(Debug, Args)]
struct Play {
    /// First network: a file, `hand` for the evaluation by hand, or `embedded`.
    first: String,
    /// Second network.
    second: String,
    /// Games, two from each opening.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Nodes a move after which no new iteration begins.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Games at once.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// What the openings follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions to begin with (FEN or EPD, one a line) instead of the initial one.
    #[arg(long)]
    book: Option<PathBuf>,
    /// Random moves at the beginning; every other game has one more.
    #[arg(long, default_value_t = 8)]
    random_plies: u32,
    /// How many of a hundred openings begin with shuffled back ranks.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    dfrc: u32,
    /// An opening either player finds further from level is replaced, in centipawns.
    #[arg(long, default_value_t = 200)]
    exit_score: i32,
    /// Memory of each player's transposition table, in MiB.
    #[arg(long, default_value_t = 8)]
    hash: usize,
}

impl Play {
    fn run(self) -> anyhow::Result<()> {
        let stop = super::stop_flag()?;
        let networks = [super::network(&self.first)?, super::network(&self.second)?];
        let book = match &self.book {
            Some(path) => openings::read_book(path).context("the book can't be used")?,
            None => Vec::new(),
        };
        let rules = Match {
            pairs: self.games.div_ceil(2),
            soft_nodes: self.nodes,
            seed: self.seed,
            openings: Openings { book, dfrc_percent: self.dfrc, random_plies: self.random_plies },
            exit_score: self.exit_score,
            exit_nodes: self.nodes.max(1000),
        };
        let player =
            |network: &Option<Arc<Network>>| SearchTeacher::new(self.hash, network.clone());
        let players = (0..self.threads.max(1))
            .map(|_| Ok([player(&networks[0])?, player(&networks[1])?]))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let bar = super::progress_bar(Some(2 * rules.pairs), "games");
        let total = gauge::play_match(&rules, players, &stop, |total| {
            bar.set_position(total.games.iter().sum());
            bar.set_message(elo_text(total));
        });
        bar.finish_and_clear();
        let name = |name: &str| {
            Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy().into_owned())
        };
        say!("{} against {}: {}", name(&self.first), name(&self.second), summary(&total));
        Ok(())
    }
}

fn elo_text(total: &Results) -> String {
    total.estimate().map_or_else(String::new, |estimate| {
        let margin = (estimate.high - estimate.low) / 2.0;
        format!("{:+.1} +- {margin:.1} Elo", estimate.elo)
    })
}

fn summary(total: &Results) -> String {
    let [wins, draws, losses] = total.games;
    let (points, games) = total.points();
    let score = 100.0 * points / (games as f64).max(1.0);
    let pairs = total.pairs.map(|count| count.to_string()).join(" ");
    format!("+{wins} ={draws} -{losses}, {score:.1} %, {}, pairs {pairs}", elo_text(total))
}
