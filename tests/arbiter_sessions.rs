//! Matches by the real `qishou-arbiter` that are interrupted, adjourned and resumed, pondered
//! through, described in files and told of in pages.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

#[path = "support/matches.rs"]
mod matches;

use matches::*;

/// The words of a match of one game that is adjourned after so many moves a session.
fn session(
    directory: &Directory,
    white: &[(&str, &str)],
    black: &[(&str, &str)],
    more: &[&str],
) -> Vec<String> {
    let mut words = engine("A", white, &[]);
    words.extend(engine("B", black, &[]));
    words.extend(texts(&["-games", "1", "-quiet", "-each", "tc=60"]));
    words.extend(texts(&["-pgnout", &directory.file("games.pgn")]));
    words.extend(texts(&["-adjourn", &directory.file("adjourned.json")]));
    words.extend(texts(more));
    words
}

/// RULES 4.2: position, clocks and the sealed move are kept, and the sealed move is played.
#[test]
fn rule_4_2_an_adjourned_game_is_resumed_with_its_clocks_and_sealed_move() {
    let directory = Directory::new();
    let (games, envelope) = (directory.file("games.pgn"), directory.file("adjourned.json"));
    // White spends 300 ms on a move of each session, the second one sealed.
    let slow = [("Line", SHUFFLE), ("Script", "0 late 300; 4 late 300")];
    let words = session(&directory, &slow, &[("Line", SHUFFLE)], &["-session", "2"]);
    let run = arbiter(&words);
    assert_eq!(run.status, 130, "{}{}", run.output, run.errors);
    assert!(run.output.contains("Games adjourned: 1;"), "{}", run.output);
    assert!(records(&games).is_empty());
    let text = std::fs::read_to_string(&envelope).unwrap();
    assert!(text.contains("\"moves\": \"g1f3 g8f6 f3g1 f6g8\""), "{text}");
    assert!(text.contains("\"move\": \"g1f3\""), "{text}");
    // The second session: two more moves of both sides, from wherever the file is.
    let moved = directory.file("moved.json");
    std::fs::rename(&envelope, &moved).unwrap();
    let run = arbiter(&texts(&["resume", &moved]));
    assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
    let record = records(&games).remove(0);
    check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
    let told = record.tag("Rulings").unwrap();
    assert!(told.contains("move 3: White seals its move; the game is adjourned"), "{told}");
    assert!(told.contains("the game is resumed"), "{told}");
    // What White used before is gone from its clock, what it sealed is paid once.
    let left = |ply: usize| -> f64 {
        let clock = record.remarks[ply].comment.split("[%clk 0:00:").nth(1).unwrap();
        clock.split(']').next().unwrap().parse().unwrap()
    };
    assert!((59.2..59.41).contains(&left(4)), "{record}");
    assert!(!Path::new(&moved).exists(), "nothing is adjourned any more");
    // The same command has nothing left to play.
    assert_eq!(arbiter(&words).status, 0);
    assert_eq!(records(&games).len(), 1);
}

/// RULES 4.2: an illegal sealed move loses, unless the opponent can't mate.
#[test]
fn rule_4_2_an_illegal_sealed_move_loses() {
    for (fen, rules, result, details, plies) in [
        ("", "fide", "0-1", "White: illegal sealed move a1a8", 2),
        ("", "seed", "0-1", "White: illegal sealed move a1a8", 2),
        (
            "7k/8/5K2/8/8/8/P7/8 w - - 0 1",
            "seed",
            "1/2-1/2",
            "White: illegal sealed move a1a8, but Black can't mate",
            2,
        ),
        (
            "7k/8/5K2/8/8/8/P7/8 w - - 0 1",
            "fide",
            "1/2-1/2",
            "White: illegal sealed move a1a8, but Black can't mate",
            2,
        ),
    ] {
        let directory = Directory::new();
        let bad = [("Script", "2 illegal")];
        let book = directory.file("book.epd");
        std::fs::write(&book, fen).unwrap();
        let file = format!("file={book}");
        let mut more = vec!["-session", "1", "-rules", rules];
        if !fen.is_empty() {
            more.extend(["-openings", &file]);
        }
        let words = session(&directory, &bad, &[], &more);
        assert_eq!(arbiter(&words).status, 130);
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
        let record = records(&directory.file("games.pgn")).remove(0);
        check(&record, result, details, "illegal move", Some(plies));
    }
}

