//! A game: a position with its past, and how it ends.

use std::fmt;

use thiserror::Error;

use super::{Color, Key, Move, Position};

/// Plies without capture or pawn move after which a draw may be claimed.
const FIFTY_MOVES: u32 = 100;
/// Plies without capture or pawn move after which the game is drawn.
const SEVENTY_FIVE_MOVES: u32 = 150;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side has won.
    Win(Color),
    /// Neither side has.
    Draw,
}

impl Outcome {
    /// Who has won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color) => Some(color),
            Self::Draw => None,
        }
    }
}

/// As PGN writes it.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// How the rules end a game. What players, clocks and referees do is not told here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The king is attacked and no legal move saves it (RULES 2.1).
    Checkmate {
        /// Who gave mate.
        winner: Color,
    },
    /// No legal move, and no check (RULES 2.3).
    Stalemate,
    /// No series of legal moves mates with the men left (RULES 2.4).
    InsufficientMaterial,
    /// The same position for the fifth time: no claim is needed (RULES 2.8).
    FivefoldRepetition,
    /// Seventy-five moves by each side without capture or pawn move (RULES 2.8).
    SeventyFiveMoves,
    /// The same position for the third time, on a claim (RULES 2.6).
    ThreefoldRepetition,
    /// Fifty moves by each side without capture or pawn move, on a claim (RULES 2.7).
    FiftyMoves,
}

impl Ending {
    /// What it means for the result.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate { winner } => Outcome::Win(winner),
            _ => Outcome::Draw,
        }
    }

    /// Whether the game ends only if a player claims it.
    pub const fn needs_claim(self) -> bool {
        matches!(self, Self::ThreefoldRepetition | Self::FiftyMoves)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate { winner: Color::White } => "White mates",
            Self::Checkmate { winner: Color::Black } => "Black mates",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "seventy-five moves",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
        })
    }
}

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

    /// Takes the last move back and returns it; `None` at the first position. It replays the
    /// game, since no past position is kept.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.keys.pop();
        self.position = self.start;
        for &mv in &self.moves {
            self.position.play(mv);
        }
        Some(last)
    }

    /// How often the present position has occurred, now included.
    ///
    /// Positions are the same if the same men stand on the same squares, the same side is to
    /// move, and the same castling and en-passant rights can be used (RULES 2.6): this is what
    /// keys are equal for.
    pub fn repetitions(&self) -> usize {
        occurrences(&self.position, self.keys.iter().rev().copied())
    }

    /// How the game has ended with no claim needed under today's Laws, if it has. Mate comes
    /// before everything else (RULES 2.8).
    ///
    /// ```
    /// use qishou::chess::{Color, Ending, Game};
    /// let mut game = Game::default();
    /// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
    ///     game.play(game.position().parse_uci(text)?)?;
    /// }
    /// assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Color::Black }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ending(&self) -> Option<Ending> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Ending::Checkmate { winner: !position.side_to_move() }
            } else {
                Ending::Stalemate
            });
        }
        if position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if position.halfmove_clock() >= SEVENTY_FIVE_MOVES {
            return Some(Ending::SeventyFiveMoves);
        }
        (self.repetitions() >= 5).then_some(Ending::FivefoldRepetition)
    }

    /// The draw that the side to move may claim because it is there already, if any.
    pub fn claimable_draw(&self) -> Option<Ending> {
        if !self.position.has_legal_move() {
            return None;
        }
        draw_on_claim(&self.position, self.repetitions())
    }

    /// The draw that the side to move may claim by announcing a legal move that brings it about
    /// (RULES 2.6); `None` if the move is illegal, or mates or stalemates instead.
    pub fn claimable_draw_with(&self, mv: Move) -> Option<Ending> {
        if !self.position.is_legal(mv) {
            return None;
        }
        let after = self.position.child(mv);
        if !after.has_legal_move() {
            return None;
        }
        let past = std::iter::once(self.position.key()).chain(self.keys.iter().rev().copied());
        draw_on_claim(&after, occurrences(&after, past))
    }
}

/// How often a position has occurred, now included, given the keys of those before it, the
/// latest first. Looks no further back than the last move that can't be taken back.
fn occurrences(position: &Position, past: impl Iterator<Item = Key>) -> usize {
    let reversible = position.halfmove_clock() as usize;
    // The side to move alternates, so only every second position can be the same one, and two
    // plies can't bring a position back.
    let rivals = past.take(reversible).skip(3).step_by(2);
    1 + rivals.filter(|&key| key == position.key()).count()
}

/// What may be claimed in a position that is not the end of the game.
fn draw_on_claim(position: &Position, occurrences: usize) -> Option<Ending> {
    if position.halfmove_clock() >= FIFTY_MOVES {
        return Some(Ending::FiftyMoves);
    }
    (occurrences >= 3).then_some(Ending::ThreefoldRepetition)
}
