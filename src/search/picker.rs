//! Which move to try next: stage by stage, so that what a cutoff makes needless is never
//! generated or scored.
//!
//! Table move, good captures and promotions, quiet moves by history, losing captures.

use arrayvec::ArrayVec;

use super::history::{Histories, Site};
use super::threats::checking_squares;
use super::{params, see};
use crate::chess::{Move, MoveList, PieceKind, Position};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    Noisy,
    GoodNoisy,
    Quiet,
    Quiets,
    BadNoisy,
    Done,
}

/// A move's score and its place in the list, packed so that the better one is the larger number;
/// of equals the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    /// Room for every place in a [`MoveList`]; scores have the other bits, far more than they need.
    const PLACES: i32 = 1 << 9;
    /// Of a move that is handed out already: below every other.
    const SPENT: Self = Self(i32::MIN);

    #[inline(always)]
    const fn new(score: i32, place: usize) -> Self {
        Self(score * Self::PLACES + (Self::PLACES - 1 - place as i32))
    }

    #[inline(always)]
    const fn score(self) -> i32 {
        self.0.div_euclid(Self::PLACES)
    }

    #[inline(always)]
    const fn place(self) -> usize {
        (Self::PLACES - 1 - self.0.rem_euclid(Self::PLACES)) as usize
    }
}

/// Hands out the legal moves of a position, the most promising first, each once.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    /// What a capture has to win at least, if none but winning ones are wanted.
    winning: Option<i32>,
    no_quiets: bool,
    moves: MoveList,
    /// The ranks of the moves, in their places.
    ranks: ArrayVec<Rank, 416>,
    /// Losing captures, the best first, put aside for the end.
    losing: ArrayVec<Move, 416>,
    /// How many of them are handed out.
    lost: usize,
}

impl Picker {
    /// All legal moves. `table_move` has to be legal.
    pub(crate) fn all(table_move: Option<Move>) -> Self {
        Self {
            stage: Stage::TableMove,
            table_move,
            winning: None,
            no_quiets: false,
            moves: MoveList::new(),
            ranks: ArrayVec::new(),
            losing: ArrayVec::new(),
            lost: 0,
        }
    }

    /// Captures and promotions that win so much in the exchange; `table_move` has to be legal.
    pub(crate) fn winning(table_move: Option<Move>, threshold: i32) -> Self {
        Self { winning: Some(threshold), ..Self::all(table_move) }
    }

    /// No more quiet moves, please.
    pub(crate) fn skip_quiets(&mut self) {
        self.no_quiets = true;
    }

