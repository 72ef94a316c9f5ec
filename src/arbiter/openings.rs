//! Where games begin: positions of an EPD file or games of a PGN file, in order or drawn.

use std::io;
use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::pgn;
use crate::chess::{Game, Position};

/// The openings of a match.
#[derive(Clone, Debug)]
pub struct Openings {
    games: Vec<Game>,
}

impl Default for Openings {
    /// The initial position.
    fn default() -> Self {
        Self { games: vec![Game::default()] }
    }
}

impl Openings {
    /// Reads openings: one position a line in FEN or EPD, or PGN games, as the name of the file or
    /// `format` says. Of PGN games the first `plies` moves are played.
    ///
    /// # Errors
    /// If the file can't be read, or something in it is no opening; the place is named.
    pub fn read(path: &Path, format: Option<&str>, plies: Option<usize>) -> io::Result<Self> {
        let bytes = std::fs::read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let is_pgn = match format {
            Some(format) => format.eq_ignore_ascii_case("pgn"),
            None => path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn")),
        };
        let games = if is_pgn { of_pgn(&text, plies) } else { of_lines(&text) };
        let wrong = |told: String| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {told}", path.display()))
        };
        let games = games.map_err(wrong)?;
        if games.is_empty() {
            return Err(wrong("no openings".into()));
        }
        Ok(Self { games })
    }

    /// Puts them in an order that follows from the seed.
    pub fn shuffle(&mut self, seed: u64) {
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

    #[test]
    fn the_same_seed_gives_the_same_order() {
        let games = of_pgn("1. e4 * 1. d4 * 1. c4 * 1. b4 * 1. a4 *", None).unwrap();
        let order = |seed| {
            let mut openings = Openings { games: games.clone() };
            openings.shuffle(seed);
            (0..5).map(|i| openings.opening(i).moves().to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert!((2..10).any(|seed| order(seed) != order(1)));
    }
}
