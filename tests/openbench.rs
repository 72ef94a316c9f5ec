//! What `OpenBench` runs and reads.
#![cfg(feature = "engine")]
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::collections::HashSet;
use std::process::Command;

use qishou::chess::Position;

/// The positions a `genfens` command prints.
fn positions(command: &str) -> Vec<String> {
    let run = Command::new(env!("CARGO_BIN_EXE_qishou")).args([command, "quit"]).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let fens = text.lines().filter_map(|line| line.strip_prefix("info string genfens "));
    fens.map(str::to_owned).collect()
}

#[test]
fn genfens_prints_so_many_positions_that_follow_from_the_seed() {
    let first = positions("genfens 12 seed 42 book None");
    assert_eq!(first.len(), 12);
    for fen in &first {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let position: Position = fen.parse().unwrap();
        assert!(position.has_legal_move());
    }
    assert_eq!(positions("genfens 12 seed 42 book None"), first);
    let other = positions("genfens 12 seed 43 book None");
    let all: HashSet<&String> = first.iter().chain(&other).collect();
    assert_eq!(all.len(), 24);
}

#[test]
fn genfens_begins_with_the_positions_of_a_book() {
    let path = std::env::temp_dir().join(format!("qishou-genfens-{}.epd", std::process::id()));
    // A rook each, so that random moves leave most games level.
    std::fs::write(&path, "r3k3/p7/8/8/8/8/P7/R3K3 w - - id \"a\";\n").unwrap();
    let fens = positions(&format!("genfens 3 seed 1 book {} dfrc 0", path.display()));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(fens.len(), 3);
    for fen in fens {
        let board = fen.split(' ').next().unwrap();
        assert!(board.chars().all(|c| "kKrRpP/12345678".contains(c)), "{fen}");
    }
}

#[test]
fn the_last_line_of_bench_has_nodes_and_speed() {
    let run = Command::new(env!("CARGO_BIN_EXE_qishou")).args(["bench", "1", "1", "1"]).output();
    let text = String::from_utf8(run.unwrap().stdout).unwrap();
    let words: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    assert!(
        matches!(words[..], [nodes, "nodes", speed, "nps"]
        if nodes.parse::<u64>().is_ok() && speed.parse::<u64>().is_ok()),
        "{text}"
    );
}
