//! The network's evaluation: equal to a slow reading of its definition, whatever moves led to a
//! position, on every SIMD level, and fair to both sides.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]

use std::sync::Arc;

use qishou::chess::{Color, Move, MoveFlag, Piece, PieceKind, Position, Setup, Square};
use qishou::eval::features::{feature, mirrors};
use qishou::eval::{Architecture, Evaluator, Level, Network, Weights};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "support/random_network.rs"]
mod random_network;

/// The evaluation by its definition, in 64 bits and without any cleverness.
fn by_definition(architecture: &Architecture, weights: &Weights, position: &Position) -> i32 {
    let Architecture { hidden, buckets, mirrored, scale } = *architecture;
    let men = position.occupied().len() as usize;
    let bucket = (men - 2) * buckets / 32;
    let us = position.side_to_move();
    let mut sum = 0i64;
    for (half, perspective) in [us, !us].into_iter().enumerate() {
        let mirror = mirrored && mirrors(position.king(perspective));
        for neuron in 0..hidden {
            let mut active = i64::from(weights.feature_bias[neuron]);
            for (square, man) in position.men() {
                let input = feature(perspective, mirror, man, square);
                active += i64::from(weights.feature_weights[input * hidden + neuron]);
            }
            let active = active.clamp(0, 255);
            let weight = weights.output_weights[bucket * 2 * hidden + half * hidden + neuron];
            sum += active * active * i64::from(weight);
        }
    }
    let units = sum / 255 + i64::from(weights.output_bias[bucket]);
    (units * i64::from(scale) / (255 * 64)).clamp(-20_000, 20_000) as i32
}

/// What happened in the random games, so that the test can't pass by missing something.
#[derive(Default, Debug)]
struct Seen {
    castlings: u32,
    en_passants: u32,
    promotions: u32,
    capture_promotions: u32,
    crossings: u32,
    null_moves: u32,
    undos: u32,
}

impl Seen {
    fn note(&mut self, position: &Position, mv: Move) {
        let us = position.side_to_move();
        let crosses = mirrors(position.king(us)) != mirrors(position.child(mv).king(us));
        self.crossings += u32::from(crosses);
        match mv.flag() {
            MoveFlag::Castling => self.castlings += 1,
            MoveFlag::EnPassant => self.en_passants += 1,
            MoveFlag::Promotion if position.is_capture(mv) => self.capture_promotions += 1,
            MoveFlag::Promotion => self.promotions += 1,
            MoveFlag::Normal => {}
        }
    }
}

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // Castling at hand, in standard chess and where king and rook stand in each other's way.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
    "rk5r/pppppppp/8/8/8/8/PPPPPPPP/R4KR1 w GAha - 0 1",
    // Promotions and en-passant captures soon.
    "1n2k1b1/P6P/8/pPpP4/8/4p2p/2P3P1/1B2K3 w - c6 0 1",
    // Few men and kings in the middle.
    "8/8/3k4/2p5/4P3/3K4/8/R7 w - - 0 1",
];

/// Walks at random through the tree below `start`, forward and back, and compares the
/// evaluation at some of the positions.
fn wander(
    architecture: &Architecture,
    weights: &Weights,
    evaluator: &mut Evaluator,
    start: &str,
    rng: &mut ChaCha8Rng,
    seen: &mut Seen,
) {
    let mut line: Vec<Position> = vec![start.parse().unwrap()];
    evaluator.reset(&line[0]);
    for _ in 0..150 {
        let position = *line.last().unwrap();
        let moves = position.legal_moves();
        if moves.is_empty() || rng.next_u32().is_multiple_of(6) {
            if line.len() > 1 {
                line.pop();
                evaluator.undo();
                seen.undos += 1;
            }
            continue;
        }
        // What is rare in random play is preferred when it can be had.
        let rare: Vec<Move> =
            moves.iter().copied().filter(|mv| mv.flag() != MoveFlag::Normal).collect();
        let mv = if !rare.is_empty() && rng.next_u32().is_multiple_of(2) {
            rare[rng.next_u32() as usize % rare.len()]
        } else {
            moves[rng.next_u32() as usize % moves.len()]
        };
        seen.note(&position, mv);
        let child = evaluator.play(&position, mv);
        assert_eq!(child, position.child(mv));
        line.push(child);
        if rng.next_u32().is_multiple_of(3) {
            let expected = by_definition(architecture, weights, &child);
            assert_eq!(evaluator.evaluate(&child), expected, "{child:?}");
            assert_eq!(evaluator.evaluate(&child), expected, "asked again: {child:?}");
        } else if !child.in_check() && rng.next_u32().is_multiple_of(8) {
            let mut passed = child;
            passed.play_null();
            let expected = by_definition(architecture, weights, &passed);
            assert_eq!(evaluator.evaluate(&passed), expected, "null move: {child:?}");
            seen.null_moves += 1;
        }
    }
}

