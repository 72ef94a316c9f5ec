//! Squares a side attacks, and squares from which a man would give check.

use crate::chess::{Bitboard, Color, Move, PieceKind, Position, attacks};

/// The squares one side attacks, by how cheap the attacker is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Threats {
    /// Attacked by a pawn.
    by_pawns: Bitboard,
    /// Attacked by a pawn, knight or bishop.
    by_minors: Bitboard,
    /// Attacked by anything but queen and king.
    by_rooks: Bitboard,
    /// Attacked at all.
    pub(crate) all: Bitboard,
}

impl Threats {
    /// What `color` attacks.
    pub(crate) fn by(position: &Position, color: Color) -> Self {
        let occupied = position.occupied();
        let by = |kind: PieceKind| {
            position
                .pieces(kind, color)
                .into_iter()
                .fold(Bitboard::EMPTY, |set, square| set | attacks::piece(kind, square, occupied))
        };
        let pawns = position.pieces(PieceKind::Pawn, color);
        let ahead = if color == Color::White { pawns.north() } else { pawns.south() };
        let by_pawns = ahead.east() | ahead.west();
        let knights = position.pieces(PieceKind::Knight, color).knight_jumps();
        let by_minors = by_pawns | knights | by(PieceKind::Bishop);
        let by_rooks = by_minors | by(PieceKind::Rook);
        let all = by_rooks | by(PieceKind::Queen) | attacks::king(position.king(color));
        Self { by_pawns, by_minors, by_rooks, all }
    }

    /// The squares on which a man of this kind is attacked by a cheaper one.
    #[inline(always)]
    pub(crate) fn by_cheaper_than(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn | PieceKind::King => Bitboard::EMPTY,
            PieceKind::Knight | PieceKind::Bishop => self.by_pawns,
            PieceKind::Rook => self.by_minors,
            PieceKind::Queen => self.by_rooks,
        }
    }
}

/// For each kind the squares from which it would attack the king of the side not to move.
pub(crate) fn checking_squares(position: &Position) -> [Bitboard; PieceKind::COUNT] {
    let us = position.side_to_move();
    let king = position.king(!us);
    let bishop = attacks::bishop(king, position.occupied());
    let rook = attacks::rook(king, position.occupied());
    [attacks::pawn(!us, king), attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY]
}

/// Whether the man moved checks from its goal: no discovered checks, castling or promotions.
#[inline]
pub(crate) fn gives_direct_check(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    let king = position.king(!us);
    match position.kind_on(mv.from()) {
        Some(PieceKind::Pawn) => attacks::pawn(!us, king).contains(mv.to()),
        Some(PieceKind::King) | None => false,
        Some(kind) => attacks::piece(kind, king, position.occupied()).contains(mv.to()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Square by square it is what the rules say of attacks.
    #[test]
    fn threats_are_the_attacked_squares() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            for color in Color::ALL {
                let threats = Threats::by(&position, color);
                for square in Bitboard::ALL {
                    let attacked = position.is_attacked(square, color, position.occupied());
                    assert_eq!(threats.all.contains(square), attacked, "{fen} {square}");
                    let attackers = position.attackers(square, color, position.occupied());
                    let pawns = attackers.intersects(position.kind(PieceKind::Pawn));
                    let by_pawn = threats.by_cheaper_than(PieceKind::Knight);
                    assert_eq!(by_pawn.contains(square), pawns, "{fen} {square}");
                }
            }
        }
    }

    #[test]
    fn direct_checks_give_check() {
        let mut checks = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/3P4/8/8/2N5/3Q4/R3K3 w Q - 0 1",
            "2b1k3/8/8/8/8/3p3n/8/4K3 b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            for mv in position.legal_moves() {
                let direct = gives_direct_check(&position, mv);
                assert_eq!(direct, position.child(mv).in_check(), "{mv}");
                let kind = position.kind_on(mv.from()).unwrap();
                let square = checking_squares(&position)[kind].contains(mv.to());
                assert_eq!(square, direct, "{mv}");
                checks += usize::from(direct);
            }
        }
        assert!(checks > 3);
    }
}
