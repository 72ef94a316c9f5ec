//! The transposition table: what is known of positions met before.
//!
//! Shared by all threads without locks: everything is an atomic word, so there is no data race to
//! begin with. A cluster of three entries and their checks fills half a cache line. A check is a
//! part of the key mixed with the entry's data, so that a reader that catches the halves of two
//! different writes takes it for a miss (after Hyatt and Mann, "A lock-less transposition-table
//! implementation for parallel search", ICGA Journal 25, 2002).

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

use super::{Bound, HashError, Score};
use crate::chess::{Key, Move};

mod cluster;
mod memory;

/// Where `cluster` takes its atomics from; in `fuzz/models/` from another place.
mod sync {
    pub(super) use std::sync::atomic::{AtomicU64, Ordering};
}

use cluster::{AGES, Cluster, Data, ENTRIES};
use memory::Pages;
pub(crate) use memory::{available as available_memory, give_large_blocks_back, prefetch};

/// Tables from this size on are cleared by several threads, in clusters.
const LARGE: usize = 1 << 20;
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
    /// Whether it was once on the principal variation.
    pub(crate) pv: bool,
}

impl Entry {
    /// A static evaluation and nothing else, so that nobody has to evaluate there again.
    pub(crate) const fn of_evaluation(evaluation: Score, pv: bool) -> Self {
        Self {
            best: None,
            score: Score(-Score::INFINITE.0),
            evaluation: Some(evaluation),
            depth: 0,
            bound: Bound::Lower,
            pv,
        }
    }

    /// Whether it is an [`Self::of_evaluation`].
    pub(crate) fn is_bare(&self) -> bool {
        self.score == -Score::INFINITE
    }

    /// A better estimate than an evaluation, if the score is a bound on its far side.
    pub(crate) fn refine(&self, evaluation: Score) -> Score {
        let better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > evaluation,
            Bound::Upper => self.score < evaluation,
        };
        if better && !self.score.is_decided() { self.score } else { evaluation }
    }
}

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
                | u64::from(entry.pv) << 58
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
            pv: self.0 >> 58 & 1 != 0,
        })
    }
}

const _: () = assert!(size_of::<Cluster>() == 32);

/// The transposition table.
pub(crate) struct Table {
    clusters: Pages<Cluster>,
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
        Self::instead_of(None, mebibytes)
    }

    /// An empty table of so many MiB (at least one); `old` will be dropped before it is used.
    ///
    /// # Errors
    /// If the system does not give that much.
    pub(crate) fn instead_of(old: Option<&Self>, mebibytes: usize) -> Result<Self, HashError> {
        let count = mebibytes.max(1).saturating_mul((1 << 20) / size_of::<Cluster>());
        let freed = old.map_or(0, |table| table.clusters.taken());
        let clusters =
            Pages::new(count, freed).map_err(|reason| HashError { mebibytes, reason })?;
        Ok(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let threads = match self.clusters.len() {
            LARGE.. => thread::available_parallelism().map_or(1, usize::from).min(16),
            _ => 1,
        };
        let clear = |part: &[Cluster]| part.iter().for_each(Cluster::clear);
        let (first, rest) = self.clusters.split_at(self.clusters.len().div_ceil(threads));
        thread::scope(|scope| {
            for part in rest.chunks(first.len()) {
                let builder = thread::Builder::new().name("clear".to_owned());
                // If the system has no thread left, this one does it.
                if builder.spawn_scoped(scope, move || clear(part)).is_err() {
                    clear(part);
                }
            }
            clear(first);
        });
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

    /// What is known of this position will be asked soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<Entry> {
        self.cluster(key).find(key).and_then(|(_, data)| data.unpack())
    }

    /// Writes down what was found. Keeps the old move if there is no new one, and a much deeper
    /// entry of this search unless the new one is exact.
    pub(crate) fn store(&self, key: Key, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let cluster = self.cluster(key);
        let index = if let Some((index, old)) = cluster.find(key) {
            if entry.best.is_none() {
                entry.best = Move::from_bits(old.0 as u16);
            }
            let shallow = entry.depth + 2 * i32::from(entry.pv) + 4 <= old.depth();
            if shallow && entry.bound != Bound::Exact && old.age() == age {
                return;
            }
            index
        } else {
            cluster.least_worth(age)
        };
        cluster.write(index, key, Data::pack(&entry, age));
    }

    /// How much of the table this search has filled, in permille, judged by its beginning.
    pub(crate) fn fill(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(333)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|data| Data(data.load(Relaxed)))
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
            pv: true,
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
        for key in 1..=3 {
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
            pv: false,
        };
        // Many keys of one cluster, so that slots change hands all the time.
        thread::scope(|scope| {
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
