//! Self-play games as training data.
//!
//! Each game has a number; its opening and all its randomness follow from the seed and the number,
//! so a run that goes on where another ended repeats nothing. Every thread has its own teacher
//! (one for both sides, cleared before each game); finished games go to one writer, which puts
//! each on disk at once: a killed process loses the unfinished games only.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::blocks::Writer;
use super::filter::Filter;
use super::record::{GameRecord, half_points};
use crate::chess::{Color, Game, Move};
use crate::openings::Openings;
use crate::referee::{self, Adjudication, Answer, ScoreRule};
use crate::search::Score;

/// Who plays the games and labels the positions.
pub trait Teacher {
    /// Forgets the game before.
    fn new_game(&mut self);
    /// The move it would play and the score it gives, from the mover's view. No new iteration is
    /// begun after `soft_nodes` nodes. None if there is no legal move.
    fn think(&mut self, game: &Game, soft_nodes: u64) -> Option<(Move, Score)>;
}

/// What games are made, and how many.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file to append to.
    pub out: PathBuf,
    /// Ends after so many games of this run.
    pub games: Option<u64>,
    /// Ends after so many positions the training filter keeps.
    pub positions: Option<u64>,
    /// Nodes a move after which no new iteration begins.
    pub soft_nodes: u64,
    /// What the randomness follows from, with the number of the game.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// An opening is used only if its score is at most so far from zero.
    pub exit_score: i32,
    /// Nodes of the search that finds the score of an opening.
    pub exit_nodes: u64,
    /// When a game is decided.
    pub adjudication: Adjudication,
}

/// Decided games are cut off: scores of 2000 for 4 plies, level scores for 12 plies after ply 40.
pub const ADJUDICATION: Adjudication = Adjudication {
    win: Some(ScoreRule { score: 2000, moves: 2, from_ply: 0, two_sided: true }),
    draw: Some(ScoreRule { score: 5, moves: 6, from_ply: 32, two_sided: true }),
    max_plies: Some(400),
};

/// What a run has made so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Finished games.
    pub games: u64,
    /// Their positions.
    pub plies: u64,
    /// The positions the training filter keeps.
    pub kept: u64,
    /// Black wins, draws, White wins.
    pub results: [u64; 3],
}

impl Tally {
    fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.results[usize::from(half_points(game.outcome, Color::White))] += 1;
        Filter::TRAINING.for_each_kept(game, |_, _, _| self.kept += 1);
    }
}

/// The stream of game `number` of a seed.
fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// Draws openings until one is level.
fn level_opening<T: Teacher>(settings: &Settings, rng: &mut ChaCha8Rng, teacher: &mut T) -> Game {
    settings.openings.draw_until(rng, |game| {
        teacher.new_game();
        let thought = teacher.think(game, settings.exit_nodes);
        thought.is_some_and(|(_, score)| score.0.abs() <= settings.exit_score)
    })
}

/// Plays the game with this number; none if the teacher gave up.
fn play<T: Teacher>(settings: &Settings, number: u64, teacher: &mut T) -> Option<GameRecord> {
    let opening = level_opening(settings, &mut stream(settings.seed, number), teacher);
    teacher.new_game();
    let start = *opening.position();
    let played = referee::play_game(opening, &settings.adjudication, |game| {
        teacher
            .think(game, settings.soft_nodes)
            .map_or(Answer::Stop, |(mv, score)| Answer::Move(mv, Some(score.0)))
    });
    let scores = played.scores.iter().map(|score| score.unwrap_or(0) as i16);
    let moves = played.game.moves().iter().copied().zip(scores).collect();
    Some(GameRecord { start, outcome: played.verdict?.outcome, moves })
}

/// Makes games until there are enough or `stop` is set; the games begun are finished then.
/// Each teacher has a thread of its own; `progress` is called after each game.
///
/// # Errors
/// If the file can't be read or written.
pub fn run<T: Teacher + Send>(
    settings: &Settings,
    teachers: Vec<T>,
    stop: &AtomicBool,
    mut progress: impl FnMut(&Tally),
) -> io::Result<Tally> {
    let mut writer = Writer::append(&settings.out)?;
    let next = AtomicU64::new(writer.next_game());
    let last = settings.games.map_or(u64::MAX, |games| writer.next_game().saturating_add(games));
    let enough = AtomicBool::new(false);
    let mut tally = Tally::default();
    let (sender, finished) = mpsc::sync_channel::<GameRecord>(64);
    thread::scope(|scope| {
        for mut teacher in teachers {
            let sender = sender.clone();
            let (next, enough) = (&next, &enough);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= last {
                        break;
                    }
                    let Some(game) = play(settings, number, &mut teacher) else { continue };
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Taken along: if this returns with an error, who still sends must not wait for ever.
        for game in finished {
            tally.add(&game);
            writer.push(&game)?;
            writer.set_next_game(next.load(Ordering::Relaxed).min(last));
            writer.flush()?;
            progress(&tally);
            if settings.positions.is_some_and(|positions| tally.kept >= positions) {
                enough.store(true, Ordering::Relaxed);
            }
        }
        Ok(tally)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::blocks;

    /// Takes what is worth most; the score is material after the move.
    struct Greedy;

    impl Teacher for Greedy {
        fn new_game(&mut self) {}
        fn think(&mut self, game: &Game, _: u64) -> Option<(Move, Score)> {
            let position = game.position();
            let worth = |mv: Move| {
                let taken = position.kind_on(mv.to()).filter(|_| position.is_capture(mv));
                taken.map_or(0, |kind| 100 + 200 * kind as i32)
            };
            let moves = position.legal_moves();
            let best = moves.iter().copied().max_by_key(|&mv| (worth(mv), mv.bits() % 61))?;
            Some((best, Score(worth(best))))
        }
    }

    fn settings(name: &str) -> Settings {
        let out = std::env::temp_dir().join(format!("qishou-{}-{name}", std::process::id()));
        Settings {
            out,
            games: Some(20),
            positions: None,
            soft_nodes: 1,
            seed: 1,
            openings: Openings { book: Vec::new(), dfrc_percent: 10, random_plies: 8 },
            exit_score: 600,
            exit_nodes: 1,
            adjudication: ADJUDICATION,
        }
    }

    fn games_of(settings: &Settings) -> Vec<GameRecord> {
        let mut games = Vec::new();
        blocks::for_each_game(
            std::slice::from_ref(&settings.out),
            |damage| panic!("{damage}"),
            |game| games.push(game),
        )
        .unwrap();
        games
    }

    #[test]
    fn a_second_run_goes_on_and_repeats_nothing() {
        let settings = settings("datagen");
        drop(std::fs::remove_file(&settings.out));
        let go = AtomicBool::new(false);
        for _ in 0..2 {
            let tally = run(&settings, vec![Greedy, Greedy], &go, |_| ()).unwrap();
            assert_eq!(tally.games, 20);
        }
        let games = games_of(&settings);
        assert_eq!(games.len(), 40);
        for (i, game) in games.iter().enumerate() {
            assert!(!games[..i].iter().any(|other| other.start == game.start), "game {i}");
        }
        std::fs::remove_file(&settings.out).unwrap();
    }

    #[test]
    fn a_game_follows_from_seed_and_number() {
        let settings = settings("unused");
        assert_eq!(play(&settings, 5, &mut Greedy), play(&settings, 5, &mut Greedy));
        assert_ne!(play(&settings, 5, &mut Greedy), play(&settings, 6, &mut Greedy));
    }
}
