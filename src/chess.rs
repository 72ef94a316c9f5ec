//! The rules of chess: boards, moves, positions, games.
//!
//! Invariant: nothing here knows of search, evaluation or protocols, nothing here is `unsafe` but
//! the choice of a CPU level in [`perft`], and no input can make it panic.

pub mod attacks;
mod bitboard;
mod color;
mod fen;
mod game;
mod movegen;
mod moves;
pub mod perft;
mod piece;
mod position;
mod setup;
mod square;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::{BlackSide, Color, Side, WhiteSide};
pub use fen::{Fen, FenError};
pub use game::{Game, IllegalMove};
pub use moves::{Move, MoveFlag, MoveList};
pub use piece::{Piece, PieceKind};
pub use position::{Observer, Position};
pub use setup::{Setup, SetupError};
pub use square::{File, Rank, Square};
pub use zobrist::{Key, Keys};
