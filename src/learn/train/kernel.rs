//! The arithmetic of training: loss and gradient of a chunk of samples.
//!
//! The first layer costs nearly everything, and memory traffic is what it costs; so its weights
//! are read as 16-bit integers (a shadow of the 32-bit masters, rounded as the network file will
//! have them, while steps too small to show there add up in the masters), sums are 16 bits wide and the gradient of a sum is stored in their place as the upper half of a 32-bit
//! float (bfloat16). Backward, the active inputs of a chunk are turned into a list of samples for
//! each input: a row of the gradient is then loaded and stored once a chunk.
//!
//! Nothing here is written for an instruction set. The loops over tiles have constant bounds, and
//! [`level`](super::level) compiles them for the vectors this machine has.

use super::shape::{BIAS_ROW, ROWS, Shape};
use crate::eval::network::{QA, QB};
use crate::learn::sample::Sample;

/// How many samples are worked on at a time: their sums fit the second-level cache.
pub(super) const CHUNK: usize = 256;
/// Units of the shadow weights in 1.0: the network's own, so that training works with the numbers
/// that will be played with.
pub(super) const UNIT: f32 = QA as f32;
/// Lanes of a sum of floats: more than one vector, so that additions overlap.
const LANES: usize = 32;
/// Sums of a chunk: two perspectives of each sample, the side to move's first.
const SIDES: usize = 2 * CHUNK;

/// What the kernel reads: the network, and how labels become targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'a> {
    pub(super) shape: Shape,
    /// The first layer in units of 1/[`UNIT`].
    pub(super) shadow: &'a [i16],
    /// The output layer: weights, then biases, rounded as the network will have them.
    pub(super) output: &'a [f32],
    /// How much of the target is the result; the rest is the score.
    pub(super) result_share: f32,
    /// Centipawns of an output of 1.0.
    pub(super) scale: f32,
}

/// A thread's own memory.
#[derive(Debug)]
pub(super) struct Scratch {
    /// The gradient of the summed loss, laid out as the parameters.
    pub(super) gradient: Vec<f32>,
    /// Sums of the first layer, then their gradients: `[tile][side][lane]`.
    sums: Vec<i16>,
    /// The active inputs of each side one after another.
    rows: Vec<u16>,
    /// Where each side's inputs begin in `rows`.
    row_starts: Vec<u32>,
    /// The sides in which each input is active, input after input.
    sides: Vec<u16>,
    /// Where each input's sides begin in `sides`.
    side_starts: Vec<u32>,
}

impl Scratch {
    pub(super) fn new(shape: Shape) -> Self {
        Self {
            gradient: vec![0.0; shape.parameters()],
            sums: vec![0; SIDES * shape.hidden],
            rows: Vec::with_capacity(32 * SIDES),
            row_starts: vec![0; SIDES + 1],
            sides: Vec::with_capacity(33 * SIDES),
            side_starts: vec![0; ROWS + 1],
        }
    }
}

/// The logistic function.
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The two inputs a man sets: the side to move's and the other's.
#[inline(always)]
fn inputs(square: usize, kind: usize, theirs: bool, turns: (usize, usize)) -> (u16, u16) {
    let color = usize::from(theirs) * 384;
    let ours = color + kind * 64 + (square ^ turns.0);
    let other = (384 - color) + kind * 64 + (square ^ turns.1);
    (ours as u16, other as u16)
}

/// Lists the active inputs of each side.
#[inline(always)]
fn list_rows(samples: &[Sample], scratch: &mut Scratch) {
    scratch.rows.clear();
    for (i, sample) in samples.iter().enumerate() {
        // A perspective is mirrored while its king stands on the files e to h.
        let mirror = |king: u8| if king % 8 < 4 { 0 } else { 7 };
        let turns = (mirror(sample.our_king), mirror(sample.their_king) ^ 0b11_1000);
        let mut ours = [0; 32];
        let mut other = [0; 32];
        let mut count = 0;
        sample.for_each_man(|square, kind, theirs| {
            let (a, b) = inputs(square, kind, theirs, turns);
            ours[count & 31] = a.min(BIAS_ROW as u16 - 1);
            other[count & 31] = b.min(BIAS_ROW as u16 - 1);
            count += 1;
        });
        let count = count.min(32);
        scratch.row_starts[2 * i] = scratch.rows.len() as u32;
        scratch.rows.extend_from_slice(&ours[..count]);
        scratch.row_starts[2 * i + 1] = scratch.rows.len() as u32;
        scratch.rows.extend_from_slice(&other[..count]);
    }
    scratch.row_starts[2 * samples.len()] = scratch.rows.len() as u32;
}

