//! Perft: counting the leaves of the tree of legal moves, to prove the move generator right and to
//! measure it.
//!
//! The generator and the moves are the search's own; the position is instantiated without keys.
//! The recursion is compiled once for each CPU level and the best one is chosen at run time.

use super::movegen::{Counter, MoveVisitor};
use super::zobrist::KeySet;
use super::{Bitboard, BlackSide, Color, PieceKind, Position, Side, Square, WhiteSide};

mod breakdown;
mod divide;
mod level;
mod suite;
mod table;

pub use breakdown::{Kinds, breakdown};
pub use divide::{Below, Divided, Divider};
pub use level::CpuLevel;
use level::Level;
pub use suite::{SuiteError, SuiteFault, SuiteLine, parse_suite};
pub use table::PerftTable;

/// Plays every move it is shown on a copy of the position and adds up what lies below. `LAST`: the
/// level's own way of counting follows, so checks and pins need not be found.
struct Walker<'a, K, L: Level, const LAST: bool> {
    position: &'a Position<K>,
    depth: u32,
    nodes: u64,
    sum: L::Sum,
}

impl<'a, K: KeySet, L: Level, const LAST: bool> Walker<'a, K, L, LAST> {
    #[inline(always)]
    fn walk<S: Side>(position: &'a Position<K>, depth: u32) -> u64 {
        let mut walker = Self { position, depth, nodes: 0, sum: L::zero() };
        position.visit_moves::<S, true, true, _>(None, &mut walker);
        walker.nodes + L::total(walker.sum)
    }

    /// Whether a move has to find the checks and pins it makes.
    const FIND: bool = !(LAST && L::FINDS_CHECKS);

    #[inline(always)]
    fn descend<S: Side>(&mut self, child: &Position<K>) {
        self.nodes += if LAST {
            L::count::<S::Them, K>(child, &mut self.sum)
        } else {
            L::walk::<S::Them, K>(child, self.depth - 1)
        };
    }

    /// For moves that are rare: without another copy of the counting code.
    #[inline(always)]
    fn descend_rarely<S: Side>(&mut self, child: &Position<K>) {
        self.nodes += L::walk::<S::Them, K>(child, self.depth - 1);
    }
}

impl<S: Side, K: KeySet, L: Level, const LAST: bool> MoveVisitor<S> for Walker<'_, K, L, LAST> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            let child = self.position.after_step::<S, ()>(kind, from, to, Self::FIND, &mut ());
            self.descend::<S>(&child);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            let from = to.offset(-offset);
            let child =
                self.position.after_step::<S, ()>(PieceKind::Pawn, from, to, Self::FIND, &mut ());
            self.descend::<S>(&child);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                let from = to.offset(-offset);
                let child = self.position.after_promotion::<S, ()>(from, to, kind, true, &mut ());
                self.descend_rarely::<S>(&child);
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        let child = self.position.after_en_passant::<S, ()>(from, to, true, &mut ());
        self.descend_rarely::<S>(&child);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        let child = self.position.after_castling::<S, ()>(king, rook, true, &mut ());
        self.descend_rarely::<S>(&child);
    }
}

/// The body of the recursion; inlined into one function for each CPU level.
#[inline(always)]
fn walk_body<S: Side, K: KeySet, L: Level>(position: &Position<K>, depth: u32) -> u64 {
    match depth {
        1 => {
            let mut counter = Counter::default();
            position.visit_moves::<S, true, true, _>(None, &mut counter);
            counter.0
        }
        2 => Walker::<K, L, true>::walk::<S>(position, depth),
        _ => Walker::<K, L, false>::walk::<S>(position, depth),
    }
}

/// The number of leaves `depth` plies below the position.
///
/// ```
/// use qishou::chess::{Position, perft::perft};
/// assert_eq!(perft(&Position::startpos().without_keys(), 4), 197_281);
/// ```
pub fn perft<K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
    perft_at(CpuLevel::chosen(), position, depth)
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
