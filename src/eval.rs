//! Evaluation: what a position is worth to the side to move, without looking ahead.
//!
//! Invariant: [`Evaluator`] is the only door. It follows the search move by move, so that an
//! evaluation that keeps state (a network's accumulators) can stand behind it.

pub mod hand;

use crate::chess::{Move, Position};

/// Follows one line of play and evaluates its positions.
///
/// ```
/// use qishou::chess::{Move, Position, Square};
/// use qishou::eval::Evaluator;
/// let root = Position::startpos();
/// let mut evaluator = Evaluator::new();
/// evaluator.reset(&root);
/// let before = evaluator.evaluate(&root);
/// let child = evaluator.play(&root, Move::normal(Square::E2, Square::E4));
/// evaluator.evaluate(&child);
/// evaluator.undo();
/// assert_eq!(evaluator.evaluate(&root), before);
/// ```
#[derive(Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// An evaluator that has to be [`reset`](Self::reset) to a position.
    pub fn new() -> Self {
        Self {}
    }

    /// Goes to a position.
    pub fn reset(&mut self, _position: &Position) {}

    /// Makes a legal move and follows it.
    #[inline(always)]
    pub fn play(&mut self, position: &Position, mv: Move) -> Position {
        position.child(mv)
    }

    /// Goes back to the position before the last move. Null moves need no call: the men stay.
    #[inline(always)]
    pub fn undo(&mut self) {}

    /// The value of the position reached, in centipawns from the side to move's view. Not in
    /// check: nothing is calm then.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        hand::evaluate(position)
    }
}
