//! A search of two threads, as `team` holds it, and a session that stops it: however they meet, the
//! search ends, its helper too, and the end is told once. A meeting without end would be reported.
//!
//! The flags are the program's own; the loop around them is `Team::begin`, `Task::lead`,
//! `Task::linger` and `Team::wait` without the chess. In the place of the channel of findings stands a
//! flag that is waited for: loom takes a wake-up meant for `park` for one of its channel.

use loom::sync::Arc;
use loom::sync::atomic::AtomicUsize;
use loom::thread;

#[path = "../../../src/search/clock/signals.rs"]
mod signals;
mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
}

use signals::Signals;
use sync::AtomicBool;
use sync::Ordering::{Acquire, Relaxed, Release};

/// What the session does while the search runs.
#[derive(Clone, Copy)]
enum Session {
    Stop,
    PonderHit,
    PonderHitAndStop,
    Nothing,
}

/// A search that nobody has to end, or one that has to be ended (infinite or pondering).
fn play(session: Session, infinite: bool, ponder: bool) {
    loom::model(move || {
        let signals = Arc::new(Signals::new());
        let ends = Arc::new(AtomicUsize::new(0));
        signals.begin(ponder);
        let found = Arc::new(AtomicBool::new(false));
        let helper = {
            let (signals, found) = (Arc::clone(&signals), Arc::clone(&found));
            thread::spawn(move || {
                // Polls between nodes; it may also run out of them.
                for _ in 0..2 {
                    if signals.is_stopped() || signals.helpers_are_released() {
                        break;
                    }
                    thread::yield_now();
                }
                found.store(true, Release);
            })
        };
        let first = {
            let (signals, ends) = (Arc::clone(&signals), Arc::clone(&ends));
            thread::spawn(move || {
                if !signals.is_stopped() {
                    thread::yield_now();
                }
                signals.release_helpers();
                while !found.load(Acquire) {
                    thread::yield_now();
                }
                while !signals.is_stopped() && (infinite || signals.is_pondering()) {
                    thread::park();
                }
                signals.end();
                ends.fetch_add(1, Relaxed);
            })
        };
        if matches!(session, Session::PonderHit | Session::PonderHitAndStop) {
            signals.ponder_hit();
            first.thread().unpark();
        }
        if matches!(session, Session::Stop | Session::PonderHitAndStop) {
            signals.stop();
            first.thread().unpark();
        }
        first.join().unwrap();
        helper.join().unwrap();
        assert_eq!(ends.load(Relaxed), 1);
        assert!(!signals.is_searching());
    });
}

#[test]
fn an_endless_search_hears_its_stop() {
    play(Session::Stop, true, false);
}

#[test]
fn a_search_on_the_opponents_time_hears_its_hit_or_stop() {
    play(Session::PonderHit, false, true);
    play(Session::Stop, false, true);
    play(Session::PonderHitAndStop, false, true);
}

#[test]
fn a_search_that_ends_by_itself_needs_nobody() {
    play(Session::Nothing, false, false);
    play(Session::Stop, false, false);
}

/// That the model sees what goes wrong: nobody ends this search, and loom says so. It aborts the whole
/// program where it finds a deadlock, so this is run by itself: `-- --ignored` has to fail.
#[test]
#[ignore = "loom aborts the program where it finds a deadlock, as it has to here"]
fn a_search_that_nobody_stops_is_found_out() {
    play(Session::Nothing, true, false);
}
