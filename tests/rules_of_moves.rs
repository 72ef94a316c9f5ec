//! How the men move: each test names the rule it shows (RULES 1.1 to 1.10).
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use qishou::chess::{Color, Game, Piece, PieceKind, Position, Square};

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

/// The legal moves of the man on a square as SAN, sorted.
fn moves_from(fen: &str, square: &str) -> Vec<String> {
    let position = position(fen);
    let from = Square::parse(square).unwrap();
    let moves = position.legal_moves();
    let mut texts: Vec<String> = moves
        .iter()
        .filter(|mv| mv.from() == from)
        .map(|&mv| position.uci(mv, true).to_string()[2..].to_owned())
        .collect();
    texts.sort();
    texts
}

/// Checks where the man on a square can go: goals and promotions; castling as king takes rook.
fn check(fen: &str, square: &str, goals: &str) {
    let mut expected: Vec<&str> = goals.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(moves_from(fen, square), expected, "{square} in {fen}");
}

/// Checks that these moves (UCI) are legal, one after the other.
fn after(fen: &str, moves: &str) -> Position {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text).unwrap_or_else(|e| panic!("{e} in {fen}"));
        game.play(mv).unwrap();
    }
    *game.position()
}

#[test]
fn rule_1_1_the_first_position_has_sixteen_men_a_side_and_white_begins() {
    assert!(Square::H1.is_light());
    assert!(!Square::A1.is_light());
    let start = Position::startpos();
    assert_eq!(start.side_to_move(), Color::White);
    for color in Color::ALL {
        assert_eq!(start.side(color).len(), 16);
        let counts = PieceKind::ALL.map(|kind| start.pieces(kind, color).len());
        assert_eq!(counts, [8, 2, 2, 2, 1, 1]);
    }
    let queen = |color| Some(Piece::new(PieceKind::Queen, color));
    assert_eq!(start.piece_on(Square::D1), queen(Color::White));
    assert_eq!(start.piece_on(Square::D8), queen(Color::Black));
    let mut position = start;
    for ply in 0..20 {
        let expected = if ply % 2 == 0 { Color::White } else { Color::Black };
        assert_eq!(position.side_to_move(), expected);
        position.play(position.legal_moves()[0]);
    }
}

#[test]
fn rule_1_2_the_king_steps_to_squares_that_are_not_attacked() {
    check("4k3/8/8/8/3K4/8/8/8 w - - 0 1", "d4", "c3 c4 c5 d3 d5 e3 e4 e5");
    check("4k3/8/8/8/8/8/8/K7 w - - 0 1", "a1", "a2 b1 b2");
    check("4k3/8/8/1r6/3K4/8/8/8 w - - 0 1", "d4", "c3 c4 d3 e3 e4");
    // Not along the line of the check: the king hides no square behind itself.
    check("4k3/8/8/8/r2K4/8/8/8 w - - 0 1", "d4", "c3 c5 d3 d5 e3 e5");
    check("8/8/3k4/8/3K4/8/8/8 w - - 0 1", "d4", "c3 c4 d3 e3 e4");
    // It takes what is unprotected, and nothing that is protected.
    check("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1", "d2 f1");
    check("3rk3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1", "f1");
}

#[test]
fn rule_1_3_rook_bishop_and_queen_slide_and_never_jump() {
    let fen =
        |man: char| format!("k7/8/3p4/8/1P1{man}2P1/8/5P2/3P3K w - - 0 1").replace("3P3K", "7K");
    let straight = "d1 d2 d3 d5 d6 c4 e4 f4";
    let diagonal = "a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3";
    check(&fen('R'), "d4", straight);
    check(&fen('B'), "d4", diagonal);
    check(&fen('Q'), "d4", &format!("{straight} {diagonal}"));
}

#[test]
fn rule_1_4_the_knight_jumps() {
    check("k7/8/8/8/3N4/8/8/7K w - - 0 1", "d4", "b3 b5 c2 c6 e2 e6 f3 f5");
    check("k7/8/8/2ppp3/2pNp3/2ppp3/8/7K w - - 0 1", "d4", "b3 b5 c2 c6 e2 e6 f3 f5");
    check("k7/8/2P5/8/3N4/8/8/N6K w - - 0 1", "d4", "b3 b5 c2 e2 e6 f3 f5");
    check("k7/8/8/8/8/8/8/N6K w - - 0 1", "a1", "b3 c2");
}

