//! `qishou analyse`: games annotated, positions looked at, test suites solved by this engine and by others.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "tools")]

use std::process::{Command, Stdio};

#[path = "support/program.rs"]
mod program;
#[path = "support/scripted_engine.rs"]
mod scripted_engine;

use program::{Directory, Run};

/// A suite in a file of its own, removed at the end.
struct Suite {
    path: String,
    _directory: Directory,
}

impl Suite {
    fn new(lines: &[&str]) -> Self {
        Self::named("epd", lines)
    }

    fn named(end: &str, lines: &[&str]) -> Self {
        let directory = Directory::new();
        let path = directory.write(&format!("suite.{end}"), &lines.join("\n"));
        Self { path, _directory: directory }
    }

    fn path(&self) -> &str {
        &self.path
    }
}

fn analyse(words: &[&str]) -> Run {
    program::run(env!("CARGO_BIN_EXE_qishou"), [&["analyse"], words].concat())
}

/// One position for each way of asking.
const MIXED: [&str; 7] = [
    "# mates, a free queen, points, a move to avoid",
    "1rr3k1/5ppp/8/8/8/8/2R5/2R3K1 w - - dm 2; id \"back rank\";",
    "8/8/8/8/8/k1K5/8/6R1 b - - bm #-2;",
    "4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5; c0 \"Rxd5=10, Kf2=1\";",
    "4k3/8/8/3q4/8/8/8/3RK3 w - - am Rxd5; id \"a wish nobody grants\";",
    "",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;",
];

fn last_line(run: &Run) -> &str {
    run.output.lines().last().unwrap_or_default()
}

#[test]
fn a_suite_is_counted_in_the_closing_line() {
    let suite = Suite::new(&MIXED);
    for limit in [["--depth", "12"], ["--nodes", "50000"], ["--movetime", "500"]] {
        let run = analyse(&[suite.path(), limit[0], limit[1]]);
        assert_eq!((run.status, run.errors.as_str()), (0, ""), "{limit:?}");
        assert_eq!(run.output, "solved 4 of 5, points 10\n", "{limit:?}");
    }
}

#[test]
fn each_position_can_be_told_and_several_files_have_a_line_each() {
    let (first, second) = (Suite::new(&MIXED[..3]), Suite::new(&MIXED[3..]));
    let run = analyse(&[first.path(), second.path(), "--depth", "12", "--each", "--threads", "2"]);
    assert_eq!(run.status, 0, "{}", run.errors);
    let (first, second) = (first.path(), second.path());
    let expected = [
        format!("{first} line 2 \"back rank\": solved (Rxc8+, mate 2)"),
        format!("{first} line 3: solved (Ka4, mate -2)"),
        format!("{first}: solved 2 of 2, points 0"),
        format!("{second} line 1: solved (Rxd5, 10 points)"),
        format!("{second} line 2 \"a wish nobody grants\": missed (Rxd5)"),
        format!("{second} line 4: solved (Ra8#, mate 1)"),
        format!("{second}: solved 2 of 3, points 10"),
        "solved 4 of 5, points 10".to_owned(),
    ];
    // In a lost position any move may be chosen.
    let shown = run.output.replace("solved (Ka2, mate -2)", "solved (Ka4, mate -2)");
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn lines_that_cannot_be_read_are_named_and_left_out() {
    let suite = Suite::new(&[
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;",
        MIXED[6],
        "no position at all",
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - c5 \"draw\";",
    ]);
    let run = analyse(&[suite.path(), "--depth", "3"]);
    assert_eq!((run.status, last_line(&run)), (1, "solved 1 of 1, points 0"), "{}", run.errors);
    for (number, told) in [(1, "\"Ra9\""), (3, "board"), (4, "asks nothing")] {
        let start = format!("{} line {number}: ", suite.path());
        let line = run.errors.lines().find(|line| line.starts_with(&start)).unwrap();
        assert!(line.contains(told), "{line}");
    }
}

#[test]
fn bad_words_on_the_command_line_are_named() {
    let suite = Suite::new(&MIXED);
    for (words, told) in [
        (&[suite.path()][..], "--movetime"),
        (&[suite.path(), "--depth", "3", "--nodes", "5"], "cannot be used with"),
        (&[suite.path(), "--nodes", "0"], "0"),
        (&["--depth", "3"], "FILE.epd"),
        (&["nowhere.epd", "--depth", "3"], "nowhere.epd"),
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], "8/8/8/8/8/8/8/8"),
        (&["startpos", "--each"], "--each is for test suites only"),
        (&["startpos", "--engine", "x"], "--engine is for test suites only"),
        (&["startpos", suite.path(), "--depth", "3"], "together"),
        (&[suite.path(), "--depth", "3", "--html", "x.html"], "games and positions only"),
        (&["startpos", "--out", "/no/such/folder/x.pgn"], "/no/such/folder/x.pgn"),
        (&[suite.path(), "--depth", "3", "--engine", "no-such-engine"], "no-such-engine"),
        (&[suite.path(), "--depth", "3", "--engine", " "], "names no program"),
    ] {
        let run = analyse(words);
        assert_eq!(run.status, 2, "{words:?}: {}", run.output);
        assert!(run.errors.contains(told), "{words:?}: {}", run.errors);
    }
}

