//! The rules of chess: boards, moves, positions, games.
//!
//! Invariant: nothing here knows of search, evaluation or protocols, nothing here is `unsafe` but
//! the vector code of [`perft`] and the choice of its CPU level, and no input can make it panic.

pub mod attacks;
mod bitboard;
mod chess960;
mod color;
mod epd;
mod fen;
mod game;
pub(crate) mod movegen;
mod moves;
pub mod perft;
mod piece;
mod position;
mod san;
mod setup;
mod square;
mod uci_move;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::{BlackSide, Color, Side, WhiteSide};
pub use epd::{Epd, Operations, OperationsError};
pub use fen::{Fen, FenError};
pub use game::{Ending, Game, IllegalMove, Outcome};
pub use moves::{Move, MoveFlag, MoveList};
pub use piece::{Piece, PieceKind};
pub use position::{Observer, Position};
pub use san::{San, SanError};
pub use setup::{Setup, SetupError};
pub use square::{File, Rank, Square};
pub use uci_move::{UciMove, UciMoveError};
pub use zobrist::{Key, Keys};
