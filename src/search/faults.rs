//! Searches that break down on purpose, to see what becomes of them. Only with the feature `faults`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The node at which the first search thread breaks down, and that of the others; 0 for never.
static NODES: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// From now on the first thread of every search, or each of the others, panics at this node; at
/// none if that is 0.
#[doc(hidden)]
pub fn break_down_at(node: u64, helpers: bool) {
    NODES[usize::from(helpers)].store(node, Relaxed);
}

/// The thread with this number in its team has entered so many nodes.
pub(super) fn strike(node: u64, number: usize) {
    assert!(NODES[usize::from(number > 0)].load(Relaxed) != node, "a fault on purpose");
}
