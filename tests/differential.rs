//! The rules against an independent implementation, `cozy-chess`, along random games.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use cozy_chess::Board;
use qishou::chess::perft::{CpuLevel, perft_at};
use qishou::chess::{Fen, Move, MoveList, Piece, PieceKind, Position, Square};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// From, to and promotion: what both sides say of a move, castling as king takes rook in both.
type Triple = (u8, u8, Option<u8>);

const GAME_LENGTH: usize = 200;

fn ours(mv: Move) -> Triple {
    (mv.from() as u8, mv.to() as u8, mv.promoted().map(|kind| kind as u8))
}

fn theirs(mv: cozy_chess::Move) -> Triple {
    (mv.from as u8, mv.to as u8, mv.promotion.map(|kind| kind as u8))
}

fn same_men(position: &Position, board: &Board) -> bool {
    Square::ALL.into_iter().all(|square| {
        let other = cozy_chess::Square::index(square as usize);
        let there = board.piece_on(other).zip(board.color_on(other));
        position.piece_on(square).map(|man| (man.kind as u8, man.color as u8))
            == there.map(|(piece, color)| (piece as u8, color as u8))
    })
}

/// Compares everything that can be said of one position. Returns its legal moves.
fn compare(position: &Position, board: &Board, rng: &mut ChaCha8Rng) -> MoveList {
    let fen = Fen::shredder(position);
    assert!(same_men(position, board), "{fen} is {board:#}");

    let moves = position.legal_moves();
    let mut mine: Vec<Triple> = moves.iter().map(|&mv| ours(mv)).collect();
    let mut other = Vec::new();
    board.generate_moves(|set| {
        other.extend(set.into_iter().map(theirs));
        false
    });
    mine.sort_unstable();
    other.sort_unstable();
    assert_eq!(mine, other, "{fen}");
    assert_eq!(position.checkers().0, board.checkers().0, "{fen}");
    assert_eq!(position.has_legal_move(), !other.is_empty(), "{fen}");

    let mate = moves.is_empty() && position.in_check();
    let their_mate = board.status() == cozy_chess::GameStatus::Won;
    assert_eq!(mate, their_mate, "{fen}");

    assert_eq!(*position.keys(), position.recomputed_keys(), "{fen}");
    let judged = position.setup().position();
    assert_eq!(judged.as_ref(), Ok(position), "made and judged positions are the same: {fen}");

    let count = moves.len() as u64;
    assert_eq!(position.count_moves(), count, "{fen}");
    for level in [CpuLevel::Baseline, CpuLevel::V3, CpuLevel::V4] {
        assert_eq!(perft_at(level, position, 1), count, "{level:?} {fen}");
        assert_eq!(perft_at(level, &position.without_keys(), 1), count, "{level:?} {fen}");
    }
    compare_stages(position, &moves);
    compare_legality(position, &moves, rng);
    moves
}

/// Noisy and quiet moves together are all, and each is what it should be.
fn compare_stages(position: &Position, moves: &MoveList) {
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.add_noisy_moves(&mut noisy);
    position.add_quiet_moves(&mut quiet);
    assert!(noisy.iter().all(|&mv| position.is_noisy(mv)), "{}", Fen::of(position));
    assert!(!quiet.iter().any(|&mv| position.is_noisy(mv)), "{}", Fen::of(position));
    let mut stages: Vec<u16> = noisy.iter().chain(&quiet).map(|mv| mv.bits()).collect();
    let mut all: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
    let mut visited = Vec::new();
    position.for_each_move(|mv| visited.push(mv.bits()));
    assert_eq!(visited, all, "{}", Fen::of(position));
    stages.sort_unstable();
    all.sort_unstable();
    assert_eq!(stages, all, "{}", Fen::of(position));
}

/// `is_legal` tells the members of the list from other bits: random ones, and legal moves with
/// one bit turned over.
fn compare_legality(position: &Position, moves: &MoveList, rng: &mut ChaCha8Rng) {
    for index in 0..24 {
        let mut bits: u16 = rng.random();
        if index < 16 && !moves.is_empty() {
            bits = moves[rng.random_range(0..moves.len())].bits() ^ 1 << index;
        }
        let Some(mv) = Move::from_bits(bits) else { continue };
        let legal = position.is_legal(mv);
        assert_eq!(legal, moves.contains(&mv), "{mv} ({bits:#06x}) in {}", Fen::of(position));
        assert!(!legal || position.is_pseudo_legal(mv));
    }
    assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{}", Fen::of(position));
}

