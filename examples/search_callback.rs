//! A search in the background that is listened to and stopped as soon as it has seen enough.
//!
//! `cargo run --release --example search_callback`
#![expect(clippy::print_stdout, reason = "it prints")]

use std::sync::mpsc::{Sender, channel};

use qishou::chess::{Game, Move};
use qishou::search::{BestMove, Engine, Limits, Report, Sink};

/// What the search thread passes on.
enum News {
    Depth(u32),
    Done(Option<Move>),
}

struct PassOn(Sender<News>);

impl Sink for PassOn {
    fn report(&mut self, report: &Report) {
        // Nobody listens any more: then nobody wants to know.
        let _ = self.0.send(News::Depth(report.depth));
    }

    fn finished(&mut self, best: BestMove) {
        let _ = self.0.send(News::Done(best.best));
    }
}

/// The best move of an endless search that is stopped after so many iterations.
fn think(depth: u32) -> Option<Move> {
    let mut engine = Engine::new();
    let (sender, news) = channel();
    let limits = Limits { infinite: true, ..Limits::default() };
    engine.go(&Game::default(), limits, Box::new(PassOn(sender)));
    for news in news {
        match news {
            News::Depth(reached) if reached >= depth => engine.stop(),
            News::Depth(_) => {}
            News::Done(best) => return best,
        }
    }
    None
}

fn main() {
    match think(10) {
        Some(mv) => println!("{mv}"),
        None => println!("no move"),
    }
}

#[test]
fn a_stopped_search_has_a_move() {
    assert!(think(3).is_some());
}
