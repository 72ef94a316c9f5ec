//! The root: iterative deepening with aspiration windows over a list of root moves.
//!
//! The list carries each move's score, line and nodes; several lines, restricted moves and mate
//! limits are all questions to it.

use super::clock::{self, Bounds};
use super::node::{Node, Pv};
use super::pace::Pace;
use super::table::Entry;
use super::worker::{Worker, bound};
use super::{BestMove, Bound, Limits, Report, Score, SearchResult, Sink};
use crate::chess::{Game, Move, Position};
use crate::tablebase::Rank;
use std::cmp::Reverse;
use std::time::Duration;

/// A search that runs longer than this tells more than the line of each iteration.
const TALKATIVE_AFTER: Duration = Duration::from_secs(3);
const ASPIRATION_DEPTH: u32 = 5;
/// First half width of an aspiration window, in centipawns.
const ASPIRATION: i32 = 22;
/// A window wider than this is opened altogether.
const WIDEST: i32 = 600;

/// Most plies by which a score above the window is confirmed less deep.
const MOST_LESS: u32 = 3;

/// A root move and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Of the iteration under way; minus infinite if it has not raised alpha in it.
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    /// Of the iteration before.
    pub(crate) previous: Score,
    /// The line, the move itself first.
    pub(crate) pv: Vec<Move>,
    pub(crate) selective_depth: usize,
    /// Nodes spent on it in the whole search.
    pub(crate) nodes: u64,
    /// What the endgame tables say, if they know the root.
    pub(super) rank: Option<Rank>,
}

/// What the host has set, apart from the limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) multi_pv: usize,
    /// In milliseconds.
    pub(crate) move_overhead: u64,
    /// So many nodes count as a millisecond; 0 for the real time.
    pub(crate) nodes_per_ms: u64,
    /// To play as strong as somebody with this Elo; none for full strength.
    pub(crate) elo: Option<u32>,
}

#[cfg(test)]
impl Settings {
    /// One line, the real time, full strength.
    pub(crate) const PLAIN: Self =
        Self { multi_pv: 1, move_overhead: 0, nodes_per_ms: 0, elo: None };
}