/// RULES 2.5 and 4.2: an offer stands through the adjournment and is answered by the sealed move.
#[test]
fn rule_4_2_an_offer_stands_through_an_adjournment() {
    for (answer, result, details, plies) in [
        ("2 say accept draw", "1/2-1/2", "draw by agreement", 2),
        ("2 late 1", "1/2-1/2", "threefold repetition", 8),
    ] {
        let directory = Directory::new();
        let white = [("Line", SHUFFLE), ("Script", answer)];
        let black = [("Line", SHUFFLE), ("Script", "1 say offer draw")];
        let words = session(&directory, &white, &black, &["-session", "1"]);
        assert_eq!(arbiter(&words).status, 130);
        let text = std::fs::read_to_string(directory.file("adjourned.json")).unwrap();
        assert!(text.contains("\"draw_offered\": true"), "{text}");
        let run = arbiter(&texts(&["resume", &directory.file("adjourned.json"), "-session", "9"]));
        assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
        let record = records(&directory.file("games.pgn")).remove(0);
        check(&record, result, details, "normal", Some(plies));
    }
}

/// RULES 4.2: what the scores have come to is kept, too, and the sealed move's counts once.
#[test]
fn rule_4_2_the_counts_of_adjudication_go_on_after_an_adjournment() {
    let always = |score: &str| {
        (0..20).map(|ply| format!("{ply} score {score}")).collect::<Vec<_>>().join(";")
    };
    let resign = ["-resign", "movecount=3", "score=800"];
    let draw = ["-draw", "movecount=3", "score=8"];
    for (white, black, more, result, plies) in [
        // Black's third bad move is made in the second session; White's is the sealed one.
        ("0", "-900", &resign[..], "1-0", 6),
        ("-900", "0", &resign, "0-1", 5),
        ("3", "-5", &draw, "1/2-1/2", 6),
    ] {
        let directory = Directory::new();
        let (white, black) = (always(white), always(black));
        let [white, black] = [&white, &black].map(|script| [("Script", script.as_str())]);
        let more = [&["-session", "2"], more].concat();
        let words = session(&directory, &white, &black, &more);
        assert_eq!(arbiter(&words).status, 130);
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
        let record = records(&directory.file("games.pgn")).remove(0);
        check(&record, result, "adjudicated: scores of a", "adjudication", Some(plies));
    }
}

/// RULES 4.2, 2.13: a sealed mate counts even if its player does not come back; otherwise the
/// absent player forfeits.
#[cfg(unix)]
#[test]
fn rule_4_2_a_sealed_mate_counts_for_an_absent_player() {
    use std::os::unix::fs::PermissionsExt;
    for (line, result, details) in
        [(MATE, "0-1", "Black mates"), ("f2f3 e7e5 g2g4 d8e7", "1-0", "Black: does not start")]
    {
        let directory = Directory::new();
        let opening = directory.file("opening.pgn");
        std::fs::write(&opening, "1. f3 *\n").unwrap();
        // A program that can be taken away between the sessions.
        let program = directory.file("engine.sh");
        let itself = std::env::current_exe().unwrap();
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", itself.display());
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let file = format!("file={opening}");
        let more = ["-session", "1", "-openings", &file];
        let mut words = session(&directory, &[("Line", line)], &[("Line", line)], &more);
        let own = format!("cmd={}", itself.display());
        let second = words.iter().rposition(|word| *word == own).unwrap();
        words[second] = format!("cmd={program}");
        let run = arbiter(&words);
        assert_eq!(run.status, 130, "{}{}", run.output, run.errors);
        std::fs::remove_file(&program).unwrap();
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
        let record = records(&directory.file("games.pgn")).remove(0);
        let termination = if result == "0-1" { "normal" } else { "abandoned" };
        check(&record, result, details, termination, Some(4));
    }
}

