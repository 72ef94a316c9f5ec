//! Qishou (棋手, "chess player"), a chess engine that teaches itself.
//!
//! | module | what it is | knows of |
//! |---|---|---|
//! | [`chess`] | the rules: boards, moves, positions, games | nothing |
//! | [`pgn`] | records of games, written and read | `chess` |
//! | [`book`] | opening books in the Polyglot format | `chess` |
//! | [`eval`] | what a position is worth without looking ahead | `chess` |
//! | [`tablebase`] | endgame tables in the Syzygy format | `chess` |
//! | [`openings`] | random first positions | `chess` |
//! | [`search`] | from a game and limits to the best move | `chess`, evaluation, tables |
//! | [`review`] | games annotated with what an engine says of them | `chess`, `pgn`, `search` |
//! | [`uci`] | the protocol: text in, text out | all of these |
//! | [`referee`] | one game between two players: the Laws, the loop, what results are worth | `chess` |
//! | [`arbiter`] | matches between engines under the laws of competition | `chess`, `pgn`, `referee` |
//! | [`learn`] | training games and their files, the trainer | all of the above |
//!
//! Invariants: the rules know nothing of search, search knows nothing of text.

#[cfg(feature = "tools")]
pub mod arbiter;
#[cfg(feature = "engine")]
pub mod book;
#[cfg(feature = "engine")]
mod chance;
pub mod chess;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod console;
#[cfg(feature = "engine")]
pub mod eval;
#[cfg(feature = "engine")]
mod files;
#[cfg(feature = "engine")]
mod html;
#[cfg(feature = "tools")]
pub mod learn;
#[cfg(feature = "engine")]
pub mod openings;
pub mod pgn;
#[cfg(feature = "tools")]
pub mod referee;
#[cfg(feature = "engine")]
pub mod review;
#[cfg(feature = "engine")]
pub mod search;
#[cfg(feature = "engine")]
pub mod tablebase;
#[cfg(feature = "engine")]
pub mod uci;

/// The examples of the README are tested like those of the library.
#[cfg(all(doctest, feature = "engine"))]
#[doc = include_str!("../README.md")]
struct Readme;
