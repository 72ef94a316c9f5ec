//! A search that panics does not hang the host: it hears of it, gets the best move so far, and all
//! goes on. Run on the program as it is released:
//!
//! `cargo test --release --features faults --test faults`

#![expect(clippy::unwrap_used, reason = "the other end may end by panic")]

use std::time::Duration;

#[path = "support/host.rs"]
mod host;

use host::{count, errors, program};

const SOON: Duration = Duration::from_secs(20);

/// The last move a line of thinking began with.
fn best_so_far(lines: &[String]) -> Option<&str> {
    let exact = |line: &&String| line.contains(" multipv 1 ") && !line.contains("upperbound");
    let line = lines.iter().rev().find(exact)?;
    line.split_once(" pv ")?.1.split(' ').next()
}

#[test]
fn a_fault_of_the_first_thread_ends_in_the_best_move_so_far() {
    for threads in [1, 2, 3] {
        let mut host = program();
        host.say(&[&format!("setoption name Threads value {threads}")]);
        for node in ["1", "300", "20000"] {
            host.say(&[
                &format!("setoption name Fault value {node}"),
                "position startpos moves e2e4",
            ]);
            host.say(&["go depth 60 movetime 15000"]);
            let lines = host.until_within("bestmove", SOON);
            assert_eq!(errors(&lines), ["the search broke off"], "{threads} threads, node {node}");
            let answer = lines.last().and_then(|line| line.split(' ').nth(1));
            assert!(answer.is_some_and(|answer| answer.len() == 4), "{lines:#?}");
            if let Some(best) = best_so_far(&lines) {
                assert_eq!(answer, Some(best), "{threads} threads, node {node}");
            }
            assert_eq!(count(&host.so_far(), "bestmove"), 0);
        }
        host.say(&["setoption name Fault value 0", "go depth 8"]);
        assert_eq!(errors(&host.until("bestmove")), [""; 0]);
        host.hang_up();
    }
}

#[test]
fn an_endless_search_that_breaks_down_answers_its_stop() {
    let mut host = program();
    host.say(&["setoption name Fault value 5000", "go infinite"]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(count(&host.so_far(), "bestmove"), 0);
    host.say(&["stop"]);
    let lines = host.until_within("bestmove", SOON);
    assert_eq!(count(&lines, "bestmove"), 1);
    host.hang_up();
}

#[test]
fn a_fault_of_a_helper_is_told_and_costs_nothing_else() {
    let mut host = program();
    host.say(&["setoption name Threads value 3", "setoption name Helper Fault value 500"]);
    for _ in 0..3 {
        host.say(&["go movetime 200"]);
        let lines = host.until_within("bestmove", SOON);
        assert_eq!(errors(&lines), ["the search of a helper broke off"]);
    }
    host.hang_up();
}
