//! A small evaluation by hand: material, squares, mobility, pawns, king safety.
//!
//! Every term has a middlegame and an endgame value in centipawns, blended by the pieces left on
//! the board. The numbers are our own, thought up, not fitted. It is there to play its first
//! games, from which the network learns.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square, attacks};

/// A middlegame and an endgame value.
#[derive(Clone, Copy, Default)]
struct Pair(i32, i32);

impl Add for Pair {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Pair {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Sub for Pair {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    fn mul(self, times: i32) -> Self {
        Self(self.0 * times, self.1 * times)
    }
}

const MATERIAL: [Pair; 6] =
    [Pair(84, 108), Pair(335, 300), Pair(350, 320), Pair(480, 540), Pair(980, 990), Pair(0, 0)];
/// Per square a piece can go to above what is usual for it.
const MOBILITY: [Pair; 6] =
    [Pair(0, 0), Pair(5, 5), Pair(5, 5), Pair(2, 5), Pair(1, 3), Pair(0, 0)];
const USUAL_MOBILITY: [i32; 6] = [0, 4, 6, 7, 13, 0];
/// How much of the middlegame a piece makes; 24 at the start.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;
/// How dangerous a piece is that attacks squares beside the king.
const ASSAULT: [i32; 6] = [0, 2, 2, 3, 5, 0];
const BISHOP_PAIR: Pair = Pair(28, 45);
const ROOK_ON_OPEN_FILE: Pair = Pair(30, 10);
const ROOK_ON_HALF_OPEN_FILE: Pair = Pair(14, 8);
const DOUBLED: Pair = Pair(-8, -20);
const ISOLATED: Pair = Pair(-12, -14);
const PROTECTED_PAWN: Pair = Pair(9, 6);
/// By rank as its side sees it.
const PASSED: [Pair; 8] = [
    Pair(0, 0),
    Pair(0, 8),
    Pair(0, 14),
    Pair(8, 32),
    Pair(25, 60),
    Pair(55, 105),
    Pair(95, 165),
    Pair(0, 0),
];
const SHIELD: Pair = Pair(14, 0);
const OPEN_FILE_TO_KING: Pair = Pair(-22, 0);
const TEMPO: i32 = 12;

/// The squares, by kind, as White sees them.
static SQUARES: [[Pair; 64]; 6] = squares();

/// How near the middle a file or rank is: 0 at the edge, 3 in the middle.
const fn central(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

const fn square_value(kind: usize, file: i32, rank: i32) -> Pair {
    let (f, r) = (central(file), central(rank));
    let middle = f + r;
    match kind {
        // Pawns: forward, in the centre first.
        0 => {
            let centre = if f == 3 && (rank == 3 || rank == 4) { 18 } else { 0 };
            let stay_home = if f == 3 && rank == 1 { -14 } else { 0 };
            Pair(centre + stay_home + 2 * f + 3 * (rank - 1) - 8, 6 * (rank - 1) - 2 * f - 8)
        }
        // Knights: the middle, better on the far side of it, never a corner.
        1 => Pair(9 * middle - 32 + if rank >= 3 && rank <= 5 { 8 } else { 0 }, 7 * middle - 24),
        2 => Pair(5 * middle - 12 - if rank == 0 { 10 } else { 0 }, 4 * middle - 12),
        // Rooks: the middle files and the seventh rank.
        3 => Pair(4 * f - 6 + if rank == 6 { 18 } else { 0 }, if rank == 6 { 16 } else { 0 }),
        4 => Pair(2 * middle - 6, 7 * middle - 20),
        // The king hides in a corner until the pieces are gone.
        _ => {
            let hidden = match f {
                0 => 18,
                1 => 28,
                2 => 2,
                _ => -8,
            };
            Pair(hidden - 22 * rank, 10 * middle - 32)
        }
    }
}

const fn squares() -> [[Pair; 64]; 6] {
    let mut table = [[Pair(0, 0); 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut i = 0;
        while i < 64 {
            let base = MATERIAL[kind];
            let value = square_value(kind, i as i32 % 8, i as i32 / 8);
            table[kind][i] = Pair(base.0 + value.0, base.1 + value.1);
            i += 1;
        }
        kind += 1;
    }
    table
}

/// All squares ahead of the given ones as `color` sees them, on the same files.
fn ahead(squares: Bitboard, color: Color) -> Bitboard {
    let Bitboard(mut b) = squares;
    for shift in [8, 16, 32] {
        b |= if color == Color::White { b << shift } else { b >> shift };
    }
    Bitboard(if color == Color::White { b << 8 } else { b >> 8 })
}

/// The squares and their neighbours to the left and right.
fn widened(squares: Bitboard) -> Bitboard {
    squares | squares.east() | squares.west()
}

/// The squares attacked by the pawns of one side.
fn pawn_attacks(position: &Position, color: Color) -> Bitboard {
    let pawns = position.pieces(PieceKind::Pawn, color);
    let forward = if color == Color::White { pawns.north() } else { pawns.south() };
    forward.east() | forward.west()
}

fn pawns(position: &Position, us: Color) -> Pair {
    let ours = position.pieces(PieceKind::Pawn, us);
    let theirs = position.pieces(PieceKind::Pawn, !us);
    let mut sum = PROTECTED_PAWN * (ours & pawn_attacks(position, us)).len() as i32;
    sum += DOUBLED * (ours & ahead(ours, us)).len() as i32;
    // Enemy pawns stop ours on their own file and the two beside it.
    let stopped = ahead(widened(theirs), !us) | ahead(ours, !us);
    for pawn in ours - stopped {
        let rank = pawn.rank().relative_to(us);
        sum += PASSED[rank as usize];
        // In the ending the kings race: ours should be near the square before it, theirs far.
        let goal = pawn.offset(8 * us.sign() as i8);
        let distance = |king: Square| {
            let files = (king.file() as i32 - goal.file() as i32).abs();
            files.max((king.rank() as i32 - goal.rank() as i32).abs())
        };
        let race = 2 * distance(position.king(!us)) - distance(position.king(us));
        sum += Pair(0, 2 * race * (rank as i32 - 2).max(0));
        if position.occupied().contains(goal) {
            sum += Pair(-6, -10) * (rank as i32 - 2).max(0);
        }
    }
    for file in File::ALL {
        let beside = Bitboard::file(file).east() | Bitboard::file(file).west();
        if !ours.intersects(beside) {
            sum += ISOLATED * (ours & Bitboard::file(file)).len() as i32;
        }
    }
    sum
}

fn pieces(position: &Position, us: Color) -> Pair {
    let ours = position.pieces(PieceKind::Pawn, us);
    let theirs = position.pieces(PieceKind::Pawn, !us);
    let reachable = !(position.side(us)
        & (position.kind(PieceKind::Pawn) | position.kind(PieceKind::King)))
        - pawn_attacks(position, !us);
    let king_zone = widened(position.king(!us).bitboard()) | attacks::king(position.king(!us));
    let (mut sum, mut attackers, mut assault) = (Pair::default(), 0, 0);
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        for square in position.pieces(kind, us) {
            let seen = attacks::piece(kind, square, position.occupied());
            sum += MOBILITY[kind] * ((seen & reachable).len() as i32 - USUAL_MOBILITY[kind]);
            let near_king = (seen & king_zone).len() as i32;
            if near_king > 0 {
                attackers += 1;
                assault += ASSAULT[kind] * near_king;
            }
            let file = Bitboard::file(square.file());
            if kind == PieceKind::Rook && !ours.intersects(file) {
                let open = !theirs.intersects(file);
                sum += if open { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE };
            }
        }
    }
    if position.pieces(PieceKind::Bishop, us).many() {
        sum += BISHOP_PAIR;
    }
    // One attacker is no attack; many together are more than their sum.
    if attackers >= 2 {
        sum += Pair((assault * attackers * 3 / 2).min(400), 0);
    }
    sum
}

fn king(position: &Position, us: Color) -> Pair {
    let king = position.king(us);
    let zone = widened(Bitboard::file(king.file()));
    let ours = position.pieces(PieceKind::Pawn, us);
    let before = ahead(widened(king.bitboard()), us);
    let near = before & widened_ranks(king, us);
    let mut sum = SHIELD * (ours & near).len().min(3) as i32;
    for file in File::ALL {
        let file = Bitboard::file(file);
        if zone.intersects(file) && !ours.intersects(file) {
            sum += OPEN_FILE_TO_KING;
        }
    }
    sum
}

/// The two ranks before the king.
fn widened_ranks(king: Square, us: Color) -> Bitboard {
    let rank = king.rank().relative_to(us) as usize;
    let rank_of = |index: usize| Bitboard::rank(Rank::from_index(index.min(7)).relative_to(us));
    rank_of(rank + 1) | rank_of(rank + 2)
}

/// How much of an advantage can be turned into a win, in sixteenths.
fn winning_chance(position: &Position, strong: Color) -> i32 {
    if position.pieces(PieceKind::Pawn, strong).any() {
        return 16;
    }
    let worth = |side: Color| -> i32 {
        let of = |kind: PieceKind| position.pieces(kind, side).len() as i32;
        3 * (of(PieceKind::Knight) + of(PieceKind::Bishop))
            + 5 * of(PieceKind::Rook)
            + 9 * of(PieceKind::Queen)
    };
    let lone_knights = position.pieces(PieceKind::Knight, strong).len() == 2 && worth(strong) == 6;
    if worth(strong) - worth(!strong) <= 3 || lone_knights { 2 } else { 16 }
}

/// Drives a bare king to the edge, and the other king after it.
fn hunt(position: &Position, strong: Color) -> i32 {
    let bare = position.king(!strong);
    if position.side(!strong).many() || !position.has_pieces(strong) {
        return 0;
    }
    let hunter = position.king(strong);
    let apart = (bare.file() as i32 - hunter.file() as i32).abs()
        + (bare.rank() as i32 - hunter.rank() as i32).abs();
    let middle = central(bare.file() as i32) + central(bare.rank() as i32);
    150 + 10 * (6 - middle) + 5 * (14 - apart)
}

/// The value of a position in centipawns from the side to move's view.
///
/// ```
/// use qishou::chess::Position;
/// let a_queen_up: Position = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1".parse()?;
/// assert!(qishou::eval::hand::evaluate(&a_queen_up) > 800);
/// # Ok::<(), qishou::chess::FenError>(())
/// ```
pub fn evaluate(position: &Position) -> i32 {
    let (mut sum, mut phase) = (Pair::default(), 0);
    for us in Color::ALL {
        let mut side = pawns(position, us) + pieces(position, us) + king(position, us);
        for kind in PieceKind::ALL {
            let squares = position.pieces(kind, us);
            phase += PHASE[kind] * squares.len() as i32;
            for square in squares {
                side += SQUARES[kind][square.relative_to(us)];
            }
        }
        sum += side * us.sign();
    }
    let phase = phase.min(FULL_PHASE);
    let blended = (sum.0 * phase + sum.1 * (FULL_PHASE - phase)) / FULL_PHASE;
    let strong = if blended >= 0 { Color::White } else { Color::Black };
    let white = blended * winning_chance(position, strong) / 16 + hunt(position, Color::White)
        - hunt(position, Color::Black);
    white * position.side_to_move().sign() + TEMPO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Piece;

    /// The same position with colours and ranks exchanged.
    fn flipped(position: &Position) -> Position {
        let mut setup = position.setup();
        let men = setup.men;
        for square in Square::ALL {
            setup.men[square] = men[square.flip_rank()].map(|man| Piece::new(man.kind, !man.color));
        }
        setup.side_to_move = !setup.side_to_move;
        setup.castling_rooks = Bitboard(position.castling_rooks().0.swap_bytes());
        setup.en_passant = position.en_passant().map(Square::flip_rank);
        setup.position().unwrap()
    }

    #[test]
    fn both_colours_are_judged_alike() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
            "8/5k2/3P4/8/2K5/8/6pp/7B b - - 0 1",
            "8/8/8/8/8/4k3/8/4K2R w K - 0 1",
            "r1b2rk1/2q1bppp/p2ppn2/1p6/3NPP2/2N1B3/PPP1B1PP/R2Q1R1K w - - 0 12",
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(evaluate(&position), evaluate(&flipped(&position)), "{fen}");
        }
    }

    #[test]
    fn the_start_is_worth_a_tempo() {
        assert_eq!(evaluate(&Position::startpos()), TEMPO);
    }

    #[test]
    fn more_is_better() {
        for (better, worse) in [
            ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1"),
            ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/2N1KN2 w - - 0 1"),
        ] {
            let of = |fen: &str| evaluate(&fen.parse().unwrap());
            assert!(of(better) > of(worse), "{better} over {worse}");
        }
    }
}
