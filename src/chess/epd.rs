//! Extended position description: a position and operations on it, one line each, as test suites
//! are written.
//!
//! Read leniently: the counters of a FEN may stand before the operations, and the last semicolon
//! and the last quotation mark may be missing. Perft suites (`;D1 20`) are not operations and are read elsewhere.

use std::collections::BTreeMap;
use std::str::FromStr;

use thiserror::Error;

use super::fen::{clip, parse_fields};
use super::{FenError, Move, Position, SanError, Setup};

/// The operations of an EPD line: opcodes with their operands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations(BTreeMap<String, Vec<String>>);

/// Why the operations of an EPD line can't be read. Each names the offending text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperationsError {
    /// An opcode that does not begin with a letter or has other than letters, digits and
    /// underscores.
    #[error("EPD operation: {0:?} is no opcode")]
    Opcode(String),
    /// `hmvc` or `fmvn` without a number.
    #[error("EPD operation: {opcode} {text:?} is no number")]
    Number {
        /// The opcode.
        opcode: &'static str,
        /// Its operand.
        text: String,
    },
}

impl Operations {
    /// The operands of an operation, if it is there.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.0.get(opcode).map(Vec::as_slice)
    }

    /// The first operand of an operation, if there is one.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// All operations with their operands, by opcode.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(opcode, operands)| (opcode.as_str(), operands.as_slice()))
    }

    /// Sets the counters that `hmvc` and `fmvn` give.
    pub(super) fn set_counters(&self, setup: &mut Setup) -> Result<(), OperationsError> {
        if let Some(plies) = self.number("hmvc")? {
            setup.halfmove_clock = plies;
        }
        if let Some(number) = self.number("fmvn")? {
            setup.fullmove_number = number.max(1);
        }
        Ok(())
    }

    fn number(&self, opcode: &'static str) -> Result<Option<u16>, OperationsError> {
        if self.operands(opcode).is_none() {
            return Ok(None);
        }
        let text = self.operand(opcode).unwrap_or_default();
        match text.parse::<u64>() {
            Ok(number) => Ok(Some(u16::try_from(number).unwrap_or(u16::MAX))),
            Err(_) => Err(OperationsError::Number { opcode, text: clip(text) }),
        }
    }
}

/// Reads words and strings in double quotes up to a semicolon outside of quotes.
fn split_operation(text: &str) -> (Vec<String>, &str) {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (string, after) = quoted.split_once('"').unwrap_or((quoted, ""));
            words.push(string.to_owned());
            rest = after.trim_start();
        } else if let Some(after) = rest.strip_prefix(';') {
            return (words, after.trim_start());
        } else if rest.is_empty() {
            return (words, rest);
        } else {
            let end = rest.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            words.push(word.to_owned());
            rest = after.trim_start();
        }
    }
}

impl FromStr for Operations {
    type Err = OperationsError;

    fn from_str(text: &str) -> Result<Self, OperationsError> {
        let mut operations = BTreeMap::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (mut words, after) = split_operation(rest);
            rest = after;
            if words.is_empty() {
                continue;
            }
            let opcode = words.remove(0);
            let named = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
                && opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !named {
                return Err(OperationsError::Opcode(clip(&opcode)));
            }
            operations.insert(opcode, words);
        }
        Ok(Self(operations))
    }
}

/// A line of an EPD file.
///
/// ```
/// use qishou::chess::Epd;
/// let epd: Epd = "7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7#; dm 1; id \"mate; in 1\";".parse()?;
/// assert_eq!(epd.best_moves()?.len(), 1);
/// assert_eq!(epd.operations.operand("dm"), Some("1"));
/// assert_eq!(epd.id(), Some("mate; in 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Epd {
    /// The position, with the counters that `hmvc` and `fmvn` give.
    pub position: Position,
    /// The operations.
    pub operations: Operations,
}

impl Epd {
    /// The name of the position (`id`).
    pub fn id(&self) -> Option<&str> {
        self.operations.operand("id")
    }

    /// The moves of `bm`: each of them solves the position. None if there is no `bm`.
    ///
    /// # Errors
    /// The first move that can't be read or is illegal.
    pub fn best_moves(&self) -> Result<Vec<Move>, SanError> {
        self.moves("bm")
    }

