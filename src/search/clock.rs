//! Time: when a search has to end; with `signals` the only place that reads the clock.
//!
//! Two bounds: after the soft one no new iteration begins, at the hard one the search breaks off.

use std::time::Duration;

use super::{Clock, Limits};

mod signals;
/// Where `signals` takes its atomics from; in `fuzz/models/` from another place.
mod sync {
    pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
}

pub(crate) use signals::Signals;

/// How many moves the rest of a game without periods is planned for.
const HORIZON: i64 = 24;
/// A machine that has other work may stop a program for so long now and then, in milliseconds: more than is
/// lost with each move, and no reason to lose a game.
const RESERVE: i64 = 40;
/// Longest time and increment taken at face value, in milliseconds: more than a year.
const LONGEST: i64 = 1 << 35;

/// Soft and hard bounds for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// After this no new iteration begins.
    pub(crate) soft: Duration,
    /// At this the search breaks off.
    pub(crate) hard: Duration,
}

impl Bounds {
    /// The bounds of a move that is the only one: nothing is left to think about.
    pub(crate) fn without_choice(self) -> Self {
        const ENOUGH: Duration = Duration::from_millis(10);
        Self { soft: self.soft.min(ENOUGH), hard: self.hard.min(ENOUGH) }
    }
}

/// Milliseconds as a duration, at least one.
fn milliseconds(count: i64) -> Duration {
    Duration::from_millis(count.max(1).unsigned_abs())
}

/// How to spend a clock, if each move loses `overhead` milliseconds on the way.
pub(crate) fn bounds_of_clock(clock: &Clock, overhead: u64) -> Bounds {
    let overhead = i64::try_from(overhead).unwrap_or(LONGEST).min(LONGEST);
    let increment = clock.increment.clamp(0, LONGEST);
    let time = clock.time.clamp(0, LONGEST);
    // With a long overhead and a short clock something must be left to think.
    let usable = (time - overhead - RESERVE.min(time / 4)).max(time / 16);
    let moves = clock.moves_to_go.map_or(HORIZON, |moves| i64::from(moves).clamp(1, 2 * HORIZON));
    // In a period the last moves may use all there is; else a reserve stays.
    let (soft, hard) = if clock.moves_to_go.is_some() {
        let share = usable / moves + increment * 3 / 4;
        (share, (4 * share).min(usable * 3 / 4))
    } else {
        let share = usable / moves + increment * 3 / 4;
        (share * 7 / 10, (4 * share).min(usable * 3 / 5))
    };
    let hard = hard.min(usable);
    Bounds { soft: milliseconds(soft.min(hard)), hard: milliseconds(hard) }
}

/// The bounds that limits set, if they set any.
pub(crate) fn bounds(limits: &Limits, overhead: u64) -> Option<Bounds> {
    let fixed = limits.move_time.map(|time| {
        let overhead = Duration::from_millis(overhead).min(time / 2);
        let hard = time.saturating_sub(overhead).max(Duration::from_millis(1));
        Bounds { soft: hard, hard }
    });
    let clock = limits.clock.as_ref().map(|clock| bounds_of_clock(clock, overhead));
    match (fixed, clock) {
        (Some(a), Some(b)) => Some(Bounds { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clock_is_overdrawn_however_odd() {
        let numbers = [i64::MIN, -5000, -1, 0, 1, 9, 30, 100, 1000, 60_000, 7_200_000, i64::MAX];
        for time in numbers {
            for increment in numbers {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 5000, u64::MAX] {
                        let clock = Clock { time, increment, moves_to_go };
                        let Bounds { soft, hard } = bounds_of_clock(&clock, overhead);
                        let left = Duration::from_millis(time.max(1).unsigned_abs());
                        assert!(soft <= hard && hard <= left, "{clock:?}: {soft:?} {hard:?}");
                        assert!(hard >= Duration::from_millis(1));
                        if time > 10_000 && overhead < 100 {
                            assert!(hard < left.mul_f64(0.8), "{clock:?}: {soft:?} {hard:?}");
                            assert!(soft > Duration::from_millis(100), "{clock:?}: {soft:?}");
                        }
                        if time <= 0 {
                            assert_eq!(hard, Duration::from_millis(1), "{clock:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_short_clock_keeps_a_reserve_for_a_machine_that_stands_still() {
        for (time, reserve) in [(60, 15), (200, 50), (1000, 50)] {
            for moves_to_go in [None, Some(1)] {
                let clock = Clock { time, increment: 2, moves_to_go };
                let hard = bounds_of_clock(&clock, 10).hard.as_millis();
                assert!(hard + reserve <= time as u128, "{clock:?}: {hard}");
            }
        }
    }

    #[test]
    fn a_period_is_spent_evenly_and_increments_are_used() {
        let clock = |time, increment, moves_to_go| {
            bounds_of_clock(&Clock { time, increment, moves_to_go }, 10).soft.as_millis()
        };
        assert!((1200..2000).contains(&clock(60_000, 0, Some(40))));
        assert!((10_000..50_000).contains(&clock(60_000, 0, Some(1))));
        assert!((1000..3000).contains(&clock(60_000, 0, None)));
        assert!(clock(60_000, 2000, None) > clock(60_000, 0, None) + 800);
    }

    #[test]
    fn a_fixed_time_keeps_the_overhead_back() {
        let limits = Limits { move_time: Some(Duration::from_secs(3)), ..Limits::default() };
        assert_eq!(bounds(&limits, 10).unwrap().hard, Duration::from_millis(2990));
        assert_eq!(bounds(&limits, 1_000_000).unwrap().hard, Duration::from_millis(1500));
        assert_eq!(bounds(&Limits::default(), 10), None);
    }
}
