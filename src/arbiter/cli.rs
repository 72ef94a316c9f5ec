//! The command line of `qishou-arbiter`.
//!
//! Matches are described in the words of cutechess-cli and fastchess, which testers' fingers know:
//! single dashes and `name=value`. Results go to standard output, warnings to standard error.

use std::path::Path;
use std::process::ExitCode;

use super::check;
use super::grade::{Table, grade};
use super::report::Report;
use crate::chess::Position;
use crate::pgn;
use crate::referee::dead::{self, Effort, Life};
use crate::{complain, console, files, say};

mod arguments;
mod config;
mod matches;
mod show;
mod soak;
mod tune;

/// What `--help` prints.
const HELP: &str = include_str!("cli/help.txt");

/// Bad arguments: one line, exit status 2.
fn usage(text: &str) -> ExitCode {
    complain!("qishou-arbiter: {text}");
    ExitCode::from(2)
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => usage("no arguments; try --help"),
        ["--help" | "-help" | "-h" | "help", ..] => {
            console::print(format_args!("{HELP}"));
            ExitCode::SUCCESS
        }
        ["--version" | "-version" | "-V", ..] => {
            say!("qishou-arbiter {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        ["dead", rest @ ..] => dead_command(rest),
        ["check", rest @ ..] => check_command(rest),
        ["grade", rest @ ..] => grade_command(rest),
        ["report", rest @ ..] => report_command(rest),
        ["resume", rest @ ..] => matches::resume(rest),
        ["soak", rest @ ..] => soak::run(rest),
        ["tune", rest @ ..] => tune::run(rest),
        ["match", rest @ ..] => matches::run(rest),
        [first, ..] if first.starts_with('-') => matches::run(&words),
        [first, ..] => usage(&format!("unknown command {first:?}; try --help")),
    }
}

/// A door for the fuzz target: the words of a match, a soak or a tuning, or the text of a TOML file.
///
/// # Errors
/// What is wrong with them.
#[cfg(fuzzing)]
#[doc(hidden)]
pub fn understand(words: Result<&[&str], &str>) -> Result<(), String> {
    let words: Vec<String> = match words {
        Ok(words) => words.iter().map(ToString::to_string).collect(),
        Err(toml) => config::parse("fuzz.toml", toml)?,
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let all =
        [arguments::read(&words).map(drop), soak::understand(&words), tune::understand(&words)];
    all.into_iter().collect()
}

/// `dead FEN`: prints `dead`, `live` or `unknown`.
fn dead_command(words: &[&str]) -> ExitCode {
    let fen = words.join(" ");
    if fen.is_empty() {
        return usage("dead: give a FEN");
    }
    match fen.parse::<Position>() {
        Ok(position) => {
            say!(
                "{}",
                match dead::judge(&position, Effort::THOROUGH) {
                    Life::Dead => "dead",
                    Life::Live => "live",
                    Life::Unknown => "unknown",
                }
            );
            ExitCode::SUCCESS
        }
        Err(error) => usage(&format!("dead: {error}")),
    }
}

fn read_records(path: &str) -> Result<Vec<pgn::Record>, String> {
    let bytes = std::fs::read(Path::new(path)).map_err(|error| format!("{path}: {error}"))?;
    Ok(pgn::read(&String::from_utf8_lossy(&bytes)))
}

/// `check FILE...`: names what breaks the Laws; exit status 1 if anything does.
fn check_command(files: &[&str]) -> ExitCode {
    if files.is_empty() {
        return usage("check: give a PGN file");
    }
    let (mut games, mut bad) = (0, 0);
    for path in files {
        let records = match read_records(path) {
            Ok(records) => records,
            Err(error) => return usage(&format!("check: {error}")),
        };
        for record in &records {
            games += 1;
            let findings = check::check(record);
            bad += usize::from(!findings.is_empty());
            let name = |tag| record.tag(tag).unwrap_or("?");
            for finding in findings {
                say!(
                    "{path}:{}: game {games} ({} - {}): {finding}",
                    record.line,
                    name("White"),
                    name("Black")
                );
            }
        }
    }
    say!("{games} games, {} without a fault", games - bad);
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// `report FILE... [-out FILE.html] [-sprt ...]`: a page with tables and pictures.
fn report_command(words: &[&str]) -> ExitCode {
    let mut sprt = None;
    let (mut files, mut out) = (Vec::new(), None);
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "-out" | "--out" | "-o" => match words.next() {
                Some(file) => out = Some(file),
                None => return usage("report: -out needs a file"),
            },
            "-sprt" | "--sprt" => {
                let mut values = Vec::new();
                while let Some(value) = words.next_if(|word| word.contains('=')) {
                    values.push(value);
                }
                match arguments::sprt(&values) {
                    Ok(read) => sprt = Some(read),
                    Err(error) => return usage(&format!("report: {error}")),
                }
            }
            _ if word.starts_with('-') => return usage(&format!("report: unknown option {word}")),
            _ => files.push(word),
        }
    }
    if files.is_empty() {
        return usage("report: give a PGN file");
    }
    let mut records = Vec::new();
    for path in &files {
        match read_records(path) {
            Ok(read) => records.extend(read),
            Err(error) => return usage(&format!("report: {error}")),
        }
    }
    let out = out.map_or_else(|| Path::new(files[0]).with_extension("html"), Into::into);
    let page = Report::of(&records, sprt).page();
    let written = page.and_then(|page| {
        files::replace(&out, page.as_bytes()).map_err(|error| format!("{}: {error}", out.display()))
    });
    match written {
        Ok(()) => {
            say!("{}", out.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain!("qishou-arbiter: report: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `grade [NAME=POINTS...] FILE...`: grade points after the games of PGN files.
fn grade_command(words: &[&str]) -> ExitCode {
    let mut table = Table::default();
    let mut files = Vec::new();
    for word in words {
        match word.rsplit_once('=') {
            Some((name, points)) if !Path::new(word).exists() => match points.parse::<f64>() {
                Ok(points) if points.is_finite() && !name.is_empty() => {
                    table.points.insert(name.to_owned(), points);
                }
                _ => return usage(&format!("grade: {word:?} is no NAME=POINTS")),
            },
            _ => files.push(*word),
        }
    }
    if files.is_empty() {
        return usage("grade: give a PGN file");
    }
    let mut left_out = 0;
    for path in files {
        let records = match read_records(path) {
            Ok(records) => records,
            Err(error) => return usage(&format!("grade: {error}")),
        };
        for record in records {
            let outcome = record.result.and_then(pgn::ResultMark::outcome);
            match (record.tag("White"), record.tag("Black"), outcome) {
                (Some(white), Some(black), Some(outcome)) if white != black => {
                    table.add(white, black, outcome);
                }
                _ => left_out += 1,
            }
        }
    }
    let mut rows: Vec<(&String, &f64)> = table.points.iter().collect();
    rows.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
    for (name, &points) in rows {
        let grade = grade(points).map_or("no grade".to_owned(), |grade| format!("grade {grade}"));
        say!("{points:>9.2}  {grade:<9} {name}");
    }
    if left_out > 0 {
        complain!("{left_out} games without two different names and a result were left out");
    }
    ExitCode::SUCCESS
}
