//! The options a host can set: one table that declares, parses, documents and prints them. The table
//! of the README is made of it; a test compares.

use std::fmt;

use thiserror::Error;

use super::words::shown;
use crate::search::{FULL_SKILL, LEAST_ELO, MOST_ELO, elo_of_skill};

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
    /// Folders of endgame tables.
    SyzygyPath(String),
    /// Depth left from which positions with the most men are looked up.
    SyzygyProbeDepth(u32),
    /// Positions with more men are not looked up.
    SyzygyProbeLimit(usize),
    /// Whether the fifty-move rule counts for the tables.
    Syzygy50MoveRule(bool),
    /// Whether moves come from the book.
    OwnBook(bool),
    /// The book; an empty name means none.
    BookFile(String),
    /// Time is counted in nodes, so many a millisecond; 0 for the real time.
    NodesTime(u64),
    /// The host analyses and does not play.
    AnalyseMode(bool),
    /// Who plays against the engine; nothing to do for it.
    Opponent(String),
    /// Whether to play as weak as the Elo says.
    LimitStrength(bool),
    /// How strong to play.
    Elo(u32),
    /// How strong to play, in levels.
    SkillLevel(u32),
    /// A text to read, which can't be changed.
    EngineAbout,
    /// Where to log what is read and written; an empty name means nowhere.
    DebugLogFile(String),
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
    /// A text that only the engine knows.
    Fixed {
        text: &'static str,
        change: fn() -> Change,
    },
}

/// An option as declared to the host; its text is the line of the handshake.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    name: &'static str,
    kind: Kind,
    /// For people.
    meaning: &'static str,
}

const fn spin(default: u64, least: u64, most: u64, change: fn(u64) -> Change) -> Kind {
    Kind::Spin { default, least, most, change }
}

const fn check(default: bool, change: fn(bool) -> Change) -> Kind {
    Kind::Check { default, change }
}

const fn text(change: fn(String) -> Change) -> Kind {
    Kind::Text { change }
}

const fn option(name: &'static str, kind: Kind, meaning: &'static str) -> Declaration {
    Declaration { name, kind, meaning }
}

/// What the option `UCI_EngineAbout` shows.
const ABOUT: &str = concat!(
    "Qishou ",
    env!("CARGO_PKG_VERSION"),
    ", an engine that teaches itself; free software, MIT or Apache-2.0",
);

/// The options, in the order they are shown. Hosts set Threads before Hash, so it stands first.
#[rustfmt::skip]
const TABLE: &[Declaration] = &[
    option("Threads", spin(1, 1, 1024, |n| Change::Threads(n as usize)),
        "search threads; they share the hash"),
    option("Hash", spin(16, 1, 33_554_432, |n| Change::Hash(n as usize)),
        "size of the transposition table, in MiB"),
    option("Clear Hash", Kind::Button { change: || Change::ClearHash },
        "forget what earlier searches found"),
    option("Ponder", check(false, Change::Ponder),
        "tells that the host may let it think on the opponent's time"),
    option("MultiPV", spin(1, 1, 256, |n| Change::MultiPv(n as usize)),
        "how many best lines are shown"),
    option("Move Overhead", spin(10, 0, 5000, Change::MoveOverhead),
        "time lost between engine and clock for each move, in ms"),
    option("nodestime", spin(0, 0, 10_000, Change::NodesTime),
        "count time in nodes, so many a millisecond; 0 for the real time"),
    option("UCI_Chess960", check(false, Change::Chess960),
        "castling is written as king takes rook (`e1h1`)"),
    option("UCI_ShowWDL", check(false, Change::ShowWdl),
        "scores are followed by the chances of win, draw and loss in thousandths"),
    option("UCI_AnalyseMode", check(false, Change::AnalyseMode),
        "no moves from the book, and always at full strength"),
    option("UCI_Opponent", text(Change::Opponent),
        "who plays against it, as hosts tell; it plays alike against everybody"),
    option("UCI_EngineAbout", Kind::Fixed { text: ABOUT, change: || Change::EngineAbout },
        "to read only: what this is"),
    option("UCI_LimitStrength", check(false, Change::LimitStrength),
        "play as weak as `UCI_Elo` says"),
    option("UCI_Elo", spin(1500, LEAST_ELO as u64, MOST_ELO as u64, |n| Change::Elo(n as u32)),
        "how strong to play, if `UCI_LimitStrength` is set"),
    option("Skill Level", spin(FULL_SKILL as u64, 0, FULL_SKILL as u64, |n| Change::SkillLevel(n as u32)),
        "how strong to play, if `UCI_LimitStrength` is not set; 20 is all it can"),
    option("EvalFile", text(Change::EvalFile),
        "the network to evaluate with; `<empty>` is the embedded one"),
    option("SyzygyPath", text(Change::SyzygyPath),
        "folders of endgame tables, between `:` (on Windows `;`)"),
    option("SyzygyProbeDepth", spin(1, 1, 100, |n| Change::SyzygyProbeDepth(n as u32)),
        "positions with as many men as the largest tables are looked up with this depth left"),
    option("SyzygyProbeLimit", spin(7, 0, 7, |n| Change::SyzygyProbeLimit(n as usize)),
        "positions with more men are not looked up; 0 for none at all"),
    option("Syzygy50MoveRule", check(true, Change::Syzygy50MoveRule),
        "wins that the fifty-move rule stops are draws"),
    option("OwnBook", check(false, Change::OwnBook),
        "play moves of the book where it knows any"),
    option("BookFile", text(Change::BookFile),
        "an opening book in the Polyglot format"),
    option("Debug Log File", text(Change::DebugLogFile),
        "write everything that is read and written into this file"),
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
            Kind::Button { change } | Kind::Fixed { change, .. } => Ok(change()),
            Kind::Text { change } => Ok(change(value.to_owned())),
        }
    }

    /// The row of the README's table: name, values, default, meaning.
    pub fn row(&self) -> String {
        let (values, default) = match self.kind {
            Kind::Spin { default, least, most, .. } => {
                (format!("{least} to {most}"), default.to_string())
            }
            Kind::Check { default, .. } => ("true, false".to_owned(), default.to_string()),
            Kind::Button { .. } => ("button".to_owned(), String::new()),
            Kind::Text { .. } => ("text".to_owned(), "`<empty>`".to_owned()),
            Kind::Fixed { .. } => ("text".to_owned(), "its version".to_owned()),
        };
        let default = if default.is_empty() { default } else { format!(" {default}") };
        format!("| `{}` | {values} |{default} | {} |", self.name, self.meaning)
    }

    /// What it does, for people.
    pub const fn meaning(&self) -> &'static str {
        self.meaning
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
            Kind::Fixed { text, .. } => write!(f, "string default {text}"),
        }
    }
}

