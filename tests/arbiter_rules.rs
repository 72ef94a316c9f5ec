//! The rows of RULES sections 2 and 3 in games of the real `qishou-arbiter` between scripted
//! engines; `src/referee` and `src/arbiter/clock.rs` have the same rows as pure logic.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use qishou::pgn::Record;

#[path = "support/matches.rs"]
mod matches;

use matches::*;

/// The options of an engine that shuffles its knights and does what a script says.
fn shuffling(script: &str) -> [(&str, &str); 2] {
    [("Line", SHUFFLE), ("Script", script)]
}

/// What the mover's clock showed after a ply, in seconds.
fn clock(record: &Record, ply: usize) -> f64 {
    let comment = &record.remarks[ply].comment;
    let text = comment.split("[%clk ").nth(1).unwrap().split(']').next().unwrap();
    text.split(':').fold(0.0, |sum, part| 60.0 * sum + part.parse::<f64>().unwrap())
}

#[test]
fn rules_2_1_and_2_6_mate_and_repetition_end_games() {
    let line = [("Line", MATE)];
    check(&one_game(&line, &line, &[]), "0-1", "Black mates", "normal", Some(4));
    let line = [("Line", SHUFFLE)];
    check(&one_game(&line, &line, &[]), "1/2-1/2", "threefold repetition", "normal", Some(8));
}

#[test]
fn rule_2_2_engines_resign() {
    for (white, black, result, details, plies) in [
        ("4 say resign", "", "0-1", "White resigns", 4),
        ("", "3 say resign", "1-0", "Black resigns", 3),
        ("0 say resign", "", "0-1", "White resigns", 0),
    ] {
        for rules in ["fide", "seed"] {
            let record = one_game(&shuffling(white), &shuffling(black), &["-rules", rules]);
            check(&record, result, details, "normal", Some(plies));
        }
    }
}

/// RULES 2.5: offered with one's move, open until it is refused or answered by a move.
#[test]
fn rule_2_5_engines_offer_and_accept_draws() {
    let agreed = ("1/2-1/2", "draw by agreement");
    for (white, black, (result, details), plies) in [
        ("4 say offer draw", "5 say accept draw", agreed, 5),
        ("4 say accept draw", "3 say offer draw", agreed, 4),
        // An offer can't be withdrawn.
        ("4 say offer draw; 4 say withdraw", "5 say accept draw", agreed, 5),
        // An acceptance without an offer is none.
        ("", "5 say accept draw; 7 say resign", ("1-0", "Black resigns"), 7),
        ("0 say accept draw; 2 say resign", "", ("0-1", "White resigns"), 2),
        // A move has refused it.
        ("4 say offer draw", "7 say accept draw; 9 say resign", ("1-0", "Black resigns"), 9),
        // For both.
        ("4 say offer draw; 6 say accept draw; 8 say resign", "", ("0-1", "White resigns"), 8),
    ] {
        let more = ["-rules", "seed"];
        let record = one_game(&shuffling(white), &shuffling(black), &more);
        check(&record, result, details, "normal", Some(plies));
        let offers = record.tag("Rulings").is_some_and(|told| told.contains("offers a draw"));
        assert_eq!(offers, white.contains("offer") || black.contains("offer"), "{record}");
    }
}

/// RULES 2.6: by the position on the board, or by the one that the announced move brings about.
#[test]
fn rule_2_6_engines_claim_threefold_repetition() {
    let drawn = ("1/2-1/2", "threefold repetition");
    for (white, black, rules, (result, details), plies) in [
        ("8 say claim draw", "", "seed", drawn, 8),
        ("", "7 say claim draw by move", "seed", drawn, 7),
        ("8 say claim draw", "", "fide", drawn, 8),
        // One move too early; the right is lost with the next move, and comes back.
        ("", "5 say claim draw by move; 9 say resign", "seed", ("1-0", "Black resigns"), 9),
        ("10 say claim draw; 12 say resign", "", "seed", ("1/2-1/2", "threefold repetition"), 10),
    ] {
        let more = ["-rules", rules, "-claims", "players", "-each", "tc=900"];
        let record = one_game(&shuffling(white), &shuffling(black), &more);
        check(&record, result, details, "normal", Some(plies));
    }
}

