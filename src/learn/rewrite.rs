//! Making files of games from files of games: merged, shuffled, filtered, labelled anew.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::blocks::{self, Damage, Reader, Writer};
use super::datagen::Teacher;
use super::filter::Filter;
use super::record::GameRecord;
use crate::chess::Game;

/// Which whole games are taken over.
#[derive(Clone, Debug)]
pub struct GameFilter {
    /// Shorter games are dropped.
    pub min_plies: usize,
    /// Longer games are dropped.
    pub max_plies: usize,
    /// Only games from positions in which every castling rook stands on a corner (`Some(true)`),
    /// or only the others.
    pub standard: Option<bool>,
    /// Whether games that were there already, move by move, are dropped.
    pub unique: bool,
    seen: HashSet<u64>,
}

impl GameFilter {
    /// Takes everything but what the arguments say.
    pub fn new(min_plies: usize, max_plies: usize, standard: Option<bool>, unique: bool) -> Self {
        Self { min_plies, max_plies, standard, unique, seen: HashSet::new() }
    }

    /// Whether the game is taken over; a unique one is remembered.
    pub fn keeps(&mut self, game: &GameRecord) -> bool {
        let plies = game.moves.len();
        if plies < self.min_plies || plies > self.max_plies {
            return false;
        }
        if self.standard.is_some_and(|wanted| wanted != has_standard_castling(game)) {
            return false;
        }
        !self.unique || self.seen.insert(fingerprint(game))
    }
}

/// Whether all castling that is left is that of standard chess.
fn has_standard_castling(game: &GameRecord) -> bool {
    use crate::chess::{Color, File};
    let position = &game.start;
    position.castling_rooks().into_iter().all(|rook| matches!(rook.file(), File::A | File::H))
        && Color::ALL.into_iter().all(|color| {
            position.castling_rook(color, true).or(position.castling_rook(color, false)).is_none()
                || position.king(color).file() == File::E
        })
}

/// Tells games apart by start and moves, whatever their scores.
fn fingerprint(game: &GameRecord) -> u64 {
    // FNV-1a, over 16 bits at a time.
    game.moves.iter().fold(game.start.key() ^ 0xcbf2_9ce4_8422_2325, |hash, (mv, _)| {
        (hash ^ u64::from(mv.bits())).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Writes the games that `keep` takes to one file in their order; returns how many.
///
/// # Errors
/// If a file can't be read or written.
pub fn copy(
    files: &[PathBuf],
    out: &Path,
    damaged: impl FnMut(Damage),
    mut keep: impl FnMut(&GameRecord) -> bool,
) -> io::Result<u64> {
    let mut writer = Writer::append(out)?;
    let mut count = 0;
    let mut failed = None;
    blocks::for_each_game(files, damaged, |game| {
        if failed.is_none() && keep(&game) {
            count += 1;
            failed = writer.push(&game).err();
        }
    })?;
    failed.map_or_else(|| writer.flush(), Err)?;
    Ok(count)
}

/// Writes the games of the files to one file in random order; returns how many. At most about
/// `memory` bytes of games are held at once: larger data goes through parts beside `out`, which
/// are removed at the end.
///
/// # Errors
/// If a file can't be read or written.
pub fn shuffle(
    files: &[PathBuf],
    out: &Path,
    memory: u64,
    seed: u64,
    damaged: impl FnMut(Damage),
) -> io::Result<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = 0;
    for file in files {
        bytes += fs::metadata(file)?.len();
    }
    // A game in memory is about twice as long as in a file.
    let parts = (2 * bytes / memory.max(1) + 1) as usize;
    let paths: Vec<PathBuf> = (0..parts)
        .map(|part| out.with_extension(format!("part{part}-{}", std::process::id())))
        .collect();
    let shuffled =
        distribute(files, &paths, &mut rng, damaged).and_then(|()| gather(&paths, out, &mut rng));
    for path in &paths {
        drop(fs::remove_file(path));
    }
    shuffled
}

/// Puts each game into one of the parts at random.
fn distribute(
    files: &[PathBuf],
    parts: &[PathBuf],
    rng: &mut ChaCha8Rng,
    damaged: impl FnMut(Damage),
) -> io::Result<()> {
    let mut writers = Vec::new();
    for part in parts {
        writers.push(Writer::append(part)?);
    }
    let mut failed = None;
    blocks::for_each_game(files, damaged, |game| {
        let part = rng.random_range(0..writers.len());
        if failed.is_none() {
            failed = writers[part].push(&game).err();
        }
    })?;
    for writer in &mut writers {
        writer.flush()?;
    }
    failed.map_or(Ok(()), Err)
}

/// Shuffles each part and writes them one after another.
fn gather(parts: &[PathBuf], out: &Path, rng: &mut ChaCha8Rng) -> io::Result<u64> {
    let mut writer = Writer::append(out)?;
    let mut count = 0;
    for part in parts {
        let mut games = Vec::new();
        let files = std::slice::from_ref(part);
        blocks::for_each_game(files, |_| (), |game| games.push(game))?;
        games.shuffle(rng);
        for game in &games {
            writer.push(game)?;
        }
        count += games.len() as u64;
    }
    writer.flush()?;
    Ok(count)
}

/// Gives the positions of a game that a filter keeps new scores by searches of so many nodes.
fn rescore_game<T: Teacher>(game: &mut GameRecord, filter: Filter, nodes: u64, teacher: &mut T) {
    teacher.new_game();
    let mut played = Game::new(game.start);
    for (mv, score) in &mut game.moves {
        let position = played.position();
        let sign = position.side_to_move().sign();
        if filter.keeps(position, *mv, *score)
            && let Some((_, new)) = teacher.think(&played, nodes)
        {
            *score = (new.0 * sign) as i16;
        }
        if played.play(*mv).is_err() {
            break;
        }
    }
}

/// Labels the games of a file anew and appends them to another in the same order; returns how
/// many. What an earlier run has written is not done again. Each teacher has a thread.
///
/// # Errors
/// If a file can't be read or written.
pub fn rescore<T: Teacher + Send>(
    file: &Path,
    out: &Path,
    (filter, nodes): (Filter, u64),
    teachers: &mut [T],
    stop: &AtomicBool,
    mut progress: impl FnMut(u64, Option<Damage>),
) -> io::Result<u64> {
    let mut reader = Reader::open(file)?;
    let mut writer = Writer::append(out)?;
    let (mut skip, mut count) = (writer.next_game(), 0);
    while let Some(item) = reader.next_block()? {
        let mut games = match item {
            Ok(block) => block.games,
            Err(damage) => {
                progress(count, Some(damage));
                continue;
            }
        };
        let known = skip.min(games.len() as u64);
        skip -= known;
        games.drain(..known as usize);
        // Each group is written as soon as it is done, so that little is lost with the process.
        for group in games.chunks_mut(teachers.len().max(1)) {
            if stop.load(Ordering::Relaxed) {
                return Ok(count);
            }
            thread::scope(|scope| {
                for (game, teacher) in group.iter_mut().zip(teachers.iter_mut()) {
                    scope.spawn(move || rescore_game(game, filter, nodes, teacher));
                }
            });
            for game in &*group {
                writer.push(game)?;
            }
            count += group.len() as u64;
            writer.set_next_game(writer.next_game() + group.len() as u64);
            writer.flush()?;
            progress(count, None);
        }
    }
    Ok(count)
}
