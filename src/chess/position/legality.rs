//! Whether a move from a table or from a user may be made here.

use super::super::movegen::castling_is_legal;
use super::super::{Bitboard, Move, MoveFlag, PieceKind, Rank, Square, attacks};
use super::Position;

impl<K> Position<K> {
    /// Whether the move follows the way the man moves and every special rule, but for what it
    /// leaves of the own king's safety. Any 16 bits may be asked.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let position = Position::startpos();
    /// assert!(position.is_pseudo_legal(Move::normal(Square::B1, Square::C3)));
    /// assert!(!position.is_pseudo_legal(Move::normal(Square::B1, Square::B3)));
    /// ```
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        if !self.colors[us].contains(from) {
            return false;
        }
        let kind = self.kind_on_taken(from);
        match mv.flag() {
            MoveFlag::Castling => {
                mv == Move::castling(from, to)
                    && kind == PieceKind::King
                    && (self.castling_rooks & self.colors[us]).contains(to)
            }
            MoveFlag::EnPassant => {
                mv == Move::en_passant(from, to)
                    && kind == PieceKind::Pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn(us, from).contains(to)
            }
            MoveFlag::Promotion => {
                kind == PieceKind::Pawn
                    && to.rank().relative_to(us) == Rank::Eighth
                    && self.pawn_reaches(from, to)
            }
            MoveFlag::Normal => {
                mv == Move::normal(from, to)
                    && !self.colors[us].contains(to)
                    && if kind == PieceKind::Pawn {
                        to.rank().relative_to(us) != Rank::Eighth && self.pawn_reaches(from, to)
                    } else {
                        attacks::piece(kind, from, self.occupied()).contains(to)
                    }
            }
        }
    }

    /// Whether a plain step or capture takes a pawn of the side to move there.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let occupied = self.occupied();
        if attacks::pawn(us, from).contains(to) {
            return self.colors[!us].contains(to);
        }
        let forward = 8 * us.sign() as i8;
        let one = from.offset(forward);
        if occupied.contains(one) {
            return false;
        }
        to == one
            || from.rank().relative_to(us) == Rank::Second
                && to == one.offset(forward)
                && !occupied.contains(to)
    }

    /// Whether the move is legal. Any 16 bits may be asked.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let position: Position = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1".parse()?;
    /// assert!(!position.is_legal(Move::normal(Square::E2, Square::C3)), "the knight is pinned");
    /// # Ok::<(), qishou::chess::FenError>(())
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv)
    }

    /// Whether a pseudo-legal move leaves the own king unattacked.
    fn leaves_king_safe(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(us);
        match mv.flag() {
            MoveFlag::Castling => castling_is_legal(self, us, to),
            MoveFlag::EnPassant => {
                let taken = to.offset(-8 * us.sign() as i8);
                self.en_passant_leaves_king_safe(us, from, to, taken)
            }
            _ if from == king => !self.is_attacked(to, !us, self.occupied() ^ king.bitboard()),
            _ => {
                (!self.pinned.contains(from) || attacks::line(king, from).contains(to))
                    && self.check_targets().contains(to)
            }
        }
    }

    /// The squares to which a man other than the king may go as far as checks are concerned: all
    /// without a check, the checker and the squares before it in a single check, none in a double
    /// check (RULES 1.10).
    #[inline(always)]
    pub(crate) fn check_targets(&self) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if self.checkers.many() => Bitboard::EMPTY,
            Some(checker) => {
                attacks::between(self.king(self.side_to_move), checker) | self.checkers
            }
        }
    }
}
