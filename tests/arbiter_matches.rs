//! Matches by the real `qishou-arbiter` between engines that do what they are told.
//!
//! The engine is this test program itself, run with the name of a hidden test.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::time::Duration;

#[path = "support/matches.rs"]
mod matches;

use matches::*;

/// RULES 4.1 and 4.5: complete records with clock times and reasons, in PGN and in the log.
#[test]
fn rule_4_1_games_are_recorded_with_their_clocks_and_reasons() {
    let directory = Directory::new();
    let (games, log) = (directory.file("games.pgn"), directory.file("log.json"));
    let line = [("Line", MATE), ("Script", "1 score 31; 3 score 29999")];
    let mut words = engine("A \"quoted\"", &line, &["tc=30"]);
    words.extend(engine("B", &line, &["tc=60+1"]));
    words.extend(texts(&["-games", "2", "-pgnout", &games, "-log", &log, "-event", "An", "event"]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    assert!(
        run.output.contains("Finished game 2 (B vs A \"quoted\"): 0-1 {Black mates}"),
        "{}",
        run.output
    );
    assert!(
        run.output.contains("Score of A \"quoted\" vs B: 1 - 1 - 0  [0.500] 2"),
        "{}",
        run.output
    );
    let records = records(&games);
    let first = &records[0];
    for (tag, value) in [
        ("Event", "An event"),
        ("Round", "1.1"),
        ("White", "A \"quoted\""),
        ("Black", "B"),
        ("Result", "0-1"),
        ("TimeControl", "30"),
        ("BlackTimeControl", "60+1"),
        ("Termination", "normal"),
        ("PlyCount", "4"),
    ] {
        assert_eq!(first.tag(tag), Some(value), "{first}");
    }
    assert!(first.remarks[1].comment.starts_with("+0.31/9 0.0"), "{first}");
    assert!(first.remarks.iter().all(|remarks| remarks.comment.contains("[%clk 0:0")), "{first}");
    assert!(first.remarks[3].comment.ends_with("Black mates"), "{first}");
    let log = std::fs::read_to_string(&log).unwrap();
    assert_eq!(log.lines().count(), 3);
    assert!(log.lines().skip(1).all(|line| line.contains("\"reason\":\"Black mates\"")), "{log}");
}

#[test]
fn settings_end_games_by_scores_only_when_asked() {
    let scores = |sign: &str| {
        (0..20).map(|ply| format!("{ply} score {sign}900")).collect::<Vec<_>>().join(";")
    };
    let (good, bad) = (scores(""), scores("-"));
    let (good, bad) = ([("Script", good.as_str())], [("Script", bad.as_str())]);
    let resign = ["-resign", "movecount=3", "score=800", "twosided=true", "-srand", "1"];
    let record = one_game(&good, &bad, &resign);
    check(&record, "1-0", "adjudicated: scores of a lost game", "adjudication", Some(6));
    let level: String = (0..40).map(|ply| format!("{ply} score 0")).collect::<Vec<_>>().join(";");
    let level = [("Script", level.as_str())];
    let draw = ["-draw", "movenumber=5", "movecount=3", "score=8"];
    check(
        &one_game(&level, &level, &draw),
        "1/2-1/2",
        "adjudicated: scores of a drawn",
        "adjudication",
        Some(8),
    );
}

#[test]
fn chess960_is_castled_and_recorded() {
    let directory = Directory::new();
    let book = directory.file("book.epd");
    std::fs::write(&book, "1k1r4/pppppppp/8/8/8/8/PPPPPPPP/1K1R4 w Dd - 0 1").unwrap();
    let file = format!("file={book}");
    let line = [("Line", "b1d1 b8d8"), ("Script", "2 say resign")];
    let more = ["-variant", "fischerandom", "-openings", &file];
    let record = one_game(&line, &line, &more);
    check(&record, "0-1", "White resigns", "normal", Some(2));
    assert!(record.to_string().contains("O-O {"), "{record}");
    assert_eq!(record.tag("Variant"), Some("Chess960"));
}

/// Names of games must be all of these, each once.
fn assert_rounds(path: &str, pairs: usize) {
    let mut rounds: Vec<String> =
        records(path).iter().map(|record| record.tag("Round").unwrap().to_owned()).collect();
    let mut expected: Vec<String> =
        (1..=pairs).flat_map(|pair| [format!("{pair}.1"), format!("{pair}.2")]).collect();
    rounds.sort();
    expected.sort();
    assert_eq!(rounds, expected);
}

/// RULES 4.1: the record is complete even when the arbiter is killed, and the match goes on.
#[test]
fn rule_4_1_a_killed_match_goes_on_where_it_was() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let slow = [("Line", SHUFFLE), ("Script", "3 late 20"), ("Stubborn", "true")];
    let mut words = engine("A", &slow, &[]);
    words.extend(engine("B", &slow, &[]));
    words.extend(texts(&[
        "-each",
        "tc=30",
        "-rounds",
        "20",
        "-concurrency",
        "2",
        "-pgnout",
        &games,
    ]));
    for wait in [900, 1300] {
        let mut child = start(&words);
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // Half a game at the end, as a kill at the worst moment would leave it.
    let mut text = std::fs::read_to_string(&games).unwrap_or_default();
    text.push_str("[Event \"Engine match\"]\n[Site \"?\"]\n[Round \"1.1\"]\n\n1. Nf3 {half");
    std::fs::write(&games, text).unwrap();
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    assert_rounds(&games, 20);
    // Once more: nothing is left to play.
    let run = arbiter(&words);
    assert!(run.output.contains("40 of 40 games are recorded already"), "{}", run.output);
    assert_rounds(&games, 20);
}

#[test]
fn a_test_ends_when_it_is_decided() {
    let win = [("Line", MATE)];
    let lose = [("Script", "0 say resign; 1 say resign")];
    let mut words = engine("A", &win, &[]);
    words.extend(engine("B", &lose, &[]));
    let more =
        ["-each", "tc=60", "-rounds", "500", "-concurrency", "2", "-sprt", "elo0=0", "elo1=200"];
    words.extend(texts(&more));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    assert!(run.output.contains("SPRT: elo1 accepted"), "{}", run.output);
    assert!(!run.output.contains("1000 games"), "{}", run.output);
}

#[test]
fn three_engines_meet_each_other() {
    let line = [("Line", MATE)];
    let mut words = Vec::new();
    for name in ["A", "B", "C"] {
        words.extend(engine(name, &line, &[]));
    }
    words.extend(texts(&["-each", "tc=60", "-concurrency", "2"]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    assert!(run.output.contains("Finished match: 6 games"), "{}", run.output);
    assert!(run.output.contains("Endings: Black mates 6"), "{}", run.output);
}

/// One line that names what is wrong, nothing else, status 2.
#[test]
fn bad_arguments_are_one_line_and_status_2() {
    let directory = Directory::new();
    let folder = directory.file("");
    let no_book = directory.write("book.txt", "nonsense\n");
    let no_match = directory.write("match.toml", "[each]\ntc = [[1]]\n");
    let two = "-engine cmd=a -engine cmd=b -each tc=5";
    for (words, told) in [
        (String::new(), "--help"),
        ("nonsense".into(), "\"nonsense\""),
        ("dead".into(), "give a FEN"),
        ("dead 8/8/8/8/8/8/8/8 w".into(), "White has 0 kings"),
        ("check".into(), "give a PGN file"),
        ("check no-such-file.pgn".into(), "no-such-file.pgn"),
        ("grade".into(), "give a PGN file"),
        ("grade A=x no-such-file.pgn".into(), "A=x"),
        ("report".into(), "give a PGN file"),
        ("report no-such-file.pgn".into(), "no-such-file.pgn"),
        ("report -nonsense".into(), "-nonsense"),
        ("report x.pgn -sprt elo1=-1".into(), "elo0 must be less"),
        ("resume".into(), "give the file"),
        ("resume no-such-file".into(), "no-such-file"),
        ("match no-such-file.toml".into(), "no-such-file.toml"),
        (format!("match {no_match}"), "match.toml"),
        ("-engine cmd=a".into(), "no limit for a"),
        ("-engine cmd=a tc=5".into(), "two engines"),
        (format!("{two} -each tc=x"), "\"x\""),
        (format!("{two} -openings file=no-such-file"), "no-such-file"),
        (format!("{two} -openings file={no_book}"), "line 1"),
        (format!("{two} -pgnout {folder}"), &folder),
        (format!("{two} -pgnout {folder}games.pgn -log {folder}"), &folder),
        (format!("{two} -errors {folder}"), &folder),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let run = arbiter(&texts(&words));
        assert_eq!(run.status, 2, "{words:?}: {}", run.errors);
        assert_eq!(run.errors.lines().count(), 1, "{words:?}: {}", run.errors);
        assert!(run.errors.contains(told), "{words:?}: {}", run.errors);
        assert_eq!(run.output, "", "{words:?}");
    }
}

#[test]
fn questions_are_answered() {
    for (fen, answer) in [
        ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", "dead\n"),
        ("8/8/1k4p1/1p1p1pPp/pPpPpP1P/P1P1P3/8/2K5 w - - 0 1", "dead\n"),
        ("8/8/4k3/8/8/3K1R2/8/8 w - - 0 1", "live\n"),
    ] {
        let run = arbiter(&texts(&["dead", fen]));
        assert_eq!((run.status, run.output.as_str()), (0, answer), "{fen}");
    }
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let game = |result: &str| {
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n1. f3 e5 2. g4 Qh4# {result}\n\n"
        )
    };
    std::fs::write(&games, game("0-1") + &game("1-0")).unwrap();
    let run = arbiter(&texts(&["check", &games]));
    assert_eq!(run.status, 1);
    assert!(
        run.output.contains(":7: game 2 (A - B): result 1-0, but Black mates: 0-1"),
        "{}",
        run.output
    );
    assert!(run.output.ends_with("2 games, 1 without a fault\n"), "{}", run.output);
    // RULES 4.4: B, the lower, wins 150/2; then A is behind by 0.
    let run = arbiter(&texts(&["grade", "A=500", "B=350", &games]));
    assert_eq!(run.status, 0);
    let lines: Vec<&str> = run.output.lines().map(str::trim).collect();
    assert_eq!(lines, ["435.00  grade 27  A", "415.00  grade 27  B"]);
}
