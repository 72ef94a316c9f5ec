//! Ctrl-C: long commands end early and tell what they have.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::Context as _;

/// Set by Ctrl-C.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// The exit code of a program ended by Ctrl-C, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// From now on Ctrl-C sets [`STOP`] instead of ending the program.
pub(super) fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| STOP.store(true, Relaxed)).context("can't catch Ctrl-C")
}
