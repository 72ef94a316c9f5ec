//! The engine's own search as a teacher.

use std::sync::Arc;

use super::datagen::Teacher;
use crate::chess::{Game, Move};
use crate::eval::Network;
use crate::search::{HashError, Limits, Score, Searcher};

/// A search may use so many times its soft limit before it is broken off.
const HARD_FACTOR: u64 = 10;

/// Searches each position on one thread.
#[derive(Debug)]
pub struct SearchTeacher {
    searcher: Searcher,
}

impl SearchTeacher {
    /// A teacher with a transposition table of so many MiB that evaluates with a network, or by
    /// hand if there is none.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(hash: usize, network: Option<Arc<Network>>) -> Result<Self, HashError> {
        let mut searcher = Searcher::new(hash)?;
        searcher.set_network(network);
        Ok(Self { searcher })
    }
}

impl Teacher for SearchTeacher {
    fn new_game(&mut self) {
        self.searcher.new_game();
    }

    fn think(&mut self, game: &Game, soft_nodes: u64) -> Option<(Move, Score)> {
        let limits = Limits {
            soft_nodes: Some(soft_nodes),
            nodes: Some(soft_nodes * HARD_FACTOR),
            ..Limits::default()
        };
        let result = self.searcher.search(game, &limits);
        Some((result.best.best?, result.score))
    }
}
