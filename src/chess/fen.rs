//! Forsyth-Edwards notation, read leniently and written strictly.
//!
//! Read: standard FEN, X-FEN and Shredder-FEN castling fields, one to six fields, EPD operators
//! after the fourth. Written: X-FEN, or Shredder-FEN on request.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::epd::{Operations, OperationsError};
use super::{Bitboard, Color, File, Piece, PieceKind, Position, Rank, Setup, SetupError, Square};

/// The initial position of standard chess.
pub(super) const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a text is not the FEN of a legal position. Each names the field and the offending text,
/// which is cut short if it is long.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Nothing but blanks.
    #[error("the FEN is empty")]
    Empty,
    /// A letter in the board field that means neither a man nor empty squares.
    #[error("board: {0:?} is neither a man nor a number of empty squares")]
    Letter(char),
    /// A rank of more or fewer than eight squares.
    #[error("board: rank {0:?} does not have eight squares")]
    RankLength(String),
    /// Two numbers side by side in one rank, where one is enough.
    #[error("board: rank {0:?} has two numbers side by side")]
    AdjacentNumbers(String),
    /// More or fewer than eight ranks.
    #[error("board: {0} ranks instead of eight")]
    RankCount(usize),
    /// Neither `w` nor `b`.
    #[error("side to move: {0:?} is neither w nor b")]
    SideToMove(String),
    /// A castling field that can't be read.
    #[error("castling: {0:?} is neither - nor at most two letters a side")]
    Castling(String),
    /// An en-passant field that is no square.
    #[error("en passant: {0:?} is neither - nor a square")]
    EnPassant(String),
    /// A counter that is no number.
    #[error("{field}: {text:?} is no number")]
    Counter {
        /// Which of the two counters.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// Something after the last field that is no EPD operation.
    #[error("after the FEN: {0:?} does not belong there")]
    Trailing(String),
    /// An EPD operation that can't be read.
    #[error(transparent)]
    Operations(#[from] OperationsError),
    /// It can be read, but is no legal position.
    #[error("illegal position: {0}")]
    Illegal(#[from] SetupError),
}

/// The text as an error repeats it: its first forty letters.
pub(super) fn clip(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn parse_rank(row: &str, rank: Rank, men: &mut [Option<Piece>; 64]) -> Result<(), FenError> {
    let mut file = 0;
    let mut after_number = false;
    for letter in row.chars() {
        match letter {
            '1'..='8' if after_number => return Err(FenError::AdjacentNumbers(clip(row))),
            '1'..='8' => file += letter as usize - '0' as usize,
            _ => {
                let piece = Piece::from_letter(letter).ok_or(FenError::Letter(letter))?;
                if file < 8 {
                    men[Square::new(File::from_index(file), rank)] = Some(piece);
                }
                file += 1;
            }
        }
        if file > 8 {
            return Err(FenError::RankLength(clip(row)));
        }
        after_number = letter.is_ascii_digit();
    }
    if file == 8 { Ok(()) } else { Err(FenError::RankLength(clip(row))) }
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(FenError::RankCount(ranks));
    }
    let mut men = [None; 64];
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        parse_rank(row, rank, &mut men)?;
    }
    Ok(men)
}

/// The rooks a castling field names. A letter that names no rook is passed over: such a right
/// can't be used, and FENs with it are common.
fn parse_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    let mut letters = [0; Color::COUNT];
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        letters[color] += 1;
        let file = match letter.to_ascii_uppercase() {
            _ if letters[color] > 2 => None,
            'K' => Some(outermost_rook(setup, color, File::ALL.into_iter().rev())),
            'Q' => Some(outermost_rook(setup, color, File::ALL.into_iter())),
            upper => File::from_letter(upper).map(Some),
        };
        let Some(file) = file else { return Err(FenError::Castling(clip(text))) };
        if let Some(file) = file {
            rooks |= Square::new(file, color.home_rank()).bitboard();
        }
    }
    Ok(rooks)
}

/// The file of the first rook on a side's first rank, if it comes before the king: the rook that
/// X-FEN means by `K` and `Q`.
fn outermost_rook(
    setup: &Setup,
    color: Color,
    mut files: impl Iterator<Item = File>,
) -> Option<File> {
    let on = |file: File| setup.men[Square::new(file, color.home_rank())];
    let king = Some(Piece::new(PieceKind::King, color));
    let rook = Some(Piece::new(PieceKind::Rook, color));
    files.find(|&file| on(file) == rook || on(file) == king).filter(|&file| on(file) == rook)
}

