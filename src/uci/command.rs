//! From a line of text to a [`Command`]. Invariant: knows no positions; whether a move is legal or
//! a FEN makes sense is asked later.

use thiserror::Error;

use super::Go;
use super::words::{Words, shown};

/// Something a host or a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: who are you, and what can be set?
    Uci,
    /// `isready`: answered at once, also during a search.
    IsReady,
    /// `ucinewgame`: what comes has nothing to do with what was.
    NewGame,
    /// `position`: where the game stands.
    Position {
        /// Where it began.
        start: Start,
        /// The moves since, as text.
        moves: Vec<String>,
    },
    /// `go`: think.
    Go(Box<Go>),
    /// `perft N` or `go perft N`: count the leaves of the tree of legal moves.
    Perft(u32),
    /// `stop`: enough.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: leave.
    Quit,
    /// `setoption name N [value V]`.
    SetOption {
        /// The words of the name, joined by single blanks.
        name: String,
        /// The value as it was written; none without the word `value`.
        value: Option<String>,
    },
    /// `debug` and `register`, which ask for nothing here.
    Ignored,
    /// `d`: show the position.
    Display,
    /// `eval`: show what the evaluation thinks.
    Eval,
    /// `bench`: a fixed amount of work.
    Bench(Bench),
    /// `speedtest`: how fast this machine is.
    SpeedTest(SpeedTest),
    /// `genfens`: random first positions for `OpenBench`.
    GenFens(GenFens),
    /// `flip`: the same position with the colours exchanged.
    Flip,
    /// `compiler`: how this program was built.
    Compiler,
    /// `help`.
    Help,
}

impl Bench {
    /// The usual size of the table, in MiB.
    pub const HASH: u32 = 16;
    /// The usual depth.
    pub const DEPTH: u32 = 10;
}

/// The settings of `speedtest`; what is not given is up to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SpeedTest {
    /// Search threads; as many as there are processors.
    pub threads: Option<u32>,
    /// Transposition table, in MiB; 16 a thread.
    pub hash: Option<u32>,
    /// How long it takes; 20 s.
    pub seconds: Option<u32>,
}

/// The settings of `genfens`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    /// How many positions.
    pub count: u32,
    /// What they follow from.
    pub seed: u64,
    /// A file of positions to begin with, one a line; none for the initial one.
    pub book: Option<String>,
    /// How many of a hundred begin with shuffled back ranks.
    pub dfrc_percent: u32,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial position of standard chess.
    StartPos,
    /// A position in Forsyth-Edwards notation.
    Fen(String),
}

/// The settings of `bench`; what is absent is as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bench {
    /// Transposition table, in MiB.
    pub hash: Option<u32>,
    /// Search threads.
    pub threads: Option<u32>,
    /// Iterations for each position.
    pub depth: Option<u32>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A first word that means nothing.
    #[error("unknown command {0:?}; help lists the commands")]
    Unknown(String),
    /// `position` without a position.
    #[error("position: {0:?} is neither startpos nor fen")]
    Position(String),
    /// Something between the position and `moves`.
    #[error("position: {0:?} where moves was expected")]
    PositionTail(String),
    /// A seed that is no number.
    #[error("genfens: seed {0:?} is no number")]
    Seed(String),
    /// A word `genfens` does not know, or that lacks its value.
    #[error("genfens: {0:?} is none of seed NUMBER, book FILE, dfrc PERCENT")]
    GenFens(String),
    /// `setoption` without a name.
    #[error("setoption: no name given in {0:?}")]
    OptionName(String),
    /// A number that is none, or is out of reach.
    #[error("{command}: {text:?} is no number from {least} to {most}")]
    Number {
        /// The command it belongs to.
        command: &'static str,
        /// What stands there.
        text: String,
        /// The smallest number that would do.
        least: u32,
        /// The greatest.
        most: u32,
    },
}

impl Command {
    /// Whether it takes time, and can be stopped.
    pub(super) const fn is_work(&self) -> bool {
        matches!(
            self,
            Self::Go(_) | Self::Perft(_) | Self::Bench(_) | Self::SpeedTest(_) | Self::GenFens(_)
        )
    }

