//! The option Debug Log File: everything that is read and written, for reports of faults.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use thiserror::Error;

/// A log that may be on or off; shared by all who read and write.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Arc<Mutex<Option<Open>>>);

#[derive(Debug)]
struct Open {
    file: File,
    since: Instant,
}

/// Whose line it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Speaker {
    Host,
    Engine,
}

/// What is said when a log can't be written to.
#[derive(Debug, Error)]
#[error("option Debug Log File: {0}; the log ends")]
pub(super) struct EndOfLog(pub(super) io::Error);

impl Log {
    /// Logs into this file from now on; an empty name ends it. What was in the file is lost.
    pub(super) fn set(&self, name: &str) -> io::Result<()> {
        let open = if name.is_empty() {
            None
        } else {
            Some(Open { file: File::create(Path::new(name))?, since: Instant::now() })
        };
        if let Ok(mut slot) = self.0.lock() {
            *slot = open;
        }
        Ok(())
    }

    /// Writes lines, each with its speaker and the seconds since the log began.
    ///
    /// # Errors
    /// If it can't be written to; then it ends, so that this is told once.
    pub(super) fn note(&self, speaker: Speaker, text: &str) -> io::Result<()> {
        let Ok(mut slot) = self.0.lock() else { return Ok(()) };
        let Some(open) = slot.as_mut() else { return Ok(()) };
        let seconds = open.since.elapsed().as_secs_f64();
        let mark = match speaker {
            Speaker::Host => ">>",
            Speaker::Engine => "<<",
        };
        let mut written = String::new();
        for line in text.lines() {
            // Writing into a string can't fail.
            let _ = writeln!(written, "{seconds:10.3} {mark} {line}");
        }
        let written = open.file.write_all(written.as_bytes());
        if written.is_err() {
            *slot = None;
        }
        written
    }
}