/// A counter; one that is too large for the board's is as large as it can be.
fn parse_counter(field: &'static str, text: &str) -> Result<u16, FenError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Counter { field, text: clip(text) });
    }
    // All digits, so the one thing that can fail is the size.
    Ok(text.parse().unwrap_or(u16::MAX))
}

/// The first word of a text and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Reads the fields of a FEN. What is left over may be EPD operations: anything that begins with
/// a letter where the counters would stand, or comes after them.
pub(super) fn parse_fields(text: &str) -> Result<(Setup, &str), FenError> {
    let mut setup = Setup::default();
    let (field, rest) = split_word(text);
    if field.is_empty() {
        return Err(FenError::Empty);
    }
    setup.men = parse_board(field)?;
    let (field, rest) = split_word(rest);
    setup.side_to_move = match field {
        "" | "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        _ => return Err(FenError::SideToMove(clip(field))),
    };
    let (field, rest) = split_word(rest);
    if !field.is_empty() {
        setup.castling_rooks = parse_castling(field, &setup)?;
    }
    let (field, rest) = split_word(rest);
    if !matches!(field, "" | "-") {
        let square = Square::parse(field).ok_or_else(|| FenError::EnPassant(clip(field)))?;
        setup.en_passant = Some(square);
    }
    let (field, after) = split_word(rest);
    if field.is_empty() || field.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Ok((setup, rest.trim()));
    }
    setup.halfmove_clock = parse_counter("halfmove clock", field)?;
    let (field, rest) = split_word(after);
    if !field.is_empty() {
        setup.fullmove_number = parse_counter("move number", field)?.max(1);
    }
    Ok((setup, rest.trim()))
}

/// Reads a FEN of one to six fields. What is missing is read as `w - - 0 1`. EPD operations may
/// follow, each closed by a semicolon; of these `hmvc` and `fmvn` set the counters.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let (mut setup, rest) = parse_fields(text)?;
        if rest.is_empty() {
            return Ok(setup);
        }
        if !rest.ends_with(';') {
            return Err(FenError::Trailing(clip(rest)));
        }
        rest.parse::<Operations>()?.set_counters(&mut setup)?;
        Ok(setup)
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Ok(text.parse::<Setup>()?.position()?)
    }
}

/// Writes a position as FEN.
///
/// ```
/// use qishou::chess::{Fen, Position};
/// let position = Position::startpos();
/// assert_eq!(
///     Fen::of(&position).to_string(),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
/// );
/// assert_eq!(
///     Fen::shredder(&position).to_string(),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fen<'a> {
    position: &'a Position,
    shredder: bool,
}

impl<'a> Fen<'a> {
    /// As X-FEN: `KQkq`, a file letter only where the castling rook is not the outermost.
    pub const fn of(position: &'a Position) -> Self {
        Self { position, shredder: false }
    }

    /// As Shredder-FEN: castling rights as file letters always.
    pub const fn shredder(position: &'a Position) -> Self {
        Self { position, shredder: true }
    }

    fn castling_letter(self, color: Color, king_side: bool) -> Option<char> {
        let rook = self.position.castling_rook(color, king_side)?;
        let rooks = self.position.pieces(PieceKind::Rook, color);
        let outer = (rooks & Bitboard::rank(rook.rank())).into_iter().any(|other| {
            if king_side { other.file() > rook.file() } else { other.file() < rook.file() }
        });
        let letter = match (self.shredder || outer, king_side) {
            (true, _) => rook.file().letter(),
            (false, true) => 'k',
            (false, false) => 'q',
        };
        Some(if color == Color::White { letter.to_ascii_uppercase() } else { letter })
    }
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.position.piece_on(Square::new(file, rank)) {
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{}", piece.letter())?;
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                write!(f, "/")?;
            }
        }
        let side = match self.position.side_to_move() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        write!(f, " {side} ")?;
        let rights = [
            (Color::White, true),
            (Color::White, false),
            (Color::Black, true),
            (Color::Black, false),
        ];
        let mut none = true;
        for letter in rights.into_iter().filter_map(|(c, k)| self.castling_letter(c, k)) {
            write!(f, "{letter}")?;
            none = false;
        }
        if none {
            write!(f, "-")?;
        }
        match self.position.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => write!(f, " -")?,
        }
        write!(f, " {} {}", self.position.halfmove_clock(), self.position.fullmove_number())
    }
}