    /// Reads a line; none if it is blank.
    ///
    /// ```
    /// use qishou::uci::Command;
    /// assert_eq!(Command::parse(" isready\r"), Ok(Some(Command::IsReady)));
    /// assert_eq!(Command::parse("  \t"), Ok(None));
    /// assert!(Command::parse("hello").is_err());
    /// ```
    ///
    /// # Errors
    /// If it can't be read as a command. A `go` always can: it carries its faults along, because a
    /// host waits for its best move.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Words::of(line);
        let Some(word) = words.next() else { return Ok(None) };
        let command = match word {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "position" => position(words)?,
            "go" => match words.peek() {
                Some("perft") => Self::Perft(depth_of_perft("go perft", words.nth(1))?),
                _ => Self::Go(Box::new(Go::parse(words))),
            },
            "perft" => Self::Perft(depth_of_perft("perft", words.next())?),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" | "exit" => Self::Quit,
            "setoption" => set_option(words)?,
            "debug" | "register" => Self::Ignored,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "bench" => Self::Bench(bench(words)?),
            "speedtest" => Self::SpeedTest(speed_test(words)?),
            "genfens" => Self::GenFens(gen_fens(words)?),
            "flip" => Self::Flip,
            "compiler" => Self::Compiler,
            "help" | "--help" => Self::Help,
            other => return Err(CommandError::Unknown(shown(other))),
        };
        Ok(Some(command))
    }
}

fn number(
    command: &'static str,
    word: Option<&str>,
    least: u32,
    most: u32,
) -> Result<u32, CommandError> {
    let text = word.unwrap_or_default();
    text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(|| CommandError::Number {
        command,
        text: shown(text),
        least,
        most,
    })
}

fn depth_of_perft(command: &'static str, word: Option<&str>) -> Result<u32, CommandError> {
    number(command, word, 0, 30)
}

fn position(mut words: Words<'_>) -> Result<Command, CommandError> {
    let start = match words.next() {
        Some("startpos") => Start::StartPos,
        Some("fen") => {
            let mut fields = Vec::new();
            while let Some(field) = words.peek().filter(|&word| word != "moves") {
                fields.push(field);
                words.next();
            }
            Start::Fen(fields.join(" "))
        }
        other => return Err(CommandError::Position(shown(other.unwrap_or_default()))),
    };
    match words.next() {
        None | Some("moves") => {}
        Some(other) => return Err(CommandError::PositionTail(shown(other))),
    }
    Ok(Command::Position { start, moves: words.map(str::to_owned).collect() })
}

fn set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    let whole = words.rest();
    let no_name = || CommandError::OptionName(shown(whole));
    if words.next() != Some("name") {
        return Err(no_name());
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(no_name());
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn bench(words: Words<'_>) -> Result<Bench, CommandError> {
    let mut setting = settings("bench", words);
    Ok(Bench { hash: setting(33_554_432)?, threads: setting(1024)?, depth: setting(245)? })
}

fn speed_test(words: Words<'_>) -> Result<SpeedTest, CommandError> {
    let mut setting = settings("speedtest", words);
    Ok(SpeedTest { threads: setting(1024)?, hash: setting(33_554_432)?, seconds: setting(3600)? })
}

/// `genfens N seed S book None|FILE [dfrc PERCENT]`.
fn gen_fens(mut words: Words<'_>) -> Result<GenFens, CommandError> {
    let count = number("genfens", words.next(), 1, 1_000_000)?;
    let mut settings = GenFens { count, seed: 0, book: None, dfrc_percent: 0 };
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_default();
        match word {
            "seed" => {
                let wrong = || CommandError::Seed(shown(value));
                settings.seed = value.parse().map_err(|_| wrong())?;
            }
            "book" if value.eq_ignore_ascii_case("none") => settings.book = None,
            "book" if !value.is_empty() => settings.book = Some(value.to_owned()),
            "dfrc" => settings.dfrc_percent = number("genfens dfrc", Some(value), 0, 100)?,
            _ => return Err(CommandError::GenFens(shown(word))),
        }
    }
    Ok(settings)
}