    /// The next move.
    pub(crate) fn next(&mut self, site: &Site, histories: &Histories) -> Option<Move> {
        let position = site.position;
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::Noisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::Noisy => {
                    position.add_noisy_moves(&mut self.moves);
                    for (place, &mv) in self.moves.iter().enumerate() {
                        self.ranks.push(Rank::new(noisy_score(site, histories, mv), place));
                    }
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select() {
                    Some((mv, score)) => {
                        let threshold = self.winning.unwrap_or(-score / params::order_see());
                        if see::wins_at_least(position, mv, threshold) {
                            return Some(mv);
                        }
                        self.losing.push(mv);
                    }
                    None if self.winning.is_some() => self.stage = Stage::Done,
                    None => self.stage = Stage::Quiet,
                },
                Stage::Quiet | Stage::Quiets if self.no_quiets => self.stage = Stage::BadNoisy,
                Stage::Quiet => {
                    self.moves.clear();
                    self.ranks.clear();
                    position.add_quiet_moves(&mut self.moves);
                    self.score_quiets(site, histories);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.select() {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    if let Some(&mv) = self.losing.get(self.lost) {
                        self.lost += 1;
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Quiet moves by their histories, checks first that lose nothing, and men that leave the
    /// reach of cheaper ones.
    fn score_quiets(&mut self, site: &Site, histories: &Histories) {
        let position = site.position;
        let checks = checking_squares(position);
        let histories = histories.quiets(site);
        for (place, &mv) in self.moves.iter().enumerate() {
            let kind = position.kind_on_taken(mv.from());
            let mut score = histories.promise(site.context_of(kind, mv), site.slot(mv));
            if checks[kind].contains(mv.to()) && see::wins_at_least(position, mv, -50) {
                score += params::order_check();
            }
            let danger = site.threats.by_cheaper_than(kind);
            let escape =
                i32::from(danger.contains(mv.from())) - i32::from(danger.contains(mv.to()));
            score += params::order_escape() * see::value(kind) * escape;
            self.ranks.push(Rank::new(score, place));
        }
    }

    /// Takes the best of the moves left in the list, the table move apart, with its score.
    #[inline]
    fn select(&mut self) -> Option<(Move, i32)> {
        loop {
            // A fold without branches, which the compiler turns into vectors.
            let best = Rank(self.ranks.iter().fold(Rank::SPENT.0, |best, rank| best.max(rank.0)));
            if best == Rank::SPENT {
                return None;
            }
            let place = best.place();
            self.ranks[place] = Rank::SPENT;
            let mv = self.moves[place];
            if Some(mv) != self.table_move {
                return Some((mv, best.score()));
            }
        }
    }
}

/// Most valuable victim first, corrected by what such captures did; promotions by what they gain.
fn noisy_score(site: &Site, histories: &Histories, mv: Move) -> i32 {
    let history = histories.noisy(site, mv) / params::order_capture();
    16 * (victim_value(site.position, mv) + promotion_order(mv)) + history
}

/// What a capture takes, in centipawns; nothing if it is none.
pub(crate) fn victim_value(position: &Position, mv: Move) -> i32 {
    match position.kind_on(mv.to()) {
        _ if mv.is_castling() => 0,
        Some(kind) => see::value(kind),
        None if mv.flag() == crate::chess::MoveFlag::EnPassant => see::value(PieceKind::Pawn),
        None => 0,
    }
}

/// A queen comes early, the others last.
fn promotion_order(mv: Move) -> i32 {
    match mv.promoted() {
        Some(PieceKind::Queen) => see::value(PieceKind::Queen),
        Some(_) => -2 * see::value(PieceKind::Queen),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::threats::Threats;

    fn site(position: &Position) -> Site<'_> {
        let threats = Threats::by(position, !position.side_to_move());
        Site { position, threats, before: [0; 4] }
    }

    /// Every legal move comes once, whatever the table and the histories say.
    #[test]
    fn each_move_is_handed_out_once() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ];
        let mut histories = Histories::new();
        for fen in fens {
            let position: Position = fen.parse().unwrap();
            let mut legal: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            legal.sort_unstable();
            for &first in &legal {
                let mv = Move::from_bits(first);
                histories.reward(&site(&position), mv.unwrap(), &[], &[], 9);
                let mut picker = Picker::all(mv);
                let mut seen = Vec::new();
                while let Some(mv) = picker.next(&site(&position), &histories) {
                    seen.push(mv.bits());
                }
                assert_eq!(seen[0], first, "{fen}");
                seen.sort_unstable();
                assert_eq!(seen, legal, "{fen}");
            }
        }
    }

    #[test]
    fn good_captures_come_before_quiet_moves_and_bad_ones_after() {
        let position: Position = "4k3/1p6/2p5/3p4/8/1Q1P2r1/5P2/4K3 w - - 0 1".parse().unwrap();
        let histories = Histories::new();
        let mut picker = Picker::all(None);
        let mut order = Vec::new();
        while let Some(mv) = picker.next(&site(&position), &histories) {
            order.push(mv.to_string());
        }
        assert_eq!(order[..2], ["f2g3", "b3b7"]);
        assert_eq!(order.last().unwrap(), "b3d5");
    }
}
