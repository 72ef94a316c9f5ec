//! What is not searched at all: nodes whose answer seems plain, moves that seem hopeless.
//!
//! Nodes on the principal variation are never pruned, nor are those in check.

use super::history::victim;
use super::node::{Cut, Node};
use super::picker::Picker;
use super::reduction::Trial;
use super::table::Entry;
use super::threats::gives_direct_check;
use super::worker::Worker;
use super::{Bound, Score, ablation, params, see};

/// What to do with a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Search,
    Skip,
    /// Neither this nor any later quiet move; none was thought to reach more than this.
    SkipQuiets(Score),
}

impl Node<'_> {
    /// Late move pruning: the order is good enough that a quiet move this late is not the first
    /// good one.
    pub(super) fn is_late(&self, number: i32) -> bool {
        let count = params::lmp_base() + self.depth * self.depth * params::lmp_slope() / 16;
        !ablation::no_futility() && number > if self.improving { count } else { count / 2 }
    }
}

impl Worker {
    /// The answer without trying moves, if one of the rules gives it.
    pub(super) fn prune_node(&mut self, node: &Node) -> Option<Score> {
        if node.pv || node.in_check || node.excluded.is_some() {
            return None;
        }
        // What verifies a null move must not be answered by the evaluation that suggested it.
        let verifying = node.ply < self.no_null_before;
        if !verifying && let Some(score) = self.razor(node).or_else(|| reverse_futility(node)) {
            return Some(score);
        }
        self.null_move(node).or_else(|| self.probcut(node))
    }

    /// Razoring: so far below alpha that only captures could help; let them try.
    fn razor(&mut self, node: &Node) -> Option<Score> {
        let margin = params::razor_base() + params::razor_slope() * node.depth * node.depth;
        if node.depth > params::razor_depth()
            || node.alpha.is_decided()
            || node.estimate + margin >= node.alpha
        {
            return None;
        }
        let position = node.site.position;
        let score = self.quiescence::<Cut>(position, node.alpha, node.alpha + 1, node.ply);
        (score <= node.alpha && !self.stopped).then_some(score)
    }

    /// Null move: if even passing keeps the score above beta, some move will. Unsound only where
    /// the side to move would like to pass (zugzwang): so not with pawns alone, and deep results
    /// and those with a single piece are verified by a search without passing.
    fn null_move(&mut self, node: &Node) -> Option<Score> {
        let position = node.site.position;
        let depth = node.depth;
        let beta = node.beta;
        let enough = beta + params::null_margin() - params::null_slope() * depth;
        if ablation::no_null_move()
            || !node.cut_node
            || node.ply < self.no_null_before
            || self.stack.before(node.ply, 1).mv.is_none()
            || node.estimate < beta
            || node.evaluation < enough
            || beta.is_loss()
            || !position.has_pieces(position.side_to_move())
        {
            return None;
        }
        let surplus = (node.estimate - beta) / params::null_surplus();
        let reduction = params::null_base() + depth / 3 + surplus.min(4);
        let score = self.pass(node, depth - reduction);
        if self.stopped || score < beta {
            return None;
        }
        // A mate found by passing is no mate.
        let score = if score.is_win() { beta } else { score };
        // With a single piece zugzwang is near at any depth.
        let risky = !position.knights_to_queens(position.side_to_move()).many();
        if !risky && depth < params::null_verify_depth() || self.no_null_before > 0 {
            return Some(score);
        }
        self.no_null_before = node.ply + 3 * (depth - reduction).max(1) as usize / 4;
        let verified =
            self.search::<Cut>(position, beta - 1, beta, depth - reduction, node.ply, false);
        self.no_null_before = 0;
        (verified >= beta && !self.stopped).then_some(score)
    }

    /// The score after passing.
    fn pass(&mut self, node: &Node, depth: i32) -> Score {
        let position = node.site.position;
        let floor = self.past.push_null(position.key());
        self.stack[node.ply].pass();
        self.stack[node.ply].long_extensions = self.stack.before(node.ply, 1).long_extensions;
        let mut child = *position;
        child.play_null();
        let score =
            -self.search::<Cut>(&child, -node.beta, -node.beta + 1, depth, node.ply + 1, false);
        self.past.pop_null(floor);
        score
    }

    /// `ProbCut` (Buro, 1995): a capture that holds well above beta in a shallow search will most
    /// likely hold beta in a deep one. What the table knows can do for the shallow search.
    fn probcut(&mut self, node: &Node) -> Option<Score> {
        if node.beta.is_decided() {
            return None;
        }
        let far = node.beta + params::probcut_table_margin();
        if let Some(entry) = node.table
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - 4
            && entry.score >= far
            && !entry.score.is_decided()
        {
            return Some(far);
        }
        let eased = if node.improving { params::probcut_improving() } else { 0 };
        let goal = node.beta + params::probcut_margin() - eased;
        let contradicted =
            node.table.is_some_and(|entry| entry.depth >= node.depth - 3 && entry.score < goal);
        if node.depth < params::probcut_depth() || contradicted {
            return None;
        }
        self.try_captures(node, goal)
    }

