//! Many games: who meets whom, side by side, recorded one by one, so that a match that was
//! stopped or killed goes on where it was.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::clock::TimeControl;
use super::openings::Openings;
use super::play::Conditions;
use super::player::{Engine, Log};
use super::stop::Stop;
use crate::chess::{Color, Outcome};
use crate::referee::laws::Verdict;
use crate::referee::score::{Decision, Results, Sprt, half_points};

mod record;
mod schedule;
mod workers;

pub use record::SPRT_TAG;
pub use schedule::{Format, Job, schedule};

/// A participant.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The engine.
    pub engine: Engine,
    /// What limits it.
    pub control: TimeControl,
    /// Overrun that is forgiven at each move.
    pub margin: Duration,
}

/// A match or tournament.
#[derive(Debug)]
pub struct Plan {
    /// The participants: two at least.
    pub entrants: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// Games of each two that meet.
    pub games: usize,
    /// Where the games begin.
    pub openings: Openings,
    /// The first opening used, from 0.
    pub first_opening: usize,
    /// The Laws and the settings.
    pub conditions: Conditions,
    /// Games at the same time.
    pub concurrency: usize,
    /// A test that ends a match of two.
    pub sprt: Option<Sprt>,
    /// The file the games are added to.
    pub pgn: Option<PathBuf>,
    /// The file a line of JSON a game is added to.
    pub log: Option<PathBuf>,
    /// The file for games that are adjourned; without it they are given up.
    pub adjourn: Option<PathBuf>,
    /// The words the match was described with, for that file.
    pub arguments: Vec<String>,
    /// Name of the event.
    pub event: String,
    /// Place of the event.
    pub site: String,
    /// Tells this match from others in the same file.
    pub identity: u32,
    /// Where engines' standard error goes.
    pub errors: Log,
}

/// What can go wrong with a match; engines can't.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The file of a record can't be opened or is none: nothing was played.
    #[error("{path}: {error}")]
    Open {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// A record can't be written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Fewer than two participants, or no games.
    #[error("{0}")]
    Plan(&'static str),
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Which one.
    pub job: Job,
    /// How it ended.
    pub outcome: Outcome,
    /// Why, in words; empty if it was read from a record.
    pub reason: String,
    /// Plies played.
    pub plies: usize,
}

/// Where a match stands.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Names of the participants.
    pub names: Vec<String>,
    /// Games scheduled.
    pub total: usize,
    /// Games finished, in the order of their ends.
    pub finished: Vec<Finished>,
    /// Games that stand adjourned.
    pub adjourned: usize,
    /// What a test has decided.
    pub decision: Option<Decision>,
    /// The match was stopped before its end.
    pub stopped: bool,
}

impl Standing {
    /// Names of the two players of a game, White first.
    pub fn players(&self, job: Job) -> [&str; Color::COUNT] {
        [&self.names[job.white], &self.names[job.black]]
    }

    /// Results of a participant, against all or against one other.
    pub fn results(&self, of: usize, against: Option<usize>) -> Results {
        let mut results = Results::default();
        let mut open: std::collections::HashMap<usize, u8> = std::collections::HashMap::new();
        for game in &self.finished {
            let job = game.job;
            let side = if job.white == of {
                Color::White
            } else if job.black == of {
                Color::Black
            } else {
                continue;
            };
            let opponent = if side == Color::White { job.black } else { job.white };
            if against.is_some_and(|against| against != opponent) {
                continue;
            }
            let points = half_points(game.outcome, side);
            results.add_game(points);
            match open.remove(&job.pair) {
                Some(first) => results.add_pair(first + points),
                None => {
                    open.insert(job.pair, points);
                }
            }
        }
        results
    }

    /// How games ended and how often, the most frequent first.
    pub fn endings(&self) -> Vec<(String, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for game in &self.finished {
            *counts.entry(game.reason.clone()).or_insert(0) += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}

/// What is told of a running match.
pub trait Observer {
    /// The match begins or goes on; so many games are recorded already.
    fn begins(&mut self, standing: &Standing);
    /// A game has begun.
    fn started(&mut self, standing: &Standing, job: Job);
    /// A game was adjourned.
    fn adjourned(&mut self, standing: &Standing, job: Job);
    /// A game is over and recorded; it is the last of `standing.finished`.
    fn finished(&mut self, standing: &Standing, verdict: &Verdict);
    /// Something odd that changes no result.
    fn warning(&mut self, text: &str);
}

/// Plays all games of a plan that are not recorded yet, those that were adjourned first. When
/// `stop` asks for it, games being played are adjourned, or given up without a record.
///
/// # Errors
/// If the plan has no games, or records can't be read or written.
pub fn run(
    plan: &Plan,
    stop: &Stop,
    observer: &mut impl Observer,
) -> Result<Standing, TournamentError> {
    if plan.entrants.len() < 2 {
        return Err(TournamentError::Plan("a match needs two engines"));
    }
    let jobs = schedule(plan.format, plan.entrants.len(), plan.games);
    if jobs.is_empty() {
        return Err(TournamentError::Plan("no games to play"));
    }
    let mut records = record::Records::open(plan)?;
    let finished = records.finished(&jobs);
    let done: HashSet<usize> = finished.iter().map(|game| game.job.number).collect();
    let mut standing = Standing {
        names: workers::names(plan, observer),
        total: jobs.len(),
        finished,
        adjourned: 0,
        decision: None,
        stopped: false,
    };
    standing.decision = decide(plan, &standing);
    records.begin(&standing)?;
    observer.begins(&standing);
    let left = records.take_up(jobs.into_iter().filter(|job| !done.contains(&job.number)));
    if standing.decision.is_none() && !left.is_empty() {
        workers::play_all(plan, left, stop, &mut standing, &mut records, observer)?;
    }
    standing.stopped = standing.decision.is_none() && standing.finished.len() < standing.total;
    standing.adjourned = records.adjourned();
    Ok(standing)
}

/// What the test says, if there is one.
fn decide(plan: &Plan, standing: &Standing) -> Option<Decision> {
    let sprt = plan.sprt.filter(|_| plan.entrants.len() == 2)?;
    sprt.decision(&standing.results(0, None))
}
