//! The grammar of `go`: any subset of its fields in any order, with values that may be missing,
//! negative, absurd or no numbers at all.
//!
//! A host waits for exactly one best move for each `go`, so a `go` is never refused: what can't be
//! used is left out and named in one line.

use std::time::Duration;

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
            match position.parse_uci(text) {
                Ok(mv) if search_moves.contains(&mv) => {}
                Ok(mv) => search_moves.push(mv),
                Err(_) => illegal.push(shown(text)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Square};

    fn go(text: &str) -> Go {
        Go::parse(Words::of(text))
    }

    fn limits(text: &str, fen: &str) -> (Limits, Vec<String>) {
        go(text).limits(&fen.parse().unwrap())
    }

    const WHITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const BLACK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    const E2E4: Move = Move::normal(Square::E2, Square::E4);
    const G1F3: Move = Move::normal(Square::G1, Square::F3);

    fn clock(time: i64, increment: i64, moves_to_go: Option<u32>) -> Clock {
        Clock { time, increment, moves_to_go }
    }

    #[test]
    fn every_field_is_read_in_any_order_and_subset() {
        let none = Limits::default;
        let seconds = Duration::from_secs;
        let cases = [
            ("", none()),
            ("infinite", Limits { infinite: true, ..none() }),
            ("depth 7", Limits { depth: Some(7), ..none() }),
            ("nodes 5000000000", Limits { nodes: Some(5_000_000_000), ..none() }),
            ("mate 3", Limits { mate: Some(3), ..none() }),
            ("movetime 3000", Limits { move_time: Some(seconds(3)), ..none() }),
            (
                "nodes 100 movetime 2000",
                Limits { nodes: Some(100), move_time: Some(seconds(2)), ..none() },
            ),
            ("wtime 100 btime 900", Limits { clock: Some(clock(100, 0, None)), ..none() }),
            ("binc 9 btime 8 winc 7 wtime 6", Limits { clock: Some(clock(6, 7, None)), ..none() }),
            ("movestogo 40 wtime 6", Limits { clock: Some(clock(6, 0, Some(40))), ..none() }),
            ("movestogo 0 wtime 6", Limits { clock: Some(clock(6, 0, None)), ..none() }),
            (
                "wtime 5 ponder btime 5",
                Limits { clock: Some(clock(5, 0, None)), ponder: true, ..none() },
            ),
            (
                "searchmoves e2e4 g1f3 e2e4 depth 2",
                Limits { depth: Some(2), search_moves: vec![E2E4, G1F3], ..none() },
            ),
            (
                "depth 2 searchmoves g1f3",
                Limits { depth: Some(2), search_moves: vec![G1F3], ..none() },
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(limits(text, WHITE), (expected, Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn one_clock_is_the_clock_of_the_side_to_move() {
        let cases = [
            ("wtime 100", WHITE, clock(100, 0, None)),
            ("btime 100", WHITE, clock(100, 0, None)),
            ("wtime 100", BLACK, clock(100, 0, None)),
            ("btime 100 binc 3", BLACK, clock(100, 3, None)),
            ("wtime 1 btime 2 winc 3 binc 4", BLACK, clock(2, 4, None)),
            ("wtime -20 btime 5", WHITE, clock(-20, 0, None)),
            ("wtime 0 btime 5", WHITE, clock(0, 0, None)),
            ("winc 50", WHITE, clock(0, 50, None)),
            ("wtime 99999999999999999999999", WHITE, clock(i64::MAX, 0, None)),
        ];
        for (text, fen, expected) in cases {
            let (limits, faults) = limits(text, fen);
            assert_eq!(limits.clock, Some(expected), "{text:?}");
            assert!(faults.is_empty(), "{text:?}: {faults:?}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named_and_the_rest_holds() {
        let none = Limits::default;
        let one = || Limits { depth: Some(1), ..none() };
        let lost = "no limit could be used; one iteration is searched";
        let cases: [(&str, Limits, &[&str]); 9] = [
            ("foo depth 3", Limits { depth: Some(3), ..none() }, &["\"foo\" means nothing"]),
            ("depth", one(), &["depth has no value", lost]),
            ("depth infinite", Limits { infinite: true, ..none() }, &["depth has no value"]),
            ("movetime abc", one(), &["movetime \"abc\" is no number", lost]),
            ("movetime -5", one(), &["movetime -5 is negative", lost]),
            (
                "nodes 1.5 depth 2",
                Limits { depth: Some(2), ..none() },
                &["nodes \"1.5\" is no number"],
            ),
            (
                "wtime btime 50",
                Limits { clock: Some(clock(50, 0, None)), ..none() },
                &["wtime has no value"],
            ),
            (
                "searchmoves e2e5 xyz",
                none(),
                &["searchmoves: illegal e2e5 xyz; all moves are searched"],
            ),
            (
                "searchmoves e2e5 e2e4",
                Limits { search_moves: vec![E2E4], ..none() },
                &["searchmoves: illegal e2e5"],
            ),
        ];
        for (text, expected, faults) in cases {
            let faults = faults.iter().map(|&fault| fault.to_owned()).collect();
            assert_eq!(limits(text, WHITE), (expected, faults), "{text:?}");
        }
    }

    #[test]
    fn absurd_numbers_are_brought_into_reach() {
        let cases = [
            ("depth 1000000", Some(Score::MAX_PLY as u32), None),
            ("depth 0", Some(1), None),
            ("nodes 0", None, Some(1)),
            ("nodes 99999999999999999999", None, Some(i64::MAX as u64)),
        ];
        for (text, depth, nodes) in cases {
            let (limits, _) = limits(text, WHITE);
            assert_eq!((limits.depth, limits.nodes), (depth, nodes), "{text:?}");
        }
    }

    #[test]
    fn a_flood_of_wrong_words_is_answered_shortly() {
        assert_eq!(go(&"x ".repeat(100_000)).faults.len(), 8);
    }
}