/// The options that the session itself heeds; the others go to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Options {
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Scores are followed by the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// The host analyses: no book, full strength.
    pub analyse_mode: bool,
    /// Whether to play as weak as the Elo says.
    pub limit_strength: bool,
    /// How strong to play then.
    pub elo: u32,
    /// How strong to play else, in levels.
    pub skill: u32,
}

impl Default for Options {
    /// As the table declares them.
    fn default() -> Self {
        Self {
            chess960: false,
            show_wdl: false,
            analyse_mode: false,
            limit_strength: false,
            elo: 1500,
            skill: FULL_SKILL,
        }
    }
}

impl Options {
    /// How strong to play; none for full strength, and in an analysis.
    pub(super) const fn strength(&self) -> Option<u32> {
        if self.analyse_mode {
            None
        } else if self.limit_strength {
            Some(self.elo)
        } else {
            elo_of_skill(self.skill)
        }
    }

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
            ("syzygypath", Some("/a b:/c"), Ok(Change::SyzygyPath("/a b:/c".to_owned()))),
            ("SyzygyProbeDepth", Some("100"), Ok(Change::SyzygyProbeDepth(100))),
            ("SyzygyProbeLimit", Some("0"), Ok(Change::SyzygyProbeLimit(0))),
            ("Syzygy50MoveRule", Some("false"), Ok(Change::Syzygy50MoveRule(false))),
            ("OwnBook", Some("true"), Ok(Change::OwnBook(true))),
            ("BookFile", Some("a ä.bin"), Ok(Change::BookFile("a ä.bin".to_owned()))),
            ("NodesTime", Some("600"), Ok(Change::NodesTime(600))),
            ("UCI_AnalyseMode", Some("true"), Ok(Change::AnalyseMode(true))),
            (
                "UCI_Opponent",
                Some("GM 2800 human Gary Kasparov"),
                Ok(Change::Opponent("GM 2800 human Gary Kasparov".to_owned())),
            ),
            ("uci_limitstrength", Some("true"), Ok(Change::LimitStrength(true))),
            ("UCI_Elo", Some("500"), Ok(Change::Elo(500))),
            ("Skill Level", Some("0"), Ok(Change::SkillLevel(0))),
            ("UCI_EngineAbout", Some("anything"), Ok(Change::EngineAbout)),
            ("Debug Log File", Some("<empty>"), Ok(Change::DebugLogFile(String::new()))),
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
                "string" => {
                    assert_eq!(words[1], "default", "{line}");
                    let fixed = matches!(declared.kind, Kind::Fixed { .. });
                    assert_eq!(words[2..] == ["<empty>"], !fixed, "{line}");
                    assert!(words[2..].iter().all(|word| !RESERVED.contains(word)), "{line}");
                }
                other => panic!("{other} in {line}"),
            }
        }
    }

    #[test]
    fn the_table_of_the_readme_is_this_table() {
        let readme = include_str!("../../README.md");
        let (_, section) = readme.split_once("## Options").unwrap();
        let rows: Vec<&str> = section
            .lines()
            .skip_while(|line| !line.starts_with("| `"))
            .take_while(|line| line.starts_with('|'))
            .collect();
        let table: Vec<String> = TABLE.iter().map(Declaration::row).collect();
        assert_eq!(rows, table, "README:\n{}", table.join("\n"));
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
