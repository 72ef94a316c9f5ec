//! What the system refuses: nobody reads, the disk is full, memory runs out, games are endless. A
//! clear message, nothing lost, no abort.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a failing test panics")]
#![expect(clippy::print_stdout, reason = "tells what was measured")]

use std::fs::OpenOptions;
use std::io;
use std::process::{Command, Output, Stdio};
use std::thread;

use qishou::chess::{Game, Position};
use qishou::learn::blocks;
use qishou::search::{BestMove, Limits, Report, Searcher, Sink};

#[path = "support/host.rs"]
mod host;
#[path = "support/matches.rs"]
mod matches;

use host::{count, errors, in_process};
use matches::{Directory, engine, records, texts};

const QISHOU: &str = env!("CARGO_BIN_EXE_qishou");
const LEARN: &str = env!("CARGO_BIN_EXE_qishou-learn");
const ARBITER: &str = env!("CARGO_BIN_EXE_qishou-arbiter");

const GAME: &str =
    "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 f5 2. d4 g5 3. Qh5# 1-0\n\n";

/// A folder with a game and a file of training games.
fn folder() -> (Directory, String, String) {
    let directory = Directory::new();
    let pgn = directory.write("games.pgn", GAME);
    let games = directory.file("games");
    let words = ["datagen", "--out", &games, "--games", "2", "--nodes", "10", "--exit-nodes", "10"];
    let made = Command::new(LEARN).args(words).args(["--hash", "1"]).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    (directory, pgn, games)
}

/// Commands of all three programs that print.
fn printing<'a>(pgn: &'a str, games: &'a str) -> Vec<(&'a str, Vec<&'a str>)> {
    vec![
        (LEARN, vec!["stats", games]),
        (ARBITER, vec!["check", pgn]),
        (ARBITER, vec!["grade", pgn]),
        (ARBITER, vec!["--help"]),
        (QISHOU, vec!["perft", "2"]),
        (QISHOU, vec!["perft", "--suite", "perft/standard.epd", "--max-nodes", "100"]),
        (QISHOU, vec!["spsa"]),
        (QISHOU, vec!["d"]),
        (QISHOU, vec!["go depth 3"]),
    ]
}

fn run(
    program: &str,
    words: &[&str],
    output: impl Into<Stdio>,
    errors: impl Into<Stdio>,
) -> Output {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(output).stderr(errors);
    command.spawn().unwrap().wait_with_output().unwrap()
}

/// `qishou-learn stats FILE | head -1`
#[test]
fn a_reader_that_has_gone_is_no_fault() {
    let (_directory, pgn, games) = folder();
    for (program, words) in printing(&pgn, &games) {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let done = run(program, &words, writer, Stdio::piped());
        let told = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success(), "{program} {words:?}: {:?}: {told}", done.status);
        assert!(!told.contains("panicked") && !told.contains("error"), "{words:?}: {told}");
    }
}

/// `2>&1 | head -1`
#[test]
fn even_complaints_that_nobody_reads_are_no_fault() {
    let directory = Directory::new();
    for (program, words) in [
        (LEARN, ["stats", &directory.file("none")]),
        (ARBITER, ["check", &directory.file("none")]),
        (QISHOU, ["perft", "--nonsense"]),
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let done = run(program, &words, writer.try_clone().unwrap(), writer);
        // 101 is how a panic ends.
        assert!(
            matches!(done.status.code(), Some(1 | 2)),
            "{program} {words:?}: {:?}",
            done.status
        );
    }
}

#[test]
fn output_that_does_not_fit_on_the_disk_is_told() {
    let (_directory, pgn, games) = folder();
    for (program, words) in printing(&pgn, &games) {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = run(program, &words, full, Stdio::piped());
        let told = String::from_utf8(done.stderr).unwrap();
        if words[0] == "--help" && program != ARBITER {
            continue;
        }
        assert!(matches!(done.status.code(), Some(1 | 2)), "{words:?}: {:?}: {told}", done.status);
        assert!(told.contains("No space left on device"), "{words:?}: {told}");
        assert!(!told.contains("panicked"), "{words:?}: {told}");
    }
}

#[test]
fn a_log_that_does_not_fit_ends_with_a_word() {
    let mut host = in_process();
    host.say(&["setoption name Debug Log File value /dev/full", "isready", "isready"]);
    let mut lines = host.until("readyok");
    lines.extend(host.until("readyok"));
    let told = errors(&lines);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("option Debug Log File: No space left on device"), "{told:?}");
    host.say(&["go depth 2"]);
    host.best_move();
    host.hang_up();
}

/// A program whose files may not grow beyond so many blocks of 512 bytes.
fn with_little_disk(blocks: u32, program: &str, words: &[String]) -> Output {
    // The signal is ignored, so that the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, program]).args(words).stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn data_that_does_not_fit_is_told_and_what_was_written_stays() {
    let directory = Directory::new();
    let out = directory.file("games");
    let words = ["datagen", "--out", &out, "--nodes", "20", "--exit-nodes", "20", "--hash", "1"];
    let words = [&words[..], &["--threads", "2", "--games", "100000"]].concat();
    let done = with_little_disk(16, LEARN, &texts(&words));
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains("error: ") && told.contains("File too large"), "{told}");
    let mut games = 0;
    let mut damages = 0;
    blocks::for_each_game(&[out.clone().into()], |_| damages += 1, |_| games += 1).unwrap();
    assert!(games > 10 && damages <= 1, "{games} games, {damages} damages");
    // With room again it goes on.
    let words = ["datagen", "--out", &out, "--games", "1", "--nodes", "20", "--hash", "1"];
    assert!(Command::new(LEARN).args(words).output().unwrap().status.success());
    let before = games;
    games = 0;
    blocks::for_each_game(&[out.into()], |damage| panic!("{damage}"), |_| games += 1).unwrap();
    assert_eq!(games, before + 1);
}

