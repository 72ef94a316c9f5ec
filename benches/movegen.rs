//! What making a move and listing moves cost, and what of it is copying the position.
#![expect(missing_docs, reason = "functions made by a macro of criterion")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use qishou::chess::{Move, Position};

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Every legal move of every position, with its position.
fn moves() -> Vec<(Position, Move)> {
    let positions = FENS.map(|fen| fen.parse::<Position>().expect("a legal position"));
    positions.iter().flat_map(|p| p.legal_moves().into_iter().map(|mv| (*p, mv))).collect()
}

fn bench(criterion: &mut Criterion) {
    let moves = moves();
    let keyless: Vec<_> = moves.iter().map(|(p, mv)| (p.without_keys(), *mv)).collect();
    let mut group = criterion.benchmark_group("move");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("copy a position", |bencher| {
        bencher.iter(|| {
            for (position, _) in &moves {
                black_box(*position);
            }
        });
    });
    group.bench_function("copy and make", |bencher| {
        bencher.iter(|| {
            for (position, mv) in &moves {
                black_box(position.child(*mv));
            }
        });
    });
    group.bench_function("copy and make without keys", |bencher| {
        bencher.iter(|| {
            for (position, mv) in &keyless {
                black_box(position.child(*mv));
            }
        });
    });
    group.bench_function("is_legal", |bencher| {
        bencher.iter(|| {
            for (position, mv) in &moves {
                black_box(position.is_legal(*mv));
            }
        });
    });
    group.bench_function("legal_moves", |bencher| {
        bencher.iter(|| {
            for (position, _) in &moves {
                black_box(position.legal_moves());
            }
        });
    });
    group.bench_function("count_moves", |bencher| {
        bencher.iter(|| {
            for (position, _) in &moves {
                black_box(position.count_moves());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
