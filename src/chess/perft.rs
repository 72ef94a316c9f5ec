//! Perft: counting the leaves of the tree of legal moves, to prove the move generator right and to
//! measure it.
//!
//! The generator and the moves are the search's own; the position is instantiated without keys.
//! The recursion is compiled once for each CPU level and the best one is chosen at run time.

use super::movegen::{MoveVisitor, count_by_fill};
use super::{Bitboard, BlackSide, Color, PieceKind, Position, Side, Square, WhiteSide};
use crate::chess::zobrist::KeySet;

mod level;

pub use level::CpuLevel;
use level::Level;

/// Plays every move it is shown on a copy of the position and adds up what lies below.
struct Walker<'a, K, L> {
    position: &'a Position<K>,
    depth: u32,
    nodes: u64,
    level: std::marker::PhantomData<L>,
}

impl<K: KeySet, L: Level> Walker<'_, K, L> {
    #[inline(always)]
    fn descend<S: Side>(&mut self, play: impl FnOnce(&mut Position<K>)) {
        let mut child = *self.position;
        play(&mut child);
        self.nodes += L::walk::<S::Them, K>(&child, self.depth - 1);
    }
}

impl<S: Side, K: KeySet, L: Level> MoveVisitor<S> for Walker<'_, K, L> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.descend::<S>(|child| child.step::<S, ()>(kind, from, to, &mut ()));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            let from = to.offset(-offset);
            self.descend::<S>(|child| child.step::<S, ()>(PieceKind::Pawn, from, to, &mut ()));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                let from = to.offset(-offset);
                self.descend::<S>(|child| child.promote::<S, ()>(from, to, kind, &mut ()));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.descend::<S>(|child| child.capture_en_passant::<S, ()>(from, to, &mut ()));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.descend::<S>(|child| child.castle::<S, ()>(king, rook, &mut ()));
    }
}

/// The body of the recursion; inlined into one function for each CPU level.
#[inline(always)]
fn walk_body<S: Side, K: KeySet, L: Level>(position: &Position<K>, depth: u32) -> u64 {
    if depth == 1 {
        return if L::WIDE {
            count_by_fill::<S, K>(position)
        } else {
            let mut counter = super::movegen::Counter::default();
            position.visit_moves::<S, true, true, _>(&mut counter);
            counter.0
        };
    }
    let mut walker = Walker::<K, L> { position, depth, nodes: 0, level: std::marker::PhantomData };
    position.visit_moves::<S, true, true, _>(&mut walker);
    walker.nodes
}

/// The number of leaves `depth` plies below the position.
///
/// ```
/// use qishou::chess::{Position, perft::perft};
/// assert_eq!(perft(&Position::startpos().without_keys(), 4), 197_281);
/// ```
pub fn perft<K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
    perft_at(CpuLevel::detected(), position, depth)
}

/// The same on a given CPU level, which is lowered to what this machine can run.
pub fn perft_at<K: KeySet>(level: CpuLevel, position: &Position<K>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.side_to_move() {
        Color::White => level::walk::<WhiteSide, K>(level, position, depth),
        Color::Black => level::walk::<BlackSide, K>(level, position, depth),
    }
}
