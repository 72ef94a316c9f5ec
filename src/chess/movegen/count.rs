//! Counting legal moves without writing them.
//!
//! [`Counter`] adds up the sets of the generator. [`count_by_fill`] needs no loop over men: in one
//! direction the rays of different sliders never overlap, since the nearer one blocks the farther
//! one. So the moves of all sliders in one direction are the squares of one flooded set, and eight
//! directions are eight lanes of a vector. The same holds for the eight jumps of a knight.
//! Compiled with vector shifts of 64-bit lanes (AVX2 and up) this is the fastest way to count;
//! without them the loops of the generator are.

use super::super::{Bitboard, PieceKind, Position, Rank, Side, Square, attacks};
use super::{MoveVisitor, PawnSets, castling_is_legal};

/// Adds up the moves it is shown.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) u64);

impl<S: Side> MoveVisitor<S> for Counter {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * u64::from(targets.len());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

type Lanes = [u64; 4];

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & NOT_A << 1;
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// Directions that raise the square index: north, east, north-east, north-west; and with the
/// shift to the other side their opposites: south, west, south-west, south-east.
const SHIFTS: [u32; 4] = [8, 1, 9, 7];
/// The squares that can be arrived at without having crossed the edge of the board.
const RISING: Lanes = [!0, NOT_A, NOT_A, NOT_H];
const FALLING: Lanes = [!0, NOT_H, NOT_H, NOT_A];

const JUMP_SHIFTS: [u32; 4] = [17, 15, 10, 6];
const JUMP_RISING: Lanes = [NOT_A, NOT_H, NOT_AB, NOT_GH];
const JUMP_FALLING: Lanes = [NOT_H, NOT_A, NOT_GH, NOT_AB];

/// The squares sliders attack, by direction: rising, then falling.
#[inline(always)]
fn flood(straight: u64, diagonal: u64, empty: u64) -> [Lanes; 2] {
    let sliders = [straight, straight, diagonal, diagonal];
    let (mut up, mut down) = (sliders, sliders);
    let (mut up_way, mut down_way) = ([0; 4], [0; 4]);
    for i in 0..4 {
        up_way[i] = empty & RISING[i];
        down_way[i] = empty & FALLING[i];
    }
    // Kogge-Stone: after steps of 1, 2 and 4 each ray has gone up to seven squares.
    for i in 0..4 {
        up[i] |= up_way[i] & up[i] << SHIFTS[i];
        down[i] |= down_way[i] & down[i] >> SHIFTS[i];
    }
    for i in 0..4 {
        up_way[i] &= up_way[i] << SHIFTS[i];
        down_way[i] &= down_way[i] >> SHIFTS[i];
    }
    for i in 0..4 {
        up[i] |= up_way[i] & up[i] << (2 * SHIFTS[i]);
        down[i] |= down_way[i] & down[i] >> (2 * SHIFTS[i]);
    }
    for i in 0..4 {
        up_way[i] &= up_way[i] << (2 * SHIFTS[i]);
        down_way[i] &= down_way[i] >> (2 * SHIFTS[i]);
    }
    for i in 0..4 {
        up[i] |= up_way[i] & up[i] << (4 * SHIFTS[i]);
        down[i] |= down_way[i] & down[i] >> (4 * SHIFTS[i]);
    }
    for i in 0..4 {
        up[i] = up[i] << SHIFTS[i] & RISING[i];
        down[i] = down[i] >> SHIFTS[i] & FALLING[i];
    }
    [up, down]
}

/// The number of slider and knight moves to `targets`.
#[inline(always)]
fn count_pieces(straight: u64, diagonal: u64, knights: u64, occupied: u64, targets: u64) -> u64 {
    let [up, down] = flood(straight, diagonal, !occupied);
    let mut sums = [0u64; 4];
    for i in 0..4 {
        let rising = knights << JUMP_SHIFTS[i] & JUMP_RISING[i];
        let falling = knights >> JUMP_SHIFTS[i] & JUMP_FALLING[i];
        sums[i] = u64::from((up[i] & targets).count_ones())
            + u64::from((down[i] & targets).count_ones())
            + u64::from((rising & targets).count_ones())
            + u64::from((falling & targets).count_ones());
    }
    sums[0] + sums[1] + sums[2] + sums[3]
}

/// Every square the opponent of `S` attacks, seeing through the king of `S`.
#[inline(always)]
fn danger<S: Side, K>(position: &Position<K>) -> Bitboard {
    let them = !S::COLOR;
    let king = position.pieces(PieceKind::King, S::COLOR);
    let empty = !(position.occupied() ^ king);
    let straight = position.rooks_and_queens(them);
    let diagonal = position.bishops_and_queens(them);
    let [up, down] = flood(straight.0, diagonal.0, empty.0);
    let mut all = 0;
    for i in 0..4 {
        all |= up[i] | down[i];
    }
    let pawns = S::Them::forward(position.pieces(PieceKind::Pawn, them));
    Bitboard(all)
        | pawns.east()
        | pawns.west()
        | position.pieces(PieceKind::Knight, them).knight_jumps()
        | attacks::king(position.king(them))
}

/// The number of legal moves, counted by flooding.
#[inline(always)]
pub(crate) fn count_by_fill<S: Side, K>(position: &Position<K>) -> u64 {
    let us = S::COLOR;
    let king = position.king(us);
    let occupied = position.occupied();
    let danger = danger::<S, K>(position);
    let mut sum = u64::from((attacks::king(king) - position.side(us) - danger).len());
    if position.checkers().many() {
        return sum;
    }
    let checks = position.check_targets();
    let targets = checks - position.side(us);
    let pinned = position.pinned();
    sum += count_pieces(
        (position.rooks_and_queens(us) - pinned).0,
        (position.bishops_and_queens(us) - pinned).0,
        (position.pieces(PieceKind::Knight, us) - pinned).0,
        occupied.0,
        targets.0,
    );
    for from in pinned - position.kind(PieceKind::Pawn) - position.kind(PieceKind::Knight) {
        let along = targets & attacks::line(king, from);
        let kind = position.kind_on_taken(from);
        sum += u64::from((attacks::piece(kind, from, occupied) & along).len());
    }
    let pawns = PawnSets::of::<S, K>(position, checks);
    let last = Bitboard::rank(Rank::Eighth.relative_to(us));
    sum += u64::from(pawns.steps.len() + pawns.double_steps.len());
    sum += u64::from(pawns.east.len() + pawns.west.len());
    if ((pawns.steps | pawns.east | pawns.west) & last).any() {
        let promotions =
            (pawns.steps & last).len() + (pawns.east & last).len() + (pawns.west & last).len();
        sum += 3 * u64::from(promotions);
    }
    if let Some(to) = position.en_passant() {
        let taken = to.offset(-S::FORWARD);
        for from in attacks::pawn(!us, to) & position.pieces(PieceKind::Pawn, us) {
            sum += u64::from(position.en_passant_leaves_king_safe(us, from, to, taken));
        }
    }
    if !position.in_check() {
        for rook in position.castling_rooks() & position.side(us) {
            sum += u64::from(castling_is_legal(position, us, rook));
        }
    }
    sum
}
