//! One thread's search: everything it needs and nobody else touches.

use std::sync::Arc;

use super::clock::{Bounds, Signals};
use super::draws::Past;
use super::history::History;
use super::pv::Lines;
use super::root::RootMove;
use super::table::{Entry, Table};
use super::{Bound, Score};
use crate::chess::{Move, Position};
use crate::eval::{Evaluator, Network};

/// Nodes between two looks at the clock and the stop signal: about a millisecond.
const POLL: u64 = 1024;

/// How many plies to take off late moves, by depth and move number.
pub(crate) type Reductions = [[u8; 64]; 64];

fn reductions() -> Box<Reductions> {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, plies) in row.iter_mut().enumerate().skip(1) {
            *plies = (0.7 + (depth as f64).ln() * (number as f64).ln() / 2.2) as u8;
        }
    }
    table
}

/// A search thread's own state.
pub(crate) struct Worker {
    pub(crate) table: Arc<Table>,
    pub(crate) signals: Arc<Signals>,
    pub(super) history: History,
    pub(super) lines: Lines,
    pub(super) past: Past,
    pub(super) evaluator: Evaluator,
    pub(super) reductions: Box<Reductions>,
    pub(super) root_moves: Vec<RootMove>,
    /// Which of the best lines is looked for; the moves before it are settled.
    pub(super) line: usize,
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    pub(super) bounds: Option<Bounds>,
    pub(super) selective_depth: usize,
    /// The search has to be left at once; scores on the way are worthless.
    pub(super) stopped: bool,
}

impl Worker {
    pub(crate) fn new(
        table: Arc<Table>,
        signals: Arc<Signals>,
        network: Option<Arc<Network>>,
    ) -> Self {
        Self {
            table,
            signals,
            history: History::new(),
            lines: Lines::new(),
            past: Past::default(),
            evaluator: Evaluator::new(network),
            reductions: reductions(),
            root_moves: Vec::new(),
            line: 0,
            nodes: 0,
            node_limit: u64::MAX,
            bounds: None,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// The network it evaluates with; none means by hand.
    pub(crate) fn network(&self) -> Option<Arc<Network>> {
        self.evaluator.network().cloned()
    }

    /// A new game: what was learned from the last one goes, but for the table.
    pub(crate) fn new_game(&mut self) {
        self.history.clear();
    }

    /// Counts a node. False if the search has to end instead.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(POLL) {
            self.poll();
        }
        !self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.stopped = self.signals.is_stopped()
            || self.bounds.is_some_and(|bounds| self.signals.used() >= bounds.hard);
    }

    /// Makes a move; [`Self::undo`] takes it back.
    #[inline(always)]
    pub(super) fn play(&mut self, position: &Position, mv: Move) -> Position {
        self.past.push(position.key());
        self.evaluator.play(position, mv)
    }

    #[inline(always)]
    pub(super) fn undo(&mut self) {
        self.past.pop();
        self.evaluator.undo();
    }

    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        Score::evaluation(self.evaluator.evaluate(position))
    }

    /// What the table knows here, mates counted from the root; its move is legal.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        let mut entry = self.table.probe(position.key())?;
        entry.score = entry.score.relative_to_root(ply);
        entry.best = entry.best.filter(|&mv| position.is_legal(mv));
        Some(entry)
    }

    /// Writes a result into the table.
    #[inline(always)]
    pub(super) fn store(&self, position: &Position, ply: usize, mut entry: Entry) {
        entry.score = entry.score.relative_to_node(ply);
        self.table.store(position.key(), entry);
    }
}

/// What a score means that came out of a window.
#[inline(always)]
pub(super) fn bound(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// Whether a stored score decides a window.
#[inline(always)]
pub(super) fn decides(entry: &Entry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}
