//! A player: a UCI engine as a child process that is trusted in nothing.
//!
//! A thread reads its output and stamps each line as it comes, so that an engine's time runs from
//! the last byte of `go` written to the line of `bestmove` read, whatever the arbiter does in the
//! meantime. Lines wait in a bounded queue: an engine that babbles fills its own pipe, not memory.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use thiserror::Error;

mod info;
mod probe;
mod process;
mod search;

pub use info::{Info, Score};
pub use probe::Manners;
use process::Line;
use search::{Answer, Pondering, Search};

/// How an engine is started and treated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    /// The name in tables and records; the engine's own, or the program's, if empty.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory it runs in, if not this one.
    pub directory: Option<PathBuf>,
    /// UCI options in the order they are set.
    pub options: Vec<(String, String)>,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Whether it is started anew for each game.
    pub restart: bool,
    /// How long starting and answering `isready` may take.
    pub patience: Duration,
    /// How long it may think where no clock limits it.
    pub longest_think: Duration,
}

impl Engine {
    /// An engine with the usual treatment.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self {
            name: String::new(),
            command: command.into(),
            arguments: Vec::new(),
            directory: None,
            options: Vec::new(),
            ponder: false,
            restart: false,
            patience: Duration::from_secs(10),
            longest_think: Duration::from_mins(10),
        }
    }
}

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerError {
    /// The program can't be run.
    #[error("does not start: {0}")]
    Start(String),
    /// It has ended or closed its output.
    #[error("disconnects: {0}")]
    Gone(String),
    /// It did not answer in time; what it was asked.
    #[error("stalls: no answer to {0}")]
    Silent(&'static str),
    /// It answers a question nobody asked.
    #[error("breaks the protocol: {0}")]
    Protocol(String),
    /// It writes without end.
    #[error("floods: more than {0} MiB of output for a move")]
    Flood(u64),
    /// Its clock ran out and no move had come.
    #[error("time is up")]
    Time,
    /// The match is being stopped.
    #[error("stopped")]
    Stopped,
}

/// What an engine answered to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The move as it wrote it.
    pub best: String,
    /// The move it expects, if it said one.
    pub ponder: Option<String>,
    /// From the last byte of `go` to the line of `bestmove`.
    pub used: Duration,
    /// What it said of its search last.
    pub info: Info,
    /// What it told the arbiter: `info string arbiter: ...` without the beginning.
    pub messages: Vec<String>,
}

/// A running engine. It is stopped and waited for when dropped.
#[derive(Debug)]
pub struct Player {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    name: String,
    known_options: Vec<String>,
    patience: Duration,
    longest_think: Duration,
    /// Said by the engine while nothing was asked: options unknown to it and the like.
    warnings: Vec<String>,
    pondering: Option<Pondering>,
}

/// Most output for one move.
const FLOOD: u64 = 16 << 20;
/// How often waiting looks at the stop flag.
const LOOK: Duration = Duration::from_millis(50);
/// How long the end of a process is waited for after that of its output, to tell its exit status.
const LAST_BREATH: Duration = Duration::from_millis(250);
/// How long an engine may take to leave after `quit`.
const LEAVE: Duration = Duration::from_millis(500);

impl Player {
    /// Starts an engine, shakes hands and sets its options. What it writes to standard error goes
    /// to `log`.
    ///
    /// # Errors
    /// If it does not start or does not answer in time.
    pub fn start(engine: &Engine, chess960: bool, log: Log) -> Result<Self, PlayerError> {
        let mut child = process::spawn(engine).map_err(|error| {
            PlayerError::Start(format!("{}: {error}", engine.command.display()))
        })?;
        let input = child.stdin.take();
        let lines = process::read_lines(&mut child);
        process::read_errors(&mut child, log);
        let mut player = Self {
            child,
            input,
            lines,
            name: engine.name.clone(),
            known_options: Vec::new(),
            patience: engine.patience,
            longest_think: engine.longest_think,
            warnings: Vec::new(),
            pondering: None,
        };
        player.shake_hands(engine)?;
        player.set_options(engine, chess960)?;
        player.ready()?;
        Ok(player)
    }

