//! Conversations with the engine, as hosts hold them: in process and with the real program.
//!
//! Times are asserted loosely (ten times what is promised), since test machines are busy.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use qishou::uci;

#[path = "support/host.rs"]
mod host;

use host::{AT_LAST, AT_ONCE, count, errors, in_process, program};

#[test]
fn the_handshake_is_in_order_and_nothing_is_said_before_it() {
    for mut host in [in_process(), program()] {
        assert!(host.output.recv_timeout(Duration::from_millis(50)).is_err());
        host.say(&["uci", "isready"]);
        let lines = host.until("readyok");
        let kinds: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
        let mut ordered = kinds.clone();
        ordered.dedup();
        assert_eq!(ordered, ["id", "option", "uciok", "readyok"]);
        assert_eq!(lines[0], format!("id name Qishou {}", env!("CARGO_PKG_VERSION")));
        assert!(lines[1].starts_with("id author "));
        assert_eq!(count(&lines, "option name "), uci::declarations().len());
        assert_eq!(host.hang_up(), Vec::<String>::new());
    }
}

#[test]
fn options_that_hosts_rely_on_are_declared_word_for_word() {
    let lines: Vec<String> = uci::declarations().iter().map(ToString::to_string).collect();
    for line in [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name Clear Hash type button",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name EvalFile type string default <empty>",
    ] {
        assert!(lines.iter().any(|declared| declared == line), "{line} in {lines:#?}");
    }
}

#[test]
fn isready_is_answered_at_once_while_a_search_runs_and_ends_nothing() {
    for mut host in [in_process(), program()] {
        host.say(&["position startpos", "go infinite"]);
        for _ in 0..3 {
            assert_eq!(count(&host.so_far(), "bestmove"), 0);
        }
        host.say(&["stop"]);
        host.until_within("bestmove", AT_ONCE);
        host.hang_up();
    }
}

#[test]
fn stop_directly_behind_go_gives_one_best_move_each_time() {
    let mut host = in_process();
    for _ in 0..20 {
        host.say(&["position startpos", "go infinite", "stop"]);
        let lines = host.until_within("bestmove", AT_ONCE);
        assert!(lines.iter().any(|l| l.contains(" score ") && l.contains(" pv ")), "{lines:#?}");
    }
    host.say(&["stop", "ponderhit"]);
    assert_eq!(host.so_far(), Vec::<String>::new());
    host.hang_up();
}

#[test]
fn commands_behind_a_search_wait_their_turn_and_none_is_lost() {
    let mut host = in_process();
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/K6R b - - 0 1 moves g8f8";
    host.say(&["go infinite", mate, "setoption name MultiPV value 2", "go depth 1", "d"]);
    let before = host.so_far();
    assert_eq!(count(&before, "bestmove") + count(&before, "Fen"), 0, "{before:#?}");
    host.say(&["stop"]);
    let lines = host.until("Fen: 5k2/5ppp/8/8/8/8/8/K6R w");
    assert_eq!(count(&lines, "bestmove"), 2);
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")));
    host.hang_up();
}

#[test]
fn stop_position_go_back_to_back_answers_both() {
    let mut host = in_process();
    let last = "position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1";
    host.say(&["go infinite", "stop", last, "go depth 2"]);
    host.best_move();
    assert_eq!(host.best_move(), "h1g2");
    host.say(&["position startpos", "go infinite", "stop", last, "go infinite", "stop"]);
    host.best_move();
    assert_eq!(host.best_move(), "h1g2");
    host.hang_up();
}

#[test]
fn a_second_go_waits_for_a_finite_one() {
    let mut host = in_process();
    host.say(&["go movetime 30", "position startpos moves e2e4", "go movetime 30", "isready"]);
    host.best_move();
    let answer = host.best_move();
    assert!(answer.contains('6') || answer.contains('5'), "{answer} is no move of Black");
    assert_eq!(count(&host.so_far(), "bestmove"), 0);
    host.hang_up();
}

