//! How a game ends: repetition, fifty and seventy-five moves, material, mate, stalemate (RULES 2).
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::time::{Duration, Instant};

use qishou::chess::{Color, Ending, Game, Move, Outcome, Position, Square};

/// A game from a FEN, with moves as UCI writes them.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(fen.parse().unwrap());
    play(&mut game, moves);
    game
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text).unwrap();
        game.play(mv).unwrap();
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn rule_2_6_a_position_that_occurs_for_the_third_time_may_be_claimed() {
    let mut game = game(START, KNIGHTS);
    assert_eq!((game.repetitions(), game.claimable_draw()), (2, None));
    play(&mut game, "g1f3 g8f6 f3g1");
    assert_eq!(game.repetitions(), 2, "the position with Black to move");
    assert_eq!(game.claimable_draw(), None);
    let back = Move::normal(Square::F6, Square::G8);
    assert_eq!(game.claimable_draw_with(back), Some(Ending::ThreefoldRepetition));
    let other = Move::normal(Square::F6, Square::H5);
    assert_eq!(game.claimable_draw_with(other), None);
    assert_eq!(game.claimable_draw_with(Move::normal(Square::F6, Square::F5)), None, "illegal");
    play(&mut game, "f6g8");
    assert_eq!((game.repetitions(), game.ending()), (3, None), "nothing ends without a claim");
    assert_eq!(game.claimable_draw(), Some(Ending::ThreefoldRepetition));
    assert!(Ending::ThreefoldRepetition.needs_claim());
}

#[test]
fn rule_2_8_the_fifth_occurrence_ends_the_game() {
    let mut game = game(START, &KNIGHTS.repeat(3));
    assert_eq!((game.repetitions(), game.ending()), (4, None));
    play(&mut game, KNIGHTS);
    assert_eq!((game.repetitions(), game.ending()), (5, Some(Ending::FivefoldRepetition)));
    assert!(!Ending::FivefoldRepetition.needs_claim());
    assert_eq!(Ending::FivefoldRepetition.outcome(), Outcome::Draw);
}

#[test]
fn rule_2_6_only_rights_that_can_be_used_make_positions_different() {
    // (what, FEN, moves, occurrences of the last position)
    let kings = "h2h1 d8c8 h1h2 c8d8 ";
    for (what, fen, moves, occurrences) in [
        (
            "no pawn can take on e3, so the first occurrence counts",
            "k2q4/8/8/8/8/8/4P3/7K w - - 0 1",
            "e2e4 d8c8 h1h2 c8d8 h2h1 d8c8 h1h2 c8d8 h2h1".to_owned(),
            3,
        ),
        (
            "the pawn that could take is pinned, so the first occurrence counts",
            "3k2q1/rr6/8/8/3p4/8/4P3/3R3K w - - 0 1",
            "e2e4 a7a6 h1h2 a6a7 h2h1 a7a6 h1h2 a6a7 h2h1".to_owned(),
            3,
        ),
        (
            "the pawn could take, so the first occurrence was another position",
            "3k2q1/rr6/8/8/3p4/8/4P3/4R2K w - - 0 1",
            "e2e4 a7a6 h1h2 a6a7 h2h1 a7a6 h1h2 a6a7 h2h1".to_owned(),
            2,
        ),
        (
            "the king may castle at first and not later",
            "3q4/k7/8/8/8/8/8/4K2R w K - 0 1",
            "h1g1 d8c8 g1h1 c8d8 h1g1 d8c8 g1h1 c8d8".to_owned(),
            2,
        ),
        (
            "castling that is barred for now is a right still",
            "3q1r2/k7/8/8/8/8/8/4K2R w K - 0 1",
            "e1e2 d8c8 e2e1 c8d8 e1e2 d8c8 e2e1 c8d8".to_owned(),
            2,
        ),
        (
            "without the right all occurrences count",
            "3q4/k7/8/8/8/8/8/4K2R w - - 0 1",
            "h1g1 d8c8 g1h1 c8d8 h1g1 d8c8 g1h1 c8d8".to_owned(),
            3,
        ),
        (
            "only positions after the pawn move count",
            "3q3k/8/8/8/8/8/4P2K/8 w - - 0 1",
            format!("{kings}e2e3 d8c8 h2h1 c8d8 h1h2"),
            2,
        ),
    ] {
        assert_eq!(game(fen, &moves).repetitions(), occurrences, "{what}");
    }
}

