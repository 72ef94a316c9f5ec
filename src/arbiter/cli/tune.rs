//! `qishou-arbiter tune`: an engine's numbers tuned by its own games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{self, Description};
use super::{matches, usage};
use crate::arbiter::stop::Stop;
use crate::arbiter::tune::{Parameter, Plan, Tuning, run as play};
use crate::{complain, console};

/// Steps between two savings of the state; what lies between is lost with the power.
const SAVED_EVERY: u64 = 50;

/// What only this command knows.
struct Own {
    parameters: PathBuf,
    state: PathBuf,
    only: Option<Vec<String>>,
}

/// `-params FILE -state FILE [-only NAME,...] -engine ... -rounds PAIRS`.
pub(super) fn run(words: &[&str]) -> ExitCode {
    let prepared = own(words).and_then(|(own, rest)| {
        let told = arguments::read_any(&rest)?;
        Ok((tuning(&own, &told)?, plan(&told)?, own))
    });
    let (mut tuning, plan, own) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return usage(&format!("tune: {error}")),
    };
    let stop = Arc::new(Stop::new());
    matches::handle_interrupts(&stop, false);
    let bar = ProgressBar::new(tuning.planned).with_position(tuning.done);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} pairs, {eta} left") {
        bar.set_style(style);
    }
    bar.reset_eta();
    let ended = play(&plan, &mut tuning, &stop, |tuning| {
        bar.set_position(tuning.done);
        if tuning.done % SAVED_EVERY == 0 { tuning.save(&own.state) } else { Ok(()) }
    });
    bar.finish_and_clear();
    let saved = tuning.save(&own.state);
    console::print(format_args!("{}", tuning.list()));
    if let Err(error) = ended {
        complain!("qishou-arbiter: tune: {error}");
        return ExitCode::FAILURE;
    }
    if let Err(error) = saved {
        complain!("qishou-arbiter: tune: {}: {error}", own.state.display());
        return ExitCode::FAILURE;
    }
    if stop.is_wished() { ExitCode::from(130) } else { ExitCode::SUCCESS }
}

/// Takes the words out that a match does not know.
fn own<'a>(words: &[&'a str]) -> Result<(Own, Vec<&'a str>), String> {
    let (mut parameters, mut state, mut only) = (None, None, None);
    let mut rest = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let place = match word.trim_start_matches('-') {
            "params" => &mut parameters,
            "state" => &mut state,
            "only" => &mut only,
            _ => {
                rest.push(word);
                continue;
            }
        };
        *place = Some(words.next().ok_or_else(|| format!("{word} needs a value"))?);
    }
    let own = Own {
        parameters: parameters.ok_or("give the numbers to tune: -params FILE")?.into(),
        state: state.ok_or("give a file for the state: -state FILE")?.into(),
        only: only.map(|names: &str| names.split(',').map(str::to_owned).collect()),
    };
    Ok((own, rest))
}

/// A door for the fuzz target.
#[cfg(fuzzing)]
pub(super) fn understand(words: &[&str]) -> Result<(), String> {
    let (_, rest) = own(words)?;
    plan(&Description { errors: None, ..arguments::read_any(&rest)? }).map(drop)
}

fn tuning(own: &Own, told: &Description) -> Result<Tuning, String> {
    let text = std::fs::read_to_string(&own.parameters)
        .map_err(|error| format!("{}: {error}", own.parameters.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut parameters = lines.map(str::parse).collect::<Result<Vec<Parameter>, String>>()?;
    if let Some(only) = &own.only {
        if let Some(unknown) = only.iter().find(|n| parameters.iter().all(|p| p.name != **n)) {
            return Err(format!("-only: there is no {unknown:?} in the list"));
        }
        parameters.retain(|parameter| only.contains(&parameter.name));
    }
    if parameters.is_empty() {
        return Err(format!("{}: no numbers to tune", own.parameters.display()));
    }
    let mut tuning = Tuning::new(parameters, told.rounds as u64, told.seed);
    if Path::exists(&own.state) {
        tuning.load(&own.state).map_err(|error| format!("{}: {error}", own.state.display()))?;
    }
    Ok(tuning)
}

fn plan(told: &Description) -> Result<Plan, String> {
    let [entrant] = told.entrants.as_slice() else {
        return Err("give one engine, which plays itself: -engine cmd=PROGRAM".into());
    };
    Ok(Plan {
        entrant: entrant.clone(),
        openings: matches::openings(told, told.rounds)?,
        conditions: told.conditions.clone(),
        concurrency: told.concurrency,
        errors: matches::errors(told)?,
    })
}
