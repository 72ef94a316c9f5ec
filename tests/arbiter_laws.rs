//! Dead positions and recorded games, in bulk.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a failing test panics; figures")]

use std::time::{Duration, Instant};

use qishou::chess::{Game, Position};
use qishou::pgn;
use qishou::referee::dead::{Effort, Life, judge};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The positions of the suite with what is known of each.
fn suite() -> Vec<(Position, &'static str)> {
    let lines = include_str!("data/dead_positions.tsv").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('\t');
            (fields.next().unwrap().parse().unwrap(), fields.next().unwrap())
        })
        .collect()
}

/// RULES 2.4: what a match can afford proves most dead positions and no live one.
#[test]
fn rule_2_4_no_live_position_is_called_dead_and_most_dead_ones_are() {
    let (mut dead, mut proved) = (0, 0);
    for (position, known) in suite() {
        let found = judge(&position, Effort::MATCH);
        match known {
            "dead" => {
                assert_ne!(found, Life::Live, "{position:?}");
                dead += 1;
                proved += usize::from(found == Life::Dead);
            }
            "live" => assert_ne!(found, Life::Dead, "{position:?}"),
            _ => {}
        }
    }
    assert!(dead >= 40, "the suite has been read");
    assert!(10 * proved >= 8 * dead, "{proved} of {dead}");
}

/// One game of random moves, but captures and pawn moves more often, so that it gets somewhere.
fn random_game(rng: &mut impl Rng) -> Vec<Position> {
    let mut game = Game::default();
    let mut positions = vec![*game.position()];
    while game.ending().is_none() && game.moves().len() < 300 {
        let moves = game.position().legal_moves();
        game.play(*moves.choose(rng).unwrap()).unwrap();
        positions.push(*game.position());
    }
    positions
}

#[test]
fn a_game_that_ends_in_mate_was_never_dead_and_judging_is_quick() {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    let (mut positions, mut mates) = (0, 0);
    let mut time = Duration::ZERO;
    while positions < 10_000 {
        let game = random_game(&mut rng);
        let last = game[game.len() - 1];
        let mated = last.in_check() && !last.has_legal_move();
        mates += usize::from(mated);
        positions += game.len();
        let begin = Instant::now();
        let dead = game.iter().position(|position| judge(position, Effort::MATCH) == Life::Dead);
        time += begin.elapsed();
        if mated {
            assert_eq!(dead, None);
        } else if let Some(ply) = dead {
            // The games end with the men that can't mate; nothing else here is dead.
            assert!(game[ply].is_insufficient_material() || game[ply].count_moves() < 4);
        }
    }
    assert!(mates > 0);
    println!("{positions} positions judged in {:?} each", time / positions as u32);
    // A millisecond each is the aim; test machines are busy.
    assert!(time < Duration::from_millis(10) * positions as u32, "{time:?}");
}

#[test]
fn games_that_are_written_read_back_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut text = String::new();
    let mut games = Vec::new();
    for number in [0, 17, 518, 959] {
        let mut game = Game::new(Position::chess960(number).unwrap());
        while game.ending().is_none() && game.moves().len() < 200 {
            let moves = game.position().legal_moves();
            // Castling is rare, so it is never passed by.
            let castling = moves.iter().find(|mv| mv.is_castling()).copied();
            game.play(castling.unwrap_or_else(|| *moves.choose(&mut rng).unwrap())).unwrap();
        }
        let mut record = pgn::Record { game: game.clone(), ..pgn::Record::default() };
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", qishou::chess::Fen::shredder(game.start()).to_string());
        record.set_tag("Variant", "Chess960");
        text.push_str(&record.to_string());
        games.push(game);
    }
    let read = pgn::read(&text);
    assert_eq!(read.len(), games.len());
    for (record, game) in read.iter().zip(&games) {
        assert_eq!(record.flaws, []);
        assert_eq!(record.game.moves(), game.moves());
        assert_eq!(record.game.start(), game.start());
    }
}
