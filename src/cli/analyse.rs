//! `qishou analyse`: an engine solves the positions of a test suite.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::Context as _;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::{self, INTERRUPTED, STOP};

mod question;
mod thinker;

use question::{Question, Verdict};
use thinker::{Limit, Thinker};

/// Let the engine solve the positions of test suites (EPD)
#[derive(Debug, Args)]
#[command(after_help = "\
What counts as solved, by the operations of a line:
  bm MOVES    one of these is played
  am MOVES    none of these is played
  dm N        the last score is a mate in N moves or fewer, and its line is legal and ends in that
              mate; N is negative where the side to move is mated. bm #N says the same
  c0 \"A=10, B=3\"  points for moves; without bm the move with most points solves

Examples:
  qishou analyse suite.epd --movetime 1000
  qishou analyse mates/*.epd --nodes 1000000 --each
  qishou analyse suite.epd --movetime 200 --engine stockfish --engine-option Contempt=0")]
pub(crate) struct Arguments {
    /// Files of positions with operations, one a line
    #[arg(required = true, value_name = "FILE.epd")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    hash: u32,
    /// Tell of each position whether it is solved
    #[arg(long)]
    each: bool,
    /// Ask this UCI engine instead, with the same limits: a program with its arguments
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// An option of that engine; may be given several times
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "NAME=VALUE", requires = "engine", value_parser = engine_option)]
    engine_option: Vec<(String, String)>,
}

/// How long each position is thought about: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct LimitArguments {
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Iterations for each position
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
}

impl LimitArguments {
    fn limit(&self) -> anyhow::Result<Limit> {
        let time = self.movetime.map(Limit::Time);
        let limit = time.or(self.nodes.map(Limit::Nodes)).or(self.depth.map(Limit::Depth));
        limit.context("one of --movetime, --nodes and --depth is needed")
    }
}

#[cfg(feature = "tools")]
fn engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is no NAME=VALUE"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Arguments {
    #[cfg(feature = "tools")]
    fn thinker(&self) -> anyhow::Result<Box<dyn Thinker>> {
        let limit = self.limit.limit()?;
        Ok(match &self.engine {
            None => Box::new(thinker::Own::new(limit, self.threads, self.hash)?),
            Some(command) => {
                let mut options = vec![
                    ("Threads".to_owned(), self.threads.to_string()),
                    ("Hash".to_owned(), self.hash.to_string()),
                ];
                options.extend(self.engine_option.iter().cloned());
                Box::new(thinker::Other::new(limit, command, options)?)
            }
        })
    }

    #[cfg(not(feature = "tools"))]
    fn thinker(&self) -> anyhow::Result<Box<dyn Thinker>> {
        Ok(Box::new(thinker::Own::new(self.limit.limit()?, self.threads, self.hash)?))
    }
}

/// What came of the positions so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Tally {
    solved: usize,
    asked: usize,
    points: u32,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        self.asked += 1;
        self.solved += usize::from(verdict.solved);
        self.points += verdict.points;
    }

    fn join(&mut self, other: Self) {
        self.asked += other.asked;
        self.solved += other.solved;
        self.points += other.points;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { solved, asked, points } = self;
        write!(f, "solved {solved} of {asked}, points {points}")
    }
}

/// A file as it was read.
struct Suite {
    name: String,
    /// With the numbers of their lines.
    questions: Vec<(usize, Question)>,
    /// Lines that can't be read.
    faults: usize,
}

/// Reads a file; lines that can't be read are named at once.
fn read(path: &PathBuf) -> anyhow::Result<Suite> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| name.clone())?;
    let mut suite = Suite { name, questions: Vec::new(), faults: 0 };
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim).zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
        match Question::read(line) {
            Ok(question) => suite.questions.push((number, question)),
            Err(fault) => {
                suite.faults += 1;
                eprintln!("{} line {number}: {fault:#}", suite.name);
            }
        }
    }
    Ok(suite)
}

/// Asks the questions of a suite. Ends early if Ctrl-C was pressed.
fn ask(
    suite: &Suite,
    thinker: &mut dyn Thinker,
    each: bool,
    bar: &ProgressBar,
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for (number, question) in &suite.questions {
        if STOP.load(Relaxed) {
            break;
        }
        let answer = match thinker.think(&question.position) {
            // What was broken off is no answer.
            _ if STOP.load(Relaxed) => break,
            Ok(answer) => answer,
            Err(fault) => {
                bar.suspend(|| eprintln!("{} line {number}: {fault:#}", suite.name));
                thinker.recover()?;
                thinker::Answer::default()
            }
        };
        let verdict = question.judge(&answer);
        tally.add(verdict);
        if each {
            bar.suspend(|| tell(suite, *number, question, &answer, verdict));
        }
        bar.inc(1);
        bar.set_message(tally.solved.to_string());
    }
    Ok(tally)
}

#[expect(clippy::print_stdout, reason = "the result of a command")]
fn tell(
    suite: &Suite,
    number: usize,
    question: &Question,
    answer: &thinker::Answer,
    verdict: Verdict,
) {
    let word = if verdict.solved { "solved" } else { "missed" };
    let best = answer.best.map(|mv| question.position.san(mv).to_string());
    let best = best.unwrap_or_else(|| "no move".to_owned());
    let mate = answer.mate.map(|moves| format!(", mate {moves}")).unwrap_or_default();
    let points =
        if verdict.points > 0 { format!(", {} points", verdict.points) } else { String::new() };
    let id = question.id.as_deref().map(|id| format!(" {id:?}")).unwrap_or_default();
    println!("{} line {number}{id}: {word} ({best}{mate}{points})", suite.name);
}

#[expect(clippy::print_stdout, reason = "the result of a command")]
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let suites = arguments.files.iter().map(read).collect::<anyhow::Result<Vec<Suite>>>()?;
    let mut thinker = arguments.thinker()?;
    interrupt::catch()?;
    let all: usize = suites.iter().map(|suite| suite.questions.len()).sum();
    let template =
        "{elapsed_precise} [{bar:40}] {human_pos}/{human_len} positions, solved {msg} {eta}";
    let bar = ProgressBar::new(all as u64).with_message("0");
    bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
    let mut total = Tally::default();
    for suite in &suites {
        let tally = ask(suite, thinker.as_mut(), arguments.each, &bar)?;
        if suites.len() > 1 {
            bar.suspend(|| println!("{}: {tally}", suite.name));
        }
        total.join(tally);
    }
    bar.finish_and_clear();
    if total.asked < all {
        eprintln!("broken off: {} positions were not asked", all - total.asked);
    }
    println!("{total}");
    let faults: usize = suites.iter().map(|suite| suite.faults).sum();
    Ok(if total.asked < all {
        ExitCode::from(INTERRUPTED)
    } else if faults > 0 {
        eprintln!("lines that can't be read: {faults}");
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
