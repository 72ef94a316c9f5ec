//! Matches by the real `qishou-arbiter` between engines that do what they are told, good or bad.
//!
//! The engine is this test program itself, run with the name of its hidden test.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

#[path = "support/matches.rs"]
mod matches;

use matches::*;

/// No test: the engine of the others.
#[test]
#[ignore = "this is the engine the other tests play with"]
fn the_engine() {
    scripted_engine::run();
}

#[test]
fn rules_2_1_and_2_6_mate_and_repetition_end_games() {
    let line = [("Line", MATE)];
    check(&one_game(&line, &line, &[]), "0-1", "Black mates", "normal", Some(4));
    let line = [("Line", SHUFFLE)];
    check(&one_game(&line, &line, &[]), "1/2-1/2", "threefold repetition", "normal", Some(8));
}

/// RULES 2.2, 2.5, 2.6, 2.11: what engines tell the arbiter.
#[test]
fn rules_2_2_and_2_5_and_2_11_engines_resign_offer_and_claim() {
    let seed = ["-rules", "seed", "-each", "tc=600"];
    let short = ["-rules", "seed", "-each", "tc=200"];
    let half = ["-rules", "seed", "-penalty", "half:180", "-each", "tc=100"];
    for (white, black, more, result, details, termination, plies) in [
        ("4 say resign", "", &seed, "0-1", "White resigns", "normal", Some(4)),
        ("", "3 say resign", &seed, "1-0", "Black resigns", "normal", Some(3)),
        (
            "4 say offer draw",
            "5 say accept draw",
            &seed,
            "1/2-1/2",
            "draw by agreement",
            "normal",
            Some(5),
        ),
        // An acceptance without an offer, or after a move, is none.
        ("", "5 say accept draw; 7 say resign", &seed, "1-0", "Black resigns", "normal", Some(7)),
        (
            "4 say offer draw",
            "7 say accept draw; 9 say resign",
            &seed,
            "1-0",
            "Black resigns",
            "normal",
            Some(9),
        ),
        ("8 say claim draw", "", &seed, "1/2-1/2", "threefold repetition", "normal", Some(8)),
        (
            "",
            "7 say claim draw by move",
            &seed,
            "1/2-1/2",
            "threefold repetition",
            "normal",
            Some(7),
        ),
        // Wrong: five minutes, which is more than there is; more than enough; half of the rest.
        ("2 say claim draw", "", &short, "0-1", "White loses on time", "time forfeit", Some(2)),
        ("2 say claim draw; 4 say resign", "", &seed, "0-1", "White resigns", "normal", Some(4)),
    ] {
        let with = |script| [("Line", SHUFFLE), ("Script", script)];
        let record = one_game(&with(white), &with(black), more);
        check(&record, result, details, termination, plies);
        if white.starts_with("2 say claim") {
            let told = record.tag("Rulings").unwrap();
            assert!(told.contains("claims a draw wrongly: it loses 300 s"), "{told}");
        }
    }
    let with = |script| [("Line", SHUFFLE), ("Script", script)];
    let record = one_game(&with("2 say claim draw; 4 say resign"), &with(""), &half);
    let clock = |ply: usize| {
        let comment = &record.remarks[ply].comment;
        comment.split("[%clk ").nth(1).unwrap().split(']').next().unwrap().to_owned()
    };
    // White loses half of its 100 seconds, Black gets three minutes.
    assert!(["0:00:49", "0:00:50"].iter().any(|time| clock(2).starts_with(time)), "{record}");
    assert!(["0:04:39", "0:04:40"].iter().any(|time| clock(3).starts_with(time)), "{record}");
}

