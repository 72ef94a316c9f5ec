//! Scores: centipawns from the side to move's view, wins known from endgame tables, and mates.

use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move, in internal centipawns; values near the ends
/// tell how many plies a mate is away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// Beyond every score.
    pub const INFINITE: Self = Self(32_001);
    /// The side to move has mated; `MATE - plies` is a mate in so many plies.
    pub const MATE: Self = Self(32_000);
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The deepest line, in plies.
    pub const MAX_PLY: usize = 246;
    /// The smallest score that means a mate; evaluations stay below it.
    const LONGEST_MATE: i32 = Self::MATE.0 - Self::MAX_PLY as i32;
    /// The side to move is known to win, in the root; `TABLE_WIN - plies` from a position so many
    /// plies away. Below every mate.
    pub const TABLE_WIN: Self = Self(Self::LONGEST_MATE - 1);
    /// The smallest score that means a win; evaluations stay below it. A score that the transposition
    /// table has carried to another ply can be twice the deepest line away.
    const LEAST_WIN: i32 = Self::TABLE_WIN.0 - 2 * Self::MAX_PLY as i32;
    /// The largest evaluation.
    pub const MAX_EVALUATION: Self = Self(Self::LEAST_WIN - 1);

    /// The side to move mates in `plies`.
    #[inline(always)]
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// The side to move is mated in `plies`.
    #[inline(always)]
    pub const fn mated_in(plies: usize) -> Self {
        Self(-Self::MATE.0 + plies as i32)
    }

    /// The side to move wins in a position `plies` away, the tables say.
    #[inline(always)]
    pub const fn table_win_in(plies: usize) -> Self {
        Self(Self::TABLE_WIN.0 - plies as i32)
    }

    /// The side to move loses in a position `plies` away, the tables say.
    #[inline(always)]
    pub const fn table_loss_in(plies: usize) -> Self {
        Self(plies as i32 - Self::TABLE_WIN.0)
    }

    /// An evaluation as a score: kept apart from proved results.
    #[inline(always)]
    pub fn evaluation(centipawns: i32) -> Self {
        Self(centipawns.clamp(-Self::MAX_EVALUATION.0, Self::MAX_EVALUATION.0))
    }

    /// Whether one of the sides mates.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::LONGEST_MATE
    }

    /// Whether one of the sides is known to win, by mate or by the tables.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Self::LEAST_WIN
    }

    /// Whether the side to move is known to win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::LEAST_WIN
    }

    /// Whether the side to move is known to lose.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::LEAST_WIN
    }

    /// Plies to the position that the tables decide, whoever wins; none if the score is a mate or
    /// undecided.
    pub const fn plies_to_table(self) -> Option<u32> {
        if self.is_decided() && !self.is_mate() {
            Some((Self::TABLE_WIN.0 - self.0.abs()) as u32)
        } else {
            None
        }
    }

    /// Plies to mate, whoever mates; none if the score is no mate.
    pub const fn plies_to_mate(self) -> Option<u32> {
        if self.is_mate() { Some((Self::MATE.0 - self.0.abs()) as u32) } else { None }
    }

    /// Moves to mate as UCI counts them: positive if the side to move mates, negative if it is
    /// mated; none if the score is no mate.
    pub const fn moves_to_mate(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some((-Self::MATE.0 - self.0) / 2)
        }
    }

    /// As the transposition table keeps it: mates and wins of the tables counted from the node, not from the root, since
    /// a position is met at different distances from the root. What is worse than every mate stays so.
    #[inline(always)]
    pub(crate) const fn relative_to_node(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() && self.0 != -Self::INFINITE.0 {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// What is left of a score of the transposition table, mates counted from its node, after so many plies
    /// without capture or pawn move: a mate beyond the fifty-move limit proves nothing but a good position.
    #[inline(always)]
    pub(crate) const fn before_fifty_moves(self, halfmove_clock: u32) -> Self {
        let plies_to_mate = Self::MATE.0 - self.0.abs();
        if self.is_mate() && plies_to_mate + halfmove_clock as i32 > 100 {
            return Self(Self::MAX_EVALUATION.0 * self.0.signum());
        }
        self
    }

    /// The reverse of [`Self::relative_to_node`].
    #[inline(always)]
    pub(crate) const fn relative_to_root(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 - ply as i32)
        } else if self.is_loss() && self.0 != -Self::INFINITE.0 {
            Self(self.0 + ply as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, centipawns: i32) -> Self {
        Self(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, centipawns: i32) -> Self {
        Self(self.0 - centipawns)
    }
}

/// The distance between two scores, in centipawns.
impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_mating_side() {
        assert_eq!(Score::mate_in(1).moves_to_mate(), Some(1));
        assert_eq!(Score::mate_in(3).moves_to_mate(), Some(2));
        assert_eq!(Score::mated_in(0).moves_to_mate(), Some(0));
        assert_eq!(Score::mated_in(2).moves_to_mate(), Some(-1));
        assert_eq!(Score::mated_in(4).moves_to_mate(), Some(-2));
        assert_eq!(Score::MAX_EVALUATION.moves_to_mate(), None);
        assert_eq!(Score::TABLE_WIN.moves_to_mate(), None);
    }

    #[test]
    fn wins_of_the_tables_lie_between_evaluations_and_mates() {
        for plies in [0, 1, Score::MAX_PLY] {
            let (win, loss) = (Score::table_win_in(plies), Score::table_loss_in(plies));
            assert!(win.is_win() && win.is_decided() && !win.is_mate());
            assert!(loss.is_loss() && loss == -win);
            assert_eq!(win.plies_to_table(), Some(plies as u32));
            assert!(win < Score::mate_in(Score::MAX_PLY) && win > Score::MAX_EVALUATION);
        }
        assert!(!Score::MAX_EVALUATION.is_decided());
        assert_eq!(Score::mate_in(3).plies_to_table(), None);
        assert_eq!(Score::DRAW.plies_to_table(), None);
    }

    #[test]
    fn mates_beyond_the_fifty_move_limit_are_no_mates() {
        let far = Score::mate_in(31);
        assert_eq!(far.before_fifty_moves(69), far);
        assert_eq!(far.before_fifty_moves(70), Score::MAX_EVALUATION);
        assert_eq!((-far).before_fifty_moves(70), -Score::MAX_EVALUATION);
        for score in [Score::TABLE_WIN, Score(350), -Score::INFINITE] {
            assert_eq!(score.before_fifty_moves(99), score);
        }
    }

    #[test]
    fn the_table_gives_back_what_it_was_given_at_the_same_ply() {
        for score in [
            Score::mate_in(9),
            Score::mated_in(12),
            Score::table_win_in(8),
            Score(-345),
            Score::DRAW,
        ] {
            assert_eq!(score.relative_to_node(7).relative_to_root(7), score);
        }
        assert_eq!(Score::mate_in(9).relative_to_node(7), Score::mate_in(2));
        let nothing = -Score::INFINITE;
        assert_eq!(nothing.relative_to_node(3).relative_to_root(200), nothing);
    }
}