impl Worker {
    /// Thinks about the present position of a game until a limit is reached. Every report goes
    /// to the sink; [`Sink::finished`] is left to the caller.
    pub(crate) fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: Settings,
        sink: &mut dyn Sink,
    ) -> SearchResult {
        let position = *game.position();
        self.prepare(game, limits, settings);
        if self.root_moves.is_empty() {
            return SearchResult::of_ended_game(&position);
        }
        let lines = settings.multi_pv.clamp(1, self.root_moves.len());
        let depth = self.deepen(&position, limits, lines, sink);
        self.result(&position, depth)
    }

    fn prepare(&mut self, game: &Game, limits: &Limits, settings: Settings) {
        let position = game.position();
        self.past.reset(game.past_keys());
        self.evaluator.reset(position);
        self.stack.clear();
        self.nodes = 0;
        self.node_limit = limits.nodes.unwrap_or(u64::MAX);
        // Nodes are not lost on the way to the host.
        let overhead = if settings.nodes_per_ms > 0 { 0 } else { settings.move_overhead };
        self.bounds = clock::bounds(limits, overhead);
        self.nodes_per_ms = settings.nodes_per_ms;
        self.pace = Pace::default();
        self.stopped = false;
        self.no_null_before = 0;
        self.line = 0;

        let mut moves = Vec::from_iter(position.legal_moves());
        if moves.iter().any(|mv| limits.search_moves.contains(mv)) {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        let table_move = self.probe(position, 0).and_then(|entry| entry.best);
        moves.sort_by_key(|&mv| (Some(mv) != table_move, !position.is_noisy(mv)));
        if moves.len() == 1 && limits.clock.is_some() {
            // Most of it matters after a ponder hit in the middle of a deep iteration.
            self.bounds = self.bounds.map(Bounds::without_choice);
        }
        self.root_moves = moves
            .into_iter()
            .map(|mv| RootMove {
                mv,
                score: -Score::INFINITE,
                bound: Bound::Upper,
                previous: -Score::INFINITE,
                pv: vec![mv],
                selective_depth: 0,
                nodes: 0,
                rank: None,
            })
            .collect();
        self.prepare_tables(game, settings.elo.is_none());
    }

    /// Iterative deepening. Returns the depth of the last whole iteration.
    fn deepen(
        &mut self,
        position: &Position,
        limits: &Limits,
        lines: usize,
        sink: &mut dyn Sink,
    ) -> u32 {
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, Score::MAX_PLY as u32 - 1);
        let mut settled: Vec<RootMove> = Vec::new();
        for depth in 1..=deepest {
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
            }
            self.root_depth = depth as usize;
            for line in 0..lines {
                self.line = line;
                self.selective_depth = 0;
                self.aspire(position, depth, lines == 1, sink);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                self.settle(position, depth, lines, &settled, sink);
                return depth - 1;
            }
            self.root_moves[..lines]
                .sort_by_key(|root_move| (Reverse(root_move.rank), -root_move.score));
            for line in 0..lines {
                self.report(depth, line, sink);
            }
            let best = &self.root_moves[0];
            let share = best.nodes as f64 / self.nodes.max(1) as f64;
            self.pace.note(depth, best.mv, best.score, share);
            if self.is_enough(depth, limits) {
                return depth;
            }
            settled.clear();
            settled.extend_from_slice(&self.root_moves[..lines]);
        }
        deepest
    }

    /// An iteration broke off: keeps what it found for sure.
    fn settle(
        &mut self,
        position: &Position,
        depth: u32,
        lines: usize,
        settled: &[RootMove],
        sink: &mut dyn Sink,
    ) {
        let Some(before) = settled.first() else {
            // Not even the first iteration is whole: what has a score leads, and there is a
            // report in any case.
            self.line = 0;
            if self.root_moves[0].score == -Score::INFINITE
                || self.root_moves[0].bound != Bound::Exact
            {
                let first = &mut self.root_moves[0];
                first.bound = Bound::Exact;
                first.score = if position.in_check() {
                    Score::DRAW
                } else {
                    Score::evaluation(self.evaluator.evaluate(position))
                };
            }
            self.report(depth, 0, sink);
            return;
        };
        let found = &self.root_moves[0];
        let new = found.mv != before.mv && found.score != -Score::INFINITE;
        // Several lines belong together; and a loss proved halfway tells nothing of other moves.
        let sudden_loss = found.score.is_loss() && !before.score.is_loss();
        if lines > 1 || !new || sudden_loss {
            let mut rest = std::mem::take(&mut self.root_moves);
            rest.retain(|root_move| settled.iter().all(|kept| kept.mv != root_move.mv));
            self.root_moves = settled.to_vec();
            self.root_moves.append(&mut rest);
        } else {
            // Hosts want an exact line of the move that is played; what stands there is the best there is.
            self.root_moves[0].bound = Bound::Exact;
            self.report(depth, 0, sink);
        }
    }

    /// Whether a whole iteration leaves nothing to do.
    fn is_enough(&self, depth: u32, limits: &Limits) -> bool {
        let best = &self.root_moves[0];
        if self.signals.is_stopped() || self.is_released() || self.is_out_of_nodes() {
            return true;
        }
        if limits.soft_nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        if let (Some(wanted), Some(found)) = (limits.mate, best.score.moves_to_mate())
            && (1..=i64::from(wanted)).contains(&i64::from(found))
        {
            return true;
        }
        if self.signals.is_pondering() || limits.infinite {
            return false;
        }
        if limits.clock.is_some() {
            // Nothing to choose, or a mate that deeper search would hardly shorten.
            let mate = best.score.plies_to_mate();
            if self.root_moves.len() == 1 || mate.is_some_and(|plies| depth > 2 * plies + 4) {
                return true;
            }
        }
        let factor = if limits.move_time.is_some() { 1.0 } else { self.pace.factor() };
        self.bounds
            .is_some_and(|bounds| self.used() >= bounds.soft.mul_f64(factor).min(bounds.hard))
    }

    /// Aspiration: searches a window around the last score first, and wider ones until the score
    /// lies inside.
    fn aspire(&mut self, position: &Position, depth: u32, tell: bool, sink: &mut dyn Sink) {
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let expected = self.root_moves[self.line].previous;
        let mut width = ASPIRATION;
        // A move that beats its window is confirmed a ply less deep each time it does so.
        let mut less = 0;
        if depth >= ASPIRATION_DEPTH && !expected.is_mate() && expected != -Score::INFINITE {
            alpha = expected - width;
            beta = expected + width;
        }
        loop {
            let score = self.search_root(position, alpha, beta, depth - less, sink);
            self.root_moves[self.line..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            width += width / 2;
            let open = width > WIDEST || score.is_mate();
            match bound(score, alpha, beta) {
                Bound::Exact => return,
                Bound::Upper => {
                    beta = Score(i32::midpoint(alpha.0, beta.0));
                    alpha = if open { -Score::INFINITE } else { score - width };
                    less = 0;
                }
                Bound::Lower => {
                    beta = if open { Score::INFINITE } else { score + width };
                    if !score.is_mate() {
                        less = (less + 1).min(MOST_LESS).min(depth - 1);
                    }
                }
            }
            alpha = alpha.max(-Score::INFINITE);
            beta = beta.min(Score::INFINITE);
            if tell && self.signals.elapsed() > TALKATIVE_AFTER {
                self.report(depth, self.line, sink);
            }
        }
    }

    /// Searches the root moves from `self.line` on.
    fn search_root(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Score {
        self.lines.clear(0);
        let first_alpha = alpha;
        let mut best_score = -Score::INFINITE;
        if !self.enter(0) {
            return best_score;
        }
        let node = self.look_at::<Pv>(position, (alpha, beta), depth as i32, 0, false);
        // Nobody looked at the root's parent, which would have done this.
        self.stack[1].cutoffs = 0;
        for index in self.line..self.equals_end() {
            let mv = self.root_moves[index].mv;
            let number = (index - self.line + 1) as i32;
            if self.signals.elapsed() > TALKATIVE_AFTER {
                sink.current_move(depth, mv, index as u32 + 1);
            }
            let nodes = self.nodes;
            let score = self.try_root_move(&node, (alpha, best_score), mv, number);
            let selective_depth = self.selective_depth;
            let root_move = &mut self.root_moves[index];
            root_move.nodes += self.nodes - nodes;
            if self.stopped {
                return best_score;
            }
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.bound = bound(score, alpha, beta);
                root_move.selective_depth = selective_depth;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(self.lines.line(1));
            } else {
                root_move.score = -Score::INFINITE;
            }
            if score > best_score {
                best_score = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if self.line == 0 {
            let best = self.root_moves.iter().max_by_key(|root_move| root_move.score);
            let bound = bound(best_score, first_alpha, beta);
            let best = best.map(|root_move| root_move.mv).filter(|_| bound != Bound::Upper);
            let entry = Entry {
                best,
                score: best_score,
                evaluation: node.raw,
                depth: node.depth,
                bound,
                pv: true,
            };
            self.store(position, 0, entry);
        }
        best_score
    }

    fn try_root_move(
        &mut self,
        node: &Node,
        scores: (Score, Score),
        mv: Move,
        number: i32,
    ) -> Score {
        self.lines.clear(1);
        let trial = self.trial(node, mv, number, 0);
        let child = self.play(node.site.position, 0, &trial.step);
        self.stack[0].number = number;
        let score = self.search_child::<Pv>(node, &trial, &child, scores, node.depth - 1);
        self.undo();
        score
    }

    pub(super) fn report(&self, depth: u32, line: usize, sink: &mut dyn Sink) {
        sink.report(&self.describe(depth, line));
    }

    /// The best line as a report; none without a legal move.
    pub(super) fn summary(&self, depth: u32) -> Option<Report> {
        (!self.root_moves.is_empty()).then(|| self.describe(depth, 0))
    }

    fn describe(&self, depth: u32, line: usize) -> Report {
        let root_move = &self.root_moves[line];
        Report {
            depth,
            selective_depth: root_move.selective_depth.max(1) as u32,
            multi_pv: line as u32 + 1,
            score: root_move.told_score(),
            bound: root_move.bound,
            nodes: self.team_nodes(),
            time: self.signals.elapsed(),
            hash_full: self.table.fill(),
            table_hits: self.team_table_hits(),
            pv: root_move.pv.clone(),
        }
    }

    pub(super) fn result(&self, position: &Position, depth: u32) -> SearchResult {
        let best = &self.root_moves[0];
        SearchResult {
            best: BestMove { best: Some(best.mv), ponder: self.ponder_move(position, best) },
            score: best.told_score(),
            depth,
            nodes: self.team_nodes(),
            pv: best.pv.clone(),
        }
    }

    /// The answer to expect: from the line, else from the table.
    fn ponder_move(&self, position: &Position, best: &RootMove) -> Option<Move> {
        if let Some(&answer) = best.pv.get(1) {
            return Some(answer);
        }
        let child = position.child(best.mv);
        self.table.probe(child.key())?.best.filter(|&mv| child.is_legal(mv))
    }
}
