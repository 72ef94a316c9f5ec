//! The network: its sizes, its numbers, and the checks that make the arithmetic on them exact.
//!
//! Shape: 768 inputs per perspective (man and square, see [`features`](super::features)) to
//! `hidden` neurons, the two perspectives side by side (side to move first), squared clipped
//! activation, one output per bucket of men. Everything is in integers:
//!
//! | numbers | type | 1.0 is |
//! |---|---|---|
//! | feature weights, feature bias | `i16` | [`QA`] |
//! | output weights | `i16` | [`QB`] |
//! | output bias | `i32` | [`QA`] x [`QB`] |
//!
//! Invariant: no sum in `forward` or `accumulator` can
//! overflow for a network that [`Network::new`] has let pass, so every SIMD level gives the same
//! result.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::simd::Level;

mod file;

pub use file::{NetworkFileError, VERSION};

/// Inputs of one perspective: 2 colours, 6 kinds, 64 squares.
pub const INPUTS: usize = 768;
/// What stands for 1.0 in the first layer and its activations.
pub const QA: i32 = 255;
/// What stands for 1.0 in the weights of the output layer.
pub const QB: i32 = 64;
/// The output layer sums four lanes in 32 bits; more neurons could overflow them.
pub const MAX_HIDDEN: usize = 512;
/// With this bound `activation * weight` fits 16 bits and is +-1.98.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// The neurons of a network are a multiple of this: one `Block`.
pub const BLOCK: usize = 32;

/// 32 neurons, on a cache line of their own; as wide as the widest vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; BLOCK]);

impl Block {
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

/// The sizes and conventions of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Architecture {
    /// Neurons of one perspective: a multiple of 32, at most [`MAX_HIDDEN`].
    pub hidden: usize,
    /// Output buckets by number of men: 1, 2, 4 or 8.
    pub buckets: usize,
    /// Whether a perspective is mirrored so that its own king stands on the files a to d.
    pub mirrored: bool,
    /// Internal centipawns that an output of 1.0 means.
    pub scale: i32,
}

impl Architecture {
    /// The usual network with so many neurons: mirrored, 8 buckets, scale 400.
    pub const fn with_hidden(hidden: usize) -> Self {
        Self { hidden, buckets: 8, mirrored: true, scale: 400 }
    }

    /// The output bucket of a position with so many men, kings included.
    #[inline(always)]
    pub const fn bucket(&self, men: usize) -> usize {
        // 2 to 32 men; whatever else is asked for lands in the nearest bucket.
        let bucket = men.saturating_sub(2) * self.buckets / 32;
        if bucket < self.buckets { bucket } else { self.buckets - 1 }
    }

    /// What is wrong with it, if anything.
    const fn check(&self) -> Result<(), NetworkError> {
        if self.hidden == 0 || self.hidden > MAX_HIDDEN || !self.hidden.is_multiple_of(BLOCK) {
            return Err(NetworkError::Hidden(self.hidden));
        }
        if !matches!(self.buckets, 1 | 2 | 4 | 8) {
            return Err(NetworkError::Buckets(self.buckets));
        }
        if self.scale < 1 || self.scale > 10_000 {
            return Err(NetworkError::Scale(self.scale));
        }
        Ok(())
    }
}

/// `768x128x2-1x8 mirrored`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{INPUTS}x{}x2-1x{}", self.hidden, self.buckets)?;
        f.write_str(if self.mirrored { " mirrored" } else { "" })
    }
}

/// The numbers of a network in plain row-major vectors, as the trainer writes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weights {
    /// `[768][hidden]`, in units of 1/[`QA`].
    pub feature_weights: Vec<i16>,
    /// `[hidden]`, in units of 1/[`QA`].
    pub feature_bias: Vec<i16>,
    /// `[buckets][2 * hidden]`, in units of 1/[`QB`]; the side to move's half first.
    pub output_weights: Vec<i16>,
    /// `[buckets]`, in units of 1/([`QA`] x [`QB`]).
    pub output_bias: Vec<i32>,
}

