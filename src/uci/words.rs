//! Cutting a line into words, as hosts really write them: blanks, tabs, carriage returns, stray
//! control characters and a byte order mark all separate.

/// The words of a line, each with the text that follows it.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

/// What stands between words.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || letter == '\u{feff}'
}

impl<'a> Words<'a> {
    pub(super) fn of(line: &'a str) -> Self {
        Self { rest: line.trim_matches(is_blank) }
    }

    /// What has not been taken yet, without blanks around it.
    pub(super) const fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word without taking it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self.rest.split_once(is_blank).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start_matches(is_blank);
        Some(word)
    }
}

/// A text fit to be named in one line of output: no control characters, not endless.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut shown: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_blank_separates() {
        let cases = [
            ("", vec![]),
            ("   \t ", vec![]),
            ("uci\r", vec!["uci"]),
            ("\u{feff}uci", vec!["uci"]),
            ("  go \t depth\u{0}5 \r", vec!["go", "depth", "5"]),
            ("isready\u{0}", vec!["isready"]),
        ];
        for (line, words) in cases {
            assert_eq!(Words::of(line).collect::<Vec<_>>(), words, "{line:?}");
        }
    }

    #[test]
    fn the_rest_keeps_its_inner_blanks() {
        let mut words = Words::of("value  /a  b/c ");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.rest(), "/a  b/c");
    }

    #[test]
    fn long_and_dirty_texts_are_cut() {
        assert_eq!(shown("a\tb"), "a b");
        assert_eq!(shown(&"x".repeat(1000)).len(), 83);
        assert_eq!(shown(&"é".repeat(80)), "é".repeat(80));
    }
}
