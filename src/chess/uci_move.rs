//! Moves as UCI writes them: `e2e4`, `e7e8q`, and castling in two forms.
//!
//! Standard chess writes castling as the king's step (`e1g1`), Chess960 as king takes rook
//! (`e1h1`). Both are read always; which one is written is the caller's choice.

use std::fmt;

use thiserror::Error;

use super::movegen::castled_king;
use super::zobrist::KeySet;
use super::{Move, PieceKind, Position, Square};

/// Why a text is no move in this position. Each carries the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UciMoveError {
    /// Not two squares and perhaps a promotion.
    #[error("{0:?} is no move")]
    Unknown(String),
    /// Can be read, but not be made here.
    #[error("illegal move {0:?}")]
    Illegal(String),
}

/// A move as UCI writes it; made by [`Position::uci`].
#[derive(Clone, Copy, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promoted: Option<PieceKind>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promoted {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

/// Two squares and perhaps a promotion, in either case.
pub(super) fn parse_squares(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let (from, to) = (Square::parse(&text[..2])?, Square::parse(&text[2..4])?);
    let promoted = match text[4..].chars().next() {
        None => None,
        Some(letter) => Some(promotion_letter(letter)?),
    };
    Some((from, to, promoted))
}

/// What a letter after a pawn's move makes of it.
pub(super) fn promotion_letter(letter: char) -> Option<PieceKind> {
    PieceKind::from_letter(letter).filter(|kind| PieceKind::PROMOTIONS.contains(kind))
}

impl<K: KeySet> Position<K> {
    /// The move as text. Castling is written as king takes rook if `chess960`, else as the
    /// king's step; but never as a step of fewer than two files, which would read as a plain move
    /// of the king.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = Move::castling(Square::E1, Square::H1);
    /// assert_eq!(position.uci(castling, false).to_string(), "e1g1");
    /// assert_eq!(position.uci(castling, true).to_string(), "e1h1");
    /// # Ok::<(), qishou::chess::FenError>(())
    /// ```
    pub fn uci(&self, mv: Move, chess960: bool) -> UciMove {
        let (from, mut to) = (mv.from(), mv.to());
        if mv.is_castling() && !chess960 {
            let goal = castled_king(self.side_to_move(), from, to);
            if (goal.file() as u8).abs_diff(from.file() as u8) >= 2 {
                to = goal;
            }
        }
        UciMove { from, to, promoted: mv.promoted() }
    }

    /// Reads a move. Castling may be written in either form; where the king's step is also a
    /// plain move of the king, it means the plain move.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = Move::castling(Square::E1, Square::H1);
    /// assert_eq!(position.parse_uci("e1g1"), Ok(castling));
    /// assert_eq!(position.parse_uci("e1h1"), Ok(castling));
    /// # Ok::<(), qishou::chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no move, or the move is illegal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let (from, to, promoted) =
            parse_squares(text).ok_or_else(|| UciMoveError::Unknown(super::fen::clip(text)))?;
        self.move_between(from, to, promoted).ok_or_else(|| UciMoveError::Illegal(text.to_owned()))
    }

    /// The legal move from square to square, castling in either form.
    pub(crate) fn move_between(
        &self,
        from: Square,
        to: Square,
        promoted: Option<PieceKind>,
    ) -> Option<Move> {
        if from == to {
            return None;
        }
        if let Some(kind) = promoted {
            return Some(Move::promotion(from, to, kind)).filter(|&mv| self.is_legal(mv));
        }
        let us = self.side_to_move();
        let by_goal = (self.castling_rooks() & self.side(us))
            .into_iter()
            .filter(|&rook| castled_king(us, from, rook) == to)
            .map(|rook| Move::castling(from, rook));
        [Move::normal(from, to), Move::en_passant(from, to), Move::castling(from, to)]
            .into_iter()
            .chain(by_goal)
            .find(|&mv| self.is_legal(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_castling_are_read_and_the_plain_move_goes_first() {
        let castle = Move::castling;
        let plain = Move::normal;
        let rows = [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", castle(Square::E1, Square::H1)),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", castle(Square::E1, Square::H1)),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", castle(Square::E1, Square::A1)),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", castle(Square::E1, Square::A1)),
            // The king stands beside its goal.
            ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", plain(Square::F1, Square::G1)),
            ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", castle(Square::F1, Square::H1)),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", castle(Square::F1, Square::G1)),
            ("1r2k3/8/8/8/8/8/8/4K3 b b - 0 1", "e8b8", castle(Square::E8, Square::B8)),
            ("1r2k3/8/8/8/8/8/8/4K3 b b - 0 1", "e8c8", castle(Square::E8, Square::B8)),
        ];
        for (fen, text, expected) in rows {
            let position: Position = fen.parse().unwrap();
            assert_eq!(position.parse_uci(text), Ok(expected), "{text} in {fen}");
        }
    }

    #[test]
    fn castling_is_written_in_the_form_asked_for_unless_it_would_be_misread() {
        let rows = [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Square::E1, Square::H1, "e1g1", "e1h1"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Square::E1, Square::A1, "e1c1", "e1a1"),
            ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", Square::F1, Square::H1, "f1h1", "f1h1"),
            ("4k3/8/8/8/8/8/8/6KR w H - 0 1", Square::G1, Square::H1, "g1h1", "g1h1"),
        ];
        for (fen, king, rook, standard, chess960) in rows {
            let position: Position = fen.parse().unwrap();
            let mv = Move::castling(king, rook);
            assert!(position.is_legal(mv), "{fen}");
            assert_eq!(position.uci(mv, false).to_string(), standard);
            assert_eq!(position.uci(mv, true).to_string(), chess960);
        }
    }

    #[test]
    fn what_is_no_move_is_told_from_what_is_illegal() {
        let position: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        for text in ["", "e1", "e1e", "e1e9", "e1e2x", "e1e2qq", "0000", "é7é5", "😀", "a7a8k"]
        {
            assert_eq!(position.parse_uci(text), Err(UciMoveError::Unknown(text.to_owned())));
        }
        for text in ["a7a8", "e1e3", "e1e2q", "e8e7", "e1g1", "a1a1"] {
            assert_eq!(position.parse_uci(text), Err(UciMoveError::Illegal(text.to_owned())));
        }
        let position: Position = "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        for text in ["a1a1", "e1e1"] {
            assert_eq!(position.parse_uci(text), Err(UciMoveError::Illegal(text.to_owned())));
        }
        let queen = Move::promotion(Square::A7, Square::A8, PieceKind::Queen);
        assert_eq!(position.parse_uci("a7a8q"), Ok(queen));
        assert_eq!(position.parse_uci("a7a8Q"), Ok(queen), "a capital letter does no harm");
    }
}
