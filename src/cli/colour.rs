//! Colours for people at a terminal. What a program reads from a pipe stays plain, letter for letter.

use std::io::{self, IsTerminal, Write};

/// Standard output: painted if it is a terminal that can be painted.
pub(crate) fn output() -> Box<dyn Write + Send> {
    if is_paintable() { Box::new(Painter::new(io::stdout())) } else { Box::new(io::stdout()) }
}

fn is_paintable() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    // Older consoles of Windows show the codes themselves; those that don't say who they are.
    let able = !cfg!(windows) || set("WT_SESSION") || set("TERM");
    io::stdout().is_terminal() && able && !dumb && !set("NO_COLOR")
}

const BOLD: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Paints whole lines on their way to a terminal.
struct Painter<W> {
    terminal: W,
    /// What has come of a line that is not whole.
    begun: Vec<u8>,
}

impl<W: Write> Painter<W> {
    const fn new(terminal: W) -> Self {
        Self { terminal, begun: Vec::new() }
    }
}

impl<W: Write> Write for Painter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.begun).into_owned();
                self.begun.clear();
                writeln!(self.terminal, "{}", painted(&line))?;
            } else {
                self.begun.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.terminal.write_all(&self.begun)?;
        self.begun.clear();
        self.terminal.flush()
    }
}

/// A line with its colours.
fn painted(line: &str) -> String {
    if line.starts_with("info string error: ") {
        return format!("{RED}{line}{PLAIN}");
    }
    if line.starts_with("bestmove ")
        || line.starts_with("Final evaluation ")
        || line.starts_with("Nodes searched: ")
    {
        return format!("{BOLD}{line}{PLAIN}");
    }
    if line.starts_with("info ") {
        return thinking(line);
    }
    if line.starts_with(" | ") || line.starts_with("|   ") {
        return men(line);
    }
    line.to_owned()
}

/// The score and the moves stand out of the numbers around them.
fn thinking(line: &str) -> String {
    let parts = (|| {
        let (before, rest) = line.split_once(" score ")?;
        let value = rest.match_indices(' ').nth(1).map_or(rest.len(), |(at, _)| at);
        let (score, rest) = rest.split_at(value);
        let (numbers, moves) = rest.split_once(" pv ").unwrap_or((rest, ""));
        Some((before, score, numbers, moves))
    })();
    let Some((before, score, numbers, moves)) = parts else {
        return format!("{FAINT}{line}{PLAIN}");
    };
    let color = if score.contains('-') { RED } else { GREEN };
    let pv = if moves.is_empty() { "" } else { " pv " };
    format!(
        "{FAINT}{before} score {PLAIN}{BOLD}{color}{score}{PLAIN}{FAINT}{numbers}{pv}{PLAIN}{moves}"
    )
}

/// A rank of a board: White's men bold, Black's in a colour.
fn men(line: &str) -> String {
    let mut text = String::new();
    for sign in line.chars() {
        match sign {
            'A'..='Z' => text.extend([BOLD, sign.encode_utf8(&mut [0; 4]), PLAIN]),
            'a'..='z' => text.extend([CYAN, sign.encode_utf8(&mut [0; 4]), PLAIN]),
            _ => text.push(sign),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left when the colours are taken away.
    fn bare(text: &str) -> String {
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
    }

    #[test]
    fn colours_change_no_letter() {
        for line in [
            "info depth 7 seldepth 9 multipv 1 score cp -31 nodes 5 nps 5 hashfull 0 tbhits 0 time 1 pv e2e4 e7e5",
            "info depth 7 seldepth 9 multipv 1 score mate 3 lowerbound nodes 5 pv e2e4",
            "info depth 0 score mate 0",
            "info string error: unknown command",
            "info string hello",
            "bestmove e2e4 ponder e7e5",
            " | r |   | P | 8",
            "Final evaluation +0.20 (white side)",
        ] {
            let painted = painted(line);
            assert!(
                painted.contains('\x1b') && painted.ends_with(PLAIN)
                    || line.contains(" pv ")
                    || line.starts_with(" |"),
                "{painted:?}"
            );
            assert_eq!(bare(&painted), line);
        }
        for line in
            ["readyok", "uciok", "id name Qishou", "option name Hash type spin", "", "e2e4: 20"]
        {
            assert_eq!(painted(line), line);
        }
    }

    #[test]
    fn lines_are_painted_whole_and_beginnings_are_not_held_back() {
        let mut painter = Painter::new(Vec::new());
        painter.write_all(b"best").unwrap();
        painter.write_all(b"move e2e4\nready").unwrap();
        painter.flush().unwrap();
        let text = String::from_utf8(painter.terminal).unwrap();
        assert_eq!(text, format!("{BOLD}bestmove e2e4{PLAIN}\nready"));
    }
}
