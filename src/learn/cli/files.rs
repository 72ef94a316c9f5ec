//! `merge`, `shuffle`, `filter`, `export` and `import`: files from files.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};

use super::super::blocks::{Damage, Writer};
use super::super::exchange::{self, Format};
use super::super::filter::Filter;
use super::super::rewrite::{self, GameFilter};
use crate::{complain, say};

#[expect(clippy::needless_pass_by_value, reason = "what readers call with each damage")]
fn warn(damage: Damage) {
    complain!("warning: {damage}");
}

/// Writes the games of several files to one, in their order.
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to append to.
    #[arg(long)]
    out: PathBuf,
}

impl Merge {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(!self.files.contains(&self.out), "{} is also read", self.out.display());
        let games = rewrite::copy(&self.files, &self.out, warn, |_| true)?;
        say!("{games} games");
        Ok(())
    }
}

/// Writes the games of files to one in random order; the data may be larger than memory.
#[derive(Debug, Args)]
pub(super) struct Shuffle {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to append to.
    #[arg(long)]
    out: PathBuf,
    /// What the order follows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Memory for games, in MiB; larger data goes through parts on disk.
    #[arg(long, default_value_t = 2048)]
    memory: u64,
}

impl Shuffle {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(!self.files.contains(&self.out), "{} is also read", self.out.display());
        let memory = self.memory << 20;
        let games = rewrite::shuffle(&self.files, &self.out, memory, self.seed, warn)?;
        say!("{games} games");
        Ok(())
    }
}

/// Writes the games that pass to one file. Positions are filtered when training.
#[derive(Debug, Args)]
pub(super) struct Select {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to append to.
    #[arg(long)]
    out: PathBuf,
    /// Drop shorter games.
    #[arg(long, default_value_t = 0)]
    min_plies: usize,
    /// Drop longer games.
    #[arg(long, default_value_t = usize::MAX)]
    max_plies: usize,
    /// Drop games that were there before, move by move.
    #[arg(long)]
    unique: bool,
    /// Only games whose first position has the castling of standard chess.
    #[arg(long)]
    standard: bool,
    /// Only the other games.
    #[arg(long, conflicts_with = "standard")]
    shuffled_starts: bool,
}

impl Select {
    pub(super) fn run(self) -> anyhow::Result<()> {
        ensure!(!self.files.contains(&self.out), "{} is also read", self.out.display());
        let standard = match (self.standard, self.shuffled_starts) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let mut filter = GameFilter::new(self.min_plies, self.max_plies, standard, self.unique);
        let mut seen = 0;
        let games = rewrite::copy(&self.files, &self.out, warn, |game| {
            seen += 1;
            filter.keeps(game)
        })?;
        say!("{games} of {seen} games");
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// Lines `FEN | centipawns for White | 1.0, 0.5 or 0.0`.
    Text,
    /// Positions of 32 bytes, the crate bulletformat's.
    Bullet,
    /// Whole games, the crate viriformat's.
    Viri,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Text => Self::Text,
            FormatName::Bullet => Self::Bullet,
            FormatName::Viri => Self::Viri,
        }
    }
}

/// Writes positions or games for other programs.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// Files of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write.
    #[arg(long)]
    out: PathBuf,
    /// What to write.
    #[arg(long, value_enum)]
    format: FormatName,
    /// Write every position, not only those training would keep.
    #[arg(long)]
    all: bool,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = self.out.display().to_string();
        let file = OpenOptions::new().write(true).create_new(true).open(&self.out);
        let mut out = BufWriter::new(file.with_context(|| name.clone())?);
        let filter = if self.all { Filter::NONE } else { Filter::TRAINING };
        let (mut positions, mut failed) = (0, None);
        super::read_games(&self.files, |game| {
            if failed.is_none() {
                match exchange::export(&game, self.format.into(), filter, &mut out) {
                    Ok(count) => positions += count,
                    Err(error) => failed = Some(error),
                }
            }
        })?;
        failed.map_or_else(|| out.flush(), Err).context(name)?;
        say!("{positions} positions");
        Ok(())
    }
}

/// Reads positions or games of other programs; positions become games of one move.
#[derive(Debug, Args)]
pub(super) struct Import {
    /// File to read.
    file: PathBuf,
    /// File of games to append to.
    #[arg(long)]
    out: PathBuf,
    /// What is in the file.
    #[arg(long, value_enum)]
    format: FormatName,
}

impl Import {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = || self.file.display().to_string();
        let mut source = BufReader::new(File::open(&self.file).with_context(name)?);
        let mut writer = Writer::append(&self.out)?;
        let format = self.format.into();
        let imported =
            exchange::import(&mut source, format, |game| writer.push(&game)).with_context(name)?;
        writer.flush()?;
        say!("{} games, {} positions without a move left out", imported.games, imported.ended);
        Ok(())
    }
}