    /// The engine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was odd about it so far; asking forgets.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn shake_hands(&mut self, engine: &Engine) -> Result<(), PlayerError> {
        self.say("uci")?;
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.line(deadline, "uci", None)?;
            if let Some(name) = line.text.strip_prefix("id name ") {
                if self.name.is_empty() {
                    name.trim().clone_into(&mut self.name);
                }
            } else if let Some(option) = line.text.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or(option);
                self.known_options.push(name.trim().to_ascii_lowercase());
            } else if line.text.trim() == "uciok" {
                break;
            }
        }
        if self.name.is_empty() {
            let stem = engine.command.file_stem().unwrap_or_default();
            self.name = stem.to_string_lossy().into_owned();
        }
        Ok(())
    }

    fn set_options(&mut self, engine: &Engine, chess960: bool) -> Result<(), PlayerError> {
        // Engines allocate tables per thread, so the number of threads goes first.
        let is_threads = |name: &str| name.eq_ignore_ascii_case("threads");
        let (first, rest): (Vec<_>, Vec<_>) =
            engine.options.iter().partition(|(name, _)| is_threads(name));
        for (name, value) in first.into_iter().chain(rest) {
            if !self.known_options.contains(&name.to_ascii_lowercase()) {
                self.warnings.push(format!("{} has no option {name:?}", self.name));
            }
            self.set_option(name, value)?;
        }
        if engine.ponder && self.known_options.iter().any(|name| name == "ponder") {
            self.say("setoption name Ponder value true")?;
        }
        if chess960 {
            if !self.known_options.iter().any(|name| name == "uci_chess960") {
                self.warnings.push(format!("{} does not know Chess960", self.name));
            }
            self.say("setoption name UCI_Chess960 value true")?;
        }
        Ok(())
    }

    /// Sets an option between games; a button has no value.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.say(&format!("setoption name {name}{value}"))
    }

    /// Tells of a new game and waits until the engine is ready.
    ///
    /// # Errors
    /// If it does not answer in time.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.say("ucinewgame")?;
        self.ready().map(drop)
    }

    /// Ends the engine's part in a game: it does not think any more and has said all it had to say.
    ///
    /// # Errors
    /// If it does not answer in time, or says what nobody asked.
    pub fn settle(&mut self) -> Result<(), PlayerError> {
        self.stop_pondering()?;
        self.ready().map(drop)
    }

    /// Waits until the engine has done all it was told; how long that took.
    fn ready(&mut self) -> Result<Duration, PlayerError> {
        self.say("isready")?;
        let begin = Instant::now();
        let deadline = begin + self.patience;
        let mut bytes = 0;
        loop {
            let line = self.line(deadline, "isready", None)?;
            bytes += line.bytes;
            if bytes > FLOOD {
                return Err(PlayerError::Flood(FLOOD >> 20));
            }
            match line.text.split_whitespace().next() {
                Some("readyok") => return Ok(line.time.saturating_duration_since(begin)),
                Some("bestmove") => {
                    return Err(PlayerError::Protocol(format!("unasked {:?}", line.text)));
                }
                _ => {}
            }
        }
    }

    /// Sends a line.
    fn say(&mut self, line: &str) -> Result<(), PlayerError> {
        let Some(input) = &mut self.input else {
            return Err(PlayerError::Gone("its input is closed".into()));
        };
        // One write, so that the engine never sees half a line.
        let written = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        written.map_err(|error| self.gone(&error))
    }

    /// Why the engine is not there any more.
    fn gone(&mut self, error: &io::Error) -> PlayerError {
        let deadline = Instant::now() + LAST_BREATH;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return PlayerError::Gone(status.to_string());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        PlayerError::Gone(error.to_string())
    }

    /// The next line.
    fn line(
        &mut self,
        deadline: Instant,
        asked: &'static str,
        mut meanwhile: Option<&mut dyn FnMut() -> Result<(), PlayerError>>,
    ) -> Result<Line, PlayerError> {
        loop {
            if let Some(meanwhile) = &mut meanwhile {
                meanwhile()?;
            }
            let now = Instant::now();
            let wait = deadline.saturating_duration_since(now);
            let wait = if meanwhile.is_some() { wait.min(LOOK) } else { wait };
            match self.lines.recv_timeout(wait) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
                Err(RecvTimeoutError::Timeout) => return Err(PlayerError::Silent(asked)),
                Err(RecvTimeoutError::Disconnected) => {
                    let error =
                        io::Error::new(io::ErrorKind::UnexpectedEof, "its output is closed");
                    return Err(self.gone(&error));
                }
            }
        }
    }

    /// Lets the engine think on a position (`position ...`) under a limit (`go ...`). If it is
    /// pondering on this position already, it is told that the expected move was made.
    /// `go_on` is called every now and then until it answers, and may end the wait.
    ///
    /// # Errors
    /// If no move comes within `allowance` or the engine breaks the protocol or itself. After an
    /// error it is not to be used again.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        allowance: Option<Duration>,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Thought, PlayerError> {
        let expected = self.pondering.take_if(|pondering| pondering.position == position);
        let (mut search, early) = if let Some(pondering) = expected {
            self.say("ponderhit")?;
            (pondering.search, pondering.early)
        } else {
            self.stop_pondering()?;
            self.say(position)?;
            self.ready()?;
            self.say(go)?;
            (Search::default(), None)
        };
        let begin = Instant::now();
        let deadline = begin + allowance.unwrap_or(self.longest_think);
        let answer = match early {
            Some(early) => early?,
            None => self.answer(&mut search, deadline, allowance.is_some(), &mut || {
                if go_on() { Ok(()) } else { Err(PlayerError::Stopped) }
            })?,
        };
        Ok(Thought {
            best: answer.best,
            ponder: answer.ponder,
            used: answer.time.saturating_duration_since(begin),
            info: search.info,
            messages: search.messages,
        })
    }

    /// Listens to a search until it answers.
    fn answer(
        &mut self,
        search: &mut Search,
        deadline: Instant,
        timed: bool,
        meanwhile: &mut dyn FnMut() -> Result<(), PlayerError>,
    ) -> Result<Answer, PlayerError> {
        let late = || if timed { PlayerError::Time } else { PlayerError::Silent("go") };
        loop {
            let line = match self.line(deadline, "go", Some(meanwhile)) {
                Err(PlayerError::Silent(_)) => return Err(late()),
                line => line?,
            };
            if let Some(answer) = search.hear(&line)? {
                return Ok(answer);
            }
            // What was read in time was there in time, even if we look at it late.
            if Instant::now() > deadline && line.time > deadline {
                return Err(late());
            }
        }
    }

    /// Lets the engine think on the opponent's time: `position` has the move it expects, `go` is
    /// the limit with the word `ponder`.
    ///
    /// # Errors
    /// If it can't be told.
    pub fn ponder(&mut self, position: String, go: &str) -> Result<(), PlayerError> {
        self.say(&position)?;
        self.say(go)?;
        self.pondering = Some(Pondering { position, search: Search::default(), early: None });
        Ok(())
    }

    /// Takes what the engine has said while it ponders, so that it is never held up by a full pipe.
    pub fn listen(&mut self) {
        let Some(pondering) = &mut self.pondering else { return };
        while pondering.early.is_none()
            && let Ok(line) = self.lines.try_recv()
        {
            pondering.early = pondering.search.hear(&line).transpose();
        }
    }

    /// Ends a search whose position did not come; its answer is thrown away.
    fn stop_pondering(&mut self) -> Result<(), PlayerError> {
        let Some(mut pondering) = self.pondering.take() else { return Ok(()) };
        if let Some(early) = pondering.early {
            return early.map(drop);
        }
        self.say("stop")?;
        let deadline = Instant::now() + self.patience;
        let stopped = self.answer(&mut pondering.search, deadline, false, &mut || Ok(()));
        match stopped {
            Err(PlayerError::Silent(_)) => Err(PlayerError::Silent("stop")),
            stopped => stopped.map(drop),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // A write to a full pipe would block, but an engine that has not been told much since it
        // last answered has room for a word.
        let _ = self.say("quit");
        self.input = None;
        let deadline = Instant::now() + LEAVE;
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                break;
            }
            // An engine that is still writing must not wait for us.
            let pause = Duration::from_millis(2);
            if matches!(self.lines.recv_timeout(pause), Err(RecvTimeoutError::Disconnected)) {
                std::thread::sleep(pause);
            }
        }
        process::kill(&mut self.child);
    }
}

pub use process::Log;