/// Turns the lists of inputs round: for each input the sides where it is active. Every side is in
/// the list of the bias.
#[inline(always)]
fn invert_rows(sides: usize, scratch: &mut Scratch) {
    let starts = &mut scratch.side_starts;
    starts.fill(0);
    for &row in &scratch.rows {
        starts[usize::from(row) + 1] += 1;
    }
    for row in 1..=BIAS_ROW {
        starts[row] += starts[row - 1];
    }
    scratch.sides.clear();
    scratch.sides.resize(scratch.rows.len() + sides, 0);
    // Each start moves up to the next while its list is filled, and is moved back at the end.
    for side in 0..sides {
        let own = scratch.row_starts[side] as usize..scratch.row_starts[side + 1] as usize;
        for &row in &scratch.rows[own] {
            let next = &mut starts[usize::from(row)];
            scratch.sides[*next as usize] = side as u16;
            *next += 1;
        }
    }
    starts.copy_within(0..BIAS_ROW, 1);
    starts[0] = 0;
    let bias = starts[BIAS_ROW] as usize;
    starts[ROWS] = (bias + sides) as u32;
    for (side, slot) in scratch.sides[bias..].iter_mut().enumerate() {
        *slot = side as u16;
    }
}

/// Sums a tile of the first layer for each side.
#[inline(always)]
fn sum_tile<const W: usize>(
    weights: &[[i16; W]],
    rows: &[u16],
    starts: &[u32],
    sums: &mut [[i16; W]],
) {
    for (side, out) in sums.iter_mut().enumerate() {
        let mut sum = weights[BIAS_ROW];
        for &row in &rows[starts[side] as usize..starts[side + 1] as usize] {
            let weights = &weights[usize::from(row)];
            for i in 0..W {
                sum[i] = sum[i].saturating_add(weights[i]);
            }
        }
        *out = sum;
    }
}

/// Adds up a tile of the first layer's gradient; `deltas` holds the gradients of the sums.
#[inline(always)]
fn gather_tile<const W: usize>(
    gradient: &mut [[f32; W]],
    sides: &[u16],
    starts: &[u32],
    deltas: &[[i16; W]],
) {
    for (row, gradient) in gradient.iter_mut().enumerate() {
        let list = &sides[starts[row] as usize..starts[row + 1] as usize];
        if list.is_empty() {
            continue;
        }
        let mut sum = *gradient;
        for &side in list {
            let delta = &deltas[usize::from(side)];
            for i in 0..W {
                sum[i] += f32::from_bits(u32::from(delta[i] as u16) << 16);
            }
        }
        *gradient = sum;
    }
}

/// The bits of the nearest bfloat16.
#[inline(always)]
fn bfloat16(x: f32) -> i16 {
    (x.to_bits().wrapping_add(0x8000) >> 16) as i16
}

/// The output of a sample: clipped and squared sums, weighted.
#[inline(always)]
fn output<const W: usize>(
    sums: &[[i16; W]],
    stride: usize,
    side: usize,
    weights: &[[f32; W]],
) -> f32 {
    let tiles = weights.len() / 2;
    let mut lanes = [0.0; LANES];
    for half in 0..2 {
        for tile in 0..tiles {
            let sum = &sums[tile * stride + side + half];
            let weight = &weights[half * tiles + tile];
            let (blocks, weights) = (sum.as_chunks::<LANES>().0, weight.as_chunks::<LANES>().0);
            for (sums, weights) in blocks.iter().zip(weights) {
                for (lane, (&sum, &weight)) in lanes.iter_mut().zip(sums.iter().zip(weights)) {
                    let x = f32::from(sum.clamp(0, UNIT as i16));
                    *lane += x * x * weight;
                }
            }
        }
    }
    lanes.iter().sum::<f32>() * (1.0 / (UNIT * UNIT))
}

/// Replaces the sums of a sample by their gradients and adds to the gradient of the weights;
/// `delta` is the gradient of the output.
#[inline(always)]
fn output_backward<const W: usize>(
    sums: &mut [[i16; W]],
    stride: usize,
    side: usize,
    weights: &[[f32; W]],
    gradient: &mut [[f32; W]],
    delta: f32,
) {
    let tiles = weights.len() / 2;
    let (to_weight, to_sum) = (delta / (UNIT * UNIT), 2.0 * delta / UNIT);
    for half in 0..2 {
        for tile in 0..tiles {
            let sum = &mut sums[tile * stride + side + half];
            let weight = &weights[half * tiles + tile];
            let gradient = &mut gradient[half * tiles + tile];
            for i in 0..W {
                let x = f32::from(sum[i].clamp(0, UNIT as i16));
                gradient[i] += to_weight * x * x;
                let slope = if sum[i] < UNIT as i16 { x } else { 0.0 };
                sum[i] = bfloat16(to_sum * slope * weight[i]);
            }
        }
    }
}

