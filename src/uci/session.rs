//! The state machine between a host and the engine.
//!
//! While a search or a job runs, commands that need the engine wait in order; `isready` and `uci`
//! are answered at once; `stop` reaches the search at once. A `stop`, `ponderhit` or `quit` that
//! arrives behind a waiting `go` (or other work) is meant for that one as well, so it waits its turn besides. An
//! endless search with a `go` waiting behind it goes on until its `stop`.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::command::{Bench, Command, GenFens, SpeedTest, Start};
use super::endgames::Endgames;
use super::evaluation::EvaluationText;
use super::go::Go;
use super::jobs::{self, Job};
use super::log::{EndOfLog, Log, Speaker};
use super::network::NetworkInUse;
use super::opening::Opening;
use super::options::{Change, Options, declarations};
use super::print::{Finish, Printer};
use super::sink::Announcer;
use super::words::shown;
use super::{NAME, input};
use crate::chess::perft::CpuLevel;
use crate::chess::{Game, Move, Piece, Position, Setup};
use crate::eval::{Level, trace};
use crate::search::{Engine, Limits};

/// What reaches the session.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of input.
    Line(String),
    /// A line too long to be kept.
    LineTooLong,
    /// The input has ended, or can't be read any more.
    EndOfInput(io::Result<()>),
    /// The search or job has ended.
    Done,
    /// The job has ended by a fault.
    BrokenDown,
    /// The output can't be written any more.
    OutputBroken(io::Error),
}

/// What keeps the engine busy.
#[derive(Debug)]
enum Busy {
    Idle,
    Search { pondering: bool },
    Job(Job),
}

#[derive(Debug)]
struct Session {
    engine: Engine,
    game: Game,
    options: Options,
    network: NetworkInUse,
    endgames: Endgames,
    opening: Opening,
    log: Log,
    busy: Busy,
    /// Commands to be carried out when the engine is free, in order.
    waiting: VecDeque<Command>,
    /// Whether `quit` waits until everything has been answered in full.
    patient: bool,
    left: bool,
    printer: Printer,
    events: Sender<Event>,
}

/// How long a host that reads nothing may hold up the end.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub(super) fn serve<R, W>(reader: R, writer: W) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let (session, heard, finish) = Session::start(writer, false)?;
    input::start(reader, session.events.clone())?;
    let result = session.attend(&heard);
    finish.wait(Some(LAST_WORDS));
    result.and(written(&heard))
}

pub(super) fn run_lines<W: Write + Send + 'static>(lines: &[String], writer: W) -> io::Result<()> {
    let (session, heard, finish) = Session::start(writer, true)?;
    let lines = lines.iter().cloned().map(Event::Line);
    for event in lines.chain([Event::EndOfInput(Ok(()))]) {
        // Can't fail: the receiving end is held right here.
        let _ = session.events.send(event);
    }
    let result = session.attend(&heard);
    finish.wait(None);
    result.and(written(&heard))
}

/// Whether everything was written, as far as somebody wanted it: what the printer told after the
/// session had left.
fn written(heard: &Receiver<Event>) -> io::Result<()> {
    heard.try_iter().try_for_each(Event::loss)
}

