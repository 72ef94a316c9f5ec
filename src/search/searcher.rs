//! Searching on the caller's thread: for data generation, tests and the bench.

use std::sync::Arc;

use super::clock::Signals;
use super::root::Settings;
use super::table::Table;
use super::worker::Worker;
use super::{BestMove, HashError, Limits, Report, Score, Sink};
use crate::chess::{Game, Move, Position};
use crate::eval::{Evaluator, Network};

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play and the answer to expect.
    pub best: BestMove,
    /// From the side to move's view.
    pub score: Score,
    /// The last whole iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<Move>,
}

impl SearchResult {
    /// Without a legal move: mate or stalemate.
    pub(crate) fn of_ended_game(position: &Position) -> Self {
        Self {
            best: BestMove { best: None, ponder: None },
            score: if position.in_check() { Score::mated_in(0) } else { Score::DRAW },
            depth: 0,
            nodes: 0,
            pv: Vec::new(),
        }
    }
}

/// Hears nothing.
pub(crate) struct Silence;

impl Sink for Silence {
    fn report(&mut self, _: &Report) {}
    fn finished(&mut self, _: BestMove) {}
}

/// A search that runs on the caller's thread and returns what it found. With limits of depth and
/// nodes alone the result depends on nothing but what was searched since [`Self::new_game`].
///
/// ```
/// use qishou::chess::Game;
/// use qishou::search::{Limits, Score, Searcher};
/// let mate_in_one: qishou::chess::Position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
/// let mut searcher = Searcher::new(1)?;
/// let limits = Limits { nodes: Some(5000), ..Limits::default() };
/// let found = searcher.search(&Game::new(mate_in_one), &limits);
/// assert_eq!(found.score, Score::mate_in(1));
/// assert_eq!(found.pv[0].to_string(), "a1a8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    worker: Worker,
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher").field("table", &self.worker.table).finish_non_exhaustive()
    }
}

impl Searcher {
    /// A searcher with a transposition table of so many MiB, and with the embedded network if
    /// there is one, else with the evaluation by hand.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(hash_mebibytes: usize) -> Result<Self, HashError> {
        let table = Arc::new(Table::new(hash_mebibytes)?);
        let signals = Arc::new(Signals::new());
        Ok(Self { worker: Worker::new(table, signals, Network::usual()) })
    }

    /// Evaluates with this network from now on, or with the evaluation by hand. What the table
    /// holds of another evaluation stays until [`Self::new_game`].
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.worker.evaluator = Evaluator::new(network);
    }

    /// Forgets everything learned from earlier positions.
    pub fn new_game(&mut self) {
        self.worker.table.clear();
        self.worker.new_game();
    }

    /// Thinks about the present position until a limit is reached; with none of depth, nodes,
    /// time and mate that is the greatest depth. `infinite` and `ponder` mean nothing here.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> SearchResult {
        self.search_with(game, limits, 1, &mut Silence)
    }

    /// The same with several best lines, each told to a sink ([`Sink::finished`] is not called).
    pub fn search_with(
        &mut self,
        game: &Game,
        limits: &Limits,
        multi_pv: usize,
        sink: &mut dyn Sink,
    ) -> SearchResult {
        self.worker.signals.begin(false);
        self.worker.table.next_age();
        let settings = Settings { multi_pv, move_overhead: 0, nodes_per_ms: 0, elo: None };
        let result = self.worker.think(game, limits, settings, sink);
        self.worker.signals.end();
        result
    }
}
