//! The licences of the crates Qishou is built from: refuses those it may not be built from, and
//! writes the notices that a release archive has to carry.
//!
//! `cargo run --example notices -- check`: every crate of `Cargo.lock`, for any system and for tests.
//! `cargo run --example notices -- x86_64-unknown-linux-gnu`: the texts of what the programs for that
//! target are linked from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// What programs under MIT or Apache-2.0 may be made from: all ask for is that their text is passed
/// on.
const ALLOWED: [&str; 7] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "Unicode-3.0", "Zlib"];

/// How the names of files with terms begin, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Whether one may do with allowed licences alone: one side of each `OR` (formerly `/`), both of each
/// `AND`. Exceptions (`WITH`) only permit more. None if it is not an SPDX expression.
fn may_be_used(expression: &str) -> Option<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let answer = either(&mut rest)?;
    rest.is_empty().then_some(answer)
}

fn either(words: &mut &[&str]) -> Option<bool> {
    let mut answer = both(words)?;
    while let Some(rest) = after(words, "OR") {
        *words = rest;
        answer |= both(words)?;
    }
    Some(answer)
}

fn both(words: &mut &[&str]) -> Option<bool> {
    let mut answer = licence(words)?;
    while let Some(rest) = after(words, "AND") {
        *words = rest;
        answer &= licence(words)?;
    }
    Some(answer)
}

fn licence(words: &mut &[&str]) -> Option<bool> {
    let (&word, rest) = words.split_first()?;
    *words = rest;
    match word {
        "(" => {
            let answer = either(words)?;
            *words = after(words, ")")?;
            Some(answer)
        }
        ")" | "OR" | "AND" | "WITH" => None,
        name => {
            if let Some(rest) = after(words, "WITH") {
                *words = rest.get(1..)?;
            }
            Some(ALLOWED.contains(&name))
        }
    }
}

fn after<'a, 'b>(words: &&'a [&'b str], expected: &str) -> Option<&'a [&'b str]> {
    words.split_first().filter(|(first, _)| **first == expected).map(|(_, rest)| rest)
}

/// What `cargo metadata` says, of one target or of all.
fn metadata(target: Option<&str>) -> Result<Value> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--format-version", "1", "--locked"]);
    cargo.args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    cargo.args(target.iter().flat_map(|target| ["--filter-platform", target]));
    let output = cargo.output().context("cargo metadata")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}

/// The packages that may not be used, each with its licence.
fn refused(metadata: &Value) -> Vec<String> {
    let packages = list(metadata, "packages").iter();
    let bad = packages.filter(|package| may_be_used(text(package, "license")) != Some(true));
    bad.map(|package| format!("{} ({})", title(package), text(package, "license"))).collect()
}

fn title(package: &Value) -> String {
    format!("{} {}", text(package, "name"), text(package, "version"))
}

/// What the programs are linked from, by name: normal dependencies and theirs.
fn linked(metadata: &Value) -> Vec<&Value> {
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|node| (text(node, "id"), node)).collect();
    let root = text(&metadata["resolve"], "root");
    let (mut found, mut ahead) = (BTreeSet::new(), vec![root]);
    while let Some(id) = ahead.pop() {
        if !found.insert(id) {
            continue;
        }
        let below = nodes.get(id).map_or(&[][..], |node| list(node, "deps"));
        let normal = |dependency: &&Value| {
            list(dependency, "dep_kinds").iter().any(|kind| kind["kind"].is_null())
        };
        ahead.extend(below.iter().filter(normal).map(|dependency| text(dependency, "pkg")));
    }
    let others = list(metadata, "packages").iter().filter(|package| {
        let id = text(package, "id");
        id != root && found.contains(id)
    });
    let mut packages: Vec<&Value> = others.collect();
    packages.sort_by_key(|package| title(package));
    packages
}

/// The terms in a package's folder.
fn terms(package: &Value) -> Result<Vec<String>> {
    let folder = Path::new(text(package, "manifest_path")).parent().context("a path of a file")?;
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name =
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().to_uppercase());
        if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            paths.push(path);
        }
    }
    paths.sort();
    let read = paths.iter().map(|path| {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let lines = String::from_utf8_lossy(&bytes)
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n");
        Ok(lines.trim_matches('\n').to_owned())
    });
    read.collect()
}

