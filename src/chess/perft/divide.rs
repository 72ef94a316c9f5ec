//! Perft over several threads: the counts below each root move.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::{PerftTable, perft};
use crate::chess::{Move, Position};

/// How perft is to be run.
///
/// ```
/// use qishou::chess::{Position, perft::Divider};
/// let below = Divider::default().divide(&Position::startpos(), 3, &|_| {});
/// assert_eq!(below.total(), 8_902);
/// assert_eq!(below.moves.len(), 20);
/// ```
#[derive(Debug)]
pub struct Divider<'a> {
    /// Threads to use.
    pub threads: usize,
    /// Counted positions, if they are to be remembered.
    pub table: Option<&'a PerftTable>,
    /// Whether whole sets of moves are counted at the last ply, or each move made.
    pub bulk: bool,
    /// Ends the work early when set.
    pub stop: &'a AtomicBool,
}

/// What perft has counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided {
    /// What was counted below each root move.
    pub moves: Vec<Below>,
}

/// What perft has counted below one root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Below {
    /// The root move.
    pub mv: Move,
    /// Leaves counted.
    pub leaves: u64,
    /// Whether these are all, or the work was stopped before.
    pub complete: bool,
}

impl Divided {
    /// Whether everything was counted.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|below| below.complete)
    }

    /// All leaves counted.
    pub fn total(&self) -> u64 {
        self.moves.iter().map(|below| below.leaves).sum()
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Divider<'_> {
    fn default() -> Self {
        Self { threads: 1, table: None, bulk: true, stop: &NEVER }
    }
}

/// A part of the work: a position two plies below the root at most, and the root move above it.
struct Part {
    root: usize,
    position: Position,
    depth: u32,
}

impl Divider<'_> {
    /// Counts the leaves `depth` plies below the position, at least one. `progress` is told the
    /// leaves of each part of the work when it is done.
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Divided {
        let moves = position.legal_moves();
        let depth = depth.max(1);
        let mut parts = Vec::new();
        for (root, &mv) in moves.iter().enumerate() {
            split(&position.child(mv), depth - 1, root, 2, &mut parts);
        }
        let next = AtomicUsize::new(0);
        let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let missing: Vec<AtomicUsize> = moves.iter().map(|_| AtomicUsize::new(0)).collect();
        for part in &parts {
            missing[part.root].fetch_add(1, Ordering::Relaxed);
        }
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, parts.len().max(1)) {
                scope.spawn(|| {
                    while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if self.stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let leaves = self.count(&part.position, part.depth);
                        counts[part.root].fetch_add(leaves, Ordering::Relaxed);
                        missing[part.root].fetch_sub(1, Ordering::Relaxed);
                        progress(leaves);
                    }
                });
            }
        });
        let below = |(i, &mv): (usize, &Move)| Below {
            mv,
            leaves: counts[i].load(Ordering::Relaxed),
            complete: missing[i].load(Ordering::Relaxed) == 0,
        };
        Divided { moves: moves.iter().enumerate().map(below).collect() }
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        match (self.table, self.bulk) {
            (_, false) => one_by_one(&position.without_keys(), depth),
            (Some(table), true) => remembered(position, depth, table),
            (None, true) => perft(&position.without_keys(), depth),
        }
    }
}

/// Cuts the tree into parts that are small enough to share out evenly.
fn split(position: &Position, depth: u32, root: usize, plies: u32, parts: &mut Vec<Part>) {
    if plies == 0 || depth <= 3 {
        parts.push(Part { root, position: *position, depth });
    } else {
        position.for_each_move(|mv| split(&position.child(mv), depth - 1, root, plies - 1, parts));
    }
}

/// Without counting in bulk: every move of the last ply is made.
fn one_by_one(position: &Position<()>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    position.for_each_move(|mv| nodes += one_by_one(&position.child(mv), depth - 1));
    nodes
}

/// With a table. The last two plies are cheaper to count than to remember, and need no keys: so the
/// recursion is compiled for positions without keys alone.
fn remembered(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth <= 2 {
        return perft(&position.without_keys(), depth);
    }
    if let Some(count) = table.probe(position.key(), depth) {
        return count;
    }
    let mut nodes = 0;
    position.for_each_move(|mv| nodes += remembered(&position.child(mv), depth - 1, table));
    table.store(position.key(), depth, nodes);
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn threads_tables_and_single_moves_all_count_the_same() {
        let position: Position = KIWIPETE.parse().unwrap();
        let table = PerftTable::new(4);
        for threads in [1, 2, 3] {
            for (table, bulk) in [(None, true), (None, false), (Some(&table), true)] {
                let divider = Divider { threads, table, bulk, ..Divider::default() };
                let divided = divider.divide(&position, 4, &|_| {});
                assert!(divided.is_complete());
                assert_eq!(divided.total(), 4_085_603, "{divider:?}");
            }
        }
    }

    #[test]
    fn a_stopped_count_says_what_is_missing() {
        let stop = AtomicBool::new(true);
        let divider = Divider { stop: &stop, ..Divider::default() };
        let divided = divider.divide(&Position::startpos(), 5, &|_| {});
        assert!(!divided.is_complete());
        assert_eq!(divided.total(), 0);
    }

    #[test]
    fn depth_one_counts_the_moves() {
        let divided = Divider::default().divide(&Position::startpos(), 1, &|_| {});
        assert!(divided.moves.iter().all(|below| below.leaves == 1 && below.complete));
    }

    #[test]
    fn what_was_done_before_a_stop_is_kept() {
        let stop = AtomicBool::new(false);
        let divider = Divider { stop: &stop, ..Divider::default() };
        // Stopped after the first part of the work.
        let divided = divider.divide(&Position::startpos(), 6, &|_| {
            stop.store(true, Ordering::Relaxed);
        });
        assert!(!divided.is_complete());
        assert!(divided.total() > 0);
        assert!(divided.total() < 119_060_324);
    }

    #[test]
    fn a_position_without_moves_has_no_leaves() {
        let mated: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(Divider::default().divide(&mated, 5, &|_| {}).total(), 0);
    }
}
