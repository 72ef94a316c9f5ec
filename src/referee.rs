//! One game between two players: whose turn it is, when it is over, and who has won.
//!
//! Training games and matches of networks go through [`play_game`]. It knows nothing of clocks,
//! processes and files; who answers for the players does. Matches of engines have a loop of their
//! own still (`arbiter::play`), since claims and clocks end games there; the two are to become one.

use crate::chess::{Color, Ending, Game, Move, Outcome};
use crate::search::Score;

/// What ended a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The rules; draws that could be claimed are claimed.
    Rules(Ending),
    /// Both players' scores said it long enough ([`Adjudication`]).
    Adjudicated,
    /// The game became too long.
    TooLong,
    /// The side to move lost by a fault: an illegal move, its clock, a crash.
    Fault(String),
}

/// How and why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who has won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

/// What a player does on its turn.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// It moves, and perhaps says what it thinks of the position, from its own view.
    Move(Move, Option<Score>),
    /// It loses, for this reason.
    Fault(String),
    /// The whole game is to be given up without a result.
    Stop,
}

/// A rule that ends a game by the scores of the last plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreRule {
    /// The bound of the score, in internal centipawns.
    pub score: i32,
    /// For how many plies on end it must hold; both players count.
    pub plies: u32,
    /// Not before so many plies have been played.
    pub from_ply: u32,
}

/// When a game ends although the rules would let it go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Won when one side's score is at least this.
    pub win: Option<ScoreRule>,
    /// Drawn when scores are at most this far from zero.
    pub draw: Option<ScoreRule>,
    /// Drawn after so many plies.
    pub max_plies: Option<u32>,
}

/// Follows the scores of a game and says when they end it.
#[derive(Clone, Debug)]
struct Judge {
    rules: Adjudication,
    plies: u32,
    white_winning: u32,
    black_winning: u32,
    drawish: u32,
}

impl Judge {
    const fn new(rules: Adjudication, plies: u32) -> Self {
        Self { rules, plies, white_winning: 0, black_winning: 0, drawish: 0 }
    }

    /// A ply was played; `score` is from White's view.
    fn note(&mut self, score: Option<Score>) {
        self.plies += 1;
        let count = |counter: &mut u32, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
        };
        let (win, draw) = (self.rules.win, self.rules.draw);
        let at_least = |value: i32| win.is_some_and(|rule| value >= rule.score);
        count(&mut self.white_winning, score.is_some_and(|score| at_least(score.0)));
        count(&mut self.black_winning, score.is_some_and(|score| at_least(-score.0)));
        let level = |score: Score| draw.is_some_and(|rule| score.0.abs() <= rule.score);
        count(&mut self.drawish, score.is_some_and(level));
    }

    fn verdict(&self) -> Option<Verdict> {
        let met = |rule: Option<ScoreRule>, count: u32| {
            rule.is_some_and(|rule| count >= rule.plies && self.plies >= rule.from_ply)
        };
        let ended = |outcome, reason| Some(Verdict { outcome, reason });
        if met(self.rules.win, self.white_winning) {
            ended(Outcome::Win(Color::White), Reason::Adjudicated)
        } else if met(self.rules.win, self.black_winning) {
            ended(Outcome::Win(Color::Black), Reason::Adjudicated)
        } else if met(self.rules.draw, self.drawish) {
            ended(Outcome::Draw, Reason::Adjudicated)
        } else if self.rules.max_plies.is_some_and(|most| self.plies >= most) {
            ended(Outcome::Draw, Reason::TooLong)
        } else {
            None
        }
    }
}

/// Whether the rules of chess have ended the game; a draw that could be claimed is claimed.
pub fn rules_ending(game: &Game) -> Option<Ending> {
    game.ending().or_else(|| game.claimable_draw())
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game with all its moves.
    pub game: Game,
    /// What the mover thought of each position the players met, from White's view; the moves the
    /// game already had are not counted.
    pub scores: Vec<Option<Score>>,
    /// The end; none if a player stopped the game.
    pub verdict: Option<Verdict>,
}

