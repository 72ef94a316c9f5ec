//! Ill-behaved engines under the real `qishou-arbiter`: each loses its game with the reason
//! recorded, the match goes on, and nothing of them is left.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use qishou::chess::Game;

#[path = "support/matches.rs"]
mod matches;

use matches::*;

/// A match of two games between a bad engine, which has White first, and a good one; how the first
/// game ends. The script is for White's moves, so that the second game is played to its end.
fn loses_its_game_only(script: &str, details: &str, termination: &str) {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let bad = [("Line", SHUFFLE), ("Script", script)];
    let mut words = engine("Bad", &bad, &[]);
    words.extend(engine("Good", &[("Line", SHUFFLE)], &[]));
    // Who does answer in some way is not to lose on time first, however busy the machine is.
    let control = if termination == "time forfeit" { "tc=2" } else { "tc=100" };
    words.extend(texts(&["-each", control, "-games", "2", "-quiet", "-pgnout", &games]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{script}: {}{}", run.output, run.errors);
    let records = records(&games);
    assert_eq!(records.len(), 2, "{script}");
    check(&records[0], "0-1", details, termination, Some(2));
    check(&records[1], "1/2-1/2", "threefold repetition", "normal", Some(8));
}

#[test]
fn an_engine_that_never_answers_loses_on_time() {
    loses_its_game_only("2 hang", "White loses on time", "time forfeit");
}

#[test]
fn an_engine_that_never_answers_where_no_clock_runs_is_waited_for_so_long() {
    let more = ["-each", "nodes=10", "stall=0.4"];
    let record = one_game(&[("Script", "2 hang")], &[], &more);
    check(&record, "0-1", "White: stalls: no answer to go", "abandoned", Some(2));
}

/// Moves of a game that is not over after them.
fn long_line(plies: usize) -> String {
    let mut game = Game::default();
    let mut words = Vec::new();
    while words.len() < plies {
        let position = *game.position();
        let quiet = position.legal_moves().into_iter().find(|&mv| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            next.repetitions() == 1 && !next.position().in_check() && next.ending().is_none()
        });
        let mv = quiet.expect("a position that was not there before");
        words.push(position.uci(mv, false).to_string());
        game.play(mv).unwrap();
    }
    words.join(" ")
}

#[test]
fn an_engine_that_dies_at_move_20_loses() {
    let line = long_line(44);
    let bad = [("Line", line.as_str()), ("Script", "38 die")];
    let record = one_game(&bad, &[("Line", line.as_str())], &[]);
    check(&record, "0-1", "White: disconnects: exit status: 3", "abandoned", Some(38));
    let record = one_game(&bad[..1], &[bad[0], ("Script", "39 die")], &[]);
    check(&record, "1-0", "Black: disconnects: exit status: 3", "abandoned", Some(39));
}

#[test]
fn an_engine_that_dies_loses_its_game_only() {
    loses_its_game_only("2 die", "White: disconnects: exit status: 3", "abandoned");
}

#[test]
fn an_engine_that_floods_100_megabytes_loses() {
    loses_its_game_only("2 flood", "White: floods", "abandoned");
}

#[test]
fn an_engine_that_floods_100_megabytes_in_one_line_loses() {
    loses_its_game_only("2 longline", "White: floods", "abandoned");
}

#[test]
fn an_engine_that_makes_an_illegal_move_loses() {
    loses_its_game_only("2 illegal", "White: illegal move a1a8", "illegal move");
    loses_its_game_only("2 null", "White: illegal move 0000", "illegal move");
}

#[test]
fn an_engine_that_writes_its_move_in_capital_letters_loses() {
    loses_its_game_only("2 upper", "White: illegal move F3G1", "illegal move");
}

#[test]
fn an_engine_that_answers_late_loses() {
    loses_its_game_only("2 late 2500", "White loses on time", "time forfeit");
}

#[test]
fn an_engine_that_answers_twice_loses() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let bad = [("Line", SHUFFLE), ("Script", "2 twice")];
    let mut words = engine("Bad", &bad, &[]);
    words.extend(engine("Good", &[("Line", SHUFFLE)], &[]));
    words.extend(texts(&["-each", "tc=100", "-quiet", "-pgnout", &games]));
    assert_eq!(arbiter(&words).status, 0);
    let records = records(&games);
    let details = "White: breaks the protocol: unasked \"bestmove f3g1\"";
    // The first answer counts; the second is heard when the next move is asked for.
    check(&records[0], "0-1", details, "abandoned", Some(4));
    check(&records[1], "1/2-1/2", "threefold repetition", "normal", Some(8));
}

/// The last word of a game that is over costs nobody the next one.
#[test]
fn an_engine_that_answers_the_last_move_twice_is_started_anew() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let mut words = engine("Good", &[("Line", MATE)], &[]);
    words.extend(engine("Bad", &[("Line", MATE), ("Script", "3 twice")], &[]));
    words.extend(texts(&["-each", "tc=100", "-rounds", "2", "-quiet", "-pgnout", &games]));
    assert_eq!(arbiter(&words).status, 0);
    for record in records(&games) {
        check(&record, "0-1", "Black mates", "normal", Some(4));
    }
}

