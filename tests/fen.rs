//! FEN: what is read, what is repaired, what is refused, and that writing is the reverse.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use qishou::chess::{Epd, Fen, FenError, Position, Setup, SetupError, Square};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

#[test]
fn each_faulty_fen_gets_the_verdict_written_for_it() {
    let mut read = 0;
    for row in rows(include_str!("data/illegal_fens.tsv")) {
        let [fen, reason, verdict] = row[..] else { panic!("three columns: {row:?}") };
        let found = match fen.parse::<Position>() {
            Ok(position) => Fen::of(&position).to_string(),
            Err(error) => format!("error: {error}"),
        };
        let expected = match verdict.split_once(": ") {
            Some(("error", _)) => verdict,
            Some((kind, fen)) if kind == "legal" || kind.starts_with("repair ") => fen,
            _ => panic!("no verdict: {verdict}"),
        };
        assert_eq!(found, expected, "{reason}");
        if let Some(("legal", same)) = verdict.split_once(": ") {
            assert_eq!(fen, same, "nothing is repaired: {reason}");
        }
        read += 1;
    }
    assert_eq!(read, 86);
}

#[test]
fn odd_fens_are_all_accepted() {
    let mut read = 0;
    for row in rows(include_str!("data/odd_fens.tsv")) {
        let [fen, note, moves] = row[..] else { panic!("three columns: {row:?}") };
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{note}: {error}"));
        assert_eq!(position.count_moves().to_string(), moves, "{note}");
        read += 1;
    }
    assert_eq!(read, 32);
}

#[test]
fn missing_fields_are_read_as_white_to_move_with_no_rights_and_fresh_counters() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R";
    for (text, read) in [
        ("", " w - - 0 1"),
        (" b", " b - - 0 1"),
        (" b Kq", " b Kq - 0 1"),
        (" b Kq -", " b Kq - 0 1"),
        (" b Kq - 7", " b Kq - 7 1"),
        (" b Kq - 7 12", " b Kq - 7 12"),
        ("\tb\tKq  -   7 \t12 ", " b Kq - 7 12"),
    ] {
        let position: Position = format!("{board}{text}").parse().unwrap();
        assert_eq!(Fen::of(&position).to_string(), format!("{board}{read}"));
    }
}

#[test]
fn rights_that_mean_nothing_are_dropped() {
    // (FEN, castling field as written, en-passant field as written)
    for (fen, castling, en_passant) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "-"),
        ("r3k2r/8/8/8/8/4K3/8/R6R w KQkq - 0 1", "kq", "-"),
        ("r3k2r/8/8/8/8/8/8/N3K2N w KQkq - 0 1", "kq", "-"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w BGaa - 0 1", "q", "-"),
        // X-FEN: the outermost rook, or the one that is named.
        ("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", "KQ", "-"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "GB", "-"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GH - 0 1", "K", "-"),
        ("4k3/8/8/8/8/8/8/4KR1n w K - 0 1", "K", "-"),
        ("4k3/8/8/8/8/8/8/RR2K3 w K - 0 1", "-", "-"),
        // En passant: only if a legal capture answers it.
        ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "-", "e3"),
        ("4k3/8/8/8/4P1p1/8/8/4K3 b - e3 0 1", "-", "-"),
        ("4k3/8/8/8/4Pp2/8/8/4K3 b - f3 0 1", "-", "-"),
        ("4k3/8/8/8/4Pp2/4n3/8/4K3 b - e3 0 1", "-", "-"),
        ("4k3/8/8/8/4Pp2/8/4B3/4K3 b - e3 0 1", "-", "-"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "-", "d6"),
        ("4k3/8/8/8/4Pp2/8/8/4K3 w - e3 0 1", "-", "-"),
    ] {
        let position: Position = fen.parse().unwrap();
        let written = Fen::of(&position).to_string();
        let fields: Vec<&str> = written.split(' ').collect();
        assert_eq!((fields[2], fields[3]), (castling, en_passant), "{fen}");
        assert_eq!(*position.keys(), position.recomputed_keys());
    }
}

#[test]
fn what_follows_a_fen_is_an_epd_operation_or_an_error() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for tail in ["bm e4;", "0 1 bm e4; id \"x\";", "0 bm e4;", "hmvc 3;"] {
        let whole = format!("{fen} {tail}").parse::<Position>();
        let bare = tail.starts_with("0 bm");
        assert_eq!(whole.is_err(), bare, "{tail}: {whole:?}");
    }
    for tail in ["bm e4", "moves e2e4", "0 1 moves e2e4", "0 1 garbage", "0 1 2;"] {
        let error = format!("{fen} {tail}").parse::<Position>().unwrap_err();
        let trailing = matches!(error, FenError::Trailing(_) | FenError::Operations(_));
        assert!(trailing, "{tail}: {error}");
    }
}

