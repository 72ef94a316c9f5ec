//! First positions of training games: random moves from standard or double Fischer random starts,
//! or from the positions of a book.

use std::io;
use std::path::Path;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::chess::{Bitboard, Color, File, Game, Piece, PieceKind, Position, Setup, Square};

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
    /// Draws a start and random moves from it; none if the moves ran into the end of the game.
    ///
    /// The game begins at the position the random moves lead to: they are no part of it.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<Game> {
        let mut position = if rng.random_range(0..100) < self.dfrc_percent {
            dfrc_start(rng.random_range(0..960), rng.random_range(0..960))
        } else {
            self.book.choose(rng).copied().unwrap_or_else(Position::startpos)
        };
        let plies = self.random_plies + rng.random_range(0..2);
        for _ in 0..plies {
            position.play(*position.legal_moves().choose(rng)?);
        }
        position.has_legal_move().then(|| Game::new(position))
    }
}

/// The back rank with this number: all arrangements with the bishops on both colours and the king
/// between the rooks.
fn back_rank(mut number: usize) -> [PieceKind; 8] {
    let mut rank: [Option<PieceKind>; 8] = [None; 8];
    let mut take = |choices: usize| {
        let choice = number % choices;
        number /= choices;
        choice
    };
    rank[2 * take(4)] = Some(PieceKind::Bishop);
    rank[2 * take(4) + 1] = Some(PieceKind::Bishop);
    let place = |rank: &mut [Option<PieceKind>; 8], nth: usize, kind| {
        if let Some(free) = rank.iter_mut().filter(|man| man.is_none()).nth(nth) {
            *free = Some(kind);
        }
    };
    place(&mut rank, take(6), PieceKind::Queen);
    // Two knights on five free squares: ten pairs.
    let pair = take(10);
    let (mut first, mut rest) = (0, pair);
    while rest >= 4 - first {
        rest -= 4 - first;
        first += 1;
    }
    place(&mut rank, first, PieceKind::Knight);
    place(&mut rank, first + rest, PieceKind::Knight);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        place(&mut rank, 0, kind);
    }
    rank.map(|man| man.unwrap_or(PieceKind::Rook))
}

/// The initial position with these back ranks (0 to 959) for White and Black.
pub fn dfrc_start(white: usize, black: usize) -> Position {
    let mut setup = Setup::default();
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        for (file, kind) in File::ALL.into_iter().zip(back_rank(number)) {
            let home = Square::new(file, color.home_rank());
            setup.men[home] = Some(Piece::new(kind, color));
            let front = home.offset(8 * color.sign() as i8);
            setup.men[front] = Some(Piece::new(PieceKind::Pawn, color));
            if kind == PieceKind::Rook {
                setup.castling_rooks |= Bitboard::from(home);
            }
        }
    }
    setup.position().expect("men of both sides at home are a legal position")
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
    use std::collections::HashSet;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn all_960_back_ranks_differ_and_obey_the_rules() {
        let ranks: HashSet<_> = (0..960).map(back_rank).collect();
        assert_eq!(ranks.len(), 960);
        for rank in ranks {
            let files = |kind| (0..8).filter(move |&i| rank[i] == kind).collect::<Vec<usize>>();
            let (rooks, bishops) = (files(PieceKind::Rook), files(PieceKind::Bishop));
            let king = files(PieceKind::King);
            assert_eq!((rooks.len(), bishops.len(), king.len()), (2, 2, 1), "{rank:?}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank:?}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank:?}");
            assert_eq!(files(PieceKind::Knight).len(), 2, "{rank:?}");
        }
        assert_eq!(dfrc_start(3, 700).castling_rooks().len(), 4);
    }

    #[test]
    fn the_same_seed_draws_the_same_opening() {
        let openings = Openings { book: Vec::new(), dfrc_percent: 50, random_plies: 8 };
        let draw = |seed| openings.draw(&mut ChaCha8Rng::seed_from_u64(seed));
        let position = |seed| draw(seed).map(|game| *game.position());
        assert_eq!(position(1), position(1));
        assert_ne!(position(1), position(2));
    }
}