#[test]
fn bad_positions_leave_the_old_one_and_say_why() {
    let mut host = in_process();
    host.say(&["position startpos moves e2e4"]);
    let old = host.fen();
    let cases = [
        ("position", "is neither startpos nor fen"),
        ("position fen", "empty"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1", "ranks"),
        ("position startpos moves e2e5", "move 1, \"e2e5\", is illegal"),
        ("position startpos moves e2e4 e7e5 e4e5", "move 3, \"e4e5\", is illegal"),
        ("position startpos moves 0000", "move 1, \"0000\", is illegal"),
        ("position startpos e2e4", "where moves was expected"),
    ];
    for (line, message) in cases {
        host.say(&[line]);
        let lines = host.so_far();
        assert_eq!(lines.len(), 1, "{line}: {lines:#?}");
        assert!(errors(&lines)[0].contains(message), "{line}: {lines:#?}");
        assert_eq!(host.fen(), old, "{line}");
    }
    host.hang_up();
}

#[test]
fn fens_of_every_dialect_are_read() {
    let mut host = in_process();
    for fields in ["", " 0", " 0 1"] {
        host.say(&[&format!("position fen 4k3/8/8/8/8/8/8/4K2R w K -{fields} moves e1g1")]);
        assert_eq!(host.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }
    for (written, read) in [
        // Shredder-FEN, and letters in any order.
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qKkQ - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        // X-FEN: the inner rook needs its letter.
        ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"),
        // A right without its rook, and squares behind no pawn that could be taken.
        ("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        host.say(&[&format!("position fen {written}")]);
        assert_eq!(host.fen(), read, "{written}");
        assert!(host.so_far().is_empty());
    }
    host.hang_up();
}

#[test]
fn unknown_and_dirty_input_changes_nothing() {
    let mut host = in_process();
    host.raw(b"\xef\xbb\xbfuci\r\n");
    host.until("uciok");
    host.raw(b"\r\n   \t\n\x00\x00\nxyzzy 1 2\n\xff\xfe\x80\nisready\x00\n");
    let lines = host.until("readyok");
    assert_eq!(errors(&lines).len(), 2, "{lines:#?}");
    host.raw(b"position\tstartpos   moves\te2e4\r\n  go \t depth  1 \r\n");
    host.best_move();
    let long = "x".repeat(10_000_000);
    host.say(&[&long, &format!("position startpos moves {long}")]);
    let lines = host.until("info string error: position");
    assert!(lines.iter().all(|line| line.len() < 300));
    host.hang_up();
}

#[test]
fn the_end_of_the_input_ends_even_an_endless_search() {
    for mut host in [in_process(), program()] {
        host.say(&["go infinite", "isready"]);
        host.until("readyok");
        assert_eq!(count(&host.hang_up(), "bestmove"), 1);
    }
    for host in [in_process(), program()] {
        assert_eq!(host.hang_up(), Vec::<String>::new());
    }
}

#[test]
fn quit_in_a_search_ends_soon_with_every_go_answered() {
    for mut host in [in_process(), program()] {
        host.say(&["go wtime 600000 btime 600000", "go infinite", "go ponder", "perft 15", "quit"]);
        let lines = host.farewell();
        assert_eq!(count(&lines, "bestmove"), 3, "{lines:#?}");
        assert_eq!(count(&lines, "info string perft was stopped"), 1);
    }
}

#[test]
fn a_last_line_without_its_end_is_heard() {
    let mut host = program();
    host.raw(b"uci\nsetoption name Hash value 8\nisready\n\nposition startpos\ngo depth 1\nquit");
    let lines = host.hang_up();
    assert_eq!(count(&lines, "readyok") + count(&lines, "bestmove"), 2);
}

#[test]
fn a_host_that_hangs_up_its_ear_ends_the_engine() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qishou"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"go infinite\nisready\n").unwrap();
    // The input stays open: it is the broken output that tells.
    let (ended, end) = mpsc::channel();
    thread::spawn(move || ended.send(child.wait_with_output().unwrap()).unwrap());
    let output = end.recv_timeout(AT_LAST).expect("the engine goes on");
    drop(input);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn every_kind_of_go_ends_in_one_best_move_with_a_score_before_it() {
    let mut host = in_process();
    for go in [
        "go depth 2",
        "go nodes 1",
        "go nodes 0",
        "go movetime 0",
        "go movetime 20",
        "go wtime 100",
        "go btime 100",
        "go wtime 0 btime 0",
        "go wtime -100 btime -100 winc 0 binc 0",
        "go winc 1 binc 1 wtime 50 btime 50 movestogo 1",
        "go depth",
        "go movetime abc",
        "go foo depth 1 bar",
        "go depth 1 searchmoves e2e5",
        "go depth -3",
        "go mate",
    ] {
        host.say(&["position startpos", go]);
        let lines = host.until("bestmove");
        assert!(
            lines.iter().any(|line| line.starts_with("info depth") && line.contains(" pv ")),
            "{go}: {lines:#?}"
        );
        assert!(errors(&lines).len() <= 1, "{go}: {lines:#?}");
        assert_eq!(host.so_far(), Vec::<String>::new(), "{go}");
    }
    host.hang_up();
}

#[test]
fn a_search_for_a_mate_ends_with_its_proof_or_a_stop() {
    let mut host = in_process();
    host.say(&["position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2"]);
    let lines = host.until("bestmove a1a6");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:#?}");
    host.say(&["position startpos", "go mate 1"]);
    thread::sleep(Duration::from_millis(300));
    assert_eq!(count(&host.so_far(), "bestmove"), 0);
    host.say(&["stop"]);
    host.until_within("bestmove", AT_ONCE);
    host.hang_up();
}

#[test]
fn castling_is_written_as_the_host_wants_it() {
    let mut host = in_process();
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let go = "go depth 1 searchmoves e1h1";
    for (on, text) in [("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")] {
        host.say(&[&format!("setoption name uci_chess960 value {on}"), fen, go]);
        assert_eq!(host.best_move(), text);
        // The setting survives what follows.
        host.say(&["ucinewgame", "position startpos", fen, go]);
        assert_eq!(host.best_move(), text);
        for written in ["e1g1", "e1h1"] {
            host.say(&[&format!("{fen} moves {written}")]);
            assert_eq!(host.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        }
    }
    host.hang_up();
}

#[test]
fn lines_are_as_many_as_asked_for_but_no_more_than_there_are_moves() {
    let mut host = in_process();
    host.say(&["setoption name MultiPV value 256"]);
    for (position, go, lines) in [
        ("position startpos", "go depth 1", 20),
        ("position startpos", "go depth 1 searchmoves a2a3 h2h3", 2),
        ("position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", "go depth 1", 1),
    ] {
        host.say(&[position, go]);
        let said = host.until("bestmove");
        for number in 1..=lines {
            assert!(said.iter().any(|l| l.contains(&format!(" multipv {number} "))), "{said:#?}");
        }
        assert!(!said.iter().any(|l| l.contains(&format!(" multipv {} ", lines + 1))), "{said:#?}");
    }
    host.hang_up();
}

#[test]
fn searchmoves_are_heeded() {
    let mut host = in_process();
    for mv in ["a2a3", "h2h4", "b1a3"] {
        host.say(&[&format!("go searchmoves {mv} depth 3")]);
        assert_eq!(host.best_move(), mv);
    }
    host.hang_up();
}

#[test]
fn pondering_is_silent_until_the_hit_or_a_stop() {
    let mut host = in_process();
    for go in ["go ponder wtime 400 btime 400", "go ponder movetime 30", "go ponder depth 1"] {
        for end in ["ponderhit", "stop"] {
            host.say(&["position startpos", go]);
            thread::sleep(Duration::from_millis(60));
            assert_eq!(count(&host.so_far(), "bestmove"), 0, "{go}");
            host.say(&[end]);
            host.until("bestmove");
            assert_eq!(count(&host.so_far(), "bestmove"), 0, "{go}");
        }
    }
    host.hang_up();
}

#[test]
fn an_endless_search_waits_for_its_stop_even_when_it_is_done() {
    let mut host = in_process();
    for fen in [
        "7k/8/8/8/8/8/6q1/7K w - - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    ] {
        host.say(&[&format!("position fen {fen}"), "go infinite depth 2"]);
        thread::sleep(Duration::from_millis(60));
        assert_eq!(count(&host.so_far(), "bestmove"), 0, "{fen}");
        host.say(&["stop"]);
        host.until_within("bestmove", AT_ONCE);
    }
    host.hang_up();
}

#[test]
fn without_a_legal_move_there_is_a_score_and_no_move() {
    let mut host = in_process();
    for (fen, score) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        host.say(&[&format!("position fen {fen}"), "go depth 3"]);
        let lines = host.until("bestmove");
        assert_eq!(lines.last().unwrap(), "bestmove (none)");
        let info = &lines[lines.len() - 2];
        assert!(info.starts_with("info depth 0 "), "{info}");
        assert!(format!("{info} ").contains(&format!("score {score} ")), "{info}");
    }
    host.hang_up();
}

#[test]
fn bad_options_are_named_and_good_ones_silent() {
    let mut host = in_process();
    let cases = [
        ("setoption name Hash value 0", 1),
        ("setoption name Hash value 33554433", 1),
        ("setoption name Hash value many", 1),
        ("setoption name Nonsense value 1", 1),
        ("setoption name UCI_Chess960 value perhaps", 1),
        ("setoption Hash 3", 1),
        ("setoption name  hash  value  4 ", 0),
        ("setoption name CLEAR HASH", 0),
        ("setoption name Clear Hash value true", 0),
        ("setoption name Move Overhead value 100", 0),
        ("setoption name Ponder value true", 0),
        ("setoption name MultiPV value 1", 0),
        ("setoption name Threads value 1", 0),
        ("debug on", 0),
        ("register later", 0),
    ];
    for (line, faults) in cases {
        host.say(&[line]);
        let lines = host.so_far();
        assert_eq!((errors(&lines).len(), lines.len()), (faults, faults), "{line}: {lines:#?}");
    }
    host.say(&["setoption name Threads value 4"]);
    assert!(host.so_far().is_empty());
    host.hang_up();
}

#[test]
fn perft_counts_below_each_move_and_in_all() {
    let mut host = in_process();
    for (command, moves, nodes) in [
        ("perft 0", 0, 1),
        ("perft 1", 20, 20),
        ("go perft 4", 20, 197_281),
        ("perft 5", 20, 4_865_609),
    ] {
        host.say(&["position startpos", command]);
        let lines = host.until("Nodes searched");
        assert_eq!(lines.last().unwrap(), &format!("Nodes searched: {nodes}"));
        assert_eq!(lines[lines.len() - 2], "");
        let sum: u64 = lines
            .iter()
            .filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok())
            .sum::<u64>()
            - nodes;
        assert_eq!(lines.len() - 2, moves);
        assert!(moves == 0 || sum == nodes, "{lines:#?}");
    }
    host.say(&["perft 15"]);
    assert_eq!(count(&host.so_far(), "Nodes searched"), 0);
    host.say(&["stop"]);
    host.until("info string perft was stopped");
    host.hang_up();
}

#[test]
fn bench_does_the_same_work_each_time_and_can_be_stopped() {
    let mut host = in_process();
    let mut nodes = || {
        host.say(&["bench 1 1 2"]);
        let mut lines = host.until("time ");
        assert_eq!(count(&lines, "position "), 50);
        lines = host.until_within("", AT_ONCE);
        let line = lines.pop().unwrap();
        assert!(line.ends_with(" nps"), "{line}");
        line.split_once(" nodes ").unwrap().0.parse::<u64>().unwrap()
    };
    assert_eq!(nodes(), nodes());
    host.say(&["bench 1 1 60", "isready"]);
    host.until("readyok");
    host.say(&["stop"]);
    host.until("info string bench was stopped");
    host.hang_up();
}

#[test]
fn speedtest_tells_nodes_and_speed_and_can_be_stopped() {
    let mut host = in_process();
    host.say(&["speedtest 1 1 1"]);
    let lines = host.until("time ");
    assert_eq!(lines[0], "1 threads, hash 1 MiB, 1 s");
    let last = host.until("").remove(0);
    let words: Vec<&str> = last.split(' ').collect();
    assert_eq!((words[1], words[3], words.len()), ("nodes", "nps", 4), "{last}");
    assert!(words[0].parse::<u64>().unwrap() > 0, "{last}");
    host.say(&["speedtest 1 1 3600", "stop"]);
    host.until("info string speedtest was stopped");
    host.hang_up();
}

#[test]
fn eval_ends_in_the_line_that_readers_wait_for() {
    let mut host = in_process();
    for (fen, last) in [
        ("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", "Final evaluation +"),
        ("qq2k3/8/8/8/8/8/8/4K3 w - - 0 1", "Final evaluation -"),
    ] {
        host.say(&[&format!("position fen {fen}"), "eval"]);
        let lines = host.until("Final evaluation");
        let line = lines.last().unwrap();
        assert!(line.starts_with(last) && line.ends_with(" (white side)"), "{line}");
    }
    host.hang_up();
}

#[test]
fn flip_exchanges_the_colours_and_back() {
    let mut host = in_process();
    host.say(&["position startpos moves e2e4", "flip"]);
    assert_eq!(host.fen(), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    host.say(&["flip"]);
    assert_eq!(host.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    host.hang_up();
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_qishou"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn prompt_commands_as_arguments_are_answered_in_full() {
    let cases: [(&[&str], &str); 11] = [
        (&["go", "depth", "3"], "\nbestmove "),
        (&["go", "movetime", "50"], "\nbestmove "),
        (&["position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", "go depth 2"], "bestmove h1g2"),
        (&["perft", "3"], "Nodes searched: 8902\n"),
        (&["perft", "1", "--fen", "7k/8/8/8/8/8/6q1/7K w - - 0 1"], "Nodes searched: 1\n"),
        (&["d"], "Fen: rnbqkbnr/"),
        (&["bench", "1", "1", "1"], " nps\n"),
        (&["eval"], "Final evaluation "),
        (&["uci"], "uciok\n"),
        (&["help"], "isready"),
        (&["compiler"], "rustc"),
    ];
    for (arguments, expected) in cases {
        let (code, output, complaint) = run(arguments);
        // The perft command tells its time on stderr; nothing else has anything to say there.
        assert!(code == 0 && (complaint.is_empty() || arguments[0] == "perft"), "{arguments:?}");
        assert!(output.contains(expected), "{arguments:?}: {output}");
    }
    let (code, output, _) = run(&["go depth 3", "go movetime 30", "quit"]);
    assert_eq!((code, output.matches("bestmove").count()), (0, 2));
}

#[test]
fn version_and_help_are_told() {
    let (code, output, _) = run(&["--version"]);
    assert_eq!((code, output), (0, format!("qishou {}\n", env!("CARGO_PKG_VERSION"))));
    let (code, output, _) = run(&["--help"]);
    assert_eq!(code, 0);
    assert!(output.contains("qishou go movetime 3000"), "{output}");
}

#[test]
fn wrong_arguments_are_named_on_stderr_with_status_2() {
    let cases: [(&[&str], &str); 5] = [
        (&["frobnicate"], "frobnicate"),
        (&["--frobnicate"], "--frobnicate"),
        (&["bench", "lots"], "lots"),
        (&["perft"], "DEPTH"),
        (&["perft", "3", "--fen", "8/8"], "8/8"),
    ];
    for (arguments, named) in cases {
        let (code, output, complaint) = run(arguments);
        assert_eq!((code, output.as_str()), (2, ""), "{arguments:?}: {complaint}");
        assert!(complaint.contains(named), "{arguments:?}: {complaint}");
    }
}
