//! A chess position: what stands where, whose move it is, and which rights are left.
//!
//! A [`Position`] is always legal once it exists: it can only be made from a
//! [`Setup`](super::Setup) that has been judged, or by playing legal moves. It is copied to make a
//! move (copy-make) and knows nothing of its past; [`Game`](super::Game) does.

use std::fmt;

use super::zobrist::{self, KeySet};
use super::{
    Bitboard, Color, File, Key, Keys, Move, Piece, PieceKind, Rank, Side, Square, attacks,
};

mod judge;
mod legality;
mod make;
mod material;

pub use make::Observer;
pub(crate) use make::castling_targets;

/// A legal position.
///
/// `K` is what is kept about its identity: [`Keys`] for play, `()` for counting moves.
///
/// ```
/// use qishou::chess::{Color, Position, Square};
/// let position = Position::startpos();
/// assert_eq!(position.side_to_move(), Color::White);
/// assert_eq!(position.king(Color::Black), Square::E8);
/// assert_eq!(position.legal_moves().len(), 20);
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Position<K = Keys> {
    kinds: [Bitboard; PieceKind::COUNT],
    colors: [Bitboard; Color::COUNT],
    checkers: Bitboard,
    pinned: Bitboard,
    /// The rooks that may still castle. A right is lost with any move from or to its square.
    castling_rooks: Bitboard,
    keys: K,
    halfmove_clock: u16,
    fullmove_number: u16,
    side_to_move: Color,
    /// Set only if a legal en-passant capture exists.
    en_passant: Option<Square>,
}

impl<K> Position<K> {
    /// Whose move it is.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// All taken squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The men of one side.
    #[inline(always)]
    pub fn side(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The men of one kind, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind]
    }

    /// The men of one kind and side.
    #[inline(always)]
    pub fn pieces(&self, kind: PieceKind, color: Color) -> Bitboard {
        self.kinds[kind] & self.colors[color]
    }

    /// Rooks and queens of one side.
    #[inline(always)]
    pub fn rooks_and_queens(&self, color: Color) -> Bitboard {
        (self.kinds[PieceKind::Rook] | self.kinds[PieceKind::Queen]) & self.colors[color]
    }

    /// Bishops and queens of one side.
    #[inline(always)]
    pub fn bishops_and_queens(&self, color: Color) -> Bitboard {
        (self.kinds[PieceKind::Bishop] | self.kinds[PieceKind::Queen]) & self.colors[color]
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(PieceKind::King, color).lowest()
    }

    /// The kind of man on a square, if any.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<PieceKind> {
        if !self.occupied().contains(square) {
            return None;
        }
        Some(self.kind_on_taken(square))
    }

    /// The kind of man on a square that is known to be taken (the king's if it is not). Without a
    /// branch, since which man it is can't be predicted.
    #[inline(always)]
    pub(crate) fn kind_on_taken(&self, square: Square) -> PieceKind {
        let bit = |kind: PieceKind| (self.kinds[kind].0 >> square as u8 & 1) as usize;
        let [pawn, knight, bishop, rook, queen] = [
            bit(PieceKind::Pawn),
            bit(PieceKind::Knight),
            bit(PieceKind::Bishop),
            bit(PieceKind::Rook),
            bit(PieceKind::Queen),
        ];
        PieceKind::from_index(5 - 5 * pawn - 4 * knight - 3 * bishop - 2 * rook - queen)
    }

    /// The man on a square, if any.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_on(square)?;
        let color =
            if self.colors[Color::White].contains(square) { Color::White } else { Color::Black };
        Some(Piece { kind, color })
    }

    /// All men with their squares.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| self.piece_on(square).map(|piece| (square, piece)))
    }

    /// The men that give check to the side to move: two at most.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The men of the side to move that may not leave the line to their king.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The square behind a pawn that has just made a double step, if a legal en-passant capture
    /// exists (RULES 1.6).
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The rooks that may still castle, of both sides (RULES 1.8).
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The rook `color` may still castle with on the king's (`true`) or queen's side.
    pub fn castling_rook(&self, color: Color, king_side: bool) -> Option<Square> {
        let king = self.king(color);
        (self.castling_rooks & self.colors[color])
            .into_iter()
            .find(|rook| (rook.file() > king.file()) == king_side)
    }

    /// Plies since the last capture or pawn move (RULES 2.7).
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock as u32
    }

    /// The number of the move to come, starting at 1.
    #[inline(always)]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number as u32
    }

    /// Whether `color` has anything besides king and pawns.
    #[inline(always)]
    pub fn has_pieces(&self, color: Color) -> bool {
        self.knights_to_queens(color).any()
    }

    /// What `color` has besides king and pawns.
    #[inline(always)]
    pub fn knights_to_queens(&self, color: Color) -> Bitboard {
        self.colors[color] - self.kinds[PieceKind::Pawn] - self.kinds[PieceKind::King]
    }

    /// The men of `color` that attack a square, with the given squares taken.
    #[inline(always)]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        self.attackers_of_both(square, occupied) & self.colors[color]
    }

    /// The men of both sides that attack a square, with the given squares taken.
    #[inline(always)]
    pub fn attackers_of_both(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        attacks::pawn(Color::Black, square) & pawns & self.colors[Color::White]
            | attacks::pawn(Color::White, square) & pawns & self.colors[Color::Black]
            | attacks::knight(square) & knights
            | attacks::king(square) & kings
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens)
    }

    /// Whether `color` attacks a square, with the given squares taken.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        let of = |kind: PieceKind| self.kinds[kind] & self.colors[color];
        attacks::knight(square).intersects(of(PieceKind::Knight))
            || attacks::pawn(!color, square).intersects(of(PieceKind::Pawn))
            || attacks::bishop(square, occupied).intersects(self.bishops_and_queens(color))
            || attacks::rook(square, occupied).intersects(self.rooks_and_queens(color))
            || attacks::king(square).intersects(of(PieceKind::King))
    }

    /// Sets `checkers` and `pinned` for the side to move `S`.
    #[inline(always)]
    pub(crate) fn find_all_checks_and_pins<S: Side>(&mut self) {
        let king = self.king(S::COLOR);
        let knights = attacks::knight(king) & self.pieces(PieceKind::Knight, !S::COLOR);
        let pawns = attacks::pawn(S::COLOR, king) & self.pieces(PieceKind::Pawn, !S::COLOR);
        self.find_checks_and_pins::<S>(knights | pawns);
    }

    /// Sets `checkers` and `pinned` for the side to move `S`, given the checks its king gets from
    /// pawns and knights.
    #[inline(always)]
    fn find_checks_and_pins<S: Side>(&mut self, leaper_checks: Bitboard) {
        let king = self.king(S::COLOR);
        let (ours, theirs) = (self.colors[S::COLOR], self.colors[!S::COLOR]);
        self.checkers = leaper_checks;
        self.pinned = Bitboard::EMPTY;
        // Sliders that would see the king if it had no men of its own.
        let snipers = attacks::rook(king, theirs) & self.rooks_and_queens(!S::COLOR)
            | attacks::bishop(king, theirs) & self.bishops_and_queens(!S::COLOR);
        for sniper in snipers {
            let shields = attacks::between(king, sniper) & ours;
            if shields.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !shields.many() {
                self.pinned |= shields;
            }
        }
    }
}

