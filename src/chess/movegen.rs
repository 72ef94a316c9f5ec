//! Legal moves, generated set by set, aware of pins and checks.
//!
//! [`Position::visit_moves`] is the one generator. It hands each visitor sets of squares with what
//! moves there, and never writes a move itself; lists, counting, perft and the search's ordering are visitors.

use super::position::castling_targets;
use super::zobrist::KeySet;
use super::{
    Bitboard, BlackSide, Color, Move, MoveList, PieceKind, Position, Rank, Side, Square, WhiteSide,
    attacks,
};

mod count;
#[cfg(target_arch = "x86_64")]
mod flood;
#[cfg(target_arch = "x86_64")]
mod lanes;

pub(crate) use count::Counter;
#[cfg(target_arch = "x86_64")]
pub(crate) use flood::count_by_flood;
#[cfg(target_arch = "x86_64")]
pub(crate) use lanes::{Lanes, Pair, Wide};

/// Receives the legal moves of a position.
pub(crate) trait MoveVisitor<S: Side> {
    /// A man other than a pawn moves from `from` to any of `targets`.
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard);
    /// Pawns step or take to any of `targets`, each from `offset` squares before it.
    fn pawns(&mut self, targets: Bitboard, offset: i8);
    /// The same on the last rank: four moves each.
    fn promotions(&mut self, targets: Bitboard, offset: i8);
    /// An en-passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// Castling with the rook on `rook`.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Writes moves into a list.
struct Lister<'a>(&'a mut MoveList);

impl<S: Side> MoveVisitor<S> for Lister<'_> {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.0.push(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            self.0.push(Move::normal(to.offset(-offset), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                self.0.push(Move::promotion(to.offset(-offset), to, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.0.push(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.0.push(Move::castling(king, rook));
    }
}

/// Calls a function for each move.
struct Caller<F>(F);

