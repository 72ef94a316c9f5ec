//! A position in 32 bytes: marlinformat's `PackedBoard`, which viriformat games begin with.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7 | taken squares, one bit each |
//! | 8-23 | a nibble for each taken square in order, the low half first: kind 0-5, or 6 for a rook that may still castle; plus 8 for Black |
//! | 24 | en-passant square (64: none), plus 128 if Black is to move |
//! | 25 | plies since the last capture or pawn move |
//! | 26-27 | number of the move to come |
//! | 28-29 | score |
//! | 30 | result: 0 Black wins, 1 draw, 2 White wins |
//! | 31 | free |
//!
//! All numbers are little-endian. The layout is that of the crates `marlinformat` and
//! `viriformat`, the latter of which is the oracle of the tests.

use thiserror::Error;

use crate::chess::{Bitboard, Color, Piece, PieceKind, Position, Setup, SetupError, Square};

/// How many bytes a packed position takes.
pub const SIZE: usize = 32;
/// The nibble of a rook that may still castle.
const CASTLING_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

/// A position with the numbers stored beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// The score, as the format's user means it.
    pub score: i16,
    /// 0 Black wins, 1 draw, 2 White wins.
    pub result: u8,
    /// The free byte.
    pub extra: u8,
}

/// Why 32 bytes are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PackedError {
    /// More squares are taken than there are nibbles.
    #[error("{0} men, more than 32")]
    TooManyMen(u32),
    /// A nibble that stands for no man.
    #[error("code {0} stands for no man")]
    UnknownMan(u8),
    /// An en-passant square beyond the board.
    #[error("en-passant square {0}")]
    EnPassant(u8),
    /// A result that is neither win, draw nor loss.
    #[error("result {0} is none of 0, 1 and 2")]
    Result(u8),
    /// The men don't make a legal position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Labelled {
    /// The 32 bytes.
    pub fn to_bytes(&self) -> [u8; SIZE] {
        let position = &self.position;
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
        for (i, (square, piece)) in position.men().enumerate() {
            let kind = if position.castling_rooks().contains(square) {
                CASTLING_ROOK
            } else {
                piece.kind as u8
            };
            bytes[8 + i / 2] |= (kind | (piece.color as u8) << 3) << (4 * (i % 2));
        }
        let en_passant = position.en_passant().map_or(NO_SQUARE, |square| square as u8);
        bytes[24] = en_passant | (position.side_to_move() as u8) << 7;
        bytes[25] = position.halfmove_clock().min(255) as u8;
        bytes[26..28].copy_from_slice(&(position.fullmove_number() as u16).to_le_bytes());
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30] = self.result;
        bytes[31] = self.extra;
        bytes
    }

    /// Reads 32 bytes.
    ///
    /// # Errors
    /// If they hold no legal position.
    pub fn from_bytes(bytes: &[u8; SIZE]) -> Result<Self, PackedError> {
        let two = |at: usize| [bytes[at], bytes[at + 1]];
        let occupied = Bitboard(u64::from_le_bytes(std::array::from_fn(|i| bytes[i])));
        if occupied.len() > 32 {
            return Err(PackedError::TooManyMen(occupied.len()));
        }
        let mut setup = Setup {
            side_to_move: Color::ALL[usize::from(bytes[24] >> 7)],
            halfmove_clock: u16::from(bytes[25]),
            fullmove_number: u16::from_le_bytes(two(26)),
            ..Setup::default()
        };
        for (i, square) in occupied.into_iter().enumerate() {
            let code = bytes[8 + i / 2] >> (4 * (i % 2)) & 15;
            let kind = match code & 7 {
                CASTLING_ROOK => {
                    setup.castling_rooks |= square.bitboard();
                    PieceKind::Rook
                }
                7 => return Err(PackedError::UnknownMan(code)),
                kind => PieceKind::from_index(usize::from(kind)),
            };
            setup.men[square] = Some(Piece::new(kind, Color::ALL[usize::from(code >> 3)]));
        }
        setup.en_passant = match bytes[24] & 127 {
            NO_SQUARE => None,
            square => Some(
                Square::try_from_index(usize::from(square))
                    .ok_or(PackedError::EnPassant(square))?,
            ),
        };
        if bytes[30] > 2 {
            return Err(PackedError::Result(bytes[30]));
        }
        Ok(Self {
            position: setup.position()?,
            score: i16::from_le_bytes(two(28)),
            result: bytes[30],
            extra: bytes[31],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_packing() {
        for fen in [
            crate::chess::Fen::of(&Position::startpos()).to_string().as_str(),
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "bqnbr1kr/pp1ppppp/3n4/2p5/8/2PN4/PP1PPPPP/BQNBR1KR w HEhe - 4 30",
            "4k3/8/8/8/8/8/8/R3K3 b Q - 99 300",
        ] {
            let position: Position = fen.parse().unwrap();
            let packed = Labelled { position, score: -321, result: 2, extra: 7 };
            assert_eq!(Labelled::from_bytes(&packed.to_bytes()), Ok(packed), "{fen}");
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_errors() {
        let good = Labelled { position: Position::startpos(), score: 0, result: 1, extra: 0 };
        let spoilt = |at: usize, value: u8| {
            let mut bytes = good.to_bytes();
            bytes[at] = value;
            Labelled::from_bytes(&bytes).unwrap_err()
        };
        assert_eq!(spoilt(4, 1), PackedError::TooManyMen(33));
        assert_eq!(spoilt(8, 0x17), PackedError::UnknownMan(7));
        assert_eq!(spoilt(24, 65), PackedError::EnPassant(65));
        assert_eq!(spoilt(30, 3), PackedError::Result(3));
        assert!(matches!(spoilt(10, 0x11), PackedError::Setup(_)));
    }
}
