//! Evaluation: how good a position is, without looking ahead.
//!
//! [`Evaluator`] is the one door for the search. Behind it stands a network ([`Network`]) or, where
//! there is none, the hand-made evaluation ([`hand`]).
//!
//! | module | what it is |
//! |---|---|
//! | [`hand`] | an evaluation written by hand |
//! | [`network`] | sizes, numbers and files of a network |
//! | [`features`] | which input stands for which man |
//! | `accumulator` | the first layer, kept up to date move by move |
//! | `forward` | the output layer |
//! | `material` | endings that evaluation alone misjudges |
//! | `simd` | the arithmetic, for every instruction set |
//! | `trace` | an evaluation taken apart, for people |
//!
//! Invariant: an evaluation is the same whatever moves led to a position, and on every CPU.

use std::sync::Arc;

use crate::chess::{Move, Position};

mod accumulator;
pub mod features;
mod forward;
pub mod hand;
mod material;
pub mod network;
mod simd;
mod trace;

use accumulator::Accumulators;
pub use network::{Architecture, Network, NetworkError, NetworkFileError, Weights};
pub use simd::Level;
pub use trace::{Trace, trace};

/// No evaluation is beyond this, in internal centipawns: far below every score that means a mate
/// or a won ending.
pub const MAX_EVALUATION: i32 = 20_000;

/// Evaluates the positions of one line of moves after another; every search thread has its own.
///
/// ```
/// use qishou::chess::{Move, Position, Square};
/// use qishou::eval::Evaluator;
/// let root = Position::startpos();
/// let mut evaluator = Evaluator::new(None);
/// evaluator.reset(&root);
/// let before = evaluator.evaluate(&root);
/// let child = evaluator.play(&root, Move::normal(Square::E2, Square::E4));
/// let _ = evaluator.evaluate(&child);
/// evaluator.undo();
/// assert_eq!(evaluator.evaluate(&root), before);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    accumulators: Option<Box<Accumulators>>,
}

impl Evaluator {
    /// An evaluator with this network, or with the hand-made evaluation.
    pub fn new(network: Option<Arc<Network>>) -> Self {
        let new = |network| Box::new(Accumulators::new(network, &Position::startpos()));
        Self { accumulators: network.map(new) }
    }

    /// The network it evaluates with, if any.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.accumulators.as_deref().map(Accumulators::network)
    }

    /// Begins a new line of moves at this position.
    pub fn reset(&mut self, position: &Position) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.reset(position);
        }
    }

    /// Makes a legal move in `position`, which is the one last played to, and follows it.
    ///
    /// A null move needs no call, and no [`undo`](Self::undo): it moves no man.
    #[inline]
    pub fn play(&mut self, position: &Position, mv: Move) -> Position {
        match &mut self.accumulators {
            Some(accumulators) => accumulators.play(position, mv),
            None => position.child(mv),
        }
    }

    /// Takes the last [`play`](Self::play) back; the caller has kept the position before it.
    #[inline]
    pub fn undo(&mut self) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.undo();
        }
    }

    /// Drops the sums made for the present position, so that they are made again: for benches.
    #[doc(hidden)]
    pub fn forget(&mut self) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.forget();
        }
    }

    /// The evaluation of the position last played to (or the same after a null move), for its side
    /// to move, in internal centipawns, within +-[`MAX_EVALUATION`].
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let evaluation = match &mut self.accumulators {
            Some(accumulators) => accumulators.evaluate(position),
            None => hand::evaluate(position).clamp(-MAX_EVALUATION, MAX_EVALUATION),
        };
        if material::is_two_knights_ending(position) {
            return material::damped(evaluation);
        }
        evaluation
    }
}
