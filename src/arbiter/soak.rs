//! Endurance: an engine plays itself for hours, under many controls and from ordinary and Chess960
//! positions, with options changed between games, and shows its manners after each.
//!
//! | module | what it is |
//! |---|---|
//! | [`variety`] | what each game is like |
//! | [`tally`] | what is kept of the games, and what they come to |
//!
//! Two processes play many games each. Now and then a game has the options that the engine was
//! started with; after it both search one position again, and their memory is looked at: what grew
//! since the last time has leaked.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use super::play::{Beginning, Conditions, End, Played, Seat, play, position_command};
use super::player::{Engine, Log, Manners, Player, PlayerError};
use super::stop::Stop;
use crate::chess::{Color, Game};
use crate::referee::Adjudication;
use crate::referee::laws::{Fault, Reason, Rules, Verdict};

pub mod tally;
pub mod variety;

use tally::{Entry, Trouble};
use variety::Round;

/// How long and how it goes on.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine; its options are those it comes back to.
    pub engine: Engine,
    /// Overrun that is forgiven at each move.
    pub margin: Duration,
    /// No game begins after so long.
    pub time: Duration,
    /// Or after so many.
    pub games: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// After so many games of a process the options of the start come back.
    pub cycle: u64,
    /// What the games are like follows from it and their numbers.
    pub seed: u64,
    /// The number of the first game: how many were played in other runs.
    pub first: u64,
    /// Where the engine's standard error goes.
    pub errors: Log,
}

