//! The arbiter: the laws of competition applied to games between UCI engines. The Laws themselves
//! and the loop of a game are [`crate::referee`].
//!
//! | module | what it is |
//! |---|---|
//! | [`clock`] | time controls and what is left of them; times are handed in |
//! | [`adjourn`] | adjourned games and their sealed moves |
//! | [`report`] | a match as a page for the browser |
//! | [`stop`] | how a running match is told to end |
//! | [`grade`] | the documents' grade points |
//! | [`check`] | recorded games judged again |
//! | [`openings`] | where games begin |
//! | [`player`] | an engine as a child process |
//! | [`scoresheet`] | what is written down beside the moves |
//! | [`play`] | one game between two players |
//! | [`tournament`] | many games, side by side, recorded so that they can be gone on with |
//! | [`tune`] | an engine's numbers tuned by its own games |
//! | [`soak`] | an engine's endurance: games for hours |
//! | [`cli`] | the command line of `qishou-arbiter` |
//!
//! Invariant: `clock` and `grade` know nothing of processes, files and the time of day. "RULES" in comments and tests is the list of rules the project implements, by number.

pub mod adjourn;
pub mod check;
pub mod cli;
pub mod clock;
pub mod grade;
pub mod openings;
pub mod play;
pub mod player;
pub mod report;
pub mod scoresheet;
pub mod soak;
pub mod stop;
pub mod tournament;
pub mod tune;