/// RULES 2.7: fifty moves, on the claim of a player or by the arbiter; a mate comes first.
#[test]
fn rule_2_7_fifty_moves() {
    let directory = Directory::new();
    let drawn = ("1/2-1/2", "fifty moves");
    for (clock, line, script, claims, (result, details), plies) in [
        (98, "a1a2 h8g8", "", "auto", drawn, 2),
        (99, "a1a2", "", "auto", drawn, 1),
        (99, "a1a8", "", "auto", ("1-0", "White mates"), 1),
        (99, "a1a2", "0 say claim draw by move", "players", drawn, 0),
        (100, "a1a2", "0 say claim draw", "players", drawn, 0),
        (97, "a1a2 h8g8", "0 say claim draw; 2 say resign", "players", ("0-1", "White resigns"), 2),
    ] {
        // Black's rook can mate, so that White may lose by resigning.
        let fen = format!("7k/8/6K1/8/8/8/7r/R7 w - - {clock} 90");
        let fen = if line.starts_with("a1a8") { fen.replace("7r", "8") } else { fen };
        let line = line.replace("h8g8", "h2h3");
        let file = format!("file={}", directory.write("book.epd", &fen));
        let more = ["-openings", &file, "-claims", claims, "-each", "tc=900"];
        let white = [("Line", line.as_str()), ("Script", script)];
        let record = one_game(&white, &[("Line", line.as_str())], &more);
        check(&record, result, details, "normal", Some(plies));
    }
}

/// RULES 2.10: a fallen flag loses, or draws if the opponent can't mate.
#[test]
fn rule_2_10_a_flag_that_falls_loses_or_draws() {
    let directory = Directory::new();
    let late = [("Script", "0 late 400; 1 late 400")];
    let saved = "flag fell, but";
    for (fen, rules, result, details) in [
        ("7k/8/6K1/7p/8/8/8/R7 w - - 0 1", "fide", "0-1", "White loses on time"),
        (
            "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "fide",
            "1/2-1/2",
            "White's flag fell, but Black can't mate",
        ),
        (
            "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "seed",
            "1/2-1/2",
            "White's flag fell, but Black can't mate",
        ),
        ("7k/8/5K2/8/8/8/7b/R7 w - - 0 1", "fide", "1/2-1/2", saved),
        ("7k/8/5K2/8/8/8/7b/R7 w - - 0 1", "seed", "0-1", "White loses on time"),
        // Any man of the other colour on the way of a king can make a mate with a knight.
        ("7k/8/5K2/8/8/8/7n/R7 w - - 0 1", "fide", "0-1", "White loses on time"),
        ("7k/8/5K2/8/8/8/7n/1Q6 w - - 0 1", "fide", "1/2-1/2", saved),
        // The other side.
        (
            "7k/8/5K2/8/8/8/8/r7 b - - 0 1",
            "fide",
            "1/2-1/2",
            "Black's flag fell, but White can't mate",
        ),
        ("7k/8/5K2/8/8/8/P7/r7 b - - 0 1", "fide", "1-0", "Black loses on time"),
        ("7k/8/5K2/8/8/8/P7/r7 b - - 0 1", "seed", "1-0", "Black loses on time"),
    ] {
        let file = format!("file={}", directory.write("book.epd", fen));
        let more = ["-rules", rules, "-openings", &file, "-each", "tc=0.1"];
        let record = one_game(&late, &late, &more);
        check(&record, result, "", "time forfeit", Some(0));
        assert!(record.tag("TerminationDetails").unwrap().contains(details), "{record}");
    }
    // A rule by its name in the other set.
    let lone = format!("file={}", directory.write("book.epd", "7k/8/5K2/8/8/8/7b/R7 w - - 0 1"));
    for (rules, flag, result) in [("fide", "lone-king", "0-1"), ("seed", "cannot-mate", "1/2-1/2")]
    {
        let more = ["-rules", rules, "-flag", flag, "-openings", &lone, "-each", "tc=0.1"];
        check(&one_game(&late, &late, &more), result, "White", "time forfeit", Some(0));
    }
}

