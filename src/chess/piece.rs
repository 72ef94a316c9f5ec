//! Kinds of men, and men with their colour.

use std::ops::{Index, IndexMut};

use super::Color;

/// A kind of man.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PieceKind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 6;
    /// All kinds, from the pawn to the king.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// What a pawn can become, the queen first (RULES 1.7).
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The kind with this index; indices from 5 on mean the king.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        match index {
            0 => Self::Pawn,
            1 => Self::Knight,
            2 => Self::Bishop,
            3 => Self::Rook,
            4 => Self::Queen,
            _ => Self::King,
        }
    }

    /// The English letter in lower case, as FEN and UCI write it.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind with this English letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

impl<T> Index<PieceKind> for [T; 6] {
    type Output = T;

    #[inline(always)]
    fn index(&self, kind: PieceKind) -> &T {
        &self[kind as usize]
    }
}

impl<T> IndexMut<PieceKind> for [T; 6] {
    #[inline(always)]
    fn index_mut(&mut self, kind: PieceKind) -> &mut T {
        &mut self[kind as usize]
    }
}

/// A man: a kind and a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Whose it is.
    pub color: Color,
}

impl Piece {
    /// How many different men there are.
    pub const COUNT: usize = 12;

    /// The man of this kind and colour.
    #[inline(always)]
    pub const fn new(kind: PieceKind, color: Color) -> Self {
        Self { kind, color }
    }

    /// A number from 0 to 11: the kind, plus six for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.color as usize * 6 + self.kind as usize
    }

    /// The FEN letter: capital for White.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter().to_ascii_uppercase(),
            Color::Black => self.kind.letter(),
        }
    }

    /// The man with this FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let Some(kind) = PieceKind::from_letter(letter) else { return None };
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Self { kind, color })
    }
}

impl<T> Index<Piece> for [T; 12] {
    type Output = T;

    #[inline(always)]
    fn index(&self, piece: Piece) -> &T {
        &self[piece.index()]
    }
}

impl<T> IndexMut<Piece> for [T; 12] {
    #[inline(always)]
    fn index_mut(&mut self, piece: Piece) -> &mut T {
        &mut self[piece.index()]
    }
}
