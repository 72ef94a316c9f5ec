//! An engine's manners: how soon it answers while it thinks, and how much memory it holds.

use std::time::{Duration, Instant};

use super::{Player, PlayerError, Search};

/// How soon an engine that thinks without limit answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manners {
    /// From `isready` written to `readyok` read.
    pub ready: Duration,
    /// From `stop` written to `bestmove` read.
    pub stop: Duration,
}

impl Player {
    /// Lets the engine think on a position (`position ...`) without limit for so long, and asks it
    /// to answer.
    ///
    /// # Errors
    /// If it does not answer in time or breaks the protocol or itself.
    pub fn probe(&mut self, position: &str, think: Duration) -> Result<Manners, PlayerError> {
        self.settle()?;
        self.say(position)?;
        self.say("go infinite")?;
        let mut search = Search::default();
        let deadline = Instant::now() + think;
        // What it says is heard all the while, so that it is never held up.
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            if let Ok(line) = self.lines.recv_timeout(left)
                && search.hear(&line)?.is_some()
            {
                return Err(PlayerError::Protocol(format!("unasked {:?}", line.text)));
            }
        }
        let ready = self.ready()?;
        self.say("stop")?;
        let begin = Instant::now();
        let deadline = begin + self.patience;
        let answer = self.answer(&mut search, deadline, false, &mut || Ok(()))?;
        Ok(Manners { ready, stop: answer.time.saturating_duration_since(begin) })
    }

    /// What of the engine is in memory now, in bytes, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// The number of the engine's process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Whether the engine has named an option with this name.
    pub fn has_option(&self, name: &str) -> bool {
        self.known_options.contains(&name.to_ascii_lowercase())
    }
}
