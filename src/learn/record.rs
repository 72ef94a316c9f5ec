//! A whole game as bytes, in the layout of the crate `viriformat`.
//!
//! The start position ([`packed`]) with the result, then two bytes of move and two
//! of score for each ply, then four zero bytes. Scores are centipawns from White's view. A move is
//! ours (`chess::Move`) but for the two bits that tell its type: there en passant is 1, castling 2,
//! promotion 3.

use thiserror::Error;

use super::packed::{self, Labelled, PackedError};
use crate::chess::{Color, Move, MoveFlag, Outcome, Position};
pub use crate::referee::score::half_points;

/// A game with a score for each move.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Where it begins.
    pub start: Position,
    /// How it ended.
    pub outcome: Outcome,
    /// The moves, each with the score the mover's search gave, in centipawns from White's view.
    pub moves: Vec<(Move, i16)>,
}

/// Why bytes are no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// The bytes end within a game.
    #[error("the game breaks off after {0} bytes")]
    Truncated(usize),
    /// The first position is none.
    #[error("bad first position: {0}")]
    Start(#[from] PackedError),
    /// A move that can't be made.
    #[error("illegal move {0:#06x} at ply {1}")]
    Move(u16, usize),
}

/// The outcome that is worth this much to White.
const fn outcome_of(half_points: u8) -> Outcome {
    match half_points {
        0 => Outcome::Win(Color::Black),
        1 => Outcome::Draw,
        _ => Outcome::Win(Color::White),
    }
}

const TYPE_SHIFT: u16 = 14;

/// The move as the layout writes it.
const fn move_bits(mv: Move) -> u16 {
    let kind = match mv.flag() {
        MoveFlag::Normal => 0,
        MoveFlag::EnPassant => 1,
        MoveFlag::Castling => 2,
        MoveFlag::Promotion => 3,
    };
    mv.bits() & 0x3FFF | kind << TYPE_SHIFT
}

/// The move that these bits write, which need not be legal.
const fn move_of(bits: u16) -> Option<Move> {
    let flag = match bits >> TYPE_SHIFT {
        0 => MoveFlag::Normal,
        1 => MoveFlag::EnPassant,
        2 => MoveFlag::Castling,
        _ => MoveFlag::Promotion,
    };
    Move::from_bits(bits & 0x3FFF | (flag as u16) << TYPE_SHIFT)
}

impl GameRecord {
    /// Appends the game to `bytes`.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        let start = Labelled {
            position: self.start,
            score: self.moves.first().map_or(0, |&(_, score)| score),
            result: half_points(self.outcome, Color::White),
            extra: 0,
        };
        bytes.extend_from_slice(&start.to_bytes());
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&move_bits(mv).to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.extend_from_slice(&[0; 4]);
    }

    /// Reads a game and takes its bytes away from the front of `bytes`.
    ///
    /// # Errors
    /// If they are cut off, or the position or a move is illegal.
    pub fn decode(bytes: &mut &[u8]) -> Result<Self, RecordError> {
        let cut_off = RecordError::Truncated(bytes.len());
        let (head, mut rest) = bytes.split_first_chunk::<{ packed::SIZE }>().ok_or(cut_off)?;
        let Labelled { position: start, result, .. } = Labelled::from_bytes(head)?;
        let mut position = start;
        let mut moves = Vec::new();
        loop {
            let (&[a, b, c, d], after) = rest.split_first_chunk::<4>().ok_or(cut_off)?;
            rest = after;
            if [a, b, c, d] == [0; 4] {
                break;
            }
            let bits = u16::from_le_bytes([a, b]);
            let mv = move_of(bits)
                .filter(|&mv| position.try_play(mv))
                .ok_or(RecordError::Move(bits, moves.len()))?;
            moves.push((mv, i16::from_le_bytes([c, d])));
        }
        *bytes = rest;
        Ok(Self { start, outcome: outcome_of(result), moves })
    }

    /// Calls `visit` with each position that was searched, the move chosen there and its score in
    /// centipawns from White's view.
    pub fn for_each_position(&self, mut visit: impl FnMut(&Position, Move, i16)) {
        let mut position = self.start;
        for &(mv, score) in &self.moves {
            visit(&position, mv, score);
            position.play(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    #[test]
    fn a_cut_off_game_and_an_illegal_move_are_errors() {
        let game = GameRecord {
            start: Position::startpos(),
            outcome: Outcome::Draw,
            moves: vec![(Move::normal(Square::E2, Square::E4), 20)],
        };
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        assert_eq!(bytes.len(), 40);
        assert_eq!(GameRecord::decode(&mut &*bytes), Ok(game));
        for length in 0..bytes.len() {
            let cut = GameRecord::decode(&mut &bytes[..length]);
            assert_eq!(cut, Err(RecordError::Truncated(length)));
        }
        bytes[32] = 0x3F;
        assert!(matches!(GameRecord::decode(&mut &*bytes), Err(RecordError::Move(_, 0))));
    }
}
