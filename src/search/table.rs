//! The transposition table: what is known of positions met before.
//!
//! Shared by all threads without locks. An entry is two atomic words: the data, and the key XOR
//! the data (Hyatt and Mann, "A lock-less transposition-table implementation for parallel search",
//! ICGA Journal 25, 2002). A reader that catches the halves of two different writes finds a key
//! that is not its own and takes it for a miss; every access is an atomic one, so there is no
//! data race to begin with.
#![expect(unsafe_code, reason = "zeroed pages straight from the allocator, with an error if none")]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::{Bound, HashError, Score};
use crate::chess::{Key, Move};

const ENTRIES: usize = 4;
const AGES: u8 = 32;
/// Stands for "no static evaluation" (in check).
const NO_EVALUATION: i16 = i16::MIN;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best move found, or the one that refuted; to be checked before it is made.
    pub(crate) best: Option<Move>,
    /// The score, mates counted from this position ([`Score::relative_to_node`]).
    pub(crate) score: Score,
    /// The static evaluation as the evaluation gave it; none in check.
    pub(crate) evaluation: Option<Score>,
    /// The depth searched; 0 for the quiescence search.
    pub(crate) depth: i32,
    /// What the score means.
    pub(crate) bound: Bound,
}

/// | bits | meaning |
/// |---|---|
/// | 0-15 | move |
/// | 16-31 | score |
/// | 32-47 | static evaluation |
/// | 48-55 | depth |
/// | 56-57 | bound, never 0 in an entry in use |
/// | 59-63 | age |
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn pack(entry: &Entry, age: u8) -> Self {
        let bound: u64 = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.0 as i16);
        Self(
            u64::from(entry.best.map_or(0, Move::bits))
                | u64::from(entry.score.0 as i16 as u16) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from(entry.depth.clamp(0, 255) as u8) << 48
                | bound << 56
                | u64::from(age) << 59,
        )
    }

    fn unpack(self) -> Option<Entry> {
        let bound = match self.0 >> 56 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let evaluation = (self.0 >> 32) as i16;
        Some(Entry {
            best: Move::from_bits(self.0 as u16),
            score: Score(i32::from((self.0 >> 16) as i16)),
            evaluation: (evaluation != NO_EVALUATION).then_some(Score(i32::from(evaluation))),
            depth: self.depth(),
            bound,
        })
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn is_used(self) -> bool {
        self.0 >> 56 & 3 != 0
    }
}

#[derive(Default)]
struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

/// One cache line.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; ENTRIES]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// The transposition table.
pub(crate) struct Table {
    clusters: Box<[Cluster]>,
    age: AtomicU8,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("clusters", &self.clusters.len()).finish_non_exhaustive()
    }
}

