//! Opening books in the Polyglot format: which moves a book knows for a position, and a choice
//! among them.
//!
//! A book is looked up where it lies, by bisection, and never read whole. Nothing here knows who
//! asks; a chance is handed in, so the same chance gives the same move.

mod file;
mod key;
mod numbers;

pub use file::{Book, BookError, BookMove, choose};
pub use key::key;
