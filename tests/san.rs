//! Standard algebraic notation: strict out, lenient in.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use qishou::chess::{Position, SanError};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

#[test]
fn moves_are_written_with_the_least_that_tells_them_apart() {
    for (fen, uci, san) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8r", "axb8=R+"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
        // Two knights: the file tells them apart.
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1c3", "Nc3"),
        // On one file the rank does.
        ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"),
        ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b5c3", "N5c3"),
        // Three queens: file and rank.
        ("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
        ("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
        // The other knight is pinned, so nothing needs to be told apart.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        // The other rook may not move for the check.
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("8/5P2/5p2/3N4/8/5k2/1rB3R1/4K2R w K - 0 1", "e1h1", "O-O#"),
        // Castling never needs telling apart from a king's move.
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "O-O"),
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "Kg1"),
    ] {
        let position = position(fen);
        let mv = position.parse_uci(uci).unwrap();
        assert_eq!(position.san(mv).to_string(), san, "{uci} in {fen}");
        assert_eq!(position.parse_san(san), Ok(mv), "{san} in {fen}");
    }
}

#[test]
fn what_people_write_is_read() {
    let rows: &[(&str, &str, &[&str])] = &[
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "g1f3",
            &[
                "Nf3", "nf3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "g1f3", "g1-f3", "Nf3!", "Nf3?!",
                "Nf3+", "1.Nf3", "1. Nf3", "1... Nf3", " Nf3 ",
            ],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
            &["e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "e4!!", "ee4"],
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "e5d6",
            &[
                "exd6",
                "ed6",
                "exd6e.p.",
                "exd6 e.p.",
                "exd6ep",
                "e5xd6",
                "e5d6",
                "e:d6",
                "d6",
                "exd6!?",
                "exd6 e.p.+",
            ],
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "e1g1",
            &["O-O", "0-0", "o-o", "OO", "O-O+", "0-0!", "e1g1", "e1h1", "Kg1", "Ke1-g1"],
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "e1c1",
            &["O-O-O", "0-0-0", "o-o-o", "OOO", "e1c1", "e1a1", "Kc1", "Ke1c1"],
        ),
        (
            "1r5k/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8q",
            &["a8=Q", "a8Q", "a8q", "a8=q", "a8(Q)", "a8/Q", "a7a8q", "a7-a8=Q", "a8=Q++", "Pa8Q"],
        ),
        (
            "1r5k/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7b8n",
            &["axb8=N", "ab8n", "axb8N", "a7xb8=N", "a7b8n"],
        ),
        (
            "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
            "a1a8",
            &["Ra8#", "Ra8", "Ra8+", "Ra8++", "Ra1-a8", "Rxa8", "Raa8", "R1a8"],
        ),
        ("4k3/8/8/2p5/1P6/8/3B4/4K3 w - - 0 1", "b4c5", &["bxc5", "bc5", "b4xc5"]),
    ];
    for (fen, uci, texts) in rows {
        let position = position(fen);
        let mv = position.parse_uci(uci).unwrap();
        for text in *texts {
            assert_eq!(position.parse_san(text), Ok(mv), "{text:?} in {fen}");
        }
    }
}

#[test]
fn what_is_no_move_what_is_illegal_and_what_is_ambiguous_are_told_apart() {
    let knights = position("4k3/P7/8/8/8/5N2/8/1N2K3 w - - 0 1");
    for text in [
        "",
        " ",
        "+",
        "N",
        "Nf",
        "f9",
        "i4",
        "hello",
        "--",
        "Z0",
        "0000",
        "Nf3x4",
        "e4=",
        "a8=K",
        "a8=P",
        "a8(Q",
        "a8Q)",
        "♘f3",
        "é4",
        "1.",
        "...",
        "O-O-O-O",
        "O",
        "Ng1f3f3f3f3f3",
    ] {
        assert_eq!(knights.parse_san(text), Err(SanError::Unknown(text.to_owned())), "{text:?}");
    }
    for text in ["Nf7", "e5", "O-O", "0-0-0", "Qe4", "Nb1-f3", "a8", "Kg1", "a7a8", "e1e1", "Nd2=Q"]
    {
        assert_eq!(knights.parse_san(text), Err(SanError::Illegal(text.to_owned())), "{text:?}");
    }
    for text in ["Nd2", "Nd2+", "1. Nd2"] {
        assert_eq!(knights.parse_san(text), Err(SanError::Ambiguous(text.to_owned())), "{text:?}");
    }
    let long = "N".repeat(1_000_000);
    assert!(knights.parse_san(&long).unwrap_err().to_string().len() < 200);
}

#[test]
fn every_move_of_random_games_survives_being_written_and_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for game in 0..240 {
        let mut position = if game % 2 == 0 {
            Position::startpos()
        } else {
            Position::double_chess960(game * 4 - 1, 959 - game * 4 + 4).unwrap()
        };
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut texts = std::collections::HashSet::new();
            for &mv in &moves {
                let san = position.san(mv).to_string();
                assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {position}");
                assert!(texts.insert(san), "two moves are written alike in {position}");
                for chess960 in [false, true] {
                    let uci = position.uci(mv, chess960).to_string();
                    assert_eq!(position.parse_uci(&uci), Ok(mv), "{uci} in {position}");
                }
            }
            position.play(moves[rng.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn no_text_makes_reading_panic() {
    let position = position("r3k2r/P6P/8/3pP3/8/2N5/1N6/R3K2R w KQkq d6 0 1");
    let signs: Vec<char> = "KQRBNPabcdefgh12345678xO0o-=+#!?.() qé♘".chars().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..200_000 {
        let length = rng.random_range(0..9);
        let text: String = (0..length).map(|_| signs[rng.random_range(0..signs.len())]).collect();
        if let Ok(mv) = position.parse_san(&text) {
            assert!(position.is_legal(mv), "{text}");
        }
        if let Ok(mv) = position.parse_uci(&text) {
            assert!(position.is_legal(mv), "{text}");
        }
    }
}
