//! Samples for training, from files of games or samples, shuffled.
//!
//! Data that fits the memory granted is read once and put into a new order each epoch. Larger data
//! is read again each epoch, pool by pool: while one pool trains, a thread reads the next. Either
//! way the order follows from the seed alone, so a run can be resumed in the middle of an epoch.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use super::model::shuffled;
use crate::learn::blocks::{self, Damage};
use crate::learn::filter::Filter;
use crate::learn::record::GameRecord;
use crate::learn::sample::Sample;

/// Samples in memory and the order to train on them.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// In the order of the files.
    pub samples: Vec<Sample>,
    /// Indices into `samples`.
    pub order: Vec<u32>,
}

/// Where samples come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// Files of games, read in this order.
    pub files: Vec<PathBuf>,
    /// Which positions are kept.
    pub filter: Filter,
    /// One game in so many is held out; zero holds none out.
    pub hold_out: u32,
    /// How many samples may be in memory.
    pub capacity: usize,
    /// What the order follows from.
    pub seed: u64,
}

/// What a source holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// All samples to train on, if they fit.
    pub samples: Option<Vec<Sample>>,
    /// How many there are to train on.
    pub count: u64,
    /// A checksum over them, by which a later run knows them again.
    pub checksum: u32,
    /// Samples of games held out, at most [`MOST_HELD_OUT`].
    pub held_out: Vec<Sample>,
    /// Parts of files that could not be used.
    pub damages: Vec<Damage>,
}

/// More samples held out than this tell nothing more.
pub const MOST_HELD_OUT: usize = 400_000;

impl Source {
    /// Whether a game is held out. It follows from the game alone, so that copies of a game never
    /// stand on both sides.
    pub fn holds_out(&self, game: &GameRecord) -> bool {
        if self.hold_out == 0 {
            return false;
        }
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        crc32fast::hash(&bytes).is_multiple_of(self.hold_out)
    }

    /// Reads everything once.
    ///
    /// # Errors
    /// If a file can't be read.
    pub fn survey(&self) -> io::Result<Contents> {
        let mut contents = Contents::default();
        let mut samples = Some(Vec::new());
        let mut hasher = crc32fast::Hasher::new();
        let mut damages = Vec::new();
        blocks::for_each_game(
            &self.files,
            |damage| damages.push(damage),
            |game| {
                if self.holds_out(&game) {
                    self.filter.for_each_kept(&game, |position, score, result| {
                        if contents.held_out.len() < MOST_HELD_OUT {
                            contents.held_out.push(Sample::new(position, score, result));
                        }
                    });
                    return;
                }
                self.filter.for_each_kept(&game, |position, score, result| {
                    let sample = Sample::new(position, score, result);
                    contents.count += 1;
                    hasher.update(&sample.to_bytes());
                    if let Some(samples) = &mut samples {
                        samples.push(sample);
                    }
                });
                samples = samples.take().filter(|samples| samples.len() <= self.capacity);
            },
        )?;
        contents.samples = samples;
        contents.checksum = hasher.finalize();
        contents.damages = damages;
        Ok(contents)
    }

    /// Calls `train` with each pool of an epoch in turn until it returns false. `resident` are all
    /// samples if they are in memory.
    ///
    /// # Errors
    /// If a file can't be read.
    pub fn epoch(
        &self,
        number: u64,
        resident: Option<&Pool>,
        mut train: impl FnMut(&Pool) -> bool,
    ) -> io::Result<()> {
        if let Some(pool) = resident {
            train(pool);
            return Ok(());
        }
        // Half of the memory trains while the other half is filled.
        let size = (self.capacity / 2).max(1);
        let (sender, pools) = mpsc::sync_channel::<Pool>(0);
        thread::scope(|scope| {
            let reader = scope.spawn(move || self.read_pools(number, size, &sender));
            for pool in &pools {
                if !train(&pool) {
                    break;
                }
            }
            drop(pools);
            reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader of data died")))
        })
    }

    fn read_pools(
        &self,
        number: u64,
        size: usize,
        pools: &mpsc::SyncSender<Pool>,
    ) -> io::Result<()> {
        let mut samples = Vec::with_capacity(size);
        let (mut part, mut wanted) = (0, true);
        let mut send = |samples: Vec<Sample>| {
            // Far more parts than an epoch has lie between the numbers of two epochs.
            let order = shuffled(samples.len(), self.seed, (number << 24) + part);
            part += 1;
            pools.send(Pool { samples, order }).is_ok()
        };
        for file in &self.files {
            let mut reader = blocks::Reader::open(file)?;
            while let Some(item) = reader.next_block()? {
                // Damage has been reported by the survey.
                let Ok(block) = item else { continue };
                for game in block.games {
                    if self.holds_out(&game) {
                        continue;
                    }
                    self.filter.for_each_kept(&game, |position, score, result| {
                        samples.push(Sample::new(position, score, result));
                    });
                    if samples.len() >= size {
                        wanted = send(std::mem::replace(&mut samples, Vec::with_capacity(size)));
                    }
                    if !wanted {
                        return Ok(());
                    }
                }
            }
        }
        send(samples);
        Ok(())
    }
}
