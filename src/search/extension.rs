//! Moves that deserve a deeper look: singular extensions and what else their test shows.

use super::node::{Cut, Node};
use super::worker::Worker;
use super::{Bound, Score, ablation, params};

/// What a search without the table's move shows.
pub(super) enum Singular {
    /// Change the depth of the table's move by so many plies.
    Extend(i32),
    /// Another move fails high as well: the node is decided.
    Refuted(Score),
}

impl Worker {
    /// Singular extension (Anantharaman, Campbell and Hsu, 1988): if a search without the table's
    /// move falls well below that move's score, it is the only good one and worth more depth; the
    /// further, the more. If even without it beta is reached, nothing is left to search
    /// (multicut); if it is but one good move among several, it gets less.
    pub(super) fn test_table_move(&mut self, node: &Node) -> Singular {
        let Some((mv, score)) = self.singular_candidate(node) else {
            return Singular::Extend(i32::from(is_last_hope(node)));
        };
        let margin = params::singular_margin() * node.depth / 16;
        let former_pv = if node.table_pv && !node.pv { node.depth } else { 0 };
        let threshold = score - margin - former_pv;
        self.stack[node.ply].excluded = Some(mv);
        let depth = (node.depth - 1) / 2;
        let position = node.site.position;
        let without =
            self.search::<Cut>(position, threshold - 1, threshold, depth, node.ply, node.cut_node);
        self.stack[node.ply].excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        if without < threshold {
            return Singular::Extend(self.extension_by_gap(node, mv, threshold - without));
        }
        if without >= node.beta && !without.is_decided() {
            return Singular::Refuted(without);
        }
        Singular::Extend(if score >= node.beta {
            -2 - i32::from(!node.pv)
        } else if node.cut_node {
            -2
        } else {
            0
        })
    }

    /// The table's move and its score, if they are worth the test.
    fn singular_candidate(&self, node: &Node) -> Option<(crate::chess::Move, Score)> {
        let entry = node.table?;
        let worth_it = !ablation::no_singular()
            && node.excluded.is_none()
            && node.depth >= params::singular_depth() + i32::from(node.table_pv)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - 3
            && !entry.score.is_decided()
            && node.ply < 2 * self.root_depth;
        entry.best.filter(|_| worth_it).map(|mv| (mv, entry.score))
    }

    /// One ply, two or three; lines of many long extensions get no more of them.
    fn extension_by_gap(&self, node: &Node, mv: crate::chess::Move, gap: i32) -> i32 {
        if node.pv || self.stack.before(node.ply, 1).long_extensions >= params::long_extensions() {
            return 1;
        }
        let quiet = !node.site.position.is_noisy(mv);
        1 + i32::from(gap > params::double_margin())
            + i32::from(quiet && gap > params::triple_margin())
    }
}

/// Too near the leaves for the test, in an expected cut node that by its evaluation won't be one:
/// the table's move is all the hope there is.
fn is_last_hope(node: &Node) -> bool {
    !ablation::no_singular()
        && node.cut_node
        && !node.in_check
        && node.excluded.is_none()
        && node.depth <= params::singular_depth()
        && node.evaluation <= node.alpha - params::hope_margin()
        && node.table.is_some_and(|entry| entry.bound == Bound::Lower && entry.best.is_some())
}
