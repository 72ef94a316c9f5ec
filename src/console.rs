//! Standard output and standard error of the command lines.
//!
//! `println!` panics when its reader has gone (`qishou-learn stats FILE | head -1`). Here a reader
//! that has gone is no fault: he wants no more, and the work goes on. Any other failure, such as a
//! full disk, is told once and shows in the exit status.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Nothing more is written to standard output.
static CLOSED: AtomicBool = AtomicBool::new(false);
/// Something was not written that somebody wanted.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints a line to standard output.
#[doc(hidden)]
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::console::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints a line to standard error.
#[doc(hidden)]
#[macro_export]
macro_rules! complain {
    ($($text:tt)*) => { $crate::console::complain(format_args!($($text)*)) };
}

/// Prints a text to standard output as it is.
pub fn print(text: fmt::Arguments<'_>) {
    if CLOSED.load(Relaxed) {
        return;
    }
    let mut output = io::stdout().lock();
    if let Err(error) = output.write_fmt(text).and_then(|()| output.flush()) {
        CLOSED.store(true, Relaxed);
        if error.kind() != ErrorKind::BrokenPipe {
            LOST.store(true, Relaxed);
            complain(format_args!("error: standard output: {error}"));
        }
    }
}

/// Prints a line to standard error. If nobody can read even that there is nobody left to tell.
pub fn complain(text: fmt::Arguments<'_>) {
    // Whole, so that lines of several threads don't mix.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// The exit status of a program that would end with this one.
pub fn status(status: ExitCode) -> ExitCode {
    if LOST.load(Relaxed) && status == ExitCode::SUCCESS { ExitCode::FAILURE } else { status }
}
