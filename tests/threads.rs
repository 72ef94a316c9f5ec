//! Search threads as a host sees them.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]
#![cfg(feature = "engine")]

#[path = "support/host.rs"]
mod host;

#[test]
fn threads_can_be_changed_between_any_two_searches() {
    let mut host = host::in_process();
    host.say(&["uci"]);
    host.until("uciok");
    for threads in [2, 1, 4, 3, 3, 1, 2] {
        host.say(&[&format!("setoption name Threads value {threads}"), "go depth 6"]);
        let lines = host.until("bestmove");
        assert_eq!(host::errors(&lines), [""; 0], "{threads} threads");
        // While a search runs the wish waits for its end.
        host.say(&["go infinite", "setoption name Threads value 2", "isready"]);
        host.until_within("readyok", host::AT_ONCE);
        host.say(&["stop"]);
        host.until("bestmove");
    }
    host.say(&["quit"]);
    host.farewell();
}

#[test]
fn nodes_of_several_threads_are_exact() {
    let mut host = host::in_process();
    for (threads, nodes) in [(1, 1), (2, 1), (3, 1000), (2, 20_001), (4, 30_000)] {
        let threads = format!("setoption name Threads value {threads}");
        host.say(&[&threads, "ucinewgame", &format!("go nodes {nodes}")]);
        let lines = host.until("bestmove");
        let last = lines.iter().rfind(|line| line.contains(" score ")).expect("a line of thinking");
        let words: Vec<&str> = last.split(' ').collect();
        let at = words.iter().position(|&word| word == "nodes").expect("the nodes");
        assert_eq!(words[at + 1], nodes.to_string(), "{threads}: {last}");
    }
    host.say(&["quit"]);
    host.farewell();
}

/// What a process holds in memory, in kibibytes.
#[cfg(target_os = "linux")]
fn resident(host: &host::Host) -> u64 {
    let host::Engine::Process(child) = &host.engine else { panic!("no process of its own") };
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// Threads that come and go leave nothing behind, in whatever order they did.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn memory_comes_back_when_threads_have_gone() {
    let mut host = host::program();
    let mut held = Vec::new();
    for round in 0..12 {
        for threads in [[1, 2], [2, 1], [1, 1], [2, 2]][round % 4] {
            for hash in [[1, 64], [16, 1], [8, 16]][round % 3] {
                let threads = format!("setoption name Threads value {threads}");
                let hash = format!("setoption name Hash value {hash}");
                host.say(&[&threads, &hash, "ucinewgame", "position startpos moves e2e4"]);
                host.say(&["go nodes 20000"]);
                host.until("bestmove");
            }
        }
        for (threads, hash) in [(1, 1), (2, 16)] {
            let threads = format!("setoption name Threads value {threads}");
            host.say(&[&threads, &format!("setoption name Hash value {hash}")]);
        }
        host.say(&["ucinewgame", "position startpos", "go nodes 100000"]);
        host.until("bestmove");
        held.push(resident(&host));
    }
    // Until all has been done once, pages are touched for the first time.
    let (least, most) = (held[4..].iter().min().unwrap(), held[4..].iter().max().unwrap());
    assert!(most - least < least / 50, "{held:?}");
    host.say(&["quit"]);
    host.farewell();
}

/// A process that may not have so much address space: the wish is refused, and all goes on as
/// before.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_the_system_does_not_give_are_refused_and_the_old_number_stays() {
    use std::process::{Command, Stdio};

    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 1000000 && exec \"$0\"", env!("CARGO_BIN_EXE_qishou")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut host = host::Host {
        input: Some(Box::new(child.stdin.take().expect("piped"))),
        output: host::lines_of(child.stdout.take().expect("piped")),
        engine: host::Engine::Process(child),
    };
    host.say(&["setoption name Threads value 2", "isready"]);
    assert_eq!(host::errors(&host.until("readyok")), [""; 0]);
    for _ in 0..2 {
        host.say(&["setoption name Threads value 1024"]);
        let lines = host.until("info string error");
        let errors = host::errors(&lines);
        assert!(errors[0].starts_with("no 1024 threads: "), "{}", errors[0]);
        assert!(errors[0].ends_with("; there are 2 as before"), "{}", errors[0]);
        host.say(&["go depth 6"]);
        host.until("bestmove");
    }
    host.say(&["quit"]);
    host.farewell();
}