/// RULES 2.11: a wrong claim costs what the rules say, and the announced move is played.
#[test]
fn rule_2_11_a_wrong_claim_costs_time() {
    let seed = ["-rules", "seed"];
    let half = ["-rules", "seed", "-penalty", "half:180"];
    let fide = ["-rules", "fide", "-claims", "players"];
    let told = [
        "it loses 300 s, the opponent gains 0 s",
        "the opponent gains 180 s",
        "it loses 0 s, the opponent gains 120 s",
    ];
    for (white, black, rules, seconds, told, clocks) in [
        ("2 say claim draw; 6 say resign", "", &seed[..], 600, told[0], [300.0, 600.0]),
        ("2 say claim draw by move; 6 say resign", "", &seed, 600, told[0], [300.0, 600.0]),
        ("2 say claim draw; 6 say resign", "", &half, 100, told[1], [50.0, 280.0]),
        ("2 say claim draw; 6 say resign", "", &half, 1000, told[1], [820.0, 1180.0]),
        ("2 say claim draw; 6 say resign", "", &fide, 100, told[2], [100.0, 220.0]),
        ("6 say resign", "1 say claim draw by move", &seed, 600, told[0], [600.0, 300.0]),
    ] {
        let each = format!("tc={seconds}");
        let more = [rules, &["-each", &each]].concat();
        let record = one_game(&shuffling(white), &shuffling(black), &more);
        // Six plies: the move that was announced was made, and the game went on.
        check(&record, "0-1", "White resigns", "normal", Some(6));
        let rulings = record.tag("Rulings").unwrap();
        assert!(rulings.contains("claims a draw wrongly: ") && rulings.contains(told), "{rulings}");
        for (ply, expected) in [4, 5].into_iter().zip(clocks) {
            // A busy machine may take some of it.
            let shown = clock(&record, ply);
            assert!(expected - 2.0 < shown && shown <= expected, "{told} {expected}: {record}");
        }
    }
    // More than there is: the flag falls, and the announced move is not made.
    for (white, black, seconds, result, details, plies) in [
        ("2 say claim draw", "", "tc=200", "0-1", "White loses on time", 2),
        ("", "3 say claim draw by move", "tc=299", "1-0", "Black loses on time", 3),
    ] {
        let more = ["-rules", "seed", "-each", seconds];
        let record = one_game(&shuffling(white), &shuffling(black), &more);
        check(&record, result, details, "time forfeit", Some(plies));
    }
}

/// RULES 2.12: what is no legal move forfeits, and the reason is recorded.
#[test]
fn rule_2_12_an_illegal_move_forfeits() {
    let illegal = |side: &str, word: &str| format!("{side}: illegal move {word}");
    for (action, white, black) in [
        ("illegal", "a1a8", "a1a8"),
        ("null", "0000", "0000"),
        ("none", "(none)", "(none)"),
        ("upper", "F3G1", "F6G8"),
    ] {
        let (as_white, as_black) = (format!("2 {action}"), format!("3 {action}"));
        let record = one_game(&shuffling(&as_white), &shuffling(""), &[]);
        check(&record, "0-1", &illegal("White", white), "illegal move", Some(2));
        let record = one_game(&shuffling(""), &shuffling(&as_black), &[]);
        check(&record, "1-0", &illegal("Black", black), "illegal move", Some(3));
    }
}

