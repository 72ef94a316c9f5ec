//! Lists the legal moves of a position in standard algebraic notation and as UCI writes them.
//!
//! `cargo run --example legal_moves -- "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"`
#![expect(clippy::print_stdout, reason = "it prints")]

use qishou::chess::{FenError, Position};

fn list(fen: &str) -> Result<Vec<String>, FenError> {
    let position: Position = fen.parse()?;
    let moves = position.legal_moves();
    Ok(moves.iter().map(|&mv| format!("{} {}", position.san(mv), mv)).collect())
}

fn main() -> Result<(), FenError> {
    let fen = std::env::args().nth(1);
    let fen = fen.as_deref().unwrap_or("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
    for line in list(fen)? {
        println!("{line}");
    }
    Ok(())
}

#[test]
fn each_legal_move_has_a_line() {
    let lines = list("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap_or_default();
    assert!(lines.contains(&"Ra8# a1a8".to_owned()), "{lines:?}");
    assert!(list("no position").is_err());
}
