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
    let (our_weights, their_weights, bias) = network.output(bucket);
    let mut sums = [simd.zero(); 2];
    let both = ours.iter().zip(our_weights).zip(theirs.iter().zip(their_weights));
    for pair in both {
        for (sum, (block, weights)) in sums.iter_mut().zip([pair.0, pair.1]) {
            let active = simd.clip(simd.load(block));
            *sum = simd.mul_add(*sum, simd.mul(active, simd.load(weights)), active);
        }
    }
    // A lane of the four holds at most MAX_HIDDEN / 4 * 255 * 255 * 127, which fits 32 bits.
    let [ours, theirs] = sums.map(|sums| simd.fold(sums).into_iter().map(i64::from).sum::<i64>());
    let units = (ours + theirs) / i64::from(QA) + i64::from(bias);
    let scaled = units * i64::from(network.architecture().scale) / i64::from(QA * QB);
    scaled.clamp(i64::from(-MAX_EVALUATION), i64::from(MAX_EVALUATION)) as i32
}

const _: () = assert!(
    MAX_HIDDEN as i64 / 4 * QA as i64 * QA as i64 * MAX_OUTPUT_WEIGHT as i64 <= i32::MAX as i64
);