#[test]
fn an_incremental_evaluation_is_the_evaluation_from_nothing_on_every_level() {
    let mut seen = Seen::default();
    let plain = Architecture { hidden: 32, buckets: 1, mirrored: false, scale: 333 };
    for (seed, architecture) in
        [(1, Architecture::with_hidden(64)), (2, plain), (3, Architecture::with_hidden(256))]
    {
        let weights = random_network::weights(&architecture, seed);
        for level in Level::available() {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let network = random_network::network(architecture, seed).with_level(level);
            let mut evaluator = Evaluator::new(Some(Arc::new(network)));
            for start in STARTS.into_iter().cycle().take(12) {
                wander(&architecture, &weights, &mut evaluator, start, &mut rng, &mut seen);
            }
        }
    }
    let Seen { castlings, en_passants, promotions, capture_promotions, .. } = seen;
    let Seen { crossings, null_moves, undos, .. } = seen;
    let rare = [castlings, en_passants, promotions, capture_promotions, crossings, null_moves];
    assert!(rare.into_iter().all(|count| count >= 20) && undos > 100, "{seen:?}");
}

/// A position with colours exchanged and ranks flipped.
fn flipped(position: &Position) -> Position {
    let setup = position.setup();
    let mut men = [None; 64];
    for square in Square::ALL {
        men[square.flip_rank()] =
            setup.men[square].map(|man: Piece| Piece::new(man.kind, !man.color));
    }
    let castling_rooks = setup.castling_rooks.into_iter().map(Square::flip_rank).collect();
    let en_passant = setup.en_passant.map(Square::flip_rank);
    let side_to_move = !setup.side_to_move;
    Setup { men, side_to_move, castling_rooks, en_passant, ..setup }.position().unwrap()
}

fn evaluate(evaluator: &mut Evaluator, position: &Position) -> i32 {
    evaluator.reset(position);
    evaluator.evaluate(position)
}

#[test]
fn a_position_with_colours_exchanged_has_the_same_evaluation() {
    let network = random_network::network(Architecture::with_hidden(64), 7);
    for mut evaluator in [Evaluator::new(Some(Arc::new(network))), Evaluator::new(None)] {
        for start in STARTS {
            let mut position: Position = start.parse().unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(11);
            for _ in 0..40 {
                let expected = evaluate(&mut evaluator, &position);
                assert_eq!(evaluate(&mut evaluator, &flipped(&position)), expected, "{position:?}");
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.next_u32() as usize % moves.len()]);
            }
        }
    }
}

#[test]
fn a_mirrored_network_sees_a_position_and_its_mirror_image_alike() {
    let network = random_network::network(Architecture::with_hidden(32), 3);
    let mut evaluator = Evaluator::new(Some(Arc::new(network)));
    for (fen, mirror) in [
        ("4k3/pp6/8/3n4/8/5P2/P7/1K3R2 w - - 0 1", "3k4/6pp/8/4n3/8/2P5/7P/2R3K1 w - - 0 1"),
        ("8/1k6/8/8/3Q4/8/8/6K1 b - - 0 1", "8/6k1/8/8/4Q3/8/8/1K6 b - - 0 1"),
    ] {
        let both = [fen, mirror].map(|fen| evaluate(&mut evaluator, &fen.parse().unwrap()));
        assert_eq!(both[0], both[1], "{fen}");
    }
}