impl Table {
    /// An empty table of so many MiB (at least one).
    ///
    /// # Errors
    /// If the system does not give that much.
    pub(crate) fn new(mebibytes: usize) -> Result<Self, HashError> {
        let error = |reason: &str| HashError { mebibytes, reason: reason.to_owned() };
        let count = mebibytes
            .max(1)
            .checked_mul((1 << 20) / size_of::<Cluster>())
            .ok_or_else(|| error("more than can be addressed"))?;
        let layout =
            Layout::array::<Cluster>(count).map_err(|_| error("more than can be addressed"))?;
        #[expect(clippy::cast_ptr_alignment, reason = "the layout is that of clusters")]
        // SAFETY: the layout is not of size zero: there is at least one MiB.
        let memory = unsafe { alloc_zeroed(layout) }.cast::<Cluster>();
        if memory.is_null() {
            return Err(error("the system has not so much memory"));
        }
        let clusters = std::ptr::slice_from_raw_parts_mut(memory, count);
        // SAFETY: the memory comes from the global allocator with the layout of `[Cluster; count]`,
        // is owned by nobody else, and all-zero bytes are valid atomics, so valid clusters.
        let clusters = unsafe { Box::from_raw(clusters) };
        Ok(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.key_xor_data.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// A new search begins: what is there now is older than what comes.
    pub(crate) fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// The cluster of a key: the high part of key times size, which works for every size.
    #[inline(always)]
    fn cluster(&self, key: Key) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.key_xor_data.load(Relaxed) ^ data == key).then(|| Data(data).unpack()).flatten()
        })
    }

    /// Writes down what was found. Keeps the old move if there is no new one, and a much deeper
    /// entry of this search unless the new one is exact.
    pub(crate) fn store(&self, key: Key, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let worth = |data: Data| {
            let older = i32::from((age + AGES - data.age()) % AGES);
            if data.is_used() { data.depth() - 4 * older } else { i32::MIN }
        };
        let mut target = None;
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = Data(slot.data.load(Relaxed));
            if slot.key_xor_data.load(Relaxed) ^ data.0 == key && data.is_used() {
                if entry.best.is_none() {
                    entry.best = Move::from_bits(data.0 as u16);
                }
                let shallow = entry.depth + 4 <= data.depth();
                if shallow && entry.bound != Bound::Exact && data.age() == age {
                    return;
                }
                target = Some(slot);
                break;
            }
            if worth(data) < least {
                least = worth(data);
                target = Some(slot);
            }
        }
        if let Some(slot) = target {
            let data = Data::pack(&entry, age).0;
            slot.key_xor_data.store(key ^ data, Relaxed);
            slot.data.store(data, Relaxed);
        }
    }

    /// How much of the table this search has filled, in permille, judged by its beginning.
    pub(crate) fn fill(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| Data(slot.data.load(Relaxed)))
            .filter(|data| data.is_used() && data.age() == age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    fn entry(depth: i32) -> Entry {
        Entry {
            best: Some(Move::normal(Square::G1, Square::F3)),
            score: Score(-31_999),
            evaluation: Some(Score(-7)),
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = Table::new(1).unwrap();
        for (key, evaluation, bound) in [
            (0, None, Bound::Upper),
            (1, Some(Score(31_000)), Bound::Lower),
            (u64::MAX, Some(Score(-31_000)), Bound::Exact),
        ] {
            assert_eq!(table.probe(key), None);
            let entry = Entry { evaluation, bound, ..entry(245) };
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
        table.clear();
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry_and_old_ones_first() {
        let table = Table::new(1).unwrap();
        // Small keys share the first cluster.
        for key in 1..=4 {
            table.store(key, entry(key as i32 * 10));
        }
        table.store(5, entry(15));
        assert_eq!(table.probe(1), None);
        for _ in 0..20 {
            table.next_age();
        }
        table.store(6, entry(1));
        table.store(7, entry(1));
        assert!(table.probe(6).is_some() && table.probe(7).is_some());
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = Table::new(1).unwrap();
        table.store(9, entry(5));
        table.store(9, Entry { best: None, ..entry(6) });
        assert_eq!(table.probe(9).unwrap().best, entry(5).best);
        assert_eq!(table.probe(9).unwrap().depth, 6);
    }

    /// Two writers fight over one slot; a reader never sees the data of one under the key of the
    /// other.
    #[test]
    fn a_torn_entry_is_a_miss() {
        let table = Table::new(1).unwrap();
        let of = |key: u64| Entry {
            best: Move::from_bits(key as u16 + 1),
            score: Score(key as i32 * 3),
            evaluation: Some(Score(key as i32)),
            depth: 3,
            bound: Bound::Exact,
        };
        // Many keys of one cluster, so that slots change hands all the time.
        std::thread::scope(|scope| {
            for first in [0, 8] {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..100_000 {
                        table.store(first + round % 8, of(first + round % 8));
                    }
                });
            }
            for round in 0..100_000 {
                let key = round % 16;
                if let Some(seen) = table.probe(key) {
                    assert_eq!(seen, of(key));
                }
            }
        });
    }

    #[test]
    fn a_table_that_cannot_be_had_is_an_error() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX >> 20).is_err());
    }
}
