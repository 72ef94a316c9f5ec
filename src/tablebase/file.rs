//! A file of a table, mapped into memory when it is first needed.
#![expect(unsafe_code, reason = "maps files into memory")]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use once_cell::sync::OnceCell;
use thiserror::Error;

use super::material::Material;
use super::reader::Damage;
use super::table::{Kind, Table};

/// Why a table is not used.
#[derive(Debug, Error)]
pub enum TableError {
    /// The folder or file can't be read.
    #[error("tablebase {}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is damaged.
    #[error("tablebase {}: {damage}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// There is a table that tells who wins, but none that tells how.
    #[error("tablebase {name}: no file {name}.rtbz")]
    NoDistances {
        /// The name of the table.
        name: String,
    },
}

/// A file, used or not yet.
#[derive(Debug)]
pub(super) struct TableFile {
    path: PathBuf,
    kind: Kind,
    material: Material,
    /// None inside if it is damaged.
    opened: OnceCell<Option<Opened>>,
    /// Set when a value of it made no sense.
    spoilt: OnceCell<()>,
}

#[derive(Debug)]
pub(super) struct Opened {
    pub(super) table: Table,
    bytes: Mmap,
}

impl Opened {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl TableFile {
    pub(super) const fn new(path: PathBuf, kind: Kind, material: Material) -> Self {
        Self { path, kind, material, opened: OnceCell::new(), spoilt: OnceCell::new() }
    }

    /// The table; none if it can't be used. `complain` is called at most once.
    pub(super) fn open(&self, complain: impl FnOnce(TableError)) -> Option<&Opened> {
        if self.spoilt.get().is_some() {
            return None;
        }
        let opened = self.opened.get_or_init(|| {
            let bytes = map(&self.path);
            let bytes = bytes.map_err(|source| TableError::Io { path: self.path.clone(), source });
            let read = bytes.and_then(|bytes| {
                let table = Table::read(&bytes, self.kind, self.material);
                let table = table.map_err(|damage| self.damaged(damage))?;
                Ok(Opened { table, bytes })
            });
            read.map_err(complain).ok()
        });
        opened.as_ref()
    }

    fn damaged(&self, damage: Damage) -> TableError {
        TableError::Damaged { path: self.path.clone(), damage }
    }

    /// Never uses the table again, since something in it makes no sense. The error is told to the
    /// first who finds out.
    pub(super) fn give_up(&self, damage: Damage) -> Option<TableError> {
        self.spoilt.set(()).ok().map(|()| self.damaged(damage))
    }
}

fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the map is read only, and every read of it is checked against its length. What the
    // language asks for besides, that nobody changes the file meanwhile, no program can ensure; the
    // tables are files nobody writes to. Values that change under us would be wrong numbers, each
    // of which is checked where it is used.
    unsafe { Mmap::map(&file) }
}