    /// The moves of `am`: none of them solves the position.
    ///
    /// # Errors
    /// The first move that can't be read or is illegal.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, SanError> {
        self.moves("am")
    }

    /// The length of a mate in moves of the winning side, negative if the side to move is mated:
    /// `dm 3;`, or `bm #3;` as collections of mates write it.
    pub fn mate_in(&self) -> Option<i32> {
        let length = |opcode| self.operations.operand(opcode);
        let text = length("dm").or_else(|| length("bm")?.strip_prefix('#'))?;
        text.parse().ok()
    }

    /// The moves of an operation; a length of mate is not one of them.
    fn moves(&self, opcode: &str) -> Result<Vec<Move>, SanError> {
        let words = self.operations.operands(opcode).unwrap_or_default();
        let words = words.iter().map(|word| word.trim_matches(','));
        let moves = words.filter(|word| !word.is_empty() && !word.starts_with('#'));
        moves.map(|word| self.position.parse_san(word)).collect()
    }
}

impl FromStr for Epd {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let (mut setup, rest) = parse_fields(text)?;
        let operations: Operations = rest.parse()?;
        operations.set_counters(&mut setup)?;
        Ok(Self { position: setup.position()?, operations })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    #[test]
    fn operations_are_read_leniently() {
        // Operations are listed as `opcode:operand,operand`.
        for (text, expected) in [
            ("", ""),
            ("bm e4;", "bm:e4"),
            ("bm e4", "bm:e4"),
            ("bm e4 Kd2 ; c0 \"a; b\";", "bm:e4,Kd2 c0:a; b"),
            ("0 1 bm e4;", "bm:e4"),
            ("0 1 ; ; bm e4;;", "bm:e4"),
            ("noop;", "noop:"),
            ("id \"\";", "id:"),
            ("c0 \"open; id x;", "c0:open; id x;"),
        ] {
            let epd: Epd = format!("{BARE} {text}").parse().unwrap();
            let found: Vec<String> = epd
                .operations
                .iter()
                .map(|(opcode, operands)| format!("{opcode}:{}", operands.join(",")))
                .collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn faulty_operations_are_named() {
        for (text, message) in [
            ("bm e4; =x 1;", "EPD operation: \"=x\" is no opcode"),
            ("hmvc five;", "EPD operation: hmvc \"five\" is no number"),
            ("fmvn;", "EPD operation: fmvn \"\" is no number"),
        ] {
            let error = format!("{BARE} {text}").parse::<Epd>().unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn counters_come_from_hmvc_and_fmvn() {
        for text in ["hmvc 7; fmvn 12;", "3 4 hmvc 7; fmvn 12;", "7 12"] {
            let epd: Epd = format!("{BARE} {text}").parse().unwrap();
            assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (7, 12));
            let position: Position = format!("{BARE} {text}").parse().unwrap();
            assert_eq!(position, epd.position, "a FEN tolerates operations");
        }
    }

    #[test]
    fn best_and_avoided_moves_are_moves_of_the_position() {
        let epd: Epd = format!("{BARE} bm e4 Kd2; am Kf1;").parse().unwrap();
        assert_eq!(epd.best_moves().unwrap().len(), 2);
        assert_eq!(epd.avoid_moves().unwrap().len(), 1);
        let epd: Epd = format!("{BARE} bm e5;").parse().unwrap();
        assert_eq!(epd.best_moves(), Err(SanError::Illegal("e5".to_owned())));
    }

    #[test]
    fn a_length_of_mate_is_no_move() {
        for (text, length) in [
            ("bm #3;", Some(3)),
            ("bm #-2;", Some(-2)),
            ("bm e4; dm 4;", Some(4)),
            ("bm e4;", None),
        ] {
            let epd: Epd = format!("{BARE} {text}").parse().unwrap();
            assert_eq!(epd.mate_in(), length, "{text}");
            assert_eq!(epd.best_moves().unwrap().len(), usize::from(text.contains("e4")), "{text}");
        }
    }
}
