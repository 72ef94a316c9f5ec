//! A move in 16 bits, and a list of moves on the stack.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// A move: from, to, and what is special about it.
///
/// Castling is written as the king taking its own rook, inside the program always; only text
/// knows the other form. A move means something only together with the position it is made in.
///
/// | bits | meaning |
/// |---|---|
/// | 0-5 | from |
/// | 6-11 | to |
/// | 12-13 | promotion: knight, bishop, rook, queen |
/// | 14-15 | [`MoveFlag`] |
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum MoveFlag {
    /// Nothing: a step or a plain capture.
    Normal,
    /// A pawn becomes a piece.
    Promotion,
    /// A pawn takes the one that has just passed it (RULES 1.6).
    EnPassant,
    /// King takes own rook (RULES 1.8).
    Castling,
}

/// A list that can hold all moves of any legal position: 15 queens of 27 moves and a king of 8
/// make 413 at most (promotions are not counted when a position is judged).
pub type MoveList = ArrayVec<Move, 416>;

impl Move {
    #[inline(always)]
    const fn pack(from: Square, to: Square, rest: u16) -> Self {
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | rest) {
            Some(bits) => Self(bits),
            // From and to are never the same square, so at least one bit is set; a1a1 is the
            // only pair without, and it is read as a1b1.
            None => Self(NonZeroU16::new(1 << 6).expect("not zero")),
        }
    }

    /// A step or a plain capture.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0)
    }

    /// A promotion to a knight, bishop, rook or queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceKind) -> Self {
        let promoted = (kind as u16).wrapping_sub(PieceKind::Knight as u16) & 3;
        Self::pack(from, to, promoted << 12 | (MoveFlag::Promotion as u16) << 14)
    }

    /// An en-passant capture; `to` is the square behind the captured pawn.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, (MoveFlag::EnPassant as u16) << 14)
    }

    /// Castling: the king's square and the rook's square.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, (MoveFlag::Castling as u16) << 14)
    }

    /// Where the man starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize & 63)
    }

    /// Where it arrives; in castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6 & 63)
    }

    /// What is special about it.
    #[inline(always)]
    pub const fn flag(self) -> MoveFlag {
        match self.0.get() >> 14 {
            0 => MoveFlag::Normal,
            1 => MoveFlag::Promotion,
            2 => MoveFlag::EnPassant,
            _ => MoveFlag::Castling,
        }
    }

    /// What the pawn becomes.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self.flag() {
            MoveFlag::Promotion => {
                Some(PieceKind::from_index(1 + (self.0.get() as usize >> 12 & 3)))
            }
            _ => None,
        }
    }

    /// Whether it castles.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        matches!(self.flag(), MoveFlag::Castling)
    }

    /// The 16 bits, for tables and files.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// A move from 16 bits that may have come from anywhere; check it with
    /// [`Position::is_legal`](super::Position::is_legal) before it is made.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

/// Coordinate notation with castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promoted() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 2);
