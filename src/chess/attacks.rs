//! Which squares a man attacks, and the lines between squares.

use super::{Bitboard, Color, PieceKind, Square};

mod magic;
pub mod rays;

pub use magic::{bishop, rook};

const fn per_square(step: fn_table::Step) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let one = Bitboard(1 << i);
        table[i] = match step {
            fn_table::Step::Knight => one.knight_jumps(),
            fn_table::Step::King => one.king_steps(),
            fn_table::Step::Pawn(Color::White) => {
                Bitboard(one.north().east().0 | one.north().west().0)
            }
            fn_table::Step::Pawn(Color::Black) => {
                Bitboard(one.south().east().0 | one.south().west().0)
            }
        };
        i += 1;
    }
    table
}

mod fn_table {
    /// What to tabulate; a value because function pointers can't be called in constants.
    #[derive(Clone, Copy)]
    pub(super) enum Step {
        Knight,
        King,
        Pawn(super::Color),
    }
}

static KNIGHT: [Bitboard; 64] = per_square(fn_table::Step::Knight);
static KING: [Bitboard; 64] = per_square(fn_table::Step::King);
static PAWN: [[Bitboard; 64]; 2] = [
    per_square(fn_table::Step::Pawn(Color::White)),
    per_square(fn_table::Step::Pawn(Color::Black)),
];

const fn empty_board(directions: [(i8, i8); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = Bitboard(rays::slide(i, 0, directions));
        i += 1;
    }
    table
}

const ROOK_RAYS: [Bitboard; 64] = empty_board(rays::ROOK);
const BISHOP_RAYS: [Bitboard; 64] = empty_board(rays::BISHOP);

/// For each two squares on one line: the squares strictly between them, and the whole line.
#[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler, never on a stack")]
const fn lines() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let both = 1u64 << a | 1 << b;
            if a != b {
                if ROOK_RAYS[a].0 >> b & 1 != 0 {
                    between[a][b].0 =
                        rays::slide(a, both, rays::ROOK) & rays::slide(b, both, rays::ROOK);
                    line[a][b].0 = ROOK_RAYS[a].0 & ROOK_RAYS[b].0 | both;
                } else if BISHOP_RAYS[a].0 >> b & 1 != 0 {
                    between[a][b].0 =
                        rays::slide(a, both, rays::BISHOP) & rays::slide(b, both, rays::BISHOP);
                    line[a][b].0 = BISHOP_RAYS[a].0 & BISHOP_RAYS[b].0 | both;
                }
            }
            b += 1;
        }
        a += 1;
    }
    (between, line)
}

/// The diagonals in direction (1, 1), with the square itself, and those in direction (1, -1).
const fn diagonals(first: usize) -> [Bitboard; 64] {
    let direction = rays::BISHOP[first];
    let back = rays::BISHOP[first + 2];
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let both = [direction, back, direction, back];
        table[i] = Bitboard(rays::slide(i, 0, both) | 1 << i);
        i += 1;
    }
    table
}

static DIAGONAL: [Bitboard; 64] = diagonals(0);
static ANTIDIAGONAL: [Bitboard; 64] = diagonals(1);
static BETWEEN: [[Bitboard; 64]; 64] = lines().0;
static LINE: [[Bitboard; 64]; 64] = lines().1;

/// The squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square]
}

/// The squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square]
}

/// The squares a pawn of `color` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color][square]
}

/// The squares a queen attacks.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares a man other than a pawn attacks.
///
/// # Panics
/// On a pawn, whose attacks depend on its colour.
#[inline(always)]
pub fn piece(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => unreachable!("a pawn's attacks depend on its colour"),
        PieceKind::Knight => knight(square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Queen => queen(square, occupied),
        PieceKind::King => king(square),
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; none if they share
/// no line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a][b]
}

/// The diagonal through a square that rises toward `h8`.
#[inline(always)]
pub fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square]
}

/// The diagonal through a square that rises toward `a8`.
#[inline(always)]
pub fn antidiagonal(square: Square) -> Bitboard {
    ANTIDIAGONAL[square]
}

/// The whole line through two squares, edge to edge; none if they share no line.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a][b]
}