/// RULES 2.13: who does not come, or comes and says nothing, forfeits.
#[test]
fn rule_2_13_an_engine_that_does_not_start_or_answer_forfeits() {
    let directory = Directory::new();
    let hangs = engine("Absent", &[("Script", "start hang")], &["patience=0.5"]);
    for (absent, details) in [
        (texts(&["-engine", "cmd=no-such-engine-at-all", "name=Absent"]), "does not start"),
        (
            texts(&["-engine", "cmd=sleep 60", "name=Absent", "patience=0.3"]),
            "stalls: no answer to uci",
        ),
        (texts(&["-engine", "cmd=true", "name=Absent"]), "disconnects"),
        (hangs, "stalls: no answer to isready"),
    ] {
        let games = directory.file("games.pgn");
        let mut words = absent;
        words.extend(engine("Good", &[], &[]));
        words.extend(texts(&["-each", "tc=10", "-quiet", "-games", "2", "-pgnout", &games]));
        let run = arbiter(&words);
        assert_eq!(run.status, 0, "{}", run.errors);
        let records = records(&games);
        check(&records[0], "0-1", &format!("White: {details}"), "abandoned", Some(0));
        check(&records[1], "1-0", &format!("Black: {details}"), "abandoned", Some(0));
        std::fs::remove_file(games).unwrap();
    }
}

/// RULES 3.1: periods follow each other, time saved is carried over, the last one repeats.
#[test]
fn rule_3_1_periods_run_as_they_are_set() {
    for (control, written, first, third, fifth) in [
        // What White's clock shows after its first, third and fifth move.
        ("tc=2/10:5+1", "2/10:5+1", 10.0, 16.0, 18.0),
        ("tc=2/10:1/5:3", "2/10:1/5:3", 10.0, 18.0, 18.0),
        ("tc=2/10", "2/10", 10.0, 20.0, 30.0),
        ("tc=4/0:30", "4/30", 30.0, 30.0, 60.0),
        ("tc=40/150:00:20/60:00", "40/9000:20/3600", 9000.0, 9000.0, 9000.0),
    ] {
        let more = ["-rules", "seed", "-each", control];
        let record = one_game(&shuffling("0 late 30; 10 say resign"), &shuffling(""), &more);
        check(&record, "0-1", "White resigns", "normal", Some(10));
        assert_eq!(record.tag("TimeControl"), Some(written));
        for (ply, expected) in [(0, first), (4, third), (8, fifth)] {
            let left = clock(&record, ply);
            assert!(expected - 1.0 < left && left < expected, "{control} {ply}: {left}");
        }
    }
}

/// RULES 3.2: the flag decides, nothing is forgiven but the margin, and a move that mates or
/// stalemates before it counts.
#[test]
fn rule_3_2_the_flag_decides() {
    let directory = Directory::new();
    let mate = "7k/8/6K1/7p/8/8/8/R7 w - - 0 1";
    let stalemate = "7k/8/8/6Q1/8/8/7p/K6N w - - 0 1";
    for (fen, mv, margin, result, details, termination, plies) in [
        (mate, "a1a8", "0", "0-1", "White loses on time", "time forfeit", 0),
        (mate, "a1a8", "2000", "1-0", "White mates", "normal", 1),
        (stalemate, "g5g6", "0", "0-1", "White loses on time", "time forfeit", 0),
        (stalemate, "g5g6", "2000", "1/2-1/2", "stalemate", "normal", 1),
    ] {
        let file = format!("file={}", directory.write("book.epd", fen));
        let margin = format!("timemargin={margin}");
        let more = ["-openings", &file, "-each", "st=0.1", &margin];
        let record = one_game(&[("Line", mv), ("Script", "0 late 300")], &[], &more);
        check(&record, result, details, termination, Some(plies));
    }
    let late = "2 late 300";
    let record = one_game(&shuffling(late), &shuffling(""), &["-each", "st=0.1"]);
    check(&record, "0-1", "White loses on time", "time forfeit", Some(2));
    let more = ["-each", "st=0.1", "timemargin=2000"];
    let record = one_game(&shuffling(late), &shuffling(""), &more);
    check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
}

