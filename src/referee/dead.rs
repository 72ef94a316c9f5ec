//! Dead positions: no series of legal moves can mate (RULES 2.4), and the one-sided question a
//! fallen flag asks (RULES 2.10).
//!
//! A proof is complete or it is none: either the men alone can't mate, or every position that
//! legal moves can reach has been visited and none is mate. Positions are told apart by their
//! 64-bit keys, so a proof of 20,000 positions is wrong by chance once in 10^11.
//!
//! Positions are visited best first, best meaning close to a helpmate, so that the same walk finds
//! mates early where there are any and proves their absence where there are none.

use std::collections::{BinaryHeap, HashSet};

use crate::chess::{Bitboard, Color, PieceKind, Position};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Proved: nobody can mate any more.
    Dead,
    /// Proved: a legal line to mate exists.
    Live,
    /// Neither was shown; counts as live.
    Unknown,
}

/// How many positions may be visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// When few moves are legal: an end may be forced.
    pub forced: u32,
    /// When all pawns are blocked by pawns and there are only bishops besides.
    pub locked: u32,
    /// In every other position.
    pub open: u32,
}

impl Effort {
    /// The men alone are looked at.
    pub const NONE: Self = Self { forced: 0, locked: 0, open: 0 };
    /// What can be spent after every move of a match.
    pub const MATCH: Self = Self { forced: 200, locked: 16_000, open: 0 };
    /// What can be spent on a question that is asked once a game, when a flag has fallen.
    const ONCE: Self = Self { forced: 100_000, locked: 100_000, open: 100_000 };
    /// What can be spent on one question.
    pub const THOROUGH: Self = Self { forced: 300_000, locked: 300_000, open: 300_000 };

    /// The effort for a question that is asked once a game, where this one is for every move.
    pub fn once(self) -> Self {
        if self == Self::NONE { self } else { Self::ONCE }
    }

    fn positions(self, position: &Position) -> u32 {
        /// Moves up to which a position counts as forced.
        const FEW: u64 = 3;
        let few = self.forced > 0 && position.count_moves() <= FEW;
        let forced = if few { self.forced } else { 0 };
        let locked = if self.locked > 0 && is_locked(position) { self.locked } else { 0 };
        self.open.max(forced).max(locked)
    }
}

/// What a walk through the reachable positions has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Walk {
    /// All of them were visited.
    complete: bool,
    /// A mate was found, by the side that gives it.
    mates: [bool; Color::COUNT],
}

/// Whether a position is dead.
///
/// ```
/// use qishou::referee::dead::{Effort, Life, judge};
/// use qishou::chess::Position;
/// let wall: Position = "8/8/1k4p1/1p1p1pPp/pPpPpP1P/P1P1P3/8/2K5 w - - 0 1".parse()?;
/// assert_eq!(judge(&wall, Effort::MATCH), Life::Dead);
/// assert_eq!(judge(&wall, Effort::NONE), Life::Unknown);
/// # Ok::<(), qishou::chess::FenError>(())
/// ```
pub fn judge(position: &Position, effort: Effort) -> Life {
    if position.is_insufficient_material() {
        return Life::Dead;
    }
    let most = effort.positions(position);
    for goal in Color::ALL {
        if most == 0 {
            break;
        }
        let found = walk(position, goal, most, |mates| mates[0] || mates[1]);
        if found.mates != [false; 2] {
            return Life::Live;
        }
        if found.complete {
            return Life::Dead;
        }
        // What no effort less than the greatest settles is not worth a second one.
        if effort.open == 0 {
            break;
        }
    }
    Life::Unknown
}

/// Whether `side` can mate by any series of legal moves, if that could be shown.
pub fn can_mate(position: &Position, side: Color, effort: Effort) -> Option<bool> {
    if lacks_mating_material(position, side) {
        return Some(false);
    }
    let most = effort.positions(position);
    if most == 0 {
        return None;
    }
    let found = walk(position, side, most, |mates| mates[side]);
    if found.mates[side] { Some(true) } else { found.complete.then_some(false) }
}

