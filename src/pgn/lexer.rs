//! Cuts PGN text into tags, words, comments and signs. Never fails: what is odd comes out as it is.

/// A piece of PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A tag's name and its value as written between the quotes.
    Tag(&'a str, &'a str),
    /// A line that begins like a tag but is none.
    BadTag(&'a str),
    /// What stands between braces or after a semicolon.
    Comment(&'a str),
    /// The comment that begins here has no end.
    OpenComment(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$` with its number.
    Glyph(u8),
    /// Anything else: moves, numbers, results.
    Word(&'a str),
}

/// Where a text is being read.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The rest begins here.
    at: usize,
    /// The line of `at`, from 1.
    line: usize,
}

/// What ends a word besides blanks.
const fn ends_word(c: char) -> bool {
    matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$' | '"')
}

impl<'a> Lexer<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, line: 1 }
    }

    /// The line of the next token begins at or after this one.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes the next `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        taken
    }

    /// Takes up to the end of the line.
    fn take_line(&mut self) -> &'a str {
        self.take(self.rest().find('\n').unwrap_or(self.rest().len())).trim_end()
    }

    fn at_line_start(&self) -> bool {
        self.text[..self.at].chars().next_back().is_none_or(|c| c == '\n' || c == '\u{feff}')
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.take(blanks);
            // A line that begins with a percent sign is none of ours.
            if self.at_line_start() && self.rest().starts_with('%') {
                self.take_line();
            } else {
                return;
            }
        }
    }

    /// A tag on one line, with anything after it left to be read.
    fn tag(&mut self) -> Token<'a> {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let parsed = (|| {
            let inner = line.strip_prefix('[')?.trim_start();
            let name_end = inner.find(|c: char| c.is_whitespace() || c == '"')?;
            let (name, rest) = inner.split_at(name_end);
            let value = rest.trim_start().strip_prefix('"')?;
            let mut escaped = false;
            let end = value.char_indices().find(|&(_, c)| {
                let quote = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                quote
            })?;
            let after = value[end.0 + 1..].trim_start();
            let rest = after.strip_prefix(']')?;
            let good = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            good.then(|| (name, &value[..end.0], line.len() - rest.len()))
        })();
        match parsed {
            Some((name, value, length)) => {
                self.take(length);
                Token::Tag(name, value)
            }
            None => Token::BadTag(self.take_line()),
        }
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blanks();
        let first = self.rest().chars().next()?;
        Some(match first {
            '[' => self.tag(),
            '{' => match self.rest().find('}') {
                Some(end) => {
                    let inner = self.take(end + 1);
                    Token::Comment(inner[1..end].trim())
                }
                None => Token::OpenComment(self.take(self.rest().len())[1..].trim()),
            },
            ';' => Token::Comment(self.take_line()[1..].trim()),
            '(' | ')' => {
                self.take(1);
                if first == '(' { Token::Open } else { Token::Close }
            }
            '$' => {
                let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
                let text = self.take(1 + digits);
                text[1..].parse().map_or(Token::Word(text), Token::Glyph)
            }
            _ if ends_word(first) => Token::Word(self.take(first.len_utf8())),
            _ => {
                let rest = self.rest();
                let end = rest.find(|c: char| c.is_whitespace() || ends_word(c));
                Token::Word(self.take(end.unwrap_or(rest.len())))
            }
        })
    }
}
