//! What an evaluation by the network costs: `cargo bench --bench eval`.
//!
//! `incremental`: the sums of both perspectives after one move (2 changes each, 3 with a capture,
//! as often as in random play), and the output layer. `warm` walks over a few lines whose rows of
//! weights lie in the second-level cache, `cold` over networks that together don't fit there.

use std::hint::black_box;
use std::sync::Arc;

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

fn incremental(criterion: &mut Criterion) {
    for hidden in [128, 256, 512] {
        for level in Level::available() {
            let warm = lines(&network(hidden, level, 1), 16, 1);
            // Of different networks, so that no two lines share a row.
            let mut cold: Vec<_> =
                (0..24).flat_map(|seed| lines(&network(hidden, level, seed), 16, seed)).collect();
            cold.sort_by_key(|(_, position)| position.key());
            for (heat, mut lines) in [("warm", warm), ("cold", cold)] {
                let name = format!("incremental/{hidden}/{level}/{heat}");
                let mut at = 0;
                criterion.bench_function(&name, |bencher| {
                    bencher.iter(|| {
                        at = if at + 1 == lines.len() { 0 } else { at + 1 };
                        let (evaluator, position) = &mut lines[at];
                        evaluator.forget();
                        black_box(evaluator.evaluate(position))
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
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(700));
    targets = incremental, parts
}
criterion_main!(benches);
