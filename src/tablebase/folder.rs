//! The tables of some folders.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::file::{TableError, TableFile};
use super::index::MOST_MEN;
use super::material::Material;
use super::table::Kind;

/// The tables of one material.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) wdl: TableFile,
    pub(super) dtz: Option<TableFile>,
}

/// All tables found in some folders. Can be asked from many threads at once.
///
/// ```
/// use qishou::tablebase::{Tablebases, Wdl};
/// let tables = Tablebases::open(&["tests/data/syzygy".into()]);
/// let position = "8/8/8/8/8/2k5/8/K1q5 w - - 0 1".parse()?;
/// assert_eq!(tables.wdl(&position), Some(Wdl::Loss));
/// # Ok::<(), qishou::chess::FenError>(())
/// ```
#[derive(Debug, Default)]
pub struct Tablebases {
    pairs: Vec<Pair>,
    /// By the men of White and Black, either way round.
    by_material: HashMap<Material, usize>,
    pub(super) most_men: usize,
    complaints: Mutex<Vec<TableError>>,
    /// Tables whose distances were looked for in vain.
    pub(super) told_missing: Mutex<BTreeSet<String>>,
}

impl Tablebases {
    /// Looks for tables in folders; of two files with one name the first counts. What can't be
    /// read is told by [`Self::complaints`].
    pub fn open(folders: &[PathBuf]) -> Self {
        let mut tables = Self::default();
        let mut found: BTreeMap<(String, &str), PathBuf> = BTreeMap::new();
        for folder in folders {
            if let Err(source) = look_into(folder, &mut found) {
                tables.complain(TableError::Io { path: folder.clone(), source });
            }
        }
        for ((name, ending), path) in &found {
            let Some(material) = Material::from_name(name) else { continue };
            if *ending != Kind::Wdl.ending() || material.men() > MOST_MEN {
                continue;
            }
            let dtz = found.get(&(name.clone(), Kind::Dtz.ending()));
            let dtz = dtz.map(|path| TableFile::new(path.clone(), Kind::Dtz, material));
            let wdl = TableFile::new(path.clone(), Kind::Wdl, material);
            if tables.by_material.contains_key(&material) {
                continue;
            }
            let number = tables.pairs.len();
            tables.by_material.insert(material, number);
            tables.by_material.insert(material.flipped(), number);
            tables.most_men = tables.most_men.max(material.men());
            tables.pairs.push(Pair { name: name.clone(), wdl, dtz });
        }
        tables
    }

    /// Folders as an option gives them: between `:`, on Windows between `;`. Blanks belong to the
    /// names.
    pub fn folders(list: &str) -> Vec<PathBuf> {
        std::env::split_paths(list).filter(|folder| folder != Path::new("")).collect()
    }

    /// How many tables there are that tell who wins.
    pub const fn count(&self) -> usize {
        self.pairs.len()
    }

    /// The most men a position may have to be found; 0 without tables.
    pub const fn most_men(&self) -> usize {
        self.most_men
    }

    /// What could not be read since this was last asked, each thing once.
    pub fn complaints(&self) -> Vec<TableError> {
        match self.complaints.lock() {
            Ok(mut complaints) => std::mem::take(&mut *complaints),
            Err(_) => Vec::new(),
        }
    }

    pub(super) fn complain(&self, error: TableError) {
        if let Ok(mut complaints) = self.complaints.lock() {
            complaints.push(error);
        }
    }

    pub(super) fn pair(&self, material: Material) -> Option<&Pair> {
        self.by_material.get(&material).map(|&number| &self.pairs[number])
    }
}

/// Adds the tables of a folder that are not there yet.
fn look_into(
    folder: &Path,
    found: &mut BTreeMap<(String, &'static str), PathBuf>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let parts =
            (path.file_stem().and_then(OsStr::to_str), path.extension().and_then(OsStr::to_str));
        let (Some(name), Some(ending)) = parts else { continue };
        let kinds = [Kind::Wdl.ending(), Kind::Dtz.ending()];
        if let Some(ending) = kinds.into_iter().find(|known| *known == ending) {
            found.entry((name.to_owned(), ending)).or_insert(path);
        }
    }
    Ok(())
}
