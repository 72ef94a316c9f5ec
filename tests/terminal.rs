//! What a person sees at a terminal, and what a program reads from a pipe.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// Talks to the engine through a terminal of its own, which util-linux's `script` makes.
fn at_a_terminal(lines: &str, settings: &[(&str, &str)]) -> String {
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", env!("CARGO_BIN_EXE_qishou"), "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .envs(settings.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn in_a_pipe(lines: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qishou"))
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

const LINES: &str = "d\nnonsense\ngo depth 2\nquit\n";

#[test]
fn a_person_is_greeted_and_sees_colours() {
    let said = at_a_terminal(LINES, &[]);
    let greeting = format!("Qishou {}: a UCI chess engine", env!("CARGO_PKG_VERSION"));
    assert_eq!(said.matches(&greeting).count(), 1, "{said}");
    for painted in
        ["\x1b[31minfo string error: unknown command", "\x1b[1mbestmove ", "\x1b[36mk\x1b[0m"]
    {
        assert!(said.contains(painted), "{painted:?} in {said}");
    }
}

#[test]
fn who_wants_no_colours_gets_none() {
    for setting in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let said = at_a_terminal(LINES, &[setting]);
        assert!(said.contains("bestmove ") && !said.contains('\x1b'), "{said:?}");
    }
}

#[test]
fn a_pipe_gets_plain_lines_and_no_greeting() {
    let (output, errors) = in_a_pipe(LINES);
    assert!(output.starts_with(" +---+"), "{output}");
    assert!(output.contains("\nbestmove ") && !output.contains('\x1b'), "{output}");
    assert_eq!(errors, "");
}
