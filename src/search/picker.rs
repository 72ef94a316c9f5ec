//! Which move to try next: stage by stage, so that what a cutoff makes needless is never
//! generated or scored.
//!
//! Table move, good captures and promotions, quiet moves by history, losing captures.

use arrayvec::ArrayVec;

use super::history::{Histories, Site};
use super::{params, see};
use crate::chess::Move;

mod ranked;
mod scorer;

use ranked::Ranked;
use scorer::{score_noisy, score_quiets};

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

/// Hands out the legal moves of a position, the most promising first, each once.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    /// What a capture has to win at least, if none but winning ones are wanted.
    winning: Option<i32>,
    no_quiets: bool,
    moves: Ranked,
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
            moves: Ranked::new(),
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
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::Noisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::Noisy => {
                    score_noisy(site, histories, &mut self.moves);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.take_best() {
                    Some((mv, score)) => {
                        let threshold = self.winning.unwrap_or(-score / params::order_see());
                        if see::wins_at_least(site.position, mv, threshold) {
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
                    score_quiets(site, histories, &mut self.moves);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best() {
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

    /// The best of the moves left in the list, the table move apart, with its score.
    #[inline(always)]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        loop {
            let best = self.moves.take_best()?;
            if Some(best.0) != self.table_move {
                return Some(best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
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
