//! Threads that play games, each with its own engines.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::record::{Records, Task};
use super::{Finished, Job, Observer, Plan, Standing, TournamentError, decide};
use crate::arbiter::adjourn::Adjourned;
use crate::arbiter::play::{Beginning, End, Played, Seat, play};
use crate::arbiter::player::{Player, PlayerError};
use crate::arbiter::stop::Stop;

/// What a worker tells.
enum News {
    Started(Job),
    Finished(Job, Box<Played>),
    Adjourned(Job, Box<Adjourned>),
    Warning(String),
}

/// The participants' names: given, or as the engines call themselves, or their programs'; made
/// different where they are the same.
pub(super) fn names(plan: &Plan, observer: &mut impl Observer) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entrant in &plan.entrants {
        let engine = &entrant.engine;
        let stem = || engine.command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = if engine.name.is_empty() {
            match Player::start(engine, false, None) {
                Ok(player) => player.name().to_owned(),
                Err(error) => {
                    observer.warning(&format!("{}: {error}", engine.command.display()));
                    stem()
                }
            }
        } else {
            engine.name.clone()
        };
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let unique =
            std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
        names.push(unique.unwrap_or(name));
    }
    names
}

/// Plays jobs until there are none, the match is decided or `stop` is set.
pub(super) fn play_all(
    plan: &Plan,
    tasks: Vec<Task>,
    stop: &Stop,
    standing: &mut Standing,
    records: &mut Records<'_>,
    observer: &mut impl Observer,
) -> Result<(), TournamentError> {
    let tasks = Mutex::new(VecDeque::from(tasks));
    // Set by us when a test is decided or a record can't be written, and by the outside.
    let over = Stop::new();
    let mut failed = None;
    thread::scope(|scope| {
        let (sender, news) = mpsc::channel();
        for _ in 0..plan.concurrency.max(1) {
            let (sender, tasks, over) = (sender.clone(), &tasks, &over);
            scope.spawn(move || work(plan, tasks, over, &sender));
        }
        drop(sender);
        loop {
            over.follow(stop);
            let heard = match news.recv_timeout(std::time::Duration::from_millis(50)) {
                Ok(heard) => heard,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            match heard {
                News::Warning(text) => observer.warning(&text),
                News::Started(job) => observer.started(standing, job),
                // What ends after the decision is no part of the match.
                News::Finished(..) if standing.decision.is_some() || failed.is_some() => {}
                News::Finished(job, played) => {
                    let names = standing.players(job);
                    let written = records.add(job, names, &played);
                    if let Err(error) = written.and_then(|()| records.keep(job, names, None)) {
                        failed = Some(error);
                        over.abandon();
                        continue;
                    }
                    standing.finished.push(Finished {
                        job,
                        outcome: played.verdict.outcome,
                        reason: played.verdict.to_string(),
                        plies: played.game.moves().len(),
                    });
                    standing.decision = decide(plan, standing);
                    observer.finished(standing, &played.verdict);
                    if standing.decision.is_some() {
                        over.abandon();
                    }
                }
                News::Adjourned(job, adjourned) => {
                    match records.keep(job, standing.players(job), Some(*adjourned)) {
                        Ok(()) => observer.adjourned(standing, job),
                        Err(error) => {
                            if failed.is_none() {
                                failed = Some(error);
                            }
                            over.abandon();
                        }
                    }
                }
            }
        }
    });
    failed.map_or(Ok(()), Err)
}

/// A worker's engines, by the number of the participant.
type Engines = HashMap<usize, Player>;

fn work(plan: &Plan, tasks: &Mutex<VecDeque<Task>>, over: &Stop, news: &Sender<News>) {
    let mut engines = Engines::new();
    while !over.is_wished() {
        let task = tasks.lock().ok().and_then(|mut tasks| tasks.pop_front());
        let Some((job, sealed)) = task else { break };
        let _ = news.send(News::Started(job));
        let opening = || plan.openings.opening(plan.first_opening + job.opening).clone();
        let beginning =
            sealed.map_or_else(|| Beginning::Opening(Box::new(opening())), Beginning::Adjourned);
        let _ = match game(plan, job, beginning, &mut engines, (over, news)) {
            End::Played(played) => news.send(News::Finished(job, played)),
            End::Adjourned(adjourned) => news.send(News::Adjourned(job, adjourned)),
            End::Abandoned => Ok(()),
        };
    }
}

/// Takes a participant's engine or starts it.
fn engine(
    plan: &Plan,
    of: usize,
    engines: &mut Engines,
    news: &Sender<News>,
) -> Result<Player, PlayerError> {
    if let Some(player) = engines.remove(&of) {
        return Ok(player);
    }
    let entrant = &plan.entrants[of];
    let mut player = Player::start(&entrant.engine, plan.conditions.chess960, plan.errors.clone())?;
    for warning in player.take_warnings() {
        let _ = news.send(News::Warning(warning));
    }
    Ok(player)
}

fn game(
    plan: &Plan,
    job: Job,
    beginning: Beginning,
    engines: &mut Engines,
    (over, news): (&Stop, &Sender<News>),
) -> End {
    let sides = [job.white, job.black];
    let mut players = sides.map(|of| engine(plan, of, engines, news));
    let [white, black] = players.each_mut();
    let seat = |player, of: usize| {
        let entrant = &plan.entrants[of];
        Seat {
            player,
            control: entrant.control.clone(),
            margin: entrant.margin,
            ponder: entrant.engine.ponder,
        }
    };
    let seats = [
        seat(white.as_mut().map_err(|error| error.clone()), job.white),
        seat(black.as_mut().map_err(|error| error.clone()), job.black),
    ];
    let end = play(beginning, seats, &plan.conditions, over);
    for (i, (of, player)) in sides.into_iter().zip(players).enumerate() {
        let broken = match &end {
            End::Played(played) => played.broken[i],
            // Nobody has looked what state it is in.
            End::Adjourned(_) | End::Abandoned => true,
        };
        if let Ok(player) = player
            && !broken
            && !plan.entrants[of].engine.restart
        {
            engines.insert(of, player);
        }
    }
    end
}
