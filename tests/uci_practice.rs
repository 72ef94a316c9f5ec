//! Options that reach outside the program: endgame tables, books, logs; and time counted in nodes.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use qishou::book::key;
use qishou::chess::{Ending, Game, Position, Square};
use qishou::search::{Channel, Engine, Event, Limits, Tables};
use qishou::tablebase::Tablebases;

#[path = "support/host.rs"]
mod host;

use host::{count, errors, in_process};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

/// A file of its own for one test, with a blank and a letter beyond ASCII in its name.
fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("qishou ü {} {name}", std::process::id()))
}

fn scores(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.split_once(" score ")).map(|(_, rest)| rest).collect()
}

#[test]
fn tables_are_found_and_rank_the_moves_of_the_root() {
    let mut host = in_process();
    host.say(&[&format!("setoption name SyzygyPath value {SAMPLE}")]);
    assert_eq!(host.so_far(), ["info string 12 endgame tables found, of 4 men at most"]);
    // A rook that hangs: only moving it wins. A draw is no mistake of the shallow search.
    host.say(&["setoption name MultiPV value 3"]);
    host.say(&["position fen 8/8/8/8/8/3K4/1k6/R7 w - - 0 80", "go depth 1"]);
    let lines = host.until("bestmove");
    assert!(scores(&lines)[0].starts_with("cp 20000 "), "{lines:#?}");
    assert!(lines.last().unwrap().starts_with("bestmove a1"), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains(" tbhits 0 ")), "{lines:#?}");
    // Too late for the fifty-move rule, unless it is put aside.
    host.say(&["setoption name MultiPV value 1"]);
    host.say(&["position fen 8/8/8/8/8/3K4/1k6/R7 w - - 95 80", "go depth 1"]);
    assert!(scores(&host.until("bestmove"))[0].starts_with("cp 0 "));
    host.say(&["setoption name Syzygy50MoveRule value false", "go depth 1"]);
    assert!(scores(&host.until("bestmove"))[0].starts_with("cp 20000 "));
    // No tables with fewer men than the limit.
    host.say(&["setoption name SyzygyProbeLimit value 2", "go depth 1"]);
    let lines = host.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" tbhits 0 ")), "{lines:#?}");
    host.hang_up();
}

#[test]
fn tables_are_asked_in_the_tree_after_captures() {
    let mut host = in_process();
    let position = "position fen 4k3/8/8/8/r2R4/8/8/b3K3 w - - 0 1";
    let hits = |lines: &[String]| -> Vec<u64> {
        let told = lines.iter().filter_map(|line| line.split_once(" tbhits "));
        told.map(|(_, rest)| rest.split(' ').next().unwrap().parse().unwrap()).collect()
    };
    host.say(&[position, "go depth 4"]);
    assert_eq!(hits(&host.until("bestmove")).last(), Some(&0));
    host.say(&[&format!("setoption name syzygypath value {SAMPLE}"), "ucinewgame"]);
    host.say(&[position, "go depth 4"]);
    let lines = host.until("bestmove");
    let all = *hits(&lines).last().unwrap();
    assert!(all > 0, "{lines:#?}");
    // Positions with as many men as the largest tables need the depth.
    host.say(&["setoption name SyzygyProbeDepth value 100", "ucinewgame", position, "go depth 4"]);
    assert!(hits(&host.until("bestmove")).last() < Some(&all));
    host.hang_up();
}

#[test]
fn folders_that_are_not_there_are_named_and_play_goes_on() {
    let mut host = in_process();
    host.say(&["setoption name SyzygyPath value /no/such folder"]);
    let told = host.so_far();
    assert_eq!(errors(&told).len(), 1);
    assert!(errors(&told)[0].starts_with("tablebase /no/such folder: "), "{told:?}");
    assert_eq!(told[1], "info string no endgame tables found");
    host.say(&["go depth 1"]);
    host.best_move();
    host.say(&["setoption name SyzygyPath value <empty>"]);
    assert_eq!(host.so_far(), Vec::<String>::new());
    let file = scratch("KRvK.rtbw");
    let folder = scratch("tables");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("KRvK.rtbw"), b"nothing").unwrap();
    host.say(&[&format!("setoption name SyzygyPath value {}", folder.display())]);
    let krk = "position fen 8/8/8/3k4/8/8/8/R3K3 w - - 0 1";
    host.say(&[krk, "go depth 1", "go depth 1"]);
    let lines = [host.until("bestmove"), host.until("bestmove")].concat();
    assert_eq!(lines.iter().filter(|line| line.contains("KRvK.rtbw")).count(), 1, "{lines:#?}");
    fs::remove_dir_all(folder).unwrap();
    assert!(!file.exists());
    host.hang_up();
}

