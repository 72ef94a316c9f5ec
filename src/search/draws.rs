//! Draws inside the tree: repetition, fifty moves, dead material (RULES 2.4, 2.6, 2.7).

use super::cycles;
use crate::chess::{Key, Position, attacks};

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

    /// Whether the side to move can repeat a position after the root with one reversible move, and
    /// so have a draw at least.
    #[inline]
    pub(crate) fn can_repeat(&self, position: &Position) -> bool {
        let present = self.keys.len();
        let reach = (position.halfmove_clock() as usize)
            .min(present - self.floor)
            .min(present.saturating_sub(self.root + 1));
        (3..=reach).step_by(2).any(|back| {
            cycles::squares(position.key() ^ self.keys[present - back]).is_some_and(|(a, b)| {
                // One of the squares holds the man; the other, and what lies between, is empty.
                let ours = position.side(position.side_to_move());
                (ours.contains(a) || ours.contains(b))
                    && !attacks::between(a, b).intersects(position.occupied())
            })
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;

    /// Plays moves from a root and tells whether the last position can be repeated from.
    fn can_repeat_after(fen: &str, moves: &[&str]) -> bool {
        let mut position: Position = fen.parse().unwrap();
        let mut past = Past::default();
        past.reset(&[]);
        for text in moves {
            let mv: Move = position
                .legal_moves()
                .into_iter()
                .find(|mv| mv.to_string() == *text)
                .unwrap_or_else(|| panic!("{text}"));
            past.push(position.key());
            position.play(mv);
        }
        past.can_repeat(&position)
    }

    #[test]
    fn a_move_back_is_seen_before_it_is_made() {
        let fen = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
        // White's rook can go back to a2, where it was after the root.
        assert!(can_repeat_after(fen, &["a1a2", "h8h7", "a2a3", "h7h8"]));
        assert!(can_repeat_after(fen, &["a1a2", "h8h7", "a2a3", "h7h6", "a3a2", "h6h7", "a2a3"]));
        // The root itself may come once more.
        assert!(!can_repeat_after(fen, &["a1a2", "h8h7", "a2a1"]));
        // The way back is two moves long.
        assert!(!can_repeat_after(fen, &["a1a2", "h8h7", "a2b2", "h7h8", "b2b3"]));
        // A pawn move forgets.
        let fen = "4k2r/p7/8/8/8/8/8/R3K3 w - - 0 1";
        assert!(!can_repeat_after(fen, &["a1a2", "h8h7", "a2a3", "a7a6", "a3a2"]));
    }
}
