//! `qishou-arbiter soak`: an engine plays itself for hours.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{self, Description};
use super::{matches, usage};
use crate::arbiter::clock::seconds;
use crate::arbiter::soak::tally::{Entry, Tally};
use crate::arbiter::soak::{Plan, run as play};
use crate::arbiter::stop::Stop;
use crate::{complain, console, files};

/// What only this command knows.
struct Own {
    time: Duration,
    games: u64,
    cycle: u64,
    append: Option<PathBuf>,
}

/// `-time 4h [-games N] [-cycle N] [-append FILE] [-engine cmd=PROGRAM ...] [-concurrency N] [-srand N]`.
pub(super) fn run(words: &[&str]) -> ExitCode {
    let prepared = own(words).and_then(|(own, rest)| {
        let told = description(&rest)?;
        Ok((plan(&own, &told)?, own))
    });
    let (mut plan, own) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return usage(&format!("soak: {error}")),
    };
    let mut tally = Tally::default();
    let mut file = match own.append.as_deref().map(|path| (open(path, &mut tally), path)) {
        None => None,
        Some((Ok(file), _)) => Some(file),
        Some((Err(error), path)) => {
            return usage(&format!("soak: -append: {}: {error}", path.display()));
        }
    };
    plan.first = tally.games() as u64;
    let stop = Arc::new(Stop::new());
    matches::handle_interrupts(&stop, false);
    let bar = ProgressBar::new(plan.time.as_secs());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {elapsed_precise} {msg}") {
        bar.set_style(style);
    }
    let ended = play(&plan, &stop, |entry| {
        tally.add(&entry);
        for (_, text) in &entry.troubles {
            bar.suspend(|| complain!("game {}: {text}", tally.games()));
        }
        bar.set_position(entry.seconds as u64);
        bar.set_message(format!("{} games", tally.games()));
        let line = format!("{}\n", entry.to_json());
        file.as_mut().map_or(Ok(()), |file| file.write_all(line.as_bytes()))
    });
    bar.finish_and_clear();
    console::print(format_args!("{tally}"));
    if let Err(error) = ended {
        complain!("qishou-arbiter: soak: {error}");
        return ExitCode::FAILURE;
    }
    if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Hours, minutes or seconds: `4h`, `30m`, `90s`, `90`.
fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'h')) => (&text[..at], 3600),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 's')) => (&text[..at], 1),
        _ => (text, 1),
    };
    let time = seconds(number).map(|time| time * unit).filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("-time: {text:?} is no time such as 4h, 30m or 90s"))
}

fn count(option: &str, text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|&count| count > 0);
    count.ok_or_else(|| format!("{option}: {text:?} is no number of games"))
}

/// Takes the words out that a match does not know, or knows otherwise.
fn own<'a>(words: &[&'a str]) -> Result<(Own, Vec<&'a str>), String> {
    let mut own = Own { time: Duration::from_hours(1), games: u64::MAX, cycle: 8, append: None };
    let mut rest = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.trim_start_matches('-') {
            "time" if word.starts_with('-') => own.time = time(value()?)?,
            "games" if word.starts_with('-') => own.games = count(word, value()?)?,
            "cycle" if word.starts_with('-') => own.cycle = count(word, value()?)?,
            "append" if word.starts_with('-') => own.append = Some(value()?.into()),
            _ => rest.push(word),
        }
    }
    Ok((own, rest))
}

/// The engine and what else a match knows, too. Without an engine it is the one that lies beside
/// this program.
fn description(words: &[&str]) -> Result<Description, String> {
    // The controls are the soak's own, but an engine must have one.
    let mut all = vec!["-each", "timemargin=20", "nodes=1"];
    let beside = std::env::current_exe().unwrap_or_default().with_file_name("qishou");
    let command = format!("cmd={}", beside.display());
    if !words.contains(&"-engine") {
        all.extend(["-engine", &command]);
    }
    all.extend(words);
    arguments::read_any(&all)
}

fn plan(own: &Own, told: &Description) -> Result<Plan, String> {
    let [entrant] = told.entrants.as_slice() else {
        return Err("give one engine, which plays itself: -engine cmd=PROGRAM".into());
    };
    Ok(Plan {
        engine: entrant.engine.clone(),
        margin: entrant.margin,
        time: own.time,
        games: own.games,
        concurrency: told.concurrency,
        cycle: own.cycle,
        seed: told.seed,
        first: 0,
        errors: matches::errors(told)?,
    })
}

/// A door for the fuzz target.
#[cfg(fuzzing)]
pub(super) fn understand(words: &[&str]) -> Result<(), String> {
    let (own, rest) = own(words)?;
    let told = Description { errors: None, ..description(&rest)? };
    plan(&own, &told).map(drop)
}

/// Opens a file of games and counts those that are there; half a line at its end is cut off.
fn open(path: &Path, tally: &mut Tally) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    let text = String::from_utf8(files::contents(&mut file)?).map_err(io::Error::other)?;
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    for (i, line) in text[..whole].lines().enumerate() {
        let entry = serde_json::from_str(line).ok().and_then(|value| Entry::of_json(&value));
        let wrong = || io::Error::other(format!("line {} is no game of a soak", i + 1));
        tally.add(&entry.ok_or_else(wrong)?);
    }
    if whole < text.len() {
        file.set_len(whole as u64)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, expected) in
            [("4h", 14_400), ("90m", 5_400), ("30s", 30), ("7", 7), ("1.5h", 5_400)]
        {
            assert_eq!(time(text), Ok(Duration::from_secs(expected)), "{text}");
        }
        for text in ["", "h", "x", "0", "-5", "5d"] {
            assert!(time(text).unwrap_err().contains(&format!("{text:?}")), "{text}");
        }
    }
}