impl<S: Side, F: FnMut(Move)> MoveVisitor<S> for Caller<F> {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, from: Square, targets: Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::normal(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        targets.into_iter().for_each(|to| (self.0)(Move::normal(to.offset(-offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                (self.0)(Move::promotion(to.offset(-offset), to, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        (self.0)(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        (self.0)(Move::castling(king, rook));
    }
}

/// The squares the king crosses and arrives on when castling, and those that must be free of men
/// other than king and rook.
#[inline(always)]
fn castling_ways(us: Color, king: Square, rook: Square) -> (Bitboard, Bitboard) {
    let (king_to, rook_to) = castling_targets(us, king, rook);
    let king_way = attacks::between(king, king_to) | king_to.bitboard();
    (king_way, king_way | attacks::between(rook, rook_to) | rook_to.bitboard())
}

/// Whether `us`, not in check and with the right left, may castle with `rook` now: the way is
/// free, the king crosses no attacked square, and none attacks it afterwards. The rook itself may
/// be attacked or cross an attacked square (RULES 1.8).
///
/// In Chess960 the rook may have shielded the king's goal. King and rook leave no man between
/// them, so such a rook is pinned.
#[inline(always)]
pub(crate) fn castling_is_legal<K>(position: &Position<K>, us: Color, rook: Square) -> bool {
    let king = position.king(us);
    let (king_way, way) = castling_ways(us, king, rook);
    let king_bit = king.bitboard();
    let occupied = position.occupied();
    !way.intersects(occupied - king_bit - rook.bitboard())
        && !position.in_check()
        && !position.pinned().contains(rook)
        && !king_way
            .into_iter()
            .any(|square| position.is_attacked(square, !us, occupied ^ king_bit))
}

impl<K> Position<K> {
    /// Shows the visitor every legal move of the side to move `S`: captures, en passants and
    /// promotions if `NOISY`, all others if `QUIET`. `attacked` is what the other side attacks, if
    /// the caller knows, and is not to be told in check: then the king shields squares behind it.
    #[inline(always)]
    pub(crate) fn visit_moves<S: Side, const NOISY: bool, const QUIET: bool, V: MoveVisitor<S>>(
        &self,
        attacked: Option<Bitboard>,
        visitor: &mut V,
    ) {
        let us = S::COLOR;
        let king = self.king(us);
        let occupied = self.occupied();
        let mut allowed = Bitboard::EMPTY;
        if NOISY {
            allowed |= self.side(!us);
        }
        if QUIET {
            allowed |= !occupied;
        }

        let mut steps = attacks::king(king) & allowed;
        if let Some(attacked) = attacked {
            debug_assert!(!self.in_check());
            steps -= attacked;
        } else {
            let without_king = occupied ^ king.bitboard();
            for to in steps {
                if self.is_attacked(to, !us, without_king) {
                    steps -= to.bitboard();
                }
            }
        }
        visitor.piece(PieceKind::King, king, steps);
        if self.checkers().many() {
            return;
        }
        let checks = self.check_targets();
        self.visit_pawns::<S, NOISY, QUIET, V>(checks, visitor);
        self.visit_pieces::<S, V>(allowed & checks, visitor);
        if QUIET && !self.in_check() {
            let rooks = self.castling_rooks() & self.side(us);
            for rook in rooks {
                if castling_is_legal(self, us, rook) {
                    visitor.castling(king, rook);
                }
            }
        }
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    fn visit_pieces<S: Side, V: MoveVisitor<S>>(&self, targets: Bitboard, visitor: &mut V) {
        let us = S::COLOR;
        let king = self.king(us);
        let occupied = self.occupied();
        let free = self.side(us) - self.pinned();
        for from in self.kind(PieceKind::Knight) & free {
            visitor.piece(PieceKind::Knight, from, attacks::knight(from) & targets);
        }
        for from in self.kind(PieceKind::Bishop) & free {
            visitor.piece(PieceKind::Bishop, from, attacks::bishop(from, occupied) & targets);
        }
        for from in self.kind(PieceKind::Rook) & free {
            visitor.piece(PieceKind::Rook, from, attacks::rook(from, occupied) & targets);
        }
        for from in self.kind(PieceKind::Queen) & free {
            visitor.piece(PieceKind::Queen, from, attacks::queen(from, occupied) & targets);
        }
        // A pinned slider stays on the line of its pin; a pinned knight can't move.
        for from in self.pinned() - self.kind(PieceKind::Pawn) - self.kind(PieceKind::Knight) {
            let along = targets & attacks::line(king, from);
            let kind = self.kind_on_taken(from);
            visitor.piece(kind, from, attacks::piece(kind, from, occupied) & along);
        }
    }

    /// Pawn moves, set-wise. A pinned pawn may step if it is pinned on the king's file and take
    /// if it is pinned on the diagonal of the capture: then it stays on the line.
    #[inline(always)]
    fn visit_pawns<S: Side, const NOISY: bool, const QUIET: bool, V: MoveVisitor<S>>(
        &self,
        checks: Bitboard,
        visitor: &mut V,
    ) {
        let sets = PawnSets::of::<S, K>(self, self.pinned(), checks);
        let last = Bitboard::rank(Rank::Eighth.relative_to(S::COLOR));
        if QUIET {
            visitor.pawns(sets.steps - last, S::FORWARD);
            visitor.pawns(sets.double_steps, 2 * S::FORWARD);
        }
        if NOISY {
            visitor.pawns(sets.east - last, S::FORWARD + 1);
            visitor.pawns(sets.west - last, S::FORWARD - 1);
            if ((sets.steps | sets.east | sets.west) & last).any() {
                visitor.promotions(sets.steps & last, S::FORWARD);
                visitor.promotions(sets.east & last, S::FORWARD + 1);
                visitor.promotions(sets.west & last, S::FORWARD - 1);
            }
            if let Some(to) = self.en_passant() {
                let taken = to.offset(-S::FORWARD);
                let pawns = self.pieces(PieceKind::Pawn, S::COLOR);
                for from in attacks::pawn(!S::COLOR, to) & pawns {
                    if self.en_passant_leaves_king_safe(S::COLOR, from, to, taken) {
                        visitor.en_passant(from, to);
                    }
                }
            }
        }
    }
}

/// Where the pawns of one side can go, by direction.
pub(crate) struct PawnSets {
    pub(crate) steps: Bitboard,
    pub(crate) double_steps: Bitboard,
    pub(crate) east: Bitboard,
    pub(crate) west: Bitboard,
}

impl PawnSets {
    #[inline(always)]
    pub(crate) fn of<S: Side, K>(
        position: &Position<K>,
        pinned: Bitboard,
        checks: Bitboard,
    ) -> Self {
        let us = S::COLOR;
        let king = position.king(us);
        let pawns = position.pieces(PieceKind::Pawn, us);
        let (east_line, west_line) = match us {
            Color::White => (attacks::diagonal(king), attacks::antidiagonal(king)),
            Color::Black => (attacks::antidiagonal(king), attacks::diagonal(king)),
        };
        let empty = !position.occupied();
        let enemies = position.side(!us) & checks;
        let steps = S::forward(pawns - (pinned - Bitboard::file(king.file()))) & empty;
        let third = Bitboard::rank(Rank::Third.relative_to(us));
        Self {
            steps: steps & checks,
            double_steps: S::forward(steps & third) & empty & checks,
            east: S::forward(pawns - (pinned - east_line)).east() & enemies,
            west: S::forward(pawns - (pinned - west_line)).west() & enemies,
        }
    }
}

impl<K> Position<K> {
    /// [`Self::visit_moves`] for whichever side is to move.
    #[inline(always)]
    pub(crate) fn visit<const NOISY: bool, const QUIET: bool, V>(&self, visitor: &mut V)
    where
        V: MoveVisitor<WhiteSide> + MoveVisitor<BlackSide>,
    {
        self.visit_with::<NOISY, QUIET, V>(None, visitor);
    }

    /// The same for a caller that may know what the other side attacks.
    #[inline(always)]
    pub(crate) fn visit_with<const NOISY: bool, const QUIET: bool, V>(
        &self,
        attacked: Option<Bitboard>,
        visitor: &mut V,
    ) where
        V: MoveVisitor<WhiteSide> + MoveVisitor<BlackSide>,
    {
        match self.side_to_move() {
            Color::White => self.visit_moves::<WhiteSide, NOISY, QUIET, V>(attacked, visitor),
            Color::Black => self.visit_moves::<BlackSide, NOISY, QUIET, V>(attacked, visitor),
        }
    }
}

impl<K: KeySet> Position<K> {
    /// All legal moves.
    ///
    /// ```
    /// use qishou::chess::Position;
    /// let position: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert!(position.legal_moves().is_empty(), "stalemate");
    /// # Ok::<(), qishou::chess::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.visit::<true, true, _>(&mut Lister(&mut list));
        list
    }

    /// Appends the captures and promotions (en passant among them).
    pub fn add_noisy_moves(&self, list: &mut MoveList) {
        self.visit::<true, false, _>(&mut Lister(list));
    }

    /// Appends the legal moves that neither capture nor promote.
    pub fn add_quiet_moves(&self, list: &mut MoveList) {
        self.visit::<false, true, _>(&mut Lister(list));
    }

    /// Calls `visit` with each legal move; nothing is stored.
    ///
    /// ```
    /// use qishou::chess::Position;
    /// let mut moves = 0;
    /// Position::startpos().for_each_move(|_| moves += 1);
    /// assert_eq!(moves, 20);
    /// ```
    pub fn for_each_move(&self, visit: impl FnMut(Move)) {
        self.visit::<true, true, _>(&mut Caller(visit));
    }

    /// How many legal moves there are, without writing one.
    ///
    /// ```
    /// assert_eq!(qishou::chess::Position::startpos().count_moves(), 20);
    /// ```
    pub fn count_moves(&self) -> u64 {
        let mut counter = Counter::default();
        self.visit::<true, true, _>(&mut counter);
        counter.0
    }

    /// Whether the move captures, en passant included.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.flag() {
            super::MoveFlag::EnPassant => true,
            super::MoveFlag::Castling => false,
            _ => self.side(!self.side_to_move()).contains(mv.to()),
        }
    }

    /// Whether the move captures or promotes: what [`Self::add_noisy_moves`] lists.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.promoted().is_some()
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_moves() > 0
    }
}

/// The square where a castling king arrives, as the standard form of the move is written.
pub(crate) const fn castled_king(color: Color, king: Square, rook: Square) -> Square {
    castling_targets(color, king, rook).0
}
