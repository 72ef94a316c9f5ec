//! Where each number of the network stands in the trainer's flat vectors.
//!
//! The first layer is cut into tiles of [`Shape::tile`] neurons. A tile holds a row for each of
//! the 768 inputs and one more for the bias, so that sums over a tile stay in registers and its
//! weights in the cache. Output weights and biases follow.

/// The row of the bias.
pub(super) const BIAS_ROW: usize = INPUTS;
/// Inputs of a perspective.
pub(super) const INPUTS: usize = 768;
/// Rows of a tile.
pub(super) const ROWS: usize = INPUTS + 1;
/// Output buckets by number of men.
pub(super) const BUCKETS: usize = 8;

/// The sizes of a network in training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Neurons of one perspective, a multiple of 32.
    pub hidden: usize,
}

impl Shape {
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
        self.first_layer() + BUCKETS * (2 * self.hidden + 1)
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
        self.output(BUCKETS) + bucket
    }
}
