//! Three entries that many threads read and write without locks.
//!
//! `fuzz/models/` reads this file too and tries all orders in which two writers and a reader can meet.

use super::Key;
use super::sync::{AtomicU64, Ordering::Relaxed};

pub(super) const ENTRIES: usize = 3;
/// Bits of a check; those of a whole cluster fit into one word.
const CHECK_BITS: usize = 21;
const CHECK: u64 = (1 << CHECK_BITS) - 1;
pub(super) const AGES: u8 = 32;

/// | bits | meaning |
/// |---|---|
/// | 0-15 | move |
/// | 16-31 | score |
/// | 32-47 | static evaluation |
/// | 48-55 | depth |
/// | 56-57 | bound, never 0 in an entry in use |
/// | 58 | principal variation |
/// | 59-63 | age |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Data(pub(super) u64);

impl Data {
    pub(super) fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    pub(super) fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    pub(super) fn is_used(self) -> bool {
        self.0 >> 56 & 3 != 0
    }
}

/// Three entries; two clusters share a cache line.
#[derive(Default)]
#[repr(align(32))]
pub(super) struct Cluster {
    pub(super) data: [AtomicU64; ENTRIES],
    checks: AtomicU64,
}

/// What has to stand in the checks beside this data under this key.
#[inline(always)]
fn check(key: Key, data: u64) -> u64 {
    (key ^ data.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) & CHECK
}

impl Cluster {
    /// The data of the entry for a key and where it is.
    #[inline(always)]
    pub(super) fn find(&self, key: Key) -> Option<(usize, Data)> {
        let checks = self.checks.load(Relaxed);
        (0..ENTRIES).find_map(|index| {
            let data = self.data[index].load(Relaxed);
            let found = checks >> (CHECK_BITS * index) & CHECK;
            let data = Data(data);
            (data.is_used() && found == check(key, data.0)).then_some((index, data))
        })
    }

    /// Another thread that writes at the same time may spoil the check of one of its entries or
    /// of this: then that is lost.
    pub(super) fn write(&self, index: usize, key: Key, data: Data) {
        let shift = CHECK_BITS * index;
        let others = self.checks.load(Relaxed) & !(CHECK << shift);
        self.data[index].store(data.0, Relaxed);
        self.checks.store(others | check(key, data.0) << shift, Relaxed);
    }

    /// The entry that is missed least: unused, shallow or old.
    pub(super) fn least_worth(&self, age: u8) -> usize {
        let worth = |index: &usize| {
            let data = Data(self.data[*index].load(Relaxed));
            let older = i32::from((age + AGES - data.age()) % AGES);
            if data.is_used() { data.depth() - 4 * older } else { i32::MIN }
        };
        (0..ENTRIES).min_by_key(worth).unwrap_or(0)
    }

    pub(super) fn clear(&self) {
        self.data.iter().for_each(|data| data.store(0, Relaxed));
        self.checks.store(0, Relaxed);
    }
}
