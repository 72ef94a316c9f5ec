//! Counting legal moves without writing them: the sets of the generator added up.

use super::super::{Bitboard, PieceKind, Side, Square};
use super::MoveVisitor;

/// Adds up the moves it is shown.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) u64);

impl<S: Side> MoveVisitor<S> for Counter {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * u64::from(targets.len());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}
