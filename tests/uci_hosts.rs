//! What the programs with a board send, replayed: every reply is there, in order, and in the form
//! that the pickiest of them reads.
//!
//! A transcript has a line for each step: `>` is sent, `<` is waited for (a line that begins so),
//! `=` is waited for word for word, `!` must not have been said since the last step that waited,
//! `.` is a pause in milliseconds. The sequences are those of the programs' sources, as of 2026.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::time::Duration;

use qishou::chess::Position;

#[path = "support/host.rs"]
mod host;

use host::{Host, program};

/// Plays a transcript against the real program; gives all that was said.
fn replay(transcript: &str) -> Vec<String> {
    let mut host = program();
    let mut said = Vec::new();
    let mut last = Vec::new();
    for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (kind, text) = line.split_at(1);
        let text = text.trim();
        match kind {
            ">" => host.say(&[text]),
            "<" => last = wait(&mut host, text, &mut said),
            "=" => {
                last = wait(&mut host, text, &mut said);
                assert_eq!(last.last().unwrap(), text);
            }
            "!" => {
                assert!(!last.iter().any(|line| line.starts_with(text)), "{text} in {last:#?}");
            }
            "." => std::thread::sleep(Duration::from_millis(text.parse().unwrap())),
            other => panic!("{other:?} in {line}"),
        }
    }
    said.extend(host.farewell());
    for line in &said {
        assert_eq!(fault(line), None, "{line}");
    }
    said
}

fn wait(host: &mut Host, start: &str, said: &mut Vec<String>) -> Vec<String> {
    let lines = host.until(start);
    said.extend(lines.iter().cloned());
    if start.starts_with("bestmove") {
        assert_eq!(fault_of_search(&lines), None, "{lines:#?}");
    }
    lines
}

/// What fastchess, the strictest, asks of a search: a move in small letters, and before it an exact
/// scored line of the first variation whose line begins with that move.
fn fault_of_search(lines: &[String]) -> Option<&'static str> {
    let best = lines.last()?.split(' ').nth(1)?;
    let exact = lines.iter().rev().find(|line| {
        line.starts_with("info depth")
            && line.contains(" score ")
            && !line.contains("bound")
            && (line.contains(" multipv 1 ") || !line.contains(" multipv "))
    });
    let Some(exact) = exact else { return Some("no exact line") };
    if best == "(none)" {
        return None;
    }
    let pv = exact.split_once(" pv ").map(|(_, pv)| pv.split(' ').next());
    (pv != Some(Some(best))).then_some("the best move is not the head of the line")
}

/// What is wrong with a line of output, whatever it answers: the grammar of all output.
fn fault(line: &str) -> Option<&'static str> {
    if !line.is_ascii() || line.contains("  ") || line.trim() != line {
        return Some("blanks or letters");
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words[0] {
        "id" | "option" => None,
        "uciok" | "readyok" => (words.len() > 1).then_some("more than one word"),
        "bestmove" => match words[1..] {
            ["(none)"] => None,
            [mv] if is_move(mv) => None,
            [mv, "ponder", answer] if is_move(mv) && is_move(answer) => None,
            _ => Some("best move"),
        },
        "info" if words.get(1) == Some(&"string") => None,
        "info" => fault_of_info(&words[1..]),
        _ => Some("no such line"),
    }
}

fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[..4]
            .chunks(2)
            .all(|square| (b'a'..=b'h').contains(&square[0]) && (b'1'..=b'8').contains(&square[1]))
        && bytes.get(4).is_none_or(|letter| b"qrbn".contains(letter))
}

/// The fields of a line of thinking, in the one order that all programs read.
fn fault_of_info(words: &[&str]) -> Option<&'static str> {
    let mut words = words.iter().copied().peekable();
    let whole = |word: Option<&str>| word.is_some_and(|word| word.parse::<u64>().is_ok());
    if words.next() != Some("depth") {
        return Some("depth");
    }
    let depth = words.next();
    if !whole(depth) {
        return Some("depth");
    }
    if words.peek() == Some(&"currmove") {
        let rest: Vec<&str> = words.collect();
        let well = matches!(rest[..], ["currmove", mv, "currmovenumber", number]
            if is_move(mv) && whole(Some(number)));
        return (!well).then_some("currmove");
    }
    let ended = depth == Some("0");
    if !ended {
        for field in ["seldepth", "multipv"] {
            if words.next() != Some(field) || !whole(words.next()) {
                return Some(field);
            }
        }
    }
    if words.next() != Some("score") || !matches!(words.next(), Some("cp" | "mate")) {
        return Some("score");
    }
    if !words.next().is_some_and(|word| !word.starts_with('+') && word.parse::<i32>().is_ok()) {
        return Some("score");
    }
    if matches!(words.peek(), Some(&("lowerbound" | "upperbound"))) {
        words.next();
    }
    if words.peek() == Some(&"wdl") {
        words.next();
        let sum: Option<u32> = (0..3).map(|_| words.next()?.parse::<u32>().ok()).sum();
        if sum != Some(1000) {
            return Some("wdl");
        }
    }
    if ended {
        return words.next().map(|_| "more after the end");
    }
    for field in ["nodes", "nps", "hashfull", "tbhits", "time"] {
        if words.next() != Some(field) || !whole(words.next()) {
            return Some(field);
        }
    }
    (words.next() != Some("pv") || !words.all(is_move)).then_some("pv")
}

