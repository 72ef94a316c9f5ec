//! `qishou spsa`: the tunable numbers of the search, as `OpenBench`'s SPSA tests take them.

use std::io::{self, Write as _};
use std::process::ExitCode;

use qishou::search::PARAMETERS;

/// How fast a tuner moves, for all parameters alike: `OpenBench`'s usual end of the learning rate.
const LEARNING_RATE: f64 = 0.002;

/// One line for each: name, type, value, least, most, step at the end, learning rate at the end.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    for parameter in PARAMETERS {
        let name = parameter.name;
        let [default, min, max, step] =
            [parameter.default, parameter.min, parameter.max, parameter.step];
        writeln!(out, "{name}, int, {default}, {min}, {max}, {step}, {LEARNING_RATE}")?;
    }
    Ok(ExitCode::SUCCESS)
}
