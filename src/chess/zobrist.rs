//! Zobrist keys: what identifies a position in hash tables and repetition checks.
//!
//! The random numbers come from `rand_chacha` with a fixed seed, by way of the build script, so
//! keys never change between builds.

use super::{File, Piece, PieceKind, Square};

/// A Zobrist key.
pub type Key = u64;

const MEN: usize = Piece::COUNT * 64;
static NUMBERS: [u64; MEN + 64 + 8 + 1] = include!(concat!(env!("OUT_DIR"), "/zobrist.rs"));

/// The number of a man on a square.
#[inline(always)]
pub fn man(piece: Piece, square: Square) -> Key {
    NUMBERS[piece.index() * 64 + square as usize]
}

/// The number of a rook that may still castle.
#[inline(always)]
pub fn castling(rook: Square) -> Key {
    NUMBERS[MEN + rook as usize]
}

/// The number of a file on which a legal en-passant capture exists.
#[inline(always)]
pub fn en_passant(file: File) -> Key {
    NUMBERS[MEN + 64 + file as usize]
}

/// The number that tells Black to move.
#[inline(always)]
pub fn black_to_move() -> Key {
    NUMBERS[MEN + 64 + 8]
}

/// What a position keeps up to date about its own identity as moves are made.
///
/// [`Keys`] is what search needs; `()` keeps nothing, for counting moves.
pub trait KeySet: Copy + Default + PartialEq + std::fmt::Debug {
    /// Whether anything is kept, so that the work of finding out can be left away.
    const TRACKED: bool;
    /// A man appears on a square or leaves it.
    fn toggle_man(&mut self, piece: Piece, square: Square);
    /// A castling right appears or goes.
    fn toggle_castling(&mut self, rook: Square);
    /// A legal en-passant capture appears or goes.
    fn toggle_en_passant(&mut self, file: File);
    /// The other side is to move.
    fn toggle_side(&mut self);
}

impl KeySet for () {
    const TRACKED: bool = false;
    #[inline(always)]
    fn toggle_man(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn toggle_castling(&mut self, _: Square) {}
    #[inline(always)]
    fn toggle_en_passant(&mut self, _: File) {}
    #[inline(always)]
    fn toggle_side(&mut self) {}
}

/// The keys of a position.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Keys {
    /// Everything that makes positions the same under the repetition rule (RULES 2.6).
    pub full: Key,
    /// The pawns of both sides.
    pub pawn: Key,
    /// Each side's king and pieces without its pawns.
    pub non_pawn: [Key; 2],
    /// Knights, bishops and kings of both sides.
    pub minor: Key,
}

impl KeySet for Keys {
    const TRACKED: bool = true;

    #[inline(always)]
    fn toggle_man(&mut self, piece: Piece, square: Square) {
        let number = man(piece, square);
        self.full ^= number;
        if piece.kind == PieceKind::Pawn {
            self.pawn ^= number;
        } else {
            self.non_pawn[piece.color] ^= number;
            if matches!(piece.kind, PieceKind::Knight | PieceKind::Bishop | PieceKind::King) {
                self.minor ^= number;
            }
        }
    }

    #[inline(always)]
    fn toggle_castling(&mut self, rook: Square) {
        self.full ^= castling(rook);
    }

    #[inline(always)]
    fn toggle_en_passant(&mut self, file: File) {
        self.full ^= en_passant(file);
    }

    #[inline(always)]
    fn toggle_side(&mut self) {
        self.full ^= black_to_move();
    }
}
