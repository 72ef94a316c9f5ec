//! A table of counted positions, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::chess::Key;

/// Remembers how many leaves lie below positions.
///
/// An entry is two words: the count with the depth in its top byte, and the key XORed with that
/// word. A torn entry, half from one thread and half from another, does not match its key.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<[AtomicU64; 2]>,
}

const DEPTH_SHIFT: u32 = 56;

impl PerftTable {
    /// A table of this many MiB, at least one entry.
    pub fn new(mebibytes: usize) -> Self {
        let count = (mebibytes << 20) / size_of::<[AtomicU64; 2]>();
        let mut entries = Vec::new();
        entries.resize_with(count.max(1), Default::default);
        Self { entries }
    }

    fn entry(&self, key: Key, depth: u32) -> &[AtomicU64; 2] {
        // Different depths of one position live in different places.
        let mixed = key.wrapping_add(u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let index = (u128::from(mixed) * self.entries.len() as u128) >> 64;
        &self.entries[index as usize]
    }

    /// The leaves `depth` plies below the position with this key, if they have been counted.
    pub fn probe(&self, key: Key, depth: u32) -> Option<u64> {
        let [check, word] = self.entry(key, depth);
        let word = word.load(Ordering::Relaxed);
        let known =
            check.load(Ordering::Relaxed) ^ word == key && (word >> DEPTH_SHIFT) as u32 == depth;
        known.then_some(word & ((1 << DEPTH_SHIFT) - 1))
    }

    /// Remembers a count. Counts of 2^56 and more are not kept.
    pub fn store(&self, key: Key, depth: u32, count: u64) {
        if count >> DEPTH_SHIFT != 0 {
            return;
        }
        let new = count | u64::from(depth) << DEPTH_SHIFT;
        let [check, word] = self.entry(key, depth);
        check.store(key ^ new, Ordering::Relaxed);
        word.store(new, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_at_its_depth_only() {
        let table = PerftTable::new(1);
        table.store(42, 5, 1234);
        assert_eq!(table.probe(42, 5), Some(1234));
        assert_eq!(table.probe(42, 4), None);
        assert_eq!(table.probe(43, 5), None);
    }
}
