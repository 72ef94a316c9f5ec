use super::*;

/// A referee after these moves from a position.
fn referee(fen: &str, moves: &str, rules: Rules) -> Referee {
    let mut referee = Referee::new(Game::new(fen.parse().unwrap()), rules);
    for word in moves.split_whitespace() {
        let mv = referee
            .game()
            .position()
            .parse_uci(word)
            .unwrap_or_else(|e| panic!("{fen} {moves}: {e}"));
        referee.play(mv).unwrap_or_else(|e| panic!("{fen} {moves}: {e}"));
    }
    referee
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ROOK: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

/// What ended the game, and for whom.
fn check(rules: &Rules, fen: &str, moves: &str, outcome: Option<Outcome>, reason: &str) {
    let referee = referee(fen, moves, rules.clone());
    let verdict = referee.verdict();
    assert_eq!(verdict.map(|v| v.outcome), outcome, "{fen} {moves}: {verdict:?}");
    assert_eq!(verdict.map_or(String::new(), ToString::to_string), reason, "{fen} {moves}");
}

const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));
const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

#[test]
fn rule_2_1_checkmate_wins() {
    for rules in [Rules::fide(), Rules::seed()] {
        check(&rules, ROOK, "a1a8", WHITE, "White mates");
        check(&rules, START, "f2f3 e7e5 g2g4 d8h4", BLACK, "Black mates");
        check(&rules, ROOK, "a1a7", None, "");
        // A promotion takes effect at once.
        check(&rules, "7k/P7/6K1/8/8/8/8/8 w - - 0 1", "a7a8q", WHITE, "White mates");
        check(&rules, "7k/P7/6K1/8/8/8/8/8 w - - 0 1", "a7a8b", DRAW, "insufficient material");
    }
}

#[test]
fn rule_2_2_resignation_loses() {
    for (rules, fen, side, outcome) in [
        (Rules::fide(), START, Color::White, Outcome::Win(Color::Black)),
        (Rules::fide(), START, Color::Black, Outcome::Win(Color::White)),
        // Resigning to a lone king draws under today's Laws, since it can't mate.
        (Rules::fide(), ROOK, Color::White, Outcome::Draw),
        (Rules::seed(), ROOK, Color::White, Outcome::Win(Color::Black)),
    ] {
        let mut referee = referee(fen, "", rules);
        assert_eq!(referee.resign(side).outcome, outcome, "{fen} {side:?}");
        assert!(
            referee.play(Move::normal(crate::chess::Square::E2, crate::chess::Square::E4)).is_err()
        );
    }
}

#[test]
fn rule_2_3_stalemate_draws() {
    for rules in [Rules::fide(), Rules::seed()] {
        check(&rules, "7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", DRAW, "stalemate");
        check(&rules, "7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5f6", None, "");
    }
}

#[test]
fn rule_2_4_dead_positions_draw_at_once() {
    let wall = "8/8/1k4p1/1p1p1pPp/pPpPpP1P/P1P1P3/8/2K5 w - - 0 1";
    for rules in [Rules::fide(), Rules::seed()] {
        check(
            &rules,
            "8/8/4k3/8/8/3KN2p/8/8 w - - 0 1",
            "e3g4 h3h2 g4h2",
            DRAW,
            "insufficient material",
        );
        check(&rules, "8/8/2b1k3/8/8/3KB3/8/8 w - - 0 1", "", None, "");
        check(&rules, "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1", "", DRAW, "insufficient material");
        check(&rules, wall, "", DRAW, "dead position");
        // The wall closes with the last pawn move.
        let open = "8/8/1k4p1/1p1p1p1p/pPpPpPPP/P1P1P3/8/2K5 w - - 0 1";
        check(&rules, open, "g4g5", DRAW, "dead position");
        check(&rules, open, "c1d1", None, "");
        // The only legal move takes the last man that could mate.
        check(&rules, "8/8/8/8/8/1k6/8/qK6 w - - 0 1", "", DRAW, "dead position");
    }
    let without = Rules { effort: Effort::NONE, ..Rules::fide() };
    check(&without, wall, "", None, "");
    check(&without, "8/8/4k3/8/8/3KB3/8/8 w - - 0 1", "", DRAW, "insufficient material");
}

