//! The trainer of the evaluation network: (768 -> N)x2 -> 1 with squared clipped rectifiers and eight
//! output buckets, on an ordinary CPU.
//!
//! | module | what it is |
//! |---|---|
//! | `kernel` | loss and gradient of a chunk of samples, `AdamW` |
//! | `level` | the kernel compiled for this machine's vectors |
//! | [`shape`](Shape) | where each number stands |
//! | [`model`](Model) | one step on several threads |
//! | [`source`] | samples from files, shuffled |
//! | [`run`] | a whole training run |
//! | [`checkpoint`] | storing it and going on |
//! | [`quantise`] | the integers of a network file |
//! | [`curve`] | the picture of the losses |
//!
//! Invariant: the same data, settings, seed and number of threads make the same network, bit for
//! bit, on machines of the same vector width.

pub mod checkpoint;
pub mod curve;
mod kernel;
mod level;
mod model;
pub mod quantise;
pub mod run;
mod shape;
pub mod source;

pub use model::{CLIP, Labels, Model, State, shuffled};
pub use shape::Shape;
