//! FEN: an error that names the fault, or a legal position that survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qishou::chess::{Fen, FenError, Position};

fuzz_target!(|text: &str| {
    let read: Result<Position, FenError> = text.parse();
    match read {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(position) => {
            for mv in position.legal_moves() {
                assert!(position.is_legal(mv));
                let child = position.child(mv);
                let written = Fen::of(&child).to_string();
                let again: Position = written.parse().expect("what we write we read");
                assert_eq!(again, child, "{written}");
            }
        }
    }
});