/// The whole notices. Equal texts stand once, with all they are of.
fn notices(metadata: &Value) -> Result<String> {
    let rule = "-".repeat(80);
    let mut head = String::from(
        "Qishou contains code of the crates below, each under the terms that follow.\n\
         Where a crate offers a choice of licences, any of them may be chosen.\n\
         Rust's standard library is part of every program written in Rust: it is under\n\
         MIT or Apache-2.0; RUST-LIBRARY.html has what it contains itself.\n\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked(metadata) {
        let origin = text(package, "repository");
        writeln!(head, "{}: {}; {origin}", title(package), text(package, "license"))?;
        let found = terms(package)?;
        if found.is_empty() {
            let authors: Vec<_> =
                list(package, "authors").iter().filter_map(Value::as_str).collect();
            writeln!(head, "    (no text in its package; by {})", authors.join(", "))?;
        }
        for terms in found {
            texts.entry(terms).or_default().push(title(package));
        }
    }
    let mut parts: Vec<(String, String)> =
        texts.into_iter().map(|(terms, packages)| (packages.join(", "), terms)).collect();
    parts.sort();
    Ok(parts.iter().fold(head, |page, (packages, terms)| {
        format!("{page}\n{rule}\n{packages}\n{rule}\n\n{terms}\n")
    }))
}

fn main() -> Result<()> {
    let word = env::args().nth(1).context("check, or a target")?;
    let target = (word != "check").then_some(word.as_str());
    let metadata = metadata(target)?;
    let refused = refused(&metadata);
    if !refused.is_empty() {
        bail!("licences that are not allowed: {}", refused.join(", "));
    }
    let mut output = io::stdout().lock();
    match target {
        Some(_) => output.write_all(notices(&metadata)?.as_bytes())?,
        None => writeln!(
            output,
            "{} crates, all under allowed licences",
            list(&metadata, "packages").len()
        )?,
    }
    Ok(())
}

#[test]
fn an_expression_needs_one_side_of_an_or_and_both_of_an_and() {
    for (expression, answer) in [
        ("MIT", Some(true)),
        ("GPL-3.0-or-later", Some(false)),
        ("GPL-3.0-only OR MIT", Some(true)),
        ("MIT/Apache-2.0", Some(true)),
        ("(MIT OR GPL-2.0-only) AND Unicode-3.0", Some(true)),
        ("MIT AND GPL-2.0-only", Some(false)),
        ("MPL-2.0 OR GPL-2.0-only AND MIT", Some(false)),
        ("Apache-2.0 WITH LLVM-exception", Some(true)),
        ("GPL-2.0-only WITH Classpath-exception-2.0", Some(false)),
        ("", None),
        ("(MIT", None),
        ("MIT Apache-2.0", None),
        ("MIT OR", None),
    ] {
        assert_eq!(may_be_used(expression), answer, "{expression:?}");
    }
}

#[test]
fn every_crate_has_an_allowed_licence_and_a_text_to_pass_on() {
    let metadata = metadata(Some("x86_64-unknown-linux-gnu")).expect("cargo has built this test");
    assert_eq!(refused(&metadata), Vec::<String>::new());
    let linked = linked(&metadata);
    let names: Vec<&str> = linked.iter().map(|package| text(package, "name")).collect();
    assert!(names.contains(&"clap") && names.contains(&"arrayvec"), "{names:?}");
    assert!(!names.contains(&"criterion") && !names.contains(&"qishou"), "{names:?}");
    for package in linked {
        assert!(!terms(package).expect("its folder is there").is_empty(), "{}", title(package));
    }
}

#[test]
fn a_crate_that_may_not_be_used_is_named() {
    let metadata = serde_json::json!({ "packages": [
        { "name": "good", "version": "1.0.0", "license": "MIT" },
        { "name": "bad", "version": "2.0.0", "license": "GPL-3.0-only" },
        { "name": "silent", "version": "3.0.0", "license": null },
    ] });
    assert_eq!(refused(&metadata), ["bad 2.0.0 (GPL-3.0-only)", "silent 3.0.0 ()"]);
}
