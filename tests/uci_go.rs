//! `go` with any words at all, and when searches talk.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use qishou::chess::Position;

#[path = "support/grammar.rs"]
mod grammar;
#[path = "support/host.rs"]
mod host;

use grammar::{fault, fault_of_search};
use host::{count, in_process, program};

/// Any order and subset of the words of `go`, with odd values: one best move, legal, and a scored
/// line before it; an endless one after its stop.
#[test]
fn any_go_at_all_is_answered_once() {
    let mut state = 20_261_130_u64;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let fields = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "ponder",
        "searchmoves",
        "nonsense",
    ];
    let values = ["0", "1", "3", "20", "-50", "99999999999999999999", "x", "", "+7", "1.5"];
    let positions = [
        "startpos",
        "startpos moves e2e4 e7e5",
        "fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ];
    let mut host = program();
    for _ in 0..200 {
        let mut go = "go".to_owned();
        for _ in 0..random(5) {
            let field = fields[random(fields.len())];
            go.extend([" ", field]);
            match field {
                "infinite" | "ponder" | "nonsense" => {}
                "searchmoves" => go += [" e2e4 d2d4", " e1g1", " 0000", ""][random(4)],
                _ => go.extend([" ", values[random(values.len())]]),
            }
        }
        let position = positions[random(positions.len())];
        host.say(&[&format!("position {position}"), &go]);
        // Whatever it was, it may last.
        host.say(&["isready"]);
        let mut lines = host.until("readyok");
        lines.pop();
        if !lines.iter().any(|line| line.starts_with("bestmove")) {
            host.say(&["stop"]);
            lines.extend(host.until("bestmove"));
        }
        assert_eq!(fault_of_search(&lines), None, "{position} {go}: {lines:#?}");
        for line in &lines {
            assert_eq!(fault(line), None, "{go}: {line}");
        }
        let mut here = Position::startpos();
        if let Some(fen) = position.strip_prefix("fen ") {
            here = fen.parse().unwrap();
        } else if position.ends_with("e7e5") {
            for mv in ["e2e4", "e7e5"] {
                let mv = here.parse_uci(mv).unwrap();
                here.play(mv);
            }
        }
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(
            best == "(none)" && !here.has_legal_move() || here.parse_uci(best).is_ok(),
            "{go}: {best}"
        );
    }
    assert_eq!(host.hang_up(), Vec::<String>::new());
}

/// The move under way is told in long searches only; a short one would flood the host.
#[test]
fn the_current_move_is_told_in_long_searches_only() {
    let mut host = in_process();
    host.say(&["position startpos", "go movetime 1000"]);
    let lines = host.until("bestmove");
    assert!(!lines.iter().any(|line| line.contains(" currmove ")), "{lines:#?}");
    host.say(&["setoption name MultiPV value 2", "go movetime 5000"]);
    let lines = host.until("bestmove");
    let told: Vec<&String> = lines.iter().filter(|line| line.contains(" currmove ")).collect();
    assert!(!told.is_empty(), "{lines:#?}");
    for line in &lines {
        assert_eq!(fault(line), None, "{line}");
    }
    // Numbers count the moves of the better lines as well.
    let numbers = told.iter().map(|line| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap());
    assert!(numbers.clone().all(|number| (1..=20).contains(&number)), "{lines:#?}");
    assert_eq!(numbers.max(), Some(20), "{lines:#?}");
    assert_eq!(count(&host.so_far(), "info"), 0);
    host.hang_up();
}
