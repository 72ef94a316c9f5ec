//! Making moves, and telling an observer what changed on the board.
//!
//! Positions are copied before a move is made: a copy of this size costs less than keeping and
//! restoring what unmaking would need (`docs/architecture.md` has the measurement).

use super::super::zobrist::KeySet;
use super::super::{
    Bitboard, BlackSide, Color, File, Move, MoveFlag, Piece, PieceKind, Rank, Side, Square,
    WhiteSide, attacks,
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
        let mut child = *self;
        child.play(mv);
        child
    }

    /// Makes a move that the caller knows to be legal.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_with(mv, &mut ());
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

    /// Makes a move that the caller knows to be legal and reports what changed.
    #[inline]
    pub fn play_with<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv} in\n{self:?}");
        match self.side_to_move {
            Color::White => self.play_as::<WhiteSide, O>(mv, observer),
            Color::Black => self.play_as::<BlackSide, O>(mv, observer),
        }
        debug_assert_eq!(self.keys, self.recomputed_keys());
    }

    #[inline(always)]
    fn play_as<S: Side, O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let (from, to) = (mv.from(), mv.to());
        match mv.flag() {
            MoveFlag::Normal => {
                // One copy of the text for each kind: what a pawn or a king does beyond moving
                // costs the others nothing.
                match self.kind_on_taken(from) {
                    PieceKind::Pawn => self.step::<S, O>(PieceKind::Pawn, from, to, observer),
                    PieceKind::King => self.step::<S, O>(PieceKind::King, from, to, observer),
                    kind => self.step::<S, O>(kind, from, to, observer),
                }
            }
            MoveFlag::Promotion => {
                let kind = mv.promoted().unwrap_or(PieceKind::Queen);
                self.promote::<S, O>(from, to, kind, observer);
            }
            MoveFlag::EnPassant => self.capture_en_passant::<S, O>(from, to, observer),
            MoveFlag::Castling => self.castle::<S, O>(from, to, observer),
        }
    }

    /// Passes: the other side is to move. Only out of check.
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match self.side_to_move {
            Color::White => self.pass_turn::<WhiteSide>(Bitboard::EMPTY),
            Color::Black => self.pass_turn::<BlackSide>(Bitboard::EMPTY),
        }
    }

    /// A move of a man that stays what it is: a step or a capture.
    #[inline(always)]
    pub(crate) fn step<S: Side, O: Observer>(
        &mut self,
        kind: PieceKind,
        from: Square,
        to: Square,
        observer: &mut O,
    ) {
        self.relocate::<S, O>(kind, kind, from, to, observer);
        if kind == PieceKind::King {
            let home = Bitboard::rank(S::COLOR.home_rank());
            self.drop_castling(home & self.castling_rooks);
        }
        let checks = match kind {
            PieceKind::Pawn => attacks::pawn(S::COLOR, to),
            PieceKind::Knight => attacks::knight(to),
            _ => Bitboard::EMPTY,
        };
        let king = self.pieces(PieceKind::King, !S::COLOR);
        let checks = if checks.intersects(king) { to.bitboard() } else { Bitboard::EMPTY };
        self.pass_turn::<S>(checks);
        if kind == PieceKind::Pawn && (from as u8).abs_diff(to as u8) == 16 {
            self.allow_en_passant::<S>(from.offset(S::FORWARD), to);
        }
    }

    /// A pawn reaches the last rank and becomes something else (RULES 1.7).
    #[inline(always)]
    pub(crate) fn promote<S: Side, O: Observer>(
        &mut self,
        from: Square,
        to: Square,
        kind: PieceKind,
        observer: &mut O,
    ) {
        self.relocate::<S, O>(PieceKind::Pawn, kind, from, to, observer);
        let king = self.king(!S::COLOR);
        let knight_check = kind == PieceKind::Knight && attacks::knight(to).contains(king);
        self.pass_turn::<S>(if knight_check { to.bitboard() } else { Bitboard::EMPTY });
    }

    /// A pawn takes the one that has just passed it.
    #[inline(always)]
    pub(crate) fn capture_en_passant<S: Side, O: Observer>(
        &mut self,
        from: Square,
        to: Square,
        observer: &mut O,
    ) {
        let taken = to.offset(-S::FORWARD);
        let pawn = Piece::new(PieceKind::Pawn, !S::COLOR);
        self.colors[!S::COLOR] -= taken.bitboard();
        self.kinds[PieceKind::Pawn] -= taken.bitboard();
        self.keys.toggle_man(pawn, taken);
        observer.removed(pawn, taken);
        self.relocate::<S, O>(PieceKind::Pawn, PieceKind::Pawn, from, to, observer);
        let check = attacks::pawn(S::COLOR, to).contains(self.king(!S::COLOR));
        self.pass_turn::<S>(if check { to.bitboard() } else { Bitboard::EMPTY });
    }

    /// The king castles with the rook on `rook`.
    #[inline(always)]
    pub(crate) fn castle<S: Side, O: Observer>(
        &mut self,
        king: Square,
        rook: Square,
        observer: &mut O,
    ) {
        let (king_to, rook_to) = castling_targets(S::COLOR, king, rook);
        self.clear_en_passant();
        for (kind, from, to) in [(PieceKind::King, king, king_to), (PieceKind::Rook, rook, rook_to)]
        {
            let piece = Piece::new(kind, S::COLOR);
            self.keys.toggle_man(piece, from);
            self.keys.toggle_man(piece, to);
            observer.removed(piece, from);
            observer.added(piece, to);
        }
        let (king, king_to) = (king.bitboard(), king_to.bitboard());
        let (rook, rook_to) = (rook.bitboard(), rook_to.bitboard());
        self.kinds[PieceKind::King] = self.kinds[PieceKind::King] - king | king_to;
        self.kinds[PieceKind::Rook] = self.kinds[PieceKind::Rook] - rook | rook_to;
        let ours = &mut self.colors[S::COLOR];
        *ours = *ours - king - rook | king_to | rook_to;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.drop_castling(Bitboard::rank(S::COLOR.home_rank()) & self.castling_rooks);
        self.pass_turn::<S>(Bitboard::EMPTY);
    }

    /// Moves a man, takes what stands on `to`, and keeps clocks and castling rights.
    #[inline(always)]
    fn relocate<S: Side, O: Observer>(
        &mut self,
        kind: PieceKind,
        becomes: PieceKind,
        from: Square,
        to: Square,
        observer: &mut O,
    ) {
        let (from_bit, to_bit) = (from.bitboard(), to.bitboard());
        self.clear_en_passant();
        let captures = self.colors[!S::COLOR].contains(to);
        if (K::TRACKED || O::LISTENS) && captures {
            let taken = Piece::new(self.kind_on_taken(to), !S::COLOR);
            self.keys.toggle_man(taken, to);
            observer.removed(taken, to);
        }
        self.halfmove_clock = if captures || kind == PieceKind::Pawn {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        // Clearing every kind is branch-free and vectorises; which kind was taken does not matter.
        for squares in &mut self.kinds {
            *squares -= from_bit | to_bit;
        }
        self.kinds[becomes] |= to_bit;
        self.colors[S::COLOR] ^= from_bit | to_bit;
        self.colors[!S::COLOR] -= to_bit;
        self.keys.toggle_man(Piece::new(kind, S::COLOR), from);
        self.keys.toggle_man(Piece::new(becomes, S::COLOR), to);
        observer.removed(Piece::new(kind, S::COLOR), from);
        observer.added(Piece::new(becomes, S::COLOR), to);
        self.drop_castling((from_bit | to_bit) & self.castling_rooks);
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

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if K::TRACKED
            && let Some(square) = self.en_passant
        {
            self.keys.toggle_en_passant(square.file());
        }
        self.en_passant = None;
    }

    #[inline(always)]
    fn pass_turn<S: Side>(&mut self, leaper_checks: Bitboard) {
        self.keys.toggle_side();
        self.side_to_move = !S::COLOR;
        if S::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.find_checks_and_pins::<S::Them>(leaper_checks);
    }

    /// `S` has made a double step past `behind`: notes it if a legal en-passant capture answers.
    #[inline(always)]
    fn allow_en_passant<S: Side>(&mut self, behind: Square, pawn: Square) {
        let them = !S::COLOR;
        let capturers = attacks::pawn(S::COLOR, behind) & self.pieces(PieceKind::Pawn, them);
        if capturers.any() && self.some_en_passant_is_legal(them, capturers, behind, pawn) {
            self.en_passant = Some(behind);
            self.keys.toggle_en_passant(behind.file());
        }
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

    /// The rank on which a pawn of `color` stands after a double step.
    pub(crate) const fn double_step_rank(color: Color) -> Rank {
        Rank::Fourth.relative_to(color)
    }
}