/// Why something is not a network this program can use.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// The first bytes are not those of a network file.
    #[error("not a network file: it begins with {0:?}")]
    Magic(String),
    /// Written by a program of another time.
    #[error("network file of version {0}, but this program reads version {VERSION}")]
    Version(u32),
    /// A number of neurons this program can't compute with.
    #[error("{0} hidden neurons: a multiple of {BLOCK} up to {MAX_HIDDEN} is needed")]
    Hidden(usize),
    /// A number of output buckets this program does not know.
    #[error("{0} output buckets instead of 1, 2, 4 or 8")]
    Buckets(usize),
    /// Flags this program does not know.
    #[error("unknown flags {0:#x}")]
    Flags(u32),
    /// A scale that makes no sense.
    #[error("scale {0} is not within 1 to 10000")]
    Scale(i32),
    /// The text that tells how it was made is no UTF-8.
    #[error("the text that tells how it was made is not UTF-8")]
    MadeWith,
    /// The file ends too early.
    #[error("the file ends after {found} bytes, {needed} are needed")]
    Truncated {
        /// Bytes up to the end of what was being read.
        needed: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The file goes on after its end.
    #[error("{0} bytes too many at the end of the file")]
    TooLong(u64),
    /// The payload is not as long as the sizes in the header say.
    #[error("a payload of {found} bytes where the header's sizes make {needed}")]
    PayloadLength {
        /// Bytes the sizes make.
        needed: u64,
        /// Bytes the header states.
        found: u64,
    },
    /// Some bytes are not what was written.
    #[error("checksum {found:08x} instead of {stated:08x}: the file is damaged")]
    Checksum {
        /// What the file says.
        stated: u32,
        /// What its bytes make.
        found: u32,
    },
    /// A vector of the wrong length was handed in.
    #[error("{found} numbers of {what} instead of {needed}")]
    Length {
        /// Which numbers.
        what: &'static str,
        /// How many the architecture has.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A weight with which a product would not fit 16 bits.
    #[error("output weight {index} is {value}, beyond +-{MAX_OUTPUT_WEIGHT}")]
    OutputWeight {
        /// Its place.
        index: usize,
        /// Its value.
        value: i16,
    },
    /// A neuron whose sum over 32 men might not fit 16 bits.
    #[error("the weights of neuron {0} are so large that its sum may overflow")]
    Neuron(usize),
}

/// A network that can be evaluated with.
pub struct Network {
    architecture: Architecture,
    made_with: String,
    feature_weights: Vec<Block>,
    feature_bias: Vec<Block>,
    output_weights: Vec<Block>,
    output_bias: Vec<i32>,
    level: Level,
}

impl Network {
    /// A network of these numbers; `made_with` tells how it was made.
    ///
    /// # Errors
    /// If the sizes are unknown or a number is so large that a sum might overflow.
    pub fn new(
        architecture: Architecture,
        weights: &Weights,
        made_with: impl Into<String>,
    ) -> Result<Self, NetworkError> {
        architecture.check()?;
        let Architecture { hidden, buckets, .. } = architecture;
        for (what, needed, found) in [
            ("feature weights", INPUTS * hidden, weights.feature_weights.len()),
            ("feature bias", hidden, weights.feature_bias.len()),
            ("output weights", buckets * 2 * hidden, weights.output_weights.len()),
            ("output bias", buckets, weights.output_bias.len()),
        ] {
            if needed != found {
                return Err(NetworkError::Length { what, needed, found });
            }
        }
        check_sums(hidden, weights)?;
        Ok(Self {
            architecture,
            made_with: made_with.into(),
            feature_weights: blocks(&weights.feature_weights),
            feature_bias: blocks(&weights.feature_bias),
            output_weights: blocks(&weights.output_weights),
            output_bias: weights.output_bias.clone(),
            level: Level::chosen(),
        })
    }

    /// The network this program was built with, if it was built with one.
    ///
    /// # Errors
    /// If the file it was built with (`EVALFILE`) is no sound network.
    pub fn embedded() -> Result<Option<Arc<Self>>, NetworkError> {
        file::embedded()
    }

    /// The embedded network, or none, which means the evaluation by hand: what everything here
    /// evaluates with unless told otherwise. An embedded file that is no sound network counts as
    /// none; [`Self::embedded`] tells why.
    pub fn usual() -> Option<Arc<Self>> {
        Self::embedded().unwrap_or_default()
    }

    /// Its sizes.
    pub const fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// How it was made, in the words of who made it.
    pub fn made_with(&self) -> &str {
        &self.made_with
    }

    /// Its numbers in plain vectors.
    pub fn weights(&self) -> Weights {
        Weights {
            feature_weights: numbers(&self.feature_weights),
            feature_bias: numbers(&self.feature_bias),
            output_weights: numbers(&self.output_weights),
            output_bias: self.output_bias.clone(),
        }
    }

    /// The SIMD level it is computed with.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The same network computed with another SIMD level; the results are the same.
    #[must_use]
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Blocks of one perspective.
    #[inline(always)]
    pub(crate) const fn blocks(&self) -> usize {
        self.architecture.hidden / BLOCK
    }

    /// The weights of one input. `blocks` is [`Self::blocks`], which the caller may know as a
    /// constant.
    #[inline(always)]
    pub(crate) fn row(&self, feature: usize, blocks: usize) -> &[Block] {
        &self.feature_weights[feature * blocks..][..blocks]
    }

    #[inline(always)]
    pub(crate) fn bias(&self) -> &[Block] {
        &self.feature_bias
    }

    /// The output weights of a bucket, those of the side to move and those of the other, and the
    /// bias.
    #[inline(always)]
    pub(crate) fn output(&self, bucket: usize, blocks: usize) -> (&[Block], &[Block], i32) {
        let weights = &self.output_weights[bucket * 2 * blocks..][..2 * blocks];
        let (ours, theirs) = weights.split_at(blocks);
        (ours, theirs, self.output_bias[bucket])
    }
}

/// Its architecture, checksum and origin in one line.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:08x}", self.architecture, self.checksum())?;
        match self.made_with.lines().next() {
            Some(line) if !line.is_empty() => write!(f, " ({line})"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("architecture", &self.architecture)
            .field("made_with", &self.made_with)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

/// Refuses numbers with which 16-bit arithmetic would not be exact.
fn check_sums(hidden: usize, weights: &Weights) -> Result<(), NetworkError> {
    if let Some((index, &value)) = weights
        .output_weights
        .iter()
        .enumerate()
        .find(|(_, value)| value.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs())
    {
        return Err(NetworkError::OutputWeight { index, value });
    }
    let mut largest = vec![0u16; hidden];
    for row in weights.feature_weights.chunks_exact(hidden) {
        for (largest, weight) in largest.iter_mut().zip(row) {
            *largest = (*largest).max(weight.unsigned_abs());
        }
    }
    let fits = |(largest, bias): (&u16, &i16)| {
        32 * u32::from(*largest) + u32::from(bias.unsigned_abs()) <= 32_767
    };
    match largest.iter().zip(&weights.feature_bias).position(|pair| !fits(pair)) {
        Some(neuron) => Err(NetworkError::Neuron(neuron)),
        None => Ok(()),
    }
}

fn blocks(numbers: &[i16]) -> Vec<Block> {
    let (chunks, rest) = numbers.as_chunks::<BLOCK>();
    debug_assert!(rest.is_empty());
    chunks.iter().map(|chunk| Block(*chunk)).collect()
}

fn numbers(blocks: &[Block]) -> Vec<i16> {
    blocks.iter().flat_map(|block| block.0).collect()
}
