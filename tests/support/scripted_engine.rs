//! A UCI engine that does what its options tell it to, good or bad.
//!
//! `Line` has moves by ply; where it has none, a legal move is picked by the position's key.
//! `Script` has actions by ply, separated by semicolons: `PLY ACTION [ARGUMENT]`, where ply is the
//! number of moves in the position it is asked about. With `Ponder` it expects the next move of its
//! line, or what the action `expect` says, and tells standard error how it is let ponder.

use std::io::{BufRead, Write};
use std::time::Duration;

use qishou::chess::Position;

/// No test: the engine of the others.
#[test]
#[ignore = "this is the engine the other tests play with"]
fn the_engine() {
    run();
}

/// What makes the test program be the engine.
pub(crate) fn arguments() -> [String; 5] {
    // Within a program tests are named without it.
    let (_, module) = module_path!().split_once("::").expect("the program stands first");
    let name = format!("{module}::the_engine");
    ["--exact", &name, "--ignored", "--nocapture", "--test-threads=1"].map(str::to_owned)
}

/// What the engine knows.
#[derive(Default)]
struct Engine {
    line: Vec<String>,
    script: Vec<(usize, String, String)>,
    stubborn: bool,
    ponder: bool,
    /// It searches on the opponent's time.
    pondering: bool,
    position: Option<Position>,
    plies: usize,
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // The arbiter may have left.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

impl Engine {
    fn set(&mut self, name: &str, value: &str) {
        match name {
            "Line" => self.line = value.split_whitespace().map(str::to_owned).collect(),
            "Script" => {
                self.script = value
                    .split(';')
                    .filter_map(|part| {
                        let mut words = part.trim().splitn(3, ' ');
                        let ply = words.next()?.parse().ok()?;
                        let action = words.next()?.to_owned();
                        Some((ply, action, words.next().unwrap_or_default().to_owned()))
                    })
                    .collect();
            }
            "Ponder" => self.ponder = value == "true",
            "Stubborn" => self.stubborn = value == "true",
            _ => {}
        }
    }

    fn place(&mut self, line: &str) {
        let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let mut position: Position = match setup.strip_prefix("position fen ") {
            Some(fen) => fen.parse().expect("the arbiter sends legal positions"),
            None => Position::startpos(),
        };
        self.plies = 0;
        for word in moves.split_whitespace() {
            let mv = position.parse_uci(word).expect("the arbiter sends legal moves");
            position.play(mv);
            self.plies += 1;
        }
        self.position = Some(position);
    }

    fn go(&self) {
        let position = self.position.unwrap_or_else(Position::startpos);
        let moves = position.legal_moves();
        let picked = moves[(position.key() >> 7) as usize % moves.len()];
        let mut best = match self.line.get(self.plies) {
            Some(word) => word.clone(),
            None => position.uci(picked, false).to_string(),
        };
        let mut expected = self.line.get(self.plies + 1).filter(|_| self.ponder).cloned();
        for (_, action, argument) in self.script.iter().filter(|(ply, ..)| *ply == self.plies) {
            match action.as_str() {
                "hang" => {
                    eprintln!("hangs");
                    hang()
                }
                "die" => std::process::exit(3),
                "closeout" => {
                    // A shell would use `exec >&-`; here the whole output is given away.
                    std::process::exit(0)
                }
                "flood" => {
                    let line = format!("info string {}", "x".repeat(1000));
                    for _ in 0..100_000 {
                        say(&line);
                    }
                }
                "longline" => {
                    let part = "x".repeat(1 << 16);
                    let mut out = std::io::stdout().lock();
                    for _ in 0..1600 {
                        let _ = out.write_all(part.as_bytes());
                    }
                }
                "babble" => say("hello\ninfo\ninfo score\nbest move\n\u{7}\noption"),
                "illegal" => best = "a1a8".into(),
                "null" => best = "0000".into(),
                "none" => best = "(none)".into(),
                "nonsense" => best = "castles, I think".into(),
                "upper" => best = best.to_ascii_uppercase(),
                "late" => std::thread::sleep(Duration::from_millis(argument.parse().unwrap_or(0))),
                "twice" => say(&format!("bestmove {best}")),
                "expect" => expected = Some(argument.clone()),
                "say" => say(&format!("info string arbiter: {argument}")),
                "score" => say(&format!("info depth 9 score cp {argument} nodes 100 pv {best}")),
                _ => {}
            }
        }
        let expected = expected.map_or(String::new(), |word| format!(" ponder {word}"));
        say(&format!("bestmove {best}{expected}"));
    }
}

/// Answers until `quit` or the end of input.
fn run() {
    let mut engine = Engine::default();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => {
                say("id name Scripted\nid author tests");
                for name in ["Line", "Script", "Stubborn", "Ponder", "UCI_Chess960", "Threads"] {
                    say(&format!("option name {name} type string default <empty>"));
                }
                say("uciok");
            }
            Some("isready") => say("readyok"),
            Some("setoption") => {
                let rest = line.strip_prefix("setoption name ").unwrap_or_default();
                let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
                engine.set(name, value);
                if name == "Script" && value == "start hang" {
                    hang();
                }
            }
            Some("position") => engine.place(&line),
            Some("go") => {
                engine.pondering = words.next() == Some("ponder");
                if engine.pondering {
                    eprintln!("ponders after {} plies", engine.plies);
                } else {
                    engine.go();
                }
            }
            Some(word @ ("ponderhit" | "stop")) if engine.pondering => {
                eprintln!("{word} after {} plies", engine.plies);
                engine.pondering = false;
                engine.go();
            }
            Some("quit") if !engine.stubborn => return,
            _ => {}
        }
    }
    if engine.stubborn {
        hang();
    }
}
