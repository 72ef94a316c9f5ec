//! Making moves, and telling an observer what changed on the board.
//!
//! Positions are copied before a move is made: a copy of this size costs less than keeping and
//! restoring what unmaking would need (`docs/architecture.md` has the measurement).

use super::super::zobrist::KeySet;
use super::super::{
    Bitboard, BlackSide, Color, File, Move, MoveFlag, Piece, PieceKind, Side, Square, WhiteSide,
    attacks,
};
use super::Position;

/// Hears which men leave and enter which squares when a move is made.
///
/// Castling removes two and adds two, a capture removes two and adds one, a promotion removes the
/// pawn and adds the piece. `()` hears nothing and costs nothing.
pub trait Observer {
    /// Whether anything is heard, so that the work of finding out can be left away.
    const LISTENS: bool;
    /// A man leaves a square.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A man enters a square.
    fn added(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    const LISTENS: bool = false;
    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}
}

/// Where king and rook arrive when castling (RULES 1.8; Chess960: the same squares).
#[inline(always)]
pub(crate) const fn castling_targets(color: Color, king: Square, rook: Square) -> (Square, Square) {
    let rank = color.home_rank();
    if rook as u8 > king as u8 {
        (Square::new(File::G, rank), Square::new(File::F, rank))
    } else {
        (Square::new(File::C, rank), Square::new(File::D, rank))
    }
}

impl<K: KeySet> Position<K> {
    /// The position after a legal move.
    ///
    /// ```
    /// use qishou::chess::{Move, Position, Square};
    /// let after = Position::startpos().child(Move::normal(Square::E2, Square::E4));
    /// assert!(after.piece_on(Square::E4).is_some());
    /// ```
    #[must_use]
    #[inline]
    pub fn child(&self, mv: Move) -> Self {
        self.child_with(mv, &mut ())
    }

    /// The position after a legal move, with a report of what changed.
    #[must_use]
    #[inline]
    pub fn child_with<O: Observer>(&self, mv: Move, observer: &mut O) -> Self {
        debug_assert!(self.is_legal(mv), "{mv} in\n{self:?}");
        let child = match self.side_to_move {
            Color::White => self.after::<WhiteSide, O>(mv, observer),
            Color::Black => self.after::<BlackSide, O>(mv, observer),
        };
        debug_assert_eq!(child.keys, child.recomputed_keys());
        child
    }

