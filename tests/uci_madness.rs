//! Whatever a host sends and whenever, the engine keeps the protocol: one legal best move a `go`,
//! one `readyok` an `isready`, nothing panics, nothing hangs.
//!
//! More of it: `PROPTEST_CASES=2000 cargo test --test uci_madness any_commands`, and the long runs
//! `cargo test --release --test uci_madness -- --ignored --nocapture`, whose numbers
//! `QISHOU_SESSIONS`, `QISHOU_FENS` and `QISHOU_SEED` set.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]
#![expect(clippy::print_stdout, reason = "long runs tell how far they are")]

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::select;
use qishou::chess::{Color, Fen, PieceKind, Position};
use qishou::uci;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[path = "support/expectation.rs"]
mod expectation;
#[path = "support/mad_host.rs"]
mod mad_host;
#[path = "support/paused.rs"]
mod paused;

use expectation::{Expectation, is_harmless};

/// By then every session has long ended.
const AT_LAST: Duration = Duration::from_mins(1);

/// Commands of all kinds; those that think are mostly short, but some wait for a `stop`.
fn command() -> impl Strategy<Value = String> {
    let moves = prop::collection::vec(0..40_usize, 0..10);
    let position = (select(mad_host::STARTS.to_vec()), moves).prop_map(|(start, choices)| {
        let mut position: Position = start.parse().unwrap();
        let mut line = format!("position fen {start} moves");
        for choice in choices {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(choice % moves.len().max(1)) else { break };
            write!(line, " {}", position.uci(mv, false)).unwrap();
            position.play(mv);
        }
        line
    });
    let go = select(vec![
        "go infinite",
        "go",
        "go ponder wtime 30 btime 30",
        "go ponder infinite",
        "go depth 3",
        "go nodes 300",
        "go movetime 3",
        "go wtime 20 btime 20 winc 1 binc 1",
        "go wtime -5 btime 3",
        "go mate 2",
        "go movestogo 1 wtime 5 btime 5",
        "go depth 2 searchmoves e2e4 e7e5 h1g1",
        "go perft 2",
    ]);
    let option = select(vec![
        "Hash value 1",
        "Hash value 3",
        "Hash value 33554432",
        "Threads value 1",
        "Threads value 2",
        "Threads value 3",
        "MultiPV value 1",
        "MultiPV value 4",
        "Clear Hash",
        "Ponder value true",
        "UCI_Chess960 value true",
        "UCI_Chess960 value false",
        "UCI_ShowWDL value true",
        "Skill Level value 2",
        "Skill Level value 20",
        "UCI_LimitStrength value true",
        "UCI_LimitStrength value false",
        "nodestime value 50",
        "nodestime value 0",
        "Move Overhead value 0",
        "UCI_AnalyseMode value true",
        "Nothing value 1",
        "EvalFile value no such file",
        "EvalFile value <empty>",
        "SyzygyPath value nowhere",
    ]);
    let other = select(vec!["uci", "ucinewgame", "d", "eval", "flip", "bench 1 1 1", "nonsense"]);
    prop_oneof![
        4 => position,
        6 => go.prop_map(str::to_owned),
        4 => Just("stop".to_owned()),
        2 => Just("ponderhit".to_owned()),
        3 => Just("isready".to_owned()),
        3 => option.prop_map(|option| format!("setoption name {option}")),
        1 => other.prop_map(str::to_owned),
    ]
}

/// Commands, each with whether there is a pause before it.
fn session() -> impl Strategy<Value = Vec<(bool, String)>> {
    prop::collection::vec((prop::bool::weighted(0.4), command()), 1..25)
}

fn cases() -> ProptestConfig {
    let usual = ProptestConfig::default();
    let told = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig { cases: if told { usual.cases } else { 120 }, ..usual }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_commands_at_any_time_keep_the_protocol(
        commands in session(),
        pause in 0..4000_u64,
    ) {
        let mut parts = vec![Vec::new()];
        for (paused, command) in &commands {
            if *paused {
                parts.push(Vec::new());
            }
            parts.last_mut().unwrap().extend(format!("{command}\n").bytes());
        }
        let expectation = Expectation::of(&parts.concat());
        let (said, heard) = mpsc::channel();
        thread::spawn(move || said.send(paused::converse(parts, Duration::from_micros(pause))));
        let said = heard.recv_timeout(AT_LAST);
        prop_assert!(said.is_ok(), "the engine hangs or has panicked");
        let said = said.unwrap();
        let fault = expectation.fault(&said);
        prop_assert!(fault.is_none(), "{}\n{said}", fault.unwrap());
    }
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap())
}

fn engine() -> Child {
    Command::new(env!("CARGO_BIN_EXE_qishou"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn all_of(mut source: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (all, received) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).unwrap();
        all.send(String::from_utf8_lossy(&bytes).into_owned())
    });
    received
}

