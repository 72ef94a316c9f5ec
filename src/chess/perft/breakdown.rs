//! What kinds of moves lead to the leaves of each depth.

use std::ops::AddAssign;

use crate::chess::{MoveFlag, Position};

/// The moves that end at one depth, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// All of them.
    pub nodes: u64,
    /// Captures, en passant included.
    pub captures: u64,
    /// En-passant captures.
    pub en_passants: u64,
    /// Castlings.
    pub castles: u64,
    /// Promotions.
    pub promotions: u64,
    /// Checks, mates included.
    pub checks: u64,
    /// Mates.
    pub mates: u64,
}

impl AddAssign for Kinds {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.en_passants += other.en_passants;
        self.castles += other.castles;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.mates += other.mates;
    }
}

/// The kinds of moves at each depth from 1 to `depth`.
///
/// ```
/// use qishou::chess::{Position, perft::breakdown};
/// let depths = breakdown(&Position::startpos(), 3);
/// assert_eq!((depths[2].captures, depths[2].checks), (34, 12));
/// ```
pub fn breakdown(position: &Position, depth: u32) -> Vec<Kinds> {
    let mut depths = vec![Kinds::default(); depth as usize];
    walk(position, &mut depths);
    depths
}

fn walk(position: &Position, depths: &mut [Kinds]) {
    let Some((here, below)) = depths.split_first_mut() else { return };
    for mv in position.legal_moves() {
        let child = position.child(mv);
        let mated = child.in_check() && !child.has_legal_move();
        *here += Kinds {
            nodes: 1,
            captures: position.is_capture(mv).into(),
            en_passants: (mv.flag() == MoveFlag::EnPassant).into(),
            castles: mv.is_castling().into(),
            promotions: mv.promoted().is_some().into(),
            checks: child.in_check().into(),
            mates: mated.into(),
        };
        walk(&child, below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published table of this position (chessprogramming wiki, position 2).
    #[test]
    fn kinds_of_moves_equal_the_published_table() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let depths = breakdown(&fen.parse().unwrap(), 3);
        let kinds = |nodes, captures, en_passants, castles, promotions, checks, mates| Kinds {
            nodes,
            captures,
            en_passants,
            castles,
            promotions,
            checks,
            mates,
        };
        assert_eq!(depths[0], kinds(48, 8, 0, 2, 0, 0, 0));
        assert_eq!(depths[1], kinds(2_039, 351, 1, 91, 0, 3, 0));
        assert_eq!(depths[2], kinds(97_862, 17_102, 45, 3_162, 0, 993, 1));
    }
}
