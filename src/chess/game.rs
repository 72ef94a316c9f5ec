//! A game: a position with its past, and how it ends.

use thiserror::Error;

use super::{Key, Move, Position};

/// A game in progress: the first position, the moves, and what they lead to.
///
/// ```
/// use qishou::chess::{Game, Move, Square};
/// let mut game = Game::default();
/// game.play(Move::normal(Square::E2, Square::E4))?;
/// assert_eq!(game.moves().len(), 1);
/// # Ok::<(), qishou::chess::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// The key of every position before the present one, oldest first.
    keys: Vec<Key>,
}

/// A move that can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("illegal move {0}")]
pub struct IllegalMove(pub Move);

impl Default for Game {
    /// The initial position of standard chess.
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl Game {
    /// A game that begins here.
    pub fn new(start: Position) -> Self {
        Self { start, position: start, moves: Vec::new(), keys: Vec::new() }
    }

    /// The first position.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The present position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of all positions before the present one, oldest first.
    pub fn past_keys(&self) -> &[Key] {
        &self.keys
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is illegal; the game is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.keys.push(self.position.key());
        self.position.play(mv);
        self.moves.push(mv);
        Ok(())
    }
}
