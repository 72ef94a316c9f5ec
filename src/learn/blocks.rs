//! Files of games: blocks one after another, each with its length and checksum.
//!
//! | bytes of a block | meaning |
//! |---|---|
//! | 0-7 | [`MAGIC`] |
//! | 8-11 | length of the games in bytes |
//! | 12-15 | CRC-32 of everything else in the block |
//! | 16-23 | the number of the next game to be begun when the block was written |
//! | 24- | the games ([`record`](super::record)) |
//!
//! A process that is killed leaves at most one torn block at the end, which the next
//! [`Writer::append`] cuts away. A damaged block within is reported with its place and skipped:
//! reading goes on at the next magic number with a sound block behind it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::record::{GameRecord, RecordError};

/// What each block begins with.
pub const MAGIC: [u8; 8] = *b"QSGAMES1";
const HEADER: usize = 24;
/// Longer blocks are taken for damage; a block is held in memory as a whole.
const LONGEST: usize = 1 << 26;
/// At this size [`Writer::push`] closes a block by itself.
const PREFERRED: usize = 1 << 16;

fn checksum(length: &[u8], next_game: &[u8], games: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(length);
    hasher.update(next_game);
    hasher.update(games);
    hasher.finalize()
}

/// Whether as much of the magic number as there is stands at the beginning: a file that fails may
/// be anything, and must not be cut.
fn begins_with_magic(file: &mut File) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut head)?;
    Ok(MAGIC.starts_with(&head))
}

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    games: Vec<u8>,
    next_game: u64,
}

impl Writer {
    /// Opens a file to append to, or begins it. A torn block at its end is cut away.
    ///
    /// # Errors
    /// If the file can't be opened, read or written.
    pub fn append(path: &Path) -> io::Result<Self> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if !file.metadata()?.is_file() {
            // A device may be read without end.
            let reason = format!("{} can't be appended to: it is no file", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let length = file.metadata()?.len();
        let mut scan = Reader::new(&mut file, path.into());
        let (mut next_game, mut sound_end) = (0, 0);
        while let Some(item) = scan.next_block()? {
            if let Ok(block) = item {
                next_game = next_game.max(block.next_game);
                sound_end = scan.offset;
            }
        }
        if sound_end == 0 && length > 0 && !begins_with_magic(&mut file)? {
            let reason = format!("{} is no file of games", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        if sound_end < length {
            file.set_len(sound_end)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, games: Vec::new(), next_game })
    }

    /// The number of the next game to be begun, as the last block told.
    pub const fn next_game(&self) -> u64 {
        self.next_game
    }

    /// Says which game will be begun next; written with the next block.
    pub fn set_next_game(&mut self, number: u64) {
        self.next_game = number;
    }

    /// Adds a game to the block being built, and writes the block once it is large.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn push(&mut self, game: &GameRecord) -> io::Result<()> {
        game.encode(&mut self.games);
        if self.games.len() >= PREFERRED { self.flush() } else { Ok(()) }
    }

    /// Writes the block being built, if it holds a game. From then on not even a killed process
    /// loses it.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.games.is_empty() {
            return Ok(());
        }
        let length = (self.games.len() as u32).to_le_bytes();
        let next_game = self.next_game.to_le_bytes();
        let crc = checksum(&length, &next_game, &self.games).to_le_bytes();
        let block = [&MAGIC[..], &length, &crc, &next_game, &self.games].concat();
        self.file.write_all(&block)?;
        self.games.clear();
        Ok(())
    }
}

impl Drop for Writer {
    /// Writes what is left; errors can't be told here, so call [`Writer::flush`] first.
    fn drop(&mut self) {
        drop(self.flush());
    }
}

/// A part of a file that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: damaged block at byte {offset}: {reason}; skipped {skipped} bytes", file.display())]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// Where the damage begins, in bytes.
    pub offset: u64,
    /// How far it goes.
    pub skipped: u64,
    /// What is wrong.
    pub reason: String,
}

/// A sound block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The number of the next game to be begun when it was written.
    pub next_game: u64,
    /// Its games.
    pub games: Vec<GameRecord>,
}

