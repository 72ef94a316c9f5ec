//! Search: from a game and limits to the best move.
//!
//! Invariant: nothing here reads or writes text, and nothing here prints.
//! This is the contract other parts build on; see the items.

mod engine;
mod limits;
mod report;
mod score;

pub use engine::{Engine, HashError};
pub use limits::{Clock, Limits};
pub use report::{BestMove, Bound, Report, Sink};
pub use score::Score;
