//! What the arbiter is measured by: too slow, or too dependent on an idle machine, for every run.
//!
//! `cargo test --release --test arbiter_bars -- --ignored --nocapture --test-threads=1`

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a failing test panics; figures")]

use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use qishou::arbiter::player::{Engine, Player};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "support/matches.rs"]
mod matches;

use matches::*;

fn rounds(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let records = qishou::pgn::read(&text);
    let whole = records.iter().filter(|record| record.result.is_some());
    whole.map(|record| record.tag("Round").unwrap().to_owned()).collect()
}

#[test]
#[ignore = "takes half a minute"]
fn a_match_of_200_games_killed_ten_times_loses_none_and_repeats_none() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let slow = [("Script", "0 late 150"), ("Stubborn", "true")];
    let mut words = engine("A", &slow, &[]);
    words.extend(engine("B", &slow, &[]));
    let more = ["-each", "tc=60", "-rounds", "100", "-maxmoves", "12", "-concurrency", "2"];
    words.extend(texts(&more));
    words.extend(texts(&["-quiet", "-pgnout", &games]));
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut kept = Vec::new();
    for kill in 1..=10 {
        let mut child = start(&words);
        std::thread::sleep(Duration::from_millis(rng.random_range(200..1500)));
        assert!(child.try_wait().unwrap().is_none(), "kill {kill} comes too late");
        child.kill().unwrap();
        child.wait().unwrap();
        let now = rounds(&games);
        assert_eq!(now[..kept.len()], kept, "a finished game was lost");
        println!("kill {kill}: {} games", now.len());
        kept = now;
    }
    assert!(!kept.is_empty());
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    let all = rounds(&games);
    assert_eq!(all[..kept.len()], kept);
    assert_eq!(all.len(), 200);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 200);
}

fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize]
}

#[test]
#[ignore = "measures time: wants an idle machine"]
fn a_move_costs_less_than_a_millisecond() {
    let mut stub = Engine::new(std::env::current_exe().unwrap());
    stub.arguments = scripted_engine::arguments().to_vec();
    let mut player = Player::start(&stub, false, None).unwrap();
    let (mut charged, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        player.new_game().unwrap();
        for ply in 0..100 {
            let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
            let moves: Vec<&str> = shuffle.iter().copied().cycle().take(ply).collect();
            let position = format!("position startpos moves {}", moves.join(" "));
            let begin = Instant::now();
            let allowance = Some(Duration::from_mins(1));
            let go = "go wtime 60000 btime 60000";
            let thought = player.think(&position, go, allowance, || true).unwrap();
            whole.push(begin.elapsed());
            charged.push(thought.used);
        }
    }
    for (what, times) in [("on the clock", &mut charged), ("in all", &mut whole)] {
        let [median, high] = [0.5, 0.99].map(|share| percentile(times, share));
        println!("a move {what}: median {median:?}, 99 % below {high:?}");
        assert!(high < Duration::from_millis(1), "{what}: {high:?}");
    }
}

/// Processor time of a process itself, and of its children that have ended, in ticks.
#[cfg(target_os = "linux")]
fn ticks(process: &str) -> Option<(u64, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<u64> = text
        .rsplit_once(") ")?
        .1
        .split(' ')
        .map(|field| field.trim().parse().unwrap_or(0))
        .collect();
    // Counted from the third field, which is the first here.
    Some((fields[11] + fields[12], fields[13] + fields[14]))
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes half a minute"]
fn the_arbiter_uses_less_than_two_percent_of_what_its_engines_use() {
    let cmd = format!("cmd={}", env!("CARGO_BIN_EXE_qishou"));
    let words = texts(&[
        "-engine",
        &cmd,
        "name=A",
        "-engine",
        &cmd,
        "name=B",
        "-each",
        "tc=10+0.1",
        "-games",
        "2",
        "-maxmoves",
        "60",
        "-quiet",
    ]);
    let before = ticks("self").unwrap().1;
    let mut child = Command::new(env!("CARGO_BIN_EXE_qishou-arbiter"))
        .args(&words)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let number = child.id().to_string();
    let mut own = 0;
    while child.try_wait().unwrap().is_none() {
        own = ticks(&number).map_or(own, |(ticks, _)| own.max(ticks));
        std::thread::sleep(Duration::from_millis(10));
    }
    let engines = ticks("self").unwrap().1 - before - own;
    let share = 100.0 * own as f64 / engines as f64;
    println!("arbiter {own} ticks, engines {engines} ticks: {share:.2} %");
    assert!(engines > 100 && share < 2.0);
}
