//! Perft suites: lines of a FEN and the known counts, such as `FEN ;D1 20 ;D2 400`.

use thiserror::Error;

use crate::chess::{FenError, Position};

/// A position of a suite with its known counts.
#[derive(Clone, Debug)]
pub struct SuiteLine {
    /// Which line of the text it is, from 1.
    pub number: usize,
    /// The FEN as written.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// Depths with the number of leaves.
    pub counts: Vec<(u32, u64)>,
}

/// Why a line of a suite can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {number}: {fault}")]
pub struct SuiteError {
    /// Which line of the text it is, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub fault: SuiteFault,
}

/// What can be wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SuiteFault {
    /// No legal position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// Not of the form `D4 197281`.
    #[error("{0:?} is no count such as D4 197281")]
    Count(String),
    /// A position alone.
    #[error("no counts after the position")]
    NoCounts,
}

fn parse_count(text: &str) -> Option<(u32, u64)> {
    let mut words = text.split_whitespace();
    let depth = words.next()?.strip_prefix(['D', 'd'])?.parse().ok()?;
    let count = words.next()?.parse().ok()?;
    (words.next().is_none() && depth > 0).then_some((depth, count))
}

fn parse_line(number: usize, line: &str) -> Result<SuiteLine, SuiteFault> {
    let mut parts = line.split(';');
    let fen = parts.next().unwrap_or_default().trim();
    let position = fen.parse()?;
    let mut counts = Vec::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        counts.push(parse_count(part).ok_or_else(|| SuiteFault::Count(part.to_owned()))?);
    }
    if counts.is_empty() {
        return Err(SuiteFault::NoCounts);
    }
    Ok(SuiteLine { number, fen: fen.to_owned(), position, counts })
}

/// Reads a suite. Blank lines and lines that begin with `#` are skipped.
///
/// ```
/// let text = "# the start\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n";
/// let lines = qishou::chess::perft::parse_suite(text)?;
/// assert_eq!(lines[0].counts, [(1, 20)]);
/// # Ok::<(), qishou::chess::perft::SuiteError>(())
/// ```
///
/// # Errors
/// The first line that can't be read.
pub fn parse_suite(text: &str) -> Result<Vec<SuiteLine>, SuiteError> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            parse_line(number, line).map_err(|fault| SuiteError { number, fault })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_lines_are_named_by_their_number() {
        let start = crate::chess::Fen::of(&Position::startpos()).to_string();
        for bad in ["D1 x", "E1 20", "D0 1", "D1", "D1 20 30", "D1 -4"] {
            let text = format!("# comment\n\n{start} ;{bad}\n");
            let error = parse_suite(&text).unwrap_err();
            assert_eq!(error, SuiteError { number: 3, fault: SuiteFault::Count(bad.into()) });
        }
        let error = parse_suite("8/8 w - - ;D1 4").unwrap_err();
        assert!(matches!(error, SuiteError { number: 1, fault: SuiteFault::Fen(_) }));
        let error = parse_suite(&start).unwrap_err();
        assert_eq!(error.fault, SuiteFault::NoCounts);
    }
}
