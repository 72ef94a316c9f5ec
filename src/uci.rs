//! The Universal Chess Interface: text in, text out.
//!
//! A reader thread only forwards lines; the session is a state machine that is never
//! blocked by a search, so `isready` and `stop` are answered at once; one [printer](print) thread
//! owns the output, so lines never mix and a host that does not read never holds up the search.
//!
//! Invariant: nothing here panics or ends the process, whatever is sent. A bad command says
//! `info string error: ...` and leaves everything as it was.

// Arrays are indexed by colours and squares only, which can't be out of range.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics"))]

mod command;
mod endgames;
mod evaluation;
mod go;
mod input;
mod jobs;
mod log;
mod network;
mod opening;
mod options;
mod print;
mod session;
mod sink;
#[cfg(feature = "tune")]
mod tuning;
mod words;

use std::io::{self, BufRead, Write};

pub use command::{Bench, Command, CommandError, SpeedTest, Start};
pub use go::Go;
pub use options::{Change, OptionError, Options, declarations};

/// The name the engine goes by, with its version.
pub const NAME: &str = concat!("Qishou ", env!("CARGO_PKG_VERSION"));

/// Serves a host: reads commands until `quit`, the end of the input, or until nobody reads the
/// output any more. The end of the input counts as `quit`.
///
/// Returns when everything has been written; the thread that reads may wait for one more line.
///
/// ```
/// let commands = "position startpos moves e2e4\nd\nquit\n";
/// qishou::uci::run(commands.as_bytes(), std::io::sink())?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the input can't be read, or the output can't be written though somebody reads it. That the
/// reader has gone is no error.
pub fn run<R, W>(reader: R, writer: W) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    session::serve(reader, writer)
}

/// Runs prompt commands one after the other and returns when the last has been answered: what
/// `qishou go movetime 3000` does.
///
/// ```
/// let lines = ["position startpos moves e2e4".to_owned(), "d".to_owned()];
/// qishou::uci::run_lines(&lines, std::io::sink())?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If a thread can't be started, or the output can't be written though somebody reads it.
pub fn run_lines<W: Write + Send + 'static>(lines: &[String], writer: W) -> io::Result<()> {
    session::run_lines(lines, writer)
}
