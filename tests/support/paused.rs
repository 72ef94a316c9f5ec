//! An engine in this process, talked to with pauses in between.
#![allow(dead_code, reason = "not every user needs all of it")]

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use qishou::uci;

/// An input that comes in parts, with a pause before each but the first.
struct Input {
    parts: Vec<Vec<u8>>,
    part: usize,
    at: usize,
    pause: Duration,
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.parts.get(self.part).is_some_and(|part| self.at >= part.len()) {
            (self.part, self.at) = (self.part + 1, 0);
            if self.part < self.parts.len() {
                thread::sleep(self.pause);
            }
        }
        Ok(self.parts.get(self.part).map_or(&[], |part| &part[self.at..]))
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let part = self.fill_buf()?;
        let count = part.len().min(into.len());
        into[..count].copy_from_slice(&part[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics with it").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sends the parts, then the end of the input; gives what was said until the engine left.
pub(crate) fn converse(parts: Vec<Vec<u8>>, pause: Duration) -> String {
    let output = Output::default();
    uci::run(Input { parts, part: 0, at: 0, pause }, output.clone()).expect("it can be read");
    let said = output.0.lock().expect("the printer has ended").clone();
    String::from_utf8(said).expect("text")
}
