//! Programs of this package run as a whole, and folders for what they write.

#![allow(dead_code, reason = "no test program uses all of it")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory of its own for a test, removed at the end.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("qishou-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A file with this text; its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.file(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a program has said and how it has ended.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// Runs a program to its end.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(
    program: &str,
    words: impl IntoIterator<Item = S>,
) -> Run {
    let done = Command::new(program).args(words).stdin(Stdio::null()).output().unwrap();
    Run {
        status: done.status.code().unwrap_or(-1),
        output: String::from_utf8(done.stdout).unwrap(),
        errors: String::from_utf8(done.stderr).unwrap(),
    }
}