impl Event {
    /// The error if output was lost. A host that has gone loses nothing.
    fn loss(self) -> io::Result<()> {
        match self {
            Self::OutputBroken(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

impl Session {
    fn start<W: Write + Send + 'static>(
        writer: W,
        patient: bool,
    ) -> io::Result<(Self, Receiver<Event>, Finish)> {
        let (events, heard) = mpsc::channel();
        let broken = events.clone();
        let log = Log::default();
        let (printer, finish) = Printer::start(writer, log.clone(), move |error| {
            let _ = broken.send(Event::OutputBroken(error));
        })?;
        let session = Self {
            engine: Engine::new(),
            game: Game::default(),
            options: Options::default(),
            network: NetworkInUse::default(),
            endgames: Endgames::default(),
            opening: Opening::default(),
            log,
            busy: Busy::Idle,
            waiting: VecDeque::new(),
            patient,
            left: false,
            printer,
            events,
        };
        Ok((session, heard, finish))
    }

    /// Handles events until it is time to leave.
    fn attend(mut self, heard: &Receiver<Event>) -> io::Result<()> {
        let mut result = Ok(());
        while !self.left {
            // Can't fail: the session holds a sender itself.
            let Ok(event) = heard.recv() else { break };
            match event {
                Event::Line(line) => self.hear(&line),
                Event::LineTooLong => self.printer.error("a line too long to be kept"),
                Event::EndOfInput(end) => {
                    result = result.and(end);
                    self.take(Command::Quit);
                }
                Event::Done => self.go_on(),
                Event::BrokenDown => {
                    self.printer.error("the command broke down");
                    self.go_on();
                }
                Event::OutputBroken(error) => {
                    result = result.and(Event::OutputBroken(error).loss());
                    self.halt();
                    self.waiting.clear();
                    self.patient = false;
                    self.take(Command::Quit);
                }
            }
        }
        self.engine.wait();
        result
    }

    fn hear(&mut self, line: &str) {
        if let Err(error) = self.log.note(Speaker::Host, line) {
            self.printer.error(EndOfLog(error));
        }
        match Command::parse(line) {
            Ok(Some(command)) => self.take(command),
            Ok(None) => {}
            Err(error) => self.printer.error(error),
        }
    }

    /// The search or job has ended: carries out what waits, until the engine is busy again.
    fn go_on(&mut self) {
        self.busy = Busy::Idle;
        for command in std::mem::take(&mut self.waiting) {
            if !self.left {
                self.take(command);
            }
        }
    }

    /// Carries out a command now, or lets it wait its turn.
    fn take(&mut self, command: Command) {
        if matches!(self.busy, Busy::Idle) {
            return self.carry_out(command);
        }
        let work_waits = self.waiting.iter().any(Command::is_work);
        match command {
            Command::IsReady | Command::Uci | Command::Ignored => self.carry_out(command),
            Command::Stop | Command::PonderHit => {
                match command {
                    Command::Stop => self.halt(),
                    _ => self.ponder_hit(),
                }
                if work_waits {
                    self.waiting.push_back(command);
                }
            }
            Command::Quit => {
                if !self.patient {
                    self.halt();
                }
                self.waiting.push_back(command);
            }
            other => self.waiting.push_back(other),
        }
    }

    fn halt(&self) {
        match &self.busy {
            Busy::Idle => {}
            Busy::Search { .. } => self.engine.stop(),
            Busy::Job(job) => job.cancel(),
        }
    }

    fn ponder_hit(&mut self) {
        if let Busy::Search { pondering: true } = self.busy {
            self.busy = Busy::Search { pondering: false };
            self.engine.ponder_hit();
        }
    }

    /// Carries out a command. Of those that need the engine none comes here while it is busy.
    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.printer.line("readyok"),
            Command::NewGame => self.engine.new_game(),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) => self.search(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Display => self.printer.line(self.game.position()),
            Command::Eval => self.evaluate(),
            Command::Bench(settings) => self.bench(settings),
            Command::SpeedTest(settings) => self.speed_test(settings),
            Command::GenFens(settings) => self.gen_fens(settings),
            Command::Flip => self.flip(),
            Command::Compiler => self.printer.line(compiler()),
            Command::Help => self.printer.line(help().trim_end()),
            Command::Quit => self.left = true,
            // Nothing runs that could be stopped.
            Command::Stop | Command::PonderHit | Command::Ignored => {}
        }
    }

    fn identify(&self) {
        let mut lines = vec![format!("id name {NAME}"), "id author the Qishou authors".to_owned()];
        lines.extend(declarations().iter().map(ToString::to_string));
        #[cfg(feature = "tune")]
        lines.extend(super::tuning::declarations());
        lines.push("uciok".to_owned());
        self.printer.line(lines.join("\n"));
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        match game(start, moves) {
            Ok(game) => self.game = game,
            Err(fault) => self.printer.error(format_args!("{fault}; the position stays")),
        }
    }

    fn search(&mut self, go: &Go) {
        if let Some(text) = self.network.introduction(&self.engine) {
            self.printer.line(format_args!("info string {text}"));
        }
        let position = *self.game.position();
        let (limits, faults) = go.limits(&position);
        if !faults.is_empty() {
            self.printer.error(format_args!("go: {}", faults.join("; ")));
        }
        let mut sink =
            Announcer::new(self.printer.clone(), self.events.clone(), &position, self.options);
        if let Some(mv) = self.book_move(&limits) {
            self.busy = Busy::Search { pondering: false };
            return sink.book_move(mv);
        }
        self.busy = Busy::Search { pondering: limits.ponder };
        self.engine.go(&self.game, limits, Box::new(sink));
    }

    /// A move of the book, where one is wanted: in a game, when it is the engine's turn.
    fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        let playing = !limits.infinite && !limits.ponder && limits.search_moves.is_empty();
        if self.options.analyse_mode || !playing || limits.mate.is_some() {
            return None;
        }
        self.opening.choose(&self.game).unwrap_or_else(|fault| {
            self.printer.error(fault);
            None
        })
    }

