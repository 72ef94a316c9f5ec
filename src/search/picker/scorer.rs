//! What moves are ordered by. They are scored as the generator finds them, which knows what moves
//! there, so that what is the same for all moves of a man is asked once.

use super::Ranked;
use crate::chess::movegen::MoveVisitor;
use crate::chess::{Bitboard, Move, PieceKind, Side, Square};
use crate::search::history::{Histories, Quiets, Site};
use crate::search::threats::checking_squares;
use crate::search::{params, see};

/// Appends the captures and promotions.
#[inline(never)]
pub(super) fn score_noisy(site: &Site, histories: &Histories, moves: &mut Ranked) {
    site.position.visit::<true, false, _>(&mut NoisyScorer { site, histories, moves });
}

/// Appends the moves that neither take nor promote.
#[inline(never)]
pub(super) fn score_quiets(site: &Site, histories: &Histories, moves: &mut Ranked) {
    let checks = checking_squares(site.position);
    let histories = histories.quiets(site);
    let attacked = (!site.position.in_check()).then_some(site.threats.all);
    let mut scorer = QuietScorer { site, histories, checks, moves };
    site.position.visit_with::<false, true, _>(attacked, &mut scorer);
}

/// Most valuable victim first, corrected by what such captures did; promotions by what they gain.
struct NoisyScorer<'a> {
    site: &'a Site<'a>,
    histories: &'a Histories,
    moves: &'a mut Ranked,
}

impl NoisyScorer<'_> {
    #[inline(always)]
    fn push(&mut self, kind: PieceKind, mv: Move, victim: Option<PieceKind>) {
        let record = self.histories.noisy(self.site.context_of(kind, mv.to()), victim);
        let gain = victim.map_or(0, see::value) + mv.promoted().map_or(0, promotion_order);
        self.moves.push(mv, 16 * gain + record / params::order_capture());
    }

    #[inline(always)]
    fn push_captures(
        &mut self,
        kind: PieceKind,
        targets: Bitboard,
        from: impl Fn(Square) -> Square,
    ) {
        for to in targets {
            let victim = self.site.position.kind_on_taken(to);
            self.push(kind, Move::normal(from(to), to), Some(victim));
        }
    }
}

/// A queen comes early, the others last.
fn promotion_order(kind: PieceKind) -> i32 {
    let queen = see::value(PieceKind::Queen);
    if kind == PieceKind::Queen { queen } else { -2 * queen }
}

impl<S: Side> MoveVisitor<S> for NoisyScorer<'_> {
    #[inline(never)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        self.push_captures(kind, targets, |_| from);
    }

    #[inline(never)]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        self.push_captures(PieceKind::Pawn, targets, |to| to.offset(-offset));
    }

    #[inline(never)]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            let victim = self.site.position.kind_on(to);
            for kind in PieceKind::PROMOTIONS {
                let mv = Move::promotion(to.offset(-offset), to, kind);
                self.push(PieceKind::Pawn, mv, victim);
            }
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(PieceKind::Pawn, Move::en_passant(from, to), Some(PieceKind::Pawn));
    }

    fn castling(&mut self, _: Square, _: Square) {
        unreachable!("castling takes nothing");
    }
}

/// By histories, checks first that lose nothing, and men that leave the reach of cheaper ones.
struct QuietScorer<'a> {
    site: &'a Site<'a>,
    histories: Quiets<'a>,
    checks: [Bitboard; PieceKind::COUNT],
    moves: &'a mut Ranked,
}

impl QuietScorer<'_> {
    #[inline(always)]
    fn push(&mut self, kind: PieceKind, mv: Move, mut score: i32) {
        if self.checks[kind].contains(mv.to()) && see::wins_at_least(self.site.position, mv, -50) {
            score += params::order_check();
        }
        self.moves.push(mv, score);
    }

    #[inline(always)]
    fn push_moves(
        &mut self,
        kind: PieceKind,
        from: Square,
        targets: Bitboard,
        make: impl Fn(Square) -> Move,
    ) {
        let rows = self.histories.rows_from(from);
        let man = self.histories.of_man(kind);
        let danger = self.site.threats.by_cheaper_than(kind);
        let worth = params::order_escape() * see::value(kind);
        let leaves = i32::from(danger.contains(from));
        for to in targets {
            let row = rows[usize::from(self.site.is_threatened(to))];
            let escape = worth * (leaves - i32::from(danger.contains(to)));
            self.push(kind, make(to), man.promise(row, to) + escape);
        }
    }
}

impl<S: Side> MoveVisitor<S> for QuietScorer<'_> {
    #[inline(never)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        self.push_moves(kind, from, targets, |to| Move::normal(from, to));
    }

    #[inline(never)]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        let man = self.histories.of_man(PieceKind::Pawn);
        for to in targets {
            let from = to.offset(-offset);
            let row = self.histories.rows_from(from)[usize::from(self.site.is_threatened(to))];
            self.push(PieceKind::Pawn, Move::normal(from, to), man.promise(row, to));
        }
    }

    fn promotions(&mut self, _: Bitboard, _: i8) {
        unreachable!("promotions are not quiet");
    }

    fn en_passant(&mut self, _: Square, _: Square) {
        unreachable!("captures are not quiet");
    }

    fn castling(&mut self, king: Square, rook: Square) {
        self.push_moves(PieceKind::King, king, rook.bitboard(), |rook| Move::castling(king, rook));
    }
}
