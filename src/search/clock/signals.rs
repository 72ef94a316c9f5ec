//! The flags by which a running search is told to end.
//!
//! `fuzz/models/` reads this file too and tries all orders in which a search, its helper and a `stop`
//! can meet.

use std::time::{Duration, Instant};

use super::sync::Ordering::{Acquire, Relaxed, Release};
use super::sync::{AtomicBool, AtomicU64};

/// What the outside tells a running search, and when it began.
#[derive(Debug)]
pub(crate) struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    searching: AtomicBool,
    /// The first thread has ended its search, so the others can.
    released: AtomicBool,
    epoch: Instant,
    /// When the search began, in microseconds since `epoch`.
    began: AtomicU64,
    /// When the time for the move began: with the search, or with the ponder hit.
    clock_began: AtomicU64,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            searching: AtomicBool::new(false),
            released: AtomicBool::new(false),
            epoch: Instant::now(),
            began: AtomicU64::new(0),
            clock_began: AtomicU64::new(0),
        }
    }

    fn now(&self) -> u64 {
        self.epoch.elapsed().as_micros() as u64
    }

    /// A search begins.
    pub(crate) fn begin(&self, ponder: bool) {
        let now = self.now();
        self.began.store(now, Relaxed);
        self.clock_began.store(now, Relaxed);
        self.stop.store(false, Relaxed);
        self.released.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
        self.searching.store(true, Relaxed);
    }

    /// The search has ended.
    pub(crate) fn end(&self) {
        self.searching.store(false, Relaxed);
    }

    pub(crate) fn is_searching(&self) -> bool {
        self.searching.load(Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub(crate) fn release_helpers(&self) {
        self.released.store(true, Relaxed);
    }

    pub(crate) fn helpers_are_released(&self) -> bool {
        self.released.load(Relaxed)
    }

    pub(crate) fn ponder_hit(&self) {
        if self.is_pondering() {
            self.clock_began.store(self.now(), Relaxed);
            self.pondering.store(false, Release);
        }
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_micros(self.now().saturating_sub(self.began.load(Relaxed)))
    }

    /// Time used for this move: none while pondering.
    pub(crate) fn used(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        Duration::from_micros(self.now().saturating_sub(self.clock_began.load(Relaxed)))
    }
}
