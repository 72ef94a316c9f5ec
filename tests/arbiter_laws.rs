//! Dead positions in bulk.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a failing test panics; figures")]

use std::collections::HashSet;
use std::time::{Duration, Instant};

use qishou::chess::{Color, Fen, Game, Position};
use qishou::referee::dead::{Effort, Life, can_mate, judge};
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

/// A game of random moves from a position, with all its positions.
fn random_game(start: Position, most: usize, rng: &mut impl Rng) -> Vec<Position> {
    let mut game = Game::new(start);
    let mut positions = vec![start];
    while game.ending().is_none() && game.moves().len() < most {
        let moves = game.position().legal_moves();
        game.play(*moves.choose(rng).unwrap()).unwrap();
        positions.push(*game.position());
    }
    positions
}

/// Whether another move generator finds a mate among all positions that can be reached; nothing is
/// known here but that kings with one knight, or with bishops on one colour, can't mate.
fn reaches_mate(position: &Position) -> bool {
    use cozy_chess::{BitBoard, Board, GameStatus, Piece};
    let start: Board = Fen::of(position).to_string().parse().unwrap();
    let (mut seen, mut left) = (HashSet::from([start.hash()]), vec![start]);
    while let Some(board) = left.pop() {
        let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|kind| board.pieces(kind));
        let others = board.occupied() ^ board.pieces(Piece::King) ^ knights ^ bishops;
        let on_light = bishops & BitBoard(0x55AA_55AA_55AA_55AA);
        let one_color = on_light.is_empty() || on_light == bishops;
        let few = knights.is_empty() && one_color || knights.len() == 1 && bishops.is_empty();
        if others.is_empty() && few {
            continue;
        }
        if board.status() == GameStatus::Won {
            return true;
        }
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                if seen.insert(child.hash()) {
                    left.push(child);
                }
            }
            false
        });
    }
    false
}

/// RULES 2.4: among 10,000 positions of games none is called dead from which a mate can be reached,
/// and a position is judged in less than a millisecond on average.
#[test]
fn rule_2_4_no_position_of_10_000_from_games_is_falsely_called_dead() {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    let (mut positions, mut mates, mut dead) = (0, 0, 0);
    let mut time = Duration::ZERO;
    while positions < 10_000 {
        let game = random_game(Position::startpos(), 300, &mut rng);
        let last = game[game.len() - 1];
        mates += usize::from(last.in_check() && !last.has_legal_move());
        positions += game.len();
        let begin = Instant::now();
        let lives: Vec<Life> = game.iter().map(|at| judge(at, Effort::MATCH)).collect();
        time += begin.elapsed();
        for (position, life) in game.iter().zip(lives) {
            if life == Life::Dead {
                dead += 1;
                assert!(!reaches_mate(position), "{}", Fen::of(position));
            }
        }
    }
    assert!(mates > 0 && dead > 0);
    println!("{positions} positions, {dead} dead, {:?} each", time / positions as u32);
    assert!(time < Duration::from_millis(1) * positions as u32, "{time:?}");
}

/// RULES 2.4: the same where walls stand, and it is not so easy to see who can get through.
#[test]
fn rule_2_4_no_position_behind_walls_is_falsely_called_dead() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let (mut dead, mut positions) = (0, 0);
    for (start, _) in suite() {
        for position in random_game(start, 12, &mut rng).into_iter().step_by(4) {
            positions += 1;
            if judge(&position, Effort::MATCH) == Life::Dead {
                dead += 1;
                assert!(!reaches_mate(&position), "{}", Fen::of(&position));
            }
        }
    }
    println!("{positions} positions, {dead} dead");
    assert!(4 * dead > positions && dead < positions, "{dead} of {positions}");
}

/// RULES 2.10: whether a side may yet mate is found out in a moment, though it is looked for long.
#[test]
fn rule_2_10_a_fallen_flag_is_judged_in_a_moment() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let (mut asked, mut unknown, mut longest) = (0_u32, 0_u32, Duration::ZERO);
    let begin = Instant::now();
    for _ in 0..20 {
        for position in random_game(Position::startpos(), 300, &mut rng).iter().step_by(20) {
            for side in Color::ALL {
                let begin = Instant::now();
                let found = can_mate(position, side, Effort::MATCH.once());
                longest = longest.max(begin.elapsed());
                asked += 1;
                unknown += u32::from(found.is_none());
                // What has happened is possible.
                if position.in_check()
                    && !position.has_legal_move()
                    && side != position.side_to_move()
                {
                    assert_eq!(found, Some(true), "{}", Fen::of(position));
                }
            }
        }
    }
    let mean = begin.elapsed() / asked;
    println!("{asked} questions, {unknown} without an answer, {mean:?} each, {longest:?} at most");
    assert!(4 * unknown < asked && longest < Duration::from_secs(10));
}
