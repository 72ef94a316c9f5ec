//! The network in training and one step of it, on several threads.
//!
//! Each thread takes a fixed part of the batch and has a gradient of its own; the gradients are
//! added in the order of the threads while the parameters move, again each thread a fixed part.
//! So the same seed and number of threads make the same network, bit for bit.

use std::thread;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::kernel::{self, BETA1, BETA2, CHUNK, Context, Scratch, Stretch, Update};
use super::level;
use super::shape::{INPUTS, Shape};
use crate::learn::sample::Sample;

/// Weights stay within this: with the quantisation of the network file 1.98 is 126.7, and a
/// product with an input of at most 255 fits 16 bits.
pub const CLIP: f32 = 1.98;
/// Weight decay of a step, times the learning rate.
const DECAY: f32 = 0.01;

/// How labels become targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels {
    /// How much of the target is the result; the rest is the score.
    pub result_share: f32,
    /// Centipawns of an output of 1.0.
    pub scale: f32,
}

/// A network with what the optimiser keeps about it.
#[derive(Debug)]
pub struct Model {
    shape: Shape,
    /// All numbers, laid out as [`Shape`] says.
    parameters: Vec<f32>,
    momentum: Vec<f32>,
    velocity: Vec<f32>,
    shadow: Vec<i16>,
    scratches: Vec<Scratch>,
    steps: u64,
}

/// What of a model is stored to go on later.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// All numbers.
    pub parameters: Vec<f32>,
    /// First moments.
    pub momentum: Vec<f32>,
    /// Second moments.
    pub velocity: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

impl Model {
    /// A network of random weights.
    pub fn new(shape: Shape, threads: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = vec![0.0; shape.parameters()];
        let uniform = |rng: &mut ChaCha8Rng, bound: f32| rng.random_range(-bound..bound);
        // The usual bound of one over the root of the inputs, but of those that are set at once.
        let bound = 1.0 / 32f32.sqrt();
        for row in 0..INPUTS {
            for neuron in 0..shape.hidden {
                parameters[shape.first(row, neuron)] = uniform(&mut rng, bound);
            }
        }
        let bound = 1.0 / (2.0 * shape.hidden as f32).sqrt();
        for weight in &mut parameters[shape.output(0)..shape.output(shape.buckets)] {
            *weight = uniform(&mut rng, bound);
        }
        let zeros = vec![0.0; parameters.len()];
        let state = State { parameters, momentum: zeros.clone(), velocity: zeros, steps: 0 };
        Self::from_state(shape, threads, state)
    }

    /// Goes on from a stored state, whose vectors have the shape's length.
    pub fn from_state(shape: Shape, threads: usize, state: State) -> Self {
        let State { parameters, momentum, velocity, steps } = state;
        let shadow =
            parameters[..shape.first_layer()].iter().map(|&w| kernel::shadow_of(w)).collect();
        let scratches = (0..threads.max(1)).map(|_| Scratch::new(shape)).collect();
        Self { shape, parameters, momentum, velocity, shadow, scratches, steps }
    }

    /// What has to be stored to go on later.
    pub fn state(&self) -> State {
        State {
            parameters: self.parameters.clone(),
            momentum: self.momentum.clone(),
            velocity: self.velocity.clone(),
            steps: self.steps,
        }
    }

    /// Its sizes.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// All numbers, laid out as [`Shape`] says.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// All numbers as the forward pass reads them: weights rounded to the units of the network
    /// file. What is trained on is the loss of these.
    pub fn parameters_as_read(&self) -> Vec<f32> {
        let first = &self.parameters[..self.shape.first_layer()];
        let rounded = first.iter().map(|&w| f32::from(kernel::shadow_of(w)) / kernel::UNIT);
        rounded.chain(self.rounded_output()).collect()
    }

    /// Steps made.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The output layer as the network file will have it.
    fn rounded_output(&self) -> Vec<f32> {
        let output = self.parameters[self.shape.output(0)..].iter();
        let mut output: Vec<f32> = output.map(|&weight| kernel::rounded_output(weight)).collect();
        // Biases have so fine a unit that rounding doesn't matter.
        let biases = self.shape.buckets * 2 * self.shape.hidden;
        output[biases..].copy_from_slice(&self.parameters[self.shape.output(self.shape.buckets)..]);
        output
    }

