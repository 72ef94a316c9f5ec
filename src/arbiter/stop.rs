//! How a running match is told to end.

use std::sync::atomic::{AtomicU8, Ordering};

/// A request that anybody may make, and that only gets more urgent.
#[derive(Debug, Default)]
pub struct Stop(AtomicU8);

const ADJOURN: u8 = 1;
const ABANDON: u8 = 2;

impl Stop {
    /// Nobody wants it to end yet.
    pub const fn new() -> Self {
        Self(AtomicU8::new(0))
    }

    /// Games are to be adjourned: who is to move thinks to the end and seals its move.
    pub fn adjourn(&self) {
        self.0.fetch_max(ADJOURN, Ordering::Relaxed);
    }

    /// Games are to be given up at once, without a result.
    pub fn abandon(&self) {
        self.0.fetch_max(ABANDON, Ordering::Relaxed);
    }

    /// Whether no new game is to begin.
    pub fn is_wished(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Whether games are to be given up.
    pub fn is_abandoned(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ABANDON
    }

    /// Asks for the same as another one.
    pub fn follow(&self, other: &Self) {
        self.0.fetch_max(other.0.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_only_gets_more_urgent() {
        let stop = Stop::new();
        assert!(!stop.is_wished());
        stop.adjourn();
        assert!(stop.is_wished() && !stop.is_abandoned());
        let other = Stop::new();
        other.follow(&stop);
        assert!(other.is_wished() && !other.is_abandoned());
        stop.abandon();
        stop.adjourn();
        assert!(stop.is_abandoned());
    }
}
