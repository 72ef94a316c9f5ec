//! Two players that move at random, and a referee that says how the game ended.
//!
//! `cargo run --release --example referee_game`
#![expect(clippy::print_stdout, reason = "it prints")]

use qishou::chess::Game;
use qishou::referee::{Adjudication, Answer, Played, play_game};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

fn game(seed: u64) -> Played {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    play_game(Game::default(), &Adjudication::default(), |game| {
        let moves = game.position().legal_moves();
        moves.choose(&mut chance).map_or(Answer::Stop, |&mv| Answer::Move(mv, None))
    })
}

fn main() {
    for seed in 0..5 {
        let played = game(seed);
        if let Some(verdict) = &played.verdict {
            println!("game {seed}: {verdict} after {} plies", played.game.moves().len());
        }
    }
}

#[test]
fn every_game_ends_with_a_verdict() {
    assert!((0..3).all(|seed| game(seed).verdict.is_some()));
}
