//! Where games begin: positions of an EPD file or games of a PGN file, in order or drawn, or lines
//! drawn from a Polyglot book.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::book::{Book, BookError, choose};
use crate::chess::{Game, Position};
use crate::pgn;

/// The openings of a match.
#[derive(Clone, Debug)]
pub struct Openings {
    games: Vec<Game>,
    /// Their order is a drawn one already.
    drawn: bool,
}

impl Default for Openings {
    /// The initial position.
    fn default() -> Self {
        Self { games: vec![Game::default()], drawn: false }
    }
}

impl Openings {
    /// Reads openings: one position a line in FEN or EPD, or PGN games, or a Polyglot book, as the
    /// name of the file or `format` (`epd`, `pgn`, `polyglot`) says. Of PGN games and lines of a
    /// book the first `plies` moves are played. A book gives as many lines as are `wanted`, drawn
    /// by its weights in an order that follows from `seed`.
    ///
    /// # Errors
    /// If the file can't be read, or something in it is no opening; the place is named.
    pub fn read(
        path: &Path,
        format: Option<&str>,
        plies: Option<usize>,
        (seed, wanted): (u64, usize),
    ) -> io::Result<Self> {
        let is = |name: &str, ends: &str| match format {
            Some(format) => format.eq_ignore_ascii_case(name),
            None => path.extension().is_some_and(|end| end.eq_ignore_ascii_case(ends)),
        };
        if is("polyglot", "bin") {
            return of_book(path, plies, seed, wanted);
        }
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let bytes = std::fs::read(path).map_err(named)?;
        let text = String::from_utf8_lossy(&bytes);
        let is_pgn = is("pgn", "pgn");
        let games = if is_pgn { of_pgn(&text, plies) } else { of_lines(&text) };
        let wrong = |told: String| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {told}", path.display()))
        };
        let games = games.map_err(wrong)?;
        if games.is_empty() {
            return Err(wrong("no openings".into()));
        }
        Ok(Self { games, drawn: false })
    }

    /// Puts them in an order that follows from the seed.
    pub fn shuffle(&mut self, seed: u64) {
        if self.drawn {
            return;
        }
        self.games.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    }

    /// The opening with this number, from 0; after the last the first comes again.
    pub fn opening(&self, number: usize) -> &Game {
        &self.games[number % self.games.len()]
    }

    /// How many there are: at least one.
    pub const fn count(&self) -> usize {
        self.games.len()
    }
}

/// Lines drawn from a book, no two the same as long as there are others.
fn of_book(path: &Path, plies: Option<usize>, seed: u64, wanted: usize) -> io::Result<Openings> {
    /// Draws for a new line before an old one is taken again.
    const TRIES: usize = 20;
    let wrong = |error: BookError| io::Error::new(io::ErrorKind::InvalidData, error.to_string());
    let mut book = Book::open(path).map_err(wrong)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut games, mut seen) = (Vec::new(), HashSet::new());
    for _ in 0..wanted.max(1) {
        for attempt in 1..=TRIES {
            let game = book_line(&mut book, plies, || rng.random()).map_err(wrong)?;
            if seen.insert(game.moves().to_vec()) || attempt == TRIES {
                games.push(game);
                break;
            }
        }
    }
    if games.iter().all(|game| game.moves().is_empty()) {
        let told = format!("book {}: no moves for the initial position", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, told));
    }
    Ok(Openings { games, drawn: true })
}

/// Moves of a book until it knows none, or these many; the game is never over after them.
fn book_line(
    book: &mut Book,
    plies: Option<usize>,
    mut chance: impl FnMut() -> u64,
) -> Result<Game, BookError> {
    /// Books end long before; a book that goes in circles does not.
    const LONGEST: usize = 200;
    let mut game = Game::default();
    while game.moves().len() < plies.unwrap_or(LONGEST) {
        let Some(mv) = choose(&book.moves(&game)?, chance()) else { break };
        let mut next = game.clone();
        if next.play(mv).is_err() || next.ending().is_some() {
            break;
        }
        game = next;
    }
    Ok(game)
}

fn of_lines(text: &str) -> Result<Vec<Game>, String> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(i, line)| {
            // The counters are kept if they are there.
            let fields: Vec<&str> =
                line.split([' ', '\t', ';']).filter(|f| !f.is_empty()).collect();
            let counters = fields.iter().skip(4).take(2).take_while(|f| f.parse::<u16>().is_ok());
            let length = if counters.count() == 2 { 6 } else { 4 };
            let fen = fields[..fields.len().min(length)].join(" ");
            let start: Position =
                fen.parse().map_err(|error| format!("line {}: {error}", i + 1))?;
            if start.has_legal_move() {
                Ok(Game::new(start))
            } else {
                Err(format!("line {}: the game is over", i + 1))
            }
        })
        .collect()
}

