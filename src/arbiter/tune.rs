//! Tuning an engine's numbers by its own games: simultaneous perturbation (SPSA, Spall 1992).
//!
//! In each step every number is moved a little up or down by the toss of a coin; the engine with
//! these numbers plays two games, one opening with either colour, against itself with all of them
//! moved the other way; and all numbers go a small part of the way towards the winner. Whatever
//! does not matter wanders at random, whatever matters drifts. One pair of games tells next to
//! nothing, and tens of thousands of them tell about all numbers at once.
//!
//! The gains follow Spall's advice: in step k numbers are tried at `step * (n / k)^0.101` from
//! where they are and move by a share that falls as `(n / 10 + k)^-0.602`, so that with n steps
//! planned both end at what the list of parameters asks for.

use std::collections::VecDeque;
use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::{fs, io, thread};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use thiserror::Error;

use super::openings::Openings;
use super::play::{Beginning, Conditions, End, Seat, play};
use super::player::{Log, Player, PlayerError};
use super::stop::Stop;
use super::tournament::Entrant;
use crate::chess::Color;
use crate::files;
use crate::referee::score::half_points;

/// How fast the distance of the trials falls with the steps.
const DISTANCE_DECAY: f64 = 0.101;
/// How fast the moves fall.
const MOVE_DECAY: f64 = 0.602;

/// A number to be tuned: an option of the engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The option.
    pub name: String,
    /// What it is now.
    pub value: f64,
    /// The least that makes sense.
    pub min: f64,
    /// The most that makes sense.
    pub max: f64,
    /// How far from its value it is tried at the end.
    pub step: f64,
    /// How far it moves at the end for a won pair, as a share of the step.
    pub rate: f64,
}

impl FromStr for Parameter {
    type Err = String;

    /// `OpenBench`'s form: `name, int, value, least, most, step, rate`.
    fn from_str(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, "int", numbers @ ..] = words.as_slice() else {
            return Err(format!("{line:?} is no `name, int, value, least, most, step, rate`"));
        };
        let parsed: Result<Vec<f64>, _> = numbers.iter().map(|word| word.parse::<f64>()).collect();
        match parsed.as_deref() {
            Ok(&[value, min, max, step, rate])
                if min <= value && value <= max && step > 0.0 && rate > 0.0 =>
            {
                Ok(Self { name: (*name).to_owned(), value, min, max, step, rate })
            }
            _ => Err(format!("{line:?}: value, least, most, step, rate don't fit")),
        }
    }
}

/// One step: the values of two opponents.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    number: u64,
    signs: Vec<f64>,
    /// The values of the one that goes along the signs, and of the other one.
    pub values: [Vec<i64>; 2],
}

/// The state of a tuning.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// Steps done.
    pub done: u64,
    /// Steps the gains are laid out for.
    pub planned: u64,
    /// What all coins follow from.
    pub seed: u64,
}

impl Tuning {
    /// Begins.
    pub fn new(parameters: Vec<Parameter>, planned: u64, seed: u64) -> Self {
        Self { parameters, done: 0, planned, seed }
    }

    /// The step with a number; it depends on the numbers as they are now.
    pub fn trial(&self, number: u64) -> Trial {
        let mut coins = ChaCha8Rng::seed_from_u64(self.seed);
        coins.set_stream(number);
        let signs: Vec<f64> =
            self.parameters.iter().map(|_| if coins.random() { 1.0 } else { -1.0 }).collect();
        // Rounded at random, so that a step of less than one is not lost.
        let values = [1.0, -1.0].map(|way| {
            let each = self.parameters.iter().zip(&signs);
            each.map(|(parameter, sign)| {
                let goal = parameter.value + way * sign * self.distance(parameter, number);
                let rounded = (goal + coins.random::<f64>()).floor();
                rounded.clamp(parameter.min, parameter.max) as i64
            })
            .collect()
        });
        Trial { number, signs, values }
    }

    /// How far from its value a number is tried.
    fn distance(&self, parameter: &Parameter, number: u64) -> f64 {
        parameter.step * (self.planned as f64 / (number + 1) as f64).powf(DISTANCE_DECAY)
    }

    /// Takes the result of a step: wins less losses of the one that goes along the signs.
    pub fn learn(&mut self, trial: &Trial, result: i32) {
        let (planned, k) = (self.planned as f64, (trial.number + 1) as f64);
        let ease = planned / 10.0;
        let fall = ((ease + planned) / (ease + k)).powf(MOVE_DECAY)
            / (planned / k).powf(2.0 * DISTANCE_DECAY);
        let distances: Vec<f64> = self
            .parameters
            .iter()
            .map(|parameter| self.distance(parameter, trial.number))
            .collect();
        for ((parameter, sign), distance) in
            self.parameters.iter_mut().zip(&trial.signs).zip(distances)
        {
            let way = parameter.rate * fall * distance * f64::from(result) * sign;
            parameter.value = (parameter.value + way).clamp(parameter.min, parameter.max);
        }
        self.done += 1;
    }

