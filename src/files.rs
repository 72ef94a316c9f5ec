//! Files that are replaced as a whole, and what files hold that are appended to.

use std::fs::{self, File, OpenOptions};
#[cfg(feature = "tools")]
use std::io::Read;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that under its name there is the old one or the new one, never half of one:
/// beside it, and then renamed. A device or a pipe is written to, not replaced.
///
/// # Errors
/// If it can't be written; an older file is still there, and nothing is left of the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let write = || {
        let mut file = File::create(&name)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().and_then(|()| fs::rename(&name, path)).inspect_err(|_| {
        // On a full disk what was written is in the way.
        let _ = fs::remove_file(&name);
    })
}

/// What a file to append to holds already. Devices and pipes, which may be read without end, hold
/// nothing.
///
/// # Errors
/// If it can't be read.
#[cfg(feature = "tools")]
pub(crate) fn contents(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file.metadata()?.is_file() {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::FileTypeExt;
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn a_pipe_is_written_to_and_stays_a_pipe() {
        let path = std::env::temp_dir().join(format!("qishou-pipe-{}", std::process::id()));
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = {
            let path = path.clone();
            thread::spawn(move || fs::read(path).unwrap())
        };
        replace(&path, b"bytes").unwrap();
        assert_eq!(reader.join().unwrap(), b"bytes");
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_fails_leaves_the_old_and_nothing_of_the_new() {
        let folder = std::env::temp_dir().join(format!("qishou-replace-{}", std::process::id()));
        fs::create_dir_all(folder.join("name/in the way")).unwrap();
        assert!(replace(&folder.join("name"), b"bytes").is_err());
        assert!(folder.join("name/in the way").exists());
        assert!(!folder.join("name.new").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
