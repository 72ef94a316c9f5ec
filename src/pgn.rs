//! Portable Game Notation: records of games, written strictly (export format) and read leniently.
//!
//! ```
//! use qishou::pgn;
//! let games = pgn::read("1. f3 e5 {a comment} 2. g4?? (2. e4) Qh4# 0-1");
//! assert_eq!(games[0].game.moves().len(), 4);
//! assert_eq!(games[0].result, Some(qishou::pgn::ResultMark::BlackWins));
//! let text = games[0].to_string();
//! assert!(text.ends_with("1. f3 e5 {a comment} 2. g4 $4 Qh4# 0-1\n\n"));
//! ```

use std::fmt;

use thiserror::Error;

use crate::chess::{Color, Game, Move, Outcome};

mod lexer;
mod reader;
mod writer;

pub use reader::read;

/// How a record ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultMark {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is not over or its result unknown.
    Unknown,
}

impl ResultMark {
    /// Reads a mark; `1/2` is accepted for a draw.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::WhiteWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// What it says of the game, if it says anything.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::WhiteWins => Some(Outcome::Win(Color::White)),
            Self::BlackWins => Some(Outcome::Win(Color::Black)),
            Self::Draw => Some(Outcome::Draw),
            Self::Unknown => None,
        }
    }
}

impl From<Outcome> for ResultMark {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Color::White) => Self::WhiteWins,
            Outcome::Win(Color::Black) => Self::BlackWins,
            Outcome::Draw => Self::Draw,
        }
    }
}

impl fmt::Display for ResultMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// What stands beside a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// Numeric annotation glyphs; `!`, `?` and the like are read as theirs.
    pub glyphs: Vec<u8>,
    /// Comments after the move, joined by blanks, without their braces.
    pub comment: String,
    /// What could have been played instead. Written only: the reader skips variations.
    pub variations: Vec<Variation>,
}

/// Moves that could have been played instead of one, and those after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The first is played in the position before the move it stands beside.
    pub moves: Vec<Move>,
    /// What is said behind the last move, without braces.
    pub comment: String,
}

/// What is wrong with a record. Reading goes on with the next game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// A word in the main line is no legal move there; the moves before it are kept.
    #[error("{place}: {reason}")]
    Move {
        /// The number of the move, as `12.` or `12...`
        place: String,
        /// What is wrong with the word.
        reason: String,
    },
    /// A null move in the main line: no game can hold it; the moves before it are kept.
    #[error("{place}: null move {text}")]
    NullMove {
        /// The number of the move.
        place: String,
        /// The null move as written.
        text: String,
    },
    /// The position to begin with is none; no moves are kept.
    #[error("FEN tag: {0}")]
    Fen(String),
    /// A tag that is not `[Name "value"]`.
    #[error("line {line}: {text:?} is no tag")]
    Tag {
        /// The line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// A comment that never ends.
    #[error("line {0}: the comment never ends")]
    OpenComment(usize),
    /// A variation that never ends, or ends where none began.
    #[error("line {0}: unbalanced parentheses")]
    Parentheses(usize),
    /// No result ends the moves.
    #[error("no result at the end of the moves")]
    NoResult,
    /// The tag and the end of the moves differ.
    #[error("result {tag} in the tag, {mark} after the moves")]
    Results {
        /// In the tag.
        tag: String,
        /// After the moves.
        mark: ResultMark,
    },
}

/// A recorded game.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Tags in the order they were met.
    pub tags: Vec<(String, String)>,
    /// What is said before the first move.
    pub preface: String,
    /// The start and the moves of the main line.
    pub game: Game,
    /// What stands beside each move: as many as there are moves.
    pub remarks: Vec<Remarks>,
    /// The mark at the end of the moves.
    pub result: Option<ResultMark>,
    /// What is wrong, in the order it was met.
    pub flaws: Vec<Flaw>,
    /// The line the record begins at, from 1.
    pub line: usize,
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }
}

#[cfg(test)]
mod tests;