    fn start_job(&mut self, work: impl FnOnce(&std::sync::atomic::AtomicBool) + Send + 'static) {
        match Job::start(self.events.clone(), work) {
            Ok(job) => self.busy = Busy::Job(job),
            Err(error) => self.printer.error(error),
        }
    }

    fn perft(&mut self, depth: u32) {
        let (position, printer) = (*self.game.position(), self.printer.clone());
        let chess960 = self.options.chess960;
        self.start_job(move |cancelled| {
            jobs::divide(&position, depth, chess960, &printer, cancelled);
        });
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if super::tuning::set(name, value) {
            return;
        }
        #[cfg(feature = "faults")]
        if let ("Fault" | "Helper Fault", Some(Ok(node))) = (name, value.map(str::parse)) {
            return crate::search::break_down_at(node, name != "Fault");
        }
        let change = match Options::change(name, value) {
            Ok(change) => change,
            Err(error) => return self.printer.error(error),
        };
        match change {
            Change::Hash(mebibytes) => {
                if let Err(error) = self.engine.set_hash(mebibytes) {
                    self.printer.error(format_args!("{error}; the old one stays"));
                }
            }
            Change::Threads(wanted) => {
                if let Err(error) = self.engine.set_threads(wanted) {
                    let threads = self.engine.threads();
                    self.printer.error(format_args!("{error}; there are {threads} as before"));
                }
            }
            // The host says with each go whether it ponders; opponents are all alike.
            Change::Ponder(_) | Change::Opponent(_) | Change::EngineAbout => {}
            Change::MultiPv(lines) => self.engine.set_multi_pv(lines),
            Change::ClearHash => self.engine.new_game(),
            Change::MoveOverhead(milliseconds) => self.engine.set_move_overhead(milliseconds),
            Change::Chess960(on) => self.options.chess960 = on,
            Change::ShowWdl(on) => self.options.show_wdl = on,
            Change::EvalFile(name) => {
                if let Err(fault) = self.network.load(&mut self.engine, &name) {
                    self.printer.error(fault);
                }
            }
            Change::NodesTime(nodes) => self.engine.set_nodes_per_millisecond(nodes),
            Change::AnalyseMode(on) => self.options.analyse_mode = on,
            Change::LimitStrength(on) => self.options.limit_strength = on,
            Change::Elo(elo) => self.options.elo = elo,
            Change::SkillLevel(level) => self.options.skill = level,
            Change::OwnBook(on) => self.opening.wanted = on,
            Change::BookFile(name) => {
                if let Err(fault) = self.opening.open(&name) {
                    self.printer.error(fault);
                }
            }
            Change::DebugLogFile(name) => {
                if let Err(fault) = self.log.set(&name) {
                    let name = shown(&name);
                    self.printer.error(format_args!("option Debug Log File: {name:?}: {fault}"));
                }
            }
            change => self.set_endgames(change),
        }
        self.engine.set_strength(self.options.strength());
    }

    fn set_endgames(&mut self, change: Change) {
        let (endgames, engine) = (&mut self.endgames, &mut self.engine);
        match change {
            Change::SyzygyPath(list) => {
                for line in endgames.open(engine, &list) {
                    self.printer.line(format_args!("info string {}", shown(&line)));
                }
            }
            Change::SyzygyProbeDepth(depth) => endgames.set(engine, |set| set.least_depth = depth),
            Change::SyzygyProbeLimit(men) => endgames.set(engine, |set| set.most_men = men),
            Change::Syzygy50MoveRule(on) => endgames.set(engine, |set| set.fifty_moves = on),
            _ => {}
        }
    }

    fn evaluate(&self) {
        let network = self.engine.network().map(Arc::as_ref);
        let trace = trace(network, self.game.position());
        self.printer.line(EvaluationText { position: self.game.position(), trace: &trace });
    }