/// RULES 3.3: increment, delay, sudden death, fixed time, nodes and depth, for each side its own.
#[test]
fn rule_3_3_modern_clocks_run_as_they_are_set() {
    let thinks = "0 late 120; 2 late 120; 4 late 120";
    for (control, written, low, high) in [
        // What White's clock shows after its third move.
        ("tc=10+1", "10+1", 12.0, 12.65),
        ("tc=10d0.5", "10d0.5", 9.9, 10.0),
        ("tc=10d0.05", "10d0.05", 9.0, 9.8),
        ("tc=10", "10", 9.0, 9.65),
        ("tc=0:10", "10", 9.0, 9.65),
    ] {
        let record = one_game(&shuffling(thinks), &shuffling(""), &["-each", control]);
        assert_eq!(record.tag("TimeControl"), Some(written));
        let left = clock(&record, 4);
        assert!(low <= left && left <= high, "{control}: {left}");
    }
    for limit in ["nodes=10", "depth=1", "st=5", "tc=5/move"] {
        let record = one_game(&shuffling(""), &shuffling(""), &["-each", limit]);
        check(&record, "1/2-1/2", "threefold repetition", "normal", Some(8));
        assert!(record.remarks.iter().all(|remarks| !remarks.comment.contains("%clk")));
    }
}

/// RULES 3.4: the engine does not lose on time, under any control, pondering or not. What is
/// forgiven here is a busy test machine; `docs/arbiter.md` tells of matches without a margin.
#[test]
fn rule_3_4_qishou_keeps_its_time_under_every_control() {
    let directory = Directory::new();
    let games = directory.file("games.pgn");
    let cmd = format!("cmd={}", env!("CARGO_BIN_EXE_qishou"));
    // It thinks now and then, so that there is time to ponder.
    let mut words =
        engine("Scripted", &[("Script", "3 late 100; 6 late 100; 9 late 100")], &["tc=60"]);
    let controls: [&[&str]; 9] = [
        &["tc=1+0.05"],
        &["tc=1"],
        &["tc=4/0.5"],
        &["tc=3/0.6:2/0.4:0.5+0.02"],
        &["tc=1+0.05", "ponder"],
        &["tc=4/0.5", "ponder"],
        &["tc=0.5d0.1"],
        &["st=0.05"],
        &["nodes=2000", "depth=6"],
    ];
    for (i, control) in controls.into_iter().enumerate() {
        words.extend(texts(&["-engine", &cmd, &format!("name={i}")]));
        words.extend(texts(control));
    }
    words.extend(texts(&["-each", "timemargin=1000", "-tournament", "gauntlet"]));
    words.extend(texts(&["-maxmoves", "10", "-games", "1", "-quiet", "-pgnout", &games]));
    let run = arbiter(&words);
    assert_eq!(run.status, 0, "{}{}", run.output, run.errors);
    let records = records(&games);
    assert_eq!(records.len(), controls.len());
    for record in &records {
        let termination = record.tag("Termination").unwrap();
        assert!(matches!(termination, "normal" | "adjudication"), "{record}");
    }
    let plies: usize = records.iter().map(|record| record.game.moves().len()).sum();
    assert!(plies > 100, "{plies}");
}

/// All text of the Rust files below a folder, or of those in it that are called so.
fn sources(folder: &std::path::Path, name: &str) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            text += &sources(&path, name);
        } else if file.starts_with(name) && path.extension().is_some_and(|end| end == "rs") {
            text += &std::fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn every_row_of_sections_2_to_4_has_a_test_named_after_it() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let [source, tests] = ["src", "tests"].map(|folder| package.join(folder));
    let all = sources(&source, "") + &sources(&tests, "");
    let with_the_program = sources(&tests, "arbiter_");
    for (section, rows) in [(2, 13), (3, 4), (4, 5)] {
        for row in 1..=rows {
            let name = format!("fn rule_{section}_{row}_");
            assert!(all.contains(&name), "{name}");
        }
    }
    for row in ["2_5", "2_10", "2_11", "2_12", "2_13", "3_1", "3_2", "3_3", "3_4", "4_1", "4_2"] {
        let name = format!("fn rule_{row}_");
        assert!(with_the_program.contains(&name), "{name}");
    }
}