#[test]
fn rules_2_7_and_2_8_moves_without_capture_or_pawn_move() {
    let fen = |clock: u32| format!("7k/8/8/8/8/8/R7/K7 w - - {clock} 90");
    for (clock, claim, ending) in [
        (98, None, None),
        (99, Some(Ending::FiftyMoves), None),
        (148, Some(Ending::FiftyMoves), None),
        (149, Some(Ending::FiftyMoves), Some(Ending::SeventyFiveMoves)),
    ] {
        let mut game = game(&fen(clock), "");
        let mv = Move::normal(Square::A2, Square::B2);
        assert_eq!(game.claimable_draw_with(mv), claim, "announced at {clock}");
        game.play(mv).unwrap();
        assert_eq!((game.claimable_draw(), game.ending()), (claim, ending), "{clock}");
    }
    let mut after_capture = game("7k/8/8/8/8/8/Rp6/K7 w - - 120 90", "a2b2");
    assert_eq!((after_capture.claimable_draw(), after_capture.ending()), (None, None));
    play(&mut after_capture, "h8h7");
    assert_eq!(after_capture.position().halfmove_clock(), 1);
}

#[test]
fn rules_2_1_and_2_8_mate_comes_before_everything_else() {
    let mates = Some(Ending::Checkmate { winner: Color::White });
    for clock in [0, 99, 149, 400] {
        let game = game(&format!("6k1/5ppp/8/8/8/8/8/R5K1 w - - {clock} 90"), "a1a8");
        assert_eq!(game.ending(), mates, "{clock}");
        assert_eq!(game.claimable_draw(), None, "{clock}");
        assert_eq!(game.ending().unwrap().outcome(), Outcome::Win(Color::White));
    }
    let before = game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 90", "");
    assert_eq!(before.claimable_draw_with(Move::normal(Square::A1, Square::A8)), None);
    let black = game(START, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(black.ending(), Some(Ending::Checkmate { winner: Color::Black }));
    assert_eq!(black.ending().unwrap().outcome().to_string(), "0-1");
}

#[test]
fn rule_2_3_stalemate_draws() {
    for fen in [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 150 80",
        "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10",
        "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1",
    ] {
        let game = game(fen, "");
        assert_eq!(game.ending(), Some(Ending::Stalemate), "{fen}");
        assert_eq!(game.claimable_draw(), None);
    }
}

#[test]
fn rule_2_4_material_that_cannot_mate() {
    for (fen, insufficient) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4kn2/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true),
        // Any number of bishops on one colour, whoever has them.
        ("8/8/8/8/4b3/8/K5B1/2k5 w - - 0 1", true),
        ("8/8/4k3/8/4B3/3BK3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/4B3/4K3/6B1/8 w - - 0 1", true),
        ("8/5b2/4k3/8/4B3/4K3/6B1/1b6 w - - 0 1", true),
        // The other side of the line.
        ("8/8/4k3/8/4B3/4BK2/8/8 w - - 0 1", false),
        ("6bk/8/6K1/8/8/8/8/2B5 w - - 0 1", false),
        ("8/8/4k3/8/8/3NK3/4N3/8 w - - 0 1", false),
        ("kn6/8/1K6/3N4/8/8/8/8 w - - 0 1", false),
        ("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3BKN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/p7/4K3 w - - 0 1", false),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.is_insufficient_material(), insufficient, "{fen}");
        let expected = insufficient.then_some(Ending::InsufficientMaterial);
        assert_eq!(Game::new(position).ending(), expected, "{fen}");
    }
}

#[test]
fn undo_takes_moves_back_one_by_one() {
    let mut game = game(START, &KNIGHTS.repeat(2));
    play(&mut game, "e2e4 e7e5");
    for repetitions in [1, 3, 2, 2] {
        assert!(game.undo().is_some());
        assert_eq!(game.repetitions(), repetitions);
        assert_eq!(game.past_keys().len(), game.moves().len());
    }
    while game.undo().is_some() {}
    assert_eq!(game.position(), game.start());
}

#[test]
fn an_illegal_move_leaves_the_game_as_it_was() {
    let mut game = game(START, "e2e4");
    let before = game.clone();
    assert!(game.play(Move::normal(Square::E4, Square::E5)).is_err());
    assert_eq!((game.position(), game.moves()), (before.position(), before.moves()));
}

#[test]
fn a_game_of_many_thousand_plies_is_played_at_once() {
    let start = Instant::now();
    let mut game = Game::default();
    for _ in 0..5_000 {
        play(&mut game, KNIGHTS);
        let _ = (game.ending(), game.claimable_draw());
    }
    assert_eq!(game.repetitions(), 5_001);
    // A fraction of a second even in a debug build; the bound is for a machine under load.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
