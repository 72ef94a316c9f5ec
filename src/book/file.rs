//! The file: 16 bytes an entry, sorted by key, numbers with the high byte first.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7 | key of the position |
//! | 8-9 | move: to (file, rank), from (file, rank), promotion, three bits each from the lowest |
//! | 10-11 | weight |
//! | 12-15 | learning data, not used here |

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::key;
use crate::chess::{Game, Move, PieceKind, Position, Square};

const ENTRY: u64 = 16;

/// Why a book can't be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file can't be opened or read.
    #[error("book {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Not a whole number of entries.
    #[error("book {}: {size} bytes are no whole number of entries of 16", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Its length.
        size: u64,
    },
    /// The entries are not in the order of their keys.
    #[error("book {}: entry {entry} is out of order", path.display())]
    Order {
        /// The file.
        path: PathBuf,
        /// The entry, counted from 0.
        entry: u64,
    },
}

/// A move that a book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// Legal in the position asked for.
    pub mv: Move,
    /// How often it is to be played, compared with the others; not at all if 0.
    pub weight: u16,
}

/// A book that lies in a file, or in anything that can be read from any place.
///
/// ```no_run
/// use qishou::book::{Book, choose};
/// use qishou::chess::Game;
/// let mut book = Book::open("performance.bin".as_ref())?;
/// let moves = book.moves(&Game::default())?;
/// let chosen = choose(&moves, 12345);
/// # Ok::<(), qishou::book::BookError>(())
/// ```
#[derive(Debug)]
pub struct Book<R = File> {
    source: R,
    path: PathBuf,
    entries: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl Book {
    /// Opens a file; only its size is looked at.
    ///
    /// # Errors
    /// If there is no such file, or its size is not that of a book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let io = |source| BookError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.is_dir() {
            return Err(io(io::ErrorKind::IsADirectory.into()));
        }
        Self::of(file, path)
    }
}

impl<R: Read + Seek> Book<R> {
    /// A book from anything that can be read; `path` is what errors call it.
    ///
    /// # Errors
    /// If its size can't be told, or is not that of a book.
    pub fn of(mut source: R, path: &Path) -> Result<Self, BookError> {
        let path = path.to_owned();
        match source.seek(SeekFrom::End(0)) {
            Ok(size) if size.is_multiple_of(ENTRY) => {
                Ok(Self { source, path, entries: size / ENTRY })
            }
            Ok(size) => Err(BookError::Size { path, size }),
            Err(source) => Err(BookError::Io { path, source }),
        }
    }

    /// How many entries there are.
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// All moves that the book knows for the present position, those with weight 0 too, in the
    /// order of the file. Keys of different positions may be equal by chance, so a move that is
    /// illegal here is left out.
    ///
    /// # Errors
    /// If the file can't be read, or is seen to be out of order.
    pub fn moves(&mut self, game: &Game) -> Result<Vec<BookMove>, BookError> {
        // More moves than any position has are no book.
        const MOST: usize = 256;
        let wanted = key(game);
        let mut moves = Vec::new();
        for number in self.first(wanted)?..self.entries {
            let entry = self.entry(number)?;
            if entry.key < wanted {
                return Err(BookError::Order { path: self.path.clone(), entry: number });
            }
            if entry.key > wanted || moves.len() == MOST {
                break;
            }
            if let Some(mv) = read_move(game.position(), entry.mv) {
                moves.push(BookMove { mv, weight: entry.weight });
            }
        }
        Ok(moves)
    }

    /// The first entry whose key is not below `wanted`, by bisection.
    fn first(&mut self, wanted: u64) -> Result<u64, BookError> {
        let (mut low, mut high) = (0, self.entries);
        let (mut least, mut most) = (0, u64::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            let key = self.entry(middle)?.key;
            if !(least..=most).contains(&key) {
                return Err(BookError::Order { path: self.path.clone(), entry: middle });
            }
            if key < wanted {
                (low, least) = (middle + 1, key);
            } else {
                (high, most) = (middle, key);
            }
        }
        Ok(low)
    }

    fn entry(&mut self, number: u64) -> Result<Entry, BookError> {
        let mut bytes = [0; ENTRY as usize];
        self.source
            .seek(SeekFrom::Start(number * ENTRY))
            .and_then(|_| self.source.read_exact(&mut bytes))
            .map_err(|source| BookError::Io { path: self.path.clone(), source })?;
        let whole = u128::from_be_bytes(bytes);
        Ok(Entry {
            key: (whole >> 64) as u64,
            mv: (whole >> 48) as u16,
            weight: (whole >> 32) as u16,
        })
    }
}

/// The legal move that 16 bits of a book mean. Castling is king takes rook there; the king's step
/// is understood as well, since some programs write it.
fn read_move(position: &Position, bits: u16) -> Option<Move> {
    let square = |shift: u32| Square::from_index(usize::from(bits >> shift & 63));
    let promoted = match bits >> 12 & 7 {
        0 => None,
        number @ 1..=4 => Some(PieceKind::from_index(usize::from(number))),
        _ => return None,
    };
    position.move_between(square(6), square(0), promoted)
}

