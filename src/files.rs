//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that under its name there is the old one or the new one, never half of one:
/// beside it, and then renamed.
///
/// # Errors
/// If it can't be written; an older file is still there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let mut file = File::create(&name)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(name, path)
}
