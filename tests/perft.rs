//! Every line of the perft suites, up to a number of nodes that keeps this quick. The whole of them
//! runs with `qishou perft --suite perft/*.epd --threads 2`.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use qishou::chess::perft::{CpuLevel, parse_suite, perft, perft_at};

/// The most leaves counted for one position, by each suite's size.
const SUITES: [(&str, u64); 7] = [
    ("wiki7", 5_000_000),
    ("sedlak", 3_000_000),
    ("standard", 1_000_000),
    ("fischer", 300_000),
    ("tricky", 1_000_000),
    ("ferdy_double_check", 500_000),
    ("ferdy_enpassant_800", 300_000),
];

fn path(suite: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("perft").join(suite).with_extension("epd")
}

#[test]
fn every_line_of_every_suite_counts_right() {
    let mut checked = 0;
    for (suite, most) in SUITES {
        let text = std::fs::read_to_string(path(suite)).unwrap();
        for line in parse_suite(&text).unwrap() {
            for &(depth, expected) in line.counts.iter().filter(|(_, count)| *count <= most) {
                let found = perft(&line.position, depth);
                assert_eq!(found, expected, "{suite} line {}: {}", line.number, line.fen);
                checked += 1;
            }
        }
    }
    assert!(checked > 4_000, "only {checked} counts were checked");
}

#[test]
fn every_cpu_level_counts_the_same_with_and_without_keys() {
    let text = std::fs::read_to_string(path("tricky")).unwrap();
    for line in parse_suite(&text).unwrap() {
        for &(depth, expected) in line.counts.iter().filter(|(_, count)| *count <= 100_000) {
            for level in [CpuLevel::Baseline, CpuLevel::V3, CpuLevel::V4] {
                let keyless = line.position.without_keys();
                assert_eq!(perft_at(level, &line.position, depth), expected, "{}", line.fen);
                assert_eq!(perft_at(level, &keyless, depth), expected, "{}", line.fen);
            }
        }
    }
}

fn qishou(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qishou")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_command_prints_a_line_for_each_move_a_blank_one_and_the_sum() {
    let output = qishou(&["perft", "3", "--threads", "2"]);
    assert!(output.status.success());
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 22);
    assert!(lines.contains(&"e2e4: 600"));
    assert_eq!(lines[20..], ["", "Nodes searched: 8902"]);
}

#[test]
fn moves_are_made_before_counting() {
    let output = qishou(&["perft", "2", "--moves", "e2e4", "Nf6"]);
    assert!(stdout(&output).ends_with("Nodes searched: 654\n"), "{}", stdout(&output));
}

#[test]
fn json_and_breakdown_can_be_read_back() {
    let output = qishou(&["perft", "3", "--breakdown", "--json", "--hash", "1"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["nodes"], 8_902);
    assert_eq!(json["moves"]["e2e4"], 600);
    assert_eq!(json["breakdown"][2]["captures"], 34);
}

#[test]
fn a_wrong_count_ends_with_1_and_names_position_depth_expected_and_found() {
    let folder = tempfile();
    let suite = folder.join("wrong.epd");
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    std::fs::write(&suite, format!("# one is wrong\n{fen} ;D1 15 ;D2 67\n")).unwrap();
    let output = qishou(&["perft", "--suite", suite.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains(&format!("line 2: {fen} depth 2: expected 67, found 66")), "{text}");
    assert!(text.contains("passed 1, failed 1"), "{text}");
}

#[test]
fn a_malformed_line_ends_with_2_and_is_named_by_its_number() {
    let folder = tempfile();
    let suite = folder.join("malformed.epd");
    std::fs::write(&suite, "\n4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 fifteen\n").unwrap();
    let output = qishou(&["perft", "--suite", suite.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("line 2") && message.contains("D1 fifteen"), "{message}");
}

#[test]
fn bad_arguments_end_with_2_and_say_why() {
    for (arguments, words) in [
        (&["perft", "3", "--fen", "8/8/8/8 w"][..], "ranks"),
        (&["perft", "3", "--moves", "e2e5"][..], "e2e5"),
        (&["perft", "0"][..], "0"),
        (&["perft"][..], "required"),
    ] {
        let output = qishou(arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

/// A folder of this test process's own.
fn tempfile() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
