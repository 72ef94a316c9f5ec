//! What tests of the arbiter's program share: scripted engines, runs, and looks at the records.
//!
//! The engine is the test program itself, run with the name of its hidden test.

#![allow(dead_code, reason = "no test program uses all of it")]

use std::process::{Child, Command, Stdio};

use qishou::pgn::{self, Record};

#[path = "program.rs"]
mod program;
#[path = "scripted_engine.rs"]
pub(crate) mod scripted_engine;

pub(crate) use program::{Directory, Run};

/// The words that describe a scripted engine.
pub(crate) fn engine(name: &str, options: &[(&str, &str)], more: &[&str]) -> Vec<String> {
    let program = std::env::current_exe().unwrap();
    let mut words =
        vec!["-engine".to_owned(), format!("cmd={}", program.display()), format!("name={name}")];
    words.extend(scripted_engine::arguments().iter().map(|argument| format!("arg={argument}")));
    words.extend(options.iter().map(|(name, value)| format!("option.{name}={value}")));
    words.extend(more.iter().map(ToString::to_string));
    words
}

pub(crate) fn arbiter(words: &[String]) -> Run {
    program::run(env!("CARGO_BIN_EXE_qishou-arbiter"), words)
}

/// An arbiter that is not waited for; what it says is lost.
pub(crate) fn start(words: &[String]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_qishou-arbiter"))
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

pub(crate) fn records(path: &str) -> Vec<Record> {
    pgn::read(&std::fs::read_to_string(path).unwrap())
}

pub(crate) fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// Plays one game of two scripted engines; the record.
pub(crate) fn one_game(white: &[(&str, &str)], black: &[(&str, &str)], more: &[&str]) -> Record {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let mut words = engine("A", white, &[]);
    words.extend(engine("B", black, &[]));
    words.extend(texts(&["-games", "1", "-quiet", "-pgnout", &games, "-maxmoves", "100"]));
    words.extend(texts(more));
    if !more.contains(&"-each") {
        words.extend(texts(&["-each", "tc=60"]));
    }
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
    let mut records = records(&games);
    assert_eq!(records.len(), 1);
    let record = records.remove(0);
    assert_eq!(record.flaws, [], "{record}");
    record
}

pub(crate) fn check(
    record: &Record,
    result: &str,
    details: &str,
    termination: &str,
    plies: Option<usize>,
) {
    let told = |tag| record.tag(tag).unwrap_or_default();
    assert_eq!(told("Result"), result, "{record}");
    assert!(told("TerminationDetails").starts_with(details), "{details}: {record}");
    assert_eq!(told("Termination"), termination, "{record}");
    if let Some(plies) = plies {
        assert_eq!(record.game.moves().len(), plies, "{record}");
    }
}

pub(crate) const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
pub(crate) const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
