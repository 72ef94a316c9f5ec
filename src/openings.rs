//! First positions of training games and of tests: random moves from standard or double Fischer random starts,
//! or from the positions of a book.

use std::io;
use std::path::Path;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::chess::{Game, Position};

/// Where games begin.
#[derive(Clone, Debug)]
pub struct Openings {
    /// Positions to begin with instead of the initial one; may be empty.
    pub book: Vec<Position>,
    /// How many games of a hundred begin with a random back rank for each side.
    pub dfrc_percent: u32,
    /// So many random moves are played, or one more, so that both sides get to move first.
    pub random_plies: u32,
}

impl Openings {
    /// Draws a start and random moves from it; none if the moves ran into the end of the game, or
    /// to a draw that could be claimed.
    ///
    /// The game begins at the position the random moves lead to: they are no part of it.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<Game> {
        let mut position = if rng.random_range(0..100) < self.dfrc_percent {
            let (white, black) = (rng.random_range(0..960), rng.random_range(0..960));
            Position::double_chess960(white, black)?
        } else {
            self.book.choose(rng).copied().unwrap_or_else(Position::startpos)
        };
        let plies = self.random_plies + rng.random_range(0..2);
        for _ in 0..plies {
            position.play(*position.legal_moves().choose(rng)?);
        }
        let game = Game::new(position);
        game.ending().or_else(|| game.claimable_draw()).is_none().then_some(game)
    }

    /// Draws until a game passes the test.
    pub fn draw_until(&self, rng: &mut impl Rng, mut passes: impl FnMut(&Game) -> bool) -> Game {
        loop {
            if let Some(game) = self.draw(rng).filter(&mut passes) {
                return game;
            }
        }
    }
}

/// Reads a book: one position a line, in FEN or EPD; what follows the position is ignored.
///
/// # Errors
/// If the file can't be read or a line is no position; the line is named.
pub fn read_book(path: &Path) -> io::Result<Vec<Position>> {
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(i, line)| {
            let fields: Vec<&str> = line.split_whitespace().take(4).collect();
            fields.join(" ").parse().map_err(|error| {
                let place = format!("{}:{}: {error}", path.display(), i + 1);
                io::Error::new(io::ErrorKind::InvalidData, place)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_opening() {
        let openings = Openings { book: Vec::new(), dfrc_percent: 50, random_plies: 8 };
        let draw = |seed| openings.draw(&mut ChaCha8Rng::seed_from_u64(seed));
        let position = |seed| draw(seed).map(|game| *game.position());
        assert_eq!(position(1), position(1));
        assert_ne!(position(1), position(2));
    }
}
