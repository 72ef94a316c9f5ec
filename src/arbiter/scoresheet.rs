//! What is written down beside the moves of a game.

use std::fmt::Write;
use std::time::Duration;

use super::clock::Clock;
use super::player::Thought;
use crate::chess::{Color, Game};
use crate::pgn::Remarks;

/// The sheet of a game that is being played, was adjourned or is over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scoresheet {
    /// What stands beside each move.
    pub remarks: Vec<Remarks>,
    /// Time each side used.
    pub used: [Duration; Color::COUNT],
    /// Rulings that did not end the game: wrong claims and their penalties, adjournments (RULES 4.5).
    pub rulings: Vec<String>,
}

impl Scoresheet {
    /// The sheet of a game that begins with these moves of an opening.
    pub fn of_opening(game: &Game) -> Self {
        let book = Remarks { comment: "book".into(), ..Remarks::default() };
        Self { remarks: vec![book; game.moves().len()], ..Self::default() }
    }

    /// A side has made its move: score and depth, the time it took, what its clock shows now.
    pub fn add_move(&mut self, thought: &Thought, clock: &Clock) {
        let mut comment = String::new();
        if let Some(score) = thought.info.score {
            let _ = write!(comment, "{score}/{} ", thought.info.depth.unwrap_or(0));
        }
        let _ = write!(comment, "{:.3}s", thought.used.as_secs_f64());
        if let Some(left) = clock.left() {
            let (whole, rest) = (left.as_secs(), left.subsec_millis());
            let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
            let _ = write!(comment, " [%clk {hours}:{minutes:02}:{seconds:02}.{rest:03}]");
        }
        self.remarks.push(Remarks { comment, ..Remarks::default() });
    }

    /// Something has happened beside the moves.
    pub fn note(&mut self, game: &Game, side: Color, what: &str) {
        let number = game.position().fullmove_number();
        self.rulings.push(format!("move {number}: {side:?} {what}"));
    }
}
