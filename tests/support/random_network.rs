//! Networks of random numbers, for tests and benches: as wild as the checks let pass.

use qishou::eval::network::INPUTS;
use qishou::eval::{Architecture, Network, Weights};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Weights within the bounds of a trained network, from a seed.
pub(crate) fn weights(architecture: &Architecture, seed: u64) -> Weights {
    let Architecture { hidden, buckets, .. } = *architecture;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut within = |bound: i32| (rng.next_u32() % (2 * bound as u32 + 1)) as i32 - bound;
    let mut many = |count: usize, bound| (0..count).map(|_| within(bound) as i16).collect();
    Weights {
        feature_weights: many(INPUTS * hidden, 120),
        feature_bias: many(hidden, 400),
        output_weights: many(buckets * 2 * hidden, 127),
        output_bias: (0..buckets).map(|_| within(20_000)).collect(),
    }
}

/// The network of [`weights`].
pub(crate) fn network(architecture: Architecture, seed: u64) -> Network {
    Network::new(architecture, &weights(&architecture, seed), "random").expect("within the bounds")
}