#[test]
fn the_grammar_tells_right_lines_from_wrong_ones() {
    let tail = "nodes 1 nps 2 hashfull 0 tbhits 0 time 3 pv e2e4 e7e8q";
    for line in [
        format!("info depth 3 seldepth 4 multipv 1 score cp -5 {tail}"),
        format!("info depth 3 seldepth 4 multipv 2 score mate 5 upperbound {tail}"),
        format!("info depth 3 seldepth 4 multipv 1 score cp 20 wdl 300 600 100 {tail}"),
        "info depth 0 score mate 0".to_owned(),
        "info depth 9 currmove e2e4 currmovenumber 3".to_owned(),
        "bestmove e2e4 ponder e7e5".to_owned(),
        "bestmove (none)".to_owned(),
    ] {
        assert_eq!(fault(&line), None, "{line}");
    }
    for line in [
        format!("info depth 3 seldepth 4 multipv 1 score cp +5 {tail}"),
        format!("info depth 3 seldepth 4 multipv 1 score 5 {tail}"),
        format!("info depth 3 seldepth 4 multipv 1 score cp 5 wdl 300 600 200 {tail}"),
        format!("info depth 3 seldepth 4 score cp 5 {tail}"),
        format!(
            "info depth 3 seldepth 4 multipv 1 score cp 5 {}",
            tail.replace("nps 2", "nps 2.5")
        ),
        "info depth 3 seldepth 4 multipv 1 score cp 5 nodes 1".to_owned(),
        "bestmove E2E4".to_owned(),
        "bestmove e2e4 ponder (none)".to_owned(),
        "readyok ".to_owned(),
        "Unknown command".to_owned(),
    ] {
        assert!(fault(&line).is_some(), "{line}");
    }
}

/// fastchess `--compliance`, all 40 steps; a step that looks at a line is done by every `bestmove`.
#[test]
fn fastchess_finds_it_compliant() {
    let said = replay(
        "> uci
        = uciok
        > isready
        = readyok
        > ucinewgame
        > isready
        = readyok
        > position startpos
        > isready
        = readyok
        > position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27
        > isready
        = readyok
        > go wtime 100
        < bestmove
        > position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
        > go btime 100
        < bestmove
        > go wtime 100 winc 100 btime 100 binc 100
        < bestmove
        > go btime 100 binc 100 wtime 100 winc 100
        < bestmove
        > ucinewgame
        > position startpos
        > go wtime 100 btime 100
        < bestmove
        > position startpos moves e2e4 e7e5
        > go wtime 100 btime 100
        < bestmove
        > quit",
    );
    assert!(said.iter().any(|line| line.starts_with("id name Qishou")));
    assert!(said.iter().any(|line| line.starts_with("id author ")));
}

#[test]
fn fastchess_plays_a_game_of_chess960() {
    replay(
        "> uci
        = uciok
        > setoption name Threads value 1
        > setoption name Hash value 8
        > setoption name UCI_Chess960 value true
        > ucinewgame
        > isready
        = readyok
        > isready
        = readyok
        > position fen bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1
        > isready
        = readyok
        > go wtime 200 btime 200 winc 10 binc 10
        < bestmove
        > isready
        = readyok
        > position fen bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1 moves g2g3 g7g6
        > isready
        = readyok
        > go nodes 1000 movetime 100
        < bestmove
        > stop
        > quit",
    );
}

#[test]
fn cutechess_ponders_and_takes_the_hit() {
    let said = replay(
        "> uci
        = uciok
        > setoption name Hash value 8
        > setoption name Ponder value true
        > setoption name Threads value 1
        > isready
        = readyok
        > ucinewgame
        > setoption name Ponder value true
        > setoption name UCI_Opponent value none none computer Other 1.0
        > position startpos
        > isready
        = readyok
        > go wtime 300 btime 300 winc 10 binc 10 movestogo 40
        < bestmove
        > position startpos moves e2e4 e7e5 g1f3
        > go ponder wtime 300 btime 300 winc 10 binc 10
        . 100
        > isready
        = readyok
        ! bestmove
        > ponderhit
        < bestmove
        > position startpos moves e2e4 e7e5 g1f3 b8c6
        > go ponder wtime 300 btime 300
        > stop
        < bestmove
        > position startpos moves e2e4 e7e5
        > isready
        = readyok
        > go wtime 300 btime 300
        < bestmove
        > quit",
    );
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), 4);
}