/// The engine plays both sides to the end; gives the plies it took.
fn play_out(folder: &str, fen: &str, nodes: u64) -> (Ending, u32) {
    let mut engine = Engine::new();
    let tables = Arc::new(Tablebases::open(&[folder.into()]));
    engine.set_endgame_tables(Tables { tables: Some(tables), ..Tables::default() });
    let mut game = Game::new(fen.parse().unwrap());
    for ply in 0.. {
        if let Some(ending) = game.ending() {
            return (ending, ply);
        }
        let (sink, events) = Channel::new();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        engine.go(&game, limits, Box::new(sink));
        let Some(Event::Finished(found)) = events.iter().last() else { panic!("no end") };
        game.play(found.best.unwrap()).unwrap();
    }
    unreachable!("a game ends")
}

fn assert_is_won(folder: &str, fen: &str) {
    let winner = fen.parse::<Position>().unwrap().side_to_move();
    let (ending, plies) = play_out(folder, fen, 3000);
    eprintln!("{fen}: {ending} after {plies} plies");
    assert_eq!(ending, Ending::Checkmate { winner }, "{fen} after {plies} plies");
}

#[test]
fn king_and_rook_win_from_the_root() {
    assert_is_won(SAMPLE, "8/8/8/3k4/8/8/8/K6R w - - 0 1");
}

/// With `QISHOU_SYZYGY=FOLDER`, the folder of all tables of three and four men.
#[test]
#[ignore = "needs more tables than the repository has"]
fn rook_queen_against_rook_and_bishop_with_knight_win_from_the_root() {
    let folder = std::env::var("QISHOU_SYZYGY").unwrap();
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",
        "8/8/8/8/8/2k5/1r6/K5Q1 w - - 0 1",
        "8/3kr3/8/8/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
        "7k/8/8/8/8/8/8/K1N4B w - - 0 1",
    ] {
        assert_is_won(&folder, fen);
    }
}

