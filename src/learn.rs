//! Training games, the files they live in, and the trainer of the evaluation network.
//!
//! Whole games are stored, not positions: filters can change later, and a game costs about four
//! bytes a move. The binary `qishou-learn` is a thin shell around this module.
//!
//! Invariant: a file of games is only ever appended to, and a damaged block costs that block alone.

pub mod blocks;
pub mod cli;
pub mod datagen;
pub mod exchange;
pub mod filter;
pub mod fit;
pub mod gauge;
pub mod packed;
pub mod record;
pub mod rewrite;
pub mod sample;
pub mod stats;
pub mod teacher;
pub mod train;
