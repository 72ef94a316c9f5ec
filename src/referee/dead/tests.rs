use super::*;

fn at(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn the_men_alone_decide_some_positions() {
    for (fen, life) in [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", Life::Dead),
        ("8/8/4k3/8/8/3KN3/8/8 b - - 0 1", Life::Dead),
        ("8/8/3bk3/8/8/3KB3/8/8 w - - 0 1", Life::Dead),
        ("8/8/2b1k3/8/8/3KB3/8/8 w - - 0 1", Life::Unknown),
        ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", Life::Unknown),
        ("8/8/4k1n1/8/8/3KN3/8/8 w - - 0 1", Life::Unknown),
    ] {
        assert_eq!(judge(&at(fen), Effort::NONE), life, "{fen}");
    }
}

#[test]
fn a_helpmate_is_found_where_there_is_one() {
    for fen in [
        "8/8/2b1k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4k1n1/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K1R2/8/8 w - - 0 1",
        "8/4k3/8/8/8/3K4/4P3/8 w - - 0 1",
    ] {
        assert_eq!(judge(&at(fen), Effort::THOROUGH), Life::Live, "{fen}");
    }
}

#[test]
fn a_wall_is_dead_and_a_wall_with_a_gap_is_not() {
    for (fen, life) in [
        ("8/8/1k4p1/1p1p1pPp/pPpPpP1P/P1P1P3/8/2K5 w - - 0 1", Life::Dead),
        ("8/8/8/pp1p3k/PPpPpppp/2P1PPPP/8/3K4 w - - 0 1", Life::Unknown),
        ("k7/6b1/1ppp1pp1/pPPPpPPp/P3P2P/1B6/4K3/8 w - - 0 1", Life::Unknown),
        ("8/3k4/2p5/1pPp3p/pP1Pp1pP/P3P1P1/5B2/1K6 b - - 0 1", Life::Dead),
        ("8/8/7k/7p/pppppppP/PPPPPPPB/8/2K5 b - - 0 1", Life::Unknown),
    ] {
        let found = judge(&at(fen), Effort::MATCH);
        if life == Life::Dead {
            assert_eq!(found, life, "{fen}");
        } else {
            assert_ne!(found, Life::Dead, "{fen}");
        }
    }
}

/// RULES 2.10: who can still mate, from either side of each line.
#[test]
fn one_side_may_be_able_to_mate_and_the_other_not() {
    for (fen, white, black) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", None, Some(false)),
        ("7k/8/6K1/8/8/8/7n/R7 w - - 0 1", None, None),
        ("7k/8/6K1/8/8/8/7n/1Q6 w - - 0 1", None, Some(false)),
        ("7k/8/6K1/8/8/8/7n/N7 w - - 0 1", None, None),
        ("7k/8/6K1/8/8/8/7b/R7 w - - 0 1", None, Some(false)),
        ("7k/8/6K1/8/8/8/7b/1N6 w - - 0 1", None, None),
        ("7k/8/6K1/8/8/8/7b/1B6 w - - 0 1", None, None),
        ("7k/8/6K1/8/8/8/7b/2B5 w - - 0 1", Some(false), Some(false)),
        ("7k/8/6K1/8/8/8/6nn/8 w - - 0 1", Some(false), None),
    ] {
        for (side, expected) in [(Color::White, white), (Color::Black, black)] {
            assert_eq!(can_mate(&at(fen), side, Effort::NONE), expected, "{fen} {side:?}");
        }
    }
    // Forced: the last man that could mate is taken, or a mate comes.
    let forced = at("8/8/8/8/8/1k6/8/qK6 w - - 0 1");
    assert_eq!(can_mate(&forced, Color::Black, Effort::MATCH), Some(false));
    let rook = at("7k/8/6K1/8/8/8/7n/R7 w - - 0 1");
    assert_eq!(can_mate(&rook, Color::Black, Effort::THOROUGH), Some(true));
}
