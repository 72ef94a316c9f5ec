//! What is to be looked at: games, a test suite, or a position.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use qishou::chess::Position;
use qishou::pgn::{self, Record};

/// Something to look at, as the command line names it.
#[derive(Debug)]
pub(super) enum Subject {
    /// A file of games, read.
    Games { path: PathBuf, records: Vec<Record> },
    /// A file of positions with operations, not read yet.
    Suite(PathBuf),
    /// A position.
    Position(Box<Position>),
}

impl Subject {
    /// A position if it reads as one, else a file; games if its name or its beginning says so.
    pub(super) fn of(text: &str) -> anyhow::Result<Self> {
        if text == "startpos" {
            return Ok(Self::Position(Box::new(Position::startpos())));
        }
        let path = Path::new(text);
        // No file has eight ranks in its name.
        let ranks = text.split_whitespace().next().map_or(0, |board| board.split('/').count());
        if ranks == 8 && !path.exists() {
            let position = text.parse().with_context(|| format!("{text:?}"))?;
            return Ok(Self::Position(Box::new(position)));
        }
        let bytes = fs::read(path).with_context(|| text.to_owned())?;
        let content = String::from_utf8_lossy(&bytes);
        let named = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
        if named || content.trim_start_matches(['\u{feff}', ' ', '\r', '\n']).starts_with('[') {
            return Ok(Self::Games { path: path.to_owned(), records: pgn::read(&content) });
        }
        Ok(Self::Suite(path.to_owned()))
    }

    pub(super) fn suite(&self) -> Option<&Path> {
        match self {
            Self::Suite(path) => Some(path),
            _ => None,
        }
    }
}