/// The settings of a command one after the other, each from 1 to the number asked with; none after
/// the last.
fn settings(
    command: &'static str,
    mut words: Words<'_>,
) -> impl FnMut(u32) -> Result<Option<u32>, CommandError> {
    move |most| words.next().map(|word| number(command, Some(word), 1, most)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn moves(text: &str) -> Vec<String> {
        text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn plain_commands_are_read() {
        let cases = [
            ("uci", Command::Uci),
            ("\u{feff}uci\r", Command::Uci),
            ("  isready  ", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("debug on", Command::Ignored),
            ("register later", Command::Ignored),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("flip", Command::Flip),
            ("compiler", Command::Compiler),
            ("help", Command::Help),
            ("perft 5", Command::Perft(5)),
            ("go perft 0", Command::Perft(0)),
            ("go\tperft\t6\r", Command::Perft(6)),
            ("bench", Command::Bench(Bench::default())),
            ("speedtest", Command::SpeedTest(SpeedTest::default())),
            (
                "speedtest 2 32 5",
                Command::SpeedTest(SpeedTest {
                    threads: Some(2),
                    hash: Some(32),
                    seconds: Some(5),
                }),
            ),
            (
                "bench 32 1 9",
                Command::Bench(Bench { hash: Some(32), threads: Some(1), depth: Some(9) }),
            ),
        ];
        for (line, command) in cases {
            assert_eq!(parsed(line), command, "{line:?}");
        }
    }

    #[test]
    fn positions_are_read() {
        let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
        let cases = [
            ("position startpos".to_owned(), Start::StartPos, ""),
            ("position startpos moves".to_owned(), Start::StartPos, ""),
            ("position  startpos\tmoves e2e4  e7e5".to_owned(), Start::StartPos, "e2e4 e7e5"),
            (format!("position fen {fen}"), Start::Fen(fen.to_owned()), ""),
            (format!("position fen {fen} moves a1a2"), Start::Fen(fen.to_owned()), "a1a2"),
            (
                "position fen 7k/8/8/8/8/8/8/K7 w - - moves a1a2".to_owned(),
                Start::Fen("7k/8/8/8/8/8/8/K7 w - -".to_owned()),
                "a1a2",
            ),
            ("position fen".to_owned(), Start::Fen(String::new()), ""),
        ];
        for (line, start, played) in cases {
            assert_eq!(parsed(&line), Command::Position { start, moves: moves(played) }, "{line}");
        }
    }

    #[test]
    fn options_keep_the_blanks_of_their_values() {
        let cases = [
            ("setoption name Hash value 64", "Hash", Some("64")),
            ("setoption name Clear Hash", "Clear Hash", None),
            ("setoption name Clear   Hash value true", "Clear Hash", Some("true")),
            ("setoption name SyzygyPath value /a  b/c:/d ", "SyzygyPath", Some("/a  b/c:/d")),
            ("setoption name X value", "X", Some("")),
            ("setoption name X value value value", "X", Some("value value")),
            ("setoption name X value <empty>", "X", Some("<empty>")),
        ];
        for (line, name, value) in cases {
            let expected =
                Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
            assert_eq!(parsed(line), expected, "{line:?}");
        }
    }

    #[test]
    fn faults_are_named() {
        let cases = [
            ("xyzzy", "unknown command \"xyzzy\"; help lists the commands"),
            ("position", "position: \"\" is neither startpos nor fen"),
            ("position 8/8", "position: \"8/8\" is neither startpos nor fen"),
            ("position startpos e2e4", "position: \"e2e4\" where moves was expected"),
            ("setoption", "setoption: no name given in \"\""),
            ("setoption Hash 5", "setoption: no name given in \"Hash 5\""),
            ("setoption name value 5", "setoption: no name given in \"name value 5\""),
            ("perft", "perft: \"\" is no number from 0 to 30"),
            ("perft x", "perft: \"x\" is no number from 0 to 30"),
            ("go perft -3", "go perft: \"-3\" is no number from 0 to 30"),
            ("speedtest x", "speedtest: \"x\" is no number from 1 to 1024"),
            ("genfens none", "genfens: \"none\" is no number from 1 to 1000000"),
            ("genfens 3 seed x", "genfens: seed \"x\" is no number"),
            ("genfens 3 book", "genfens: \"book\" is none of seed NUMBER, book FILE, dfrc PERCENT"),
            ("bench 0", "bench: \"0\" is no number from 1 to 33554432"),
            ("bench 16 1 lots", "bench: \"lots\" is no number from 1 to 245"),
        ];
        for (line, message) in cases {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), message, "{line:?}");
        }
    }

    #[test]
    fn blank_lines_ask_for_nothing() {
        for line in ["", " ", "\t\r", "\u{0}\u{0}"] {
            assert_eq!(Command::parse(line), Ok(None), "{line:?}");
        }
    }
}
