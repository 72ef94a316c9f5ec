//! Which positions of a game are worth training on.
//!
//! The network is asked about quiet positions (the quiescence search resolves captures), so
//! positions in check and those whose best move captures or promotes are left out; so are the
//! first plies, which are half random, and scores that say only "won".

use super::record::{GameRecord, half_points};
use crate::chess::{Color, Move, Position};

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Positions before this ply of the game (by move number) are left out.
    pub min_ply: u32,
    /// Scores further from zero are left out; mates too, if this is below them.
    pub max_score: i32,
    /// Whether positions in check are kept.
    pub checks: bool,
    /// Whether positions whose best move captures or promotes are kept.
    pub noisy: bool,
}

impl Filter {
    /// What training uses unless told otherwise.
    pub const TRAINING: Self = Self { min_ply: 16, max_score: 3000, checks: false, noisy: false };
    /// Everything.
    pub const NONE: Self = Self { min_ply: 0, max_score: i32::MAX, checks: true, noisy: true };

    /// Whether a position with this move and score is kept.
    pub fn keeps(&self, position: &Position, mv: Move, score: i16) -> bool {
        let black = u32::from(position.side_to_move() == Color::Black);
        let ply = 2 * (position.fullmove_number() - 1) + black;
        ply >= self.min_ply
            && i32::from(score).abs() <= self.max_score
            && (self.checks || !position.in_check())
            && (self.noisy || !position.is_noisy(mv))
    }

    /// Calls `visit` with each kept position, its score in centipawns and the result, both from
    /// the view of the side to move (the result in half points).
    pub fn for_each_kept(&self, game: &GameRecord, mut visit: impl FnMut(&Position, i16, u8)) {
        game.for_each_position(|position, mv, score| {
            if self.keeps(position, mv, score) {
                let us = position.side_to_move();
                let score = i32::from(score) * us.sign();
                visit(position, score.clamp(-32_000, 32_000) as i16, half_points(game.outcome, us));
            }
        });
    }
}
