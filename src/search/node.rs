//! The alpha-beta search below the root: a list of ideas in the order they act.

use arrayvec::ArrayVec;

use super::history::MAX_HISTORY;
use super::picker::Picker;
use super::table::Entry;
use super::worker::{Worker, bound, decides};
use super::{Bound, Score};
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

/// Reverse futility is tried up to this depth.
const REVERSE_FUTILITY_DEPTH: i32 = 7;
/// Centipawns per ply the evaluation has to stand above beta.
const REVERSE_FUTILITY_MARGIN: i32 = 85;
const NULL_MOVE_DEPTH: i32 = 3;
const REDUCTION_DEPTH: i32 = 3;
/// From this number on moves are late.
const LATE: usize = 4;
/// Near the fifty-move limit a stored score may hide a draw.
const CLOCK_OF_DOUBT: u32 = 90;

impl Worker {
    /// The value of a position to this depth: exact inside the window, else a bound.
    pub(super) fn search<K: NodeKind>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        after_null: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<K>(position, alpha, beta, ply);
        }
        if K::PV {
            self.lines.clear(ply);
        }
        if !self.enter(ply) || self.past.is_draw(position) {
            return Score::DRAW;
        }
        let in_check = position.in_check();
        if ply >= Score::MAX_PLY - 1 {
            return if in_check { Score::DRAW } else { self.evaluate(position) };
        }

        // Mate distance: no line from here beats a mate that is already nearer.
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let entry = self.probe(position, ply);
        if !K::PV
            && position.halfmove_clock() < CLOCK_OF_DOUBT
            && let Some(entry) = &entry
            && entry.depth >= depth
            && decides(entry, alpha, beta)
        {
            return entry.score;
        }

        let evaluation = if in_check {
            None
        } else {
            let stored = entry.and_then(|entry| entry.evaluation);
            Some(stored.unwrap_or_else(|| self.evaluate(position)))
        };
        if !K::PV
            && let Some(evaluation) = evaluation
        {
            if let Some(score) = reverse_futility(evaluation, beta, depth) {
                return score;
            }
            if !after_null
                && let Some(score) = self.null_move(position, evaluation, beta, depth, ply)
            {
                return score;
            }
        }

        let table_move = entry.and_then(|entry| entry.best);
        let (best_score, best) =
            self.try_moves::<K>(position, (alpha, beta), depth, ply, table_move);
        if self.stopped {
            return Score::DRAW;
        }
        let bound = bound(best_score, alpha, beta);
        let best = if bound == Bound::Upper { None } else { best };
        self.store(position, ply, Entry { best, score: best_score, evaluation, depth, bound });
        best_score
    }

    /// Null move: if even passing keeps the score above beta, some move will. Unsound only where
    /// the side to move would like to pass, so not with pawns alone (zugzwang). Returns a score
    /// that refutes, if it does.
    fn null_move(
        &mut self,
        position: &Position,
        evaluation: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        if depth < NULL_MOVE_DEPTH
            || evaluation < beta
            || beta.is_loss()
            || !position.has_pieces(position.side_to_move())
        {
            return None;
        }
        let reduction = 3 + depth / 4 + ((evaluation - beta) / 200).min(3);
        let floor = self.past.push_null(position.key());
        let mut child = *position;
        child.play_null();
        let score =
            -self.search::<Cut>(&child, -beta, -beta + 1, depth - 1 - reduction, ply + 1, true);
        self.past.pop_null(floor);
        if self.stopped || score < beta {
            return None;
        }
        // A mate found by passing is no mate.
        Some(if score.is_win() { beta } else { score })
    }

    /// The move loop. Returns the best score and its move; mate or stalemate without moves.
    fn try_moves<K: NodeKind>(
        &mut self,
        position: &Position,
        (mut alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        table_move: Option<Move>,
    ) -> (Score, Option<Move>) {
        let side = position.side_to_move();
        let killers = self.history.killers(ply);
        let mut picker = Picker::all(table_move, killers);
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut best_score = -Score::INFINITE;
        let mut best = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.history) {
            number += 1;
            let quiet = !position.is_noisy(mv);
            let child = self.play(position, mv);
            let reduction = if quiet
                && number >= LATE
                && depth >= REDUCTION_DEPTH
                && !position.in_check()
                && !killers.contains(&Some(mv))
            {
                let history = self.history.quiet(side, mv);
                self.late_move_reduction::<K>(depth, number, history, child.in_check())
            } else {
                0
            };
            let score =
                self.scout::<K>(&child, (alpha, beta), depth - 1, ply + 1, (number, reduction));
            self.undo();
            if self.stopped {
                return (Score::DRAW, None);
            }
            if score > best_score {
                best_score = score;
                best = Some(mv);
                if score > alpha {
                    alpha = score;
                    if K::PV {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        if quiet {
                            self.history.reward(side, ply, mv, &quiets, depth);
                        }
                        break;
                    }
                }
            }
            if quiet {
                // A list that is full has said enough.
                let _ = quiets.try_push(mv);
            }
        }
        if number == 0 {
            let mated = if position.in_check() { Score::mated_in(ply) } else { Score::DRAW };
            return (mated, None);
        }
        (best_score, best)
    }

    /// Principal variation search of one child: the first move with the whole window, the others
    /// with an empty one, reduced if late; whatever surprises is searched again. The score is the
    /// parent's.
    pub(super) fn scout<K: NodeKind>(
        &mut self,
        child: &Position,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        (number, reduction): (usize, i32),
    ) -> Score {
        if number == 1 {
            return -self.search::<K>(child, -beta, -alpha, depth, ply, false);
        }
        let mut score =
            -self.search::<Cut>(child, -alpha - 1, -alpha, depth - reduction, ply, false);
        if score > alpha && reduction > 0 && !self.stopped {
            score = -self.search::<Cut>(child, -alpha - 1, -alpha, depth, ply, false);
        }
        if K::PV && score > alpha && !self.stopped {
            score = -self.search::<K>(child, -beta, -alpha, depth, ply, false);
        }
        score
    }

    /// Late moves are rarely best if the order is any good: look at them less deep first.
    pub(super) fn late_move_reduction<K: NodeKind>(
        &self,
        depth: i32,
        number: usize,
        history: i32,
        gives_check: bool,
    ) -> i32 {
        let mut plies = i32::from(self.reductions[depth.min(63) as usize][number.min(63)]);
        plies -= i32::from(K::PV) + i32::from(gives_check);
        plies -= history / (MAX_HISTORY / 2);
        plies.clamp(0, depth - 2)
    }
}

/// Reverse futility: so far above beta that the few plies left won't lose it all.
fn reverse_futility(evaluation: Score, beta: Score, depth: i32) -> Option<Score> {
    (depth <= REVERSE_FUTILITY_DEPTH
        && !beta.is_mate()
        && evaluation - REVERSE_FUTILITY_MARGIN * depth >= beta)
        .then_some(evaluation)
}
