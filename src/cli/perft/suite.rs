//! Suites of positions with known counts.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::Context as _;
use qishou::chess::perft::{Divider, PerftTable, SuiteLine, parse_suite, perft};
use qishou::say;
use serde_json::json;

use super::{Arguments, INTERRUPTED, STOP, bar, speed};

/// One count to check.
struct Check<'a> {
    file: &'a PathBuf,
    line: &'a SuiteLine,
    depth: u32,
    expected: u64,
}

/// A count that is not what the suite says.
struct Mismatch<'a> {
    check: &'a Check<'a>,
    found: u64,
}

fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<(&PathBuf, Vec<SuiteLine>)>> {
    paths
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
            let lines = parse_suite(&text).with_context(|| format!("{}", path.display()))?;
            Ok((path, lines))
        })
        .collect()
}

/// Counts up to this are made in one go; larger ones in parts, so that Ctrl-C is heard in between.
const ONE_GO: u64 = 20_000_000;

/// The count found; none if the work was broken off.
fn count(arguments: &Arguments, check: &Check<'_>, table: Option<&PerftTable>) -> Option<u64> {
    let position = &check.line.position;
    if table.is_none() && !arguments.no_bulk && check.expected <= ONE_GO {
        return Some(perft(&position.without_keys(), check.depth));
    }
    let divider = Divider { threads: 1, table, bulk: !arguments.no_bulk, stop: &STOP };
    let divided = divider.divide(position, check.depth, &|_| {});
    divided.is_complete().then(|| divided.total())
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let suites = read(&arguments.suite)?;
    let most = arguments.max_nodes.unwrap_or(u64::MAX);
    let mut checks: Vec<Check<'_>> = suites
        .iter()
        .flat_map(|(file, lines)| lines.iter().map(move |line| (*file, line)))
        .flat_map(|(file, line)| {
            line.counts.iter().map(move |&(depth, expected)| Check { file, line, depth, expected })
        })
        .filter(|check| check.expected <= most)
        .collect();
    // The largest first: the threads then end together.
    checks.sort_by_key(|check| std::cmp::Reverse(check.expected));

    let table = (arguments.hash > 0).then(|| PerftTable::new(arguments.hash as usize));
    let bar = bar(Some(checks.iter().map(|check| check.expected).sum()));
    let (next, passed, nodes) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let mismatches = Mutex::new(Vec::new());
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                while let Some(check) = checks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if STOP.load(Ordering::Relaxed) {
                        break;
                    }
                    let Some(found) = count(arguments, check, table.as_ref()) else { break };
                    nodes.fetch_add(found, Ordering::Relaxed);
                    bar.inc(check.expected);
                    if found == check.expected {
                        passed.fetch_add(1, Ordering::Relaxed);
                    } else {
                        let mut list = mismatches.lock().unwrap_or_else(PoisonError::into_inner);
                        list.push(Mismatch { check, found });
                    }
                }
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let mismatches = mismatches.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (passed, nodes) = (passed.into_inner(), nodes.into_inner());
    let complete = passed + mismatches.len() == checks.len();
    if arguments.json {
        print_json(&mismatches, passed, nodes, seconds, complete);
    } else {
        print_text(&mismatches, passed, nodes, seconds, checks.len());
    }
    Ok(match (mismatches.is_empty(), complete) {
        (false, _) => ExitCode::FAILURE,
        (true, false) => ExitCode::from(INTERRUPTED),
        (true, true) => ExitCode::SUCCESS,
    })
}

fn print_text(mismatches: &[Mismatch<'_>], passed: usize, nodes: u64, seconds: f64, all: usize) {
    for Mismatch { check, found } in mismatches {
        say!(
            "{} line {}: {} depth {}: expected {}, found {found}",
            check.file.display(),
            check.line.number,
            check.line.fen,
            check.depth,
            check.expected,
        );
    }
    let failed = mismatches.len();
    let left = all - passed - failed;
    let unfinished = if left > 0 { format!(", not finished {left}") } else { String::new() };
    say!(
        "counts: passed {passed}, failed {failed}{unfinished}; {nodes} nodes in {seconds:.1} s, \
         {:.0} Mnps",
        speed(nodes, seconds)
    );
}

fn print_json(
    mismatches: &[Mismatch<'_>],
    passed: usize,
    nodes: u64,
    seconds: f64,
    complete: bool,
) {
    let failed: Vec<_> = mismatches
        .iter()
        .map(|Mismatch { check, found }| {
            json!({
                "file": check.file.display().to_string(),
                "line": check.line.number,
                "fen": check.line.fen,
                "depth": check.depth,
                "expected": check.expected,
                "found": found,
            })
        })
        .collect();
    let result = json!({
        "complete": complete,
        "passed": passed,
        "failed": failed,
        "nodes": nodes,
        "seconds": seconds,
    });
    say!("{result:#}");
}