/// RULES 2.10, 3.2: a fallen flag, to the rule.
#[test]
fn rule_2_10_a_flag_that_falls_loses_or_draws() {
    let directory = Directory::new();
    let late = [("Script", "0 late 400")];
    for (fen, rules, result, details) in [
        ("7k/7p/6K1/8/8/8/8/R7 w - - 0 1", "fide", "0-1", "White loses on time"),
        (
            "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "fide",
            "1/2-1/2",
            "White's flag fell, but Black can't mate",
        ),
        (
            "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "seed",
            "1/2-1/2",
            "White's flag fell, but Black can't mate",
        ),
        (
            "7k/8/5K2/8/8/8/7b/R7 w - - 0 1",
            "fide",
            "1/2-1/2",
            "White's flag fell, but Black can't mate",
        ),
        ("7k/8/5K2/8/8/8/7b/R7 w - - 0 1", "seed", "0-1", "White loses on time"),
    ] {
        let book = directory.file("book.epd");
        std::fs::write(&book, fen).unwrap();
        let file = format!("file={book}");
        let more = ["-rules", rules, "-openings", &file, "-each", "tc=0.1"];
        check(&one_game(&late, &[], &more), result, details, "time forfeit", Some(0));
    }
}

/// RULES 2.12, 2.13, 3.2: everything an engine can do wrong loses its game and no other.
#[test]
fn rules_2_12_and_2_13_ill_behaved_engines_lose_their_game_only() {
    for (script, details, termination) in [
        ("2 illegal", "White: illegal move a1a8", "illegal move"),
        ("2 null", "White: illegal move 0000", "illegal move"),
        ("2 none", "White: illegal move (none)", "illegal move"),
        ("2 upper", "White: illegal move F3G1", "illegal move"),
        ("2 die", "White: disconnects: exit status: 3", "abandoned"),
        ("2 closeout", "White: disconnects", "abandoned"),
        ("2 flood", "White: floods", "abandoned"),
        ("2 longline", "White: floods", "abandoned"),
        ("2 twice", "White: breaks the protocol: unasked \"bestmove f3g1\"", "abandoned"),
        ("2 hang", "White loses on time", "time forfeit"),
        ("2 late 1500", "White loses on time", "time forfeit"),
    ] {
        let directory = Directory::new();
        let games = directory.file("games.pgn");
        let bad = [("Line", SHUFFLE), ("Script", script), ("Stubborn", "true")];
        let mut words = engine("Bad", &bad, &[]);
        words.extend(engine("Good", &[("Line", SHUFFLE)], &[]));
        // Who does answer in some way is not to lose on time first, however busy the machine is.
        let control = if termination == "time forfeit" { "tc=1" } else { "tc=100" };
        let more = ["-each", control, "timemargin=200", "-games", "2", "-quiet", "-pgnout", &games];
        words.extend(texts(&more));
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{script}: {}{}", run.output, run.errors);
        let records = records(&games);
        // As Black the same script, for its even plies, is never reached: the game is drawn.
        assert_eq!(records.len(), 2, "{script}");
        check(&records[0], "0-1", details, termination, None);
        check(&records[1], "1/2-1/2", "threefold repetition", "normal", Some(8));
    }
}

