//! Transcripts of what hosts send and wait for, replayed against the real program.
//!
//! A transcript has a line for each step: `>` is sent, `<` is waited for (a line that begins so),
//! `=` is waited for word for word, `!` must not have been said since the last step that waited,
//! `~` must not have been said up to now, `*` sends every option back as it was declared, `.` is a
//! pause in milliseconds.

use std::time::Duration;

use super::grammar::{fault, fault_of_search};
use super::host::{AT_LAST, Host, program};

/// Turns a line of the engine's into what is heard instead: an engine with a fault.
pub(crate) type Sabotage = fn(&str) -> Vec<String>;

/// A replay under way.
struct Replay {
    host: Host,
    sabotage: Option<Sabotage>,
    /// Heard but not waited for yet.
    pending: Vec<String>,
    /// Everything waited for.
    said: Vec<String>,
    /// What came up to the last step that waited.
    last: Vec<String>,
    /// Searches that have been asked for and not answered.
    searches: usize,
}

impl Replay {
    fn hear(&mut self, line: &str) {
        match self.sabotage {
            Some(sabotage) => self.pending.extend(sabotage(line)),
            None => self.pending.push(line.to_owned()),
        }
    }

    /// Waits for a line that begins so.
    fn wait(&mut self, start: &str) {
        loop {
            if let Some(at) = self.pending.iter().position(|line| line.starts_with(start)) {
                self.last = self.pending.drain(..=at).collect();
                break;
            }
            let line = self.host.until("").remove(0);
            self.hear(&line);
        }
        for line in self.last.clone() {
            assert_eq!(fault(&line), None, "{line}");
            self.follow(&line);
        }
        self.said.extend(self.last.iter().cloned());
        if start.starts_with("bestmove") {
            // All since the best move before: the host may have waited for something else when it
            // was told what this one is worth.
            let (_, before) = self.said.split_last().expect("the best move");
            let last = before.iter().rposition(|line| line.starts_with("bestmove"));
            let told = &self.said[last.map_or(0, |last| last + 1)..];
            assert_eq!(fault_of_search(told), None, "{told:#?}");
        }
    }

    /// Thinking is told in a search only, and each search has one best move.
    fn follow(&mut self, line: &str) {
        let thinks = line.starts_with("info depth");
        let ends = line.starts_with("bestmove");
        assert!(self.searches > 0 || !(thinks || ends), "{line:?} without a search");
        self.searches -= usize::from(ends);
    }

    fn send(&mut self, line: &str) {
        if line.split(' ').next() == Some("go") {
            if self.searches == 0 {
                let late = self.pending.iter().find(|line| line.starts_with("info depth"));
                assert_eq!(late, None, "after the end of the last search");
            }
            self.searches += 1;
        }
        self.host.say(&[line]);
    }

    /// Sends every option back with its default, as Arena does.
    fn echo_options(&mut self) {
        for line in self.said.clone() {
            let Some(line) = line.strip_prefix("option name ") else { continue };
            let (name, rest) = line.split_once(" type ").expect("an option has a type");
            let value = rest.split_once(" default ").map(|(_, value)| value);
            let value = value.map(|value| value.split(" min ").next().unwrap_or(value));
            let value = value.map(|value| format!(" value {value}")).unwrap_or_default();
            self.send(&format!("setoption name {name}{value}"));
        }
    }

    /// Waits until the engine has left; gives all that was said.
    fn end(mut self) -> Vec<String> {
        // Until the output closes.
        while let Ok(line) = self.host.output.recv_timeout(AT_LAST) {
            self.hear(&line);
        }
        for line in std::mem::take(&mut self.pending) {
            assert_eq!(fault(&line), None, "{line}");
            self.follow(&line);
            self.said.push(line);
        }
        self.host.farewell();
        assert_eq!(self.searches, 0, "a search without a best move");
        // The answer to `uci` has its order, and all of it comes before its end.
        let said = self.said;
        let end = said.iter().position(|line| line == "uciok").expect("every host says uci");
        let kind = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
        let kinds: Vec<String> = said[..end].iter().map(kind).collect();
        assert!(kinds.is_sorted() && kinds.starts_with(&["id", "id", "option"].map(str::to_owned)));
        let late =
            said[end..].iter().map(kind).find(|kind| matches!(kind.as_str(), "id" | "option"));
        assert_eq!(late, None, "after uciok");
        said
    }

    fn step(&mut self, kind: &str, text: &str) {
        match kind {
            ">" => self.send(text),
            "<" => self.wait(text),
            "=" => {
                self.wait(text);
                assert_eq!(self.last.last().map(String::as_str), Some(text));
            }
            "!" => {
                let last = &self.last;
                assert!(!last.iter().any(|line| line.starts_with(text)), "{text} in {last:#?}");
            }
            "~" => {
                while let Ok(line) = self.host.output.try_recv() {
                    self.hear(&line);
                }
                let pending = &self.pending;
                assert!(!pending.iter().any(|line| line.starts_with(text)), "{pending:#?}");
            }
            "*" => self.echo_options(),
            "." => std::thread::sleep(Duration::from_millis(text.parse().expect("a number"))),
            other => panic!("{other:?} is no step"),
        }
    }
}

/// Plays a transcript; gives all that was said.
pub(crate) fn replay(transcript: &str, sabotage: Option<Sabotage>) -> Vec<String> {
    let mut replay = Replay {
        host: program(),
        sabotage,
        pending: Vec::new(),
        said: Vec::new(),
        last: Vec::new(),
        searches: 0,
    };
    for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (kind, text) = line.split_at(1);
        replay.step(kind, text.trim());
    }
    replay.end()
}

/// Replays a transcript with the engine as it is, then with each fault, which has to be noticed.
pub(crate) fn check(transcript: &str, look: impl Fn(&[String]), faults: &[(&str, Sabotage)]) {
    look(&replay(transcript, None));
    for (name, sabotage) in faults {
        let noticed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            look(&replay(transcript, Some(*sabotage)));
        }));
        assert!(noticed.is_err(), "{name} goes unnoticed");
    }
}
