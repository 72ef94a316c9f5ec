//! Descriptions of matches: the words of the command line, a line each, or a TOML file if the
//! first line is `#toml`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use qishou::arbiter::cli::understand;

fuzz_target!(|text: &str| {
    let read = match text.strip_prefix("#toml\n") {
        Some(toml) => understand(Err(toml)),
        None => understand(Ok(&text.lines().collect::<Vec<_>>())),
    };
    if let Err(told) = read {
        assert!(!told.is_empty());
    }
});
