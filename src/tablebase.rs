//! Endgame tables in the Syzygy format: who wins with few men on the board, and how far it is to the
//! next capture or pawn move (Ronald de Man's format; this reader is our own).
//!
//! Files are found by name when [`Tablebases::open`] looks into the folders, and mapped into memory
//! when a position first asks for them. One that is damaged is named once and never asked again.
//! Nothing here panics on what a file holds.
//!
//! Why not the crate `pyrrhic-rs`: it has not been kept since 2024, holds its tables in one
//! process-wide state and about sixty `unsafe` blocks that follow pointers out of the file, so a
//! damaged file is undefined behaviour. Here all reads are checked and one block is `unsafe`, that
//! which maps a file.

mod codes;
mod file;
mod folder;
#[cfg(fuzzing)]
mod fuzzing;
mod index;
mod material;
mod probe;
mod ranking;
mod reader;
mod table;

pub use file::TableError;
pub use folder::Tablebases;
#[cfg(fuzzing)]
pub use fuzzing::ask_file;
pub use ranking::{Rank, RankedMove, Ranking};
pub use reader::Damage;

/// The value of a position for the side to move, with best play and the fifty-move rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    fn from_value(value: u16) -> Option<Self> {
        Some(match value {
            0 => Self::Loss,
            1 => Self::BlessedLoss,
            2 => Self::Draw,
            3 => Self::CursedWin,
            4 => Self::Win,
            _ => return None,
        })
    }

    /// From -2 for a loss to 2 for a win.
    pub const fn number(self) -> i32 {
        self as i32 - 2
    }

    /// With rule: what it is worth in a game. Without: what it would be without the fifty-move rule.
    pub const fn under_rule(self, fifty_moves: bool) -> Self {
        match self {
            Self::BlessedLoss | Self::CursedWin if fifty_moves => Self::Draw,
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }
}

/// The same for the other side.
impl std::ops::Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}