#[test]
fn rule_2_5_draws_are_agreed_after_a_move() {
    let mut game = referee(START, "", Rules::fide());
    assert_eq!(game.offer_draw(Color::White), Err(OfferError::NotAfterMove(Color::White)));
    // Before the first move nobody has just moved.
    assert_eq!(game.offer_draw(Color::Black), Err(OfferError::NotAfterMove(Color::Black)));
    let mut game = referee(START, "e2e4", Rules::fide());
    assert_eq!(game.accept_draw(Color::Black), Err(OfferError::NoOffer(Color::Black)));
    game.offer_draw(Color::White).unwrap();
    assert_eq!(game.standing_offer(), Some(Color::White));
    assert_eq!(game.accept_draw(Color::White), Err(OfferError::NoOffer(Color::White)));
    let mut refused = game.clone();
    refused.refuse_draw(Color::Black).unwrap();
    assert_eq!(refused.accept_draw(Color::Black), Err(OfferError::NoOffer(Color::Black)));
    let mut answered = game.clone();
    answered.play(answered.game().position().parse_uci("e7e5").unwrap()).unwrap();
    assert_eq!(answered.standing_offer(), None, "a move refuses");
    assert_eq!(answered.accept_draw(Color::Black), Err(OfferError::NoOffer(Color::Black)));
    assert_eq!(game.accept_draw(Color::Black).unwrap().to_string(), "draw by agreement");
    assert_eq!(game.offer_draw(Color::White), Err(OfferError::Over));
}

/// Claims: position, moves before it, the announced move, whether it is right.
#[test]
fn rule_2_6_threefold_repetition_on_a_claim() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    let twice = format!("{shuffle} {shuffle}");
    // The first position has a castling right that the first king moves take away.
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let kings = "e1d1 e8d8 d1e1 d8e8";
    // After d2-d4 the capture e4xd3 is possible, later not; with a pinned pawn it never was.
    let usable = "4k3/8/8/8/4p3/8/3P4/4K2R w - - 0 1";
    let pinned = "4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1";
    let rooks = "e8d8 h1g1 d8e8 g1h1";
    let kings_of_pinned = "e8f8 a1b1 f8e8 b1a1";
    for (fen, moves, announced, right) in [
        (START, twice.clone(), None, true),
        (START, format!("{shuffle} g1f3 g8f6 f3g1"), None, false),
        (START, format!("{shuffle} g1f3 g8f6 f3g1"), Some("f6g8"), true),
        (START, format!("{shuffle} g1f3 g8f6 f3g1"), Some("f6d5"), false),
        // The right to claim is lost with a move, and is back with the same position.
        (START, format!("{twice} e2e4"), None, false),
        (START, format!("{twice} g1f3 g8f6 f3g1 f6g8"), None, true),
        (castling, format!("{kings} {kings}"), None, false),
        (castling, format!("{kings} {kings} {kings}"), None, true),
        (usable, format!("d2d4 {rooks} {rooks}"), None, false),
        (usable, format!("d2d4 {rooks} {rooks} {rooks}"), None, true),
        (pinned, format!("d2d4 {kings_of_pinned} {kings_of_pinned}"), None, true),
    ] {
        let mut referee = referee(fen, &moves, Rules::seed());
        let announced = announced.map(|word| referee.game().position().parse_uci(word).unwrap());
        let ruling = referee.claim(announced, Duration::from_mins(1)).unwrap();
        match ruling {
            Ruling::Right(verdict) => {
                assert!(right, "{fen} {moves}");
                assert_eq!(verdict, Verdict::draw(Reason::Rules(Ending::ThreefoldRepetition)));
            }
            Ruling::Wrong(_) => assert!(!right, "{fen} {moves} {announced:?}"),
        }
    }
    check(&Rules::fide(), START, &twice, DRAW, "threefold repetition");
    check(&Rules::seed(), START, &twice, None, "");
}

