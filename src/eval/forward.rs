//! The output layer: from two accumulators to centipawns.

use super::MAX_EVALUATION;
use super::network::{Block, MAX_HIDDEN, MAX_OUTPUT_WEIGHT, Network, QA, QB};
use super::simd::Simd;

/// The evaluation for the side whose accumulator is `ours`, with the given output bucket, in
/// internal centipawns.
///
/// Activations are clipped to 0..=255 and squared. The square times the weight is computed as
/// `v * (v * w)`: with weights of +-127 the inner product fits 16 bits, so nothing has to be
/// widened (known as the "Lizard" trick, from the author of the engine of that name).
#[inline(always)]
pub(crate) fn output<S: Simd>(
    simd: S,
    network: &Network,
    bucket: usize,
    ours: &[Block],
    theirs: &[Block],
) -> i32 {
    let (our_weights, their_weights, bias) = network.output(bucket, ours.len());
    let our_sums = weigh(simd, simd.zero(), ours, our_weights);
    let sums = weigh(simd, our_sums, theirs, their_weights);
    // A lane of the four holds at most MAX_HIDDEN / 2 * 255 * 255 * 127, which fits 32 bits.
    let [a, b, c, d] = simd.fold(sums);
    let sum = (i64::from(a) + i64::from(b)) + (i64::from(c) + i64::from(d));
    let units = sum / i64::from(QA) + i64::from(bias);
    let scaled = units * i64::from(network.architecture().scale) / i64::from(QA * QB);
    scaled.clamp(i64::from(-MAX_EVALUATION), i64::from(MAX_EVALUATION)) as i32
}

/// Adds the squared activations of one perspective times their weights to sums in lanes.
#[inline(always)]
fn weigh<S: Simd>(simd: S, mut sums: S::Sums, accumulator: &[Block], weights: &[Block]) -> S::Sums {
    // By index: what iterators are made of is not always inlined into a kernel.
    let blocks = accumulator.len();
    let weights = &weights[..blocks];
    for at in 0..blocks {
        let active = simd.clip(simd.load(&accumulator[at]));
        sums = simd.mul_add(sums, simd.mul(active, simd.load(&weights[at])), active);
    }
    sums
}

const _: () = assert!(
    MAX_HIDDEN as i64 / 2 * QA as i64 * QA as i64 * MAX_OUTPUT_WEIGHT as i64 <= i32::MAX as i64
);
