//! The positions of test suites (EPD), solved and counted.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::Context as _;
use indicatif::ProgressBar;

use super::question::{Question, Verdict};
use super::thinker::{self, Thinker};
use super::{INTERRUPTED, STOP, bar};
use qishou::{complain, say};

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
fn read(path: &Path) -> anyhow::Result<Suite> {
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
                complain!("{} line {number}: {fault:#}", suite.name);
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
                bar.suspend(|| complain!("{} line {number}: {fault:#}", suite.name));
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
    say!("{} line {number}{id}: {word} ({best}{mate}{points})", suite.name);
}

/// Asks all positions of these files.
pub(super) fn run(
    files: &[&Path],
    thinker: &mut dyn Thinker,
    each: bool,
) -> anyhow::Result<ExitCode> {
    let suites = files.iter().map(|file| read(file)).collect::<anyhow::Result<Vec<Suite>>>()?;
    let all: usize = suites.iter().map(|suite| suite.questions.len()).sum();
    let bar = bar(all, "positions, solved {msg}").with_message("0");
    let mut total = Tally::default();
    for suite in &suites {
        let tally = ask(suite, thinker, each, &bar)?;
        if suites.len() > 1 {
            bar.suspend(|| say!("{}: {tally}", suite.name));
        }
        total.join(tally);
    }
    bar.finish_and_clear();
    if total.asked < all {
        complain!("broken off: {} positions were not asked", all - total.asked);
    }
    say!("{total}");
    let faults: usize = suites.iter().map(|suite| suite.faults).sum();
    Ok(if total.asked < all {
        ExitCode::from(INTERRUPTED)
    } else if faults > 0 {
        complain!("lines that can't be read: {faults}");
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
