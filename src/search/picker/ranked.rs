//! Moves with their scores, the best handed out first.

use arrayvec::ArrayVec;

use crate::chess::{Move, MoveList};

/// A move's score and its place in the list, packed so that the better one is the larger number;
/// of equals the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    /// Room for every place in a [`MoveList`]; scores have the other bits, far more than they need.
    const PLACES: i32 = 1 << 9;
    /// Of a move that is handed out already: below every other.
    const SPENT: Self = Self(i32::MIN);

    #[inline(always)]
    const fn new(score: i32, place: usize) -> Self {
        Self(score * Self::PLACES + (Self::PLACES - 1 - place as i32))
    }

    #[inline(always)]
    const fn score(self) -> i32 {
        self.0.div_euclid(Self::PLACES)
    }

    #[inline(always)]
    const fn place(self) -> usize {
        (Self::PLACES - 1 - self.0.rem_euclid(Self::PLACES)) as usize
    }
}

/// Moves that leave in the order of their scores.
pub(super) struct Ranked {
    moves: MoveList,
    /// The ranks of the moves, in their places.
    ranks: ArrayVec<Rank, 416>,
}

impl Ranked {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { moves: MoveList::new(), ranks: ArrayVec::new() }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move, score: i32) {
        self.ranks.push(Rank::new(score, self.moves.len()));
        self.moves.push(mv);
    }

    /// Takes the best of the moves left, with its score.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<(Move, i32)> {
        // A fold without branches, which the compiler turns into vectors.
        let best = Rank(self.ranks.iter().fold(Rank::SPENT.0, |best, rank| best.max(rank.0)));
        if best == Rank::SPENT {
            return None;
        }
        let place = best.place();
        self.ranks[place] = Rank::SPENT;
        Some((self.moves[place], best.score()))
    }
}
