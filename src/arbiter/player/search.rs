//! What an engine says after `go`, line by line.

use std::time::Instant;

use super::process::Line;
use super::{FLOOD, Info, PlayerError};

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The move as it was written.
    pub(super) best: String,
    /// The move that is expected, if one was said.
    pub(super) ponder: Option<String>,
    /// When it came.
    pub(super) time: Instant,
}

/// A search that is under way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Search {
    pub(super) info: Info,
    pub(super) messages: Vec<String>,
    bytes: u64,
}

/// What an engine tells the arbiter.
fn message(line: &str) -> Option<&str> {
    line.trim().strip_prefix("info string arbiter:").map(str::trim)
}

impl Search {
    /// Takes a line; the answer if it was the last one.
    pub(super) fn hear(&mut self, line: &Line) -> Result<Option<Answer>, PlayerError> {
        self.bytes += line.bytes;
        if self.bytes > FLOOD {
            return Err(PlayerError::Flood(FLOOD >> 20));
        }
        let mut words = line.text.split_whitespace();
        match words.next() {
            Some("info") => match message(&line.text) {
                Some(text) => self.messages.push(text.to_owned()),
                None => self.info.update(&line.text),
            },
            Some("bestmove") => {
                let best = words.next().unwrap_or_default().to_owned();
                let ponder = words.next().filter(|&word| word == "ponder");
                let ponder = ponder.and_then(|_| words.next()).map(str::to_owned);
                return Ok(Some(Answer { best, ponder, time: line.time }));
            }
            Some("readyok") => return Err(PlayerError::Protocol("unasked \"readyok\"".into())),
            _ => {}
        }
        Ok(None)
    }
}

/// A search on the opponent's time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pondering {
    /// The `position` command with the expected move.
    pub(super) position: String,
    pub(super) search: Search,
    /// It has answered, or broken something, before it was asked to.
    pub(super) early: Option<Result<Answer, PlayerError>>,
}
