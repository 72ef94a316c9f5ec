//! One thread's search: everything it needs and nobody else touches.

use std::sync::Arc;
use std::time::Duration;

use super::clock::{Bounds, Signals};
use super::correction::Corrections;
use super::draws::Past;
use super::history::{Histories, Site, Step};
use super::node_clock::NodeClock;
use super::pace::Pace;
use super::pv::Lines;
use super::reduction::{Logarithms, logarithms};
use super::root::RootMove;
use super::stack::Stack;
use super::table::{Entry, Table};
use super::tables::Tables;
use super::team::Counter;
use super::threats::Threats;
use super::{Bound, Score, ablation, params};
use crate::chess::{PieceKind, Position};
use crate::eval::{Evaluator, Network};

/// Nodes between two looks at the clock and the stop signal: about a millisecond.
const POLL: u64 = 1024;

/// A search thread's own state.
pub(crate) struct Worker {
    pub(crate) table: Arc<Table>,
    pub(crate) signals: Arc<Signals>,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) stack: Stack,
    pub(super) lines: Lines,
    pub(super) past: Past,
    pub(super) evaluator: Evaluator,
    pub(super) logarithms: Logarithms,
    /// The iteration under way.
    pub(super) root_depth: usize,
    /// While a null move is verified: none is tried before this ply.
    pub(super) no_null_before: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// Which of the best lines is looked for; the moves before it are settled.
    pub(super) line: usize,
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    pub(crate) tables: Tables,
    /// The most men a position may have to be asked for in the tree of this search.
    pub(super) table_reach: usize,
    /// Successful probes of endgame tables.
    pub(super) table_hits: u64,
    /// Its number in the team; the first keeps the limits.
    number: usize,
    /// The nodes of all the team.
    counters: Arc<[Counter]>,
    pub(super) bounds: Option<Bounds>,
    /// So many nodes count as a millisecond; 0 for the real time.
    pub(super) nodes_per_ms: u64,
    pub(super) node_clock: NodeClock,
    pub(super) pace: Pace,
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
            histories: Histories::new(),
            corrections: Corrections::new(),
            stack: Stack::new(),
            lines: Lines::new(),
            past: Past::default(),
            evaluator: Evaluator::new(network),
            logarithms: logarithms(),
            root_depth: 0,
            no_null_before: 0,
            root_moves: Vec::new(),
            line: 0,
            nodes: 0,
            node_limit: u64::MAX,
            tables: Tables::default(),
            table_reach: 0,
            table_hits: 0,
            number: 0,
            counters: Arc::new([Counter::default()]),
            bounds: None,
            nodes_per_ms: 0,
            node_clock: NodeClock::default(),
            pace: Pace::default(),
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Memory of one, in bytes, or a little more.
    pub(crate) const BYTES: usize = Histories::BYTES + Corrections::BYTES + (1 << 20);

    /// One that knows nothing, in the place of this one.
    pub(crate) fn anew(&self) -> Self {
        let (table, signals) = (Arc::clone(&self.table), Arc::clone(&self.signals));
        let network = self.evaluator.network().cloned();
        Self { tables: self.tables.clone(), ..Self::new(table, signals, network) }
    }

    /// A new game: what was learned from the last one goes, but for the table.
    pub(crate) fn new_game(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.node_clock = NodeClock::default();
    }

    /// Joins a team for one search.
    pub(crate) fn join(&mut self, number: usize, counters: &Arc<[Counter]>) {
        self.number = number;
        self.counters = Arc::clone(counters);
    }

    /// Tells the team how many nodes it has searched.
    pub(super) fn tell_nodes(&self) {
        self.counters[self.number].set(self.nodes, self.table_hits);
    }

    /// Whether the limit of nodes is reached.
    pub(super) const fn is_out_of_nodes(&self) -> bool {
        self.nodes >= self.node_limit
    }

    /// Whether the first of the team has ended its search.
    pub(super) fn is_released(&self) -> bool {
        self.number > 0 && self.signals.helpers_are_released()
    }

    /// The nodes of all the team.
    pub(super) fn team_nodes(&self) -> u64 {
        let others = self.counters.iter().enumerate().filter(|&(number, _)| number != self.number);
        self.nodes + others.map(|(_, counter)| counter.nodes()).sum::<u64>()
    }

    /// The successful probes of endgame tables of all the team.
    pub(super) fn team_table_hits(&self) -> u64 {
        let others = self.counters.iter().enumerate().filter(|&(number, _)| number != self.number);
        self.table_hits + others.map(|(_, counter)| counter.table_hits()).sum::<u64>()
    }

    /// Counts a node. False if the search has to end instead.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        if self.is_out_of_nodes() {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        #[cfg(feature = "faults")]
        super::faults::strike(self.nodes, self.number);
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(POLL) {
            self.poll();
        }
        !self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.tell_nodes();
        self.stopped = self.signals.is_stopped()
            || self.is_released()
            || self.bounds.is_some_and(|bounds| self.used() >= bounds.hard);
    }

    /// Time used for this move: none while pondering.
    pub(super) fn used(&self) -> Duration {
        if self.nodes_per_ms == 0 || self.signals.is_pondering() {
            return self.signals.used();
        }
        let thousandths = self.team_nodes().saturating_mul(1000) / self.nodes_per_ms;
        Duration::from_micros(thousandths)
    }

    /// What the histories want to know of a node.
    #[inline(always)]
    pub(super) fn site<'a>(&self, position: &'a Position, ply: usize) -> Site<'a> {
        let threats = Threats::by(position, !position.side_to_move());
        Site { position, threats, before: self.stack.contexts(ply) }
    }

    /// Makes a move; [`Self::undo`] takes it back.
    #[inline(always)]
    pub(super) fn play(&mut self, position: &Position, ply: usize, step: &Step) -> Position {
        let frame = &mut self.stack[ply];
        frame.mv = Some(step.mv);
        frame.context = step.context;
        frame.slot = step.slot;
        self.past.push(position.key());
        let child = self.evaluator.play(position, step.mv);
        self.corrections.prefetch(&child, self.stack.last_two(ply + 1));
        child
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

    /// What the correction histories add to the evaluation here, in centipawns.
    #[inline(always)]
    pub(super) fn correction(&self, position: &Position, ply: usize) -> i32 {
        if ablation::no_corrections() {
            return 0;
        }
        self.corrections.value(position, self.stack.last_two(ply))
    }

    /// What the table knows here, mates counted from the root; its move is legal.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        if ablation::no_table() {
            return None;
        }
        let mut entry = self.table.probe(position.key())?;
        entry.score =
            entry.score.before_fifty_moves(position.halfmove_clock()).relative_to_root(ply);
        entry.best = entry.best.filter(|&mv| position.is_legal(mv));
        Some(entry)
    }

    /// Writes a result into the table.
    #[inline(always)]
    pub(super) fn store(&self, position: &Position, ply: usize, mut entry: Entry) {
        if ablation::no_table() {
            return;
        }
        entry.score = entry.score.relative_to_node(ply);
        self.table.store(position.key(), entry);
    }
}

/// The static evaluation: the raw one weighed by the men on the board, so that a side that stands
/// better keeps them; shrunk as the fifty-move limit comes near, so that it makes progress; and corrected.
#[inline(always)]
pub(super) fn corrected(raw: Score, position: &Position, correction: i32) -> Score {
    let weight = params::scale_base() + params::scale_unit() * material(position);
    let damped = raw.0 * weight / 1024 * (200 - position.halfmove_clock().min(100) as i32) / 200;
    Score::evaluation(damped + correction)
}

/// The men on the board, in pawns.
fn material(position: &Position) -> i32 {
    const UNITS: [i32; 5] = [1, 3, 3, 5, 9];
    PieceKind::ALL
        .iter()
        .zip(UNITS)
        .map(|(&kind, unit)| unit * position.kind(kind).len() as i32)
        .sum()
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
