//! Processes of engines: started in a group of their own, read by threads, and never left behind.
//!
//! On Linux an engine dies with the thread that started it, even when the arbiter is killed: the
//! kernel is asked for that before the engine's program begins. Elsewhere an engine learns from
//! the end of its input. Where there are no signals, on Windows, what an engine has started itself
//! is not ended with it.
#![cfg_attr(unix, expect(unsafe_code, reason = "no safe call dies with the parent"))]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
#[cfg(windows)]
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use super::Engine;

/// A line of an engine.
#[derive(Debug)]
pub(super) struct Line {
    /// Without its end.
    pub(super) text: String,
    /// When it had been read.
    pub(super) time: Instant,
    /// Its length as it was written.
    pub(super) bytes: u64,
}

/// Where engines' standard error goes; nowhere if none.
pub type Log = Option<Arc<Mutex<File>>>;

/// Most lines that wait to be looked at.
const QUEUE: usize = 1024;
/// Longest line; the rest of a longer one is cut off.
const LONGEST: u64 = 64 << 10;

/// Starts the program of an engine.
pub(super) fn spawn(engine: &Engine) -> io::Result<Child> {
    let mut command = Command::new(&engine.command);
    command
        .args(&engine.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Ctrl-C in the terminal is for the arbiter, which then ends its engines.
    #[cfg(unix)]
    command.process_group(0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }
    if let Some(directory) = &engine.directory {
        command.current_dir(directory);
    }
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id();
        let die_with_parent = move || {
            // SAFETY: `prctl` with PR_SET_PDEATHSIG takes a signal number and touches no memory.
            let wished = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            // SAFETY: `getppid` takes nothing, touches no memory and can't fail.
            let orphan = unsafe { libc::getppid() }.cast_unsigned() != parent;
            // Killed between fork and wish: nobody is left to send the signal.
            if wished != 0 || orphan { Err(io::Error::last_os_error()) } else { Ok(()) }
        };
        // SAFETY: the closure runs in the child between fork and exec, where only functions that
        // are safe in signal handlers may be called. It makes two system calls and allocates
        // nothing: `last_os_error` wraps a number.
        unsafe { command.pre_exec(die_with_parent) };
    }
    command.spawn()
}

/// Ends an engine and all it has started, and waits for it.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = child.id().cast_signed();
        // SAFETY: `kill` takes two numbers and touches no memory. The child has not been waited for
        // by others, or its group is empty or its own: it was made leader of the group of its number.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads a line of bounded length; the number of bytes taken, 0 at the end.
fn read_line(output: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let mut bytes = output.by_ref().take(LONGEST).read_until(b'\n', line)? as u64;
    while bytes > 0 && line.last() != Some(&b'\n') {
        // The rest is thrown away piece by piece.
        let buffer = output.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        output.consume(taken);
        bytes += taken as u64;
        if end.is_some() {
            break;
        }
        // A line without end is a flood in one line: let it be counted.
        if bytes > 2 * LONGEST {
            return Ok(bytes);
        }
    }
    Ok(bytes)
}

/// Reads an engine's output in a thread; the queue closes with the output.
pub(super) fn read_lines(child: &mut Child) -> Receiver<Line> {
    let (lines, received) = mpsc::sync_channel(QUEUE);
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let mut output = BufReader::with_capacity(LONGEST as usize, output);
            let mut line = Vec::new();
            while let Ok(bytes @ 1..) = read_line(&mut output, &mut line) {
                let time = Instant::now();
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if lines.send(Line { text, time, bytes }).is_err() {
                    break;
                }
            }
        });
    }
    received
}

/// Copies an engine's standard error to the log in a thread.
pub(super) fn read_errors(child: &mut Child, log: Log) {
    let Some(errors) = child.stderr.take() else { return };
    let number = child.id();
    thread::spawn(move || {
        let mut errors = BufReader::new(errors);
        let mut line = Vec::new();
        while let Ok(1..) = read_line(&mut errors, &mut line) {
            if let Some(log) = &log
                && let Ok(mut log) = log.lock()
            {
                let text = String::from_utf8_lossy(&line);
                let _ = writeln!(log, "stderr of {number}: {}", text.trim_end());
            }
        }
    });
}
