//! `qishou-arbiter soak`, for a moment.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

#[path = "support/matches.rs"]
mod matches;

use matches::{Directory, arbiter, engine, texts};

#[test]
fn a_soak_counts_games_of_several_runs() {
    let directory = Directory::new();
    let file = directory.file("soak.json");
    for (count, games) in [("2", 2), ("1", 3)] {
        let engine = concat!("cmd=", env!("CARGO_BIN_EXE_qishou"));
        let words = ["soak", "-games", count, "-cycle", "1", "-append", &file, "-srand", "3"];
        // What is forgiven is a busy machine.
        let more = ["-engine", engine, "option.Hash=2", "option.Threads=1", "timemargin=3000"];
        let run = arbiter(&texts(&[&words[..], &more].concat()));
        assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), games, "{text}");
        assert!(run.output.starts_with("Qishou "), "{}", run.output);
        assert!(run.output.contains(&format!(": {games} games, ")), "{}", run.output);
        for told in ["crashes: 0", "lost on time: 0", " processes;", "  1+0.01 "] {
            assert!(run.output.contains(told), "{told}: {}", run.output);
        }
        let answers = format!("at most, {} times", 4 * games);
        assert_eq!(run.output.matches(&answers).count(), 2, "{}", run.output);
    }
}

#[test]
fn a_soak_tells_of_everything_that_goes_wrong() {
    let directory = Directory::new();
    for (script, told) in [
        ("0 die; 1 die; 8 die; 9 die", "(White: disconnects: exit status: 3)"),
        ("0 illegal; 1 illegal; 8 illegal; 9 illegal", "(White: illegal move a1a8)"),
    ] {
        let file = directory.file(script);
        let mut words = texts(&["soak", "-games", "2", "-append", &file]);
        words.extend(engine("Bad", &[("Script", script)], &[]));
        let run = arbiter(&words);
        assert_eq!(run.status, 1, "{}{}", run.output, run.errors);
        assert!(run.output.contains(told), "{told}: {}", run.output);
    }
}

#[test]
fn what_can_not_be_soaked_is_said_in_one_line() {
    let directory = Directory::new();
    let file = directory.write("other.json", "{\"a\": 1}\n");
    for (words, told) in [
        ("soak -time x", "\"x\" is no time"),
        ("soak -time", "-time needs a value"),
        ("soak -games 0", "\"0\" is no number"),
        ("soak -cycle x", "\"x\" is no number"),
        ("soak -engine cmd=a -engine cmd=b", "give one engine"),
        ("soak -nonsense", "unknown option -nonsense"),
        (&format!("soak -append {file}"), "line 1 is no game of a soak"),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let run = arbiter(&texts(&words));
        assert_eq!((run.status, run.errors.lines().count()), (2, 1), "{words:?}: {}", run.errors);
        assert!(run.errors.contains(told), "{words:?}: {}", run.errors);
    }
    // An engine that does not start is no soak.
    let run = arbiter(&texts(&["soak", "-engine", "cmd=no-such-engine"]));
    assert_eq!(run.status, 1);
    assert!(run.errors.contains("does not start"), "{}", run.errors);
}
