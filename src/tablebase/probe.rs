//! What the tables know of a position.
//!
//! A table stores what compresses best where a capture decides (a table of distances also where a
//! pawn move wins), and knows nothing of en passant. So captures are looked at first, and the table
//! counts for the other moves. Positions with castling rights are in no table.

use super::material::Material;
use super::table::Distance;
use super::{TableError, Tablebases, Wdl};
use crate::chess::{Move, PieceKind, Position};

/// A value, and whether it is won by a capture, or captures are all there is.
#[derive(Clone, Copy)]
struct Known {
    wdl: Wdl,
    by_capture: bool,
}

/// The distance to zeroing of a position in which a move that zeroes the clock is best.
const fn zeroing_distance(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::CursedWin => 101,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -101,
        Wdl::Loss => -1,
    }
}

/// Whether a move sets the count of the fifty-move rule back.
pub(super) fn is_zeroing(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || position.kind_on(mv.from()) == Some(PieceKind::Pawn)
}

pub(super) fn is_mated(position: &Position) -> bool {
    position.in_check() && !position.has_legal_move()
}

impl Tablebases {
    /// Who wins, if the next capture or pawn move comes in time: positions are judged as if the
    /// fifty-move count had just been set back. None if a table is missing or damaged.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.may_know(position) {
            return None;
        }
        self.look(position).map(|known| known.wdl)
    }

    /// Distance to zeroing: plies to the next capture or pawn move of best play that keeps the
    /// value; positive for who wins, negative for who loses, 0 for a draw. Beyond 100 the
    /// fifty-move rule saves the other side. May be one too small; a mate counts as zeroing.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        if !self.may_know(position) {
            return None;
        }
        self.distance(position, true)
    }

    fn may_know(&self, position: &Position) -> bool {
        position.occupied().len() as usize <= self.most_men && position.castling_rooks().is_empty()
    }

    /// The value of a position.
    fn look(&self, position: &Position) -> Option<Known> {
        let moves = position.legal_moves();
        let mut best: Option<Wdl> = None;
        let mut captures = 0;
        for &mv in moves.iter().filter(|&&mv| position.is_capture(mv)) {
            captures += 1;
            let wdl = -self.look(&position.child(mv))?.wdl;
            if wdl == Wdl::Win {
                return Some(Known { wdl, by_capture: true });
            }
            best = best.max(Some(wdl));
        }
        // The table may think of a stalemate where only en passant is left: it is not asked.
        if let Some(wdl) = best.filter(|_| captures == moves.len()) {
            return Some(Known { wdl, by_capture: true });
        }
        let stored = self.stored(position)?;
        match best.filter(|&best| best >= stored) {
            Some(wdl) => Some(Known { wdl, by_capture: wdl > Wdl::Draw }),
            None => Some(Known { wdl: stored, by_capture: false }),
        }
    }

    /// What the table of a position's men says.
    fn stored(&self, position: &Position) -> Option<Wdl> {
        let material = Material::of(position);
        if material == Material::KINGS {
            return Some(Wdl::Draw);
        }
        let file = &self.pair(material)?.wdl;
        let opened = file.open(|error| self.complain(error))?;
        match opened.table.wdl(opened.bytes(), position) {
            Ok(wdl) => Some(wdl),
            Err(damage) => {
                file.give_up(damage).into_iter().for_each(|error| self.complain(error));
                None
            }
        }
    }

    fn distance(&self, position: &Position, may_look_ahead: bool) -> Option<i32> {
        let known = self.look(position)?;
        if known.wdl == Wdl::Draw {
            return Some(0);
        }
        if known.by_capture
            || (known.wdl > Wdl::Draw && self.pawn_move_wins(position, known.wdl)?)
        {
            return Some(zeroing_distance(known.wdl));
        }
        match self.stored_distance(position, known.wdl)? {
            Distance::Plies(plies) => {
                let cursed = matches!(known.wdl, Wdl::CursedWin | Wdl::BlessedLoss);
                Some((plies + if cursed { 100 } else { 0 }) * known.wdl.number().signum())
            }
            Distance::OtherSide if may_look_ahead => self.distance_by_moves(position, known.wdl),
            Distance::OtherSide => None,
        }
    }

    /// Whether a pawn move that takes nothing keeps what there is.
    fn pawn_move_wins(&self, position: &Position, wdl: Wdl) -> Option<bool> {
        let mut missing = false;
        for mv in position.legal_moves() {
            if position.is_capture(mv) || !is_zeroing(position, mv) {
                continue;
            }
            match self.look(&position.child(mv)) {
                Some(known) if -known.wdl >= wdl => return Some(true),
                Some(_) => {}
                None => missing = true,
            }
        }
        (!missing).then_some(false)
    }

    fn stored_distance(&self, position: &Position, wdl: Wdl) -> Option<Distance> {
        let material = Material::of(position);
        let pair = self.pair(material)?;
        let Some(file) = &pair.dtz else {
            self.complain_once_of(&pair.name);
            return None;
        };
        let opened = file.open(|error| self.complain(error))?;
        match opened.table.distance(opened.bytes(), position, wdl) {
            Ok(distance) => Some(distance),
            Err(damage) => {
                file.give_up(damage).into_iter().for_each(|error| self.complain(error));
                None
            }
        }
    }

    /// The table knows the positions after each move only.
    fn distance_by_moves(&self, position: &Position, wdl: Wdl) -> Option<i32> {
        let mut best: Option<i32> = None;
        for mv in position.legal_moves() {
            let distance = self.distance_of_move(position, mv, false)?;
            // Moves that give away what there is don't count. Of the others the shortest win, or
            // the longest loss, is best: the least number, both times.
            if distance.signum() == wdl.number().signum() {
                best = Some(best.map_or(distance, |least| least.min(distance)));
            }
        }
        // Mated.
        best.or(Some(-1))
    }

    /// The distance to zeroing that a move leads to, seen from the position it is made in.
    pub(super) fn distance_of_move(
        &self,
        position: &Position,
        mv: Move,
        may_look_ahead: bool,
    ) -> Option<i32> {
        let child = position.child(mv);
        if is_mated(&child) {
            return Some(1);
        }
        if is_zeroing(position, mv) {
            return self.look(&child).map(|known| zeroing_distance(-known.wdl));
        }
        let distance = -self.distance(&child, may_look_ahead)?;
        Some(distance + distance.signum())
    }

    fn complain_once_of(&self, name: &str) {
        let told = self.told_missing.lock();
        if told.is_ok_and(|mut told| told.insert(name.to_owned())) {
            self.complain(TableError::NoDistances { name: name.to_owned() });
        }
    }
}
