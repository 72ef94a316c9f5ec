//! Which men can mate at all.

use super::super::{Bitboard, PieceKind};
use super::Position;

impl<K> Position<K> {
    /// Whether no series of legal moves can mate because of the men alone (RULES 2.4): bare
    /// kings, one knight or one bishop beside them, or any bishops of one colour of square.
    ///
    /// ```
    /// use qishou::chess::Position;
    /// let knight: Position = "4k3/8/8/8/8/8/8/4KN2 w - - 0 1".parse()?;
    /// assert!(knight.is_insufficient_material());
    /// let knights: Position = "4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1".parse()?;
    /// assert!(!knights.is_insufficient_material(), "mate is possible with help");
    /// # Ok::<(), qishou::chess::FenError>(())
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        let bishops = self.kind(PieceKind::Bishop);
        let others = self.occupied() - self.kind(PieceKind::King) - bishops;
        if others.is_empty() {
            return (bishops & Bitboard::LIGHT).is_empty()
                || (bishops - Bitboard::LIGHT).is_empty();
        }
        bishops.is_empty() && !others.many() && others == self.kind(PieceKind::Knight)
    }
}
