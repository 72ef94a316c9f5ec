//! What a line of moves leaves behind for the nodes below it, ply by ply.

use std::ops::{Index, IndexMut};

use super::Score;
use super::history::{Context, NO_CONTEXT, Slot};
use crate::chess::Move;

/// How far back a node looks, in plies.
const BACK: usize = 6;

/// One ply of the line under search.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The move being tried; none if it is the null move.
    pub(crate) mv: Option<Move>,
    /// The man that move moves and where to.
    pub(crate) context: Context,
    /// The place of that move in the butterfly history, if it is quiet.
    pub(crate) slot: Option<Slot>,
    /// Which of the moves of its node that is, counted from one.
    pub(crate) number: i32,
    /// The move left out at this node.
    pub(crate) excluded: Option<Move>,
    /// By how many plies that move is reduced, while the reduced search runs.
    pub(crate) reduction: i32,
    /// How many moves of this line, up to this ply, are extended by two plies or more.
    pub(crate) long_extensions: i32,
    /// How many nodes of this ply failed high since the last node two plies up was entered.
    pub(crate) cutoffs: u32,
    /// The static evaluation of the node; none in check.
    pub(crate) evaluation: Option<Score>,
}

const EMPTY: Frame = Frame {
    mv: None,
    context: NO_CONTEXT,
    slot: None,
    number: 0,
    excluded: None,
    reduction: 0,
    long_extensions: 0,
    cutoffs: 0,
    evaluation: None,
};

impl Frame {
    /// The null move is tried.
    pub(crate) fn pass(&mut self) {
        self.mv = None;
        self.context = NO_CONTEXT;
        self.slot = None;
    }
}

/// A frame for each ply of the line; before the root there are empty ones.
pub(crate) struct Stack(Box<[Frame]>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(vec![EMPTY; Score::MAX_PLY + BACK + 4].into_boxed_slice())
    }

    /// A new search: nothing is known.
    pub(crate) fn clear(&mut self) {
        self.0.fill(EMPTY);
    }

    /// The frame `plies` before `ply`, at most six.
    #[inline(always)]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + BACK - plies]
    }

    /// The move at this ply is extended.
    #[inline(always)]
    pub(crate) fn extend(&mut self, ply: usize, plies: i32) {
        let before = self.before(ply, 1).long_extensions;
        self[ply].long_extensions = before + i32::from(plies >= 2);
    }

    /// The mover's evaluation two plies before, or four if it was in check there.
    pub(crate) fn evaluation_before(&self, ply: usize) -> Option<Score> {
        self.before(ply, 2).evaluation.or(self.before(ply, 4).evaluation)
    }

    /// What was moved 1 and 2 plies before.
    #[inline(always)]
    pub(crate) fn last_two(&self, ply: usize) -> [Context; 2] {
        let context = |plies| self.before(ply, plies).context;
        [context(1), context(2)]
    }

    /// What was moved 1, 2, 4 and 6 plies before.
    #[inline(always)]
    pub(crate) fn contexts(&self, ply: usize) -> [Context; 4] {
        // Not by `map`, which the compiler would not inline.
        let context = |plies| self.before(ply, plies).context;
        [context(1), context(2), context(4), context(6)]
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline(always)]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[ply + BACK]
    }
}

impl IndexMut<usize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BACK]
    }
}
