//! A position to train on, in 32 bytes as the crate `bulletformat` lays them out.
//!
//! Everything is from the view of the side to move: its men have colour 0, and the board is turned
//! upside down if it is Black. Castling rights and counters are gone; the network does not see
//! them.

use crate::chess::{Bitboard, Color, Piece, PieceKind, Position, Setup, SetupError, Square};

/// How many bytes a sample takes in a file.
pub const SIZE: usize = 32;

/// A position with its labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Sample {
    /// Taken squares.
    pub occupied: u64,
    /// A nibble for each taken square in order, the low half first: the kind, plus 8 for the men
    /// of the side that is not to move.
    pub men: [u8; 16],
    /// Centipawns.
    pub score: i16,
    /// Half points: 0, 1 or 2.
    pub result: u8,
    /// Where the king of the side to move stands.
    pub our_king: u8,
    /// Where the other king stands, seen from its own side.
    pub their_king: u8,
    /// Not used.
    pub extra: [u8; 3],
}

impl Sample {
    /// A position with its score and result from the view of the side to move.
    pub fn new(position: &Position, score: i16, result: u8) -> Self {
        let us = position.side_to_move();
        let occupied = match us {
            Color::White => position.occupied().0,
            Color::Black => position.occupied().0.swap_bytes(),
        };
        let mut men = [0; 16];
        for (i, square) in Bitboard(occupied).into_iter().enumerate() {
            let real = square.relative_to(us);
            let theirs = position.side(!us).contains(real);
            men[i / 2] |=
                (position.kind_on_taken(real) as u8 | u8::from(theirs) << 3) << (4 * (i % 2));
        }
        let our_king = position.king(us).relative_to(us) as u8;
        let their_king = position.king(!us).relative_to(!us) as u8;
        Self { occupied, men, score, result, our_king, their_king, extra: [0; 3] }
    }

    /// How many men stand on the board.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Calls `visit` with each man: its square, its kind (0-5) and whether it is the opponent's.
    #[inline(always)]
    pub fn for_each_man(&self, mut visit: impl FnMut(usize, usize, bool)) {
        let mut left = self.occupied;
        // As 128 bits the nibbles shift out one after another without indexing.
        let mut nibbles = u128::from_le_bytes(self.men);
        while left != 0 {
            let man = nibbles as usize & 15;
            visit(left.trailing_zeros() as usize, man & 7, man & 8 != 0);
            nibbles >>= 4;
            left &= left - 1;
        }
    }

    /// A position that looks like this to its side to move, which is made White.
    ///
    /// # Errors
    /// If no legal position does.
    pub fn position(&self) -> Result<Position, SetupError> {
        let mut setup = Setup::default();
        self.for_each_man(|square, kind, theirs| {
            let color = if theirs { Color::Black } else { Color::White };
            let man = Piece::new(PieceKind::from_index(kind), color);
            setup.men[Square::from_index(square)] = Some(man);
        });
        setup.position()
    }

    /// The 32 bytes as they stand in a file.
    pub fn to_bytes(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.men);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..29].copy_from_slice(&[self.result, self.our_king, self.their_king]);
        bytes[29..].copy_from_slice(&self.extra);
        bytes
    }

    /// Reads 32 bytes; whether they make sense is for [`Self::position`] to say.
    pub fn from_bytes(bytes: &[u8; SIZE]) -> Self {
        Self {
            occupied: u64::from_le_bytes(std::array::from_fn(|i| bytes[i])),
            men: std::array::from_fn(|i| bytes[8 + i]),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: bytes[26],
            our_king: bytes[27],
            their_king: bytes[28],
            extra: [bytes[29], bytes[30], bytes[31]],
        }
    }
}

const _: () = assert!(size_of::<Sample>() == SIZE);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_to_move_is_turned_upside_down() {
        let white: Position = "4k3/8/8/3q4/8/8/4P3/1R2K3 w - - 0 1".parse().unwrap();
        let black: Position = "1r2k3/4p3/8/8/3Q4/8/8/4K3 b - - 0 1".parse().unwrap();
        let sample = Sample::new(&white, 5, 2);
        assert_eq!(sample, Sample::new(&black, 5, 2));
        assert_eq!(sample.position().unwrap(), white);
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), sample);
    }
}