    /// The list of parameters as they are now, in the form that was read.
    pub fn list(&self) -> String {
        let line = |p: &Parameter| {
            let Parameter { name, value, min, max, step, rate } = p;
            format!("{name}, int, {}, {min}, {max}, {step}, {rate}\n", value.round())
        };
        self.parameters.iter().map(line).collect()
    }

    /// Writes the state: a new file, then renamed, so that there is always a whole one.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let values: serde_json::Map<String, Value> =
            self.parameters.iter().map(|p| (p.name.clone(), json!(p.value))).collect();
        let text = json!({
            "done": self.done, "planned": self.planned, "seed": self.seed, "values": values,
        });
        files::replace(path, format!("{text:#}\n").as_bytes())
    }

    /// Goes on from a saved state of the same parameters; what was planned and the seed may differ.
    ///
    /// # Errors
    /// If the file can't be read or is not about these parameters.
    pub fn load(&mut self, path: &Path) -> Result<(), String> {
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        let state: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        self.done = state["done"].as_u64().ok_or("no number of steps done")?;
        for parameter in &mut self.parameters {
            let value = state["values"][&parameter.name].as_f64();
            let value = value.filter(|value| (parameter.min..=parameter.max).contains(value));
            parameter.value = value.ok_or_else(|| format!("no value of {}", parameter.name))?;
        }
        Ok(())
    }
}

/// How the games of a tuning are played.
#[derive(Debug)]
pub struct Plan {
    /// The engine that plays itself.
    pub entrant: Entrant,
    /// Where the games begin.
    pub openings: Openings,
    /// The Laws and the settings.
    pub conditions: Conditions,
    /// Pairs of games at the same time.
    pub concurrency: usize,
    /// Where the engine's standard error goes.
    pub errors: Log,
}

