//! `qishou-arbiter match`: plays what was described.

use std::fs::OpenOptions;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::arguments::{self, Description};
use super::show::Display;
use super::usage;
use crate::arbiter::openings::Openings;
use crate::arbiter::player::Log;
use crate::arbiter::tournament::{Plan, TournamentError, run as play};

/// Reads the arguments and plays the match.
pub(super) fn run(words: &[&str]) -> ExitCode {
    if words.iter().any(|word| matches!(*word, "--help" | "-help" | "-h")) {
        print!("{}", super::HELP);
        return ExitCode::SUCCESS;
    }
    let prepared = arguments::read(words).and_then(|told| Ok((plan(&told)?, told)));
    let (plan, told) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return usage(&error),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let handler = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("stopping; press again to end at once");
    });
    if let Err(error) = handler {
        eprintln!("warning: no handler for Ctrl-C: {error}");
    }
    let mut display = Display::new(&plan, told.interval, told.quiet);
    match play(&plan, &stop, &mut display) {
        Ok(standing) => {
            display.end(&standing);
            if standing.stopped { ExitCode::from(130) } else { ExitCode::SUCCESS }
        }
        Err(error @ TournamentError::Plan(_)) => usage(&error.to_string()),
        Err(error) => {
            eprintln!("qishou-arbiter: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What makes a match the same match: all that decides about its games, but not how many there
/// are, so that a match can be lengthened.
fn identity(told: &Description) -> u32 {
    let text = format!(
        "{:?} {:?} {:?} {} {:?} {}",
        told.entrants, told.format, told.openings, told.seed, told.conditions, told.event,
    );
    crc32fast::hash(text.as_bytes())
}

fn plan(told: &Description) -> Result<Plan, String> {
    let mut openings = match &told.openings {
        None => Openings::default(),
        Some(file) => Openings::read(&file.path, file.format.as_deref(), file.plies)
            .map_err(|error| format!("-openings: {error}"))?,
    };
    if told.openings.as_ref().is_some_and(|file| file.random) {
        openings.shuffle(told.seed);
    }
    let errors: Log = match &told.errors {
        None => None,
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|error| format!("-errors: {}: {error}", path.display()))?;
            Some(Arc::new(Mutex::new(file)))
        }
    };
    Ok(Plan {
        entrants: told.entrants.clone(),
        format: told.format,
        games: told.games.saturating_mul(told.rounds),
        openings,
        first_opening: told.openings.as_ref().and_then(|file| file.start).unwrap_or(1) - 1,
        conditions: told.conditions.clone(),
        concurrency: told.concurrency,
        sprt: told.sprt,
        pgn: told.pgn.clone(),
        log: told.log.clone(),
        event: told.event.clone(),
        site: told.site.clone(),
        identity: identity(told),
        errors,
    })
}