/// An engine in a few lines of shell: it plays no move, but closes its output and lives on.
#[test]
fn an_engine_that_closes_its_output_loses() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let program = "while read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                   go) exec >&-; exec sleep 60;; quit) exit;; esac; done";
    let mut words = texts(&["-engine", "cmd=sh", "arg=-c", &format!("arg={program}"), "name=Bad"]);
    words.extend(engine("Good", &[], &[]));
    words.extend(texts(&["-each", "tc=100", "-quiet", "-pgnout", &games]));
    let begin = Instant::now();
    assert_eq!(arbiter(&words).status, 0);
    assert!(begin.elapsed() < Duration::from_secs(30), "nobody waits for its end");
    let records = records(&games);
    check(&records[0], "0-1", "White: disconnects: its output is closed", "abandoned", Some(0));
    check(&records[1], "1-0", "Black: disconnects: its output is closed", "abandoned", Some(1));
}

#[test]
fn an_engine_that_babbles_in_the_place_of_a_move_loses() {
    loses_its_game_only("2 nonsense", "White: illegal move castles", "illegal move");
}

/// Words nobody understands are no fault, as long as a move comes: the protocol says so.
#[test]
fn an_engine_that_babbles_plays_on() {
    let babble = [("Line", SHUFFLE), ("Script", "0 babble; 2 babble; 4 babble")];
    let record = one_game(&babble, &[("Line", SHUFFLE)], &[]);
    check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
}

/// Processes that were started with a mark, but for the arbiter.
fn engines_with(mark: &str, arbiter: u32) -> Vec<u32> {
    let numbers = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        entry.ok()?.file_name().to_str()?.parse::<u32>().ok().filter(|&number| number != arbiter)
    });
    numbers
        .filter(|number| {
            let line = fs::read(Path::new("/proc").join(number.to_string()).join("cmdline"));
            line.is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark))
        })
        .collect()
}

/// State and parent of a process that is there.
fn state_and_parent(number: u32) -> Option<(char, u32)> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let mut fields = text.rsplit_once(") ")?.1.split(' ');
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Children of a process that have ended and were not waited for.
fn zombies_of(parent: u32) -> Vec<u32> {
    let numbers = fs::read_dir("/proc").unwrap();
    let numbers = numbers.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter(|&number| state_and_parent(number) == Some(('Z', parent))).collect()
}

/// A match whose arbiter can be killed, with a mark on its engines.
fn marked(directory: &Directory, script: &str, more: &[&str]) -> (Child, String) {
    let mark = directory.file("mark");
    let argument = format!("arg={mark}");
    let bad = [("Line", SHUFFLE), ("Script", script), ("Stubborn", "true")];
    let mut words = engine("A", &bad, &[&argument]);
    words.extend(engine(
        "B",
        &[("Line", SHUFFLE), ("Script", "6 late 1200; 7 late 1200")],
        &[&argument],
    ));
    words.extend(texts(more));
    (start(&words), mark)
}

/// Waits 20 seconds at most.
fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    wait_within(Duration::from_secs(20), what, is_so);
}

fn wait_within(time: Duration, what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + time;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whatever its engines are doing when the arbiter is killed, they are gone at once: it is the
/// kernel that ends them.
#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_a_killed_arbiter() {
    for script in ["0 hang", "0 flood", "0 late 60000"] {
        let directory = Directory::new();
        let (mut child, mark) = marked(&directory, script, &["-each", "tc=60", "-quiet"]);
        let number = child.id();
        wait_until("the game begins", || engines_with(&mark, number).len() == 2);
        let engines = engines_with(&mark, number);
        child.kill().unwrap();
        child.wait().unwrap();
        // A zombie has no command line, but a number; if it is there, it is init's to bury.
        wait_until(script, || {
            let states = engines.iter().map(|&number| state_and_parent(number));
            states.into_iter().all(|state| matches!(state, None | Some(('Z', 1))))
        });
    }
}

/// Engines that die, are killed or do not leave are waited for while the match goes on.
#[cfg(target_os = "linux")]
#[test]
fn no_zombie_is_left_while_a_match_goes_on() {
    for script in ["0 die", "2 hang", "0 flood", "0 late 0"] {
        let directory = Directory::new();
        let games = directory.file("games.pgn");
        let more = ["-each", "tc=3", "restart=on", "-quiet", "-pgnout", &games];
        let (mut child, mark) = marked(&directory, script, &more);
        let number = child.id();
        wait_until("the first game ends", || !fs::read(&games).unwrap_or_default().is_empty());
        // The second game takes more than a second.
        wait_within(Duration::from_secs(1), script, || zombies_of(number).is_empty());
        assert!(child.try_wait().unwrap().is_none(), "{script}: the match goes on");
        assert!(engines_with(&mark, number).len() <= 2, "{script}");
        let status = child.wait().unwrap();
        assert!(status.success(), "{script}");
        assert!(engines_with(&mark, number).is_empty(), "{script}");
        assert_eq!(records(&games).len(), 2, "{script}");
    }
}
