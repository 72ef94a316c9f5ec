//! From the trainer's 32-bit numbers to the integers of a network file, and what that costs.

use std::sync::Arc;

use super::shape::{BIAS_ROW, INPUTS, Shape};
use crate::eval::network::{QA, QB};
use crate::eval::{Evaluator, Network, NetworkError, Weights};
use crate::learn::sample::Sample;

/// How far evaluations in whole numbers are from exact ones, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct QuantisationError {
    /// Mean of the distances.
    pub mean: f64,
    /// The largest.
    pub largest: f64,
    /// Over how many positions.
    pub positions: usize,
}

fn rounded(shape: Shape, parameters: &[f32]) -> Weights {
    let number = |at: usize, unit: i32| (parameters[at] * unit as f32).round_ties_even();
    let row = |row: usize| {
        (0..shape.hidden).map(move |neuron| number(shape.first(row, neuron), QA) as i16)
    };
    let output = shape.output(0)..shape.output(shape.buckets);
    Weights {
        feature_weights: (0..INPUTS).flat_map(row).collect(),
        feature_bias: row(BIAS_ROW).collect(),
        output_weights: output.map(|at| number(at, QB) as i16).collect(),
        output_bias: (0..shape.buckets)
            .map(|bucket| number(shape.output_bias(bucket), QA * QB) as i32)
            .collect(),
    }
}

/// The network these numbers round to. The labels' scale must be a whole number.
///
/// # Errors
/// If a sum might overflow.
pub fn network(
    shape: Shape,
    parameters: &[f32],
    scale: f32,
    made_with: &str,
) -> Result<Network, NetworkError> {
    let architecture = shape.architecture(scale.round() as i32);
    Network::new(architecture, &rounded(shape, parameters), made_with)
}

/// The exact output for a sample, in units of the scale.
pub fn exact_output(shape: Shape, parameters: &[f32], sample: &Sample) -> f64 {
    let bucket = shape.bucket(sample.count());
    let mut out = f64::from(parameters[shape.output_bias(bucket)]);
    for half in 0..2 {
        let (king, turn) = if half == 0 { (sample.our_king, 0) } else { (sample.their_king, 56) };
        let turn = turn ^ if king % 8 > 3 { 7 } else { 0 };
        let mut rows = Vec::with_capacity(33);
        sample.for_each_man(|square, kind, theirs| {
            let color = usize::from(theirs != (half == 1));
            rows.push(color * 384 + kind * 64 + (square ^ turn));
        });
        rows.push(BIAS_ROW);
        for neuron in 0..shape.hidden {
            let weight = |&row: &usize| f64::from(parameters[shape.first(row, neuron)]);
            let sum: f64 = rows.iter().map(weight).sum();
            let weight = parameters[shape.output(bucket) + half * shape.hidden + neuron];
            out += sum.clamp(0.0, 1.0).powi(2) * f64::from(weight);
        }
    }
    out
}

/// Compares a network with the numbers training worked with, on the samples that are positions.
pub fn error(
    shape: Shape,
    parameters: &[f32],
    network: &Arc<Network>,
    samples: &[Sample],
) -> QuantisationError {
    let scale = f64::from(network.architecture().scale);
    let mut evaluator = Evaluator::new(Some(Arc::clone(network)));
    let mut error = QuantisationError::default();
    for sample in samples {
        let Ok(position) = sample.position() else { continue };
        evaluator.reset(&position);
        let exact = exact_output(shape, parameters, sample) * scale;
        let distance = (f64::from(evaluator.evaluate(&position)) - exact).abs();
        error.mean += distance;
        error.largest = error.largest.max(distance);
        error.positions += 1;
    }
    error.mean /= (error.positions as f64).max(1.0);
    error
}
