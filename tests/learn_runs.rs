//! Data generation and training as whole runs: interrupted, killed, resumed.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "tools")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use qishou::chess::{Game, Move};
use qishou::learn::blocks::{self, Damage};
use qishou::learn::datagen::{self, ADJUDICATION, Teacher};
use qishou::learn::filter::Filter;
use qishou::learn::gauge::{Match, play_match};
use qishou::learn::record::GameRecord;
use qishou::learn::rewrite;
use qishou::learn::sample::Sample;
use qishou::learn::train::run::{self, Event, Settings, TrainError};
use qishou::learn::train::source::Source;
use qishou::openings::Openings;
use qishou::search::Score;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("qishou-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Takes the most it can (or the least, if the first number is negative); the second number is the
/// score of a man more.
struct Greedy(i32, i32);

impl Teacher for Greedy {
    fn new_game(&mut self) {}
    fn think(&mut self, game: &Game, _: u64) -> Option<(Move, Score)> {
        let position = game.position();
        let us = position.side_to_move();
        let worth = |mv: Move| {
            let taken = position.kind_on(mv.to()).filter(|_| position.is_capture(mv));
            taken.map_or(0, |kind| 100 + 200 * kind as i32) * self.0
        };
        let moves = position.legal_moves();
        let best = moves.iter().copied().max_by_key(|&mv| (worth(mv), mv.bits() % 61))?;
        let lead = position.side(us).len() as i32 - position.side(!us).len() as i32;
        Some((best, Score(self.1 * lead)))
    }
}

fn openings() -> Openings {
    Openings { book: Vec::new(), dfrc_percent: 10, random_plies: 8 }
}

fn make_games(out: &Path, games: u64) {
    let settings = datagen::Settings {
        out: out.into(),
        games: Some(games),
        positions: None,
        soft_nodes: 1,
        seed: 3,
        openings: openings(),
        exit_score: 600,
        exit_nodes: 1,
        adjudication: ADJUDICATION,
    };
    let go = AtomicBool::new(false);
    datagen::run(&settings, vec![Greedy(1, 60)], &go, |_| ()).unwrap();
}

fn read(files: &[PathBuf]) -> (Vec<GameRecord>, Vec<Damage>) {
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    blocks::for_each_game(files, |damage| damages.push(damage), |game| games.push(game)).unwrap();
    (games, damages)
}

fn training(files: Vec<PathBuf>, capacity: usize, checkpoint: Option<PathBuf>) -> Settings {
    let source = Source { files, filter: Filter::TRAINING, hold_out: 20, capacity, seed: 9 };
    Settings {
        source,
        hidden: 32,
        buckets: 8,
        epochs: 3,
        batch: 256,
        rate: (1e-3, 1e-4),
        warm_up: 4,
        result_share: (0.3, 0.6),
        scale: 400.0,
        seed: 4,
        threads: 2,
        checkpoint,
        checkpoint_every: Duration::from_secs(1000),
    }
}

#[test]
fn a_stopped_run_goes_on_to_the_same_network() {
    let folder = Folder::new("resume");
    let games = folder.file("games");
    make_games(&games, 120);
    let go = AtomicBool::new(false);
    // Once with all samples in memory, once read pool by pool.
    for capacity in [usize::MAX, 2000] {
        let whole = run::train(&training(vec![games.clone()], capacity, None), &go, |_| ());
        let whole = whole.unwrap();
        assert!(whole.finished && whole.model.steps() > 20, "{}", whole.model.steps());

        let checkpoint = folder.file("checkpoint");
        drop(fs::remove_file(&checkpoint));
        let settings = training(vec![games.clone()], capacity, Some(checkpoint.clone()));
        for stop_at in [1, 7, 15] {
            let stop = AtomicBool::new(false);
            let part = run::train(&settings, &stop, |event| {
                if matches!(event, Event::Step { step, .. } if step == stop_at) {
                    stop.store(true, Ordering::Relaxed);
                }
            });
            let part = part.unwrap();
            assert_eq!((part.finished, part.model.steps()), (false, stop_at));
        }
        let resumed = run::train(&settings, &go, |_| ()).unwrap();
        assert!(resumed.model.state() == whole.model.state(), "capacity {capacity}");
        assert_eq!(resumed.curve, whole.curve);

        let other = Settings { seed: 5, ..settings };
        let refused = run::train(&other, &go, |_| ()).unwrap_err();
        assert!(matches!(refused, TrainError::OtherRun { .. }), "{refused}");
        assert!(refused.to_string().contains("seed is 4 there and 5 here"), "{refused}");
    }
}

#[test]
fn data_larger_than_memory_is_trained_on_as_a_whole() {
    let folder = Folder::new("large");
    let games = folder.file("games");
    make_games(&games, 60);
    let mut source = training(vec![games], 500, None).source;
    let contents = source.survey().unwrap();
    assert!(contents.samples.is_none() && contents.count > 1000, "{}", contents.count);
    let mut pools = 0;
    let mut streamed = Vec::new();
    source
        .epoch(0, None, |pool| {
            assert!(pool.samples.len() < 500);
            pools += 1;
            streamed.extend(pool.order.iter().map(|&i| pool.samples[i as usize].to_bytes()));
            true
        })
        .unwrap();
    source.capacity = usize::MAX;
    let mut resident: Vec<_> =
        source.survey().unwrap().samples.unwrap().iter().map(Sample::to_bytes).collect();
    assert!(pools > 2 && streamed != resident);
    streamed.sort_unstable();
    resident.sort_unstable();
    assert_eq!(streamed, resident);
}

#[test]
fn shuffling_keeps_every_game_even_through_parts_on_disk() {
    let folder = Folder::new("shuffle");
    let games = folder.file("games");
    make_games(&games, 80);
    let (original, _) = read(std::slice::from_ref(&games));
    for (name, memory) in [("one", u64::MAX / 4), ("parts", 9000)] {
        let out = folder.file(name);
        let count = rewrite::shuffle(std::slice::from_ref(&games), &out, memory, 1, |d| {
            panic!("{d}");
        });
        assert_eq!(count.unwrap(), 80);
        let (shuffled, _) = read(&[out]);
        assert_ne!(shuffled, original);
        assert!(original.iter().all(|game| shuffled.contains(game)));
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3, "no part is left behind");
}

/// Finds every position worth the same.
struct Constant;

impl Teacher for Constant {
    fn new_game(&mut self) {}
    fn think(&mut self, game: &Game, _: u64) -> Option<(Move, Score)> {
        Some((game.position().legal_moves()[0], Score(77)))
    }
}

#[test]
fn rescoring_changes_scores_alone_and_goes_on_where_it_ended() {
    let folder = Folder::new("rescore");
    let (games, out) = (folder.file("games"), folder.file("anew"));
    make_games(&games, 12);
    let stop = AtomicBool::new(false);
    let again = |stop_at: u64| {
        stop.store(false, Ordering::Relaxed);
        let mut teachers = [Constant, Constant];
        let task = (Filter::NONE, 1);
        rewrite::rescore(&games, &out, task, &mut teachers, &stop, |count, _| {
            stop.store(count >= stop_at, Ordering::Relaxed);
        })
        .unwrap()
    };
    assert_eq!((again(4), again(u64::MAX), again(u64::MAX)), (4, 8, 0));
    let (old, _) = read(&[games]);
    let (new, _) = read(&[out]);
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(&new) {
        assert_eq!((old.start, old.outcome), (new.start, new.outcome));
        let moves = |game: &GameRecord| game.moves.iter().map(|&(mv, _)| mv).collect::<Vec<_>>();
        assert_eq!(moves(old), moves(new));
        new.for_each_position(|position, _, score| {
            assert_eq!(i32::from(score), 77 * position.side_to_move().sign());
        });
    }
}

#[test]
fn a_match_is_fair_and_the_better_player_wins_it() {
    let rules = Match {
        pairs: 30,
        soft_nodes: 1,
        seed: 2,
        openings: openings(),
        exit_score: 200,
        exit_nodes: 1,
    };
    let go = AtomicBool::new(false);
    let players = |first, second| {
        vec![[Greedy(first, 400), Greedy(second, 400)], [Greedy(first, 400), Greedy(second, 400)]]
    };
    let equal = play_match(&rules, players(1, 1), &go, |_| ());
    // Equal players that follow from the position play the same game twice.
    assert_eq!(equal.pairs, [0, 0, 30, 0, 0]);
    let better = play_match(&rules, players(1, -1), &go, |_| ());
    let worse = play_match(&rules, players(-1, 1), &go, |_| ());
    let (points, games) = better.points();
    assert!(points > 0.8 * games as f64, "{better:?}");
    let mut turned = worse.pairs;
    turned.reverse();
    assert_eq!(better.pairs, turned);
}

/// Starts `qishou-learn` and kills it after a while; true if it ended by itself before.
fn run_and_kill(arguments: &[&str], after: Duration) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qishou-learn"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(after);
    let ended = child.try_wait().unwrap().is_some_and(|status| status.success());
    // On Unix this is the signal that can't be caught.
    drop(child.kill());
    child.wait().unwrap();
    ended
}

