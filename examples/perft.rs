//! Counts the leaves of the tree of legal moves below each first move.
//!
//! `cargo run --release --example perft -- 6`
#![expect(clippy::print_stdout, reason = "it prints")]

use qishou::chess::Position;
use qishou::chess::perft::perft;

fn count(position: &Position, depth: u32) -> u64 {
    let mut total = 0;
    for mv in position.legal_moves() {
        let below = perft(&position.child(mv).without_keys(), depth - 1);
        println!("{mv}: {below}");
        total += below;
    }
    total
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(4);
    println!("{} leaves", count(&Position::startpos(), depth.max(1)));
}

#[test]
fn the_initial_position_has_its_known_leaves() {
    assert_eq!(count(&Position::startpos(), 4), 197_281);
}
