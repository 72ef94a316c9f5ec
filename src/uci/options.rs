//! The options a host can set: one table that declares, parses and prints them.

use std::fmt;

use thiserror::Error;

use super::words::shown;

/// What setting an option asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Size of the transposition table, in MiB.
    Hash(usize),
    /// Search threads.
    Threads(usize),
    /// Best lines reported.
    MultiPv(usize),
    /// The host means to let the engine think on the opponent's time; nothing to do for it.
    Ponder(bool),
    /// Forget the transposition table.
    ClearHash,
    /// Time lost between engine and clock for each move, in milliseconds.
    MoveOverhead(u64),
    /// Castling is written as king takes rook.
    Chess960(bool),
    /// Scores are followed by the chances of a win, a draw and a loss.
    ShowWdl(bool),
    /// The network file to evaluate with; an empty name means the embedded network.
    EvalFile(String),
}

/// What kind of value an option takes, and what it changes.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Spin {
        default: u64,
        least: u64,
        most: u64,
        change: fn(u64) -> Change,
    },
    Check {
        default: bool,
        change: fn(bool) -> Change,
    },
    Button {
        change: fn() -> Change,
    },
    /// A text; empty by default.
    Text {
        change: fn(String) -> Change,
    },
}

/// An option as declared to the host; its text is the line of the handshake.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    name: &'static str,
    kind: Kind,
}

/// The options, in the order they are shown. Hosts set Threads before Hash, so it stands first.
const TABLE: &[Declaration] = &[
    Declaration {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            least: 1,
            most: 1024,
            change: |n| Change::Threads(n as usize),
        },
    },
    Declaration {
        name: "Hash",
        kind: Kind::Spin {
            default: 16,
            least: 1,
            most: 33_554_432,
            change: |n| Change::Hash(n as usize),
        },
    },
    Declaration { name: "Clear Hash", kind: Kind::Button { change: || Change::ClearHash } },
    Declaration { name: "Ponder", kind: Kind::Check { default: false, change: Change::Ponder } },
    Declaration {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            least: 1,
            most: 256,
            change: |n| Change::MultiPv(n as usize),
        },
    },
    Declaration {
        name: "Move Overhead",
        kind: Kind::Spin { default: 10, least: 0, most: 5000, change: Change::MoveOverhead },
    },
    Declaration {
        name: "UCI_Chess960",
        kind: Kind::Check { default: false, change: Change::Chess960 },
    },
    Declaration {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false, change: Change::ShowWdl },
    },
    Declaration { name: "EvalFile", kind: Kind::Text { change: Change::EvalFile } },
];

/// All options, as declared to a host.
pub const fn declarations() -> &'static [Declaration] {
    TABLE
}

/// Why an option stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("no option {0:?}")]
    Unknown(String),
    /// A number was wanted.
    #[error("option {name}: {text:?} is no number from {least} to {most}")]
    Number {
        /// The option.
        name: &'static str,
        /// What was given.
        text: String,
        /// The smallest value.
        least: u64,
        /// The greatest value.
        most: u64,
    },
    /// `true` or `false` was wanted.
    #[error("option {name}: {text:?} is neither true nor false")]
    Check {
        /// The option.
        name: &'static str,
        /// What was given.
        text: String,
    },
}

impl Declaration {
    /// The name, as hosts show it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    fn change(&self, value: &str) -> Result<Change, OptionError> {
        match self.kind {
            Kind::Spin { least, most, change, .. } => {
                value.parse().ok().filter(|n| (least..=most).contains(n)).map(change).ok_or_else(
                    || OptionError::Number { name: self.name, text: shown(value), least, most },
                )
            }
            Kind::Check { change, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Ok(change(true)),
                "false" => Ok(change(false)),
                _ => Err(OptionError::Check { name: self.name, text: shown(value) }),
            },
            // Some hosts press a button with a value.
            Kind::Button { change } => Ok(change()),
            Kind::Text { change } => Ok(change(value.to_owned())),
        }
    }
}

/// `option name N type T [default D] [min A] [max B]`, in this order: several hosts read the
/// fields by their place.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin { default, least, most, .. } => {
                write!(f, "spin default {default} min {least} max {most}")
            }
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Button { .. } => write!(f, "button"),
            Kind::Text { .. } => write!(f, "string default <empty>"),
        }
    }
}

/// The options that the session itself heeds; the others go to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Scores are followed by the chances of a win, a draw and a loss.
    pub show_wdl: bool,
}

