//! `qishou-learn`: makes training games and networks. See `qishou-learn --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    qishou::console::status(qishou::learn::cli::main())
}
