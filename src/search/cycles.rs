//! Which single reversible move leads from one position to another: a table that answers by the
//! difference of their keys (van Kervinck, 2013).
//!
//! The keys of all such moves, a few thousand, lie in a cuckoo hash: each at one of two places.

use once_cell::sync::Lazy;

use crate::chess::{Bitboard, Color, Key, Piece, PieceKind, Square, attacks, zobrist};

const SIZE: usize = 8192;

/// A move back and forth between two squares and the key of the change it makes.
type Cycle = (Key, Square, Square);

struct Cycles(Box<[Option<Cycle>; SIZE]>);

static CYCLES: Lazy<Cycles> = Lazy::new(Cycles::new);

/// The two places of a key.
fn places(key: Key) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

/// The two squares of the move that changes a key by this, if there is one.
#[inline]
pub(crate) fn squares(change: Key) -> Option<(Square, Square)> {
    let at = |place: usize| CYCLES.0[place].filter(|&(key, _, _)| key == change);
    let [first, second] = places(change);
    at(first).or_else(|| at(second)).map(|(_, a, b)| (a, b))
}

impl Cycles {
    #[expect(clippy::large_stack_arrays, reason = "made once, and boxed at once")]
    fn new() -> Self {
        let mut cycles = Self(Box::new([None; SIZE]));
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Pawn) {
            for color in Color::ALL {
                let piece = Piece::new(kind, color);
                for a in Bitboard::ALL {
                    for b in attacks::piece(kind, a, Bitboard::EMPTY) {
                        if a < b {
                            let men = zobrist::man(piece, a) ^ zobrist::man(piece, b);
                            cycles.insert((men ^ zobrist::black_to_move(), a, b));
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
        while let Some(displaced) = self.0[place].replace(cycle) {
            cycle = displaced;
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
        assert_eq!(CYCLES.0.iter().flatten().count(), 3668);
        for &(key, a, b) in CYCLES.0.iter().flatten() {
            assert_eq!(squares(key), Some((a, b)));
        }
        assert_eq!(squares(zobrist::black_to_move()), None);
    }
}
