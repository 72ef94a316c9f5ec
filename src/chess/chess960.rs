//! The starting positions of Chess960 and of Double Fischer Random, by their numbers.
//!
//! The numbering is Scharnagl's: 0 to 959, with 518 for the array of standard chess.

use super::{Bitboard, Color, File, Piece, PieceKind, Position, Rank, Setup, Square};

/// How many starting arrays there are.
const ARRAYS: u16 = 960;

/// The pieces of a starting array from the a-file to the h-file.
///
/// The number is taken apart: four squares for the light bishop, four for the dark one, six of
/// those left for the queen, ten pairs of the five left for the knights; rook, king and rook fill
/// the last three.
fn array(number: u16) -> [PieceKind; 8] {
    use PieceKind::{Bishop, King, Knight, Queen, Rook};
    let mut files = [None; 8];
    let (number, light) = (usize::from(number / 4), usize::from(number % 4));
    files[2 * light + 1] = Some(Bishop);
    files[2 * (number % 4)] = Some(Bishop);
    let number = number / 4;
    place(&mut files, number % 6, Queen);
    let (mut first, mut second) = (0, number / 6);
    // The pairs in order: 01 02 03 04 12 13 14 23 24 34.
    while second >= 4 - first {
        second -= 4 - first;
        first += 1;
    }
    // The first knight takes one square away, so the second counts one less.
    place(&mut files, first, Knight);
    place(&mut files, first + second, Knight);
    for kind in [Rook, King, Rook] {
        place(&mut files, 0, kind);
    }
    files.map(|kind| kind.expect("eight pieces fill eight files"))
}

/// Puts a piece on the free file with the given number among the free files.
fn place(files: &mut [Option<PieceKind>; 8], number: usize, kind: PieceKind) {
    if let Some(file) = files.iter_mut().filter(|file| file.is_none()).nth(number) {
        *file = Some(kind);
    }
}

impl Position {
    /// The starting position of Chess960 with this number, 0 to 959; 518 is standard chess.
    ///
    /// ```
    /// use qishou::chess::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::startpos()));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The starting position of Double Fischer Random: each side has an array of its own.
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        if white >= ARRAYS || black >= ARRAYS {
            return None;
        }
        let mut setup = Setup::default();
        let mut rooks = Bitboard::EMPTY;
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let pawn = Piece::new(PieceKind::Pawn, color);
            for (file, kind) in File::ALL.into_iter().zip(array(number)) {
                let home = Square::new(file, color.home_rank());
                setup.men[home] = Some(Piece::new(kind, color));
                setup.men[Square::new(file, Rank::Second.relative_to(color))] = Some(pawn);
                if kind == PieceKind::Rook {
                    rooks |= home.bitboard();
                }
            }
        }
        setup.castling_rooks = rooks;
        setup.position().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chess::Fen;

    #[test]
    fn known_numbers_give_their_arrays() {
        // The first, the last and the standard one of Scharnagl's published table; the others
        // are compared with cozy-chess in `tests/differential.rs`.
        for (number, letters) in [(0, "bbqnnrkr"), (518, "rnbqkbnr"), (959, "rkrnnqbb")] {
            let text: String = array(number).map(PieceKind::letter).iter().collect();
            assert_eq!(text, letters, "{number}");
        }
    }

    #[test]
    fn all_arrays_differ_and_keep_the_rules_of_chess960() {
        let mut seen = HashSet::new();
        for number in 0..ARRAYS {
            let array = array(number);
            let on = |kind| array.iter().position(|&k| k == kind).unwrap();
            let last = |kind| array.iter().rposition(|&k| k == kind).unwrap();
            assert!(on(PieceKind::Rook) < on(PieceKind::King));
            assert!(on(PieceKind::King) < last(PieceKind::Rook));
            assert_ne!(on(PieceKind::Bishop) % 2, last(PieceKind::Bishop) % 2);
            assert!(seen.insert(array));
        }
        assert_eq!(seen.len(), 960);
    }

    #[test]
    fn each_side_has_its_own_array_and_all_rights() {
        let position = Position::double_chess960(0, 959).unwrap();
        let fen = "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1";
        assert_eq!(Fen::shredder(&position).to_string(), fen);
        assert_eq!(Position::double_chess960(0, 960), None);
        assert_eq!(Position::double_chess960(960, 0), None);
    }
}
