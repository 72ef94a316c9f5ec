//! When a search has to end.

use std::time::Duration;

use crate::chess::Move;

/// The clock of the side to move. Milliseconds as sent by the host: zero and negative values
/// happen and mean "move at once".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left, in milliseconds.
    pub time: i64,
    /// Gained after each move, in milliseconds.
    pub increment: i64,
    /// Moves until the next period, if the control has periods.
    pub moves_to_go: Option<u32>,
}

/// What ends a search; the limit reached first does. With none of them it goes on until stopped.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// Full iterations.
    pub depth: Option<u32>,
    /// Nodes, exact within one percent.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins (data generation).
    pub soft_nodes: Option<u64>,
    /// A fixed time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Ends when a mate in so many moves is proved.
    pub mate: Option<u32>,
    /// Only these root moves are looked at, if any are given.
    pub search_moves: Vec<Move>,
    /// No best move before [`Engine::stop`](super::Engine::stop).
    pub infinite: bool,
    /// No best move before a stop or [`Engine::ponder_hit`](super::Engine::ponder_hit), which
    /// starts the clock.
    pub ponder: bool,
}