/// This engine as another one: what is asked over UCI finds the same.
#[test]
fn another_engine_solves_the_same_suite_under_the_same_limits() {
    let suite = Suite::new(&MIXED);
    let limits = [suite.path(), "--depth", "7", "--hash", "4", "--each"];
    let engine = ["--engine", env!("CARGO_BIN_EXE_qishou"), "--engine-option", "Move Overhead=0"];
    let (own, other) = (analyse(&limits), analyse(&[&limits[..], &engine].concat()));
    assert_eq!((other.status, other.errors.as_str()), (0, ""));
    assert_eq!(own.output, other.output);
}

#[test]
fn an_engine_that_dies_is_started_again() {
    let suite = Suite::new(&MIXED);
    let program = std::env::current_exe().unwrap();
    let command = format!("{} {}", program.display(), scripted_engine::arguments().join(" "));
    // a1a8 is illegal everywhere but in the last position, where it mates; but without a score.
    for (script, told) in [("0 die", "disconnects"), ("0 illegal", "a1a8"), ("0 none", "")] {
        let option = format!("Script={script}");
        let words =
            [suite.path(), "--depth", "3", "--engine", &command, "--engine-option", &option];
        let run = analyse(&words);
        assert_eq!(run.status, 0, "{}", run.errors);
        assert_eq!(last_line(&run), "solved 0 of 5, points 0", "{script}");
        assert!(run.errors.contains(told), "{script}: {}", run.errors);
    }
}

const SHORT_GAME: [&str; 4] =
    ["[White \"A\"]", "[Black \"B\"]", "", "1. e4 e5 2. Qh5 {early} Ke7 3. Qxe5# 1-0"];

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_comes_out_annotated() {
    let game = Suite::named("pgn", &SHORT_GAME);
    let run = analyse(&[game.path(), "--depth", "8"]);
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
    let text = words(&run.output);
    assert!(
        text.contains("[White \"A\"] [Black \"B\"] [Result \"1-0\"] [Annotator \"Qishou "),
        "{text}"
    );
    assert!(text.contains(", depth 8\"] 1. e4 {[%eval "), "{text}");
    // A mate in one is allowed: a blunder, with the line that was better.
    assert!(text.contains(",8] early} "), "{text}");
    assert!(text.contains(" 2... Ke7 $4 {[%eval #1,8]} ( 2... "), "{text}");
    assert!(text.ends_with(") 3. Qxe5# 1-0"), "{text}");
    let read = qishou::pgn::read(&run.output);
    assert_eq!((read.len(), read[0].flaws.len(), read[0].game.moves().len()), (1, 0, 5));
}

#[test]
fn games_go_into_files_and_the_page_shows_them() {
    let games = Suite::named(
        "pgn",
        &[SHORT_GAME.as_slice(), &["", "[White \"C\"]", "1. d4 Nf7 *"]].concat(),
    );
    let (out, html) = (Suite::named("pgn", &[]), Suite::named("html", &[]));
    let run =
        analyse(&[games.path(), "--nodes", "2000", "--out", out.path(), "--html", html.path()]);
    // A move that can't be read is named; what stands before it is looked at.
    assert_eq!((run.status, run.output.as_str()), (1, ""), "{}", run.errors);
    assert!(run.errors.contains("line 6: 1...: illegal move \"Nf7\""), "{}", run.errors);
    let read = qishou::pgn::read(&std::fs::read_to_string(&out.path).unwrap());
    assert_eq!(read.iter().map(|game| game.game.moves().len()).collect::<Vec<_>>(), [5, 1]);
    assert!(read.iter().all(|game| game.remarks[0].comment.starts_with("[%eval ")));
    let page = std::fs::read_to_string(&html.path).unwrap();
    assert!(page.contains("Ke7??") && page.matches("<section").count() == 2);
    // With a page alone nothing else is written, and a file is never written over itself.
    let run = analyse(&[games.path(), "--nodes", "500", "--html", html.path()]);
    assert_eq!(run.output, "");
    let run = analyse(&[games.path(), "--nodes", "500", "--out", games.path()]);
    assert_eq!(run.status, 2);
    assert!(run.errors.contains("written over"), "{}", run.errors);
    assert_eq!(qishou::pgn::read(&std::fs::read_to_string(&games.path).unwrap()).len(), 2);
}

#[test]
fn a_position_gets_its_best_lines() {
    let run = analyse(&["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--depth", "6"]);
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
    let text = words(&run.output);
    assert!(
        text.contains(
            "[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"] [SetUp \"1\"] {[%eval #1,6]} 1. Ra8# ( 1. "
        ),
        "{text}"
    );
    assert_eq!(text.matches(" ( 1. ").count(), 2, "{text}");
}

/// Ctrl-C in the middle of a game: what is done is written, in PGN and as a page.
#[cfg(unix)]
#[test]
fn what_is_done_before_an_interrupt_is_written() {
    use std::time::{Duration, Instant};
    let game = Suite::named("pgn", &["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"]);
    let html = Suite::named("html", &[]);
    let out = Suite::named("pgn", &[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_qishou"))
        .args(["analyse", game.path(), "--movetime", "700"])
        .args(["--html", html.path(), "--out", out.path()])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(2500));
    let begun = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let done = child.wait().unwrap();
    assert_eq!(done.code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let text = std::fs::read_to_string(&out.path).unwrap();
    let scores = text.matches("[%eval ").count();
    assert!((1..10).contains(&scores) && words(&text).ends_with("5. O-O Be7 *"), "{text}");
    assert!(std::fs::read_to_string(&html.path).unwrap().ends_with("</html>\n"));
}
