//! Squares, files and ranks.

use std::fmt;
use std::ops::{Index, IndexMut};

use super::{Bitboard, Color};

/// Declares a fieldless enum with its count, the list of its values and a branch-free conversion
/// from an index (the `match` compiles to a mask).
macro_rules! indexed_enum {
    ($(#[$meta:meta])* $name:ident, $count:literal, { $($(#[$vmeta:meta])* $variant:ident = $index:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names say it")]
        pub enum $name { $($(#[$vmeta])* $variant = $index),* }

        impl $name {
            /// How many values there are.
            pub const COUNT: usize = $count;
            /// Every value in order.
            pub const ALL: [Self; $count] = [$(Self::$variant),*];

            /// The value with this index, counted modulo [`Self::COUNT`].
            #[inline(always)]
            pub const fn from_index(index: usize) -> Self {
                match index % $count {
                    $($index => Self::$variant,)*
                    _ => unreachable!(),
                }
            }

            /// The value with this index, if there is one.
            pub const fn try_from_index(index: usize) -> Option<Self> {
                if index < $count { Some(Self::from_index(index)) } else { None }
            }
        }

        impl<T> Index<$name> for [T; $count] {
            type Output = T;

            #[inline(always)]
            fn index(&self, index: $name) -> &T {
                &self[index as usize]
            }
        }

        impl<T> IndexMut<$name> for [T; $count] {
            #[inline(always)]
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index as usize]
            }
        }
    };
}

/// A column of the board, `a` to `h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// A row of the board, `1` to `8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl File {
    /// All files from `a` to `h`.
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// The file with this index, counted modulo 8.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        match index % 8 {
            0 => Self::A,
            1 => Self::B,
            2 => Self::C,
            3 => Self::D,
            4 => Self::E,
            5 => Self::F,
            6 => Self::G,
            _ => Self::H,
        }
    }

    /// Its letter in lower case.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Some(Self::from_index(letter as usize - 'a' as usize)),
            'A'..='H' => Some(Self::from_index(letter as usize - 'A' as usize)),
            _ => None,
        }
    }
}

impl Rank {
    /// All ranks from the first to the eighth.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// The rank with this index (the first is 0), counted modulo 8.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        match index % 8 {
            0 => Self::First,
            1 => Self::Second,
            2 => Self::Third,
            3 => Self::Fourth,
            4 => Self::Fifth,
            5 => Self::Sixth,
            6 => Self::Seventh,
            _ => Self::Eighth,
        }
    }

    /// Its digit.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::from_index(digit as usize - '1' as usize)),
            _ => None,
        }
    }

    /// The rank as `color` counts it: Black's first rank is the eighth.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::from_index(7 - self as usize),
        }
    }
}

indexed_enum!(
    /// A square of the board. `a1` has index 0, `b1` 1, `h8` 63.
    Square, 64, {
        A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
        A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
        A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
        A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
        A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
        A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
        A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
        A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
    }
);

impl Square {
    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index(rank as usize * 8 + file as usize)
    }

    /// Its file.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::from_index(self as usize & 7)
    }

    /// Its rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self as usize >> 3)
    }

    /// The set that holds just this square.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square mirrored top to bottom: `a1` becomes `a8`.
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self::from_index(self as usize ^ 0b11_1000)
    }

    /// The square mirrored left to right: `a1` becomes `h1`.
    #[inline(always)]
    pub const fn flip_file(self) -> Self {
        Self::from_index(self as usize ^ 0b111)
    }

    /// The square as `color` sees it, ranks counted from its own side.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// The square `delta` indices away, counted modulo 64. The caller knows it is on the board.
    #[inline(always)]
    pub const fn offset(self, delta: i8) -> Self {
        Self::from_index((self as i8 + delta) as u8 as usize)
    }

    /// Reads a square name such as `e4`.
    ///
    /// ```
    /// use qishou::chess::Square;
    /// assert_eq!(Square::parse("e4"), Some(Square::E4));
    /// assert_eq!(Square::parse("e9"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let file = File::from_letter(chars.next()?)?;
        let rank = Rank::from_digit(chars.next()?)?;
        chars.next().is_none().then(|| Self::new(file, rank))
    }

    /// Whether the square is light, as h1 is (RULES 1.1).
    pub const fn is_light(self) -> bool {
        (self as u8 / 8 + self as u8 % 8) % 2 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

const _: () = assert!(size_of::<Option<Square>>() == 1);
