//! The alpha-beta search below the root: a list of ideas in the order they act.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::extension::Singular;
use super::history::Site;
use super::picker::Picker;
use super::pruning::Verdict;
use super::reduction::{Trial, second_thought};
use super::table::Entry;
use super::worker::{Worker, bound, corrected, decides};
use super::{Bound, Score, history, params};
use crate::chess::{Move, Position};

/// Whether a node lies on the principal variation: searched with an open window, never pruned.
pub(crate) trait NodeKind {
    const PV: bool;
}

/// A node of the principal variation.
pub(crate) struct Pv;
/// Any other node; its window holds no score, it only answers yes or no.
pub(crate) struct Cut;

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for Cut {
    const PV: bool = false;
}

/// Alpha and beta.
pub(super) type Window = (Score, Score);

/// What the rules of pruning, reduction and extension know of a node.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[expect(clippy::struct_field_names, reason = "cut node is the term")]
pub(super) struct Node<'a> {
    pub(super) site: Site<'a>,
    pub(super) ply: usize,
    pub(super) depth: i32,
    /// As the node was entered.
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) pv: bool,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    pub(super) table: Option<Entry>,
    /// On the principal variation now or when the table met it.
    pub(super) table_pv: bool,
    /// The evaluation as it came; none in check.
    pub(super) raw: Option<Score>,
    /// What was added to it for what searches showed elsewhere.
    pub(super) correction: i32,
    /// The static evaluation; in check that of the mover's last node.
    pub(super) evaluation: Score,
    /// The evaluation, or the table's score where that says more.
    pub(super) estimate: Score,
    /// The mover stands better than two plies ago.
    pub(super) improving: bool,
    /// The opponent stood better before the last move than now.
    pub(super) worsening: bool,
    /// The move left out to see whether it is the only good one.
    pub(super) excluded: Option<Move>,
}

impl Node<'_> {
    pub(super) fn table_move(&self) -> Option<Move> {
        self.table.and_then(|entry| entry.best)
    }

    /// Whether the table's move takes or promotes: quiet moves are less likely to be best then.
    pub(super) fn table_move_is_noisy(&self) -> bool {
        self.table_move().is_some_and(|mv| self.site.position.is_noisy(mv))
    }
}

/// What the move loop found.
struct Found {
    score: Score,
    /// The move that raised alpha.
    best: Option<Move>,
}

/// What endgame tables say is worth so many plies more than the search it saves.
const TABLE_DEPTH: i32 = 6;
/// Near the fifty-move limit a stored score may hide a draw.
const CLOCK_OF_DOUBT: u32 = 90;

impl Worker {
    /// The value of a position to this depth: exact inside the window, else a bound.
    pub(super) fn search<K: NodeKind>(
        &mut self,
        position: &Position,
        alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<K>(position, alpha, beta, ply);
        }
        let mut alpha = match self.begin::<K>(position, (alpha, beta), ply) {
            ControlFlow::Continue(alpha) => alpha,
            ControlFlow::Break(score) => return score,
        };

