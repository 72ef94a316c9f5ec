//! The trainer of the evaluation network.

mod kernel;
mod level;
mod model;
mod shape;

pub use model::{CLIP, Labels, Model, State, shuffled};
pub use shape::Shape;
