//! Accumulators: the first layer, kept up to date move by move.
//!
//! A move only notes which men went and came ([`Changes`], an [`Observer`] of the board). The sums
//! are made when an evaluation is asked for: from the last ply that has them, in one pass per ply
//! that reads, adds, subtracts and writes every neuron once. Most positions of a search are never
//! evaluated, so most sums are never made.
//!
//! When a king crosses the middle of the board, its side sees everything mirrored and the sums
//! start from scratch: not from nothing, but from the last such position with the king on that
//! half (a refresh cache, known as a "Finny table" after Finn Eggers, author of Koivisto).

use std::array;
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{Man, mirrors};
use super::forward;
use super::network::{Block, Network};
use super::simd::{Kernel, Simd};
use crate::chess::{Bitboard, Color, Move, Observer, Piece, PieceKind, Position, Square};

/// What a move changed on the board.
#[derive(Clone, Debug, Default)]
struct Changes {
    removed: ArrayVec<Man, 2>,
    added: ArrayVec<Man, 2>,
    /// Whether the side's king went to the other half of the board.
    crossed: [bool; 2],
}

impl Observer for Changes {
    const LISTENS: bool = true;

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push(Man::new(piece, square));
        self.crossed[piece.color] ^= piece.kind == PieceKind::King && mirrors(square);
    }

    #[inline(always)]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push(Man::new(piece, square));
        self.crossed[piece.color] ^= piece.kind == PieceKind::King && mirrors(square);
    }
}

#[derive(Clone, Debug, Default)]
struct Ply {
    /// What led here from the ply before.
    changes: Changes,
    /// Whether the sums of each perspective have been made.
    made: [bool; 2],
}

/// The men that sums were last made for.
#[derive(Clone, Debug, Default)]
struct Snapshot {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
}

/// What tells one set of men from another.
#[derive(Default)]
struct Difference {
    removed: ArrayVec<Man, 32>,
    added: ArrayVec<Man, 32>,
}

impl Snapshot {
    /// Takes the men of a position instead, and tells the difference.
    #[inline(never)]
    fn replace(&mut self, position: &Position) -> Difference {
        let mut difference = Difference::default();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let old = self.kinds[kind] & self.colors[color];
                let new = position.pieces(kind, color);
                let man = |square| Man::new(Piece::new(kind, color), square);
                difference.removed.extend((old - new).into_iter().map(man));
                difference.added.extend((new - old).into_iter().map(man));
            }
        }
        self.kinds = PieceKind::ALL.map(|kind| position.kind(kind));
        self.colors = Color::ALL.map(|color| position.side(color));
        difference
    }
}

/// The accumulators of a line of moves, from its first position to the present one.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    network: Arc<Network>,
    plies: Vec<Ply>,
    /// `[ply][perspective][block]`.
    sums: Vec<Block>,
    top: usize,
    /// `[perspective][half]`: what the cached sums were made for.
    snapshots: [[Snapshot; 2]; 2],
    /// `[perspective][half][block]`.
    cached: Vec<Block>,
}

impl Accumulators {
    /// Accumulators at the first position of a line.
    pub(crate) fn new(network: Arc<Network>, position: &Position) -> Self {
        let cached = network.bias().repeat(4);
        let mut accumulators = Self {
            network,
            plies: Vec::new(),
            sums: Vec::new(),
            top: 0,
            snapshots: array::from_fn(|_| array::from_fn(|_| Snapshot::default())),
            cached,
        };
        accumulators.grow();
        accumulators.reset(position);
        accumulators
    }

    pub(crate) const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a new line at this position.
    pub(crate) fn reset(&mut self, position: &Position) {
        self.top = 0;
        self.plies[0].made = [false; 2];
        let level = self.network.level();
        level.run(Update { accumulators: self, position });
    }

    /// Makes a legal move and notes what it changed.
    #[inline]
    pub(crate) fn play(&mut self, position: &Position, mv: Move) -> Position {
        self.top += 1;
        if self.top == self.plies.len() {
            self.grow();
        }
        let ply = &mut self.plies[self.top];
        ply.made = [false; 2];
        ply.changes.removed.clear();
        ply.changes.added.clear();
        ply.changes.crossed = [false; 2];
        position.child_with(mv, &mut ply.changes)
    }

    /// Goes back to the position before the last move.
    #[inline]
    pub(crate) fn undo(&mut self) {
        debug_assert!(self.top > 0, "no move to take back");
        self.top = self.top.saturating_sub(1);
    }

    /// Drops the sums of the present ply.
    pub(crate) fn forget(&mut self) {
        self.plies[self.top].made = [false; 2];
    }

