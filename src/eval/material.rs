//! Material that can't win against good defence, whatever the evaluation says of it.

use crate::chess::{PieceKind, Position};

/// Whether the board holds two knights and the kings alone. A mate exists, so the position is not
/// dead, but none can be forced.
#[inline]
pub(super) fn is_two_knights_ending(position: &Position) -> bool {
    position.occupied().len() == 4
        && (position.kind(PieceKind::Knight) | position.kind(PieceKind::King))
            == position.occupied()
}

/// What is left of an evaluation of such an ending: enough to keep the knights.
pub(super) const fn damped(evaluation: i32) -> i32 {
    evaluation / 16
}

#[cfg(test)]
mod tests {
    use super::super::Evaluator;
    use super::*;

    #[test]
    fn two_knights_alone_are_worth_almost_nothing() {
        for (fen, ending) in [
            ("8/8/4k3/8/8/3NK3/4N3/8 w - - 0 1", true),
            ("8/8/4k3/4n3/8/3NK3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3NK3/4B3/8 w - - 0 1", false),
            ("8/8/4kp2/8/8/3NK3/4N3/8 w - - 0 1", false),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(is_two_knights_ending(&position), ending, "{fen}");
            let mut evaluator = Evaluator::default();
            evaluator.reset(&position);
            assert_eq!(evaluator.evaluate(&position).abs() < 60, ending, "{fen}");
        }
    }
}
