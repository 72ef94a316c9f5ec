//! Perft beside the generators of `cozy-chess` and `chess`, one thread, no table, all in one run.
//!
//! `cargo bench --bench perft`: the baseline target; `RUSTFLAGS="-C target-cpu=native" cargo bench
//! --bench perft`: the same flags for all three. Every count is checked. After the measurements
//! a table of the best times and their ratios is printed.
#![expect(missing_docs, reason = "functions made by a macro of criterion")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group};
use qishou::chess::Position;
use qishou::chess::perft::{CpuLevel, perft};

/// Name, position, depth, leaves.
const POSITIONS: [(&str, &str, u8, u64); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "promotions",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    ("open", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    (
        "middle game",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

fn cozy(board: &cozy_chess::Board, depth: u8) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy(&child, depth - 1);
            }
            false
        });
    }
    nodes
}

fn chess_crate(board: &chess::Board, depth: u8) -> u64 {
    let moves = chess::MoveGen::new_legal(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.map(|mv| chess_crate(&board.make_move_new(mv), depth - 1)).sum()
}

type Run = Box<dyn Fn() -> u64>;

/// Every generator on one position.
fn runs(fen: &'static str, depth: u8) -> [(&'static str, Run); 4] {
    let keyed: Position = fen.parse().expect("a legal position");
    let keyless = keyed.without_keys();
    let cozy_board: cozy_chess::Board = fen.parse().expect("a legal position");
    let chess_board: chess::Board = fen.parse().expect("a legal position");
    [
        ("keyless", Box::new(move || perft(&keyless, depth.into()))),
        ("keyed", Box::new(move || perft(&keyed, depth.into()))),
        ("cozy-chess", Box::new(move || cozy(&cozy_board, depth))),
        ("chess", Box::new(move || chess_crate(&chess_board, depth))),
    ]
}

fn bench(criterion: &mut Criterion) {
    for (name, fen, depth, leaves) in POSITIONS {
        // One ply less: criterion wants many runs.
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.sample_size(20).measurement_time(Duration::from_secs(2));
        group.warm_up_time(Duration::from_millis(300));
        for (generator, run) in runs(fen, depth - 1) {
            group.throughput(Throughput::Elements(run()));
            group.bench_function(generator, |bencher| bencher.iter(|| black_box(run())));
        }
        group.finish();
        for (generator, run) in runs(fen, depth) {
            assert_eq!(run(), leaves, "{generator} on {name}");
        }
    }
}

/// The best of three interleaved runs of each, at full depth, and how many times cozy-chess that is.
#[expect(clippy::print_stdout, reason = "the result of a command")]
fn ratios() {
    println!("\nMillion leaves a second, best of 3; level {:?}", CpuLevel::chosen());
    println!(
        "{:12} {:>9} {:>9} {:>11} {:>9} {:>13} {:>11}",
        "position", "keyless", "keyed", "cozy-chess", "chess", "keyless/cozy", "keyed/cozy"
    );
    let mut products = [1.0f64; 2];
    for (name, fen, depth, leaves) in POSITIONS {
        let runs = runs(fen, depth);
        let mut best = [f64::INFINITY; 4];
        for _ in 0..3 {
            for (best, (_, run)) in best.iter_mut().zip(&runs) {
                let start = Instant::now();
                black_box(run());
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        let [keyless, keyed, cozy, chess] = best.map(|seconds| leaves as f64 / seconds / 1e6);
        println!(
            "{name:12} {keyless:9.0} {keyed:9.0} {cozy:11.0} {chess:9.0} {:13.2} {:11.2}",
            keyless / cozy,
            keyed / cozy
        );
        products[0] *= keyless / cozy;
        products[1] *= keyed / cozy;
    }
    let [keyless, keyed] = products.map(|product| product.powf(1.0 / POSITIONS.len() as f64));
    println!("geometric mean over cozy-chess: keyless {keyless:.2}, keyed {keyed:.2}");
}

criterion_group!(benches, bench);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    ratios();
}