#[test]
fn rule_1_5_the_pawn_steps_once_or_twice_at_first_and_takes_diagonally() {
    check("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2", "e3 e4");
    check("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7", "e5 e6");
    check("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3", "e4");
    check("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2", "e3");
    check("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2", "");
    check("4k3/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1", "e2", "d3 e3 e4 f3");
    check("4k3/8/8/8/8/3P1p2/4P3/4K3 w - - 0 1", "e2", "e3 e4 f3");
    // Not round the edge of the board.
    check("4k3/8/8/8/7p/p7/7P/4K3 w - - 0 1", "h2", "h3");
    check("4k3/p7/7P/P7/8/8/8/4K3 b - - 0 1", "a7", "a6");
}

#[test]
fn rule_1_6_en_passant_at_once_after_a_double_step_and_by_a_pawn_only() {
    let fen = "4k3/3p4/8/4P3/8/8/7P/4K3 b - - 0 1";
    let taken = after(fen, "d7d5 e5d6");
    assert_eq!(taken.piece_on(Square::D5), None, "the passed pawn is gone");
    assert_eq!(taken.halfmove_clock(), 0);
    let refuse = |moves: &str, mv: &str| {
        let position = after(fen, moves);
        assert!(position.parse_uci(mv).is_err(), "{mv} after {moves}");
    };
    refuse("d7d5 h2h3 e8e7", "e5d6");
    refuse("d7d6 h2h3 d6d5", "e5d6");
    let knight = after("4k3/3p4/8/4N3/8/8/8/4K3 b - - 0 1", "d7d5");
    assert_eq!(knight.en_passant(), None, "no pawn is there to take");
    // Two pawns may, and each may be pinned by itself.
    check("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5", "c6 d6");
    check("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e5", "d6 e6");
    check("4k3/4r3/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e5", "e6");
    // Both pawns leave the king's rank, so it is illegal.
    check("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5", "e6");
    check("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "e4", "e3");
    // It is an answer to the check of the pawn that has just passed.
    check("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "e4", "d3");
}

#[test]
fn rule_1_7_a_pawn_on_the_last_rank_becomes_another_man_at_once() {
    check("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "a8b a8n a8q a8r");
    check("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "a8b a8n a8q a8r b8b b8n b8q b8r");
    check("n3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "");
    check("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2", "a1b a1n a1q a1r");
    // However many there are already.
    let tenth = after("4k3/P7/8/8/8/8/8/QQ2K3 w - - 0 1", "a7a8q");
    assert_eq!(tenth.pieces(PieceKind::Queen, Color::White).len(), 3);
    // It gives check, mate or stalemate with what it has become.
    for (fen, mv, check, legal) in [
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", true, true),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", false, true),
        ("6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", true, false),
        // The queen stalemates, the rook wins.
        ("8/6P1/7k/8/6K1/8/8/8 w - - 0 1", "g7g8q", false, false),
        ("8/6P1/7k/8/6K1/8/8/8 w - - 0 1", "g7g8r", false, true),
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "f7f8q", false, false),
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "f7f8r", false, true),
        // The knight saves: check, and the king must go.
        ("8/2P1k3/8/8/8/8/8/K7 w - - 0 1", "c7c8n", true, true),
    ] {
        let after = after(fen, mv);
        assert_eq!((after.in_check(), after.has_legal_move()), (check, legal), "{mv} in {fen}");
    }
}

#[test]
fn rule_1_8_castling_moves_king_and_rook_to_their_squares() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (moves, king, rook) in [
        ("e1g1", Square::G1, Square::F1),
        ("e1c1", Square::C1, Square::D1),
        ("a1a2 e8g8", Square::G8, Square::F8),
        ("h1h2 e8c8", Square::C8, Square::D8),
    ] {
        let after = after(fen, moves);
        assert_eq!(after.kind_on(king), Some(PieceKind::King), "{moves}");
        assert_eq!(after.kind_on(rook), Some(PieceKind::Rook), "{moves}");
        let own = after.castling_rooks() & after.side(!after.side_to_move());
        assert!(own.is_empty(), "{moves}: no right is left");
    }
}

#[test]
fn rule_1_8_castling_is_lost_for_good_once_king_or_rook_has_moved() {
    let fen = "4k3/p7/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (moves, castling) in [
        ("", "a1 h1"),
        ("e1e2 a7a6 e2e1 a6a5", ""),
        ("h1h2 a7a6 h2h1 a6a5", "a1"),
        ("a1a2 a7a6 a2a1 a6a5", "h1"),
    ] {
        let position = after(fen, moves);
        let rooks: Vec<String> = position
            .legal_moves()
            .iter()
            .filter(|mv| mv.is_castling())
            .map(|mv| mv.to().to_string())
            .collect();
        assert_eq!(rooks.join(" "), castling, "{moves}");
    }
    // A rook that is taken is lost with its right, even if another takes its place.
    let position = after("4k3/8/6b1/8/8/8/R7/R3K2R b KQ - 0 1", "g6e4 a2b2 e4h1 b2h2 e8d8 h2h1");
    assert_eq!(position.castling_rooks(), Square::A1.bitboard());
}

