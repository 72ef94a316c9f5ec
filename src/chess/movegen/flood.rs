//! Counting legal moves by flooding, without a loop over men: in one direction the rays of different
//! sliders never overlap, since the nearer one blocks the farther one. So the moves of all sliders in
//! one direction are the squares of one flooded set, and eight directions are eight lanes of a
//! vector. The same holds for the eight jumps of a knight.
//!
//! Where there are vector shifts of 64-bit lanes (AVX2 and up) this is the fastest way to count;
//! without them the loops of the generator are ([`Counter`](super::Counter)).

use super::super::zobrist::KeySet;
use super::super::{Bitboard, PieceKind, Position, Rank, Side, Square, attacks};
use super::lanes::Lanes;
use super::{PawnSets, castling_ways};

/// The number of legal moves of the side to move `S`, counted by flooding. Checks and pins are
/// found on the way: [`Position::checkers`] and [`Position::pinned`] need not be known yet. None
/// if the king is in check; the caller then counts otherwise.
///
/// The moves of sliders and knights are added to `pieces`, all others are returned.
#[inline(always)]
pub(crate) fn count_by_flood<S: Side, K: KeySet, L: Lanes>(
    position: &Position<K>,
    pieces: &mut L::Sum,
) -> Option<u64> {
    let us = S::COLOR;
    let them = !us;
    let king = position.pieces(PieceKind::King, us);
    let king_square = king.lowest();
    let (ours, occupied) = (position.side(us), position.occupied());

    // What they attack; sliders see through the king, so that it can't step back along a ray.
    let rays = L::by_line(position.rooks_and_queens(them).0, position.bishops_and_queens(them).0)
        .flood(!(occupied ^ king).0);
    // A man is pinned where the first man seen from the king is the first man seen by a slider
    // that looks the other way.
    let pins = L::splat(king.0).flood(!occupied.0).and(rays.opposite()).and(L::splat(ours.0));
    let (attacked, pinned) = rays.unions(pins);
    let pinned = Bitboard(pinned);
    let pawns = S::Them::forward(position.pieces(PieceKind::Pawn, them));
    let danger = Bitboard(attacked)
        | pawns.east()
        | pawns.west()
        | position.pieces(PieceKind::Knight, them).knight_jumps()
        | attacks::king(position.king(them));
    if danger.intersects(king) {
        return None;
    }

    let sliders = L::by_line(position.rooks_and_queens(us).0, position.bishops_and_queens(us).0);
    let bound = L::splat(pinned.0).without(pins.or(pins.opposite()));
    let slides = sliders.without(bound).flood(!occupied.0);
    let jumps = L::jumps((position.pieces(PieceKind::Knight, us) - pinned).0);
    let targets = L::splat(!ours.0);
    *pieces = slides.and(targets).count(jumps.and(targets), *pieces);

    let mut sum = u64::from((attacks::king(king_square) - ours - danger).len());
    let pawns = PawnSets::of::<S, K>(position, pinned, Bitboard::ALL);
    let last = Bitboard::rank(Rank::Eighth.relative_to(us));
    sum += u64::from(pawns.steps.len() + pawns.double_steps.len());
    sum += u64::from(pawns.east.len() + pawns.west.len());
    if ((pawns.steps | pawns.east | pawns.west) & last).any() {
        let promotions =
            (pawns.steps & last).len() + (pawns.east & last).len() + (pawns.west & last).len();
        sum += 3 * u64::from(promotions);
    }
    if position.en_passant().is_some() {
        // A copy, so that the position itself can stay in registers.
        sum += count_en_passants::<S, K>(&{ *position });
    }
    for rook in position.castling_rooks() & ours {
        if attacks::between(king_square, rook).intersects(occupied) {
            continue;
        }
        let (king_way, way) = castling_ways(us, king_square, rook);
        let free = !way.intersects(occupied - king - rook.bitboard());
        sum += u64::from(free && !king_way.intersects(danger) && !pinned.contains(rook));
    }
    Some(sum)
}

#[cold]
#[inline(never)]
fn count_en_passants<S: Side, K: KeySet>(position: &Position<K>) -> u64 {
    let Some(to) = position.en_passant() else { return 0 };
    let taken = to.offset(-S::FORWARD);
    let capturers = attacks::pawn(!S::COLOR, to) & position.pieces(PieceKind::Pawn, S::COLOR);
    let legal = |&from: &Square| position.en_passant_leaves_king_safe(S::COLOR, from, to, taken);
    capturers.into_iter().filter(legal).count() as u64
}
