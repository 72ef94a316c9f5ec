//! The other end of a conversation with the engine: a host that writes and reads lines.
#![allow(dead_code, reason = "not every test file needs all of it")]

use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use qishou::uci;

/// What `isready` and `stop` promise is 50 ms; this is ten times that.
pub(crate) const AT_ONCE: Duration = Duration::from_millis(500);
pub(crate) const AT_LAST: Duration = Duration::from_secs(30);

/// A host: writes lines, reads lines.
pub(crate) struct Host {
    pub(crate) input: Option<Box<dyn Write>>,
    pub(crate) output: Receiver<String>,
    pub(crate) engine: Engine,
}

pub(crate) enum Engine {
    InProcess(JoinHandle<io::Result<()>>),
    Process(Child),
}

pub(crate) fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (lines, received) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if lines.send(line.unwrap()).is_err() {
                break;
            }
        }
    });
    received
}

pub(crate) fn in_process() -> Host {
    let (reader, input): (_, PipeWriter) = io::pipe().unwrap();
    let (output, writer) = io::pipe().unwrap();
    let engine = thread::spawn(move || uci::run(BufReader::new(reader), writer));
    Host {
        input: Some(Box::new(input)),
        output: lines_of(output),
        engine: Engine::InProcess(engine),
    }
}

pub(crate) fn program() -> Host {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qishou"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    Host {
        input: Some(Box::new(child.stdin.take().unwrap())),
        output: lines_of(child.stdout.take().unwrap()),
        engine: Engine::Process(child),
    }
}

impl Host {
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn say(&mut self, lines: &[&str]) {
        self.raw((lines.join("\n") + "\n").as_bytes());
    }

    /// Reads up to the line that begins with `start`; gives all lines read.
    pub(crate) fn until_within(&mut self, start: &str, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => {
                    let found = line.starts_with(start);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(error) => panic!("no {start:?} ({error}) after {lines:#?}"),
            }
        }
    }

    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        self.until_within(start, AT_LAST)
    }

    /// Everything said so far, known by the answer to `isready`.
    pub(crate) fn so_far(&mut self) -> Vec<String> {
        self.say(&["isready"]);
        let mut lines = self.until_within("readyok", AT_ONCE);
        lines.pop();
        lines
    }

    pub(crate) fn best_move(&mut self) -> String {
        let lines = self.until("bestmove");
        lines.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    }

    pub(crate) fn fen(&mut self) -> String {
        self.say(&["d"]);
        let lines = self.until("Checkers:");
        lines.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap().to_owned()
    }

    /// Closes the input, and gives what is still said until the engine has ended well.
    pub(crate) fn hang_up(mut self) -> Vec<String> {
        self.input = None;
        self.farewell()
    }

    pub(crate) fn farewell(self) -> Vec<String> {
        let (ended, end) = mpsc::channel();
        let engine = self.engine;
        thread::spawn(move || {
            let well = match engine {
                Engine::InProcess(handle) => handle.join().unwrap().is_ok(),
                Engine::Process(mut child) => child.wait().unwrap().success(),
            };
            ended.send(well).unwrap();
        });
        assert!(end.recv_timeout(AT_LAST).expect("the engine goes on"), "the engine ended badly");
        self.output.iter().collect()
    }
}

pub(crate) fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

pub(crate) fn errors(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string error: ")).collect()
}