    /// Lets every thread work on its part of the samples, which `order` names; returns the mean
    /// squared error.
    fn pass<const LEARN: bool>(
        &mut self,
        samples: &[Sample],
        order: &[u32],
        labels: Labels,
    ) -> f64 {
        let output = self.rounded_output();
        let context = Context {
            shape: self.shape,
            shadow: &self.shadow,
            output: &output,
            result_share: labels.result_share,
            scale: labels.scale,
        };
        let share = order.len().div_ceil(self.scratches.len()).next_multiple_of(CHUNK).max(CHUNK);
        let work = |order: &[u32], scratch: &mut Scratch| {
            if LEARN {
                scratch.gradient.fill(0.0);
            }
            let mut buffer = [Sample::default(); CHUNK];
            let mut loss = 0.0;
            for chunk in order.chunks(CHUNK) {
                for (slot, &index) in buffer.iter_mut().zip(chunk) {
                    *slot = samples[index as usize];
                }
                loss += level::chunk::<LEARN>(&context, &buffer[..chunk.len()], scratch);
            }
            loss
        };
        let parts = order.chunks(share).chain(std::iter::repeat(&[][..]));
        let losses: Vec<f64> = thread::scope(|scope| {
            let mut scratches = self.scratches.iter_mut().zip(parts);
            let first = scratches.next();
            let others: Vec<_> =
                scratches.map(|(scratch, part)| scope.spawn(move || work(part, scratch))).collect();
            let own = first.map(|(scratch, part)| work(part, scratch));
            let joined = others.into_iter().map(|other| other.join().unwrap_or(f64::NAN));
            own.into_iter().chain(joined).collect()
        });
        losses.iter().sum::<f64>() / order.len().max(1) as f64
    }

    /// The mean squared error over samples.
    pub fn loss(&mut self, samples: &[Sample], labels: Labels) -> f64 {
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        self.pass::<false>(samples, &order, labels)
    }

    /// One step on the samples that `order` names; returns their mean squared error before it.
    pub fn step(&mut self, samples: &[Sample], order: &[u32], labels: Labels, rate: f32) -> f64 {
        let loss = self.pass::<true>(samples, order, labels);
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        let update = Update {
            rate,
            mean: 1.0 / order.len().max(1) as f32,
            decay: DECAY,
            clip: CLIP,
            corrections: (1.0 / (1.0 - BETA1.powi(steps)), 1.0 / (1.0 - BETA2.powi(steps))),
        };
        self.update(&update);
        loss
    }

    fn update(&mut self, update: &Update) {
        let threads = self.scratches.len();
        let share = self.parameters.len().div_ceil(threads).next_multiple_of(64);
        let gradients: Vec<&[f32]> =
            self.scratches.iter().map(|scratch| &scratch.gradient[..]).collect();
        let mut shadow = &mut self.shadow[..];
        let stretches = self
            .parameters
            .chunks_mut(share)
            .zip(self.momentum.chunks_mut(share))
            .zip(self.velocity.chunks_mut(share));
        thread::scope(|scope| {
            for (part, ((parameters, momentum), velocity)) in stretches.enumerate() {
                let (own, rest) = shadow.split_at_mut(share.min(shadow.len()));
                shadow = rest;
                let mut stretch = Stretch { parameters, momentum, velocity, shadow: own };
                let begin = part * share;
                let gradients: Vec<&[f32]> = gradients
                    .iter()
                    .map(|gradient| &gradient[begin..begin + stretch.parameters.len()])
                    .collect();
                let mut work = move || level::adamw(update, &mut stretch, &gradients);
                if part + 1 < threads {
                    scope.spawn(work);
                } else {
                    work();
                }
            }
        });
    }

    #[cfg(test)]
    pub(super) fn gradient(&mut self, samples: &[Sample], labels: Labels) -> Vec<f32> {
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        self.pass::<true>(samples, &order, labels);
        let mut sum = vec![0.0; self.shape.parameters()];
        for scratch in &self.scratches {
            sum.iter_mut().zip(&scratch.gradient).for_each(|(sum, part)| *sum += part);
        }
        sum
    }
}

