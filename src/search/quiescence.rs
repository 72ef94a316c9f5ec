//! Quiescence: captures and promotions until the position is calm enough to be evaluated.

use super::Score;
use super::node::NodeKind;
use super::picker::Picker;
use super::table::Entry;
use super::worker::{Worker, bound, decides};
use crate::chess::Position;

impl Worker {
    /// The value of a position when only captures and promotions that lose nothing in the
    /// exchange are tried, or when in check all moves.
    pub(super) fn quiescence<K: NodeKind>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
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
        let entry = self.probe(position, ply);
        if !K::PV
            && let Some(entry) = &entry
            && decides(entry, alpha, beta)
        {
            return entry.score;
        }

        let first_alpha = alpha;
        let mut evaluation = None;
        let mut best_score = Score::mated_in(ply);
        let table_move = entry.and_then(|entry| entry.best);
        let mut picker = if in_check {
            Picker::all(table_move, self.history.killers(ply))
        } else {
            // Nobody has to take: the side to move may stand pat.
            let stored = entry.and_then(|entry| entry.evaluation);
            let standing = stored.unwrap_or_else(|| self.evaluate(position));
            evaluation = Some(standing);
            best_score = standing;
            alpha = alpha.max(standing);
            if standing >= beta {
                return standing;
            }
            Picker::winning(table_move.filter(|&mv| position.is_noisy(mv)))
        };

        let mut best = None;
        while let Some(mv) = picker.next(position, &self.history) {
            let child = self.play(position, mv);
            let score = -self.quiescence::<K>(&child, -beta, -alpha, ply + 1);
            self.undo();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    alpha = score;
                    best = Some(mv);
                    if K::PV {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        let bound = bound(best_score, first_alpha, beta);
        let entry = Entry { best, score: best_score, evaluation, depth: 0, bound };
        self.store(position, ply, entry);
        best_score
    }
}