#[test]
fn the_largest_sums_that_are_let_pass_are_exact() {
    // Every activation at 255 and every output weight at its bound, in the widest network.
    for weight in [127, -127] {
        let architecture = Architecture { hidden: 512, scale: 2, ..Architecture::with_hidden(32) };
        let mut weights = random_network::weights(&architecture, 1);
        weights.feature_weights.fill(1000);
        weights.feature_bias.fill(767);
        weights.output_weights.fill(weight);
        let position = Position::startpos();
        let expected = by_definition(&architecture, &weights, &position);
        assert!(expected.signum() == i32::from(weight.signum()) && expected.abs() > 4000);
        for level in Level::available() {
            let network = Network::new(architecture, &weights, "").unwrap().with_level(level);
            let mut evaluator = Evaluator::new(Some(Arc::new(network)));
            assert_eq!(evaluate(&mut evaluator, &position), expected, "{level}");
        }
    }
}

#[test]
fn an_evaluation_stays_far_from_mate_scores() {
    let architecture = Architecture { scale: 10_000, ..Architecture::with_hidden(32) };
    for (bias, expected) in [(i32::MAX, 20_000), (i32::MIN, -20_000)] {
        let mut weights = random_network::weights(&architecture, 1);
        weights.output_bias.fill(bias);
        let network = Network::new(architecture, &weights, "").unwrap();
        let mut evaluator = Evaluator::new(Some(Arc::new(network)));
        assert_eq!(evaluate(&mut evaluator, &Position::startpos()), expected);
    }
}

#[test]
fn buckets_divide_the_numbers_of_men_evenly() {
    let eight = Architecture::with_hidden(32);
    for men in 2..=32 {
        assert_eq!(eight.bucket(men), (men - 2) / 4, "{men} men");
        assert_eq!(Architecture { buckets: 1, ..eight }.bucket(men), 0);
    }
}

#[test]
fn the_trace_tells_what_each_man_is_worth() {
    let architecture = Architecture::with_hidden(32);
    let weights = random_network::weights(&architecture, 5);
    let network = random_network::network(architecture, 5);
    // Taking any of these men away leaves a legal position with White to move.
    let fen = "4k3/pp4pp/2n5/8/3P4/2N5/PP4PP/4K2R w - - 0 1";
    let position: Position = fen.parse().unwrap();
    let trace = qishou::eval::trace(Some(&network), &position);
    assert_eq!(trace.evaluation, by_definition(&architecture, &weights, &position));
    assert_eq!((trace.buckets.len(), trace.bucket), (8, Some(3)));
    assert_eq!(trace.buckets[3], trace.evaluation);
    for square in Square::ALL {
        let mut setup = position.setup();
        let man = setup.men[square].take();
        let expected = man.filter(|man| man.kind != PieceKind::King).map(|_| {
            let without = setup.position().unwrap();
            trace.evaluation - by_definition(&architecture, &weights, &without)
        });
        assert_eq!(trace.worth[square], expected, "{square}");
    }
}

#[test]
fn a_trace_is_told_from_the_white_side() {
    let network = random_network::network(Architecture::with_hidden(32), 5);
    for network in [Some(&network), None] {
        let black: Position = "4k3/8/2n5/8/3P4/8/8/4K2R b - - 0 1".parse().unwrap();
        let mut evaluator = Evaluator::new(network.map(|network| {
            let weights = network.weights();
            Arc::new(Network::new(*network.architecture(), &weights, "").unwrap())
        }));
        let trace = qishou::eval::trace(network, &black);
        assert_eq!(black.side_to_move(), Color::Black);
        assert_eq!(trace.evaluation, -evaluate(&mut evaluator, &black));
    }
    let rook_up: Position = "4k3/8/8/8/8/8/8/4K2R b - - 0 1".parse().unwrap();
    let trace = qishou::eval::trace(None, &rook_up);
    assert!(trace.worth[Square::H1].unwrap() > 300 && trace.evaluation > 300, "{trace:?}");
}
