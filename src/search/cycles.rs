//! Which single reversible move leads from one position to another: a table that answers by the
//! difference of their keys (van Kervinck, 2013).
//!
//! The keys of all such moves, a few thousand, lie in a cuckoo hash: each at one of two places.

use std::mem;

use once_cell::sync::Lazy;

use crate::chess::{Bitboard, Color, Key, Piece, PieceKind, Square, attacks, zobrist};

const SIZE: usize = 8192;

/// The key of the change that a move makes, and the two squares it leads back and forth between.
type Cycle = (Key, (Square, Square));

/// The keys apart, so that more of them lie in the cache: most questions end with them. No change
/// has the key 0.
struct Cycles {
    keys: Box<[Key; SIZE]>,
    squares: Box<[(Square, Square); SIZE]>,
}

static CYCLES: Lazy<Cycles> = Lazy::new(Cycles::new);

/// The two places of a key.
fn places(key: Key) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

/// The two squares of the move that changes a key by this, if there is one.
#[inline]
pub(crate) fn squares(change: Key) -> Option<(Square, Square)> {
    let cycles = &*CYCLES;
    let place = places(change).into_iter().find(|&place| cycles.keys[place] == change)?;
    Some(cycles.squares[place])
}

impl Cycles {
    #[expect(clippy::large_stack_arrays, reason = "made once, and boxed at once")]
    fn new() -> Self {
        let mut cycles =
            Self { keys: Box::new([0; SIZE]), squares: Box::new([(Square::A1, Square::A1); SIZE]) };
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Pawn) {
            for color in Color::ALL {
                let piece = Piece::new(kind, color);
                for a in Bitboard::ALL {
                    for b in attacks::piece(kind, a, Bitboard::EMPTY) {
                        if a < b {
                            let men = zobrist::man(piece, a) ^ zobrist::man(piece, b);
                            cycles.insert((men ^ zobrist::black_to_move(), (a, b)));
                        }
                    }
                }
            }
        }
        cycles
    }

    /// Puts a move into its first place; what was there goes to its other place, and so on.
    fn insert(&mut self, mut cycle: Cycle) {
        let mut place = places(cycle.0)[0];
        loop {
            mem::swap(&mut self.keys[place], &mut cycle.0);
            mem::swap(&mut self.squares[place], &mut cycle.1);
            if cycle.0 == 0 {
                return;
            }
            let [first, second] = places(cycle.0);
            place = first + second - place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found_by_its_change() {
        let known = CYCLES.keys.iter().zip(&*CYCLES.squares).filter(|(key, _)| **key != 0);
        assert_eq!(known.clone().count(), 3668);
        for (&key, &between) in known {
            assert_eq!(squares(key), Some(between));
        }
        assert_eq!(squares(zobrist::black_to_move()), None);
    }
}
