//! Thinks about a position for a number of nodes and tells the three best lines.
//!
//! `cargo run --release --example analyse_position -- "FEN" 1000000`
#![expect(clippy::print_stdout, reason = "it prints")]

use std::error::Error;

use qishou::chess::{Game, Position};
use qishou::search::{BestMove, Limits, Report, Searcher, Sink};

/// The newest report of each line.
#[derive(Default)]
struct Newest(Vec<Report>);

impl Sink for Newest {
    fn report(&mut self, report: &Report) {
        let line = report.multi_pv as usize - 1;
        match self.0.get_mut(line) {
            Some(old) => *old = report.clone(),
            None => self.0.push(report.clone()),
        }
    }

    fn finished(&mut self, _: BestMove) {}
}

fn analyse(fen: &str, nodes: u64) -> Result<Vec<Report>, Box<dyn Error>> {
    let position: Position = fen.parse()?;
    let mut newest = Newest::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Searcher::new(16)?.search_with(&Game::new(position), &limits, 3, &mut newest);
    Ok(newest.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let fen = words.next();
    let fen = fen
        .as_deref()
        .unwrap_or("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let nodes = words.next().and_then(|word| word.parse().ok()).unwrap_or(100_000);
    for report in analyse(fen, nodes)? {
        let moves: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
        println!("{}. {:?} {}", report.multi_pv, report.score, moves.join(" "));
    }
    Ok(())
}

#[test]
fn three_lines_come_back_and_the_mate_is_first() {
    let lines = analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 20_000).unwrap_or_default();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0].pv[0].to_string(), "a1a8");
}