#[test]
fn rule_1_8_castling_is_barred_by_checks_attacked_squares_and_men_between() {
    for (what, fen, castling) in [
        ("nothing bars it", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1 h1"),
        ("in check", "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", ""),
        ("through f1", "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", "a1"),
        ("into g1", "4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", "a1"),
        ("through d1", "4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1", "h1"),
        ("into c1", "4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1", "h1"),
        ("the rook may be attacked", "4k3/8/8/8/r6r/8/8/R3K2R w KQ - 0 1", "a1 h1"),
        ("the rook may cross b1", "4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", "a1 h1"),
        ("a man on b1", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "h1"),
        ("enemies on c1 and f1", "4k3/8/8/8/8/8/8/R1n1Kn1R w KQ - 0 1", ""),
        ("a man on g1", "4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1", "a1"),
        ("the right is lost", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "a1"),
        ("the rook shields its king from a1", "4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", ""),
    ] {
        let mut rooks: Vec<String> = position(fen)
            .legal_moves()
            .iter()
            .filter(|mv| mv.is_castling())
            .map(|mv| mv.to().to_string())
            .collect();
        rooks.sort();
        assert_eq!(rooks.join(" "), castling, "{what}: {fen}");
    }
}

#[test]
fn rule_1_9_no_move_leaves_the_own_king_in_check_and_a_pinned_man_still_gives_check() {
    check("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "e2", "");
    check("4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1", "e2", "e3 e4");
    check("4k3/8/8/8/7b/8/5B2/4K3 w - - 0 1", "f2", "g3 h4");
    check("4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1", "f2", "");
    check("4k3/8/8/8/4r3/8/4P3/4K3 w - - 0 1", "e2", "e3");
    check("4k3/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2", "g3");
    // Re2 is pinned by Bh5, yet the king may not stay on its file.
    check("8/8/8/7B/4K3/8/4r3/3k4 w - - 0 1", "e4", "d3 d4 d5 f3 f4 f5");
    let pinned = position("4R3/8/8/4r2K/8/8/8/4k3 w - - 0 1");
    assert!(pinned.in_check(), "the rook on e5 is pinned and gives check");
}

#[test]
fn rule_1_10_a_check_is_answered_by_capture_interposition_or_a_king_move() {
    let single = "4k3/8/8/8/4r3/2N5/3B4/R3K3 w Q - 0 1";
    check(single, "c3", "e2 e4");
    check(single, "d2", "e3");
    check(single, "a1", "");
    check(single, "e1", "d1 f1 f2");
    // A knight's check can't be blocked.
    let knight = "4k3/8/8/8/8/3n4/8/R3K2Q w Q - 0 1";
    check(knight, "h1", "");
    check(knight, "e1", "d1 d2 e2 f1");
    // A double check: only the king moves, even if one checker could be taken.
    let double = "4k3/8/8/8/4r3/3n4/2P5/4K2Q w - - 0 1";
    assert_eq!(position(double).checkers().len(), 2);
    check(double, "c2", "");
    check(double, "h1", "");
    check(double, "e1", "d1 d2 f1");
}
