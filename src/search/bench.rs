//! A fixed amount of work: the node count tells whether a change changed the search, the time
//! whether it changed the speed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::{Engine, HashError, Limits, Report, ThreadsError};
use crate::chess::{Game, Position};
use crate::eval::Network;

mod positions;

/// The usual table of a bench, in MiB.
pub const BENCH_HASH: usize = 16;
/// The usual depth of a bench.
pub const BENCH_DEPTH: u32 = 10;

/// What a bench took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes of all positions: equal on every machine.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        let seconds = self.time.as_secs_f64().max(1e-6);
        (self.nodes as f64 / seconds) as u64
    }
}

/// Why a bench can't be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BenchError {
    /// There is not so much memory.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// There are not so many threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Searches fifty positions to `depth` with a table of `hash` MiB and so many threads, each as a new
/// game. The nodes are always the same with one thread only. Evaluates with the embedded network
/// if there is one, else by hand.
///
/// # Errors
/// If there is not so much memory, or there are not so many threads.
pub fn bench(hash: usize, threads: usize, depth: u32) -> Result<BenchResult, BenchError> {
    let never = AtomicBool::new(false);
    bench_until(&never, Network::usual(), hash, threads, depth, |_, _, _| ())
}

/// The positions of the bench.
///
/// # Panics
/// Never: a test reads every position.
pub fn bench_positions() -> impl Iterator<Item = Position> {
    positions::POSITIONS.iter().map(|fen| fen.parse().expect("a test reads every position"))
}

/// The same with a network, or by hand; ends early when `cancelled` is set, and tells after each position how many are done,
/// of how many, and what all of them took.
///
/// # Errors
/// If there is not so much memory, or there are not so many threads.
///
/// # Panics
/// Never: a test reads every position.
pub fn bench_until(
    cancelled: &AtomicBool,
    network: Option<Arc<Network>>,
    hash: usize,
    threads: usize,
    depth: u32,
    mut each: impl FnMut(usize, usize, &BenchResult),
) -> Result<BenchResult, BenchError> {
    let mut engine = Engine::new();
    engine.set_network(network);
    engine.set_threads(threads)?;
    engine.set_hash(hash)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (fen, number) in positions::POSITIONS.iter().zip(1..) {
        let position: Position = fen.parse().expect("a test reads every position");
        engine.new_game();
        let began = Instant::now();
        let mut nodes = 0;
        let told = |report: Report| nodes = report.nodes;
        // A search that breaks down has told so.
        let _ = engine.think(&Game::new(position), limits.clone(), cancelled, told);
        if cancelled.load(Relaxed) {
            break;
        }
        result.nodes += nodes;
        result.time += began.elapsed();
        each(number, positions::POSITIONS.len(), &result);
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_positions_are_legal_and_differ() {
        let mut seen = std::collections::HashSet::new();
        for fen in positions::POSITIONS {
            let position: Position = fen.parse().unwrap();
            assert!(position.has_legal_move(), "{fen}");
            assert!(seen.insert(position.key()), "{fen} twice");
        }
        assert_eq!(seen.len(), 50);
    }

    #[test]
    fn the_same_work_takes_the_same_nodes() {
        assert_eq!(bench(4, 1, 3).unwrap().nodes, bench(4, 1, 3).unwrap().nodes);
    }

    #[test]
    fn more_threads_search_more_nodes() {
        assert!(bench(4, 3, 4).unwrap().nodes > bench(4, 1, 4).unwrap().nodes);
    }

    #[test]
    fn a_bench_that_cannot_be_run_says_why() {
        assert!(matches!(bench(usize::MAX >> 10, 1, 1), Err(BenchError::Hash(_))));
    }
}
