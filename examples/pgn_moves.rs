//! Reads PGN files and prints a line a game: the first position, the moves as UCI writes them, the
//! result, and what is wrong with the record.
//!
//! `cargo run --example pgn_moves -- FILE.pgn...`
#![expect(clippy::print_stdout, reason = "it prints")]

use qishou::chess::Fen;
use qishou::pgn;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        for record in pgn::read(&String::from_utf8_lossy(&bytes)) {
            let mut position = *record.game.start();
            let mut moves = Vec::new();
            for &mv in record.game.moves() {
                moves.push(position.uci(mv, true).to_string());
                position.play(mv);
            }
            let result = record.result.map_or("none".to_owned(), |mark| mark.to_string());
            let flaws: Vec<String> = record.flaws.iter().map(ToString::to_string).collect();
            println!(
                "{path}:{}\t{}\t{}\t{result}\t{}",
                record.line,
                Fen::shredder(record.game.start()),
                moves.join(" "),
                flaws.join("; ")
            );
        }
    }
    Ok(())
}
