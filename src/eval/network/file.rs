//! Networks in files.
//!
//! Little-endian throughout:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `QISHOUNN` |
//! | 4 | version, [`VERSION`] |
//! | 4 each | hidden neurons, buckets, flags (bit 0: mirrored), scale |
//! | 4 + n | length of a UTF-8 text that tells how it was made, and the text |
//! | 8 | length of the payload |
//! | 2 each | feature weights `[768][hidden]`, feature bias `[hidden]`, output weights `[buckets][2 * hidden]` |
//! | 4 each | output bias `[buckets]` |
//! | 4 | CRC-32 of everything before |

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::Lazy;
use thiserror::Error;

use super::{Architecture, INPUTS, Network, NetworkError, Weights};
use crate::files;

/// The version of the file format this program writes and reads.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"QISHOUNN";
const MIRRORED: u32 = 1;

/// What `build.rs` put here: the file of the variable `EVALFILE`, or `src/eval/qishou.nnue`, or
/// nothing.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/network.nnue"));

/// Many times the size of the largest network: nobody means to read more.
const LONGEST: u64 = 64 << 20;

/// Why a network file could not be read or written.
#[derive(Debug, Error)]
pub enum NetworkFileError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file was read, but is no network.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NetworkError,
    },
}

pub(super) fn embedded() -> Result<Option<Arc<Network>>, NetworkError> {
    static PARSED: Lazy<Result<Option<Arc<Network>>, NetworkError>> = Lazy::new(|| {
        if EMBEDDED.is_empty() {
            return Ok(None);
        }
        Network::from_bytes(EMBEDDED).map(|network| Some(Arc::new(network)))
    });
    PARSED.clone()
}

impl Network {
    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// Names the first thing that is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { bytes, at: 0 };
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if magic != &MAGIC[..magic.len()] || magic.is_empty() {
            return Err(NetworkError::Magic(magic.escape_ascii().to_string()));
        }
        reader.take(MAGIC.len())?;
        let version = reader.u32()?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (hidden, buckets) = (reader.u32()? as usize, reader.u32()? as usize);
        let flags = reader.u32()?;
        if flags & !MIRRORED != 0 {
            return Err(NetworkError::Flags(flags));
        }
        let mirrored = flags & MIRRORED != 0;
        let scale = i32::try_from(reader.u32()?).unwrap_or(i32::MAX);
        let architecture = Architecture { hidden, buckets, mirrored, scale };
        architecture.check()?;
        let length = reader.u32()? as usize;
        let made_with = reader.take(length)?;
        let found = reader.u64()?;
        let needed = payload_length(&architecture) as u64;
        if needed != found {
            return Err(NetworkError::PayloadLength { needed, found });
        }
        let payload = reader.take(needed as usize)?;
        let checked = reader.at;
        let stated = reader.u32()?;
        if reader.at != bytes.len() {
            return Err(NetworkError::TooLong((bytes.len() - reader.at) as u64));
        }
        let found = crc32fast::hash(&bytes[..checked]);
        if stated != found {
            return Err(NetworkError::Checksum { stated, found });
        }
        let made_with = std::str::from_utf8(made_with).map_err(|_| NetworkError::MadeWith)?;
        Self::new(architecture, &read_payload(&architecture, payload)?, made_with)
    }

    /// The network as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Architecture { hidden, buckets, mirrored, scale } = self.architecture;
        let weights = self.weights();
        let mut bytes = Vec::from(MAGIC);
        let flags = if mirrored { MIRRORED } else { 0 };
        for field in [VERSION, hidden as u32, buckets as u32, flags, scale as u32] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend((self.made_with.len() as u32).to_le_bytes());
        bytes.extend(self.made_with.as_bytes());
        bytes.extend((payload_length(&self.architecture) as u64).to_le_bytes());
        let halves = [&weights.feature_weights, &weights.feature_bias, &weights.output_weights];
        bytes.extend(halves.into_iter().flatten().flat_map(|number| number.to_le_bytes()));
        bytes.extend(weights.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The checksum that ends its file: what tells one network from another.
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        bytes.last_chunk().map_or(0, |stated| u32::from_le_bytes(*stated))
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If it can't be read or is no sound network; the message names the file and the fault. Of an
    /// endless file (a device) only the beginning is read.
    pub fn load(path: &Path) -> Result<Self, NetworkFileError> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST).read_to_end(&mut bytes))
            .map_err(|source| NetworkFileError::Io { path: path.into(), source })?;
        Self::from_bytes(&bytes)
            .map_err(|source| NetworkFileError::Format { path: path.into(), source })
    }

    /// Writes a network file: a new one beside it, renamed over the old, so that whoever reads
    /// finds a whole file at any time.
    ///
    /// # Errors
    /// If it can't be written; an older file is still there.
    pub fn save(&self, path: &Path) -> Result<(), NetworkFileError> {
        files::replace(path, &self.to_bytes())
            .map_err(|source| NetworkFileError::Io { path: path.into(), source })
    }
}

const fn payload_length(architecture: &Architecture) -> usize {
    let Architecture { hidden, buckets, .. } = *architecture;
    2 * (INPUTS * hidden + hidden + buckets * 2 * hidden) + 4 * buckets
}

fn read_payload(architecture: &Architecture, payload: &[u8]) -> Result<Weights, NetworkError> {
    let Architecture { hidden, buckets, .. } = *architecture;
    let mut reader = Reader { bytes: payload, at: 0 };
    Ok(Weights {
        feature_weights: reader.i16s(INPUTS * hidden)?,
        feature_bias: reader.i16s(hidden)?,
        output_weights: reader.i16s(buckets * 2 * hidden)?,
        output_bias: reader.i32s(buckets)?,
    })
}

/// Takes numbers off the front of some bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], NetworkError> {
        let found = self.bytes.len() as u64;
        let needed = self.at as u64 + length as u64;
        let truncated = NetworkError::Truncated { needed, found };
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..length));
        self.at += taken.map_or(0, <[u8]>::len);
        taken.ok_or(truncated)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, NetworkError> {
        self.array().map(u64::from_le_bytes)
    }

    fn i16s(&mut self, count: usize) -> Result<Vec<i16>, NetworkError> {
        let (numbers, _) = self.take(2 * count)?.as_chunks();
        Ok(numbers.iter().map(|number| i16::from_le_bytes(*number)).collect())
    }

    fn i32s(&mut self, count: usize) -> Result<Vec<i32>, NetworkError> {
        let (numbers, _) = self.take(4 * count)?.as_chunks();
        Ok(numbers.iter().map(|number| i32::from_le_bytes(*number)).collect())
    }
}
