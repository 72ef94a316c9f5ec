//! Draws inside the tree: repetition, fifty moves, dead material (RULES 2.4, 2.6, 2.7).

use crate::chess::{Key, Position};

/// The keys of the positions before the present one, from the first of the game.
#[derive(Default)]
pub(crate) struct Past {
    keys: Vec<Key>,
    /// How many of them belong to the game before the root; the root is the next.
    root: usize,
    /// Positions before this one can't repeat: a null move lies between.
    floor: usize,
}

impl Past {
    /// The past of the root.
    pub(crate) fn reset(&mut self, keys: &[Key]) {
        self.keys.clear();
        self.keys.extend_from_slice(keys);
        self.root = keys.len();
        self.floor = 0;
    }

    /// A move leaves the position with this key.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// The move is taken back.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// A null move leaves the position with this key; returns what [`Self::pop_null`] needs.
    pub(crate) fn push_null(&mut self, key: Key) -> usize {
        self.keys.push(key);
        std::mem::replace(&mut self.floor, self.keys.len())
    }

    /// The null move is taken back.
    pub(crate) fn pop_null(&mut self, floor: usize) {
        self.keys.pop();
        self.floor = floor;
    }

    /// Whether the position counts as repeated: once after the root is enough, since whoever
    /// could repeat once can do it again; before it the rule's real count holds.
    fn is_repeated(&self, position: &Position) -> bool {
        let key = position.key();
        let present = self.keys.len();
        let reach = (position.halfmove_clock() as usize).min(present - self.floor);
        let mut before = 0;
        for back in (4..=reach).step_by(2) {
            let index = present - back;
            if self.keys[index] == key {
                before += 1;
                if index > self.root || before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the game is drawn here. Mate comes first (RULES 2.8).
    #[inline]
    pub(crate) fn is_draw(&self, position: &Position) -> bool {
        (position.halfmove_clock() >= 4 && self.is_repeated(position))
            || position.is_insufficient_material()
            || (position.halfmove_clock() >= 100
                && (!position.in_check() || position.has_legal_move()))
    }
}