    fn bench(&mut self, settings: Bench) {
        let (printer, network) = (self.printer.clone(), self.engine.network().cloned());
        self.start_job(move |cancelled| jobs::bench(settings, network, &printer, cancelled));
    }

    fn speed_test(&mut self, settings: SpeedTest) {
        let (printer, network) = (self.printer.clone(), self.engine.network().cloned());
        self.start_job(move |cancelled| jobs::speed_test(settings, network, &printer, cancelled));
    }

    fn gen_fens(&mut self, settings: GenFens) {
        let (printer, network) = (self.printer.clone(), self.engine.network().cloned());
        self.start_job(move |cancelled| {
            if let Err(error) = jobs::gen_fens(&settings, network, &printer, cancelled) {
                printer.error(format_args!("genfens: {error}"));
            }
        });
    }

    fn flip(&mut self) {
        match flipped(self.game.position()) {
            Ok(position) => self.game = Game::new(position),
            Err(error) => self.printer.error(error),
        }
    }
}

/// The game a `position` command describes, or what is wrong with it.
fn game(start: &Start, moves: &[String]) -> Result<Game, String> {
    let mut game = match start {
        Start::StartPos => Game::default(),
        Start::Fen(fen) => Game::new(fen.parse().map_err(|error| format!("position: {error}"))?),
    };
    for (text, number) in moves.iter().zip(1..) {
        let illegal = || format!("position: move {number}, {:?}, is illegal", shown(text));
        let mv = game.position().parse_uci(text).map_err(|_| illegal())?;
        game.play(mv).map_err(|_| illegal())?;
    }
    Ok(game)
}

/// The same position with the colours exchanged.
fn flipped(position: &Position) -> Result<Position, crate::chess::SetupError> {
    let mut setup = Setup {
        side_to_move: !position.side_to_move(),
        en_passant: position.en_passant().map(crate::chess::Square::flip_rank),
        halfmove_clock: position.halfmove_clock() as u16,
        fullmove_number: position.fullmove_number() as u16,
        ..Setup::default()
    };
    for (square, piece) in position.men() {
        setup.men[square.flip_rank()] = Some(Piece::new(piece.kind, !piece.color));
    }
    for rook in position.castling_rooks() {
        setup.castling_rooks |= rook.flip_rank().bitboard();
    }
    setup.position()
}

fn compiler() -> String {
    let kind = if cfg!(debug_assertions) { "with debug assertions" } else { "optimised" };
    format!(
        "{NAME}, {kind}, for {} {}\ncompiled by {}\nCPU level: {:?} for perft, {} for the network",
        std::env::consts::ARCH,
        std::env::consts::OS,
        env!("QISHOU_RUSTC"),
        CpuLevel::chosen(),
        Level::chosen(),
    )
}

/// The commands, then the options.
fn help() -> String {
    let options = declarations().iter().map(|declared| {
        let (name, meaning) = (declared.name(), declared.meaning());
        format!("{name:<31}{}\n", meaning.replace('`', ""))
    });
    format!("{HELP}\nOptions, set by setoption:\n\n{}", options.collect::<String>())
}

const HELP: &str = "\
Qishou speaks UCI, the Universal Chess Interface; a program with a board usually does the typing.

uci                            name, options, uciok
isready                        readyok, also during a search
ucinewgame                     forget the last game
position startpos [moves ...]  set up a game; castling as e1g1 or e1h1
position fen FEN [moves ...]   the same from a position
go [LIMITS]                    think; ends in bestmove. Without limits until stop
   depth N  nodes N  movetime MS  mate N  infinite  ponder  searchmoves M...
   wtime MS  btime MS  winc MS  binc MS  movestogo N
stop                           end the search now
ponderhit                      the expected move was played
setoption name N [value V]     see the option lines of uci
quit                           leave

d                              show the position
eval                           show what the evaluation thinks of it
flip                           exchange the colours
perft N, go perft N            count the leaves of the tree of legal moves
bench [HASH THREADS DEPTH]     a fixed amount of work: nodes and speed
speedtest [THREADS HASH SECONDS]  how fast this machine is, with all its processors
genfens N [seed S] [book FILE] [dfrc PERCENT]  random level first positions
compiler                       how this program was built
help                           this
";