/// Why a soak ended early.
#[derive(Debug, Error)]
pub enum SoakError {
    /// The engine does not even start.
    #[error("{0}")]
    Start(#[from] PlayerError),
    /// What a game came to can't be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// Games longer than this are drawn.
const LONGEST_GAME: u32 = 500;
/// What is searched before memory is looked at.
const MEASURED: (&str, &str) = ("position startpos", "go nodes 200000");

/// Plays until the time is over or `stop` is wished. `heard` is told of each game.
///
/// # Errors
/// If the engine does not start at all, or by what `heard` returns.
pub fn run(
    plan: &Plan,
    stop: &Stop,
    mut heard: impl FnMut(Entry) -> io::Result<()>,
) -> Result<(), SoakError> {
    // An engine that can't be had would be nothing but crashes.
    drop(Player::start(&plan.engine, false, plan.errors.clone())?);
    let begin = Instant::now();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let soak = Soak {
        plan,
        run: since.as_millis() as u64,
        begin,
        next: AtomicU64::new(plan.first),
        over: Stop::new(),
    };
    let mut ended = Ok(());
    thread::scope(|scope| {
        let (sender, entries) = mpsc::channel();
        for _ in 0..plan.concurrency.max(1) {
            let (sender, soak) = (sender.clone(), &soak);
            scope.spawn(move || soak.work(&sender));
        }
        drop(sender);
        loop {
            soak.over.follow(stop);
            match entries.recv_timeout(Duration::from_millis(50)) {
                Ok(entry) => {
                    if let Err(error) = heard(entry) {
                        ended = Err(error.into());
                        soak.over.abandon();
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    ended
}

/// What the threads share.
struct Soak<'a> {
    plan: &'a Plan,
    /// Tells this run from others in the same file.
    run: u64,
    begin: Instant,
    /// The number of the next game.
    next: AtomicU64,
    over: Stop,
}

/// The two processes of a thread; none before the first game and after a fault.
type Pair = [Option<Player>; Color::COUNT];

impl Soak<'_> {
    /// Plays games until it is over.
    fn work(&self, entries: &Sender<Entry>) {
        let mut players = Pair::default();
        for own in 0.. {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let played = number - self.plan.first;
            let done = played >= self.plan.games || self.begin.elapsed() >= self.plan.time;
            if done || self.over.is_wished() {
                break;
            }
            let base = own > 0 && own % self.plan.cycle.max(1) == 0;
            let round = Round::of(self.plan.seed, number, base, &self.plan.engine.options);
            let Some(entry) = self.round(&round, &mut players) else { break };
            if entries.send(entry).is_err() {
                break;
            }
        }
    }

    /// One game and what belongs to it; none if it was given up.
    fn round(&self, round: &Round, players: &mut Pair) -> Option<Entry> {
        let mut entry = Entry { run: self.run, ..Entry::of(round) };
        let mut seats: [Result<Player, PlayerError>; 2] =
            players.each_mut().map(|player| self.prepared(player.take(), round));
        let conditions = Conditions {
            rules: Rules::fide(),
            adjudication: Adjudication { max_plies: Some(LONGEST_GAME), ..Adjudication::default() },
            chess960: round.chess960,
            session: None,
        };
        let [white, black] = seats.each_mut().map(|player| Seat {
            player: player.as_mut().map_err(|error| error.clone()),
            control: round.control.clone(),
            margin: self.plan.margin,
            ponder: round.ponder,
        });
        let beginning = Beginning::Opening(Box::new(round.opening.clone()));
        let End::Played(played) = play(beginning, [white, black], &conditions, &self.over) else {
            return None;
        };
        entry.add_game(&played);
        for ((slot, player), broken) in players.iter_mut().zip(seats).zip(played.broken) {
            if let Ok(player) = player
                && !broken
            {
                player.name().clone_into(&mut entry.engine);
                *slot = Some(player);
            }
        }
        self.manners(round, &played, players, &mut entry);
        entry.seconds = self.begin.elapsed().as_secs_f64();
        Some(entry)
    }

    /// A process with the options of this round.
    fn prepared(&self, player: Option<Player>, round: &Round) -> Result<Player, PlayerError> {
        let start = || Player::start(&self.plan.engine, false, self.plan.errors.clone());
        let mut player = player.map_or_else(start, Ok)?;
        for (name, value) in &round.options {
            if player.has_option(name) {
                player.set_option(name, value)?;
            }
        }
        Ok(player)
    }

    /// What is asked after a game: quick answers in the midst of a search, and the memory held. A
    /// process that fails is not used again.
    fn manners(&self, round: &Round, played: &Played, players: &mut Pair, entry: &mut Entry) {
        for slot in players {
            let Some(player) = slot else { continue };
            let asked = self.asked(round, &played.game, player, entry);
            if let Err(error) = asked {
                entry
                    .troubles
                    .push((Trouble::of_error(&error), format!("after the game: {error}")));
                *slot = None;
            }
        }
    }

    fn asked(
        &self,
        round: &Round,
        game: &Game,
        player: &mut Player,
        entry: &mut Entry,
    ) -> Result<(), PlayerError> {
        for (part, think) in round.probes {
            let position = position_command(&before_the_end(game, part), round.chess960);
            let Manners { ready, stop } = player.probe(&position, think)?;
            entry.ready.push(ready);
            entry.stop.push(stop);
        }
        if round.base {
            player.new_game()?;
            player.think(MEASURED.0, MEASURED.1, None, || !self.over.is_abandoned())?;
            // What is cleared is touched: no page is missing that the search did not happen to need.
            player.new_game()?;
            entry.memory.extend(player.memory().map(|bytes| (player.process(), bytes)));
        }
        Ok(())
    }
}

/// The game up to a part of its moves, and never to its end: there is something to think about.
fn before_the_end(game: &Game, part: f64) -> Game {
    let mut before = Game::new(*game.start());
    let plies = (game.moves().len() as f64 * part) as usize;
    for &mv in game.moves().iter().take(plies) {
        let mut next = before.clone();
        if next.play(mv).is_err() || !next.position().has_legal_move() {
            break;
        }
        before = next;
    }
    before
}

impl Trouble {
    /// What a broken promise is called.
    fn of_error(error: &PlayerError) -> Self {
        match error {
            PlayerError::Start(_) | PlayerError::Gone(_) => Self::Crash,
            PlayerError::Time => Self::Time,
            _ => Self::Fault,
        }
    }

    /// What went wrong with a game, if anything did.
    fn of_verdict(verdict: &Verdict) -> Option<Self> {
        match &verdict.reason {
            Reason::Flag(_) => Some(Self::Time),
            Reason::Fault(_, Fault::Broken(text))
                if text.starts_with("disconnects") || text.starts_with("does not start") =>
            {
                Some(Self::Crash)
            }
            Reason::Fault(..) => Some(Self::Fault),
            _ => None,
        }
    }
}