/// Reads a file of games block by block; what is damaged comes as [`Damage`] among the blocks.
#[derive(Debug)]
pub struct Reader<R = BufReader<File>> {
    source: R,
    file: PathBuf,
    /// Bytes read from the source but not yet used, from `at` on.
    buffer: Vec<u8>,
    at: usize,
    /// Where in the file `buffer[at]` stands.
    offset: u64,
    ended: bool,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// If it can't be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(BufReader::new(File::open(path)?), path.into()))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from `source`; `file` is its name in error messages.
    pub fn new(source: R, file: PathBuf) -> Self {
        Self { source, file, buffer: Vec::new(), at: 0, offset: 0, ended: false }
    }

    /// How many bytes have been used.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Has at least `wanted` bytes at hand unless the file ends before.
    fn fill(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.buffer.len() - self.at < wanted && !self.ended {
            self.buffer.drain(..self.at);
            self.at = 0;
            let missing = (wanted - self.buffer.len()).max(1 << 16) as u64;
            let read = (&mut self.source).take(missing).read_to_end(&mut self.buffer)?;
            self.ended = (read as u64) < missing;
        }
        Ok(&self.buffer[self.at..])
    }

    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        self.offset += bytes as u64;
    }

    /// The block at hand and its length in bytes, or why it is none.
    fn parse(&mut self) -> io::Result<Result<(Block, usize), String>> {
        let head = self.fill(HEADER)?;
        let Some(header) = head.first_chunk::<HEADER>() else {
            return Ok(Err(format!("{} bytes are less than a header", head.len())));
        };
        let (magic, fields) = header.split_at(8);
        if magic != MAGIC {
            return Ok(Err("no magic number".into()));
        }
        let four = |at: usize| std::array::from_fn(|i| fields[at + i]);
        let (length, crc) = (u32::from_le_bytes(four(0)), u32::from_le_bytes(four(4)));
        let next: [u8; 8] = std::array::from_fn(|i| fields[8 + i]);
        let whole = HEADER + length as usize;
        if whole > LONGEST {
            return Ok(Err(format!("a length of {length} bytes")));
        }
        let bytes = self.fill(whole)?;
        let Some(mut games) = bytes.get(HEADER..whole) else {
            return Ok(Err(format!("{} of {whole} bytes are there", bytes.len())));
        };
        if checksum(&length.to_le_bytes(), &next, games) != crc {
            return Ok(Err("the checksum is wrong".into()));
        }
        let mut block = Block { next_game: u64::from_le_bytes(next), games: Vec::new() };
        while !games.is_empty() {
            match GameRecord::decode(&mut games) {
                Ok(game) => block.games.push(game),
                Err(error) => return Ok(Err(RecordError::to_string(&error))),
            }
        }
        Ok(Ok((block, whole)))
    }

    /// The next sound block or the next damage; nothing at the end of the file.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn next_block(&mut self) -> io::Result<Option<Result<Block, Damage>>> {
        if self.fill(1)?.is_empty() {
            return Ok(None);
        }
        let reason = match self.parse()? {
            Ok((block, length)) => {
                self.skip(length);
                return Ok(Some(Ok(block)));
            }
            Err(reason) => reason,
        };
        let offset = self.offset;
        self.skip(1);
        self.find_magic()?;
        let skipped = self.offset - offset;
        Ok(Some(Err(Damage { file: self.file.clone(), offset, skipped, reason })))
    }

    /// Goes on to the next magic number or to the end.
    fn find_magic(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.fill(1 << 16)?;
            if let Some(at) = bytes.windows(MAGIC.len()).position(|window| window == MAGIC) {
                self.skip(at);
                return Ok(());
            }
            let length = bytes.len();
            if self.ended {
                self.skip(length);
                return Ok(());
            }
            self.skip(length - (MAGIC.len() - 1));
        }
    }
}

/// Calls `visit` with each game of the files in order and `damaged` with each damaged part.
///
/// # Errors
/// If a file can't be read, named in the error.
pub fn for_each_game(
    files: &[PathBuf],
    mut damaged: impl FnMut(Damage),
    mut visit: impl FnMut(GameRecord),
) -> io::Result<()> {
    for path in files {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let mut reader = Reader::open(path).map_err(named)?;
        while let Some(item) = reader.next_block().map_err(named)? {
            match item {
                Ok(block) => block.games.into_iter().for_each(&mut visit),
                Err(damage) => damaged(damage),
            }
        }
    }
    Ok(())
}
