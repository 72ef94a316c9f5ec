//! The network in a conversation with the engine: loaded, named, used, refused; and the scores made
//! of it.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use qishou::chess::Position;
use qishou::eval::{Architecture, Evaluator, Network};
use qishou::search::WinModel;

#[path = "support/host.rs"]
mod host;
#[path = "support/random_network.rs"]
mod random_network;

use host::{AT_ONCE, Host, count, errors, in_process};

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let name = format!("qishou session {} {name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn option(&self) -> String {
        format!("setoption name EvalFile value {}", self.0.display())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn random_file(name: &str, seed: u64) -> (Network, Temporary) {
    let network = random_network::network(Architecture::with_hidden(32), seed);
    let file = Temporary::new(name, &network.to_bytes());
    (network, file)
}

fn final_evaluation(host: &mut Host) -> String {
    host.say(&["eval"]);
    host.until("Final evaluation").pop().unwrap()
}

/// What the first search of a new engine says.
fn usual_network() -> String {
    match Network::embedded().unwrap() {
        Some(network) => {
            format!("network {} {:08x}, embedded", network.architecture(), network.checksum())
        }
        None => "evaluation by hand, no network is embedded".to_owned(),
    }
}

#[test]
fn the_network_is_named_at_the_first_search_and_nowhere_else() {
    let (network, file) = random_file("named.nnue", 21);
    let named = |lines: &[String]| -> Vec<String> {
        let strings = lines.iter().filter_map(|line| line.strip_prefix("info string "));
        strings.map(str::to_owned).collect()
    };
    let mut host = in_process();
    host.say(&["uci", "ucinewgame", "position startpos", "eval"]);
    assert_eq!(named(&host.so_far()), Vec::<String>::new());
    host.say(&["go depth 1"]);
    let lines = host.until("bestmove");
    assert!(lines[0].starts_with("info string "), "{lines:#?}");
    assert_eq!(named(&lines), [usual_network()]);
    host.say(&["go depth 1"]);
    assert_eq!(named(&host.until("bestmove")), Vec::<String>::new());
    host.say(&[&file.option()]);
    assert_eq!(named(&host.so_far()), Vec::<String>::new());
    host.say(&["go depth 1"]);
    let architecture = network.architecture();
    let expected = format!(
        "network {architecture} {:08x}, {}",
        network.checksum(),
        file.0.display().to_string().chars().take(80).collect::<String>()
    );
    assert_eq!(named(&host.until("bestmove")), [expected]);
    host.hang_up();
}

#[test]
fn a_network_file_changes_the_evaluation_and_an_empty_name_brings_the_old_one_back() {
    let fen = "position fen r1bqk2r/pp2bppp/2n1pn2/2pp4/3P4/2NBPN2/PPP2PPP/R1BQ1RK1 w kq - 0 8";
    let position: Position = fen.trim_start_matches("position fen ").parse().unwrap();
    let (network, file) = random_file("used.nnue", 22);
    let (other, other_file) = random_file("other.nnue", 23);
    let mut host = in_process();
    host.say(&[fen]);
    let usual = final_evaluation(&mut host);
    for (network, file) in [(network, file), (other, other_file)] {
        host.say(&[&file.option()]);
        let mut evaluator = Evaluator::new(Some(Arc::new(network)));
        evaluator.reset(&position);
        let value = f64::from(evaluator.evaluate(&position));
        let pawns = WinModel::FITTED.shown(value) / 100.0;
        let expected = format!("Final evaluation {pawns:+.2} (white side)");
        assert_ne!(expected, usual);
        assert_eq!(final_evaluation(&mut host), expected);
    }
    host.say(&["setoption name EvalFile value <empty>"]);
    assert_eq!(final_evaluation(&mut host), usual);
    host.hang_up();
}

#[test]
fn eval_shows_every_man_and_bucket() {
    let (_, file) = random_file("shown.nnue", 24);
    let mut host = in_process();
    host.say(&[&file.option(), "position startpos", "eval"]);
    let lines = host.until("Final evaluation");
    let worth = |line: &&String| line.starts_with('|') && line.contains('.');
    let numbers = |line: &String| line.matches('.').count();
    // Two ranks of eight, without the king, for each side.
    let shown: Vec<usize> = lines.iter().filter(worth).map(numbers).collect();
    assert_eq!(shown, [7, 8, 8, 7], "{lines:#?}");
    assert_eq!(count(&lines, "bucket "), 8);
    assert_eq!(lines.iter().filter(|line| line.ends_with(" <- in use")).count(), 1);
    assert!(lines.iter().any(|line| line.starts_with("bucket 7") && line.ends_with("in use")));
    host.hang_up();
}

#[test]
fn the_search_uses_the_network_and_so_does_bench() {
    let (_, file) = random_file("searched.nnue", 25);
    let mut host = in_process();
    let mut nodes = |lines: &[&str]| {
        host.say(lines);
        let last = host.until("time ").len();
        assert!(last > 1);
        host.until_within("", AT_ONCE).pop().unwrap().split_once(" nodes ").unwrap().0.to_owned()
    };
    let by_hand = nodes(&["bench 1 1 3"]);
    let random = nodes(&[&file.option(), "bench 1 1 3"]);
    assert_ne!(by_hand, random);
    assert_eq!(nodes(&["setoption name EvalFile value", "bench 1 1 3"]), by_hand);
    // A search that begins with one network does not keep another one's scores.
    let mut scores = |lines: &[&str]| {
        host.say(lines);
        let lines = host.until("bestmove");
        let of =
            |line: &String| Some(line.split_once(" score ")?.1.split_once(" nodes")?.0.to_owned());
        lines.iter().filter_map(of).collect::<Vec<_>>()
    };
    let first = scores(&["position startpos", "go depth 4"]);
    let second = scores(&[&file.option(), "go depth 4"]);
    assert_ne!(first, second);
    assert_eq!(scores(&["setoption name EvalFile value <empty>", "go depth 4"]), first);
    host.hang_up();
}

#[test]
fn a_bad_network_file_is_named_and_the_old_network_stays() {
    let (network, good) = random_file("good.nnue", 26);
    let bytes = network.to_bytes();
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    let files = [
        (Temporary::new("cut.nnue", &bytes[..bytes.len() / 2]), "the file ends after"),
        (Temporary::new("damaged.nnue", &damaged), "the file is damaged"),
        (Temporary::new("foreign.nnue", b"something else altogether"), "not a network file"),
        (Temporary::new("empty.nnue", b""), "not a network file"),
    ];
    let mut host = in_process();
    host.say(&["position startpos", &good.option()]);
    let old = final_evaluation(&mut host);
    let missing = ("setoption name EvalFile value /nowhere/at/all.nnue".to_owned(), "");
    let folder = (format!("setoption name EvalFile value {}", std::env::temp_dir().display()), "");
    let long = (format!("setoption name EvalFile value {}", "x".repeat(100_000)), "");
    let bad = files.iter().map(|(file, reason)| (file.option(), *reason));
    for (line, reason) in bad.chain([missing, folder, long]) {
        host.say(&[&line]);
        let lines = host.so_far();
        assert_eq!((lines.len(), errors(&lines).len()), (1, 1), "{lines:#?}");
        assert!(lines[0].contains("EvalFile") && lines[0].contains(reason), "{lines:#?}");
        assert!(lines[0].ends_with("; the network stays") && lines[0].len() < 300, "{lines:#?}");
        assert_eq!(final_evaluation(&mut host), old);
    }
    host.hang_up();
}

#[test]
fn chances_follow_exact_scores_when_they_are_asked_for() {
    let mut host = in_process();
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/K6R w - - 0 1";
    for (on, position) in
        [(false, "position startpos"), (true, "position startpos"), (true, mate), (false, mate)]
    {
        host.say(&[&format!("setoption name UCI_ShowWDL value {on}"), position, "go depth 5"]);
        let lines = host.until("bestmove");
        let scores: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
        assert!(!scores.is_empty());
        for line in scores {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|&word| word == "score").unwrap();
            let exact = !line.contains("bound ");
            assert_eq!(words[at + 3] == "wdl", on && exact, "{line}");
            assert_eq!(line.contains("wdl"), on && exact, "{line}");
            if on && exact {
                let chances: Vec<u32> =
                    words[at + 4..at + 7].iter().map(|word| word.parse().unwrap()).collect();
                assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
                assert_eq!(words[at + 7], "nodes", "{line}");
                assert!(words[at + 1] != "mate" || chances == [1000, 0, 0], "{line}");
            }
        }
    }
    host.hang_up();
}

#[test]
fn compiler_tells_which_vector_instructions_are_used() {
    for (forced, expected) in [
        ("scalar", "CPU level: Baseline for perft, scalar for the network"),
        ("none", "CPU level: "),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_qishou"))
            .arg("compiler")
            .env("QISHOU_SIMD", forced)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().any(|line| line.starts_with(expected)), "{text}");
    }
}
