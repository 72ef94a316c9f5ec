//! What an evaluation by the network costs: `cargo bench --bench eval`.
//!
//! `incremental`: the sums of both perspectives after one move (2 changes each, 3 with a capture,
//! as often as in random play), and the output layer. `warm` goes round a few lines whose rows of
//! weights stay in the nearest caches; before each round of `cold` everything is driven out of
//! them but what a search touches all the time: the sums of the ply before and the output weights.
#![expect(missing_docs, reason = "functions made by a macro of criterion")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use qishou::chess::Position;
use qishou::eval::{Architecture, Evaluator, Level, Network};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "../tests/support/random_network.rs"]
mod random_network;

/// Evaluators one move after a position of a random game that has been evaluated.
fn lines(network: &Arc<Network>, count: usize, seed: u64) -> Vec<(Evaluator, Position)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut position = Position::startpos();
        for _ in 0..10 + rng.next_u32() % 40 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.next_u32() as usize % moves.len()]);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            continue;
        }
        let mv = moves[rng.next_u32() as usize % moves.len()];
        let mut evaluator = Evaluator::new(Some(Arc::clone(network)));
        evaluator.reset(&position);
        let child = evaluator.play(&position, mv);
        lines.push((evaluator, child));
    }
    lines
}

fn network(hidden: usize, level: Level, seed: u64) -> Arc<Network> {
    let network = random_network::network(Architecture::with_hidden(hidden), seed);
    Arc::new(network.with_level(level))
}

const LINES: usize = 16;

/// Makes and forgets all evaluations of a round.
fn round(lines: &mut [(Evaluator, Position)]) {
    for (evaluator, position) in lines {
        evaluator.forget();
        black_box(evaluator.evaluate(position));
    }
}

fn incremental(criterion: &mut Criterion) {
    // More than the second-level cache holds.
    let mut rubbish = vec![1u64; 1 << 19];
    for hidden in [128, 256, 512] {
        for level in Level::available() {
            let mut lines = lines(&network(hidden, level, 1), LINES, 1);
            for cold in [false, true] {
                let name = if cold { "cold" } else { "warm" };
                let name = format!("incremental/{hidden}/{level}/{name}");
                criterion.bench_function(&name, |bencher| {
                    bencher.iter_custom(|evaluations| {
                        let mut time = Duration::ZERO;
                        let rounds = evaluations.div_ceil(LINES as u64);
                        for _ in 0..rounds {
                            if cold {
                                rubbish.iter_mut().step_by(8).for_each(|number| *number += 1);
                                for (evaluator, position) in &mut lines {
                                    black_box(evaluator.evaluate(position));
                                }
                            }
                            let start = Instant::now();
                            round(&mut lines);
                            time += start.elapsed();
                        }
                        time.mul_f64(evaluations as f64 / (rounds * LINES as u64) as f64)
                    });
                });
            }
        }
    }
}

fn parts(criterion: &mut Criterion) {
    for level in Level::available() {
        let (mut evaluator, position) = lines(&network(256, level, 1), 1, 1).remove(0);
        criterion.bench_function(&format!("output/256/{level}"), |bencher| {
            bencher.iter(|| black_box(evaluator.evaluate(black_box(&position))));
        });
        let mut ends = lines(&network(256, level, 1), 2, 1);
        let (mut evaluator, _) = ends.remove(0);
        let positions = [position, ends[0].1];
        let mut at = 0;
        criterion.bench_function(&format!("reset/256/{level}"), |bencher| {
            bencher.iter(|| {
                at ^= 1;
                evaluator.reset(&positions[at]);
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(700));
    targets = incremental, parts
}
criterion_main!(benches);
