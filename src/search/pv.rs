//! Principal variations: for each ply the best line found from there, built from the leaf up.

use arrayvec::ArrayVec;

use super::Score;
use crate::chess::Move;

/// A line of moves.
pub(crate) type Line = ArrayVec<Move, { Score::MAX_PLY }>;

/// A line for each ply: the triangular table.
pub(crate) struct Lines(Vec<Line>);

impl Lines {
    pub(crate) fn new() -> Self {
        Self(vec![Line::new(); Score::MAX_PLY + 1])
    }

    /// Nothing is known from this ply on.
    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The best move at `ply` is `mv`, followed by the line of the next ply.
    pub(crate) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let rest = &lower[0];
        line.extend(rest.iter().copied().take(Score::MAX_PLY - 1));
    }

    /// The line found at a ply.
    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
