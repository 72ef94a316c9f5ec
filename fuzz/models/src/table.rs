//! Two writers and a reader of one cluster of the transposition table.

use loom::sync::Arc;
use loom::thread;

#[path = "../../../src/search/table/cluster.rs"]
mod cluster;
mod sync {
    pub(super) use loom::sync::atomic::{AtomicU64, Ordering};
}

use cluster::{Cluster, Data};

type Key = u64;
/// An entry of this depth with this number in the place of move and score.
fn data(number: u64, depth: u64) -> Data {
    Data(number | depth << 48 | 1 << 56)
}

const A: (Key, u64) = (0x0012_3456, 0x1111);
const B: (Key, u64) = (0x001A_BCDE, 0x2222);

/// Writes entries into one slot, or one each into two, while another thread reads both keys.
fn meet(slots: [usize; 2]) {
    loom::model(move || {
        let cluster = Arc::new(Cluster::default());
        let writers = [(A, slots[0]), (B, slots[1])].map(|((key, number), slot)| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster.write(slot, key, data(number, 3)))
        });
        for (key, number) in [A, B] {
            if let Some((slot, seen)) = cluster.find(key) {
                assert_eq!(seen, data(number, 3));
                assert!(slots.contains(&slot));
            }
        }
        for writer in writers {
            writer.join().unwrap();
        }
        // When all is quiet each key finds its own or nothing; of two that fought for a slot at
        // most one is there.
        let left = [A, B].map(|(key, number)| {
            cluster.find(key).map(|(_, seen)| assert_eq!(seen, data(number, 3)))
        });
        if slots[0] == slots[1] {
            assert!(left[0].is_none() || left[1].is_none());
        }
    });
}

#[test]
fn two_keys_that_fight_for_a_slot_are_never_mixed_up() {
    meet([0, 0]);
}

#[test]
fn writes_to_neighbouring_slots_lose_entries_at_worst() {
    meet([0, 1]);
}

/// The same key with new data over old: a reader gets one of them whole.
#[test]
fn an_entry_that_is_renewed_is_never_half_new() {
    loom::model(|| {
        let cluster = Arc::new(Cluster::default());
        cluster.write(2, A.0, data(1, 3));
        let writer = {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster.write(2, A.0, data(2, 9)))
        };
        if let Some((slot, seen)) = cluster.find(A.0) {
            assert_eq!(slot, 2);
            assert!(seen == data(1, 3) || seen == data(2, 9), "{seen:?}");
        }
        writer.join().unwrap();
        assert_eq!(cluster.find(A.0), Some((2, data(2, 9))));
    });
}

/// That the model sees what goes wrong: without checks the data of one key stand under the other.
#[test]
#[should_panic = "mixed up"]
fn a_table_without_checks_is_found_out() {
    use sync::{AtomicU64, Ordering::Relaxed};
    loom::model(|| {
        let slot = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let writers = [1, 2].map(|number| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || {
                slot[0].store(number, Relaxed);
                slot[1].store(10 * number, Relaxed);
            })
        });
        let (key, value) = (slot[0].load(Relaxed), slot[1].load(Relaxed));
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(key == 0 || value == 0 || value == 10 * key, "mixed up");
    });
}