/// What a chunk costs: the sum of the squared errors. With `LEARN` the gradient of that sum is
/// added to the scratch's. At most [`CHUNK`] samples; tiles are `W` wide.
#[inline(always)]
pub(super) fn chunk<const W: usize, const LEARN: bool>(
    context: &Context<'_>,
    samples: &[Sample],
    scratch: &mut Scratch,
) -> f64 {
    let shape = context.shape;
    let samples = &samples[..samples.len().min(CHUNK)];
    list_rows(samples, scratch);
    let (all_sums, _) = scratch.sums.as_chunks_mut::<W>();
    for (weights, sums) in context.shadow.chunks(ROWS * W).zip(all_sums.chunks_mut(SIDES)) {
        let sums = &mut sums[..2 * samples.len()];
        sum_tile::<W>(weights.as_chunks().0, &scratch.rows, &scratch.row_starts, sums);
    }
    let mut loss = 0.0;
    let per_bucket = 2 * shape.hidden / W;
    let (output_weights, biases) = context.output.split_at(shape.buckets * 2 * shape.hidden);
    let (output_weights, _) = output_weights.as_chunks::<W>();
    for (i, sample) in samples.iter().enumerate() {
        let bucket = shape.bucket(sample.count());
        let weights = &output_weights[bucket * per_bucket..][..per_bucket];
        let out = output::<W>(all_sums, SIDES, 2 * i, weights) + biases[bucket];
        let predicted = sigmoid(out);
        let target = context.result_share * 0.5 * f32::from(sample.result)
            + (1.0 - context.result_share) * sigmoid(f32::from(sample.score) / context.scale);
        let error = predicted - target;
        loss += f64::from(error * error);
        if LEARN {
            let delta = 2.0 * error * predicted * (1.0 - predicted);
            let gradient = &mut scratch.gradient;
            gradient[shape.output_bias(bucket)] += delta;
            let (gradient, _) = gradient[shape.output(bucket)..].as_chunks_mut::<W>();
            let gradient = &mut gradient[..per_bucket];
            output_backward::<W>(all_sums, SIDES, 2 * i, weights, gradient, delta);
        }
    }
    if LEARN {
        invert_rows(2 * samples.len(), scratch);
        let first = &mut scratch.gradient[..shape.first_layer()];
        let (all_sums, _) = scratch.sums.as_chunks::<W>();
        for (gradient, deltas) in first.chunks_mut(ROWS * W).zip(all_sums.chunks(SIDES)) {
            let gradient = gradient.as_chunks_mut().0;
            gather_tile::<W>(gradient, &scratch.sides, &scratch.side_starts, deltas);
        }
    }
    loss
}

/// How parameters move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update {
    /// Learning rate.
    pub(super) rate: f32,
    /// What the summed gradient is multiplied by: one over the number of samples.
    pub(super) mean: f32,
    /// Weight decay.
    pub(super) decay: f32,
    /// No parameter gets further from zero.
    pub(super) clip: f32,
    /// One over the corrections of the two moments for their start at zero.
    pub(super) corrections: (f32, f32),
}

pub(super) const BETA1: f32 = 0.9;
pub(super) const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// A stretch of the parameters with what `AdamW` keeps about them.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    pub(super) parameters: &'a mut [f32],
    pub(super) momentum: &'a mut [f32],
    pub(super) velocity: &'a mut [f32],
    /// Shorter than the others where the first layer ends.
    pub(super) shadow: &'a mut [i16],
}

/// One step of `AdamW` (Loshchilov and Hutter 2019); the gradients are summed in their order.
#[inline(always)]
pub(super) fn adamw(update: &Update, stretch: &mut Stretch<'_>, gradients: &[&[f32]]) {
    const BLOCK: usize = 64;
    let length = stretch.parameters.len();
    let mut sum = [0.0; BLOCK];
    for at in (0..length).step_by(BLOCK) {
        let range = at..(at + BLOCK).min(length);
        let sum = &mut sum[..range.len()];
        sum.fill(0.0);
        for gradient in gradients {
            for (sum, &part) in sum.iter_mut().zip(&gradient[range.clone()]) {
                *sum += part;
            }
        }
        let parameters = &mut stretch.parameters[range.clone()];
        let momentum = &mut stretch.momentum[range.clone()];
        let velocity = &mut stretch.velocity[range];
        for (((&mut g, w), m), v) in sum.iter_mut().zip(parameters).zip(momentum).zip(velocity) {
            let g = g * update.mean;
            *m = BETA1 * *m + (1.0 - BETA1) * g;
            *v = BETA2 * *v + (1.0 - BETA2) * g * g;
            let (m, v) = (*m * update.corrections.0, *v * update.corrections.1);
            let step = update.rate * (m / (v.sqrt() + EPSILON) + update.decay * *w);
            *w = (*w - step).clamp(-update.clip, update.clip);
        }
    }
    for (shadow, &weight) in stretch.shadow.iter_mut().zip(&*stretch.parameters) {
        *shadow = shadow_of(weight);
    }
}

/// A weight of the first layer as the forward pass reads it.
#[inline(always)]
pub(super) fn shadow_of(weight: f32) -> i16 {
    (weight * UNIT).round_ties_even() as i16
}

/// An output weight as the forward pass reads it.
pub(super) fn rounded_output(weight: f32) -> f32 {
    (weight * QB as f32).round_ties_even() / QB as f32
}
