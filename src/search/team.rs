//! Several threads that search the same position (lazy SMP): each by itself, with its own
//! histories, but all with one transposition table, so that each finds there what others have
//! found. The first keeps the limits and reports; at the end all vote.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, ScopedJoinHandle};

use super::clock::Signals;
use super::node_clock::NodeClock;
use super::root::Settings;
use super::searcher::Silence;
use super::strength::Chance;
use super::table::Table;
use super::tables::Tables;
use super::worker::Worker;
use super::{BestMove, Limits, SearchResult, Sink};
use crate::chess::Game;
use crate::eval::{Evaluator, Network};

/// A search as deep as [`Score::MAX_PLY`](super::Score::MAX_PLY) needs more stack than a thread
/// has by default. Only what is used of it takes memory.
pub(crate) const STACK: usize = 16 << 20;

/// The nodes and table hits one thread has told of; alone on its cache lines, so that threads that count don't
/// slow down each other.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl Counter {
    /// So many by now.
    pub(crate) fn set(&self, nodes: u64, table_hits: u64) {
        self.nodes.store(nodes, Relaxed);
        self.table_hits.store(table_hits, Relaxed);
    }

    /// The nodes last told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The table hits last told.
    pub(crate) fn table_hits(&self) -> u64 {
        self.table_hits.load(Relaxed)
    }
}

/// The workers of an engine, at least one; they keep what they have learned between searches.
pub(crate) struct Team {
    table: Arc<Table>,
    signals: Arc<Signals>,
    network: Option<Arc<Network>>,
    tables: Tables,
    node_clock: NodeClock,
    chance: Chance,
    workers: Vec<Worker>,
}

impl Team {
    /// A team of one.
    pub(crate) fn new(
        table: Arc<Table>,
        signals: Arc<Signals>,
        network: Option<Arc<Network>>,
        tables: Tables,
    ) -> Self {
        let mut team = Self {
            table,
            signals,
            network,
            tables,
            node_clock: NodeClock::default(),
            chance: Chance::default(),
            workers: Vec::new(),
        };
        team.resize(1);
        team
    }

    fn new_worker(&self) -> Worker {
        let (table, signals) = (Arc::clone(&self.table), Arc::clone(&self.signals));
        let mut worker = Worker::new(table, signals, self.network.clone());
        worker.tables = self.tables.clone();
        worker
    }

    /// From now on there are so many.
    pub(crate) fn resize(&mut self, count: usize) {
        self.workers.truncate(count.max(1));
        while self.workers.len() < count.max(1) {
            let worker = self.new_worker();
            self.workers.push(worker);
        }
    }

    /// From now on all evaluate with this network, or by hand.
    pub(crate) fn set_network(&mut self, network: Option<Arc<Network>>) {
        for worker in &mut self.workers {
            worker.evaluator = Evaluator::new(network.clone());
        }
        self.network = network;
    }

    /// From now on all ask these endgame tables.
    pub(crate) fn set_endgame_tables(&mut self, tables: &Tables) {
        self.tables = tables.clone();
        for worker in &mut self.workers {
            worker.tables = tables.clone();
        }
    }

    /// From now on all use this table.
    pub(crate) fn set_table(&mut self, table: &Arc<Table>) {
        self.table = Arc::clone(table);
        for worker in &mut self.workers {
            worker.table = Arc::clone(table);
        }
    }

    /// A new game begins.
    pub(crate) fn new_game(&mut self) {
        self.node_clock = NodeClock::default();
        self.workers.iter_mut().for_each(Worker::new_game);
    }

    /// Searches; a fault of the search is told and still leads to a legal move.
    pub(crate) fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: Settings,
        sink: &mut dyn Sink,
    ) -> BestMove {
        self.table.next_age();
        let count = self.workers.len();
        let counters: Arc<[Counter]> = (0..count).map(|_| Counter::default()).collect();
        for (number, worker) in self.workers.iter_mut().enumerate() {
            worker.join(number, &counters);
        }
        let mut limits = limits.clone();
        if settings.nodes_per_ms > 0 {
            self.node_clock.set(&mut limits);
        }
        let results = match settings.elo {
            // A weak player needs no helpers.
            Some(elo) => {
                let (worker, chance) = (&mut self.workers[0], &mut self.chance);
                let weak = || worker.think_weakly(game, &limits, (settings, elo), sink, chance);
                vec![catch_unwind(AssertUnwindSafe(weak)).ok()]
            }
            None => search_all(&mut self.workers, game, &limits, settings, sink),
        };
        if settings.nodes_per_ms > 0 {
            self.node_clock.spend(self.workers[0].team_nodes(), settings.nodes_per_ms);
        }
        if let Some(tables) = &self.tables.tables {
            // A file is looked into only when a position asks for it.
            tables.complaints().iter().for_each(|fault| sink.note(&fault.to_string()));
        }
        for number in (0..results.len()).filter(|&number| results[number].is_none()) {
            // What the worker holds may be half done: a new one takes its place.
            self.workers[number] = self.new_worker();
        }
        let Some(first) = &results[0] else {
            sink.note("internal error: the search broke off, any legal move is played");
            let best = game.position().legal_moves().first().copied();
            return BestMove { best, ponder: None };
        };
        let chosen = if settings.multi_pv > 1 { 0 } else { elect(&results) };
        match &results[chosen] {
            Some(result) if chosen > 0 && result.best != first.best => {
                self.workers[chosen].report(result.depth.max(1), 0, sink);
                result.best
            }
            _ => first.best,
        }
    }
}