/// Plays `game` to its end: `answer` is asked for the move of the side to move in each position
/// that is not over.
///
/// ```
/// use qishou::chess::Game;
/// use qishou::referee::{Adjudication, Answer, play_game};
/// let first = |game: &Game| Answer::Move(game.position().legal_moves()[0], None);
/// let rules = Adjudication { max_plies: Some(30), ..Adjudication::default() };
/// assert!(play_game(Game::default(), rules, first).verdict.is_some());
/// ```
pub fn play_game(
    mut game: Game,
    rules: Adjudication,
    mut answer: impl FnMut(&Game) -> Answer,
) -> Played {
    let mut judge = Judge::new(rules, game.moves().len() as u32);
    let mut scores = Vec::new();
    let verdict = loop {
        if let Some(ending) = rules_ending(&game) {
            break Some(Verdict { outcome: ending.outcome(), reason: Reason::Rules(ending) });
        }
        if let Some(verdict) = judge.verdict() {
            break Some(verdict);
        }
        let us = game.position().side_to_move();
        let fault = match answer(&game) {
            Answer::Stop => break None,
            Answer::Fault(fault) => fault,
            Answer::Move(mv, score) => match game.play(mv) {
                Ok(()) => {
                    let score = score.map(|score| Score(score.0 * us.sign()));
                    judge.note(score);
                    scores.push(score);
                    continue;
                }
                Err(error) => error.to_string(),
            },
        };
        break Some(Verdict { outcome: Outcome::Win(!us), reason: Reason::Fault(fault) });
    };
    Played { game, scores, verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, Square};

    /// The moves of a script, with a fixed score from White's view; stops after the last.
    fn play(fen: &str, moves: &[(Square, Square)], score: i32, rules: Adjudication) -> Played {
        let start: Position = fen.parse().unwrap();
        play_game(Game::new(start), rules, |game| {
            let sign = game.position().side_to_move().sign();
            moves.get(game.moves().len()).map_or(Answer::Stop, |&(from, to)| {
                Answer::Move(Move::normal(from, to), Some(Score(score * sign)))
            })
        })
    }

    const ROOK: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    use Square::{A1, A2, A7, A8, G8, H8};

    #[test]
    fn mate_ends_the_game() {
        let played = play(ROOK, &[(A1, A8)], 0, Adjudication::default());
        let mate = Reason::Rules(Ending::Checkmate { winner: Color::White });
        let wanted = Verdict { outcome: Outcome::Win(Color::White), reason: mate };
        assert_eq!(played.verdict, Some(wanted));
    }

    #[test]
    fn the_third_occurrence_draws() {
        let shuffle = [(A1, A2), (H8, G8), (A2, A1), (G8, H8)].repeat(3);
        let played = play(ROOK, &shuffle, 0, Adjudication::default());
        let reason = played.verdict.unwrap().reason;
        assert_eq!(reason, Reason::Rules(Ending::ThreefoldRepetition));
        assert_eq!(played.game.moves().len(), 8);
    }

    #[test]
    fn an_illegal_move_loses() {
        let played = play(ROOK, &[(A7, A8)], 0, Adjudication::default());
        let verdict = played.verdict.unwrap();
        assert_eq!(verdict.outcome, Outcome::Win(Color::Black));
        assert_eq!(verdict.reason, Reason::Fault("illegal move a7a8".into()));
    }

    #[test]
    fn steady_scores_end_the_game() {
        let rule = |score, plies| Some(ScoreRule { score, plies, from_ply: 0 });
        let moves = [(A1, A2), (H8, G8), (A2, A1), (G8, H8)];
        let rules = Adjudication { win: rule(500, 3), draw: rule(5, 2), max_plies: Some(4) };
        for (score, outcome, plies) in [
            (500, Outcome::Win(Color::White), 3),
            (-900, Outcome::Win(Color::Black), 3),
            (-5, Outcome::Draw, 2),
            (100, Outcome::Draw, 4),
        ] {
            let played = play(ROOK, &moves, score, rules);
            assert_eq!(played.verdict.unwrap().outcome, outcome, "{score}");
            assert_eq!(played.game.moves().len(), plies, "{score}");
        }
    }

    #[test]
    fn a_stopped_game_has_no_result() {
        assert_eq!(play(ROOK, &[], 0, Adjudication::default()).verdict, None);
    }
}
