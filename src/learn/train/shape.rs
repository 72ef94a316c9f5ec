//! Where each number of the network stands in the trainer's flat vectors.
//!
//! The first layer is cut into tiles of [`Shape::tile`] neurons. A tile holds a row for each of
//! the 768 inputs and one more for the bias, so that sums over a tile stay in registers and its
//! weights in the cache. Output weights and biases follow.

use crate::eval::Architecture;

/// The row of the bias.
pub(super) const BIAS_ROW: usize = INPUTS;
/// Inputs of a perspective.
pub(super) const INPUTS: usize = 768;
/// Rows of a tile.
pub(super) const ROWS: usize = INPUTS + 1;

/// The sizes of a network in training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Neurons of one perspective, a multiple of 32.
    pub hidden: usize,
    /// Output buckets by number of men: 1, 2, 4 or 8.
    pub buckets: usize,
}

impl Shape {
    /// The network that is trained, with so many centipawns to an output of 1.0.
    pub const fn architecture(self, scale: i32) -> Architecture {
        let Self { hidden, buckets } = self;
        Architecture { buckets, scale, ..Architecture::with_hidden(hidden) }
    }

    /// The output bucket of a position with so many men.
    #[inline(always)]
    pub const fn bucket(self, men: usize) -> usize {
        self.architecture(1).bucket(men)
    }

    /// Neurons of a tile.
    pub const fn tile(self) -> usize {
        if self.hidden.is_multiple_of(64) { 64 } else { 32 }
    }

    /// How many tiles there are.
    pub const fn tiles(self) -> usize {
        self.hidden / self.tile()
    }

    /// Length of the first layer.
    pub const fn first_layer(self) -> usize {
        ROWS * self.hidden
    }

    /// Length of everything.
    pub const fn parameters(self) -> usize {
        self.first_layer() + self.buckets * (2 * self.hidden + 1)
    }

    /// Where the first-layer weight of an input (or `BIAS_ROW`) to a neuron stands.
    pub const fn first(self, row: usize, neuron: usize) -> usize {
        let tile = self.tile();
        (neuron / tile * ROWS + row) * tile + neuron % tile
    }

    /// Where a bucket's output weights stand: `2 * hidden` from here, the side to move's first.
    pub const fn output(self, bucket: usize) -> usize {
        self.first_layer() + bucket * 2 * self.hidden
    }

    /// Where a bucket's output bias stands.
    pub const fn output_bias(self, bucket: usize) -> usize {
        self.output(self.buckets) + bucket
    }
}
