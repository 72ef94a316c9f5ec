//! One program for every processor: instruction sets change how fast it answers, never what. More
//! processors than this one: `dist/check-processors`.
#![cfg(feature = "engine")]

use std::process::Command;

use qishou::eval::Level;

#[test]
fn bench_counts_the_same_nodes_with_every_forced_level() {
    let nodes = |level: Level| {
        let run = Command::new(env!("CARGO_BIN_EXE_qishou"))
            .args(["bench", "16", "1", "5"])
            .env("QISHOU_SIMD", level.name())
            .output()
            .unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        text.lines().last().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let counts: Vec<u64> = Level::available().into_iter().map(nodes).collect();
    assert!(counts[0] > 10_000, "{counts:?}");
    assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}
