//! The moves of a root that is in the tables, ranked.

use super::Tablebases;
use super::probe::{is_mated, is_zeroing};
use crate::chess::{Game, Move};

/// What a root move is worth; the greater the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// Loses; the number is of plies to the next capture or pawn move where it matters to last long,
    /// since the fifty-move rule may be near; else 0.
    Loss(i32),
    /// Loses but for the fifty-move rule; the greater the number, the sooner that draws.
    BlessedLoss(i32),
    /// Draws.
    Draw,
    /// Wins but for the fifty-move rule; the greater the number, the less is missing.
    CursedWin(i32),
    /// Wins; minus the plies to the next capture or pawn move where it matters to be quick, else 0.
    Win(i32),
}

impl Rank {
    /// What it means for the game: 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn outcome(self) -> i32 {
        match self {
            Self::Loss(_) => -1,
            Self::BlessedLoss(_) | Self::Draw | Self::CursedWin(_) => 0,
            Self::Win(_) => 1,
        }
    }
}

/// A root move with its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// What it is worth.
    pub rank: Rank,
}

/// All legal moves of a root, the best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Sorted by rank.
    pub moves: Vec<RankedMove>,
    /// How often the tables were asked.
    pub probes: u64,
}

/// Plies after which the fifty-move rule draws.
const FIFTY_MOVES: i32 = 100;

impl Tablebases {
    /// Ranks the legal moves of the present position by their distances to zeroing; none if a table
    /// is missing or damaged. Without the fifty-move rule cursed wins are wins.
    ///
    /// Wins that the fifty-move rule can't reach are ranked equal, so that a search may choose the
    /// one that mates soonest, unless positions have repeated: then the quickest way counts, or the
    /// search might walk in circles. Losses likewise.
    pub fn ranking(&self, game: &Game, fifty_moves: bool) -> Option<Ranking> {
        let position = game.position();
        if position.occupied().len() as usize > self.most_men() || position.castling_rooks().any() {
            return None;
        }
        let repeats = has_repeated(game);
        let clock = position.halfmove_clock() as i32;
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let distance = self.distance_of_move(position, mv, true)?;
            // A mate comes before the fifty-move rule.
            let ends = is_zeroing(position, mv) || is_mated(&position.child(mv));
            let clock = if ends { 0 } else { clock };
            let rank = if repeats_again(game, mv) {
                Rank::Draw
            } else {
                rank(distance, clock, fifty_moves, repeats)
            };
            moves.push(RankedMove { mv, rank });
        }
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
        let probes = moves.len() as u64;
        Some(Ranking { moves, probes })
    }
}

/// Whether the present position or one before it has occurred twice since the last capture or pawn
/// move.
fn has_repeated(game: &Game) -> bool {
    let clock = game.position().halfmove_clock() as usize;
    let past = game.past_keys();
    let mut keys = past[past.len().saturating_sub(clock)..].to_vec();
    keys.push(game.position().key());
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a move brings a position for the third time: a draw.
fn repeats_again(game: &Game, mv: Move) -> bool {
    let child = game.position().child(mv);
    let clock = child.halfmove_clock() as usize;
    if clock == 0 {
        return false;
    }
    let past = game.past_keys();
    let reach = past.len().saturating_sub(clock);
    past[reach..].iter().filter(|&&key| key == child.key()).count() >= 2
}

/// `distance` of a move, with so many plies since the last capture or pawn move before it.
fn rank(distance: i32, clock: i32, fifty_moves: bool, repeats: bool) -> Rank {
    let plies = distance.abs();
    // Distances may be one too small, so the last ply is not relied upon.
    let in_time = !fifty_moves || (plies <= FIFTY_MOVES && plies + clock < FIFTY_MOVES);
    match distance.signum() {
        0 => Rank::Draw,
        1 if in_time => Rank::Win(if repeats || !fifty_moves { -plies } else { 0 }),
        1 => Rank::CursedWin(-(plies + clock)),
        // Twice the way: near the limit it pays to last.
        _ if !fifty_moves || 2 * plies + clock < FIFTY_MOVES => Rank::Loss(0),
        _ if plies + clock < FIFTY_MOVES => Rank::Loss(plies),
        _ => Rank::BlessedLoss(plies + clock),
    }
}
