//! Standard algebraic notation: written strictly, read leniently.

use std::fmt;

use thiserror::Error;

use super::fen::clip;
use super::movegen::castled_king;
use super::uci_move::{parse_squares, promotion_letter};
use super::zobrist::KeySet;
use super::{File, Move, MoveFlag, PieceKind, Position, Rank, Square};

/// Why a text is no move in this position. Each carries the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// It doesn't read as a move at all.
    #[error("{0:?} is no move")]
    Unknown(String),
    /// More than one legal move is written like this.
    #[error("{0:?} means more than one move")]
    Ambiguous(String),
    /// It reads as a move, but no legal move is written like this.
    #[error("illegal move {0:?}")]
    Illegal(String),
}

/// A legal move as SAN writes it; made by [`Position::san`].
#[derive(Clone, Copy, Debug)]
pub struct San<'a, K: KeySet> {
    position: &'a Position<K>,
    mv: Move,
}

impl<K: KeySet> San<'_, K> {
    /// Writes of the origin square what tells the move from other legal moves of men of its kind
    /// to the same square: nothing, the file, the rank, or both.
    fn write_origin(&self, kind: PieceKind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.mv.from(), self.mv.to());
        let (mut others, mut same_file, mut same_rank) = (false, false, false);
        self.position.for_each_move(|other| {
            let rival = other.to() == to
                && other.from() != from
                && !other.is_castling()
                && self.position.kind_on(other.from()) == Some(kind);
            others |= rival;
            same_file |= rival && other.from().file() == from.file();
            same_rank |= rival && other.from().rank() == from.rank();
        });
        match (others, same_file, same_rank) {
            (false, ..) => Ok(()),
            (true, false, _) => write!(f, "{}", from.file().letter()),
            (true, true, false) => write!(f, "{}", from.rank().digit()),
            (true, true, true) => write!(f, "{from}"),
        }
    }
}

impl<K: KeySet> fmt::Display for San<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, mv) = (self.position, self.mv);
        let kind = position.kind_on(mv.from()).unwrap_or(PieceKind::King);
        if mv.is_castling() {
            f.write_str(if mv.to().file() > mv.from().file() { "O-O" } else { "O-O-O" })?;
        } else {
            if kind != PieceKind::Pawn {
                write!(f, "{}", kind.letter().to_ascii_uppercase())?;
                self.write_origin(kind, f)?;
            } else if position.is_capture(mv) {
                write!(f, "{}", mv.from().file().letter())?;
            }
            if position.is_capture(mv) {
                f.write_str("x")?;
            }
            write!(f, "{}", mv.to())?;
            if let Some(promoted) = mv.promoted() {
                write!(f, "={}", promoted.letter().to_ascii_uppercase())?;
            }
        }
        let after = position.child(mv);
        match (after.in_check(), after.has_legal_move()) {
            (true, true) => f.write_str("+"),
            (true, false) => f.write_str("#"),
            _ => Ok(()),
        }
    }
}

/// What a text says of a move.
struct Pattern {
    kind: PieceKind,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promoted: Option<PieceKind>,
}

impl Pattern {
    /// Reads a move without castling: a letter for the man, what is told of its origin, the
    /// goal, a promotion.
    fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = match text.chars().next()? {
            'P' => (PieceKind::Pawn, &text[1..]),
            // A small b is the file.
            letter @ ('N' | 'n' | 'B' | 'R' | 'r' | 'Q' | 'q' | 'K' | 'k') => {
                (PieceKind::from_letter(letter)?, &text[1..])
            }
            _ => (PieceKind::Pawn, text),
        };
        let (squares, promoted) = split_promotion(rest)?;
        // Eight signs are enough for all that can be said; more are no move.
        let mut signs = arrayvec::ArrayVec::<char, 8>::new();
        for sign in squares.chars().filter(|sign| !matches!(sign, 'x' | ':' | '-')) {
            signs.try_push(sign).ok()?;
        }
        let (from, to) = signs.split_at_checked(signs.len().checked_sub(2)?)?;
        let to = Square::new(File::from_letter(to[0])?, Rank::from_digit(to[1])?);
        let (from_file, from_rank) = match *from {
            [] => (None, None),
            [sign] if File::from_letter(sign).is_some() => (File::from_letter(sign), None),
            [sign] => (None, Some(Rank::from_digit(sign)?)),
            [file, rank] => (Some(File::from_letter(file)?), Some(Rank::from_digit(rank)?)),
            _ => return None,
        };
        Some(Self { kind, from_file, from_rank, to, promoted })
    }

    fn fits<K: KeySet>(&self, position: &Position<K>, mv: Move) -> bool {
        mv.flag() != MoveFlag::Castling
            && mv.to() == self.to
            && mv.promoted() == self.promoted
            && position.kind_on(mv.from()) == Some(self.kind)
            && self.from_file.is_none_or(|file| file == mv.from().file())
            && self.from_rank.is_none_or(|rank| rank == mv.from().rank())
    }
}