#[test]
fn a_killed_data_generation_loses_the_unfinished_games_only() {
    let folder = Folder::new("kill-datagen");
    let games = folder.file("games");
    let out = games.to_str().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let command = [
        "datagen",
        "--out",
        out,
        "--nodes",
        "20",
        "--exit-nodes",
        "50",
        "--hash",
        "1",
        "--threads",
        "2",
    ];
    let mut before = Vec::new();
    for round in 0..20 {
        run_and_kill(&command, Duration::from_millis(rng.random_range(20..250)));
        if !games.exists() {
            continue;
        }
        let (now, damages) = read(std::slice::from_ref(&games));
        // At most the block that was being written is torn, at the very end.
        assert!(damages.len() <= 1, "round {round}: {damages:?}");
        assert_eq!(now[..before.len()], before[..], "round {round}");
        before = now;
    }
    assert!(before.len() > 20, "{} games", before.len());
    let starts: HashSet<u64> = before.iter().map(|game| game.start.key()).collect();
    assert_eq!(starts.len(), before.len(), "no game is repeated");
}

#[test]
fn a_killed_training_loses_the_steps_since_the_checkpoint_only() {
    let folder = Folder::new("kill-train");
    let games = folder.file("games");
    make_games(&games, 100);
    let network = |name: &str| folder.file(name).to_str().unwrap().to_owned();
    let (whole, killed) = (network("whole.nnue"), network("killed.nnue"));
    let command = |out: &str| {
        let mut words = ["train", games.to_str().unwrap(), "--out", out].join(" ");
        words += " --hidden 32 --epochs 40 --batch 256 --threads 2 --checkpoint-minutes 0.0002";
        words.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |out: &str, after: Duration| {
        let words = command(out);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run_and_kill(&words, after)
    };
    let status = Command::new(env!("CARGO_BIN_EXE_qishou-learn"))
        .args(command(&whole))
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..20 {
        run(&killed, Duration::from_millis(rng.random_range(20..120)));
    }
    while !run(&killed, Duration::from_secs(2)) {}
    assert!(fs::read(&whole).unwrap() == fs::read(&killed).unwrap(), "the same network");
}
