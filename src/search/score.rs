//! Scores: centipawns from the side to move's view, and mates.

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

    /// The side to move mates in `plies`.
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// The side to move is mated in `plies`.
    pub const fn mated_in(plies: usize) -> Self {
        Self(-Self::MATE.0 + plies as i32)
    }

    /// Moves to mate as UCI counts them: positive if the side to move mates, negative if it is
    /// mated; none if the score is no mate.
    pub const fn moves_to_mate(self) -> Option<i32> {
        let longest = Self::MATE.0 - Self::MAX_PLY as i32;
        if self.0 >= longest {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.0 <= -longest {
            Some((-Self::MATE.0 - self.0) / 2)
        } else {
            None
        }
    }
}
