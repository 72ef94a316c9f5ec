//! What quiet moves did elsewhere in the tree: the butterfly history and the killers.

use super::Score;
use crate::chess::{Color, Move};

/// Bounds of a history value, either sign.
pub(crate) const MAX_HISTORY: i32 = 16_384;

/// How often a quiet move refuted, by side, origin and goal; and per ply the last two quiet moves
/// that did.
pub(crate) struct History {
    butterfly: Box<[[[i16; 64]; 64]; Color::COUNT]>,
    killers: Box<[[Option<Move>; 2]]>,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            butterfly: Box::new([[[0; 64]; 64]; Color::COUNT]),
            killers: vec![[None; 2]; Score::MAX_PLY + 1].into_boxed_slice(),
        }
    }

    /// A new game: nothing is known.
    pub(crate) fn clear(&mut self) {
        *self.butterfly = [[[0; 64]; 64]; Color::COUNT];
        self.forget_killers();
    }

    /// A new search: the plies mean other positions.
    pub(crate) fn forget_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    /// The worth of a quiet move, within [`MAX_HISTORY`].
    #[inline(always)]
    pub(crate) fn quiet(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[side][mv.from()][mv.to()])
    }

    /// The quiet moves that refuted last at this ply.
    #[inline(always)]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// `best` refuted after the quiet moves `tried` did not.
    pub(crate) fn reward(
        &mut self,
        side: Color,
        ply: usize,
        best: Move,
        tried: &[Move],
        depth: i32,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        let bonus = (160 * depth - 100).clamp(0, 2000);
        self.update(side, best, bonus);
        for &mv in tried {
            self.update(side, mv, -bonus);
        }
    }

    /// Adds a bonus that shrinks as the value nears its bound, so that it never passes it and
    /// forgets what is long ago ("gravity", known from Stockfish).
    fn update(&mut self, side: Color, mv: Move, bonus: i32) {
        let value = &mut self.butterfly[side][mv.from()][mv.to()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    #[test]
    fn history_stays_within_its_bounds() {
        let mut history = History::new();
        let [good, bad] =
            [Move::normal(Square::E2, Square::E4), Move::normal(Square::D2, Square::D4)];
        for _ in 0..1000 {
            history.reward(Color::White, 3, good, &[bad], 200);
        }
        assert!(history.quiet(Color::White, good) > MAX_HISTORY * 9 / 10);
        assert!(history.quiet(Color::White, bad) < -MAX_HISTORY * 9 / 10);
        assert!(history.quiet(Color::White, good) <= MAX_HISTORY);
        assert!(history.quiet(Color::White, bad) >= -MAX_HISTORY);
        assert_eq!(history.quiet(Color::Black, good), 0);
        assert_eq!(history.killers(3), [Some(good), None]);
    }
}