#[test]
fn rule_2_13_an_engine_that_does_not_start_forfeits() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let mut words = texts(&["-engine", "cmd=no-such-engine-at-all", "name=None"]);
    words.extend(engine("Good", &[], &[]));
    words.extend(texts(&["-each", "tc=10", "-quiet", "-pgnout", &games]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    let records = records(&games);
    check(&records[0], "0-1", "White: does not start", "abandoned", Some(0));
    check(&records[1], "1-0", "Black: does not start", "abandoned", Some(0));
}

#[cfg(unix)]
#[test]
fn rule_2_13_an_engine_that_never_answers_forfeits() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let mut words = texts(&["-engine", "cmd=sleep 60", "name=Mute", "patience=0.3"]);
    words.extend(engine("Good", &[], &[]));
    words.extend(texts(&["-each", "tc=10", "-quiet", "-games", "1", "-pgnout", &games]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}", run.errors);
    let record = records(&games).remove(0);
    check(&record, "0-1", "White: stalls: no answer to uci", "abandoned", Some(0));
}

/// RULES 3.1 and 3.3 with the clocks told to the engines by the program.
#[test]
fn rules_3_1_and_3_3_clocks_run_as_they_are_set() {
    let line = [("Line", SHUFFLE), ("Script", "0 late 120; 2 late 120; 4 late 120")];
    let quick = [("Line", SHUFFLE)];
    for (control, written, plies, low, high) in [
        // Left after White's third move, which began with what the first two had saved.
        ("tc=2/10:5+1", "2/10:5+1", 4, 15.0, 15.65),
        ("tc=10+1", "10+1", 4, 12.0, 12.65),
        ("tc=10d0.5", "10d0.5", 4, 9.9, 10.0),
        ("tc=10", "10", 4, 9.0, 9.65),
    ] {
        let record = one_game(&line, &quick, &["-each", control]);
        assert_eq!(record.tag("TimeControl"), Some(written));
        let clock = record.remarks[plies].comment.split("[%clk 0:00:").nth(1).unwrap();
        let left: f64 = clock.split(']').next().unwrap().parse().unwrap();
        assert!(low <= left && left <= high, "{control}: {left}");
    }
    for limit in ["nodes=10", "depth=1", "st=5"] {
        let record = one_game(&quick, &quick, &["-each", limit]);
        check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
    }
}

/// RULES 3.2: the flag decides; nothing is forgiven but the margin.
#[test]
fn rule_3_2_the_margin_is_all_that_is_forgiven() {
    let late = [("Line", SHUFFLE), ("Script", "2 late 300")];
    let quick = [("Line", SHUFFLE)];
    let record = one_game(&late, &quick, &["-each", "st=0.1"]);
    check(&record, "0-1", "White loses on time", "time forfeit", Some(2));
    let record = one_game(&late, &quick, &["-each", "st=0.1", "timemargin=2000"]);
    check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
}

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
    assert_eq!(log.lines().count(), 2);
    assert!(log.lines().all(|line| line.contains("\"reason\":\"Black mates\"")), "{log}");
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
fn no_engine_outlives_its_arbiter() {
    let directory = Directory::new();
    let mark = directory.file("mark");
    let bad = [("Script", "0 hang"), ("Stubborn", "true"), ("Line", mark.as_str())];
    let marked = format!("arg={mark}");
    let mut words = engine("A", &bad, &[&marked]);
    words.extend(engine("B", &[], &[&marked]));
    words.extend(texts(&["-each", "tc=60", "-quiet"]));
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_qishou-arbiter")).args(&words).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while engines_with(&mark, child.id()) < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(engines_with(&mark, child.id()), 2, "the game has begun");
    child.kill().unwrap();
    child.wait().unwrap();
    while engines_with(&mark, child.id()) > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(engines_with(&mark, child.id()), 0);
}

/// Processes, zombies too, that were started with a mark, but for the arbiter.
fn engines_with(mark: &str, arbiter: u32) -> usize {
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|&number| number != arbiter)
        .filter(|number| {
            let line = std::fs::read(Path::new("/proc").join(number.to_string()).join("cmdline"));
            line.is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark))
        })
        .count()
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

#[test]
fn bad_arguments_are_one_line_and_status_2() {
    for words in [
        vec![],
        vec!["nonsense"],
        vec!["dead"],
        vec!["dead", "8/8/8/8/8/8/8/8", "w"],
        vec!["check"],
        vec!["check", "no-such-file.pgn"],
        vec!["grade", "A=x", "no-such-file.pgn"],
        vec!["-engine", "cmd=a"],
        vec!["-engine", "cmd=a", "-engine", "cmd=b", "-each", "tc=x"],
        vec![
            "-engine",
            "cmd=a",
            "-engine",
            "cmd=b",
            "-each",
            "tc=1",
            "-openings",
            "file=no-such-file",
        ],
    ] {
        let run = arbiter(&texts(&words));
        assert_eq!(run.status, 2, "{words:?}");
        assert_eq!(run.errors.lines().count(), 1, "{words:?}: {}", run.errors);
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
