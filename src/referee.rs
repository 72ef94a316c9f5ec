//! One game between two players: whose turn it is, when it is over, and who has won.
//!
//! The one game loop of the project: training games, matches of networks and matches of engines
//! all go through [`play_game`]. It knows nothing of clocks, processes and files; who answers for
//! the players does.

use crate::chess::{Color, Game, Move};
use crate::search::Score;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum GameResult {
    /// Black has won.
    BlackWins,
    /// Nobody has.
    Draw,
    /// White has won.
    WhiteWins,
}

impl GameResult {
    /// All results, by what they are worth to White.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// The win of one side.
    pub const fn win_of(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Half points of one side: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }
}

/// What ended a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Checkmate.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// A position occurred for the third time.
    Repetition,
    /// Fifty moves of both sides without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Both players' scores said it long enough ([`Adjudication`]).
    Adjudicated,
    /// The game became too long.
    TooLong,
    /// The side to move lost by a fault: an illegal move, its clock, a crash.
    Fault(String),
}

/// How and why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who has won.
    pub result: GameResult,
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

    fn ending(&self) -> Option<Ending> {
        let met = |rule: Option<ScoreRule>, count: u32| {
            rule.is_some_and(|rule| count >= rule.plies && self.plies >= rule.from_ply)
        };
        let ended = |result, reason| Some(Ending { result, reason });
        if met(self.rules.win, self.white_winning) {
            ended(GameResult::WhiteWins, Reason::Adjudicated)
        } else if met(self.rules.win, self.black_winning) {
            ended(GameResult::BlackWins, Reason::Adjudicated)
        } else if met(self.rules.draw, self.drawish) {
            ended(GameResult::Draw, Reason::Adjudicated)
        } else if self.rules.max_plies.is_some_and(|most| self.plies >= most) {
            ended(GameResult::Draw, Reason::TooLong)
        } else {
            None
        }
    }
}

/// Whether the rules of chess have ended the game, and how.
pub fn rules_ending(game: &Game) -> Option<Ending> {
    let position = game.position();
    let draw = |reason| Some(Ending { result: GameResult::Draw, reason });
    if !position.has_legal_move() {
        return if position.in_check() {
            let result = GameResult::win_of(!position.side_to_move());
            Some(Ending { result, reason: Reason::Checkmate })
        } else {
            draw(Reason::Stalemate)
        };
    }
    if position.halfmove_clock() >= 100 {
        return draw(Reason::FiftyMoves);
    }
    let reach = position.halfmove_clock() as usize;
    let same = |&&key: &&u64| key == position.key();
    if game.past_keys().iter().rev().take(reach).filter(same).count() >= 2 {
        return draw(Reason::Repetition);
    }
    if insufficient_material(position) { draw(Reason::InsufficientMaterial) } else { None }
}

fn insufficient_material(position: &crate::chess::Position) -> bool {
    use crate::chess::{Bitboard, PieceKind};
    let heavy = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen];
    if heavy.into_iter().any(|kind| position.kind(kind).any()) {
        return false;
    }
    let bishops = position.kind(PieceKind::Bishop);
    let one_color = (bishops & Bitboard::LIGHT).is_empty() || (bishops - Bitboard::LIGHT).is_empty();
    position.occupied().len() <= 3 || position.kind(PieceKind::Knight).is_empty() && one_color
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
    pub ending: Option<Ending>,
}

/// Plays `game` to its end: `answer` is asked for the move of the side to move in each position
/// that is not over.
///
/// ```
/// use qishou::chess::Game;
/// use qishou::referee::{Adjudication, Answer, play_game};
/// let first = |game: &Game| Answer::Move(game.position().legal_moves()[0], None);
/// let rules = Adjudication { max_plies: Some(30), ..Adjudication::default() };
/// assert!(play_game(Game::default(), rules, first).ending.is_some());
/// ```
pub fn play_game(
    mut game: Game,
    rules: Adjudication,
    mut answer: impl FnMut(&Game) -> Answer,
) -> Played {
    let mut judge = Judge::new(rules, game.moves().len() as u32);
    let mut scores = Vec::new();
    let ending = loop {
        if let Some(ending) = rules_ending(&game).or_else(|| judge.ending()) {
            break Some(ending);
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
        break Some(Ending { result: GameResult::win_of(!us), reason: Reason::Fault(fault) });
    };
    Played { game, scores, ending }
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
        let ending = played.ending.unwrap();
        assert_eq!(ending, Ending { result: GameResult::WhiteWins, reason: Reason::Checkmate });
    }

    #[test]
    fn the_third_occurrence_draws() {
        let shuffle = [(A1, A2), (H8, G8), (A2, A1), (G8, H8)].repeat(3);
        let played = play(ROOK, &shuffle, 0, Adjudication::default());
        assert_eq!(played.ending.unwrap().reason, Reason::Repetition);
        assert_eq!(played.game.moves().len(), 8);
    }

    #[test]
    fn an_illegal_move_loses() {
        let played = play(ROOK, &[(A7, A8)], 0, Adjudication::default());
        let ending = played.ending.unwrap();
        assert_eq!(ending.result, GameResult::BlackWins);
        assert_eq!(ending.reason, Reason::Fault("illegal move a7a8".into()));
    }

    #[test]
    fn steady_scores_end_the_game() {
        let rule = |score, plies| Some(ScoreRule { score, plies, from_ply: 0 });
        let moves = [(A1, A2), (H8, G8), (A2, A1), (G8, H8)];
        let rules = Adjudication { win: rule(500, 3), draw: rule(5, 2), max_plies: Some(4) };
        for (score, result, plies) in [
            (500, GameResult::WhiteWins, 3),
            (-900, GameResult::BlackWins, 3),
            (-5, GameResult::Draw, 2),
            (100, GameResult::Draw, 4),
        ] {
            let played = play(ROOK, &moves, score, rules);
            assert_eq!(played.ending.unwrap().result, result, "{score}");
            assert_eq!(played.game.moves().len(), plies, "{score}");
        }
    }

    #[test]
    fn a_stopped_game_has_no_result() {
        assert_eq!(play(ROOK, &[], 0, Adjudication::default()).ending, None);
    }
}
