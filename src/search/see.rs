//! Static exchange evaluation: what a move wins or loses on its goal square if both sides go on
//! taking there with their least valuable men, and stop when it suits them.

use crate::chess::{Bitboard, Move, MoveFlag, PieceKind, Position, attacks};

/// What a man counts in an exchange, in centipawns. The king can't be taken.
const VALUES: [i32; PieceKind::COUNT] = [100, 300, 300, 500, 900, 0];

/// The value of a kind of man in exchanges.
#[inline(always)]
pub(crate) fn value(kind: PieceKind) -> i32 {
    VALUES[kind]
}

/// What the move wins at once, before any answer.
pub(super) fn gain(position: &Position, mv: Move) -> i32 {
    let taken = match mv.flag() {
        MoveFlag::EnPassant => value(PieceKind::Pawn),
        MoveFlag::Castling => 0,
        _ => position.kind_on(mv.to()).map_or(0, value),
    };
    taken + mv.promoted().map_or(0, |kind| value(kind) - value(PieceKind::Pawn))
}

/// What a pawn gains by taking on the last rank.
const PROMOTION: i32 = VALUES[4] - VALUES[0];

/// Whether a legal move wins at least `threshold` centipawns in the exchange on its goal square.
/// Pins are not looked at.
pub(crate) fn wins_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    // What the side that has just taken is above its goal, if its man is lost then.
    let mut balance = gain(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= mv.promoted().or_else(|| position.kind_on(from)).map_or(0, value);
    let last_rank = Bitboard::BACK_RANKS.contains(to);
    if balance >= 0 && !last_rank {
        return true;
    }
    let us = position.side_to_move();
    let mut occupied = (position.occupied() - from.bitboard()) | to.bitboard();
    if mv.flag() == MoveFlag::EnPassant {
        occupied -= to.offset(-8 * us.sign() as i8).bitboard();
    }
    let diagonal = position.kind(PieceKind::Bishop) | position.kind(PieceKind::Queen);
    let straight = position.kind(PieceKind::Rook) | position.kind(PieceKind::Queen);
    let mut attackers = position.attackers_of_both(to, occupied) & occupied;
    let mut side = !us;
    // The side that does not take any more has lost the exchange.
    loop {
        let ours = attackers & position.side(side);
        let Some(kind) =
            PieceKind::ALL.into_iter().find(|&kind| ours.intersects(position.kind(kind)))
        else {
            break;
        };
        let bonus = if last_rank && kind == PieceKind::Pawn { PROMOTION } else { 0 };
        let unanswered = bonus - balance - 1;
        let king_steps_into_check =
            kind == PieceKind::King && attackers.intersects(position.side(!side));
        if unanswered < 0 || king_steps_into_check {
            break;
        }
        balance = unanswered - value(kind) - bonus;
        side = !side;
        occupied ^= (ours & position.kind(kind)).lowest().bitboard();
        // Sliders behind the taker see the square now.
        if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        attackers &= occupied;
    }
    side != us
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_have_their_known_values() {
        let mut lines = 0;
        for line in include_str!("../../tests/data/see.epd").lines() {
            if line.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let position: Position = fields[0].parse().unwrap();
            let known: i32 = fields[2].parse().unwrap();
            let mv = position
                .legal_moves()
                .into_iter()
                .find(|mv| mv.to_string() == fields[1])
                .unwrap_or_else(|| panic!("{line}: illegal"));
            assert!(wins_at_least(&position, mv, known), "{line}: less");
            assert!(!wins_at_least(&position, mv, known + 1), "{line}: more");
            lines += 1;
        }
        assert_eq!(lines, 75);
    }
}
