//! From a setup to a position, and back.

use super::super::zobrist::KeySet;
use super::super::{Bitboard, BlackSide, Color, Setup, SetupError, Square, WhiteSide};
use super::Position;

impl<K: KeySet> Position<K> {
    /// The last step of [`Setup::position`]: men and pawns have been counted.
    pub(crate) fn judged(setup: &Setup) -> Result<Self, SetupError> {
        let (kinds, colors) = setup.sets();
        let mut position = Self {
            kinds,
            colors,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling_rooks: setup.sound_castling_rooks(),
            keys: K::default(),
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
            side_to_move: setup.side_to_move,
            en_passant: None,
        };
        let us = setup.side_to_move;
        let occupied = position.occupied();
        if position.is_attacked(position.king(!us), us, occupied) {
            return Err(SetupError::OpponentInCheck(!us));
        }
        match us {
            Color::White => position.find_all_checks_and_pins::<WhiteSide>(),
            Color::Black => position.find_all_checks_and_pins::<BlackSide>(),
        }
        let checkers = position.checkers.len();
        if checkers > 2 {
            return Err(SetupError::TooManyCheckers(checkers));
        }
        if let Some((behind, passed)) = setup.sound_en_passant()
            && position.some_en_passant_is_legal(us, setup.capturers(behind), behind, passed)
        {
            position.en_passant = Some(behind);
        }
        position.keys = position.recomputed_keys();
        Ok(position)
    }

    /// The position as a setup, to be changed and judged again.
    pub fn setup(&self) -> Setup {
        Setup {
            men: Square::ALL.map(|square| self.piece_on(square)),
            side_to_move: self.side_to_move,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }
}
