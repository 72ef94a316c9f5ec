//! A board as somebody set it up, and the judgement whether it is a legal position.

use thiserror::Error;

use super::zobrist::KeySet;
use super::{Bitboard, Color, Piece, PieceKind, Position, Rank, Square, attacks};

/// Anything that can be set up on a board. [`Setup::position`] judges it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square.
    pub men: [Option<Piece>; 64],
    /// Whose move it is.
    pub side_to_move: Color,
    /// The rooks that may still castle. A right without king and rook at home is dropped.
    pub castling_rooks: Bitboard,
    /// The square behind a pawn that has just made a double step. Dropped if no legal capture
    /// answers it.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move to come.
    pub fullmove_number: u16,
}

/// Why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A side has no king or more than one.
    #[error("{0:?} has {1} kings instead of one")]
    Kings(Color, u32),
    /// A pawn stands on the first or the last rank.
    #[error("a pawn stands on {0}")]
    PawnOnBackRank(Square),
    /// A side has more than sixteen men.
    #[error("{0:?} has {1} men, more than 16")]
    TooManyMen(Color, u32),
    /// A side has more than eight pawns.
    #[error("{0:?} has {1} pawns, more than 8")]
    TooManyPawns(Color, u32),
    /// The side that has just moved left its king attacked.
    #[error("{0:?} is in check but not to move")]
    OpponentInCheck(Color),
    /// More than two men give check.
    #[error("{0} men give check, more than two")]
    TooManyCheckers(u32),
}

impl Default for Setup {
    /// An empty board, White to move.
    fn default() -> Self {
        Self {
            men: [None; 64],
            side_to_move: Color::White,
            castling_rooks: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

impl Setup {
    fn squares(&self, wanted: impl Fn(Piece) -> bool) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.men[square].is_some_and(&wanted)).collect()
    }

    /// Judges the setup. Castling rights and en-passant squares that mean nothing are dropped;
    /// everything else that is wrong is an error.
    ///
    /// # Errors
    /// The first rule of a legal position that it breaks.
    pub fn position<K: KeySet>(&self) -> Result<Position<K>, SetupError> {
        let count = |wanted: Piece| self.squares(|piece| piece == wanted).len();
        for color in Color::ALL {
            let kings = count(Piece::new(PieceKind::King, color));
            if kings != 1 {
                return Err(SetupError::Kings(color, kings));
            }
        }
        let pawns = self.squares(|piece| piece.kind == PieceKind::Pawn);
        if let Some(square) = (pawns & Bitboard::BACK_RANKS).first() {
            return Err(SetupError::PawnOnBackRank(square));
        }
        for color in Color::ALL {
            let pawns = count(Piece::new(PieceKind::Pawn, color));
            if pawns > 8 {
                return Err(SetupError::TooManyPawns(color, pawns));
            }
            let men = self.squares(|piece| piece.color == color).len();
            if men > 16 {
                return Err(SetupError::TooManyMen(color, men));
            }
        }
        Position::judged(self)
    }

    /// The rights that mean something: king and rook on their first rank, at most one rook on
    /// each side of each king. Of several claims on one side the outermost rook stands.
    pub(crate) fn sound_castling_rooks(&self) -> Bitboard {
        let mut sound = Bitboard::EMPTY;
        for color in Color::ALL {
            let home = Bitboard::rank(color.home_rank());
            let kings = self.squares(|p| p == Piece::new(PieceKind::King, color));
            let Some(king) = (kings & home).first() else { continue };
            let rooks = self.squares(|p| p == Piece::new(PieceKind::Rook, color));
            let claimed = self.castling_rooks & rooks & home;
            let (west, east): (Vec<_>, Vec<_>) =
                claimed.into_iter().partition(|rook| rook.file() < king.file());
            let outermost = west.first().into_iter().chain(east.last());
            sound |= outermost.copied().collect();
        }
        sound
    }

    /// The men by kind and by side.
    pub(crate) fn sets(&self) -> ([Bitboard; 6], [Bitboard; 2]) {
        (
            PieceKind::ALL.map(|kind| self.squares(|p| p.kind == kind)),
            Color::ALL.map(|color| self.squares(|p| p.color == color)),
        )
    }

    /// The en-passant square, if a pawn has just passed it and stands before it.
    pub(crate) fn sound_en_passant(&self) -> Option<(Square, Square)> {
        let us = self.side_to_move;
        let behind = self.en_passant?;
        if behind.rank().relative_to(us) != Rank::Sixth || self.men[behind].is_some() {
            return None;
        }
        let forward = 8 * us.sign() as i8;
        let (passed, start) = (behind.offset(-forward), behind.offset(forward));
        let pawn = Some(Piece::new(PieceKind::Pawn, !us));
        (self.men[passed] == pawn && self.men[start].is_none()).then_some((behind, passed))
    }

    /// The pawns that could take en passant on `behind`, before looking at their king.
    pub(crate) fn capturers(&self, behind: Square) -> Bitboard {
        let pawn = Piece::new(PieceKind::Pawn, self.side_to_move);
        attacks::pawn(!self.side_to_move, behind) & self.squares(|p| p == pawn)
    }
}