impl Position {
    /// The initial position of standard chess.
    #[expect(clippy::missing_panics_doc, reason = "a fixed text that tests parse")]
    pub fn startpos() -> Self {
        super::fen::STARTPOS.parse().expect("the initial position is legal")
    }

    /// All Zobrist keys.
    #[inline(always)]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key under which positions are the same (RULES 2.6).
    #[inline(always)]
    pub const fn key(&self) -> Key {
        self.keys.full
    }

    /// The key after a legal move, found without making it: to have a table's memory fetched in
    /// time. Only plain moves and captures that change no castling right and open no en-passant
    /// capture have the key they are told to have.
    #[cfg_attr(
        not(feature = "engine"),
        expect(dead_code, reason = "the rules alone have no table")
    )]
    #[inline(always)]
    pub(crate) fn likely_key_after(&self, mv: Move) -> Key {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let man = |kind, color, square| zobrist::man(Piece::new(kind, color), square);
        let kind = self.kind_on_taken(from);
        let mut key = self.keys.full
            ^ zobrist::black_to_move()
            ^ man(kind, us, from)
            ^ man(mv.promoted().unwrap_or(kind), us, to);
        if let Some(taken) = self.kind_on(to) {
            key ^= man(taken, !us, to);
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        key
    }

    /// The same position without keys, for counting moves.
    pub fn without_keys(&self) -> Position<()> {
        let Self { kinds, colors, checkers, pinned, castling_rooks, .. } = *self;
        Position {
            kinds,
            colors,
            checkers,
            pinned,
            castling_rooks,
            keys: (),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            side_to_move: self.side_to_move,
            en_passant: self.en_passant,
        }
    }
}

impl<K: KeySet> Position<K> {
    /// The keys computed from nothing: what the incremental ones must equal.
    pub fn recomputed_keys(&self) -> K {
        let mut keys = K::default();
        for (square, piece) in self.men() {
            keys.toggle_man(piece, square);
        }
        for rook in self.castling_rooks {
            keys.toggle_castling(rook);
        }
        if let Some(square) = self.en_passant {
            keys.toggle_en_passant(square.file());
        }
        if self.side_to_move == Color::Black {
            keys.toggle_side();
        }
        keys
    }
}

/// The board as text, the eighth rank first, with what else belongs to the position below.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = " +---+---+---+---+---+---+---+---+";
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f, "{LINE}")?;
            for file in File::ALL {
                let letter = self.piece_on(Square::new(file, rank)).map_or(' ', Piece::letter);
                write!(f, " | {letter}")?;
            }
            writeln!(f, " | {}", rank.digit())?;
        }
        writeln!(f, "{LINE}")?;
        writeln!(f, "   a   b   c   d   e   f   g   h\n")?;
        writeln!(f, "Fen: {}", super::fen::Fen::of(self))?;
        writeln!(f, "Key: {:016X}", self.key())?;
        write!(f, "Checkers:")?;
        for square in self.checkers {
            write!(f, " {square}")?;
        }
        Ok(())
    }
}

impl<K> fmt::Debug for Position<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let letter = self.piece_on(Square::new(file, rank)).map_or('.', Piece::letter);
                write!(f, "{letter}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{:?} to move, castling {:?}", self.side_to_move, self.castling_rooks)
    }
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use super::*;

    #[test]
    fn the_likely_key_is_the_key_but_where_rights_change() {
        let mut alike = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
        ] {
            let position: Position = fen.parse().unwrap();
            for mv in position.legal_moves() {
                let child = position.child(mv);
                let plain = !mv.is_castling()
                    && mv.flag() != super::super::MoveFlag::EnPassant
                    && child.en_passant.is_none()
                    && child.castling_rooks == position.castling_rooks;
                if plain {
                    assert_eq!(position.likely_key_after(mv), child.key(), "{fen} {mv}");
                    alike += 1;
                }
            }
        }
        assert!(alike > 60, "{alike}");
    }
}
