//! `qishou-arbiter match`: plays what was described.

use std::fs::OpenOptions;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use super::arguments::{self, Description};
use super::show::Display;
use super::{config, usage};
use crate::arbiter::adjourn::Envelopes;
use crate::arbiter::openings::Openings;
use crate::arbiter::play::Conditions;
use crate::arbiter::player::Log;
use crate::arbiter::stop::Stop;
use crate::arbiter::tournament::{Plan, TournamentError, run as play};
use crate::{complain, console};

/// Reads the arguments and plays the match.
pub(super) fn run(words: &[&str]) -> ExitCode {
    if words.iter().any(|word| matches!(*word, "--help" | "-help" | "-h")) {
        console::print(format_args!("{}", super::HELP));
        return ExitCode::SUCCESS;
    }
    let prepared = config::expand(words).and_then(|words| {
        let told = arguments::read(&words.iter().map(String::as_str).collect::<Vec<_>>())?;
        Ok((plan(&told, words)?, told))
    });
    let (plan, told) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return usage(&error),
    };
    let stop = Arc::new(Stop::new());
    handle_interrupts(&stop, plan.adjourn.is_some());
    let mut display = Display::new(&plan, told.interval, told.quiet);
    match play(&plan, &stop, &mut display) {
        Ok(standing) => {
            display.end(&standing);
            if standing.stopped { ExitCode::from(130) } else { ExitCode::SUCCESS }
        }
        Err(error @ (TournamentError::Plan(_) | TournamentError::Open { .. })) => {
            usage(&error.to_string())
        }
        Err(error) => {
            complain!("qishou-arbiter: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Ctrl-C ends the match; with a file for adjourned games they are adjourned, and only a second
/// one gives them up. One more ends the program at once.
pub(super) fn handle_interrupts(stop: &Arc<Stop>, adjourns: bool) {
    let stop = Arc::clone(stop);
    let handler = ctrlc::set_handler(move || {
        if stop.is_abandoned() {
            std::process::exit(130);
        } else if adjourns && !stop.is_wished() {
            stop.adjourn();
            complain!("adjourning: who is to move seals its move; press again to give games up");
        } else {
            stop.abandon();
            complain!("stopping; press again to end at once");
        }
    });
    if let Err(error) = handler {
        complain!("warning: no handler for Ctrl-C: {error}");
    }
}

/// `resume FILE [OPTION...]`: goes on with the match whose games were adjourned to a file.
pub(super) fn resume(words: &[&str]) -> ExitCode {
    let [file, more @ ..] = words else { return usage("resume: give the file of adjourned games") };
    let read = std::fs::canonicalize(file)
        .and_then(|path| Ok((Envelopes::read(&path)?, path.to_string_lossy().into_owned())));
    let (envelopes, path) = match read {
        Ok(read) => read,
        Err(error) => return usage(&format!("resume: {file}: {error}")),
    };
    if let Err(error) = std::env::set_current_dir(&envelopes.directory) {
        return usage(&format!("resume: {}: {error}", envelopes.directory));
    }
    let mut words: Vec<&str> = envelopes.arguments.iter().map(String::as_str).collect();
    // The file may have been moved since.
    let named = words.iter().rposition(|word| *word == "-adjourn").and_then(|at| words.get(at + 1));
    if named.is_none_or(|named| std::fs::canonicalize(named).ok() != Some(path.clone().into())) {
        words.extend(["-adjourn", &path]);
    }
    words.extend(more);
    run(&words)
}

/// What makes a match the same match: all that decides about its games, but not how many there
/// are, so that a match can be lengthened.
fn identity(told: &Description) -> u32 {
    // How long a session is changes no game.
    let conditions = Conditions { session: None, ..told.conditions.clone() };
    let text = format!(
        "{:?} {:?} {:?} {} {conditions:?} {}",
        told.entrants, told.format, told.openings, told.seed, told.event,
    );
    crc32fast::hash(text.as_bytes())
}

/// The openings for so many pairs of games.
pub(super) fn openings(told: &Description, pairs: usize) -> Result<Openings, String> {
    let Some(file) = &told.openings else { return Ok(Openings::default()) };
    let wanted = pairs.saturating_add(file.start.unwrap_or(1) - 1);
    let drawn = (told.seed, wanted);
    let mut openings = Openings::read(&file.path, file.format.as_deref(), file.plies, drawn)
        .map_err(|error| format!("-openings: {error}"))?;
    if file.random {
        openings.shuffle(told.seed);
    }
    Ok(openings)
}

/// Where engines' standard error goes.
pub(super) fn errors(told: &Description) -> Result<Log, String> {
    let Some(path) = &told.errors else { return Ok(None) };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = file.map_err(|error| format!("-errors: {}: {error}", path.display()))?;
    Ok(Some(Arc::new(Mutex::new(file))))
}

fn plan(told: &Description, arguments: Vec<String>) -> Result<Plan, String> {
    let games = told.games.saturating_mul(told.rounds);
    Ok(Plan {
        entrants: told.entrants.clone(),
        format: told.format,
        games,
        openings: openings(told, games.div_ceil(2))?,
        first_opening: told.openings.as_ref().and_then(|file| file.start).unwrap_or(1) - 1,
        conditions: told.conditions.clone(),
        concurrency: told.concurrency,
        sprt: told.sprt,
        pgn: told.pgn.clone(),
        log: told.log.clone(),
        adjourn: told.adjourn.clone(),
        arguments,
        event: told.event.clone(),
        site: told.site.clone(),
        identity: identity(told),
        errors: errors(told)?,
    })
}
