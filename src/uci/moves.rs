//! Moves as UCI writes them: coordinates, castling by the king's target or as king takes rook.

use std::fmt;

use crate::chess::{File, Move, Position, Square};

/// A move as text.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveText {
    pub(super) mv: Move,
    /// Castling as king takes rook.
    pub(super) chess960: bool,
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mv, chess960 } = *self;
        if !mv.is_castling() || chess960 {
            return write!(f, "{mv}");
        }
        let file = if mv.to().file() > mv.from().file() { File::G } else { File::C };
        write!(f, "{}{}", mv.from(), Square::new(file, mv.from().rank()))
    }
}

/// The legal move that `text` means.
pub(super) fn read(text: &str, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let means = |chess960: bool| {
        moves.iter().copied().find(|&mv| MoveText { mv, chess960 }.to_string() == text)
    };
    means(true).or_else(|| means(false))
}
