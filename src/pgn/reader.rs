//! Reads PGN as it is met: tags glued to moves, missing results, variations, comments of all
//! kinds, long algebraic and UCI moves. What is wrong is told in the record's flaws.

use super::lexer::{Lexer, Token};
use super::{Flaw, Record, Remarks, ResultMark};
use crate::chess::{Color, Game, Move, Position};

/// Reads all games of a text. Only the main lines are kept; variations are skipped.
pub fn read(text: &str) -> Vec<Record> {
    let mut lexer = Lexer::of(text);
    let mut reader = Reader::default();
    loop {
        let line = lexer.line();
        let Some(token) = lexer.next() else { break };
        reader.take(token, lexer.line(), line);
    }
    reader.finish_game();
    reader.games
}

#[derive(Debug, Default)]
struct Reader {
    games: Vec<Record>,
    record: Record,
    /// Something of this record has been read.
    begun: bool,
    /// The moves have begun, so that a tag begins another game.
    moving: bool,
    /// The rest of the main line can't be understood.
    lost: bool,
    /// How many variations are open.
    depth: usize,
}

impl Reader {
    fn take(&mut self, token: Token<'_>, line: usize, before: usize) {
        // A tag ends whatever was going on: no tag stands within moves.
        if matches!(token, Token::Tag(..) | Token::BadTag(_)) && (self.moving || self.depth > 0) {
            self.finish_game();
        }
        if !self.begun {
            self.begun = true;
            self.record.line = line;
        }
        match token {
            Token::Tag(name, value) => self.record.set_tag(name, unescape(value)),
            Token::BadTag(text) => {
                self.record.flaws.push(Flaw::Tag { line, text: text.to_owned() });
            }
            Token::OpenComment(_) => self.record.flaws.push(Flaw::OpenComment(before.max(1))),
            Token::Open => self.depth += 1,
            Token::Close if self.depth == 0 => self.record.flaws.push(Flaw::Parentheses(line)),
            Token::Close => self.depth -= 1,
            _ if self.depth > 0 => {}
            Token::Comment(text) => self.comment(text),
            Token::Glyph(glyph) => {
                if let Some(remarks) = self.record.remarks.last_mut() {
                    remarks.glyphs.push(glyph);
                }
            }
            Token::Word(word) => self.word(word),
        }
    }

    fn comment(&mut self, text: &str) {
        let place = match self.record.remarks.last_mut() {
            Some(remarks) => &mut remarks.comment,
            None => &mut self.record.preface,
        };
        // Braces can't be written within braces.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")");
        if !place.is_empty() && !text.is_empty() {
            place.push(' ');
        }
        place.push_str(&text);
    }

    fn word(&mut self, word: &str) {
        if let Some(mark) = ResultMark::parse(word) {
            self.start_moves();
            self.record.result = Some(mark);
            self.finish_game();
            return;
        }
        let word = strip_number(word);
        if word.is_empty() || matches!(word, "e.p." | "ep" | "+" | "#" | "++") {
            return;
        }
        self.start_moves();
        if let Some(glyph) = glyph_of(word) {
            if let Some(remarks) = self.record.remarks.last_mut() {
                remarks.glyphs.push(glyph);
            }
            return;
        }
        if self.lost {
            return;
        }
        self.main_move(word);
    }

    fn main_move(&mut self, word: &str) {
        let position = *self.record.game.position();
        let place = match position.side_to_move() {
            Color::White => format!("{}.", position.fullmove_number()),
            Color::Black => format!("{}...", position.fullmove_number()),
        };
        let bare = word.trim_end_matches(['!', '?']);
        if matches!(bare, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass") {
            self.lost = true;
            self.record.flaws.push(Flaw::NullMove { place, text: bare.to_owned() });
            return;
        }
        match move_of(&position, bare) {
            Ok(mv) => {
                self.record.game.play(mv).expect("a move that was read is legal");
                let glyphs = glyph_of(&word[bare.len()..]).into_iter().collect();
                self.record.remarks.push(Remarks { glyphs, ..Remarks::default() });
            }
            Err(reason) => {
                self.lost = true;
                self.record.flaws.push(Flaw::Move { place, reason });
            }
        }
    }

    /// The tags are complete: sets the position the game begins at.
    fn start_moves(&mut self) {
        if self.moving {
            return;
        }
        self.moving = true;
        let Some(fen) = self.record.tag("FEN") else { return };
        match fen.parse::<Position>() {
            Ok(start) => self.record.game = Game::new(start),
            Err(error) => {
                self.record.flaws.push(Flaw::Fen(error.to_string()));
                self.lost = true;
            }
        }
    }

    fn finish_game(&mut self) {
        if !self.begun {
            return;
        }
        self.start_moves();
        let line = self.record.line;
        if self.depth > 0 {
            self.record.flaws.push(Flaw::Parentheses(line));
        }
        match (self.record.result, self.record.tag("Result")) {
            (None, _) => self.record.flaws.push(Flaw::NoResult),
            (Some(mark), Some(tag)) if ResultMark::parse(tag).is_some_and(|tag| tag != mark) => {
                let tag = tag.to_owned();
                self.record.flaws.push(Flaw::Results { tag, mark });
            }
            _ => {}
        }
        let record = std::mem::take(&mut self.record);
        self.games.push(record);
        *self = Self { games: std::mem::take(&mut self.games), ..Self::default() };
    }
}

/// Takes a move number off: `12.`, `12...`, `12` alone; but not the zeros of castling.
fn strip_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.is_empty() && word != "0000" {
        return "";
    }
    // Typographers write three dots as one sign.
    let dots = after.trim_start_matches(['.', '…']);
    if after.len() == dots.len() { word } else { dots }
}

/// The glyph of a suffix of a move.
fn glyph_of(suffix: &str) -> Option<u8> {
    match suffix {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    }
}

/// A move in SAN, long algebraic notation or as UCI writes it.
fn move_of(position: &Position, word: &str) -> Result<Move, String> {
    let error = match position.parse_san(word) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let plain: String =
        word.chars().filter(|c| !matches!(c, '-' | 'x' | '+' | '#' | '=')).collect();
    position.parse_uci(&plain.to_ascii_lowercase()).map_err(|_| error.to_string())
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut signs = value.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => text.extend(signs.next()),
            _ => text.push(sign),
        }
    }
    text
}