/// Plays one random game on both boards. Returns how many positions it has compared.
fn compare_game(mut position: Position, mut board: Board, rng: &mut ChaCha8Rng) -> usize {
    for ply in 0..GAME_LENGTH {
        let moves = compare(&position, &board, rng);
        // cozy-chess ends the game at a hundred plies; its list of moves is the same.
        if moves.is_empty() {
            return ply + 1;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        let (from, to, promotion) = ours(mv);
        board.play_unchecked(cozy_chess::Move {
            from: cozy_chess::Square::index(usize::from(from)),
            to: cozy_chess::Square::index(usize::from(to)),
            promotion: promotion.map(|kind| cozy_chess::Piece::index(usize::from(kind))),
        });
        position.play(mv);
    }
    GAME_LENGTH
}

/// Random games from standard, Chess960 and DFRC starts in turn.
fn compare_games(positions: usize, seed: u64) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut compared = 0;
    for game in 0.. {
        if compared >= positions {
            break;
        }
        let (white, black) = (rng.random_range(0..960), rng.random_range(0..960));
        let (position, board) = match game % 3 {
            0 => (Position::startpos(), Board::startpos()),
            1 => (Position::chess960(white as u16).unwrap(), Board::chess960_startpos(white)),
            _ => (
                Position::double_chess960(white as u16, black as u16).unwrap(),
                Board::double_chess960_startpos(white, black),
            ),
        };
        compared += compare_game(position, board, &mut rng);
    }
    compared
}

#[test]
fn random_games_agree_with_cozy_chess() {
    assert!(compare_games(50_000, 1) >= 50_000);
}

#[test]
#[ignore = "a million positions: about a minute in release"]
fn a_million_positions_agree_with_cozy_chess() {
    assert!(compare_games(1_000_000, 2) >= 1_000_000);
}

#[test]
fn every_chess960_start_is_that_of_cozy_chess() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for number in 0..960 {
        let position = Position::chess960(number).unwrap();
        compare(&position, &Board::chess960_startpos(u32::from(number)), &mut rng);
        let text = Fen::shredder(&position).to_string();
        assert_eq!(text, format!("{:#}", Board::chess960_startpos(u32::from(number))));
    }
}

#[test]
fn what_an_observer_hears_makes_the_new_board_of_the_old() {
    struct Men([Option<Piece>; 64]);
    impl qishou::chess::Observer for Men {
        const LISTENS: bool = true;
        fn removed(&mut self, piece: Piece, square: Square) {
            assert_eq!(self.0[square], Some(piece), "removed from {square}");
            self.0[square] = None;
        }
        fn added(&mut self, piece: Piece, square: Square) {
            self.0[square] = Some(piece);
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for game in 0..60 {
        let mut position = Position::chess960(game * 16).unwrap();
        for _ in 0..GAME_LENGTH {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            let mut changes = Changes::default();
            let mut men = Men(position.setup().men);
            position.clone().play_with(mv, &mut changes);
            // All removals first: in Chess960 castling king and rook may change places.
            for &(piece, square) in &changes.removed {
                qishou::chess::Observer::removed(&mut men, piece, square);
            }
            for &(piece, square) in &changes.added {
                qishou::chess::Observer::added(&mut men, piece, square);
            }
            let expected = match (mv.is_castling(), position.is_capture(mv)) {
                (true, _) => (2, 2),
                (_, true) => (2, 1),
                _ => (1, 1),
            };
            assert_eq!((changes.removed.len(), changes.added.len()), expected);
            position.play(mv);
            assert_eq!(men.0, position.setup().men, "{mv}");
        }
    }
}

#[derive(Default)]
struct Changes {
    removed: Vec<(Piece, Square)>,
    added: Vec<(Piece, Square)>,
}

impl qishou::chess::Observer for Changes {
    const LISTENS: bool = true;
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }
}

#[test]
fn a_castling_move_with_stray_promotion_bits_is_not_legal() {
    let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let castling = Move::castling(Square::E1, Square::H1);
    assert!(position.is_legal(castling));
    for stray in 1..4 {
        let mv = Move::from_bits(castling.bits() | stray << 12).unwrap();
        assert!(!position.is_legal(mv), "{:#06x}", mv.bits());
    }
    assert_eq!(position.kind_on(Square::H1), Some(PieceKind::Rook));
}