    /// The evaluation of the present position for its side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> i32 {
        let level = self.network.level();
        level.run(Evaluate { accumulators: self, position })
    }

    /// Room for one more ply.
    #[cold]
    fn grow(&mut self) {
        self.plies.push(Ply::default());
        self.sums.resize(self.plies.len() * 2 * self.network.blocks(), Block::ZERO);
    }

    /// Makes the sums of both perspectives for the present position, if they are not there.
    #[inline(always)]
    fn update<S: Simd>(&mut self, simd: S, position: &Position) {
        let mirrored = self.network.architecture().mirrored;
        let view = |perspective| (perspective, mirrored && mirrors(position.king(perspective)));
        // Nearly always it is one step for both.
        if let Some(before) = self.top.checked_sub(1)
            && self.plies[before].made == [true; 2]
            && self.plies[self.top].made == [false; 2]
            && (!mirrored || self.plies[self.top].changes.crossed == [false; 2])
        {
            return self.derive(simd, [view(Color::White), view(Color::Black)], self.top);
        }
        for perspective in Color::ALL {
            self.update_one(simd, view(perspective), position);
        }
    }

    /// The same for one perspective, with its mirror.
    #[inline(always)]
    fn update_one<S: Simd>(&mut self, simd: S, view: (Color, bool), position: &Position) {
        let mirrored = self.network.architecture().mirrored;
        let perspective = view.0;
        let mut base = self.top;
        while !self.plies[base].made[perspective] {
            if base == 0 || (mirrored && self.plies[base].changes.crossed[perspective]) {
                return self.refresh(simd, perspective, position);
            }
            base -= 1;
        }
        for ply in base + 1..=self.top {
            self.derive(simd, [view], ply);
        }
    }

    /// Makes the sums of a ply from those of the ply before, for some perspectives with their
    /// mirrors.
    #[inline(always)]
    fn derive<S: Simd, const VIEWS: usize>(
        &mut self,
        simd: S,
        views: [(Color, bool); VIEWS],
        ply: usize,
    ) {
        let blocks = self.network.blocks();
        let (before, after) = self.sums.split_at_mut(ply * 2 * blocks);
        let (before, after) = (&before[(2 * ply - 2) * blocks..], &mut after[..2 * blocks]);
        let Ply { changes, made } = &mut self.plies[ply];
        let mut step = Step { simd, network: &self.network, blocks, before, after };
        match (&changes.removed[..], &changes.added[..]) {
            (&[from], &[to]) => step.make(views, [from], [to]),
            (&[taken, from], &[to]) => step.make(views, [taken, from], [to]),
            (&[king, rook], &[king_to, rook_to]) => {
                step.make(views, [king, rook], [king_to, rook_to]);
            }
            (removed, added) => unreachable!("{} men went and {} came", removed.len(), added.len()),
        }
        for (perspective, _) in views {
            made[perspective] = true;
        }
    }

    /// Makes the sums of the present ply from the cached ones of the half the king stands on.
    #[inline(always)]
    fn refresh<S: Simd>(&mut self, simd: S, perspective: Color, position: &Position) {
        let blocks = self.network.blocks();
        let half = mirrors(position.king(perspective));
        let mirror = half && self.network.architecture().mirrored;
        let snapshot = &mut self.snapshots[perspective][usize::from(half)];
        let difference = snapshot.replace(position);

        let network = &*self.network;
        let row = |man: Man| network.row(man.feature(perspective, mirror), blocks);
        let at = perspective as usize * 2 + usize::from(half);
        let cached = &mut self.cached[at * blocks..][..blocks];
        for &man in &difference.removed {
            let row = row(man);
            for at in 0..blocks {
                let lanes = simd.sub(simd.load(&cached[at]), simd.load(&row[at]));
                simd.store(lanes, &mut cached[at]);
            }
        }
        for &man in &difference.added {
            let row = row(man);
            for at in 0..blocks {
                let lanes = simd.add(simd.load(&cached[at]), simd.load(&row[at]));
                simd.store(lanes, &mut cached[at]);
            }
        }
        let at = self.top * 2 + perspective as usize;
        self.sums[at * blocks..][..blocks].copy_from_slice(cached);
        self.plies[self.top].made[perspective] = true;
    }

    /// The present sums of one perspective.
    #[inline(always)]
    fn present(&self, perspective: Color) -> &[Block] {
        let blocks = self.network.blocks();
        &self.sums[(self.top * 2 + perspective as usize) * blocks..][..blocks]
    }
}

/// From the sums of one ply to those of the next; both are those of White and then of Black.
struct Step<'a, S> {
    simd: S,
    network: &'a Network,
    blocks: usize,
    before: &'a [Block],
    after: &'a mut [Block],
}

impl<S: Simd> Step<'_, S> {
    /// Copies the sums of some perspectives with the rows of some men taken away and of some added.
    #[inline(always)]
    fn make<const VIEWS: usize, const R: usize, const A: usize>(
        &mut self,
        views: [(Color, bool); VIEWS],
        removed: [Man; R],
        added: [Man; A],
    ) {
        let Self { simd, network, blocks, .. } = *self;
        for (perspective, mirror) in views {
            let row = |man: Man| network.row(man.feature(perspective, mirror), blocks);
            let (removed, added) = (removed.map(row), added.map(row));
            let first = perspective as usize * blocks;
            let (before, after) =
                (&self.before[first..][..blocks], &mut self.after[first..][..blocks]);
            for at in 0..blocks {
                let mut lanes = simd.load(&before[at]);
                for row in added {
                    lanes = simd.add(lanes, simd.load(&row[at]));
                }
                for row in removed {
                    lanes = simd.sub(lanes, simd.load(&row[at]));
                }
                simd.store(lanes, &mut after[at]);
            }
        }
    }
}

/// Makes the sums of both perspectives.
struct Update<'a> {
    accumulators: &'a mut Accumulators,
    position: &'a Position,
}

impl Kernel for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.accumulators.update(simd, self.position);
    }
}

/// Makes the sums of both perspectives and the evaluation from them.
struct Evaluate<'a> {
    accumulators: &'a mut Accumulators,
    position: &'a Position,
}

impl Kernel for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        // Not compiled apart for each size of a network, with loops of a known length: unrolled,
        // they would fill the instruction cache, which the search needs.
        let Self { accumulators, position } = self;
        accumulators.update(simd, position);
        let network = &accumulators.network;
        let bucket = network.architecture().bucket(position.occupied().len() as usize);
        let us = position.side_to_move();
        forward::output(simd, network, bucket, accumulators.present(us), accumulators.present(!us))
    }
}