fn of_pgn(text: &str, plies: Option<usize>) -> Result<Vec<Game>, String> {
    pgn::read(text)
        .into_iter()
        .map(|record| {
            let mut game = Game::new(*record.game.start());
            for &mv in record.game.moves().iter().take(plies.unwrap_or(usize::MAX)) {
                game.play(mv).map_err(|error| format!("line {}: {error}", record.line))?;
            }
            let fatal = |flaw: &&pgn::Flaw| {
                matches!(
                    flaw,
                    pgn::Flaw::Move { .. } | pgn::Flaw::NullMove { .. } | pgn::Flaw::Fen(_)
                )
            };
            match record.flaws.iter().find(fatal) {
                Some(flaw) if plies.is_none_or(|plies| game.moves().len() < plies) => {
                    Err(format!("line {}: {flaw}", record.line))
                }
                _ if game.ending().is_some() => {
                    Err(format!("line {}: the game is over", record.line))
                }
                _ => Ok(game),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_games_are_read() {
        let lines = "# a book\n4k3/8/8/8/8/8/8/4K2R w K - ; c0 \"x\"\n\
                     4k3/8/8/8/8/8/8/4K2R b K - 3 77\n";
        let games = of_lines(lines).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[1].position().fullmove_number(), 77);
        assert!(of_lines("nonsense").unwrap_err().starts_with("line 1: "));
        let games = of_pgn("1. e4 e5 2. Nf3 * 1. d4 d5 *", Some(2)).unwrap();
        assert_eq!(games.iter().map(|game| game.moves().len()).collect::<Vec<_>>(), [2, 2]);
        assert!(of_pgn("1. e4 e6 2. Kxe8 *", None).is_err());
        assert!(of_pgn("1. e4 e6 2. Kxe8 *", Some(2)).is_ok());
        assert!(of_pgn("1. f3 e5 2. g4 Qh4# *", None).is_err());
    }

    /// A book file with these lines of UCI moves, all moves of the same weight.
    fn book_file(name: &str, lines: &[&str]) -> std::path::PathBuf {
        let mut entries = std::collections::BTreeSet::new();
        for line in lines {
            let mut game = Game::default();
            for word in line.split(' ') {
                let mv = game.position().parse_uci(word).unwrap();
                let code = (mv.from() as u16) << 6 | mv.to() as u16;
                entries.insert((crate::book::key(&game), code));
                game.play(mv).unwrap();
            }
        }
        let mut bytes = Vec::new();
        for (key, code) in entries {
            bytes.extend(key.to_be_bytes());
            bytes.extend(code.to_be_bytes());
            bytes.extend([0, 1, 0, 0, 0, 0]);
        }
        let path = std::env::temp_dir().join(format!("qishou-{}-{name}.bin", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn lines_are_drawn_from_a_polyglot_book() {
        let lines = ["e2e4 e7e5 g1f3", "e2e4 c7c5", "d2d4 d7d5", "c2c4"];
        let path = book_file("openings", &lines);
        let read =
            |plies, seed, wanted| Openings::read(&path, None, plies, (seed, wanted)).unwrap();
        let text = |game: &Game| {
            let words: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
            words.join(" ")
        };
        let drawn = |openings: &Openings| openings.games.iter().map(text).collect::<Vec<_>>();
        // All lines before one comes again; more of them begin with the same ones.
        let four = drawn(&read(None, 7, 4));
        let mut sorted = four.clone();
        sorted.sort();
        assert_eq!(sorted, ["c2c4", "d2d4 d7d5", "e2e4 c7c5", "e2e4 e7e5 g1f3"]);
        let mut six = read(None, 7, 6);
        six.shuffle(1);
        assert_eq!(drawn(&six)[..4], four);
        assert!((8..20).any(|seed| drawn(&read(None, seed, 4)) != four));
        assert!(drawn(&read(Some(1), 7, 3)).iter().all(|line| !line.contains(' ')));
        let empty = book_file("nothing", &[]);
        let told = Openings::read(&empty, None, None, (1, 1)).unwrap_err().to_string();
        assert!(told.contains("no moves"), "{told}");
        for path in [path, empty] {
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_order() {
        let games = of_pgn("1. e4 * 1. d4 * 1. c4 * 1. b4 * 1. a4 *", None).unwrap();
        let order = |seed| {
            let mut openings = Openings { games: games.clone(), drawn: false };
            openings.shuffle(seed);
            (0..5).map(|i| openings.opening(i).moves().to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert!((2..10).any(|seed| order(seed) != order(1)));
    }
}
