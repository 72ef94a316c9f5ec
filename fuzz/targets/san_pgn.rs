//! SAN and PGN: moves read in a position, and whole files of games. What was read of a file is
//! written and read again, and is then the same games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qishou::chess::Position;
use qishou::pgn;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut position = Position::startpos();
    for word in text.split_whitespace().take(200) {
        if let Ok(mv) = position.parse_san(word) {
            let written = position.san(mv).to_string();
            assert_eq!(position.parse_san(&written), Ok(mv), "{written}");
            position.play(mv);
        }
    }
    let records = pgn::read(&text);
    let written: String = records.iter().map(ToString::to_string).collect();
    let again = pgn::read(&written);
    assert_eq!(records.len(), again.len(), "{written}");
    for (record, again) in records.iter().zip(&again) {
        assert_eq!(record.game.moves(), again.game.moves(), "{written}");
    }
});
