//! `qishou-arbiter`: matches between UCI engines. See `qishou-arbiter --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    qishou::console::status(qishou::arbiter::cli::main())
}
