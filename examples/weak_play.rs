//! How the weak levels err: the share of moves that leave a piece hanging for one move, beside that of
//! a player of the same strength who is strong but plays a random move now and then.
//!
//! `cargo run --release --example weak_play -- [--games N] ELO...`
//!
//! For each Elo the level plays itself; then the share of random moves is sought at which the random
//! player (2000 nodes for its other moves) scores as many points as the level, and that player's
//! errors are counted in the same games.
#![expect(clippy::print_stdout, reason = "it prints")]

use std::sync::atomic::AtomicBool;

use qishou::chess::{Color, Game, Move, Outcome, Position};
use qishou::search::{Engine, Limits};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "../tests/support/hanging.rs"]
mod hanging;

const NODES: u64 = 2000;
/// A game that is not over by then is drawn.
const LONGEST: usize = 300;

enum Player {
    Level(u32),
    /// Plays this share of its moves at random.
    Random(f64),
}

#[derive(Clone, Copy, Default)]
struct Errors {
    hung: u32,
    moves: u32,
}

impl Errors {
    fn share(self) -> f64 {
        100.0 * f64::from(self.hung) / f64::from(self.moves.max(1))
    }

    /// Half the width of the 95 % interval, in percent.
    fn error(self) -> f64 {
        let share = self.share() / 100.0;
        196.0 * (share * (1.0 - share) / f64::from(self.moves.max(1))).sqrt()
    }

    fn add(&mut self, other: Self) {
        self.hung += other.hung;
        self.moves += other.moves;
    }
}

fn random_move(position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// A few random moves, so that games differ.
fn opening(rng: &mut ChaCha8Rng) -> Game {
    loop {
        let mut game = Game::default();
        for _ in 0..6 {
            let Some(mv) = random_move(game.position(), rng) else { break };
            game.play(mv).expect("a legal move");
        }
        let position = *game.position();
        let fair = position.legal_moves().into_iter().map(|mv| hanging::balance(&position, mv).0);
        // Nothing hangs, for either side.
        if fair.max() == Some(0) {
            return game;
        }
    }
}

struct Hall {
    engine: Engine,
    rng: ChaCha8Rng,
}

impl Hall {
    fn choose(&mut self, player: &Player, game: &Game) -> Move {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let position = *game.position();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let (elo, limits) = match *player {
            Player::Random(share) if self.rng.random_bool(share) => {
                return random_move(&position, &mut self.rng).expect("the game goes on");
            }
            Player::Random(_) => (None, limits),
            Player::Level(elo) => (Some(elo), Limits::default()),
        };
        self.engine.set_strength(elo);
        let found = self.engine.think(game, limits, &NEVER, |_| ());
        found.and_then(|found| found.best).expect("the game goes on")
    }

    /// Plays a game; gives the points of the first player and the errors of both.
    fn play(&mut self, players: [&Player; 2], first_is: Color, start: &Game) -> (f64, [Errors; 2]) {
        let mut game = start.clone();
        let mut errors = [Errors::default(); 2];
        self.engine.new_game();
        while game.moves().len() < LONGEST {
            if let Some(ending) = game.ending() {
                let points = match ending.outcome() {
                    Outcome::Draw => 0.5,
                    Outcome::Win(color) => f64::from(u8::from(color == first_is)),
                };
                return (points, errors);
            }
            let position = *game.position();
            let number = usize::from(position.side_to_move() != first_is);
            let mv = self.choose(players[number], &game);
            if let Some(hung) = hanging::hangs_a_piece(&position, mv) {
                errors[number].add(Errors { hung: hung.into(), moves: 1 });
            }
            game.play(mv).expect("a legal move");
        }
        (0.5, errors)
    }

    /// The share of points of the first player over so many games, colours alternating, and the errors
    /// of both.
    fn matched(&mut self, players: [&Player; 2], games: u32) -> (f64, [Errors; 2]) {
        let (mut points, mut errors) = (0.0, [Errors::default(); 2]);
        let mut start = Game::default();
        for number in 0..games {
            if number.is_multiple_of(2) {
                start = opening(&mut self.rng);
            }
            let color = if number.is_multiple_of(2) { Color::White } else { Color::Black };
            let (won, found) = self.play(players, color, &start);
            points += won;
            errors[0].add(found[0]);
            errors[1].add(found[1]);
        }
        (points / f64::from(games), errors)
    }
}

fn main() {
    let mut games = 40;
    let mut levels = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = if word == "--games" { words.next() } else { Some(word.clone()) };
        match number.and_then(|number| number.parse().ok()) {
            Some(number) if word == "--games" => games = number,
            Some(elo) => levels.push(elo),
            None => {
                eprintln!("usage: weak_play [--games N] ELO...");
                std::process::exit(2);
            }
        }
    }
    let mut hall = Hall { engine: Engine::new(), rng: ChaCha8Rng::seed_from_u64(1) };
    println!(
        "| Elo | moves that leave a piece hanging | as strong with random moves | its moves that do |"
    );
    println!("|---|---|---|---|");
    for elo in levels {
        let level = Player::Level(elo);
        let (_, both) = hall.matched([&level, &level], games);
        let mut own = both[0];
        own.add(both[1]);
        let (mut low, mut high) = (0.0, 1.0);
        let mut theirs = Errors::default();
        let mut share = 0.5;
        for _ in 0..6 {
            share = f64::midpoint(low, high);
            let (points, errors) = hall.matched([&level, &Player::Random(share)], games);
            theirs = errors[1];
            if points > 0.5 { high = share } else { low = share }
        }
        println!(
            "| {elo} | {:.1} ± {:.1} % of {} | {:.0} % random | {:.1} ± {:.1} % of {} |",
            own.share(),
            own.error(),
            own.moves,
            100.0 * share,
            theirs.share(),
            theirs.error(),
            theirs.moves
        );
    }
}