/// All workers search until the first has reached its limits. None for those that failed.
fn search_all(
    workers: &mut [Worker],
    game: &Game,
    limits: &Limits,
    settings: Settings,
    sink: &mut dyn Sink,
) -> Vec<Option<SearchResult>> {
    let Some((first, helpers)) = workers.split_first_mut() else { return Vec::new() };
    let signals = Arc::clone(&first.signals);
    let share = helpers.len() as u64 + 1;
    let first_limits = Limits {
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(share)),
        soft_nodes: limits.soft_nodes.map(|nodes| nodes.div_ceil(share)),
        ..limits.clone()
    };
    let helper_limits =
        Limits { search_moves: limits.search_moves.clone(), infinite: true, ..Limits::default() };
    thread::scope(|scope| {
        let handles: Vec<Option<ScopedJoinHandle<_>>> = helpers
            .iter_mut()
            .map(|helper| {
                let thread = thread::Builder::new().name("helper".to_owned()).stack_size(STACK);
                let limits = &helper_limits;
                let search = move || helper.think(game, limits, settings, &mut Silence);
                // If the system has no thread left, the others do the work.
                thread.spawn_scoped(scope, search).ok()
            })
            .collect();
        let search = AssertUnwindSafe(|| first.think(game, &first_limits, settings, sink));
        let mut results = vec![catch_unwind(search).ok()];
        signals.release_helpers();
        let join = |handle: Option<ScopedJoinHandle<_>>| handle.and_then(|h| h.join().ok());
        results.extend(handles.into_iter().map(join));
        results
    })
}

/// Which worker's move to play: each votes for its own with a weight that grows with its score
/// and depth; of those that voted for the winner the deepest is taken.
fn elect(results: &[Option<SearchResult>]) -> usize {
    let usable = |result: &&SearchResult| result.depth > 0 && result.best.best.is_some();
    let votes: Vec<(usize, &SearchResult)> = results
        .iter()
        .enumerate()
        .filter_map(|(number, result)| Some((number, result.as_ref().filter(usable)?)))
        .collect();
    let Some(least) = votes.iter().map(|(_, result)| result.score).min() else { return 0 };
    // A proved mate needs no majority.
    if let Some(&(number, _)) = votes
        .iter()
        .filter(|(_, result)| result.score.is_win())
        .max_by_key(|(number, result)| (result.score, std::cmp::Reverse(*number)))
    {
        return number;
    }
    let weight = |result: &SearchResult| {
        i64::from((result.score - least).min(1000) + 15) * i64::from(result.depth)
    };
    let support = |result: &SearchResult| -> i64 {
        let same = votes.iter().filter(|(_, other)| other.best.best == result.best.best);
        same.map(|(_, other)| weight(other)).sum()
    };
    votes
        .iter()
        .max_by_key(|(number, result)| (support(result), result.depth, std::cmp::Reverse(*number)))
        .map_or(0, |&(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Square};
    use crate::search::Score;

    #[expect(clippy::unnecessary_wraps, reason = "as the votes are kept: none for a failed worker")]
    fn result(to: Square, score: i32, depth: u32) -> Option<SearchResult> {
        let mv = Move::normal(Square::E2, to);
        Some(SearchResult {
            best: BestMove { best: Some(mv), ponder: None },
            score: Score(score),
            depth,
            nodes: 1,
            pv: vec![mv],
        })
    }

    #[test]
    fn the_majority_wins_unless_one_has_a_mate() {
        let [a, b] = [Square::E3, Square::E4];
        assert_eq!(elect(&[result(a, 10, 9)]), 0);
        assert_eq!(elect(&[result(a, 10, 9), result(b, 12, 9), result(b, 11, 10)]), 2);
        assert_eq!(elect(&[result(a, 10, 9), None, result(a, 11, 8)]), 0);
        let mate = Score::mate_in(5).0;
        assert_eq!(elect(&[result(a, 10, 9), result(a, 10, 9), result(b, mate, 8)]), 2);
    }
}
