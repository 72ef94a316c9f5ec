//! Syzygy files: the head is read, and every position that fits is asked for.
//!
//! The first byte chooses the name of the table and its kind, the next 16 the squares of the men.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qishou::tablebase::ask_file;

const NAMES: [&str; 11] =
    ["KQvK", "KRvK", "KPvK", "KNvK", "KBvKN", "KNNvK", "KQPvK", "KQvKQ", "KRvKB", "KRvKR", "KPvKP"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&[choice], rest)) = bytes.split_first_chunk::<1>() else { return };
    let Some((squares, file)) = rest.split_first_chunk::<16>() else { return };
    let choice = usize::from(choice);
    ask_file(NAMES[choice / 2 % NAMES.len()], choice % 2 == 1, file, squares);
});
