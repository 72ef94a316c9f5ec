//! One search of a team: what each of its threads does, and what comes of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use super::Counter;
use super::vote::elect;
use crate::chess::{Game, Move};
use crate::search::clock::Signals;
use crate::search::root::Settings;
use crate::search::searcher::Silence;
use crate::search::worker::Worker;
use crate::search::{BestMove, Bound, Limits, Report, SearchResult, Sink};

/// One search of a team.
pub(super) struct Task {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) counters: Arc<[Counter]>,
}

/// Hands on what a search tells and remembers the best move so far, for the case that it breaks
/// down.
struct Remembering<'a> {
    sink: &'a mut dyn Sink,
    best: Option<BestMove>,
}

impl Sink for Remembering<'_> {
    fn report(&mut self, report: &Report) {
        // The move of an upper bound has just been found wanting.
        if report.multi_pv == 1 && report.bound != Bound::Upper && !report.pv.is_empty() {
            let mut line = report.pv.iter().copied();
            self.best = Some(BestMove { best: line.next(), ponder: line.next() });
        }
        self.sink.report(report);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: u32) {
        self.sink.current_move(depth, mv, number);
    }

    fn note(&mut self, text: &str) {
        self.sink.note(text);
    }

    fn finished(&mut self, best: BestMove) {
        self.sink.finished(best);
    }
}

/// What one of the team has found.
pub(super) struct Finding {
    number: usize,
    result: SearchResult,
    /// Its best line; none without a legal move.
    report: Option<Report>,
}

impl Task {
    /// The limits of one of the team: an equal part of the nodes, and for all but the first the
    /// time, since the first decides when the rest is reached.
    fn limits_of(&self, number: usize) -> Limits {
        let count = self.counters.len() as u64;
        let limits = &self.limits;
        let nodes = limits.nodes.map(|all| all / count + u64::from((number as u64) < all % count));
        if number == 0 {
            let soft_nodes = limits.soft_nodes.map(|all| all.div_ceil(count));
            return Limits { nodes, soft_nodes, ..limits.clone() };
        }
        let mut endless = Limits { infinite: true, depth: None, mate: None, ..limits.clone() };
        if self.settings.nodes_per_ms > 0 {
            // Only the first keeps the clock that runs by nodes.
            (endless.clock, endless.move_time) = (None, None);
        }
        Limits { nodes, soft_nodes: None, ..endless }
    }

    /// What a thread but the first does.
    pub(super) fn help(&self, worker: &mut Worker, number: usize) -> Finding {
        worker.join(number, &self.counters);
        let limits = self.limits_of(number);
        let result = worker.think(&self.game, &limits, self.settings, &mut Silence);
        worker.tell_nodes();
        let report = worker.summary(result.depth.max(1));
        Finding { number, result, report }
    }

    /// The first searches, waits for the others and lets them vote.
    pub(super) fn lead(
        &self,
        worker: &mut Worker,
        findings: &Receiver<Finding>,
        sink: &mut dyn Sink,
    ) -> BestMove {
        worker.join(0, &self.counters);
        let mut limits = self.limits_of(0);
        let settings = self.settings;
        if settings.nodes_per_ms > 0 {
            worker.node_clock.set(&mut limits);
        }
        let mut sink = Remembering { sink, best: None };
        let search = AssertUnwindSafe(|| match settings.elo {
            Some(elo) => worker.think_weakly(&self.game, &limits, (settings, elo), &mut sink),
            None => worker.think(&self.game, &limits, settings, &mut sink),
        });
        let result = catch_unwind(search).ok();
        let Remembering { sink, best: so_far } = sink;
        worker.tell_nodes();
        // Who has used up its part of the nodes lets the others use up theirs.
        if result.is_none() || !worker.is_out_of_nodes() {
            worker.signals.release_helpers();
        }
        let mut all: Vec<Finding> = findings.iter().collect();
        if settings.nodes_per_ms > 0 {
            worker.node_clock.spend(worker.team_nodes(), settings.nodes_per_ms);
        }
        if let Some(tables) = &worker.tables.tables {
            // A file is looked into only when a position asks for it.
            tables.complaints().iter().for_each(|fault| sink.note(&fault.to_string()));
        }
        let whole = result.is_some();
        if all.len() + 1 < self.counters.len() {
            sink.note("error: the search of a helper broke off");
        }
        all.extend(result.map(|result| {
            let report = worker.summary(result.depth.max(1));
            Finding { number: 0, result, report }
        }));
        all.sort_by_key(|finding| finding.number);
        if !whole {
            // What the worker holds may be half done.
            *worker = worker.anew();
            sink.note("error: the search broke off");
            if let Some(best) = so_far.filter(|_| all.is_empty()) {
                return best;
            }
        }
        self.decide(all, whole, worker.signals.elapsed(), sink)
    }

    /// The move to play, of the findings of those that did not fail.
    fn decide(
        &self,
        mut all: Vec<Finding>,
        whole: bool,
        time: Duration,
        sink: &mut dyn Sink,
    ) -> BestMove {
        if all.is_empty() {
            let best = self.game.position().legal_moves().first().copied();
            return BestMove { best, ponder: None };
        }
        let results: Vec<&SearchResult> = all.iter().map(|finding| &finding.result).collect();
        // Several lines belong together: those of the first have been told.
        let chosen = if self.settings.multi_pv > 1 && whole { 0 } else { elect(&results) };
        let alone = whole && all.len() == 1;
        let chosen = all.swap_remove(chosen);
        if let Some(report) = chosen.report.filter(|_| !alone && self.settings.multi_pv <= 1) {
            let nodes = self.counters.iter().map(Counter::nodes).sum();
            let table_hits = self.counters.iter().map(Counter::table_hits).sum();
            sink.report(&Report { nodes, time, table_hits, ..report });
        }
        chosen.result.best
    }

    /// The limits may be reached, but nobody wants to hear it yet.
    pub(super) fn linger(&self, signals: &Signals) {
        while !signals.is_stopped() && (self.limits.infinite || signals.is_pondering()) {
            thread::park();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_nodes_make_the_whole() {
        for (nodes, count) in [(1, 1), (1, 4), (1000, 3), (7, 4)] {
            let counters = (0..count).map(|_| Counter::default()).collect();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let task = Task { game: Game::default(), limits, settings: Settings::PLAIN, counters };
            let parts: Vec<u64> =
                (0..count).filter_map(|number| task.limits_of(number).nodes).collect();
            assert_eq!(parts.iter().sum::<u64>(), nodes);
            assert!(parts[0] > 0 && parts.is_sorted_by(|a, b| a >= b), "{parts:?}");
        }
    }
}