/// Presses Ctrl-C.
#[cfg(unix)]
fn press(child: &Child) {
    let command = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

/// Presses Ctrl-C and waits for the end; the exit status.
#[cfg(unix)]
fn interrupt(child: &mut Child) -> Option<i32> {
    press(child);
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("the arbiter did not end");
}

/// A game whose player thinks for ever can't be adjourned; a second Ctrl-C gives it up.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_gives_games_up_that_were_to_be_adjourned() {
    let directory = Directory::new();
    let (games, errors) = (directory.file("games.pgn"), directory.file("errors"));
    let envelope = directory.file("adjourned.json");
    let silent = [("Script", "0 hang"), ("Stubborn", "true")];
    let mut words = engine("A", &silent, &[]);
    words.extend(engine("B", &[], &[]));
    words.extend(texts(&["-each", "tc=600", "-pgnout", &games, "-adjourn", &envelope]));
    words.extend(texts(&["-errors", &errors]));
    let mut child = start(&words);
    let deadline = Instant::now() + Duration::from_secs(20);
    while !std::fs::read_to_string(&errors).unwrap_or_default().contains("hangs") {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(10));
    }
    press(&child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits for the sealed move");
    assert_eq!(interrupt(&mut child), Some(130));
    assert!(records(&games).is_empty() && !Path::new(&envelope).exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_cleanly_and_the_same_command_goes_on() {
    let rounds = |path: &str| {
        let mut rounds: Vec<String> =
            records(path).iter().map(|record| record.tag("Round").unwrap().to_owned()).collect();
        rounds.sort();
        rounds
    };
    for adjourns in [false, true] {
        let directory = Directory::new();
        let (games, envelope) = (directory.file("games.pgn"), directory.file("adjourned.json"));
        let slow = [("Line", SHUFFLE), ("Script", "3 late 40; 4 late 40; 5 late 40; 6 late 40")];
        let mut words = engine("A", &slow, &[]);
        words.extend(engine("B", &slow, &[]));
        let more = ["-each", "tc=30", "-rounds", "5", "-concurrency", "2", "-pgnout", &games];
        words.extend(texts(&more));
        if adjourns {
            words.extend(texts(&["-adjourn", &envelope]));
        }
        let mut child = start(&words);
        let deadline = Instant::now() + Duration::from_secs(20);
        while std::fs::metadata(&games).map_or(0, |data| data.len()) == 0 {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(interrupt(&mut child), Some(130));
        let before = rounds(&games);
        assert!(!before.is_empty() && before.len() < 10, "{before:?}");
        assert_eq!(Path::new(&envelope).exists(), adjourns);
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}", run.errors);
        let mut expected: Vec<String> =
            (1..=5).flat_map(|pair| [format!("{pair}.1"), format!("{pair}.2")]).collect();
        expected.sort();
        assert_eq!(rounds(&games), expected);
        let resumed = records(&games)
            .iter()
            .filter(|record| record.tag("Rulings").is_some_and(|told| told.contains("resumed")))
            .count();
        assert_eq!(resumed > 0, adjourns);
        for record in records(&games) {
            check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
        }
    }
}

#[test]
fn engines_ponder_on_the_move_they_expect() {
    let directory = Directory::new();
    let errors = directory.file("errors.txt");
    let thinks = "1 late 200; 3 late 200; 5 late 200";
    let white = [("Line", SHUFFLE), ("Script", "0 expect g8f6; 2 expect a7a6; 4 expect a9a9")];
    let black = [("Line", SHUFFLE), ("Script", thinks)];
    let mut words = engine("A", &white, &["ponder"]);
    words.extend(engine("B", &black, &[]));
    let games = directory.file("games.pgn");
    words.extend(texts(&["-each", "tc=60", "-games", "1", "-pgnout", &games, "-errors", &errors]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
    check(&records(&games)[0], "1/2-1/2", "threefold repetition", "normal", Some(8));
    let told = std::fs::read_to_string(&errors).unwrap();
    let told: Vec<&str> = told.lines().filter_map(|line| Some(line.split_once(": ")?.1)).collect();
    let expected = [
        "ponders after 2 plies",
        "ponderhit after 2 plies",
        // Black did not play a7a6.
        "ponders after 4 plies",
        "stop after 4 plies",
        // a9a9 is no move; after ply 6 the line is expected again.
        "ponders after 8 plies",
        // The third occurrence has ended the game.
        "stop after 8 plies",
    ];
    // The last words may come when nobody listens any more.
    assert_eq!(told, expected[..told.len()], "{told:?}");
    assert!(told.len() >= 4);
}

#[test]
fn a_match_is_described_in_a_file() {
    let directory = Directory::new();
    let (file, games) = (directory.file("match.toml"), directory.file("games.pgn"));
    let program = std::env::current_exe().unwrap();
    let text = format!(
        "games = 2\nquiet = true\npgnout = '{games}'\nevent = 'From a file'\n[each]\ntc = '60'\ncmd = '{}'\n\
         arg = {:?}\noption.Line = '{MATE}'\n[[engine]]\nname = 'A'\n[[engine]]\nname = 'B'\n",
        program.display(),
        scripted_engine::arguments(),
    );
    std::fs::write(&file, text).unwrap();
    let run = arbiter(&texts(&["match", &file, "-rounds", "2"]));
    assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
    let records = records(&games);
    assert_eq!(records.len(), 4);
    check(&records[3], "0-1", "Black mates", "normal", Some(4));
    assert_eq!(records[3].tag("Event"), Some("From a file"));
    // What is wrong in a file is named with its line.
    std::fs::write(&file, "games = 2\nrounds = =\n").unwrap();
    let run = arbiter(&texts(&["match", &file]));
    assert_eq!(run.status, 2);
    assert!(run.errors.contains("match.toml:2: "), "{}", run.errors);
    assert_eq!(run.errors.lines().count(), 1);
}

#[test]
fn what_can_not_be_resumed_is_named() {
    let directory = Directory::new();
    let file = directory.file("adjourned.json");
    std::fs::write(&file, "{\"arguments\": [], \"games\": [{}]}").unwrap();
    for (words, told) in [
        (vec!["resume"], "give the file"),
        (vec!["resume", "no-such-file"], "no-such-file: "),
        (vec!["resume", &file], "game 1 is damaged"),
    ] {
        let run = arbiter(&texts(&words));
        assert_eq!((run.status, run.errors.lines().count()), (2, 1), "{words:?}");
        assert!(run.errors.contains(told), "{words:?}: {}", run.errors);
    }
}

/// The bounds of a test are in both records, so that the page has its course without being told.
#[test]
fn a_test_is_recorded_with_its_bounds() {
    let directory = Directory::new();
    let (games, log) = (directory.file("games.pgn"), directory.file("log.json"));
    let mut words = engine("A", &[("Line", MATE)], &[]);
    words.extend(engine("B", &[("Line", MATE)], &[]));
    words.extend(texts(&["-each", "tc=60", "-quiet", "-pgnout", &games, "-log", &log]));
    words.extend(texts(&["-sprt", "elo0=-2.5", "elo1=4", "beta=0.1", "model=normalized"]));
    // The second run plays nothing and writes nothing.
    for _ in 0..2 {
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}", run.errors);
    }
    let described = "elo0=-2.5 elo1=4 alpha=0.05 beta=0.1 model=normalized";
    for record in records(&games) {
        assert_eq!(record.tag("SPRT"), Some(described));
    }
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    for part in ["\"elo0\":-2.5", "\"normalized\":true", "\"name\":\"A\"", "\"bounds\":[-2.25"] {
        assert!(lines[0].contains(part), "{part}: {text}");
    }
    // Another test in the same files is described once more.
    words.extend(texts(&["-sprt", "elo0=0", "elo1=2", "-rounds", "2"]));
    assert_eq!(arbiter(&words).status, 0);
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 6);
    for (more, told) in [
        (vec![], "A being 2 against 0 Elo better than B"),
        (vec!["-sprt", "elo0=0", "elo1=9"], "A being 9 against 0 Elo better than B"),
    ] {
        let words = [&["report", &games], more.as_slice()].concat();
        assert_eq!(arbiter(&texts(&words)).status, 0);
        let page = std::fs::read_to_string(directory.file("games.html")).unwrap();
        assert!(page.contains(told), "{page}");
    }
}

#[test]
fn a_page_is_made_of_recorded_games() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let mut words = Vec::new();
    for name in ["A", "B", "C"] {
        words.extend(engine(name, &[("Line", MATE)], &[]));
    }
    words.extend(texts(&["-each", "tc=60", "-quiet", "-pgnout", &games]));
    assert_eq!(arbiter(&words).status, 0);
    let run = arbiter(&texts(&["report", &games]));
    assert_eq!(run.status, 0, "{}", run.errors);
    let page = std::fs::read_to_string(directory.file("games.html")).unwrap();
    assert!(page.contains("6 games") && page.contains("mates") && page.contains("<svg"), "{page}");
    for words in [vec!["report"], vec!["report", "no-such-file.pgn"], vec!["report", "-nonsense"]] {
        let run = arbiter(&texts(&words));
        assert_eq!((run.status, run.errors.lines().count()), (2, 1), "{words:?}");
    }
}

/// RULES 4.5: every decision is reported with its reason: to whoever looks on, in the record and
/// in the log.
#[test]
fn rule_4_5_every_decision_is_reported_with_its_reason() {
    for (script, details, ruling) in [
        ("2 say resign", "White resigns", ""),
        ("2 illegal", "White: illegal move a1a8", ""),
        ("2 die", "White: disconnects: exit status: 3", ""),
        (
            "2 say claim draw; 4 say resign",
            "White resigns",
            "move 2: White claims a draw wrongly: it loses 300 s, the opponent gains 0 s",
        ),
    ] {
        let directory = Directory::new();
        let (games, log) = (directory.file("games.pgn"), directory.file("log.json"));
        let mut words = engine("A", &[("Line", SHUFFLE), ("Script", script)], &[]);
        words.extend(engine("B", &[("Line", SHUFFLE)], &[]));
        let more = ["-rules", "seed", "-each", "tc=600", "-games", "1"];
        words.extend(texts(&more));
        words.extend(texts(&["-pgnout", &games, "-log", &log]));
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}", run.errors);
        let line = format!("Finished game 1 (A vs B): 0-1 {{{details}}}");
        assert!(run.output.contains(&line), "{}", run.output);
        let record = records(&games).remove(0);
        assert_eq!(record.tag("TerminationDetails"), Some(details));
        assert_eq!(record.tag("Rulings").unwrap_or_default(), ruling);
        let log = std::fs::read_to_string(&log).unwrap();
        assert!(log.contains(&format!("\"reason\":\"{details}\"")), "{log}");
        assert!(log.contains(ruling), "{log}");
        // The record stands a second look.
        let run = arbiter(&texts(&["check", &games]));
        assert_eq!(run.status, 0, "{}", run.output);
    }
}
