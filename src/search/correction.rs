//! Correction histories: by how much searches differ from the static evaluation where pawns,
//! pieces or the last moves are the same, and so by how much to correct it elsewhere (Caissa's
//! idea, 2023).

use std::array;

use super::history::{Context, NO_CONTEXT};
use super::params;
use super::table::prefetch;
use crate::chess::{Color, Key, Piece, Position};

/// Structures told apart by each table.
const ROWS: usize = 16_384;
/// Bounds of an error, either sign.
const LIMIT: i32 = 1024;
/// What the weights are divided by.
const SCALE: i32 = 1024;
const CONTEXTS: usize = Piece::COUNT * 64;

/// An error learned, in units that [`SCALE`] and a weight turn into centipawns.
#[derive(Clone, Copy, Default)]
struct Error(i16);

impl Error {
    fn value(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves toward the bonus; shrinks what is near its bound.
    fn add(&mut self, bonus: i32) {
        let old = self.value();
        self.0 = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

/// One table for each key that tells structures apart.
const TABLES: usize = 4;

/// All errors learned, by side to move and structure, and by the last two moves.
pub(crate) struct Corrections {
    structures: Box<[[[Error; ROWS]; Color::COUNT]; TABLES]>,
    moves: Box<[[Error; CONTEXTS]]>,
}

/// The keys of the structures: pawns, White's pieces, Black's pieces, minor pieces and kings.
fn keys(position: &Position) -> [Key; TABLES] {
    let keys = position.keys();
    [keys.pawn, keys.non_pawn[0], keys.non_pawn[1], keys.minor]
}

impl Corrections {
    /// Their memory.
    pub(crate) const BYTES: usize =
        size_of::<Error>() * (TABLES * Color::COUNT * ROWS + (CONTEXTS + 1) * CONTEXTS);

    #[expect(clippy::large_stack_arrays, reason = "made once, and boxed at once")]
    pub(crate) fn new() -> Self {
        let empty = vec![[[Error(0); ROWS]; Color::COUNT]; TABLES].into_boxed_slice();
        let structures = empty.try_into().unwrap_or_else(|_| unreachable!("as long as it is"));
        let moves = vec![[Error(0); CONTEXTS]; CONTEXTS + 1].into_boxed_slice();
        Self { structures, moves }
    }

    /// A new game: nothing is known. In place, as in the other histories.
    pub(crate) fn clear(&mut self) {
        self.structures.as_flattened_mut().as_flattened_mut().fill(Error(0));
        self.moves.as_flattened_mut().fill(Error(0));
    }

    /// What was learned of each structure of this position.
    #[inline(always)]
    fn of_structures(&self, position: &Position) -> [&Error; TABLES] {
        let (side, keys) = (position.side_to_move(), keys(position));
        array::from_fn(|table| &self.structures[table][side][keys[table] as usize % ROWS])
    }

    /// What to add to the static evaluation, in centipawns. `last` are the moves one and two
    /// plies before.
    pub(crate) fn value(&self, position: &Position, last: [Context; 2]) -> i32 {
        let weights = [
            params::correct_pawns(),
            params::correct_pieces(),
            params::correct_pieces(),
            params::correct_minors(),
        ];
        let mut sum = 0;
        for (error, weight) in self.of_structures(position).into_iter().zip(weights) {
            sum += error.value() * weight;
        }
        if last[0] != NO_CONTEXT {
            sum += self.moves[last[1]][last[0]].value() * params::correct_moves();
        }
        sum / SCALE
    }

    /// Has the memory fetched that [`Self::value`] will read after a move: so many places of large
    /// tables are seldom in the nearest cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, position: &Position, last: [Context; 2]) {
        debug_assert!(last[0] != NO_CONTEXT, "after a move");
        for error in self.of_structures(position) {
            prefetch(error);
        }
        prefetch(&self.moves[last[1]][last[0]]);
    }

    /// A search of `depth` gave so many centipawns more than the static evaluation.
    pub(crate) fn learn(
        &mut self,
        position: &Position,
        last: [Context; 2],
        difference: i32,
        depth: i32,
    ) {
        let side = position.side_to_move();
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        for (table, key) in self.structures.iter_mut().zip(keys(position)) {
            table[side][key as usize % ROWS].add(bonus);
        }
        if last[0] != NO_CONTEXT && last[1] != NO_CONTEXT {
            self.moves[last[1]][last[0]].add(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_learned_for_the_side_to_move_and_stay_bounded() {
        let position = Position::startpos();
        let mut corrections = Corrections::new();
        assert_eq!(corrections.value(&position, [NO_CONTEXT; 2]), 0);
        for _ in 0..1000 {
            corrections.learn(&position, [3, 5], 10_000, 20);
        }
        let value = corrections.value(&position, [3, 5]);
        assert!((100..1000).contains(&value), "{value}");
        assert!(corrections.value(&position, [NO_CONTEXT; 2]) < value);
        let mut passed = position;
        passed.play_null();
        assert_eq!(corrections.value(&passed, [NO_CONTEXT; 2]), 0);
    }
}
