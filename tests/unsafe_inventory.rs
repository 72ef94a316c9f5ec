//! `docs/unsafe.md` lists all unsafe code there is.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Blocks, functions and implementations.
type Counts = [usize; 3];

/// The text without comments; strings stay, in which nobody writes unsafe code.
fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ")
}

fn counts(text: &str) -> Counts {
    let mut counts = [0; 3];
    let text = without_comments(text);
    let is_part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, word) in text.match_indices("unsafe") {
        let before = text[..at].chars().next_back();
        let rest = &text[at + word.len()..];
        if before.is_some_and(is_part_of_word) || rest.starts_with(is_part_of_word) {
            continue;
        }
        let rest = rest.trim_start();
        // Traits and foreign functions would be news, and count as implementations.
        let kind = if rest.starts_with('{') {
            0
        } else if rest.starts_with("fn ") {
            1
        } else {
            2
        };
        counts[kind] += 1;
    }
    counts
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// What the files of the crate hold, those without unsafe code left out.
fn found() -> BTreeMap<String, Counts> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("build.rs")];
    for folder in ["src", "benches", "examples"] {
        source_files(&root.join(folder), &mut files);
    }
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let all = files.iter().map(|path| (name(path), counts(&fs::read_to_string(path).unwrap())));
    all.filter(|(_, counts)| *counts != [0; 3]).collect()
}

/// The rows of the table.
fn listed() -> BTreeMap<String, Counts> {
    let document = include_str!("../docs/unsafe.md");
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert!(!cells[5].is_empty(), "{row}: no reason");
        let number = |at: usize| cells[at].parse().unwrap();
        (cells[1].trim_matches('`').to_owned(), [number(2), number(3), number(4)])
    })
    .collect()
}

#[test]
fn every_file_with_unsafe_code_is_listed_with_its_counts() {
    assert_eq!(found(), listed(), "left: the source, right: docs/unsafe.md");
}

#[test]
fn every_file_with_unsafe_code_says_why_at_its_top() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in found().keys() {
        let text = fs::read_to_string(root.join(file)).unwrap();
        // On processors without the vector instructions, or systems without signals, nothing of it is left.
        let starts = ["", "cfg_attr(target_arch = \"x86_64\", ", "cfg_attr(unix, "]
            .map(|when| format!("#![{when}expect(unsafe_code, reason = "));
        let told = text.lines().any(|line| starts.iter().any(|start| line.starts_with(start)));
        assert!(told, "{file}");
    }
}

#[test]
fn unsafe_code_is_told_from_words_that_look_like_it() {
    for (text, expected) in [
        ("let a = unsafe { b() };", [1, 0, 0]),
        ("let a = unsafe\n{ b() };", [1, 0, 0]),
        ("unsafe fn a() {}\nunsafe impl Send for B {}", [0, 1, 1]),
        ("#![expect(unsafe_code, reason = \"\")]", [0, 0, 0]),
        ("// unsafe { }\n/// unsafe fn\nlet not_unsafe = 1;", [0, 0, 0]),
        ("a(unsafe { b() }, unsafe { c() });", [2, 0, 0]),
    ] {
        assert_eq!(counts(text), expected, "{text}");
    }
}
