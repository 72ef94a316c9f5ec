//! `qishou-arbiter tune`: an engine plays itself with its numbers moved up and down.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::fs;

#[path = "support/matches.rs"]
mod matches;

use matches::{Directory, Run, arbiter};

fn tune(directory: &Directory, pairs: &str, list: &str) -> Run {
    fs::write(directory.file("list"), list).unwrap();
    let [list, state] = ["list", "state"].map(|name| directory.file(name));
    let engine = concat!("cmd=", env!("CARGO_BIN_EXE_qishou"));
    let begin = ["tune", "-params", &list, "-state", &state, "-engine", engine, "nodes=100"];
    let end = ["-rounds", pairs, "-concurrency", "2", "-maxmoves", "20"];
    arbiter(&begin.iter().chain(&end).map(ToString::to_string).collect::<Vec<_>>())
}

#[test]
fn a_tuning_goes_on_where_it_ended() {
    let directory = Directory::new();
    let list = "Skill Level, int, 5, 0, 20, 3, 0.5\n";
    for (pairs, done) in [("3", 3), ("5", 5), ("5", 5)] {
        let run = tune(&directory, pairs, list);
        assert_eq!(run.status, 0, "{}", run.errors);
        assert!(run.output.starts_with("Skill Level, int, "), "{}", run.output);
        let state = fs::read(directory.file("state")).unwrap();
        let state: serde_json::Value = serde_json::from_slice(&state).unwrap();
        assert_eq!(state["done"], done);
    }
}

#[test]
fn what_cannot_be_tuned_is_said_in_one_line() {
    let directory = Directory::new();
    for (list, named) in [("", "no numbers"), ("Skill Level, real, 5, 0, 20, 3, 1\n", "real")] {
        let run = tune(&directory, "1", list);
        assert_eq!(run.status, 2);
        assert_eq!(run.errors.lines().count(), 1, "{}", run.errors);
        assert!(run.errors.contains(named), "{}", run.errors);
    }
}