/// Whether a side can't mate because of the men alone, whatever the opponent does to help.
///
/// A lone knight needs a man of the opponent that takes a flight square from its king and neither
/// captures the knight nor covers: queens always can. Bishops on one colour of square never attack the other, and a
/// queen or a rook beside its own king can always step between; so there must be a pawn, a knight or a bishop of the
/// other colour on the board.
fn lacks_mating_material(position: &Position, side: Color) -> bool {
    let ours = position.side(side);
    let [pawns, knights, bishops] =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop].map(|kind| position.kind(kind));
    let minor = knights | bishops | position.kind(PieceKind::King);
    if (ours - minor).any() {
        return false;
    }
    let (our_knights, our_bishops) = (ours & knights, ours & bishops);
    if our_knights.is_empty() && our_bishops.is_empty() {
        return true;
    }
    if our_knights.any() {
        let theirs = position.side(!side);
        let queens = position.kind(PieceKind::Queen);
        return ours.len() == 2 && (theirs - queens).len() == 1;
    }
    let one_color =
        (bishops & Bitboard::LIGHT).is_empty() || (bishops - Bitboard::LIGHT).is_empty();
    one_color && pawns.is_empty() && knights.is_empty()
}

/// Whether every pawn stands before a pawn and attacks no man but a king, and only bishops are
/// there besides, two at most: the kind of position worth a long proof.
fn is_locked(position: &Position) -> bool {
    let pawns = position.kind(PieceKind::Pawn);
    let kings = position.kind(PieceKind::King);
    let pieces = position.occupied() - pawns - kings;
    if pawns.len() < 2 || pieces.len() > 2 || pieces != position.kind(PieceKind::Bishop) {
        return false;
    }
    Color::ALL.into_iter().all(|color| {
        let ours = pawns & position.side(color);
        let ahead = match color {
            Color::White => ours.north(),
            Color::Black => ours.south(),
        };
        let attacked = ahead.east() | ahead.west();
        (ahead - pawns).is_empty() && !attacked.intersects(position.side(!color) - kings)
    })
}

/// Visits positions, the most promising for a mate by `goal` first, until `done` says that the
/// mates found are enough.
fn walk(root: &Position, goal: Color, most: u32, done: impl Fn([bool; 2]) -> bool) -> Walk {
    let mut found = Walk::default();
    let mut seen = HashSet::from([root.key()]);
    let mut positions = vec![*root];
    let mut queue = BinaryHeap::from([(0, 0)]);
    while let Some((_, index)) = queue.pop() {
        let position = positions[index];
        let moves = position.legal_moves();
        if moves.is_empty() && position.in_check() {
            found.mates[!position.side_to_move()] = true;
            if done(found.mates) {
                return found;
            }
        }
        for &mv in &moves {
            let child = position.child(mv);
            if child.is_insufficient_material() || !seen.insert(child.key()) {
                continue;
            }
            if positions.len() as u32 >= most {
                return found;
            }
            queue.push((promise(&child, goal), positions.len()));
            positions.push(child);
        }
    }
    found.complete = true;
    found
}

/// How close to a helpmate a position looks, for the order of visits alone.
fn promise(position: &Position, goal: Color) -> i32 {
    let loser = !goal;
    let king = position.king(loser);
    let count = |kind| position.pieces(kind, goal).len() as i32;
    let heavy = 9 * count(PieceKind::Queen) + 6 * count(PieceKind::Rook);
    let light = 4 * count(PieceKind::Bishop) + 4 * count(PieceKind::Knight);
    let advance: i32 = position
        .pieces(PieceKind::Pawn, goal)
        .into_iter()
        .map(|pawn| {
            let rank = pawn.relative_to(goal).rank() as i32;
            let ahead = match goal {
                Color::White => pawn.bitboard().north(),
                Color::Black => pawn.bitboard().south(),
            };
            // A way that is free is worth going.
            let free = !ahead.intersects(position.kind(PieceKind::Pawn));
            2 + if free { rank * rank } else { 0 }
        })
        .sum();
    let victims = position.side(loser).len() as i32;
    let flights = crate::chess::attacks::king(king) - position.side(loser);
    let open = flights
        .into_iter()
        .filter(|&square| !position.is_attacked(square, goal, position.occupied()))
        .count() as i32;
    let ours = position.king(goal);
    let apart = |a: u8, b: u8| i32::from(a.abs_diff(b));
    let distance = apart(king.file() as u8, ours.file() as u8)
        .max(apart(king.rank() as u8, ours.rank() as u8));
    20 * (heavy + light) + 6 * advance - 12 * victims - 6 * open - 4 * distance
        + if position.in_check() && position.side_to_move() == loser { 6 } else { 0 }
}

#[cfg(test)]
#[path = "dead/tests.rs"]
mod tests;
