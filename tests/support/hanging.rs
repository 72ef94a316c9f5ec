//! Men left hanging, found without the engine: by following captures to their end.

use qishou::chess::{Move, MoveFlag, Piece, PieceKind, Position};

fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight | PieceKind::Bishop => 300,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 0,
    }
}

/// What a move takes, and what a promotion adds.
fn gain(position: &Position, mv: Move) -> i32 {
    let taken = match mv.flag() {
        MoveFlag::EnPassant => 100,
        MoveFlag::Castling => 0,
        _ => position.piece_on(mv.to()).map_or(0, |Piece { kind, .. }| worth(kind)),
    };
    taken + mv.promoted().map_or(0, |kind| worth(kind) - 100)
}

/// What the side to move wins by captures alone, if both sides may stop when they like.
fn captures(position: &Position, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    alpha = alpha.max(0);
    if alpha >= beta || depth == 0 {
        return alpha;
    }
    let mut moves: Vec<(i32, Move)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| (gain(position, mv), mv))
        .filter(|&(gain, _)| gain > 0)
        .collect();
    moves.sort_by_key(|&(gain, _)| -gain);
    for (gain, mv) in moves {
        let worth = gain - captures(&position.child(mv), gain - beta, gain - alpha, depth - 1);
        alpha = alpha.max(worth);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// What a move is worth if the opponent then takes what hangs: what it takes less that.
pub(crate) fn balance(position: &Position, mv: Move) -> (i32, i32) {
    let lost = captures(&position.child(mv), 0, 10_000, 8);
    (gain(position, mv) - lost, lost)
}

/// Whether a move leaves a piece (at least a knight for a pawn) hanging although another move leaves
/// nothing hanging. None where every move loses one.
pub(crate) fn hangs_a_piece(position: &Position, mv: Move) -> Option<bool> {
    const PIECE: i32 = 200;
    let (own, lost) = balance(position, mv);
    if own > -PIECE {
        return Some(false);
    }
    let best = position.legal_moves().into_iter().map(|other| balance(position, other).0).max()?;
    (best > -PIECE).then_some(lost >= PIECE && best - own >= PIECE)
}
