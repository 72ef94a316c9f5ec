//! One game between two players: whose turn it is, when it is over, and who has won.
//!
//! Training games, matches of networks and matches of engines all go through the one loop here,
//! [`play`]. What differs between them is handed in: the [`Rules`] the [`Referee`]
//! applies, the settings that end games besides ([`Adjudication`]), and who takes the turns. The
//! loop knows nothing of clocks, processes and files.
//!
//! | module | what it is |
//! |---|---|
//! | [`laws`] | how games end: claims, agreement, resignation, flags; pure logic |
//! | [`dead`] | positions from which no series of legal moves mates |
//! | [`adjudication`] | ends by the players' scores and by length |
//! | [`score`] | points, Elo with its interval, sequential tests |

use crate::chess::{Ending, Game, Move};

pub mod adjudication;
pub mod dead;
pub mod laws;
pub mod score;

pub use adjudication::{Adjudication, ScoreRule, Trends};
pub use laws::{Referee, Rules, Verdict};

/// What came of a side's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// It has moved, or the game has ended by what it did; its score of the position it had, in
    /// centipawns from its own view, if it said one.
    Taken(Option<i32>),
    /// The whole game is to be given up without a result.
    Stopped,
}

/// Plays the game at the referee's table to its end: `turn` is called for the side to move in
/// each position that is not over, and makes its move or ends the game there. `behind` plies
/// count as played before, `trends` are what their scores have come to. None if a turn stopped the
/// game.
pub fn play(
    referee: &mut Referee,
    adjudication: &Adjudication,
    behind: u32,
    trends: &mut Trends,
    mut turn: impl FnMut(&mut Referee) -> Turn,
) -> Option<Verdict> {
    let begun = referee.game().moves().len();
    loop {
        if let Some(verdict) = referee.verdict() {
            return Some(verdict.clone());
        }
        let side = referee.game().position().side_to_move();
        let plies = behind + (referee.game().moves().len() - begun) as u32;
        if let Some((outcome, why)) = trends.ruling(adjudication, !side, plies) {
            return Some(referee.adjudicate(outcome, why).clone());
        }
        match turn(referee) {
            Turn::Taken(score) => trends.note(adjudication, side, score),
            Turn::Stopped => return None,
        }
    }
}

/// What a player that only moves does on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It moves, and perhaps says what it thinks of the position, from its own view.
    Move(Move, Option<i32>),
    /// The whole game is to be given up without a result.
    Stop,
}

/// A game that was played by [`play_game`].
#[derive(Clone, Debug)]
pub struct Played {
    /// The game with all its moves.
    pub game: Game,
    /// What the mover thought of each position the players met, from White's view; the moves the
    /// game already had are not counted.
    pub scores: Vec<Option<i32>>,
    /// The end; none if a player stopped the game.
    pub verdict: Option<Verdict>,
}

/// Plays `game` between players that only move, under the plain rules: draws that may be claimed
/// are claimed, and an illegal move loses.
///
/// ```
/// use qishou::chess::Game;
/// use qishou::referee::{Adjudication, Answer, play_game};
/// let first = |game: &Game| Answer::Move(game.position().legal_moves()[0], None);
/// let rules = Adjudication { max_plies: Some(30), ..Adjudication::default() };
/// assert!(play_game(Game::default(), &rules, first).verdict.is_some());
/// ```
pub fn play_game(
    game: Game,
    adjudication: &Adjudication,
    mut answer: impl FnMut(&Game) -> Answer,
) -> Played {
    let behind = game.moves().len() as u32;
    let mut referee = Referee::new(game, Rules::plain());
    let mut scores = Vec::new();
    let mut trends = Trends::default();
    let verdict = play(&mut referee, adjudication, behind, &mut trends, |referee| {
        let Answer::Move(mv, score) = answer(referee.game()) else { return Turn::Stopped };
        let side = referee.game().position().side_to_move();
        match referee.play(mv) {
            Ok(_) => scores.push(score.map(|score| score * side.sign())),
            Err(_) => {
                referee.forfeit(side, laws::Fault::IllegalMove(mv.to_string()));
            }
        }
        Turn::Taken(score)
    });
    Played { game: referee.into_game(), scores, verdict }
}

/// Whether the rules of chess have ended the game; a draw that could be claimed is claimed.
pub fn rules_ending(game: &Game) -> Option<Ending> {
    game.ending().or_else(|| game.claimable_draw())
}

#[cfg(test)]
mod tests {
    use super::laws::{Fault, Reason};
    use super::*;
    use crate::chess::{Color, Outcome, Position, Square};

    /// The moves of a script, with a fixed score from White's view; stops after the last.
    fn play(fen: &str, moves: &[(Square, Square)], score: i32, rules: Adjudication) -> Played {
        let start: Position = fen.parse().unwrap();
        play_game(Game::new(start), &rules, |game| {
            let sign = game.position().side_to_move().sign();
            moves.get(game.moves().len()).map_or(Answer::Stop, |&(from, to)| {
                Answer::Move(Move::normal(from, to), Some(score * sign))
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
        let wanted = Verdict::fault(Color::White, Fault::IllegalMove("a7a8".into()));
        assert_eq!(played.verdict, Some(wanted));
        assert_eq!(played.scores, []);
    }

    #[test]
    fn steady_scores_end_the_game() {
        let rule = |score| Some(ScoreRule { score, moves: 2, from_ply: 0, two_sided: true });
        let moves = [(A1, A2), (H8, G8), (A2, A1), (G8, H8), (A1, A7), (H8, G8)];
        let rules = Adjudication { win: rule(500), draw: rule(5), max_plies: Some(6) };
        for (score, outcome, plies) in [
            (500, Outcome::Win(Color::White), 4),
            (-900, Outcome::Win(Color::Black), 4),
            (-5, Outcome::Draw, 4),
            (100, Outcome::Draw, 6),
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
