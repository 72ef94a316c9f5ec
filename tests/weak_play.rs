//! How the weakest level errs. What a player of the same strength does who moves at random now and then
//! is measured by the example `weak_play`.
#![cfg(feature = "engine")]

use std::sync::atomic::AtomicBool;

use qishou::chess::Game;
use qishou::search::{Engine, LEAST_ELO, Limits};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "support/hanging.rs"]
mod hanging;

/// Beside its own moves, a random move is looked at in each position: those hang pieces all the time.
#[test]
fn the_weakest_level_seldom_leaves_a_piece_hanging_for_one_move() {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut engine = Engine::new();
    engine.set_strength(Some(LEAST_ELO));
    let (mut looked_at, mut own, mut random) = (0, 0, 0);
    for _ in 0..10 {
        let mut game = Game::default();
        while game.ending().is_none() && game.moves().len() < 80 {
            let position = *game.position();
            let found = engine.think(&game, Limits::default(), &NEVER, |_| ());
            let mv = found.unwrap().best.unwrap();
            let moves = position.legal_moves();
            let any = moves[rng.random_range(0..moves.len())];
            if let (Some(hung), Some(hung_by_chance)) =
                (hanging::hangs_a_piece(&position, mv), hanging::hangs_a_piece(&position, any))
            {
                looked_at += 1;
                own += u32::from(hung);
                random += u32::from(hung_by_chance);
            }
            game.play(mv).unwrap();
        }
    }
    eprintln!("of {looked_at} moves {own} left a piece hanging; random ones: {random}");
    assert!(looked_at > 300 && random > 30, "{looked_at} {random}");
    assert!(3 * own < random, "{own} of {looked_at}, random moves {random}");
}