#[test]
fn ten_megabytes_are_refused_with_a_short_message() {
    const LENGTH: usize = 10_000_000;
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for piece in ["8", "k", "/", "1", "♜", "\u{0}", "w ", "=;", "\"", "9"] {
        let long = piece.repeat(LENGTH / piece.len());
        for text in [
            long.clone(),
            format!("{long}/8/8/8/8/8/8/8 w - - 0 1"),
            format!("{start} {long}"),
            format!("{start} w {long}"),
            format!("{start} w KQkq {long}"),
            format!("{start} w KQkq - x{long}"),
        ] {
            let error = text.parse::<Position>().unwrap_err();
            assert!(error.to_string().len() < 500, "{piece:?}");
        }
    }
    // Blanks and digits in great number are no fault.
    let blanks = " ".repeat(LENGTH);
    assert!(format!("{blanks}{start}{blanks}w{blanks}").parse::<Position>().is_ok());
    let digits = "1".repeat(LENGTH);
    assert!(format!("{start} w KQkq - {digits} {digits}").parse::<Position>().is_ok());
}

/// A position some random moves away from a random start.
fn wander(seed: u64, plies: usize) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (white, black) = (rng.random_range(0..960), rng.random_range(0..960));
    let mut position = match seed % 3 {
        0 => Position::startpos(),
        1 => Position::chess960(white).unwrap(),
        _ => Position::double_chess960(white, black).unwrap(),
    };
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[rng.random_range(0..moves.len())]);
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn a_position_survives_being_written_and_read(seed: u64, plies in 0usize..160) {
        let position = wander(seed, plies);
        let standard = Fen::of(&position).to_string();
        let shredder = Fen::shredder(&position).to_string();
        prop_assert_eq!(standard.parse::<Position>(), Ok(position));
        prop_assert_eq!(shredder.parse::<Position>(), Ok(position));
        prop_assert_eq!(position.setup().position(), Ok(position));
        prop_assert_eq!(Fen::of(&standard.parse().unwrap()).to_string(), standard);
    }

    #[test]
    fn keys_stay_right_along_a_game(seed: u64, plies in 0usize..160) {
        let position = wander(seed, plies);
        prop_assert_eq!(*position.keys(), position.recomputed_keys());
    }

    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,80}") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Epd>();
    }

    #[test]
    fn no_damaged_fen_makes_reading_panic_and_what_is_accepted_is_legal(
        seed: u64,
        at in 0usize..80,
        damage in "[ -~]{0,3}",
        cut in 0usize..4,
    ) {
        let mut text = Fen::of(&wander(seed, 40)).to_string();
        let at = at.min(text.len());
        let end = (at + cut).min(text.len());
        text.replace_range(at..end, &damage);
        if let Ok(position) = text.parse::<Position>() {
            for color in qishou::chess::Color::ALL {
                prop_assert!(position.side(color).len() <= 16);
                prop_assert!(position.pieces(qishou::chess::PieceKind::Pawn, color).len() <= 8);
            }
            prop_assert!(position.checkers().len() <= 2);
            for mv in position.legal_moves() {
                let child = position.child(mv);
                prop_assert_eq!(*child.keys(), child.recomputed_keys());
            }
        }
    }

    #[test]
    fn no_setup_makes_judging_panic(
        men in prop::collection::vec((0usize..64, 0usize..12), 2..20),
        rooks: u64,
        en_passant in prop::option::of(0usize..64),
        black: bool,
    ) {
        let letters = "PNBRQKpnbrqk";
        let mut setup = Setup::default();
        for (square, letter) in men {
            let letter = letters.as_bytes()[letter] as char;
            setup.men[square] = qishou::chess::Piece::from_letter(letter);
        }
        setup.men[4] = qishou::chess::Piece::from_letter('K');
        setup.men[60] = qishou::chess::Piece::from_letter('k');
        setup.castling_rooks = qishou::chess::Bitboard(rooks);
        setup.en_passant = en_passant.map(Square::from_index);
        if black {
            setup.side_to_move = qishou::chess::Color::Black;
        }
        let judged: Result<Position, SetupError> = setup.position();
        if let Ok(position) = judged {
            prop_assert_eq!(position.setup().position(), Ok(position));
            for mv in position.legal_moves() {
                let child = position.child(mv);
                prop_assert_eq!(child.setup().position(), Ok(child));
            }
        }
    }
}