    /// Tries the captures that win enough to reach the goal.
    fn try_captures(&mut self, node: &Node, goal: Score) -> Option<Score> {
        let position = node.site.position;
        let needed = goal - node.evaluation;
        let table_move = node
            .table_move()
            .filter(|&mv| position.is_noisy(mv) && see::wins_at_least(position, mv, needed));
        let mut picker = Picker::winning(table_move, needed);
        let depth = node.depth - 4;
        while let Some(mv) = picker.next(&node.site, &self.histories) {
            let child = self.play(position, node.ply, &node.site.step(mv));
            self.stack.extend(node.ply, 0);
            let ply = node.ply + 1;
            let mut score = -self.quiescence::<Cut>(&child, -goal, -goal + 1, ply);
            if score >= goal && depth > 0 && !self.stopped {
                score = -self.search::<Cut>(&child, -goal, -goal + 1, depth, ply, !node.cut_node);
            }
            self.undo();
            if self.stopped {
                return None;
            }
            if score >= goal {
                let entry = Entry {
                    best: Some(mv),
                    score,
                    evaluation: node.raw,
                    depth: node.depth - 3,
                    bound: Bound::Lower,
                    pv: node.table_pv,
                };
                self.store(position, node.ply, entry);
                return Some(if score.is_decided() { score } else { score - (goal - node.beta) });
            }
        }
        None
    }

    /// Whether a move is worth a search. Asked when some move is known not to lose by mate.
    pub(super) fn judge(&self, node: &Node, trial: &Trial, alpha: Score) -> Verdict {
        let depth = (node.depth - 1 - self.expected_reduction(node, trial) / 1024).max(0);
        if trial.step.is_quiet() {
            if let Some(limit) = futile(node, trial, depth, alpha) {
                return Verdict::SkipQuiets(limit);
            }
            let hopeless = self.is_badly_recorded(node, trial, depth)
                || loses_too_much(node, trial, params::see_quiet() * depth * depth);
            return if hopeless { Verdict::Skip } else { Verdict::Search };
        }
        let margin = params::see_noisy() * node.depth + trial.record / params::see_noisy_record();
        if is_futile_capture(node, trial, depth, alpha)
            || loses_too_much(node, trial, margin.max(0))
        {
            return Verdict::Skip;
        }
        Verdict::Search
    }

    /// History pruning: as an answer to the last two moves it nearly always failed.
    fn is_badly_recorded(&self, node: &Node, trial: &Trial, depth: i32) -> bool {
        depth < params::record_depth()
            && self.histories.answer_record(&node.site, trial.step.context)
                < -params::record_slope() * node.depth
    }
}

/// Reverse futility: so far above beta that the few plies left won't lose it all.
fn reverse_futility(node: &Node) -> Option<Score> {
    let margin = params::rfp_slope() * node.depth
        - if node.improving { params::rfp_improving() } else { 0 }
        - if node.worsening { params::rfp_worsening() } else { 0 }
        + node.correction.abs() * params::rfp_correction() / 16;
    let plain = !ablation::no_reverse_futility()
        && !node.table_pv
        && node.depth <= params::rfp_depth()
        && !node.beta.is_decided()
        && !node.estimate.is_decided()
        && node.estimate - margin.max(params::rfp_floor()) >= node.beta;
    plain.then(|| Score(i32::midpoint(node.estimate.0, node.beta.0)))
}

/// Futility: too far below alpha for a quiet move to reach it; what it could reach at most.
fn futile(node: &Node, trial: &Trial, depth: i32, alpha: Score) -> Option<Score> {
    let margin = params::futility_base() + params::futility_slope() * depth;
    let limit = node.evaluation + margin + trial.record * params::futility_record() / 32_768;
    let futile = !ablation::no_futility()
        && !node.in_check
        && depth <= params::futility_depth()
        && !alpha.is_decided()
        && limit <= alpha
        && !gives_direct_check(node.site.position, trial.step.mv);
    futile.then_some(limit)
}

/// The same for captures: even with what they take.
fn is_futile_capture(node: &Node, trial: &Trial, depth: i32, alpha: Score) -> bool {
    let margin = params::futility_noisy_base() + params::futility_noisy_slope() * depth;
    let taken = victim(node.site.position, trial.step.mv).map_or(0, see::value);
    !ablation::no_futility()
        && !node.in_check
        && depth <= params::futility_noisy_depth()
        && !alpha.is_decided()
        && trial.step.mv.promoted().is_none()
        && node.evaluation + margin + taken + trial.record / 64 <= alpha
        && !gives_direct_check(node.site.position, trial.step.mv)
}

/// The exchange on the goal square loses more than the depth could win back.
fn loses_too_much(node: &Node, trial: &Trial, margin: i32) -> bool {
    !ablation::no_see_pruning() && !see::wins_at_least(node.site.position, trial.step.mv, -margin)
}