    /// Makes a move that the caller knows to be legal.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        *self = self.child(mv);
    }

    /// Makes a move that the caller knows to be legal and reports what changed.
    #[inline]
    pub fn play_with<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        *self = self.child_with(mv, observer);
    }

    /// Makes a move if it is legal; otherwise changes nothing and says so.
    #[must_use]
    pub fn try_play(&mut self, mv: Move) -> bool {
        let legal = self.is_legal(mv);
        if legal {
            self.play(mv);
        }
        legal
    }

    /// Passes: the other side is to move. Only out of check.
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        if let Some(square) = self.en_passant.take() {
            self.keys.toggle_en_passant(square.file());
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match self.side_to_move {
            Color::White => self.pass_turn::<WhiteSide>(true, Bitboard::EMPTY),
            Color::Black => self.pass_turn::<BlackSide>(true, Bitboard::EMPTY),
        }
    }

    #[inline(always)]
    fn after<S: Side, O: Observer>(&self, mv: Move, observer: &mut O) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let mut next = match mv.flag() {
            MoveFlag::Normal => match self.kind_on_taken(from) {
                // Its own copy of the text: what a pawn does beyond moving costs the others nothing.
                PieceKind::Pawn => {
                    self.after_step::<S, O>(PieceKind::Pawn, from, to, false, observer)
                }
                kind => self.after_step::<S, O>(kind, from, to, false, observer),
            },
            MoveFlag::Promotion => {
                let kind = mv.promoted().unwrap_or(PieceKind::Queen);
                self.after_promotion::<S, O>(from, to, kind, false, observer)
            }
            MoveFlag::EnPassant => self.after_en_passant::<S, O>(from, to, false, observer),
            MoveFlag::Castling => self.after_castling::<S, O>(from, to, false, observer),
        };
        // Once for all kinds of moves: the text of a search has to fit the instruction cache.
        next.find_all_checks_and_pins::<S::Them>();
        next
    }

    /// After a move of a man that stays what it is: a step or a capture.
    ///
    /// Here and below, without `find_checks` the checkers and pins are left empty: for a caller
    /// that finds them itself, if at all.
    #[inline(always)]
    pub(crate) fn after_step<S: Side, O: Observer>(
        &self,
        kind: PieceKind,
        from: Square,
        to: Square,
        find_checks: bool,
        observer: &mut O,
    ) -> Self {
        let mut next = self.relocated::<S, O>(kind, kind, from, to, observer);
        if kind == PieceKind::King {
            next.drop_castling(Bitboard::rank(S::COLOR.home_rank()) & next.castling_rooks);
        }
        next.pass_turn::<S>(find_checks, next.leaper_check::<S>(kind, to));
        if kind == PieceKind::Pawn && (from as u8).abs_diff(to as u8) == 16 {
            let behind = from.offset(S::FORWARD);
            let pawns = next.pieces(PieceKind::Pawn, !S::COLOR);
            // A copy goes to the test, so that `next` itself can stay in registers.
            if (attacks::pawn(S::COLOR, behind) & pawns).any() && { next }
                .en_passant_answers::<S>(behind, to)
            {
                next.en_passant = Some(behind);
                next.keys.toggle_en_passant(behind.file());
            }
        }
        next
    }

    /// After a pawn has reached the last rank and become something else (RULES 1.7).
    #[inline(always)]
    pub(crate) fn after_promotion<S: Side, O: Observer>(
        &self,
        from: Square,
        to: Square,
        kind: PieceKind,
        find_checks: bool,
        observer: &mut O,
    ) -> Self {
        let mut next = self.relocated::<S, O>(PieceKind::Pawn, kind, from, to, observer);
        next.pass_turn::<S>(find_checks, next.leaper_check::<S>(kind, to));
        next
    }

    /// After a pawn has taken the one that had just passed it.
    #[inline(always)]
    pub(crate) fn after_en_passant<S: Side, O: Observer>(
        &self,
        from: Square,
        to: Square,
        find_checks: bool,
        observer: &mut O,
    ) -> Self {
        let taken = to.offset(-S::FORWARD);
        let pawn = Piece::new(PieceKind::Pawn, !S::COLOR);
        let mut next = self.relocated::<S, O>(PieceKind::Pawn, PieceKind::Pawn, from, to, observer);
        next.colors[!S::COLOR] -= taken.bitboard();
        next.kinds[PieceKind::Pawn] -= taken.bitboard();
        next.keys.toggle_man(pawn, taken);
        observer.removed(pawn, taken);
        next.pass_turn::<S>(find_checks, next.leaper_check::<S>(PieceKind::Pawn, to));
        next
    }

    /// After the king has castled with the rook on `rook`.
    #[inline(always)]
    pub(crate) fn after_castling<S: Side, O: Observer>(
        &self,
        king: Square,
        rook: Square,
        find_checks: bool,
        observer: &mut O,
    ) -> Self {
        let mut next = *self;
        let (king_to, rook_to) = castling_targets(S::COLOR, king, rook);
        if let Some(square) = next.en_passant.take() {
            next.keys.toggle_en_passant(square.file());
        }
        for (kind, from, to) in [(PieceKind::King, king, king_to), (PieceKind::Rook, rook, rook_to)]
        {
            let piece = Piece::new(kind, S::COLOR);
            next.keys.toggle_man(piece, from);
            next.keys.toggle_man(piece, to);
            observer.removed(piece, from);
            observer.added(piece, to);
        }
        let (king, king_to) = (king.bitboard(), king_to.bitboard());
        let (rook, rook_to) = (rook.bitboard(), rook_to.bitboard());
        next.kinds[PieceKind::King] = next.kinds[PieceKind::King] - king | king_to;
        next.kinds[PieceKind::Rook] = next.kinds[PieceKind::Rook] - rook | rook_to;
        let ours = &mut next.colors[S::COLOR];
        *ours = *ours - king - rook | king_to | rook_to;
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.drop_castling(Bitboard::rank(S::COLOR.home_rank()) & next.castling_rooks);
        next.pass_turn::<S>(find_checks, Bitboard::EMPTY);
        next
    }

    /// With a man moved and what stood on `to` taken; clocks and castling rights kept; the turn
    /// not yet passed.
    #[inline(always)]
    fn relocated<S: Side, O: Observer>(
        &self,
        kind: PieceKind,
        becomes: PieceKind,
        from: Square,
        to: Square,
        observer: &mut O,
    ) -> Self {
        let (from_bit, to_bit) = (from.bitboard(), to.bitboard());
        let both = from_bit | to_bit;
        let captures = self.colors[!S::COLOR].intersects(to_bit);
        // Built as a new value rather than changed in place: a copy that is then changed in parts
        // makes the CPU wait when the parts are read back as vectors. Clearing every kind is
        // branch-free; which kind was taken does not matter.
        let mut next = Self {
            kinds: self.kinds.map(|squares| squares - both),
            colors: self.colors,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling_rooks: self.castling_rooks,
            keys: self.keys,
            halfmove_clock: if captures || kind == PieceKind::Pawn {
                0
            } else {
                self.halfmove_clock.saturating_add(1)
            },
            fullmove_number: self.fullmove_number,
            side_to_move: self.side_to_move,
            en_passant: None,
        };
        next.kinds[becomes] |= to_bit;
        next.colors[S::COLOR] ^= both;
        next.colors[!S::COLOR] -= to_bit;
        if K::TRACKED
            && let Some(square) = self.en_passant
        {
            next.keys.toggle_en_passant(square.file());
        }
        if (K::TRACKED || O::LISTENS) && captures {
            let taken = Piece::new(self.kind_on_taken(to), !S::COLOR);
            next.keys.toggle_man(taken, to);
            observer.removed(taken, to);
        }
        let (leaves, arrives) = (Piece::new(kind, S::COLOR), Piece::new(becomes, S::COLOR));
        next.keys.toggle_man(leaves, from);
        next.keys.toggle_man(arrives, to);
        observer.removed(leaves, from);
        observer.added(arrives, to);
        next.drop_castling(both & self.castling_rooks);
        next
    }

    #[inline(always)]
    fn drop_castling(&mut self, lost: Bitboard) {
        if K::TRACKED {
            for rook in lost {
                self.keys.toggle_castling(rook);
            }
        }
        self.castling_rooks ^= lost;
    }

    /// The check that a pawn or knight of `S` gives from `to`; sliders are found by their lines.
    #[inline(always)]
    fn leaper_check<S: Side>(&self, kind: PieceKind, to: Square) -> Bitboard {
        let attacked = match kind {
            PieceKind::Pawn => attacks::pawn(S::COLOR, to),
            PieceKind::Knight => attacks::knight(to),
            _ => Bitboard::EMPTY,
        };
        let check = attacked.intersects(self.pieces(PieceKind::King, !S::COLOR));
        if check { to.bitboard() } else { Bitboard::EMPTY }
    }

    #[inline(always)]
    fn pass_turn<S: Side>(&mut self, find_checks: bool, leaper_checks: Bitboard) {
        self.keys.toggle_side();
        self.side_to_move = !S::COLOR;
        if S::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        if find_checks {
            self.find_checks_and_pins::<S::Them>(leaper_checks);
        }
    }

    /// `S` has made a double step past `behind`: whether a legal en-passant capture answers.
    #[cold]
    #[inline(never)]
    fn en_passant_answers<S: Side>(&self, behind: Square, pawn: Square) -> bool {
        let them = !S::COLOR;
        let capturers = attacks::pawn(S::COLOR, behind) & self.pieces(PieceKind::Pawn, them);
        self.some_en_passant_is_legal(them, capturers, behind, pawn)
    }
}

impl<K> Position<K> {
    /// Whether one of the `capturers` of side `us` may take the pawn on `taken` by moving to `to`.
    pub(crate) fn some_en_passant_is_legal(
        &self,
        us: Color,
        capturers: Bitboard,
        to: Square,
        taken: Square,
    ) -> bool {
        capturers.into_iter().any(|from| self.en_passant_leaves_king_safe(us, from, to, taken))
    }

    /// Whether the king of `us` is not attacked after an en-passant capture. Looks at the board
    /// after the move, since the capture opens two lines at once.
    pub(crate) fn en_passant_leaves_king_safe(
        &self,
        us: Color,
        from: Square,
        to: Square,
        taken: Square,
    ) -> bool {
        let occupied = (self.occupied() ^ from.bitboard() ^ taken.bitboard()) | to.bitboard();
        (self.attackers(self.king(us), !us, occupied) - taken.bitboard()).is_empty()
    }
}
