//! The grammar of `go`: any subset of its fields in any order, with values that may be missing,
//! negative, absurd or no numbers at all.
//!
//! A host waits for exactly one best move for each `go`, so a `go` is never refused: what can't be
//! used is left out and named in one line.

use std::time::Duration;

use super::moves;
use super::words::{Words, shown};
use crate::chess::{Color, Position};
use crate::search::{Clock, Limits, Score};

/// A `go` as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Go {
    /// Time left of White and Black, in milliseconds.
    pub times: [Option<i64>; 2],
    /// Increments of White and Black, in milliseconds.
    pub increments: [Option<i64>; 2],
    /// Moves until the next period.
    pub moves_to_go: Option<u32>,
    /// Full iterations.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Time for this move, in milliseconds.
    pub move_time: Option<u64>,
    /// Think until `stop`.
    pub infinite: bool,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Only these moves, as text.
    pub search_moves: Vec<String>,
    /// What could not be used, in words.
    pub faults: Vec<String>,
    /// Whether something that ends a search was written, usable or not.
    bounded: bool,
}

/// Whether a word begins a field of `go`; the list of `searchmoves` ends there.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "searchmoves"
            | "ponder"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "depth"
            | "nodes"
            | "mate"
            | "movetime"
            | "infinite"
            | "perft"
    )
}

/// A whole number, however long; what does not fit is brought to the nearest that does.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

impl Go {
    /// Reads what follows the word `go`.
    pub(super) fn parse(mut words: Words<'_>) -> Self {
        let mut go = Self::default();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.peek().filter(|&word| !is_keyword(word)) {
                        go.search_moves.push(mv.to_owned());
                        words.next();
                    }
                }
                "wtime" | "btime" | "winc" | "binc" | "movestogo" | "depth" | "nodes" | "mate"
                | "movetime" => go.number(word, &mut words),
                "perft" => go.fault("perft stands alone: go perft N"),
                other => go.fault(&format!("{:?} means nothing", shown(other))),
            }
        }
        go
    }

    fn fault(&mut self, text: &str) {
        // A line of a million wrong words is answered with a short line.
        const MOST: usize = 8;
        if self.faults.len() < MOST {
            self.faults.push(text.to_owned());
        }
    }

    /// Takes the value of a field that has one.
    fn number(&mut self, field: &str, words: &mut Words<'_>) {
        if field != "movestogo" {
            self.bounded = true;
        }
        let Some(text) = words.peek().filter(|&word| !is_keyword(word)) else {
            return self.fault(&format!("{field} has no value"));
        };
        words.next();
        let Some(value) = integer(text) else {
            return self.fault(&format!("{field} {:?} is no number", shown(text)));
        };
        match field {
            // Hosts that let a clock run over send negative times: no fault, but no time either.
            "wtime" => self.times[Color::White] = Some(value),
            "btime" => self.times[Color::Black] = Some(value),
            "winc" => self.increments[Color::White] = Some(value),
            "binc" => self.increments[Color::Black] = Some(value),
            // Some hosts say 0 when the control has no periods.
            "movestogo" if value == 0 => {}
            _ if value < 0 => self.fault(&format!("{field} {} is negative", shown(text))),
            "movestogo" => self.moves_to_go = Some(value.min(1000) as u32),
            "depth" => self.depth = Some(value.clamp(1, Score::MAX_PLY as i64) as u32),
            "nodes" => self.nodes = Some(value.max(1) as u64),
            "mate" => self.mate = Some(value.clamp(1, Score::MAX_PLY as i64) as u32),
            _ => self.move_time = Some(value as u64),
        }
    }

    /// The clock of `us`. With only the other side's clock written, that one is ours: a host that
    /// sends one clock means the side to move.
    fn clock(&self, us: Color) -> Option<Clock> {
        let (time, increment) = (self.times[us], self.increments[us]);
        let own = time.or(self.times[!us]);
        if own.is_none() && increment.is_none() {
            return None;
        }
        Some(Clock {
            time: own.unwrap_or(0),
            increment: increment.or(self.increments[!us]).unwrap_or(0),
            moves_to_go: self.moves_to_go,
        })
    }

    /// What the search is to heed in `position`, and everything that could not be used.
    pub(super) fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut faults = self.faults.clone();
        let mut search_moves = Vec::new();
        let mut illegal = Vec::new();
        for text in &self.search_moves {
            match moves::read(text, position) {
                Some(mv) if search_moves.contains(&mv) => {}
                Some(mv) => search_moves.push(mv),
                None => illegal.push(shown(text)),
            }
        }
        if !illegal.is_empty() {
            illegal.truncate(8);
            let rest = if search_moves.is_empty() { "; all moves are searched" } else { "" };
            faults.push(format!("searchmoves: illegal {}{rest}", illegal.join(" ")));
        }
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: None,
            move_time: self.move_time.map(Duration::from_millis),
            clock: self.clock(position.side_to_move()),
            mate: self.mate,
            search_moves,
            infinite: self.infinite,
            ponder: self.ponder,
        };
        let endless = limits.depth.is_none()
            && limits.nodes.is_none()
            && limits.move_time.is_none()
            && limits.clock.is_none()
            && limits.mate.is_none();
        if endless && self.bounded && !limits.infinite {
            // It was meant to end, so it does: a host would wait for ever.
            limits.depth = Some(1);
            faults.push("no limit could be used; one iteration is searched".to_owned());
        }
        (limits, faults)
    }
}