#[test]
fn lichess_bot_sets_its_defaults_and_plays_through_python_chess() {
    let said = replay(
        "> uci
        = uciok
        > setoption name Move Overhead value 100
        > setoption name Threads value 4
        > setoption name Hash value 512
        > setoption name SyzygyPath value ./syzygy/
        > setoption name UCI_ShowWDL value true
        > setoption name UCI_AnalyseMode value false
        > setoption name Ponder value true
        > ucinewgame
        > setoption name UCI_Opponent value BM 2500 computer Someone
        > isready
        = readyok
        > setoption name UCI_Chess960 value false
        > position startpos moves e2e4
        > go wtime 400 btime 400 winc 20 binc 20
        < bestmove
        > position startpos moves e2e4 e7e5 g1f3
        > go ponder wtime 400 btime 400 winc 20 binc 20
        > ponderhit
        < bestmove
        > position startpos moves e2e4 e7e5 g1f3 b8c6
        > go nodes 500 searchmoves 0000
        < bestmove
        > quit",
    );
    let scored = said.iter().filter(|line| line.contains(" score "));
    assert!(scored.clone().count() > 2);
    for line in scored {
        assert!(line.contains(" wdl ") || line.contains("bound"), "{line}");
    }
}

#[test]
fn en_croissant_changes_positions_without_waiting() {
    let said = replay(
        "> uci
        = uciok
        > isready
        = readyok
        > setoption name UCI_Chess960 value false
        > setoption name MultiPV value 3
        > setoption name Threads value 1
        > setoption name Hash value 16
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves
        > go infinite
        . 100
        > stop
        . 50
        > setoption name UCI_Chess960 value false
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4
        > go depth 3
        < bestmove
        < bestmove
        > position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
        > go depth 3
        < bestmove (none)
        > quit",
    );
    // Lines 1, 2, 3 in order, all of one depth.
    let lines: Vec<(&str, &str)> = said
        .iter()
        .filter(|line| line.contains(" multipv ") && !line.contains("bound"))
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[2], words[6])
        })
        .collect();
    assert!(!lines.is_empty() && lines.len().is_multiple_of(3), "{lines:?}");
    for block in lines.chunks(3) {
        let depth = block[0].0;
        assert_eq!(block, [(depth, "1"), (depth, "2"), (depth, "3")]);
    }
}

#[test]
fn nibbler_sets_chess960_always_and_shows_no_error() {
    let said = replay(
        "> uci
        = uciok
        > setoption name Move Overhead value 0
        > setoption name UCI_ShowWDL value true
        > setoption name UCI_Chess960 value true
        > setoption name MultiPV value 3
        > setoption name Threads value 1
        > setoption name Hash value 16
        > isready
        = readyok
        > ucinewgame
        > position fen r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4 moves e1h1
        > go nodes 2000
        < bestmove
        > position fen r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4
        > go infinite searchmoves e1h1
        . 50
        > stop
        < bestmove e1h1
        > quit",
    );
    assert!(!said.iter().any(|line| line.contains("error")), "{said:#?}");
}

#[test]
fn lucas_chess_does_not_wait_for_uciok() {
    replay(
        "> uci
        > setoption name Hash value 16
        > setoption name MultiPV value 4
        > ucinewgame
        < uciok
        > stop
        > isready
        = readyok
        > position startpos moves e2e4
        > go movetime 200
        . 300
        > stop
        < bestmove
        > stop
        > position startpos moves e2e4 e7e5
        > go ponder movetime 50
        > stop
        < bestmove
        > quit",
    );
}

#[test]
fn lucas_chess_reads_the_evaluation() {
    let mut host = program();
    host.say(&["position startpos moves e2e4", "eval"]);
    let lines = host.until("Final ");
    assert!(lines.last().unwrap().starts_with("Final evaluation"), "{lines:#?}");
    host.hang_up();
}

#[test]
fn scid_analyses_and_lets_it_play() {
    replay(
        "> uci
        = uciok
        > setoption name MultiPV value 2
        > setoption name UCI_AnalyseMode value true
        > setoption name UCI_Chess960 value false
        > setoption name UCI_ShowWDL value false
        > ucinewgame
        > isready
        = readyok
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        > go infinite
        . 60
        > stop
        < bestmove
        > setoption name UCI_AnalyseMode value false
        > setoption name Ponder value false
        > ucinewgame
        > isready
        = readyok
        > position startpos moves d2d4
        > go wtime 200 btime 200 winc 0 binc 0
        < bestmove
        > quit",
    );
}

