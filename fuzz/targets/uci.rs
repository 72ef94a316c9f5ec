//! UCI: bytes sent to the real loop, searches and all. A zero byte is a short pause, so that
//! commands meet a search at any time. Each `go` gets one legal `bestmove`, each `isready` one
//! `readyok`; the end of the input ends everything.
#![no_main]

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use qishou::uci;

#[path = "../../tests/support/expectation.rs"]
mod expectation;

use expectation::{Expectation, is_harmless};

const PAUSE: Duration = Duration::from_micros(300);
/// Longer inputs would run for the sake of their pauses alone.
const MOST_PAUSES: usize = 20;

/// Gives one part after the other, with a pause between them.
struct Host {
    parts: Vec<Vec<u8>>,
    part: usize,
    at: usize,
}

impl BufRead for Host {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.parts.get(self.part).is_some_and(|part| self.at >= part.len()) {
            if (1..MOST_PAUSES).contains(&self.part) {
                thread::sleep(PAUSE);
            }
            (self.part, self.at) = (self.part + 1, 0);
        }
        Ok(self.parts.get(self.part).map_or(&[], |part| &part[self.at..]))
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl Read for Host {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("lines are read by the buffer")
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

fuzz_target!(|bytes: &[u8]| {
    let mut sent = b"setoption name Hash value 1\n".to_vec();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let told: Vec<u8> = line.iter().copied().filter(|&byte| byte != 0).collect();
        if is_harmless(&String::from_utf8_lossy(&told)) {
            sent.extend(line);
        }
    }
    let parts: Vec<Vec<u8>> = sent.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    let expectation = Expectation::of(&parts.concat());
    let output = Output::default();
    uci::run(Host { parts, part: 0, at: 0 }, output.clone()).expect("the host can be read");
    let said = String::from_utf8(output.0.lock().expect("the printer has ended").clone());
    let said = said.expect("text");
    if let Some(fault) = expectation.fault(&said) {
        panic!("{fault}\n{said}");
    }
});
