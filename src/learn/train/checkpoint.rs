//! Storing a run so that it can go on after it was ended or killed.
//!
//! The file is written beside the old one and takes its place by renaming, so there is always a
//! whole checkpoint. It is a line of JSON, the three vectors of the optimiser as little-endian
//! floats, and a CRC-32 of all that.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::model::State;
use crate::files;

/// A run at a point in its course.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// What the run was started with; a run with other settings can't go on from here.
    pub run: Value,
    /// How far it has come, as its owner writes it.
    pub progress: Value,
    /// The network.
    pub state: State,
}

/// Why a checkpoint can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file can't be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is damaged or something else.
    #[error("{}: no checkpoint: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl Checkpoint {
    /// Writes it.
    ///
    /// # Errors
    /// If that fails; the old file stays.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let head = serde_json::json!({
            "run": self.run,
            "progress": self.progress,
            "steps": self.state.steps,
            "length": self.state.parameters.len(),
        });
        let mut bytes = format!("{head}\n").into_bytes();
        let State { parameters, momentum, velocity, .. } = &self.state;
        for number in [parameters, momentum, velocity].into_iter().flatten() {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        let failed = |source| CheckpointError::Io { path: path.into(), source };
        files::replace(path, &bytes).map_err(failed)
    }

    /// Reads one.
    ///
    /// # Errors
    /// If the file can't be read or is damaged.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let failed = |source| CheckpointError::Io { path: path.into(), source };
        let bytes = fs::read(path).map_err(failed)?;
        Self::parse(&bytes).map_err(|reason| CheckpointError::Content { path: path.into(), reason })
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (body, crc) = bytes.split_last_chunk::<4>().ok_or("it is too short")?;
        if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
            return Err("its checksum is wrong".into());
        }
        let line = body.iter().position(|&byte| byte == b'\n').ok_or("it has no first line")?;
        let head: Value =
            serde_json::from_slice(&body[..line]).map_err(|error| error.to_string())?;
        let length = head["length"].as_u64().ok_or("it has no length")? as usize;
        let (numbers, rest) = body[line + 1..].as_chunks::<4>();
        if numbers.len() != 3 * length || !rest.is_empty() {
            return Err(format!("{} numbers instead of {}", numbers.len(), 3 * length));
        }
        let mut vectors = numbers
            .chunks(length.max(1))
            .map(|part| part.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect());
        let mut vector = || vectors.next().unwrap_or_default();
        let state = State {
            parameters: vector(),
            momentum: vector(),
            velocity: vector(),
            steps: head["steps"].as_u64().ok_or("it has no step count")?,
        };
        Ok(Self { run: head["run"].clone(), progress: head["progress"].clone(), state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_comes_back_and_damage_is_seen() {
        let checkpoint = Checkpoint {
            run: serde_json::json!({ "seed": 1 }),
            progress: serde_json::json!([1, 2]),
            state: State {
                parameters: vec![0.5, -1.25],
                momentum: vec![1e-9, 3.0],
                velocity: vec![0.0, 7.0],
                steps: 12,
            },
        };
        let path = std::env::temp_dir().join(format!("qishou-{}-checkpoint", std::process::id()));
        checkpoint.save(&path).unwrap();
        assert_eq!(Checkpoint::load(&path).unwrap(), checkpoint);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        assert!(Checkpoint::parse(&bytes).is_err());
        assert!(Checkpoint::parse(&bytes[..10]).is_err());
        fs::remove_file(path).unwrap();
    }
}