/// Chooses a move: each as often as its weight says if every value of `chance` is as likely as any
/// other. None if no move has a weight.
pub fn choose(moves: &[BookMove], chance: u64) -> Option<Move> {
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    // The high part of a product: a fair share of all values of `chance` for each unit of weight.
    let mut ticket = (u128::from(chance) * u128::from(total) >> 64) as u64;
    moves
        .iter()
        .find(|known| {
            let hit = ticket < u64::from(known.weight);
            ticket = ticket.saturating_sub(u64::from(known.weight));
            hit
        })
        .map(|known| known.mv)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Bytes of an entry from what it says.
    fn entry(key: u64, text: &str, weight: u16) -> Vec<u8> {
        let square = |at: usize| Square::parse(&text[at..at + 2]).unwrap() as u16;
        let promoted = text[4..].chars().next().map_or(0, |letter| " nbrq".find(letter).unwrap());
        let mv = square(2) | square(0) << 6 | (promoted as u16) << 12;
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(mv.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0xff; 4]);
        bytes
    }

    fn book(entries: &[Vec<u8>]) -> Book<Cursor<Vec<u8>>> {
        Book::of(Cursor::new(entries.concat()), "test.bin".as_ref()).unwrap()
    }

    fn game(fen: &str) -> Game {
        Game::new(fen.parse().unwrap())
    }

    fn texts(moves: &[BookMove]) -> Vec<(String, u16)> {
        moves.iter().map(|known| (known.mv.to_string(), known.weight)).collect()
    }

    fn told(rows: &[(&str, u16)]) -> Vec<(String, u16)> {
        rows.iter().map(|&(mv, weight)| (mv.to_owned(), weight)).collect()
    }

    #[test]
    fn every_kind_of_move_is_found_among_its_neighbours() {
        let cases: [(&str, &[&str], &[&str]); 4] = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &["e2e4", "g1f3"],
                &["e2e4", "g1f3"],
            ),
            ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", &["a7a8n", "a7a8q", "a7a8"], &["a7a8n", "a7a8q"]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1h1", "e1a1"], &["e1h1", "e1a1"]),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", &["e8g8", "e8c8"], &["e8h8", "e8a8"]),
        ];
        for (fen, written, understood) in cases {
            let game = game(fen);
            let wanted = key(&game);
            let mut entries = vec![entry(0, "a1a2", 1), entry(wanted - 1, "a1a2", 1)];
            entries.extend(written.iter().map(|text| entry(wanted, text, 7)));
            entries.extend([entry(wanted + 1, "a1a2", 1), entry(u64::MAX, "a1a2", 1)]);
            let moves = book(&entries).moves(&game).unwrap();
            let expected: Vec<_> = understood.iter().map(|&mv| (mv, 7)).collect();
            assert_eq!(texts(&moves), told(&expected), "{fen}");
        }
    }

    #[test]
    fn books_of_every_size_are_searched_to_their_ends() {
        let game = Game::default();
        let wanted = key(&game);
        for before in 0..9 {
            for after in 0..9 {
                let mut entries: Vec<_> = (0..before).map(|i| entry(i, "a2a3", 1)).collect();
                entries.push(entry(wanted, "e2e4", 3));
                entries.extend((1..=after).map(|i| entry(wanted + i, "a2a3", 1)));
                assert_eq!(texts(&book(&entries).moves(&game).unwrap()), told(&[("e2e4", 3)]));
            }
        }
        assert_eq!(book(&[]).moves(&game).unwrap(), []);
    }

    #[test]
    fn illegal_moves_and_nonsense_are_left_out() {
        let game = Game::default();
        let wanted = key(&game);
        let mut nonsense = entry(wanted, "e2e4", 1);
        nonsense[8] |= 0x70;
        let entries = [
            entry(wanted, "e2e5", 9),
            nonsense,
            entry(wanted, "a1a1", 1),
            entry(wanted, "d2d4", 0),
        ];
        assert_eq!(texts(&book(&entries).moves(&game).unwrap()), told(&[("d2d4", 0)]));
    }

    #[test]
    fn damaged_books_are_named() {
        let of = |bytes: Vec<u8>| Book::of(Cursor::new(bytes), "a b.bin".as_ref());
        let error = of(vec![0; 17]).unwrap_err().to_string();
        assert_eq!(error, "book a b.bin: 17 bytes are no whole number of entries of 16");
        let wanted = key(&Game::default());
        let wrong =
            [entry(wanted + 5, "a2a3", 1), entry(wanted + 3, "a2a3", 1), entry(7, "a2a3", 1)];
        let error = book(&wrong).moves(&Game::default()).unwrap_err().to_string();
        assert_eq!(error, "book test.bin: entry 0 is out of order");
        let error = Book::open("no such.bin".as_ref()).unwrap_err().to_string();
        assert!(error.starts_with("book no such.bin: "), "{error}");
        assert!(Book::open(".".as_ref()).is_err());
    }

    #[test]
    fn moves_are_chosen_by_their_weights() {
        let weights = |weights: &[u16]| -> Vec<BookMove> {
            let squares = Square::ALL.into_iter().skip(1);
            let moves = squares.map(|to| Move::normal(Square::A1, to));
            moves.zip(weights).map(|(mv, &weight)| BookMove { mv, weight }).collect()
        };
        let moves = weights(&[1, 0, 3, 0]);
        let share = |mv: Move| {
            let chances = (0..1024).map(|i: u64| i << 54);
            chances.filter(|&chance| choose(&moves, chance) == Some(mv)).count()
        };
        assert_eq!(moves.iter().map(|known| share(known.mv)).collect::<Vec<_>>(), [256, 0, 768, 0]);
        assert_eq!(choose(&moves, u64::MAX), Some(moves[2].mv));
        assert_eq!(choose(&weights(&[0, 0]), 5), None);
        assert_eq!(choose(&[], 5), None);
    }
}