#[test]
fn rule_2_7_fifty_moves_on_a_claim() {
    for (clock, moves, announced, right) in [
        (99, "", None, false),
        (100, "", None, true),
        (99, "", Some("a1a2"), true),
        (98, "", Some("a1a2"), false),
        (98, "a1a2 h8g8", None, true),
        // A move that mates brings no draw about.
        (99, "", Some("a1a8"), false),
    ] {
        let fen = format!("7k/8/6K1/8/8/8/8/R7 w - - {clock} 90");
        let mut referee = referee(&fen, moves, Rules::seed());
        let announced = announced.map(|word| referee.game().position().parse_uci(word).unwrap());
        let ruling = referee.claim(announced, Duration::from_mins(1)).unwrap();
        assert_eq!(matches!(ruling, Ruling::Right(_)), right, "{fen} {moves} {announced:?}");
    }
    let hundred = "7k/8/6K1/8/8/8/8/R7 w - - 99 90";
    check(&Rules::fide(), hundred, "a1a2", DRAW, "fifty moves");
    check(&Rules::fide(), hundred, "a1a8", WHITE, "White mates");
    check(&Rules { fifty_moves: 150, ..Rules::fide() }, hundred, "a1a2", None, "");
}

#[test]
fn rule_2_8_fivefold_and_seventy_five_end_without_a_claim() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    let players = Rules { automatic_claims: false, ..Rules::fide() };
    check(&players, START, &shuffle.repeat(3), None, "");
    check(&players, START, &shuffle.repeat(4), DRAW, "fivefold repetition");
    check(&Rules::seed(), START, &shuffle.repeat(4), None, "");
    let last = "7k/8/6K1/8/8/8/8/R7 w - - 149 90";
    check(&players, last, "a1a2", DRAW, "seventy-five moves");
    check(&players, last, "a1a8", WHITE, "White mates");
    check(&Rules::seed(), last, "a1a2", None, "");
}

#[test]
fn rule_2_9_perpetual_check_is_a_draw_by_repetition() {
    let fen = "6k1/5ppp/8/8/8/8/1r3PPP/3Q2K1 w - - 0 1";
    let perpetual = "7k/5Q2/8/8/8/8/qr6/7K w - - 0 1";
    check(
        &Rules::fide(),
        perpetual,
        "f7f8 h8h7 f8f7 h7h8 f7f8 h8h7 f8f7 h7h8",
        DRAW,
        "threefold repetition",
    );
    check(&Rules::fide(), fen, "d1d8", WHITE, "White mates");
}

#[test]
fn rule_2_10_a_fallen_flag_loses_unless_the_opponent_cannot_mate() {
    let draw = Outcome::Draw;
    let black = Outcome::Win(Color::Black);
    // Black's men against White, whose flag falls: by today's Laws and by the documents.
    for (fen, fide, seed) in [
        (START, black, black),
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", draw, draw),
        ("7k/8/6K1/8/8/8/7n/R7 w - - 0 1", black, black),
        ("7k/8/6K1/8/8/8/7n/1Q6 w - - 0 1", draw, black),
        ("7k/8/6K1/8/8/8/P6n/8 w - - 0 1", black, black),
        ("7k/8/6K1/8/8/8/7b/R7 w - - 0 1", draw, black),
        ("7k/8/6K1/8/8/8/7b/N7 w - - 0 1", black, black),
        ("7k/8/6K1/8/8/8/P6b/8 w - - 0 1", black, black),
        // Bishops on both colours can mate; on one colour the game is over before the flag.
        ("7k/8/6K1/8/8/8/7b/1B6 w - - 0 1", black, black),
        ("7k/8/6K1/8/8/8/7b/2B5 w - - 0 1", draw, draw),
        ("7k/8/6K1/8/8/8/6pp/1Q6 w - - 0 1", black, black),
    ] {
        for (rules, outcome) in [(Rules::fide(), fide), (Rules::seed(), seed)] {
            let mut referee = referee(fen, "", rules);
            assert_eq!(referee.flag_fell(Color::White).outcome, outcome, "{fen}");
        }
    }
}

