//! A fixed amount of work: the node count tells whether a change changed the search, the time
//! whether it changed the speed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{HashError, Limits, Searcher};
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

/// Searches fifty positions to `depth` with a table of `hash` MiB, each as a new game. One thread
/// searches, whatever `threads` says, until the parallel search exists. Evaluates with the embedded
/// network if there is one, else by hand.
///
/// # Errors
/// If there is not so much memory.
pub fn bench(hash: usize, threads: usize, depth: u32) -> Result<BenchResult, HashError> {
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
/// If there is not so much memory.
///
/// # Panics
/// Never: a test reads every position.
pub fn bench_until(
    cancelled: &AtomicBool,
    network: Option<Arc<Network>>,
    hash: usize,
    _threads: usize,
    depth: u32,
    mut each: impl FnMut(usize, usize, &BenchResult),
) -> Result<BenchResult, HashError> {
    let mut searcher = Searcher::new(hash)?;
    searcher.set_network(network);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    let (signals, done) = (searcher.signals(), AtomicBool::new(false));
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                thread::park_timeout(Duration::from_millis(10));
                // Again and again: a search that is just beginning takes its signals back.
                if cancelled.load(Ordering::Relaxed) {
                    signals.stop();
                }
            }
        });
        for (fen, number) in positions::POSITIONS.iter().zip(1..) {
            let position: Position = fen.parse().expect("a test reads every position");
            searcher.new_game();
            let found = searcher.search(&Game::new(position), &limits);
            if cancelled.load(Ordering::Relaxed) {
                break;
            }
            result.nodes += found.nodes;
            result.time += searcher.elapsed();
            each(number, positions::POSITIONS.len(), &result);
        }
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
    });
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
}
