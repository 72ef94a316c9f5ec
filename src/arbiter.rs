//! The arbiter: the laws of competition applied to games between UCI engines.
//!
//! | module | what it is |
//! |---|---|
//! | [`laws`] | how games end: claims, agreement, resignation, flags; pure logic |
//! | [`dead`] | positions from which no series of legal moves mates |
//! | [`clock`] | time controls and what is left of them; times are handed in |
//! | [`score`] | points, Elo with its interval, SPRT; [`grade`]: the documents' grade points |
//! | [`pgn`] | records of games, written and read |
//! | [`check`] | recorded games judged again |
//! | [`openings`] | where games begin |
//! | [`player`] | an engine as a child process |
//! | [`play`] | one game between two players |
//! | [`tournament`] | many games, side by side, recorded so that they can be gone on with |
//! | [`cli`] | the command line of `qishou-arbiter` |
//!
//! Invariant: `laws`, `dead`, `clock`, `score`, `grade` and `pgn` know nothing of processes, files and the time of
//! day. "RULES" in comments and tests is the list of rules the project implements, by number.

pub mod check;
pub mod cli;
pub mod clock;
pub mod dead;
pub mod grade;
pub mod laws;
pub mod openings;
pub mod pgn;
pub mod play;
pub mod player;
pub mod score;
pub mod tournament;