#[test]
fn devices_are_no_place_to_append_games_to() {
    let words = ["datagen", "--out", "/dev/full", "--games", "1", "--nodes", "10"];
    let done = Command::new(LEARN).args(words).output().unwrap();
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains("/dev/full"), "{told}");
}

fn match_words(pgn: &str, games: &str) -> Vec<String> {
    let line = [("Line", "f2f3 e7e5 g2g4 d8h4")];
    let mut words = engine("A", &line, &[]);
    words.extend(engine("B", &line, &[]));
    words.extend(texts(&["-each", "tc=10", "-quiet", "-rounds", games, "-pgnout", pgn]));
    words
}

#[test]
fn records_of_games_that_do_not_fit_end_the_match_with_a_word() {
    let directory = Directory::new();
    let pgn = directory.file("match.pgn");
    let done = with_little_disk(3, ARBITER, &match_words(&pgn, "20"));
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(matches!(done.status.code(), Some(1 | 2)), "{:?}: {told}", done.status);
    assert!(told.contains("match.pgn: ") && told.contains("File too large"), "{told}");
    let whole = |record: &&qishou::pgn::Record| record.flaws.is_empty() && record.result.is_some();
    let first = records(&pgn).iter().filter(whole).count();
    assert!(first > 0);
    // With room again the match goes on with the game that was cut off.
    let done = matches::arbiter(&match_words(&pgn, "3"));
    assert_eq!(done.status, 0, "{}", done.errors);
    let all = records(&pgn);
    assert!(all.len() >= 6 && all.iter().filter(whole).count() == all.len(), "{all:#?}");
}

#[test]
fn records_of_games_may_go_to_a_device() {
    let done = matches::arbiter(&match_words("/dev/full", "1"));
    assert_ne!(done.status, 0);
    assert!(done.errors.contains("/dev/full: No space left on device"), "{}", done.errors);
    let done = matches::arbiter(&match_words("/dev/null", "1"));
    assert_eq!(done.status, 0, "{}", done.errors);
}

/// Shuffling knights and kings, which no rule ends before somebody says so.
fn shuffle(plies: usize) -> String {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    (0..plies).map(|ply| moves[ply % 4]).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_of_seven_thousand_plies_and_a_line_of_ten_megabytes_are_read() {
    let mut host = in_process();
    for plies in [7_000, 2_100_000] {
        let line = format!("position startpos moves {}", shuffle(plies));
        assert!(plies < 10_000 || line.len() > 10 << 20);
        host.say(&[&line, "go depth 3", "isready"]);
        let lines = host.until("bestmove");
        assert_eq!(errors(&lines), [""; 0]);
    }
    let rubbish = "x".repeat(11 << 20);
    host.say(&[&format!("position fen {rubbish}"), &rubbish, "isready"]);
    let lines = host.until("readyok");
    assert!(lines.iter().all(|line| line.len() < 500), "long texts are cut");
    assert_eq!(count(&lines, "info string error: "), 2);
    host.hang_up();
}

/// How much of its stack a thread has ever touched, in bytes: what of the mapping that holds a
/// local variable takes memory.
fn stack_used() -> usize {
    let local = 0_u8;
    let here = std::ptr::from_ref(&local) as usize;
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().unwrap().split_once('-');
        let range = range.and_then(|(from, to)| {
            let number = |text| usize::from_str_radix(text, 16).ok();
            Some(number(from)?..number(to)?)
        });
        if let Some(range) = range {
            inside = range.contains(&here);
        } else if let Some(size) = line.strip_prefix("Rss:").filter(|_| inside) {
            return size.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10;
        }
    }
    panic!("no mapping holds {here:x}")
}

/// Keeps how many plies a search has looked ahead.
struct Deepest(u32);

impl Sink for Deepest {
    fn report(&mut self, report: &Report) {
        self.0 = self.0.max(report.selective_depth);
    }

    fn finished(&mut self, _: BestMove) {}
}

/// A search thread has 16 MiB; `MAX_PLY` is 246 plies, quiescence and all. What a ply takes, measured
/// where searches go deepest, leaves most of it unused.
#[test]
fn the_deepest_search_leaves_most_of_its_stack_unused() {
    const MOST_PLIES: usize = 246;
    let work = || {
        let mut deepest = Deepest(0);
        for fen in [
            "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
            "7k/8/8/8/8/8/P7/K7 w - - 0 1",
            "8/8/p1p1p1p1/P1P1P1P1/8/8/k7/7K w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let mut searcher = Searcher::new(1).unwrap();
            let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
            searcher.search_with(&Game::new(position), &limits, 1, &mut deepest);
        }
        (stack_used(), deepest.0 as usize)
    };
    let thread = thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap();
    let (used, deepest) = thread.join().unwrap();
    println!("{} KiB of stack at {deepest} plies", used >> 10);
    assert!(deepest > 30, "only {deepest} plies");
    assert!(used / deepest * MOST_PLIES < 8 << 20, "{used} bytes at {deepest} plies");
}
