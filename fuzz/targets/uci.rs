//! UCI: bytes sent to the real loop, searches and all. A zero byte is a short pause, so that
//! commands meet a search at any time. Each `go` gets one legal `bestmove`, each `isready` one
//! `readyok`; the end of the input ends everything.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/support/expectation.rs"]
mod expectation;
#[path = "../../tests/support/paused.rs"]
mod paused;

use expectation::{Expectation, is_harmless};

const PAUSE: Duration = Duration::from_micros(300);
/// Longer inputs would run for the sake of their pauses alone.
const MOST_PAUSES: usize = 20;

fuzz_target!(|bytes: &[u8]| {
    let mut sent = b"setoption name Hash value 1\n".to_vec();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let told: Vec<u8> = line.iter().copied().filter(|&byte| byte != 0).collect();
        if is_harmless(&String::from_utf8_lossy(&told)) {
            sent.extend(line);
        }
    }
    let parts = sent.splitn(MOST_PAUSES, |&byte| byte == 0);
    let parts: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
    let expectation = Expectation::of(&parts.concat());
    let said = paused::converse(parts, PAUSE);
    if let Some(fault) = expectation.fault(&said) {
        panic!("{fault}\n{said}");
    }
});