/// Takes a promotion off the end: `=Q`, `(Q)`, `/Q`, or the letter alone, in either case.
fn split_promotion(text: &str) -> Option<(&str, Option<PieceKind>)> {
    let open = text.strip_suffix(')').unwrap_or(text);
    let Some(letter) = open.chars().next_back().filter(char::is_ascii_alphabetic) else {
        return Some((text, None));
    };
    let kind = promotion_letter(letter)?;
    let squares = &open[..open.len() - 1];
    let squares = if open.len() == text.len() {
        squares.strip_suffix(['=', '/']).unwrap_or(squares)
    } else {
        squares.strip_suffix('(')?
    };
    Some((squares, Some(kind)))
}

/// Takes off what surrounds a move: its number before it; checks, comments and `e.p.` after it.
fn strip_decoration(text: &str) -> &str {
    let mut text = text.trim();
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_number.starts_with('.') {
        text = after_number.trim_start_matches('.').trim_start();
    }
    loop {
        let shorter = text.trim_end_matches(['+', '#', '!', '?']).trim_end();
        let shorter = ["e.p.", "e.p", "ep"]
            .into_iter()
            .find_map(|suffix| shorter.strip_suffix(suffix))
            .unwrap_or(shorter);
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// Whether the text is castling, and if so whether it is to the king's side.
fn castling_side(text: &str) -> Option<bool> {
    let zeros: arrayvec::ArrayVec<char, 5> =
        if text.len() <= 5 { text.chars().collect() } else { return None };
    let is_zero = |sign: &char| matches!(sign, 'O' | 'o' | '0');
    match zeros.as_slice() {
        [a, '-', b] | [a, b] if [a, b].into_iter().all(is_zero) => Some(true),
        [a, '-', b, '-', c] | [a, b, c] if [a, b, c].into_iter().all(is_zero) => Some(false),
        _ => None,
    }
}

impl<K: KeySet> Position<K> {
    /// A legal move as standard algebraic notation: `Nbd7`, `exd6`, `e8=Q+`, `O-O-O#`.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let position = Position::startpos();
    /// assert_eq!(position.san(Move::normal(Square::G1, Square::F3)).to_string(), "Nf3");
    /// ```
    pub const fn san(&self, mv: Move) -> San<'_, K> {
        San { position: self, mv }
    }

    /// Reads a move in standard algebraic notation or in what people write for it: zeros for
    /// castling, a missing or needless `x`, `=`, `+` or `#`, `!?`, `e.p.`, the whole origin
    /// square (`Ng1-f3`, `g1f3`), a move number before it.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let position = Position::startpos();
    /// let knight = Move::normal(Square::G1, Square::F3);
    /// for text in ["Nf3", "1. Nf3!?", "Ng1-f3", "g1f3", "nf3"] {
    ///     assert_eq!(position.parse_san(text), Ok(knight));
    /// }
    /// ```
    ///
    /// # Errors
    /// If the text is no move, or means an illegal move or several legal ones.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let bare = strip_decoration(text);
        let illegal = || SanError::Illegal(clip(text));
        if let Some(king_side) = castling_side(bare) {
            return self.castling_toward(king_side).ok_or_else(illegal);
        }
        // Two whole squares leave nothing open, not even which man moves. A capital B is a bishop.
        let squares: String = if bare.len() <= 8 && bare.starts_with(|c: char| c.is_lowercase()) {
            bare.replace(['-', 'x', ':', '='], "")
        } else {
            String::new()
        };
        if let Some((from, to, promoted)) = parse_squares(&squares) {
            return self.move_between(from, to, promoted).ok_or_else(illegal);
        }
        let pattern = Pattern::parse(bare).ok_or_else(|| SanError::Unknown(clip(text)))?;
        let (mut found, mut others) = (None, false);
        self.for_each_move(|mv| {
            if pattern.fits(self, mv) {
                others |= found.is_some();
                found = Some(mv);
            }
        });
        match (found.or_else(|| self.castling_by_king(&pattern)), others) {
            (_, true) => Err(SanError::Ambiguous(clip(text))),
            (Some(mv), _) => Ok(mv),
            (None, _) => Err(illegal()),
        }
    }

    fn castling_toward(&self, king_side: bool) -> Option<Move> {
        let us = self.side_to_move();
        let rook = self.castling_rook(us, king_side)?;
        Some(Move::castling(self.king(us), rook)).filter(|&mv| self.is_legal(mv))
    }

    /// Castling written as a king's move of two files, such as `Kg1` or `Ke1-g1`.
    fn castling_by_king(&self, pattern: &Pattern) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(us);
        let from_fits = pattern.from_file.is_none_or(|file| file == king.file())
            && pattern.from_rank.is_none_or(|rank| rank == king.rank());
        let goal_fits = |rook: Square| castled_king(us, king, rook) == pattern.to;
        if pattern.kind != PieceKind::King || pattern.promoted.is_some() || !from_fits {
            return None;
        }
        [true, false]
            .into_iter()
            .filter_map(|king_side| self.castling_toward(king_side))
            .find(|mv| goal_fits(mv.to()))
    }
}
