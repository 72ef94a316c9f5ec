//! EPD: a position with operations, and the moves they name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qishou::chess::Epd;

fuzz_target!(|text: &str| {
    if let Ok(epd) = text.parse::<Epd>() {
        for moves in [epd.best_moves(), epd.avoid_moves()].into_iter().flatten() {
            assert!(moves.into_iter().all(|mv| epd.position.is_legal(mv)));
        }
        let _ = (epd.id(), epd.mate_in(), epd.operations.iter().count());
    }
});