/// What is wrong with how the program went through a session.
fn fault_of_program(parts: &[Vec<u8>]) -> Option<String> {
    let mut child = engine();
    let said = all_of(child.stdout.take().unwrap());
    let complained = all_of(child.stderr.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    for (part, number) in parts.iter().zip(0..) {
        if number > 0 {
            thread::sleep(Duration::from_millis(1));
        }
        // A program that has left on `quit` reads no more.
        if input.write_all(part).is_err() {
            break;
        }
    }
    drop(input);
    let Ok(said) = said.recv_timeout(AT_LAST) else {
        child.kill().unwrap();
        child.wait().unwrap();
        return Some("it hangs".to_owned());
    };
    let (status, complaints) = (child.wait().unwrap(), complained.recv_timeout(AT_LAST));
    if !status.success() || complaints.as_ref().is_ok_and(|text| !text.is_empty()) {
        return Some(format!("{status}: {complaints:?}"));
    }
    Expectation::of(&parts.concat()).fault(&said).map(|fault| format!("{fault}\n{said}"))
}

/// Seeded sessions with the program; returns how many `go` there were.
fn mad_sessions(count: u64, seed: u64) -> usize {
    let began = Instant::now();
    let mut searches = 0;
    for number in 0..count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let parts = mad_host::session(&mut rng, is_harmless);
        searches += Expectation::of(&parts.concat()).searches();
        if let Some(fault) = fault_of_program(&parts) {
            let sent = String::from_utf8_lossy(&parts.concat()).into_owned();
            panic!("session {number} of seed {seed}: {fault}\nwas sent:\n{sent:?}");
        }
        if (number + 1) % 10_000 == 0 {
            println!("{} sessions, {searches} go, {:?}", number + 1, began.elapsed());
        }
    }
    searches
}

#[test]
fn the_program_goes_through_mad_sessions() {
    assert!(mad_sessions(60, 1) > 50);
}

#[test]
#[ignore = "100,000 sessions take half an hour"]
fn the_program_goes_through_very_many_mad_sessions() {
    let (count, seed) = (setting("QISHOU_SESSIONS", 100_000), setting("QISHOU_SEED", 2));
    let searches = mad_sessions(count, seed);
    println!("{count} sessions of seed {seed} with {searches} go: no fault");
}

/// What is wrong with a position that was let through.
fn fault_of_position(position: &Position) -> Option<&'static str> {
    let kings = |color| position.pieces(PieceKind::King, color).len();
    if Color::ALL.into_iter().any(|color| kings(color) != 1) {
        return Some("kings");
    }
    if position.occupied().len() > 32 {
        return Some("men");
    }
    let pawns = Color::ALL.map(|color| position.pieces(PieceKind::Pawn, color));
    if pawns.into_iter().flatten().any(|square| matches!(square as u8 / 8, 0 | 7)) {
        return Some("pawns");
    }
    let written = Fen::of(position).to_string();
    if written.parse::<Position>().as_ref() != Ok(position) {
        return Some("reading again");
    }
    // Who is not to move is not in check: else the king could be taken.
    let takes_king = |mv: &qishou::chess::Move| {
        position.piece_on(mv.to()).is_some_and(|piece| {
            piece.kind == PieceKind::King && piece.color != position.side_to_move()
        })
    };
    position.legal_moves().iter().any(takes_king).then_some("a king can be taken")
}

/// Mutated FENs, read in this process and then sent to the program, which is asked now and then
/// for a move and whether it is ready. Returns how many were positions.
fn mutated_fens(count: u64, seed: u64) -> u64 {
    const EACH: u64 = 500;
    let began = Instant::now();
    let odd = mad_host::odd_fens();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut child = engine();
    let said = all_of(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    let mut expectation = Expectation::new();
    let (mut legal, mut refused) = (0, 0);
    for number in 0..count {
        let fen = mad_host::fen(&mut rng, &odd);
        match fen.parse::<Position>() {
            Ok(position) => {
                legal += 1;
                let fault = fault_of_position(&position);
                assert!(fault.is_none(), "{fault:?}: {fen:?}");
            }
            Err(error) => assert!(!error.to_string().is_empty(), "{fen:?}"),
        }
        let mut line = format!("position fen {}", fen.replace(['\n', '\r'], " "));
        // Stray control characters separate words of a line, and moves may follow: what is read there
        // may differ.
        refused += match uci::Command::parse(&line) {
            Ok(Some(uci::Command::Position { start, moves })) => {
                u64::from(expectation::game(&start, &moves).is_none())
            }
            _ => 1,
        };
        if number % EACH == 0 {
            line += "\ngo nodes 20\nisready";
        }
        line.split('\n').for_each(|line| expectation.hear(line));
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        if (number + 1) % 100_000 == 0 {
            println!("{} FENs, {legal} legal, {:?}", number + 1, began.elapsed());
        }
    }
    // Else the end of the input would cut searches short that nobody waits for.
    input.write_all(b"quit\n").unwrap();
    drop(input);
    let said = said.recv_timeout(Duration::from_mins(10)).expect("the engine hangs");
    assert!(child.wait().unwrap().success());
    assert_eq!(expectation.fault(&said), None);
    let errors =
        said.lines().filter(|line| line.starts_with("info string error: position")).count();
    assert_eq!(errors as u64, refused);
    legal
}

#[test]
fn mutated_fens_are_errors_or_positions() {
    let legal = mutated_fens(20_000, 1);
    assert!((1000..19_000).contains(&legal), "{legal} are legal");
}

#[test]
#[ignore = "a million FENs take minutes"]
fn very_many_mutated_fens_are_errors_or_positions() {
    let (count, seed) = (setting("QISHOU_FENS", 1_000_000), setting("QISHOU_SEED", 2));
    let legal = mutated_fens(count, seed);
    println!("{count} FENs of seed {seed}, {legal} legal: no fault");
}
