//! The command `qishou-learn fit`: from files of games to the constants of the win model.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "tools")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use qishou::chess::{Color, Outcome, Position};
use qishou::learn::blocks::Writer;
use qishou::learn::record::GameRecord;
use qishou::search::WinModel;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TRUTH: WinModel = WinModel { half: [140.0, 0.0, 0.0], spread: [90.0, 0.0, 0.0] };

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("qishou-fit-{}-{name}", std::process::id()))
}

/// A game of random moves in which White is ahead by so much all the time, and whose result is as
/// likely as the model says.
fn game(rng: &mut ChaCha8Rng) -> GameRecord {
    let ahead = rng.random_range(-400..=400i16);
    let drawn: f64 = rng.random();
    let chances = |score: i16| TRUTH.win_probability(f64::from(score), 32);
    let outcome = if drawn < chances(ahead) {
        Outcome::Win(Color::White)
    } else if drawn > 1.0 - chances(-ahead) {
        Outcome::Win(Color::Black)
    } else {
        Outcome::Draw
    };
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    for _ in 0..20 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.random_range(0..legal.len())];
        moves.push((mv, ahead));
        position.play(mv);
    }
    GameRecord { start: Position::startpos(), outcome, moves }
}

fn fit(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qishou-learn")).arg("fit").args(arguments).output().unwrap()
}

/// The numbers in a line of a source file that stand behind a name.
fn numbers(source: &str, name: &str) -> Vec<f64> {
    let list = source.split_once(&format!("{name}: [")).unwrap().1.split_once(']').unwrap().0;
    list.split(", ").map(|number| number.parse().unwrap()).collect()
}

#[test]
fn constants_are_found_in_games_and_written_as_source() {
    let (games, source) = (temporary("games"), temporary("fitted.rs"));
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut writer = Writer::append(&games).unwrap();
    (0..4000).for_each(|_| writer.push(&game(&mut rng)).unwrap());
    writer.flush().unwrap();
    let [file, out] = [&games, &source].map(|path| path.to_str().unwrap());
    let output = fit(&[file, "--degree", "0", "--out", out, "--note", "random moves"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("4000 games, "), "{text}");
    let written = fs::read_to_string(&source).unwrap();
    let (half, spread) = (numbers(&written, "half"), numbers(&written, "spread"));
    assert!((half[0] - 140.0).abs() < 15.0 && half[1..] == [0.0, 0.0], "{written}");
    assert!((spread[0] - 90.0).abs() < 15.0 && spread[1..] == [0.0, 0.0], "{written}");
    assert!(written.contains("random moves") && !written.contains(file), "{written}");
    for path in [games, source] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn games_without_a_draw_are_refused() {
    let games = temporary("won");
    let mut writer = Writer::append(&games).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    writer.push(&GameRecord { outcome: Outcome::Win(Color::White), ..game(&mut rng) }).unwrap();
    writer.flush().unwrap();
    let output = fit(&[games.to_str().unwrap()]);
    assert!(!output.status.success());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("too few to fit"), "{complaint}");
    fs::remove_file(games).unwrap();
}

#[test]
fn the_constants_in_the_program_are_those_of_the_written_file() {
    let source = include_str!("../src/search/wdl/fitted.rs");
    assert_eq!(numbers(source, "half"), WinModel::FITTED.half);
    assert_eq!(numbers(source, "spread"), WinModel::FITTED.spread);
    assert!(source.contains("`qishou-learn fit "), "the command that made them is named");
}