        // Mate distance: no line from here beats a mate that is already nearer.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let mut node = self.look_at::<K>(position, (alpha, beta), depth, ply, cut_node);
        if let Some(score) = self.table_cutoff(&node) {
            return score;
        }
        let mut known = (-Score::INFINITE, Score::INFINITE);
        if let Some((score, bound)) = self.ask_tables(&node) {
            let depth = node.depth + TABLE_DEPTH;
            let entry = Entry { best: None, score, evaluation: node.raw, depth, bound, pv: K::PV };
            if decides(&entry, alpha, beta) {
                self.store(position, ply, entry);
                return score;
            }
            match bound {
                Bound::Lower => known.0 = score,
                _ => known.1 = score,
            }
        }
        self.note_gain(&node);
        node.depth += self.hindsight(&node);
        if let Some(score) = self.prune_node(&node) {
            return score;
        }
        if node.is_order_unknown() {
            node.depth -= 1;
        }
        let extension = match self.test_table_move(&node) {
            Singular::Extend(plies) => plies,
            Singular::Refuted(score) => return score,
        };
        let mut found = self.try_moves::<K>(&node, extension);
        found.score = found.score.clamp(known.0, known.1);
        if !self.stopped && node.excluded.is_none() {
            self.remember(&node, &found);
        }
        found.score
    }

    /// What every node asks first, a leaf too: whether it has a value without any search, and else
    /// what alpha is.
    #[inline(always)]
    pub(super) fn begin<K: NodeKind>(
        &mut self,
        position: &Position,
        (alpha, beta): Window,
        ply: usize,
    ) -> ControlFlow<Score, Score> {
        if K::PV {
            self.lines.clear(ply);
        }
        if !self.enter(ply) || self.past.is_draw(position) {
            return ControlFlow::Break(Score::DRAW);
        }
        if ply >= Score::MAX_PLY - 1 {
            let end = if position.in_check() { Score::DRAW } else { self.evaluate(position) };
            return ControlFlow::Break(end);
        }
        // Whoever can repeat need not take less than a draw.
        if alpha < Score::DRAW && self.past.can_repeat(position) {
            if beta <= Score::DRAW {
                return ControlFlow::Break(Score::DRAW);
            }
            return ControlFlow::Continue(Score::DRAW);
        }
        ControlFlow::Continue(alpha)
    }

    /// Gathers what is known of a node before any move is tried.
    pub(super) fn look_at<'a, K: NodeKind>(
        &mut self,
        position: &'a Position,
        (alpha, beta): Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Node<'a> {
        let in_check = position.in_check();
        let table = self.probe(position, ply);
        let raw = (!in_check).then(|| {
            let stored = table.and_then(|entry| entry.evaluation);
            stored.unwrap_or_else(|| {
                let raw = self.evaluate(position);
                if table.is_none() {
                    self.store(position, ply, Entry::of_evaluation(raw, K::PV));
                }
                raw
            })
        });
        let correction = if in_check { 0 } else { self.correction(position, ply) };
        let corrected = raw.map(|raw| corrected(raw, position, correction));
        self.stack[ply].evaluation = corrected;
        self.stack[ply + 2].cutoffs = 0;
        let before = self.stack.evaluation_before(ply);
        let evaluation = corrected.or(before).unwrap_or(Score::DRAW);
        Node {
            site: self.site(position, ply),
            ply,
            depth,
            alpha,
            beta,
            pv: K::PV,
            cut_node,
            in_check,
            table,
            table_pv: K::PV || table.is_some_and(|entry| entry.pv),
            raw,
            correction,
            evaluation,
            estimate: table.map_or(evaluation, |entry| entry.refine(evaluation)),
            improving: !in_check && before.is_some_and(|before| evaluation > before),
            worsening: !in_check
                && self.stack.before(ply, 1).evaluation.is_some_and(|theirs| evaluation > -theirs),
            excluded: self.stack[ply].excluded,
        }
    }

    /// The table knows the answer already. Not on the principal variation, whose line would be
    /// cut short; and a result that contradicts what kind of node this was thought to be has to
    /// come from a deep search.
    fn table_cutoff(&mut self, node: &Node) -> Option<Score> {
        let entry = node.table.filter(|_| !node.pv && node.excluded.is_none())?;
        let fails_high = entry.score >= node.beta;
        let agrees = node.cut_node == fails_high || node.depth > 5;
        let deep = entry.depth >= node.depth + i32::from(entry.score > node.beta);
        let doubtful = node.site.position.halfmove_clock() >= CLOCK_OF_DOUBT;
        if !(deep && agrees) || doubtful || !decides(&entry, node.alpha, node.beta) {
            return None;
        }
        if fails_high && let Some(mv) = entry.best.filter(|&mv| !node.site.position.is_noisy(mv)) {
            self.histories.add_quiet(&node.site, mv, history::bonus(node.depth));
        }
        if fails_high {
            self.blame_last_move(node);
        }
        Some(entry.score)
    }

    /// Writes down what a node has shown.
    fn remember(&mut self, node: &Node, found: &Found) {
        let bound = bound(found.score, node.alpha, node.beta);
        let entry = Entry {
            best: found.best,
            score: found.score,
            evaluation: node.raw,
            depth: node.depth,
            bound,
            pv: node.table_pv,
        };
        self.store(node.site.position, node.ply, entry);
        self.learn_correction(node, found, bound);
        if bound == Bound::Upper {
            self.praise_last_move(node);
        }
    }

    /// The search tells how wrong the static evaluation is, unless a capture decided, which no
    /// static evaluation can see, or the score only bounds what is known.
    fn learn_correction(&mut self, node: &Node, found: &Found, bound: Bound) {
        let position = node.site.position;
        let plain = found.best.is_none_or(|mv| !position.is_noisy(mv)) && !found.score.is_decided();
        let difference = found.score - node.evaluation;
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => difference > 0,
            Bound::Upper => difference < 0,
        };
        if plain && tells && !node.in_check {
            let last = self.stack.last_two(node.ply);
            self.corrections.learn(position, last, difference, node.depth);
        }
    }

    /// The static evaluations before and after the last quiet move tell whether it was good.
    fn note_gain(&mut self, node: &Node) {
        let last = self.stack.before(node.ply, 1);
        let now = node.raw.map(|_| node.evaluation.0);
        if let (Some(slot), Some(before), Some(now)) = (last.slot, last.evaluation, now)
            && node.excluded.is_none()
        {
            let limit = params::gain_limit();
            let bonus = (-params::gain_slope() * (before.0 + now)).clamp(-limit, limit);
            self.histories.add_slot(slot, bonus);
        }
    }

    /// Every answer failed, so the move before was good.
    fn praise_last_move(&mut self, node: &Node) {
        let last = *self.stack.before(node.ply, 1);
        if let Some(slot) = last.slot {
            let bonus = history::bonus(node.depth) / 2;
            self.histories.add_slot(slot, bonus);
            let before = self.stack.contexts(node.ply - 1);
            self.histories.add_answer(&before, last.context, bonus);
        }
    }

    /// Some answer refuted the move before at once. If it was a quiet one thought to be among the
    /// best of its node, it was not a good answer to what was moved before it.
    fn blame_last_move(&mut self, node: &Node) {
        let last = *self.stack.before(node.ply, 1);
        if last.slot.is_some() && last.number <= params::early_moves() {
            let before = self.stack.contexts(node.ply - 1);
            self.histories.add_answer(&before, last.context, -history::malus(node.depth) / 2);
        }
    }

    /// The move loop; the table's move is searched deeper by `extension`. Mate or stalemate
    /// without moves.
    fn try_moves<K: NodeKind>(&mut self, node: &Node, extension: i32) -> Found {
        let position = node.site.position;
        let prunable = position.has_pieces(position.side_to_move());
        let mut picker = Picker::all(node.table_move());
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut captures: ArrayVec<Move, 32> = ArrayVec::new();
        let mut alpha = node.alpha;
        let mut found = Found { score: -Score::INFINITE, best: None };
        let (mut number, mut raises) = (0, 0);
        loop {
            let may_prune = prunable && !found.score.is_loss();
            if may_prune && node.is_late(number + 1) {
                // Before they are generated.
                picker.skip_quiets();
            }
            let Some(mv) = picker.next(&node.site, &self.histories) else { break };
            if Some(mv) == node.excluded {
                continue;
            }
            // Fetched while the move is judged and made.
            self.table.prefetch(position.likely_key_after(mv));
            number += 1;
            let trial = self.trial(node, mv, number, raises);
            if may_prune {
                match self.judge(node, &trial, alpha) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets(limit) => {
                        // No quiet move was thought to reach more than this.
                        found.score = found.score.max(limit);
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let child = self.play(position, node.ply, &trial.step);
            self.stack[node.ply].number = number;
            let extension = if Some(mv) == node.table_move() { extension } else { 0 };
            self.stack.extend(node.ply, extension);
            let depth = node.depth - 1 + extension;
            let score = self.search_child::<K>(node, &trial, &child, (alpha, found.score), depth);
            self.undo();
            if self.stopped {
                return Found { score: Score::DRAW, best: None };
            }
            if score > found.score {
                found.score = score;
                if score > alpha {
                    alpha = score;
                    found.best = Some(mv);
                    if K::PV {
                        self.lines.extend(node.ply, mv);
                    }
                    if score >= node.beta {
                        self.stack[node.ply].cutoffs += 1;
                        break;
                    }
                    raises += 1;
                }
            }
            // A list that is full has said enough.
            let _ = if trial.step.is_quiet() { quiets.try_push(mv) } else { captures.try_push(mv) };
        }
        if number == 0 {
            found.score = match (node.excluded, node.in_check) {
                (Some(_), _) => alpha,
                (None, true) => Score::mated_in(node.ply),
                (None, false) => Score::DRAW,
            };
        }
        if found.score >= node.beta && !found.score.is_decided() && node.beta.0.abs() < 10_000 {
            // Fail medium: how far above beta is not to be trusted, less so near the leaves.
            let sum = found.score.0 * node.depth + node.beta.0;
            found.score = Score(sum / (node.depth + 1));
        }
        if let Some(best) = found.best {
            quiets.retain(|mv| *mv != best);
            captures.retain(|mv| *mv != best);
            self.histories.reward(&node.site, best, &quiets, &captures, node.depth);
            if found.score >= node.beta {
                self.blame_last_move(node);
            }
        }
        found
    }

    /// Principal variation search of one child: the first move with the whole window, the others
    /// with an empty one, reduced if late; whatever surprises is searched again. The score is the
    /// parent's.
    pub(super) fn search_child<K: NodeKind>(
        &mut self,
        node: &Node,
        trial: &Trial,
        child: &Position,
        (alpha, best_score): (Score, Score),
        mut depth: i32,
    ) -> Score {
        let ply = node.ply + 1;
        let mut score = -Score::INFINITE;
        if trial.number > 1 && node.depth >= 2 {
            let reduction = self.late_move_reduction(node, trial, child) / 1024;
            let reduced = (depth - reduction).min(depth + i32::from(K::PV)).max(1);
            self.stack[node.ply].reduction = depth - reduced;
            score = -self.search::<Cut>(child, -alpha - 1, -alpha, reduced, ply, true);
            self.stack[node.ply].reduction = 0;
            if score > alpha && reduced < depth && !self.stopped {
                depth += second_thought(score, best_score, depth);
                if reduced < depth {
                    score =
                        -self.search::<Cut>(child, -alpha - 1, -alpha, depth, ply, !node.cut_node);
                }
                self.note_second_look(node, trial, score, alpha);
            }
        } else if trial.number > 1 || !K::PV {
            score = -self.search::<Cut>(child, -alpha - 1, -alpha, depth, ply, !node.cut_node);
        }
        if K::PV && (trial.number == 1 || score > alpha) && !self.stopped {
            score = -self.search::<K>(child, -node.beta, -alpha, depth, ply, false);
        }
        score
    }
}
