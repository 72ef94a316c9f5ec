//! The two sides, as a value ([`Color`]) and, for the move generator, as types ([`Side`]).

use std::ops::{Index, IndexMut, Not};

use super::{Bitboard, Rank};

/// A side: White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// How many sides there are.
    pub const COUNT: usize = 2;
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The rank a side counts as its first.
    pub const fn home_rank(self) -> Rank {
        match self {
            Self::White => Rank::First,
            Self::Black => Rank::Eighth,
        }
    }

    /// 1 for White, -1 for Black.
    pub const fn sign(self) -> i32 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl<T> Index<Color> for [T; 2] {
    type Output = T;

    #[inline(always)]
    fn index(&self, color: Color) -> &T {
        &self[color as usize]
    }
}

impl<T> IndexMut<Color> for [T; 2] {
    #[inline(always)]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self[color as usize]
    }
}

/// A side as a type, so that one generic text becomes two branch-free bodies.
///
/// The speed bar of the move generator decides for types here; everything else takes [`Color`].
pub trait Side {
    /// The opponent.
    type Them: Side<Them = Self>;
    /// The side as a value.
    const COLOR: Color;

    /// Moves every square one rank forward as this side sees it.
    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        match Self::COLOR {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        }
    }

    /// The signed distance in square indices of a step of one rank forward.
    const FORWARD: i8 = match Self::COLOR {
        Color::White => 8,
        Color::Black => -8,
    };
}

/// White as a type.
#[derive(Debug, Clone, Copy)]
pub struct WhiteSide;

/// Black as a type.
#[derive(Debug, Clone, Copy)]
pub struct BlackSide;

impl Side for WhiteSide {
    type Them = BlackSide;
    const COLOR: Color = Color::White;
}

impl Side for BlackSide {
    type Them = WhiteSide;
    const COLOR: Color = Color::Black;
}