/// A shuffled order of `count` samples that follows from the seed and a number.
pub fn shuffled(count: usize, seed: u64, number: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number + 1);
    let mut order: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        // The multiplication spreads 64 random bits over the range without a division.
        let at = (u128::from(rng.next_u64()) * (i as u128 + 1)) >> 64;
        order.swap(i, at as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    const LABELS: Labels = Labels { result_share: 0.3, scale: 400.0 };
    const SMALL: Shape = Shape { hidden: 32, buckets: 8 };

    /// Positions of random games with made-up labels.
    pub(crate) fn some_samples(count: usize) -> Vec<Sample> {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut samples = Vec::new();
        let mut position = Position::startpos();
        while samples.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || position.fullmove_number() > 90 {
                position = Position::startpos();
                continue;
            }
            position.play(moves[rng.random_range(0..moves.len())]);
            let score = rng.random_range(-700..700);
            samples.push(Sample::new(&position, score, rng.random_range(0..3)));
        }
        samples
    }

    /// The mean squared error computed plainly in 64 bits.
    fn plain_loss(shape: Shape, parameters: &[f64], samples: &[Sample]) -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let mut total = 0.0;
        for sample in samples {
            let bucket = (sample.count() - 2) * shape.buckets / 32;
            let mut out = parameters[shape.output_bias(bucket)];
            for half in 0..2 {
                let king = if half == 0 { sample.our_king } else { sample.their_king };
                let mirror = if king % 8 > 3 { 7 } else { 0 };
                for neuron in 0..shape.hidden {
                    let mut sum = parameters[shape.first(INPUTS, neuron)];
                    sample.for_each_man(|square, kind, theirs| {
                        let color = usize::from(theirs != (half == 1));
                        let square = if half == 0 { square } else { square ^ 0b11_1000 } ^ mirror;
                        sum += parameters[shape.first(color * 384 + kind * 64 + square, neuron)];
                    });
                    let weight = shape.output(bucket) + half * shape.hidden + neuron;
                    out += sum.clamp(0.0, 1.0).powi(2) * parameters[weight];
                }
            }
            let score = sigmoid(f64::from(sample.score) / f64::from(LABELS.scale));
            let share = f64::from(LABELS.result_share);
            let target = share * 0.5 * f64::from(sample.result) + (1.0 - share) * score;
            total += (sigmoid(out) - target).powi(2);
        }
        total / samples.len() as f64
    }

    fn check_gradient(shape: Shape, threads: usize) {
        let samples = some_samples(300);
        let mut model = Model::new(shape, threads, 3);
        // Rounded to what the forward pass can read, so that both compute the same function.
        model.parameters = model.parameters_as_read();
        let plain: Vec<f64> = model.parameters.iter().map(|&w| f64::from(w)).collect();
        let loss = plain_loss(shape, &plain, &samples);
        assert!((model.loss(&samples, LABELS) - loss).abs() < 1e-6, "{shape:?}: loss {loss}");
        let gradient = model.gradient(&samples, LABELS);
        let largest = |range: std::ops::Range<usize>| {
            gradient[range].iter().fold(0f32, |most, g| most.max(g.abs()))
        };
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let first = 0..shape.first_layer();
        let output = shape.output(0)..shape.output(shape.buckets);
        let bias = shape.output(shape.buckets)..shape.parameters();
        for (range, count) in [(first, 40), (output, 30), (bias, 8)] {
            let most = f64::from(largest(range.clone()));
            assert!(most > 0.0);
            let mut checked = 0;
            while checked < count {
                let at = rng.random_range(range.clone());
                if gradient[at] == 0.0 && range.len() > 8 {
                    continue;
                }
                let shifted = |by: f64| {
                    let mut plain = plain.clone();
                    plain[at] += by;
                    plain_loss(shape, &plain, &samples)
                };
                let step = 1e-5;
                let numeric = (shifted(step) - shifted(-step)) / (2.0 * step);
                let exact = f64::from(gradient[at]) / samples.len() as f64;
                let allowed = 0.01 * most / samples.len() as f64;
                assert!((numeric - exact).abs() < allowed, "{at}: {numeric:e} {exact:e}");
                checked += 1;
            }
        }
    }

    #[test]
    fn gradients_agree_with_differences_of_the_loss() {
        check_gradient(SMALL, 1);
        check_gradient(Shape { hidden: 64, buckets: 1 }, 2);
    }

    #[test]
    fn the_same_seed_and_threads_train_the_same_network_bit_for_bit() {
        let samples = some_samples(4000);
        let train = |threads| {
            let mut model = Model::new(SMALL, threads, 5);
            for epoch in 0..3 {
                let order = shuffled(samples.len(), 5, epoch);
                for batch in order.chunks(1000) {
                    model.step(&samples, batch, LABELS, 0.001);
                }
            }
            model.state()
        };
        assert!(train(2) == train(2));
        assert!(train(3) == train(3));
    }

    #[test]
    fn training_lowers_the_loss() {
        let mut samples = some_samples(2000);
        for sample in &mut samples {
            // Something a network can learn: who has more men.
            let theirs =
                (0..sample.count()).filter(|i| sample.men[i / 2] >> (4 * (i % 2)) & 8 != 0);
            let lead = sample.count() as i16 - 2 * theirs.count() as i16;
            (sample.score, sample.result) = (200 * lead, (lead.signum() + 1) as u8);
        }
        let mut model = Model::new(SMALL, 2, 5);
        let before = model.loss(&samples, LABELS);
        for epoch in 0..60 {
            model.step(&samples, &shuffled(samples.len(), 1, epoch), LABELS, 0.003);
        }
        let after = model.loss(&samples, LABELS);
        assert!(after < before / 4.0, "{before} {after}");
    }
}
