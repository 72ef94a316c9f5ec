//! How much less deep moves are searched that are probably not best.

use super::history::Step;
use super::node::Node;
use super::worker::Worker;
use super::{Score, ablation, history, params};
use crate::chess::{Move, Position};

/// A move about to be tried.
pub(super) struct Trial {
    pub(super) step: Step,
    /// Counted from one.
    pub(super) number: i32,
    /// How many moves before it raised alpha.
    pub(super) raises: i32,
    /// How it did elsewhere.
    pub(super) record: i32,
}

/// Natural logarithms times 1024, of the numbers below 64.
pub(super) type Logarithms = [i32; 64];

pub(super) fn logarithms() -> Logarithms {
    let mut logarithms = [0; 64];
    for (number, logarithm) in logarithms.iter_mut().enumerate().skip(1) {
        *logarithm = ((number as f64).ln() * 1024.0) as i32;
    }
    logarithms
}

impl Node<'_> {
    /// Internal iterative reduction: without a move from the table the order is a guess, and the
    /// node is cheaper to search again when there is one (Rebel's idea, 2020).
    pub(super) fn is_order_unknown(&self) -> bool {
        (self.pv || self.cut_node)
            && self.excluded.is_none()
            && self.depth >= params::iir_depth()
            && self.table.is_none_or(|entry| entry.best.is_none() || entry.depth + 4 < self.depth)
    }
}

impl Worker {
    /// Hindsight: the move that led here was reduced. If by the evaluations it did not hurt its
    /// mover, the reduction was too much; if it hurt plainly, too little.
    pub(super) fn hindsight(&self, node: &Node) -> i32 {
        let last = self.stack.before(node.ply, 1);
        let Some(before) = last.evaluation.filter(|_| !node.in_check && node.excluded.is_none())
        else {
            return 0;
        };
        let sum = node.evaluation.0 + before.0;
        if last.reduction >= params::hindsight_deeper() && sum <= 0 {
            return 1;
        }
        let shallower = last.reduction >= params::hindsight_shallower()
            && node.depth >= 2
            && sum > params::hindsight_margin();
        -i32::from(shallower)
    }

    /// What the rules know of a move.
    #[inline(always)]
    pub(super) fn trial(&self, node: &Node, mv: Move, number: i32, raises: i32) -> Trial {
        let step = node.site.step(mv);
        let record = self.histories.record(&node.site, &step);
        Trial { step, number, raises, record }
    }

    /// The reduction that can be told before the move is made, in 1/1024 ply: it grows with depth
    /// and number, and less for what did well elsewhere.
    #[inline]
    pub(super) fn expected_reduction(&self, node: &Node, trial: &Trial) -> i32 {
        let log = |number: i32| self.logarithms[number.clamp(0, 63) as usize];
        let (base, divisor, trust) = if trial.step.is_quiet() {
            (params::lmr_quiet_base(), params::lmr_quiet_divisor(), params::lmr_quiet_trust())
        } else {
            (params::lmr_noisy_base(), params::lmr_noisy_divisor(), params::lmr_noisy_trust())
        };
        let growth = log(node.depth) * log(trial.number) / 1024 * 100 / divisor;
        let hope = if node.improving { 0 } else { params::lmr_not_improving() };
        base + growth + hope - trial.record * 1024 / trust
    }

    /// The whole reduction, in 1/1024 ply; negative if the move deserves more.
    pub(super) fn late_move_reduction(&self, node: &Node, trial: &Trial, child: &Position) -> i32 {
        if ablation::no_reductions() {
            return 0;
        }
        let mut reduction = self.expected_reduction(node, trial);
        if node.cut_node {
            reduction += params::lmr_cut_node();
            if node.table_move().is_none() {
                reduction += params::lmr_no_table_move();
            }
        }
        // A node of the principal variation that has its move seldom finds a better one.
        reduction += params::lmr_raised() * trial.raises.min(3);
        if node.table_pv {
            reduction -= params::lmr_table_pv();
        }
        if node.pv {
            reduction -= params::lmr_pv();
        }
        if trial.step.is_quiet() && node.table_move_is_noisy() {
            reduction += params::lmr_noisy_table_move();
        }
        if child.in_check() {
            reduction -= params::lmr_check();
        }
        if self.stack[node.ply + 1].cutoffs > 2 {
            reduction += params::lmr_cutoffs();
        }
        reduction - params::lmr_correction() * node.correction.abs()
    }

    /// The second look confirmed the surprise or not: the move is a better or worse answer than
    /// it was thought to be.
    pub(super) fn note_second_look(
        &mut self,
        node: &Node,
        trial: &Trial,
        score: Score,
        alpha: Score,
    ) {
        if trial.step.is_quiet() && !self.stopped {
            let bonus = if score > alpha {
                history::bonus(node.depth)
            } else {
                -history::malus(node.depth)
            };
            self.histories.add_answer(&node.site.before, trial.step.context, bonus);
        }
    }
}

/// A reduced search surprised: by how many plies to change the depth of the second look. Far
/// better than the best so far: deeper; hardly better: less deep.
pub(super) fn second_thought(score: Score, best: Score, depth: i32) -> i32 {
    let deeper = score > best + params::deeper_margin() + 2 * depth;
    let shallower = score < best + params::shallower_margin();
    i32::from(deeper) - i32::from(shallower)
}
