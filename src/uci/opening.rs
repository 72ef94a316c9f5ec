//! The options `OwnBook` and `BookFile`: moves from an opening book instead of a search.

use std::path::Path;

use rand::Rng;

use super::words::shown;
use crate::book::{Book, BookError, choose};
use crate::chess::{Game, Move};

/// The book in use, if any.
#[derive(Debug, Default)]
pub(super) struct Opening {
    /// Whether the host wants moves of the book.
    pub(super) wanted: bool,
    book: Option<Book>,
}

impl Opening {
    /// Opens a book; none if no name is given. If that fails, the old book stays and the reason is
    /// returned.
    pub(super) fn open(&mut self, name: &str) -> Result<(), String> {
        self.book = if name.is_empty() {
            None
        } else {
            Some(Book::open(Path::new(name)).map_err(|error| told(name, &error))?)
        };
        Ok(())
    }

    /// A move of the book, each as often as its weight says; none if it is not to be used or knows
    /// none. A book that turns out to be damaged is closed, and the reason is returned.
    pub(super) fn choose(&mut self, game: &Game) -> Result<Option<Move>, String> {
        let Some(book) = self.book.as_mut().filter(|_| self.wanted) else { return Ok(None) };
        match book.moves(game) {
            Ok(moves) => Ok(choose(&moves, crate::chance::generator().next_u64())),
            Err(error) => {
                self.book = None;
                Err(format!("{error}; the book is closed"))
            }
        }
    }
}

fn told(name: &str, error: &BookError) -> String {
    // The name may be endless; that of the error is left out.
    let reason = match error {
        BookError::Io { source, .. } => source.to_string(),
        BookError::Size { size, .. } => {
            format!("{size} bytes are no whole number of entries of 16")
        }
        BookError::Order { entry, .. } => format!("entry {entry} is out of order"),
    };
    format!("option BookFile: {:?}: {reason}; the book stays", shown(name))
}