/// A book of one position with these moves and weights.
fn book(game: &Game, moves: &[(&str, u16)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (text, weight) in moves {
        let square = |at: usize| Square::parse(&text[at..at + 2]).unwrap() as u16;
        bytes.extend(key(game).to_be_bytes());
        bytes.extend((square(2) | square(0) << 6).to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    bytes
}

#[test]
fn moves_come_from_the_book_in_a_game_only() {
    let file = scratch("book.bin");
    let game = Game::default();
    fs::write(&file, book(&game, &[("a2a4", 3), ("h2h4", 1), ("e2e4", 0)])).unwrap();
    let mut host = in_process();
    host.say(&[&format!("setoption name BookFile value {}", file.display())]);
    host.say(&["go depth 1"]);
    assert!(!host.until("bestmove").iter().any(|line| line.contains("book")));
    host.say(&["setoption name OwnBook value true"]);
    let mut seen = BTreeMap::new();
    for _ in 0..40 {
        host.say(&["position startpos", "go wtime 1000 btime 1000"]);
        let lines = host.until("bestmove");
        assert!(lines.iter().any(|line| line.contains(" score ") && line.contains(" pv ")));
        *seen.entry(lines.last().unwrap().clone()).or_insert(0) += 1;
    }
    let known: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(known, ["bestmove a2a4", "bestmove h2h4"]);
    // No book in an analysis, on other moves, or on the opponent's time.
    for go in ["go depth 1 searchmoves b1c3", "go ponder depth 1", "go infinite"] {
        host.say(&[go, "stop"]);
        assert!(!host.until("bestmove").iter().any(|line| line.contains("book")), "{go}");
    }
    host.say(&["setoption name UCI_AnalyseMode value true", "go depth 1"]);
    assert!(!host.until("bestmove").iter().any(|line| line.contains("book")));
    host.say(&["setoption name UCI_AnalyseMode value false"]);
    // Out of the book the engine thinks.
    host.say(&["position startpos moves e2e4", "go depth 1"]);
    assert!(!host.until("bestmove").iter().any(|line| line.contains("book")));
    fs::remove_file(file).unwrap();
    host.hang_up();
}

#[test]
fn a_book_that_fails_is_named_and_the_engine_thinks() {
    let file = scratch("damaged.bin");
    let mut host = in_process();
    host.say(&["setoption name OwnBook value true", "setoption name BookFile value /no such.bin"]);
    assert!(errors(&host.so_far())[0].starts_with("option BookFile: \"/no such.bin\": "));
    fs::write(&file, [0; 17]).unwrap();
    let set = format!("setoption name BookFile value {}", file.display());
    host.say(&[&set]);
    assert_eq!(count(&host.so_far(), "info string error: option BookFile: "), 1);
    let mut entries = book(&Game::default(), &[("a2a4", 3)]);
    entries.splice(0..0, [0xff; 16]);
    entries.extend([0; 16]);
    fs::write(&file, entries).unwrap();
    host.say(&[&set, "go depth 1", "go depth 1"]);
    let lines = [host.until("bestmove"), host.until("bestmove")].concat();
    assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
    assert!(errors(&lines)[0].ends_with("is out of order; the book is closed"), "{lines:#?}");
    fs::remove_file(file).unwrap();
    host.hang_up();
}

#[test]
fn the_log_holds_what_was_said_by_both() {
    let file = scratch("log.txt");
    let mut host = in_process();
    host.say(&[&format!("setoption name Debug Log File value {}", file.display())]);
    host.say(&["isready"]);
    host.until("readyok");
    host.say(&["go depth 1"]);
    host.until("bestmove");
    host.say(&["setoption name Debug Log File value <empty>", "isready"]);
    host.until("readyok");
    let log = fs::read_to_string(&file).unwrap();
    let said: Vec<&str> =
        log.lines().map(|line| line.trim_start().split_once(' ').unwrap().1).collect();
    assert_eq!(said[..3], [">> isready", "<< readyok", ">> go depth 1"]);
    assert!(said.iter().any(|line| line.starts_with("<< bestmove ")), "{log}");
    assert!(said.contains(&">> setoption name Debug Log File value <empty>"), "{log}");
    host.say(&["setoption name Debug Log File value /no/such/folder/x"]);
    host.until("info string error: option Debug Log File: ");
    fs::remove_file(file).unwrap();
    host.hang_up();
}

#[test]
fn time_counted_in_nodes_gives_the_same_game_each_time() {
    let mut host = in_process();
    host.say(&["setoption name nodestime value 20"]);
    let mut play = || {
        host.say(&["ucinewgame", "position startpos"]);
        let mut nodes = Vec::new();
        for time in [2000, 5, 777] {
            // What the host's clock says later does not count.
            host.say(&[&format!("go wtime {time} winc 10")]);
            let lines = host.until("bestmove");
            let last = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
            let (_, rest) = last.split_once(" nodes ").unwrap();
            nodes.push(rest.split(' ').next().unwrap().parse::<u64>().unwrap());
        }
        nodes
    };
    let nodes = play();
    assert_eq!(nodes, play());
    assert!(nodes.iter().sum::<u64>() < 2030 * 20, "{nodes:?}");
    assert!(nodes.iter().all(|&nodes| nodes > 200), "{nodes:?}");
    host.hang_up();
}

#[test]
fn a_weak_player_is_quick_varies_and_takes_what_hangs() {
    let mut host = in_process();
    host.say(&["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 500"]);
    let mut seen = BTreeMap::new();
    for _ in 0..20 {
        host.say(&["position startpos", "go wtime 600000 btime 600000"]);
        let lines = host.until_within("bestmove", host::AT_ONCE * 4);
        let pv = scores(&lines).last().unwrap().split_once(" pv ").unwrap().1.to_owned();
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        assert!(pv.starts_with(&best), "{lines:#?}");
        assert_eq!(scores(&lines).len(), 1, "{lines:#?}");
        *seen.entry(best).or_insert(0) += 1;
    }
    assert!(seen.len() > 3, "{seen:?}");
    // A queen for nothing is seen by everybody; so is a mate.
    for (fen, best) in [
        ("rnb1kbnr/pppp1ppp/8/4p1q1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3", "c1g5"),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8"),
    ] {
        for _ in 0..10 {
            host.say(&[&format!("position fen {fen}"), "go movetime 1000"]);
            assert_eq!(host.best_move(), best, "{fen}");
        }
    }
    // Full strength in an analysis.
    host.say(&["setoption name UCI_AnalyseMode value true", "position startpos", "go depth 4"]);
    assert!(scores(&host.until("bestmove")).len() >= 4);
    host.hang_up();
}

#[test]
fn skill_levels_limit_the_strength_unless_the_elo_does() {
    let mut host = in_process();
    host.say(&["setoption name Skill Level value 3", "go depth 6"]);
    assert_eq!(scores(&host.until("bestmove")).len(), 1);
    host.say(&["setoption name Skill Level value 20", "go depth 6"]);
    assert!(scores(&host.until("bestmove")).len() >= 6);
    host.hang_up();
}