impl Options {
    /// What `setoption name .. value ..` asks for. Names and words of values are compared without
    /// regard to case; `<empty>` is an empty value.
    ///
    /// ```
    /// use qishou::uci::{Change, Options};
    /// assert_eq!(Options::change("move overhead", Some("50")), Ok(Change::MoveOverhead(50)));
    /// assert!(Options::change("Hash", Some("0")).is_err());
    /// ```
    ///
    /// # Errors
    /// If there is no such option or the value is not one it can take.
    pub fn change(name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let declared = TABLE
            .iter()
            .find(|declared| declared.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shown(name)))?;
        let value = value.filter(|&text| text != "<empty>").unwrap_or_default();
        declared.change(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_bounds_kept() {
        let cases = [
            ("Hash", Some("1"), Ok(Change::Hash(1))),
            ("hash", Some("33554432"), Ok(Change::Hash(33_554_432))),
            ("THREADS", Some("4"), Ok(Change::Threads(4))),
            ("multipv", Some("256"), Ok(Change::MultiPv(256))),
            ("Ponder", Some("true"), Ok(Change::Ponder(true))),
            ("ponder", Some("False"), Ok(Change::Ponder(false))),
            ("Clear Hash", None, Ok(Change::ClearHash)),
            ("clear hash", Some("true"), Ok(Change::ClearHash)),
            ("Move Overhead", Some("0"), Ok(Change::MoveOverhead(0))),
            ("uci_chess960", Some("TRUE"), Ok(Change::Chess960(true))),
            ("uci_showwdl", Some("true"), Ok(Change::ShowWdl(true))),
            ("EvalFile", Some("/a  b/c.nnue"), Ok(Change::EvalFile("/a  b/c.nnue".to_owned()))),
            ("evalfile", Some("<empty>"), Ok(Change::EvalFile(String::new()))),
            ("EvalFile", None, Ok(Change::EvalFile(String::new()))),
        ];
        for (name, value, expected) in cases {
            assert_eq!(Options::change(name, value), expected, "{name} {value:?}");
        }
    }

    #[test]
    fn bad_values_are_named() {
        let cases = [
            ("Hash", Some("0"), "option Hash: \"0\" is no number from 1 to 33554432"),
            ("Hash", Some("33554433"), "option Hash: \"33554433\" is no number from 1 to 33554432"),
            ("Hash", None, "option Hash: \"\" is no number from 1 to 33554432"),
            ("Hash", Some("<empty>"), "option Hash: \"\" is no number from 1 to 33554432"),
            ("Threads", Some("-1"), "option Threads: \"-1\" is no number from 1 to 1024"),
            ("Threads", Some("2.5"), "option Threads: \"2.5\" is no number from 1 to 1024"),
            ("MultiPV", Some("257"), "option MultiPV: \"257\" is no number from 1 to 256"),
            ("Ponder", Some("yes"), "option Ponder: \"yes\" is neither true nor false"),
            ("Style", Some("wild"), "no option \"Style\""),
            ("ClearHash", None, "no option \"ClearHash\""),
        ];
        for (name, value, message) in cases {
            assert_eq!(Options::change(name, value).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn option_lines_have_the_form_every_host_reads() {
        const RESERVED: [&str; 7] = ["name", "type", "default", "min", "max", "var", "value"];
        for declared in declarations() {
            let line = declared.to_string();
            assert!(line.is_ascii(), "{line}");
            assert!(!line.contains("  "), "{line}");
            for word in declared.name.split(' ') {
                assert!(!RESERVED.contains(&word), "{line}");
            }
            let (head, tail) = line.split_once(" type ").unwrap();
            assert_eq!(head, format!("option name {}", declared.name));
            let words: Vec<&str> = tail.split(' ').collect();
            match words[0] {
                "spin" => {
                    assert_eq!(words.len(), 7, "{line}");
                    assert_eq!((words[1], words[3], words[5]), ("default", "min", "max"), "{line}");
                    let number = |i: usize| words[i].parse::<i64>().unwrap();
                    assert!((number(4)..=number(6)).contains(&number(2)), "{line}");
                }
                "check" => {
                    assert_eq!(words.len(), 3, "{line}");
                    assert!(matches!(words[2], "true" | "false"), "{line}");
                }
                "button" => assert_eq!(words.len(), 1, "{line}"),
                "string" => assert_eq!(words[1..], ["default", "<empty>"], "{line}"),
                other => panic!("{other} in {line}"),
            }
        }
    }

    #[test]
    fn names_are_unique() {
        for (i, declared) in TABLE.iter().enumerate() {
            assert!(
                TABLE[..i].iter().all(|other| !other.name.eq_ignore_ascii_case(declared.name)),
                "{}",
                declared.name
            );
        }
    }
}
