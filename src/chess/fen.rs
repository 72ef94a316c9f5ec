//! Forsyth-Edwards notation, read leniently and written strictly.
//!
//! Read: standard FEN, X-FEN and Shredder-FEN castling fields, one to six fields, EPD operators
//! after the fourth. Written: X-FEN, or Shredder-FEN on request.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Bitboard, Color, File, Piece, PieceKind, Position, Rank, Setup, SetupError, Square};

/// The initial position of standard chess.
pub const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a text is not the FEN of a legal position. Each names the field and the offending text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Nothing but blanks.
    #[error("the FEN is empty")]
    Empty,
    /// A letter in the board field that means no man.
    #[error("board: {0:?} is no man")]
    Letter(char),
    /// A rank of more or fewer than eight squares.
    #[error("board: rank {0:?} does not have eight squares")]
    RankLength(String),
    /// More or fewer than eight ranks.
    #[error("board: {0} ranks instead of eight")]
    RankCount(usize),
    /// Neither `w` nor `b`.
    #[error("side to move: {0:?} is neither w nor b")]
    SideToMove(String),
    /// A castling field that can't be read.
    #[error("castling: {0:?}")]
    Castling(String),
    /// An en-passant field that is no square.
    #[error("en passant: {0:?}")]
    EnPassant(String),
    /// A counter that is no number.
    #[error("{field}: {text:?} is no number")]
    Counter {
        /// Which of the two counters.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// It can be read, but is no legal position.
    #[error("illegal position: {0}")]
    Illegal(#[from] SetupError),
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let mut men = [None; 64];
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    for (rank, row) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(skip @ 1..=8) = letter.to_digit(10) {
                file += skip as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or(FenError::Letter(letter))?;
                if file < 8 {
                    men[Square::new(File::from_index(file), rank)] = Some(piece);
                }
                file += 1;
            }
            if file > 8 {
                return Err(FenError::RankLength(row.to_owned()));
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(row.to_owned()));
        }
    }
    Ok(men)
}

fn parse_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = color.home_rank();
        let king = Piece::new(PieceKind::King, color);
        let rook = Piece::new(PieceKind::Rook, color);
        let on = |file: File| setup.men[Square::new(file, rank)];
        let outermost = |mut files: Box<dyn Iterator<Item = File>>| -> Option<File> {
            files.find(|&file| on(file) == Some(rook) || on(file) == Some(king))
        };
        let file = match letter.to_ascii_uppercase() {
            'K' => outermost(Box::new(File::ALL.into_iter().rev())),
            'Q' => outermost(Box::new(File::ALL.into_iter())),
            upper => {
                Some(File::from_letter(upper).ok_or_else(|| FenError::Castling(text.to_owned()))?)
            }
        };
        if let Some(file) = file {
            rooks |= Square::new(file, rank).bitboard();
        }
    }
    Ok(rooks)
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_whitespace();
        let mut setup = Self::default();
        setup.men = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        match fields.next() {
            None | Some("w" | "W") => {}
            Some("b" | "B") => setup.side_to_move = Color::Black,
            Some(other) => return Err(FenError::SideToMove(other.to_owned())),
        }
        if let Some(field) = fields.next() {
            setup.castling_rooks = parse_castling(field, &setup)?;
        }
        match fields.next() {
            None | Some("-") => {}
            Some(field) => {
                let square =
                    Square::parse(field).ok_or_else(|| FenError::EnPassant(field.to_owned()))?;
                setup.en_passant = Some(square);
            }
        }
        let mut counter = |field: &'static str| match fields.next() {
            None => Ok(None),
            Some(text) => match text.parse::<u32>() {
                Ok(value) => Ok(Some(value.min(u32::from(u16::MAX)) as u16)),
                Err(_) => Err(FenError::Counter { field, text: text.to_owned() }),
            },
        };
        if let Some(plies) = counter("halfmove clock")? {
            setup.halfmove_clock = plies;
        }
        if let Some(number) = counter("move number")? {
            setup.fullmove_number = number.max(1);
        }
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