#[test]
fn rule_2_11_a_wrong_claim_costs_time() {
    let seconds = Duration::from_secs;
    for (wrong, left, pays, gains) in [
        (WrongClaim::OpponentGains(seconds(120)), 60, 0, 120),
        (WrongClaim::ClaimantPays(seconds(300)), 60, 300, 0),
        (WrongClaim::HalfOfTheRest(seconds(180)), 100, 50, 180),
        (WrongClaim::HalfOfTheRest(seconds(180)), 3600, 180, 180),
    ] {
        let rules = Rules { wrong_claim: wrong, ..Rules::seed() };
        let mut referee = referee(START, "e2e4", rules);
        let mv = referee.game().position().parse_uci("e7e5").unwrap();
        let expected = Penalty { pays: seconds(pays), gains: seconds(gains) };
        for announced in [None, Some(mv)] {
            assert_eq!(referee.claim(announced, seconds(left)), Ok(Ruling::Wrong(expected)));
        }
        // The game goes on with the announced move.
        assert_eq!(referee.verdict(), None);
        referee.play(mv).unwrap();
        let illegal = Move::normal(crate::chess::Square::A1, crate::chess::Square::A8);
        assert!(referee.claim(Some(illegal), seconds(left)).is_err());
    }
}

#[test]
fn rule_2_12_an_illegal_move_changes_nothing_and_forfeits() {
    let mut referee = referee(START, "e2e4", Rules::fide());
    let before = *referee.game().position();
    let illegal = Move::normal(crate::chess::Square::E4, crate::chess::Square::E5);
    assert!(referee.play(illegal).is_err());
    assert_eq!(*referee.game().position(), before);
    let verdict = referee.forfeit(Color::Black, Fault::IllegalMove("e4e5".into())).clone();
    assert_eq!(verdict.outcome, Outcome::Win(Color::White));
    assert_eq!(
        (verdict.to_string(), verdict.termination()),
        ("Black: illegal move e4e5".into(), "illegal move")
    );
}

#[test]
fn rule_2_13_a_player_that_does_not_come_forfeits() {
    let mut referee = referee(START, "", Rules::fide());
    let verdict = referee.forfeit(Color::White, Fault::Broken("does not start".into())).clone();
    assert_eq!(verdict.outcome, Outcome::Win(Color::Black));
    assert_eq!(
        (verdict.to_string(), verdict.termination()),
        ("White: does not start".into(), "abandoned")
    );
    // What has ended stays as it is.
    assert_eq!(referee.flag_fell(Color::Black), &verdict);
}

#[test]
fn rule_3_2_mate_and_stalemate_on_the_board_count_before_the_flag() {
    for (fen, word, outcome, reason) in [
        (ROOK, "a1a8", Outcome::Win(Color::White), "White mates"),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", Outcome::Draw, "stalemate"),
        (
            "7k/8/6Kr/8/8/8/8/R7 w - - 0 1",
            "g6f7",
            Outcome::Win(Color::Black),
            "White loses on time",
        ),
        (ROOK, "a1a7", Outcome::Draw, "White's flag fell, but Black can't mate"),
    ] {
        let mut referee = referee(fen, "", Rules::fide());
        let mv = referee.game().position().parse_uci(word).unwrap();
        let verdict = referee.play_late(mv).unwrap();
        assert_eq!((verdict.outcome, verdict.to_string().as_str()), (outcome, reason), "{fen}");
    }
}