/// Why a tuning ended early.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The engine broke; no result can be trusted then.
    #[error("{0}")]
    Player(#[from] PlayerError),
    /// The state can't be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// Plays until as many steps are done as were planned, or until `stop` is wished. `progress` is
/// called after each step.
///
/// # Errors
/// If the engine breaks, or by what `progress` returns.
pub fn run(
    plan: &Plan,
    tuning: &mut Tuning,
    stop: &Stop,
    mut progress: impl FnMut(&Tuning) -> io::Result<()>,
) -> Result<(), TuneError> {
    let first = tuning.done;
    let mut next = first;
    let over = Stop::new();
    let waiting: Mutex<VecDeque<Trial>> = Mutex::default();
    let (sender, results) = mpsc::channel();
    let mut ended = Ok(());
    thread::scope(|scope| {
        let hand_out = |tuning: &Tuning, next: &mut u64| {
            if *next < tuning.planned
                && let Ok(mut waiting) = waiting.lock()
            {
                waiting.push_back(tuning.trial(*next));
                *next += 1;
            }
        };
        for _ in 0..plan.concurrency.max(1) {
            hand_out(tuning, &mut next);
            let (sender, waiting, over) = (sender.clone(), &waiting, &over);
            let names: Vec<String> = tuning.parameters.iter().map(|p| p.name.clone()).collect();
            scope.spawn(move || work(plan, &names, waiting, over, &sender));
        }
        drop(sender);
        let mut running = next - first;
        while running > 0 {
            over.follow(stop);
            let heard = match results.recv_timeout(std::time::Duration::from_millis(50)) {
                Ok(heard) => heard,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            match heard {
                Ok((trial, result)) => {
                    tuning.learn(&trial, result);
                    if let Err(error) = progress(tuning) {
                        ended = Err(error.into());
                        break;
                    }
                    let before = next;
                    hand_out(tuning, &mut next);
                    running = running - 1 + (next - before);
                }
                // Given up since we are being stopped.
                Err(None) => break,
                Err(Some(error)) => {
                    ended = Err(error.into());
                    break;
                }
            }
        }
        over.abandon();
    });
    ended
}

/// A step and its result, or why there is none.
type Heard = Result<(Trial, i32), Option<PlayerError>>;

/// Plays steps with two engines until it is over.
fn work(
    plan: &Plan,
    names: &[String],
    waiting: &Mutex<VecDeque<Trial>>,
    over: &Stop,
    results: &Sender<Heard>,
) {
    let start =
        || Player::start(&plan.entrant.engine, plan.conditions.chess960, plan.errors.clone());
    let mut players = match (start(), start()) {
        (Ok(first), Ok(second)) => [first, second],
        (Err(error), _) | (_, Err(error)) => {
            let _ = results.send(Err(Some(error)));
            return;
        }
    };
    while !over.is_wished() {
        let Some(trial) = waiting.lock().ok().and_then(|mut waiting| waiting.pop_front()) else {
            // The next step depends on a result that is not there yet.
            thread::sleep(std::time::Duration::from_millis(2));
            continue;
        };
        let heard = step(plan, names, &trial, &mut players, over).map(|result| (trial, result));
        let failed = heard.is_err();
        if results.send(heard).is_err() || failed {
            return;
        }
    }
    let _ = results.send(Err(None));
}

/// Plays the two games of a step.
fn step(
    plan: &Plan,
    names: &[String],
    trial: &Trial,
    players: &mut [Player; 2],
    over: &Stop,
) -> Result<i32, Option<PlayerError>> {
    for (player, values) in players.iter_mut().zip(&trial.values) {
        for (name, value) in names.iter().zip(values) {
            player.set_option(name, &value.to_string())?;
        }
    }
    let opening = plan.openings.opening(trial.number as usize);
    let mut result = 0;
    for color in Color::ALL {
        let beginning = Beginning::Opening(Box::new(opening.clone()));
        let [first, second] = players.each_mut().map(|player| Seat {
            player: Ok(player),
            control: plan.entrant.control.clone(),
            margin: plan.entrant.margin,
            ponder: false,
        });
        let seats = if color == Color::White { [first, second] } else { [second, first] };
        let End::Played(played) = play(beginning, seats, &plan.conditions, over) else {
            return Err(None);
        };
        if played.broken.contains(&true) {
            return Err(Some(PlayerError::Gone(played.verdict.to_string())));
        }
        result += i32::from(half_points(played.verdict.outcome, color)) - 1;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        let lines = ["height, int, 100, 0, 400, 10, 0.02", "width, int, 50, -100, 100, 5, 0.02"];
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn lines_that_do_not_fit_are_refused() {
        for line in
            ["", "a, int, 1, 2, 3, 1, 0.1", "a, real, 1, 0, 2, 1, 1", "a, int, 1, 0, 2, 0, 1"]
        {
            assert!(line.parse::<Parameter>().is_err(), "{line}");
        }
    }

    #[test]
    fn trials_lie_on_both_sides_and_within_bounds() {
        let tuning = Tuning::new(parameters(), 1000, 1);
        for number in 0..200 {
            let trial = tuning.trial(number);
            assert_eq!(trial, tuning.trial(number));
            for (i, parameter) in tuning.parameters.iter().enumerate() {
                let [a, b] = [0, 1].map(|side: usize| trial.values[side][i] as f64);
                assert!((a - parameter.value) * trial.signs[i] > 0.0, "{trial:?}");
                assert!((b - parameter.value) * trial.signs[i] < 0.0, "{trial:?}");
                assert!(a >= parameter.min && a <= parameter.max);
            }
        }
    }

    /// A game whose winner is nearer to the best values, most of the time.
    #[test]
    fn numbers_drift_to_what_wins() {
        let best = [160.0, 20.0];
        let mut tuning = Tuning::new(parameters(), 20_000, 7);
        let mut luck = ChaCha8Rng::seed_from_u64(3);
        for number in 0..tuning.planned {
            let trial = tuning.trial(number);
            let [first, second] = [0, 1].map(|side: usize| {
                let squared = |i: usize| ((trial.values[side][i] as f64 - best[i]) / 40.0).powi(2);
                -squared(0) - squared(1)
            });
            let advantage = 0.5 + 0.2 * (first - second);
            let result = if luck.random::<f64>() < advantage { 1 } else { -1 };
            tuning.learn(&trial, result);
        }
        for (parameter, best) in tuning.parameters.iter().zip(best) {
            assert!((parameter.value - best).abs() < 8.0, "{parameter:?}, best {best}");
        }
    }

    #[test]
    fn a_state_is_written_and_read() {
        let path = std::env::temp_dir().join(format!("qishou-tune-{}.json", std::process::id()));
        let mut tuning = Tuning::new(parameters(), 100, 1);
        let trial = tuning.trial(0);
        tuning.learn(&trial, 2);
        tuning.save(&path).unwrap();
        let mut read = Tuning::new(parameters(), 100, 1);
        read.load(&path).unwrap();
        assert_eq!(read, tuning);
        let mut other = Tuning::new(vec!["depth, int, 1, 0, 2, 1, 1".parse().unwrap()], 100, 1);
        assert!(other.load(&path).is_err());
        fs::remove_file(path).unwrap();
    }
}