#[test]
fn arena_sends_back_every_option_as_it_stands() {
    let mut host = program();
    host.say(&["uci"]);
    let lines = host.until("uciok");
    // Every option with its default text, strings and all.
    for line in lines.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").unwrap();
        let value = rest.split_once(" default ").map(|(_, value)| value);
        let value = value.map(|value| value.split(" min ").next().unwrap());
        match value {
            Some(value) => host.say(&[&format!("setoption name {name} value {value}")]),
            None => host.say(&[&format!("setoption name {name}")]),
        }
    }
    let start = "position startpos moves e2e4";
    host.say(&["isready"]);
    assert_eq!(host.until("readyok"), ["readyok"]);
    host.say(&["ucinewgame", "isready"]);
    host.until("readyok");
    host.say(&[start, "go wtime 300 btime 300 winc 0 binc 0"]);
    assert_eq!(fault_of_search(&host.until("bestmove")), None);
    host.say(&["position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "go mate 1"]);
    let lines = host.until("bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove e1e8"));
    host.say(&["quit"]);
    assert_eq!(host.farewell(), Vec::<String>::new());
}

#[test]
fn banksia_writes_everything_at_once() {
    let mut host = program();
    host.raw(b"uci\n");
    host.until("uciok");
    host.raw(b"setoption name Hash value 16\nsetoption name Threads value 1\nisready\n");
    host.until("readyok");
    host.raw(b"ucinewgame\nposition startpos moves e2e4 e7e5\ngo wtime 200 btime 200 winc 0 binc 0 movestogo 20\n");
    assert_eq!(fault_of_search(&host.until("bestmove")), None);
    host.hang_up();
}

/// Any order and subset of the words of `go`, with odd values: one best move, legal, and a scored
/// line before it; an endless one after its stop.
#[test]
fn any_go_at_all_is_answered_once() {
    let mut state = 20_261_130_u64;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let fields = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "ponder",
        "searchmoves",
        "nonsense",
    ];
    let values = ["0", "1", "3", "20", "-50", "99999999999999999999", "x", "", "+7", "1.5"];
    let positions = [
        "startpos",
        "startpos moves e2e4 e7e5",
        "fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ];
    let mut host = program();
    for _ in 0..200 {
        let mut go = "go".to_owned();
        for _ in 0..random(5) {
            let field = fields[random(fields.len())];
            go.extend([" ", field]);
            match field {
                "infinite" | "ponder" | "nonsense" => {}
                "searchmoves" => go += [" e2e4 d2d4", " e1g1", " 0000", ""][random(4)],
                _ => go.extend([" ", values[random(values.len())]]),
            }
        }
        let position = positions[random(positions.len())];
        host.say(&[&format!("position {position}"), &go]);
        // Whatever it was, it may last.
        host.say(&["isready"]);
        let mut lines = host.until("readyok");
        lines.pop();
        if !lines.iter().any(|line| line.starts_with("bestmove")) {
            host.say(&["stop"]);
            lines.extend(host.until("bestmove"));
        }
        assert_eq!(fault_of_search(&lines), None, "{position} {go}: {lines:#?}");
        for line in &lines {
            assert_eq!(fault(line), None, "{go}: {line}");
        }
        let mut here = Position::startpos();
        if let Some(fen) = position.strip_prefix("fen ") {
            here = fen.parse().unwrap();
        } else if position.ends_with("e7e5") {
            for mv in ["e2e4", "e7e5"] {
                let mv = here.parse_uci(mv).unwrap();
                here.play(mv);
            }
        }
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(
            best == "(none)" && !here.has_legal_move() || here.parse_uci(best).is_ok(),
            "{go}: {best}"
        );
    }
    assert_eq!(host.hang_up(), Vec::<String>::new());
}

/// `cargo test --test uci_hosts -- --ignored`: python-chess plays, analyses, ponders, sets options to
/// their extremes and sends a thousand limits of any kind.
#[test]
#[ignore = "takes minutes, and needs python-chess"]
fn python_chess_drives_it_without_an_exception() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/python_chess_host.py");
    let engine = env!("CARGO_BIN_EXE_qishou");
    let output = std::process::Command::new("python3").args([script, engine]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().last(), Some("done"));
}

#[test]
fn the_handshake_is_quick() {
    let mut host = program();
    // Ten times what is promised: machines that test are busy.
    host.say(&["uci"]);
    host.until_within("uciok", Duration::from_secs(1));
    host.say(&["isready"]);
    host.until_within("readyok", Duration::from_secs(5));
    host.hang_up();
}
