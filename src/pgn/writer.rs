//! Writes records in the export format: the seven tags that must be there in their order, the
//! others by name, lines shorter than 80 signs, one blank line after tags and after moves.

use std::fmt::{self, Write};

use super::{Record, ResultMark, Variation};
use crate::chess::{Color, Move, Position};

/// The seven-tag roster with what stands for "not known".
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Longest line of moves.
const WIDTH: usize = 79;

/// Breaks words into lines.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    length: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.length > 0 && self.length + 1 + length > WIDTH {
            self.f.write_char('\n')?;
            self.length = 0;
        }
        if self.length > 0 {
            self.f.write_char(' ')?;
            self.length += 1;
        }
        self.length += length;
        self.f.write_str(word)
    }

    /// A comment, broken at its blanks. A closing brace would end it early.
    fn comment(&mut self, text: &str) -> fmt::Result {
        let text = format!("{{{}}}", text.replace('}', ")"));
        // Programs that read commands such as `[%eval 0.31,18]` may want them on one line.
        let mut command = String::new();
        for word in text.split_whitespace() {
            command.extend([if command.is_empty() { "" } else { " " }, word]);
            if command.contains("[%") && !word.contains(']') && command.len() < WIDTH {
                continue;
            }
            self.word(&std::mem::take(&mut command))?;
        }
        if command.is_empty() { Ok(()) } else { self.word(&command) }
    }

    /// A move with its number, if it needs one, and makes it.
    fn move_of(&mut self, position: &mut Position, mv: Move, numbered: &mut bool) -> fmt::Result {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => self.word(&format!("{number}."))?,
            Color::Black if !*numbered => self.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        *numbered = true;
        self.word(&position.san(mv).to_string())?;
        position.play(mv);
        Ok(())
    }

    /// A variation up to its first move that is not legal.
    fn variation(&mut self, mut position: Position, variation: &Variation) -> fmt::Result {
        self.word("(")?;
        let mut numbered = false;
        for &mv in &variation.moves {
            if !position.is_legal(mv) {
                break;
            }
            self.move_of(&mut position, mv, &mut numbered)?;
        }
        if !variation.comment.is_empty() {
            self.comment(&variation.comment)?;
        }
        self.word(")")
    }
}

/// A tag's value on one line.
fn escape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for sign in value.chars() {
        match sign {
            '"' | '\\' => text.extend(['\\', sign]),
            _ if sign.is_control() => text.push(' '),
            _ => text.push(sign),
        }
    }
    text
}

/// The whole record with its final blank line.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = self.result.unwrap_or(ResultMark::Unknown);
        for (name, unknown) in ROSTER {
            let value = match name {
                "Result" => mark.to_string(),
                _ => escape(self.tag(name).unwrap_or(unknown)),
            };
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let roster = |name: &str| ROSTER.iter().any(|(tag, _)| *tag == name);
        let mut others: Vec<_> = self.tags.iter().filter(|(name, _)| !roster(name)).collect();
        others.sort();
        for (name, value) in others {
            writeln!(f, "[{name} \"{}\"]", escape(value))?;
        }
        writeln!(f)?;
        let mut lines = Lines { f, length: 0 };
        if !self.preface.is_empty() {
            lines.comment(&self.preface)?;
        }
        self.write_moves(&mut lines)?;
        lines.word(&mark.to_string())?;
        f.write_str("\n\n")
    }
}

impl Record {
    fn write_moves(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let mut position: Position = *self.game.start();
        // Black's move needs its number at the beginning and after whatever stands between.
        let mut numbered = false;
        for (i, &mv) in self.game.moves().iter().enumerate() {
            let before = position;
            lines.move_of(&mut position, mv, &mut numbered)?;
            let Some(remarks) = self.remarks.get(i) else { continue };
            for glyph in &remarks.glyphs {
                lines.word(&format!("${glyph}"))?;
            }
            if !remarks.comment.is_empty() {
                lines.comment(&remarks.comment)?;
                numbered = false;
            }
            for variation in remarks.variations.iter().filter(|known| !known.moves.is_empty()) {
                lines.variation(before, variation)?;
                numbered = false;
            }
        }
        Ok(())
    }
}
