//! Which move to try next: stage by stage, so that what a cutoff makes needless is never
//! generated or scored.
//!
//! Table move, good captures and promotions, killers, quiet moves by history, losing captures.

use arrayvec::ArrayVec;

use super::history::History;
use super::see;
use crate::chess::{Move, MoveList, PieceKind, Position};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    Noisy,
    GoodNoisy,
    Killer(usize),
    Quiet,
    Quiets,
    BadNoisy,
    Done,
}

/// Hands out the legal moves of a position, the most promising first, each once.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// Only captures and promotions that lose nothing.
    winning_only: bool,
    moves: MoveList,
    scores: ArrayVec<i32, 416>,
    /// The next move to hand out.
    next: usize,
    /// Losing captures are put aside at the front of the list.
    losing: usize,
}

impl Picker {
    /// All legal moves. `table_move` has to be legal.
    pub(crate) fn all(table_move: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        Self {
            stage: Stage::TableMove,
            table_move,
            killers,
            winning_only: false,
            moves: MoveList::new(),
            scores: ArrayVec::new(),
            next: 0,
            losing: 0,
        }
    }

    /// Captures and promotions that lose nothing in the exchange; `table_move` has to be legal.
    pub(crate) fn winning(table_move: Option<Move>) -> Self {
        Self { winning_only: true, ..Self::all(table_move, [None; 2]) }
    }

    /// The next move, and whether it is a killer or other quiet, in this order of stages.
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
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
                    self.scores.extend(self.moves.iter().map(|&mv| noisy_score(position, mv)));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select() {
                    Some(mv) if see::wins_at_least(position, mv, 0) => return Some(mv),
                    Some(mv) => {
                        self.moves[self.losing] = mv;
                        self.losing += 1;
                    }
                    None if self.winning_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Killer(0),
                },
                Stage::Killer(2) => self.stage = Stage::Quiet,
                Stage::Killer(which) => {
                    self.stage = Stage::Killer(which + 1);
                    match self.killers[which] {
                        Some(mv) if self.killer_fits(position, mv) => return Some(mv),
                        _ => self.killers[which] = None,
                    }
                }
                Stage::Quiet => {
                    self.next = self.moves.len();
                    position.add_quiet_moves(&mut self.moves);
                    let side = position.side_to_move();
                    let quiets = self.moves[self.next..].iter();
                    self.scores.extend(quiets.map(|&mv| history.quiet(side, mv)));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.select() {
                    Some(mv) if self.killers.contains(&Some(mv)) => {}
                    Some(mv) => return Some(mv),
                    None => {
                        self.next = 0;
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::BadNoisy => {
                    if self.next < self.losing {
                        self.next += 1;
                        return Some(self.moves[self.next - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of the moves left in the list, the table move apart.
    fn select(&mut self) -> Option<Move> {
        while self.next < self.moves.len() {
            let mut best = self.next;
            for i in self.next + 1..self.moves.len() {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            let mv = self.moves[self.next - 1];
            if Some(mv) != self.table_move {
                return Some(mv);
            }
        }
        None
    }

    fn killer_fits(&self, position: &Position, mv: Move) -> bool {
        Some(mv) != self.table_move && !position.is_noisy(mv) && position.is_legal(mv)
    }
}

/// Most valuable victim first, then the least valuable taker; promotions by what they gain.
fn noisy_score(position: &Position, mv: Move) -> i32 {
    let victim = match position.kind_on(mv.to()) {
        Some(kind) => see::value(kind),
        None if mv.promoted().is_none() => see::value(PieceKind::Pawn),
        None => 0,
    };
    let promoted = match mv.promoted() {
        Some(PieceKind::Queen) => see::value(PieceKind::Queen),
        Some(_) => -see::value(PieceKind::Queen),
        None => 0,
    };
    let taker = position.kind_on(mv.from()).map_or(0, |kind| kind as i32);
    16 * (victim + promoted) - taker
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;

    /// Every legal move comes once, whatever the table and the killers say.
    #[test]
    fn each_move_is_handed_out_once() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ];
        let mut history = History::new();
        for fen in fens {
            let position: Position = fen.parse().unwrap();
            let mut legal: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            legal.sort_unstable();
            for &first in &legal {
                let mv = Move::from_bits(first);
                history.reward(Color::White, 0, mv.unwrap(), &[], 9);
                let mut picker = Picker::all(mv, [mv, Move::from_bits(legal[0])]);
                let mut seen = Vec::new();
                while let Some(mv) = picker.next(&position, &history) {
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
        let history = History::new();
        let mut picker = Picker::all(None, [None; 2]);
        let mut order = Vec::new();
        while let Some(mv) = picker.next(&position, &history) {
            order.push(mv.to_string());
        }
        assert_eq!(order[..2], ["f2g3", "b3b7"]);
        assert_eq!(order.last().unwrap(), "b3d5");
    }
}
