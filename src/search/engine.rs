//! The engine as an object: set it up, let it think, stop it.

use thiserror::Error;

use super::{Limits, Sink};
use crate::chess::Game;

/// Why a transposition table can't be had; the old one is kept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no hash of {mebibytes} MiB: {reason}")]
pub struct HashError {
    /// The size asked for.
    pub mebibytes: usize,
    /// Why not.
    pub reason: String,
}

/// A chess engine: owns its transposition table and search threads.
#[derive(Debug)]
pub struct Engine {}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with a table of 16 MiB and one thread.
    pub fn new() -> Self {
        Self {}
    }

    /// Changes the size of the transposition table, in MiB. Waits for a running search.
    ///
    /// # Errors
    /// If there is not so much memory; the old table stays.
    pub fn set_hash(&mut self, _mebibytes: usize) -> Result<(), HashError> {
        todo!()
    }

    /// Forgets everything learned from earlier positions: a new game begins.
    pub fn new_game(&mut self) {
        todo!()
    }

    /// How many best lines are reported.
    pub fn set_multi_pv(&mut self, _lines: usize) {
        todo!()
    }

    /// Time lost between engine and clock for each move, in milliseconds.
    pub fn set_move_overhead(&mut self, _milliseconds: u64) {
        todo!()
    }

    /// Begins to think about the present position of `game` and returns at once. Waits first for
    /// a search that still runs.
    pub fn go(&mut self, _game: &Game, _limits: Limits, _sink: Box<dyn Sink>) {
        todo!()
    }

    /// Whether a search runs, or waits for a stop or a ponder hit.
    pub fn is_searching(&self) -> bool {
        todo!()
    }

    /// Asks the running search to end soon; its best move goes to its sink.
    pub fn stop(&self) {
        todo!()
    }

    /// The expected move was played: the clock starts now.
    pub fn ponder_hit(&self) {
        todo!()
    }

    /// Waits until the search has ended.
    pub fn wait(&mut self) {
        todo!()
    }
}
