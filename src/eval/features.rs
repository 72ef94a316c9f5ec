//! Inputs of the network: which number stands for which man on which square.
//!
//! A perspective sees the board from its own side: ranks are counted from its own first rank, its
//! own men come first, and (in a mirrored network) files are mirrored while its own king stands on
//! the files e to h. The trainer uses the same map.

use crate::chess::{Color, File, Piece, Square};

/// Half of the inputs: the men of one colour.
const COLOR_INPUTS: usize = 384;

/// The input of a perspective that a man on a square sets, 0 to 767.
///
/// `mirror` says whether the files are mirrored, see [`mirrors`].
///
/// ```
/// use qishou::chess::{Color, Piece, PieceKind, Square};
/// use qishou::eval::features::feature;
/// let pawn = Piece::new(PieceKind::Pawn, Color::Black);
/// assert_eq!(feature(Color::Black, false, pawn, Square::E7), 12);
/// assert_eq!(feature(Color::White, false, pawn, Square::E7), 384 + 52);
/// assert_eq!(feature(Color::White, true, pawn, Square::E7), 384 + 51);
/// ```
#[inline(always)]
pub const fn feature(perspective: Color, mirror: bool, man: Piece, square: Square) -> usize {
    let color = (man.color as usize) ^ (perspective as usize);
    let square = square as usize ^ turn(perspective, mirror);
    color * COLOR_INPUTS + man.kind as usize * 64 + square
}

/// Whether a perspective whose king stands here mirrors the files, if the network is mirrored.
#[inline(always)]
pub const fn mirrors(king: Square) -> bool {
    king.file() as usize >= File::E as usize
}

/// What turns the index of a square to the perspective's view.
#[inline(always)]
const fn turn(perspective: Color, mirror: bool) -> usize {
    (perspective as usize * 56) ^ (mirror as usize * 7)
}

/// A man on a square in two bytes: colour, kind and square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Man(u16);

impl Man {
    #[inline(always)]
    pub(crate) const fn new(man: Piece, square: Square) -> Self {
        Self((man.color as u16) << 9 | (man.kind as u16) << 6 | square as u16)
    }

    /// The input of a perspective, as [`feature`] has it. Without a branch, since whose man it is
    /// can't be predicted.
    #[inline(always)]
    pub(crate) const fn feature(self, perspective: Color, mirror: bool) -> usize {
        let color = (self.0 as usize >> 9) ^ perspective as usize;
        color * COLOR_INPUTS + (self.0 as usize & 511 ^ turn(perspective, mirror))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::PieceKind;

    #[test]
    fn a_man_in_two_bytes_gives_the_same_inputs() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for square in Square::ALL {
                    let piece = Piece::new(kind, color);
                    for perspective in Color::ALL {
                        for mirror in [false, true] {
                            assert_eq!(
                                Man::new(piece, square).feature(perspective, mirror),
                                feature(perspective, mirror, piece, square)
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_input_has_its_man() {
        for perspective in Color::ALL {
            let mut seen = [false; 768];
            for color in Color::ALL {
                for kind in PieceKind::ALL {
                    for square in Square::ALL {
                        let piece = Piece::new(kind, color);
                        seen[feature(perspective, true, piece, square)] = true;
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn kings_on_the_files_e_to_h_mirror() {
        for (square, expected) in
            [(Square::A1, false), (Square::D8, false), (Square::E1, true), (Square::H5, true)]
        {
            assert_eq!(mirrors(square), expected, "{square}");
        }
    }
}
