//! Recorded games in bulk: files of others read, and what is written read by other programs.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::io::Write;
use std::process::Command;

use qishou::chess::{Fen, Game, Position};
use qishou::pgn::{self, Record};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

#[path = "support/matches.rs"]
mod matches;

use matches::*;

/// Moves as UCI writes them; castling as king takes rook in games that begin elsewhere.
fn moves(record: &Record) -> String {
    let mut position = *record.game.start();
    let chess960 = record.tag("Variant").is_some();
    let words = record.game.moves().iter().map(|&mv| {
        let word = position.uci(mv, chess960).to_string();
        position.play(mv);
        word
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn odd_but_well_formed_games_are_read_to_their_end() {
    let records = pgn::read(include_str!("data/pgn/tricky.pgn"));
    let expected = [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5 d4b3 d8d1 f1d1",
        "e2e4 g8f6 e4e5 d7d5 e5d6 b8c6 d6c7 e7e5 c7d8q e8d8 g1f3 f8d6 f1e2 h8e8 e1g1",
        "e8c8 e1g1 c5e3 f2e3",
        "b1d1 b8d8",
        "c1b1 c8b8",
        // A null move is in no game; what stands before it is kept.
        "e2e4 e7e5 g1f3",
        "",
        "b5d4 e8d8 f5e3 d8c7 a1d1",
        "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3",
        "h1h3",
    ];
    assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), expected);
    for (i, record) in records.iter().enumerate() {
        let flaws: Vec<String> = record.flaws.iter().map(ToString::to_string).collect();
        let expected: &[&str] = if i == 5 { &["2...: null move --"] } else { &[] };
        assert_eq!(flaws, expected, "{record}");
    }
    assert_eq!(records[0].tag("White"), Some("Quote \"inside\" and backslash \\"));
    assert_eq!(records[0].tag("Black"), Some("Ünïcödé, Наме, 名前"));
    assert_eq!(records[8].remarks[0].glyphs, [1, 146]);
}

#[test]
fn records_that_are_broken_on_purpose_give_clear_errors_and_the_moves_up_to_them() {
    let records = pgn::read(include_str!("data/pgn/malformed.pgn"));
    let expected = [
        (4, ""),
        (7, ""),
        (5, "3...: illegal move \"Kxe4\""),
        // The comment that is not ended swallows the next game, up to a brace in the tag of a third.
        (1, "1...: \"\\\"\" is no move; no result at the end of the moves"),
        (1, "line 25: unbalanced parentheses; no result at the end of the moves"),
        (0, "1.: \"Nd2\" means more than one move"),
        (0, "FEN tag: illegal position: White has 0 kings instead of one"),
        (2, "line 43: \"[Event \\\"tag without closing quote]\" is no tag"),
    ];
    assert_eq!(records.len(), expected.len());
    for (record, (plies, told)) in records.iter().zip(expected) {
        let flaws: Vec<String> = record.flaws.iter().map(ToString::to_string).collect();
        assert_eq!((record.game.moves().len(), flaws.join("; ").as_str()), (plies, told));
    }
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
        let mut record = Record { game: game.clone(), ..Record::default() };
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", Fen::shredder(game.start()).to_string());
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

/// Games of the real arbiter with everything in their records that it can write: odd names, long
/// games, openings, positions, castling in Chess960, rulings, faults, adjournments.
fn written(directory: &Directory) -> String {
    let games = directory.file("games.pgn");
    let all = ["-each", "tc=600", "-quiet", "-pgnout", &games, "-maxmoves", "60"];
    let scored = "1 score 31; 2 score -700; 3 score 29999; 6 say claim draw; 9 say offer draw";
    let opening = directory.write("opening.pgn", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *\n");
    let middle = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 6 8";
    let middle = directory.write("middle.epd", middle);
    let double = "nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/RK1R4 w DAgb - 0 1\n1k1r4/pppppppp/8/8/8/8/PPPPPPPP/1K1R4 w Dd - 0 1";
    let double = directory.write("double.epd", double);
    let [opening, middle, double] = [opening, middle, double].map(|path| format!("file={path}"));
    let sealed = directory.file("sealed.json");
    for (black, more) in [
        ("", &["-rules", "seed"][..]),
        ("11 illegal", &["-openings", &opening]),
        ("", &["-openings", &middle, "-sprt", "elo0=0", "elo1=300"]),
        ("", &["-openings", &double, "-variant", "fischerandom", "-rounds", "2"]),
        ("15 say resign", &["-adjourn", &sealed, "-session", "4", "-event", "a {brace} in it"]),
    ] {
        let mut words = engine("A \"quoted\" \\", &[("Script", scored)], &[]);
        words.extend(engine("Ünïcödé, Наме", &[("Script", black)], &["tc=700+1"]));
        words.extend(texts(&all));
        words.extend(texts(more));
        while arbiter(&words).status == 130 {}
    }
    games
}

/// The output of another program, if it is there; that it is not is told to whoever runs the tests.
fn told_by(program: &str, arguments: &[&str]) -> Option<(bool, String)> {
    // Debian has games, and what is about them, in a folder of their own.
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    let Ok(done) = Command::new(program).args(arguments).env("PATH", path).output() else {
        // Not by the macro, whose words are kept back.
        let _ = writeln!(std::io::stderr(), "skipped: there is no {program} here");
        return None;
    };
    let text = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    Some((done.status.success(), text.into_owned()))
}

#[test]
fn pgn_extract_and_python_chess_read_what_is_written_without_complaint() {
    let directory = Directory::new();
    let games = written(&directory);
    let records = records(&games);
    assert_eq!(records.len(), 12);
    assert!(records.iter().all(|record| record.flaws.is_empty()));
    if let Some((_, told)) = told_by("pgn-extract", &["-r", &games]) {
        assert!(told.contains("12 games matched out of 12."), "{told}");
        // It succeeds whatever it reads; what is wrong is all it says here.
        assert_eq!(told_by("pgn-extract", &["-s", "-r", &games]), Some((true, String::new())));
    }
    if told_by("python3", &["-c", "import chess"]).is_none_or(|(well, _)| !well) {
        let _ = writeln!(std::io::stderr(), "skipped: there is no python-chess here");
        return;
    }
    let script = "import chess.pgn, sys\n\
                  file = open(sys.argv[1], encoding='utf-8')\n\
                  while game := chess.pgn.read_game(file):\n\
                  \x20   assert not game.errors, game.errors\n\
                  \x20   print(' '.join(move.uci() for move in game.mainline_moves()))\n";
    let (well, told) = told_by("python3", &["-c", script, &games]).unwrap();
    let expected: Vec<String> = records.iter().map(moves).collect();
    assert!(well, "{told}");
    assert_eq!(told.lines().collect::<Vec<_>>(), expected);
}
