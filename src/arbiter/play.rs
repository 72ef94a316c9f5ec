//! One game between two players: the arbiter asks, keeps the clocks and applies the Laws.
//!
//! UCI has no words for offers, claims and resignations. An engine that wants them tells the
//! arbiter, before its `bestmove`, with `info string arbiter: ` and one of `resign`, `offer draw`,
//! `accept draw`, `claim draw` (the position on the board) and `claim draw by move` (the position
//! its `bestmove` will bring about). Everything else is ignored.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::clock::{Clock, TimeControl, go_command};
use super::laws::{Fault, Referee, Rules, Ruling, Verdict};
use super::pgn::Remarks;
use super::player::{Player, PlayerError, Score, Thought};
use crate::chess::{Color, Fen, Game, Move, Outcome, Position};

/// A rule that gives a game up by the scores of the last moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreRule {
    /// The bound, in centipawns as engines report them.
    pub score: i32,
    /// How many moves of a side on end must keep to it.
    pub moves: u32,
    /// Not before this move number.
    pub from_move: u32,
    /// The opponent must see it too.
    pub two_sided: bool,
}

/// When games end although the Laws would let them go on; all off by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Lost for a side whose scores are at least this bad.
    pub resign: Option<ScoreRule>,
    /// Drawn when both sides' scores are at most this far from zero.
    pub draw: Option<ScoreRule>,
    /// Drawn when more plies than this lie behind, counted from move 1 of the position's counter.
    pub max_plies: Option<u32>,
}

/// How a game is played.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The Laws.
    pub rules: Rules,
    /// What ends games besides.
    pub adjudication: Adjudication,
    /// Castling is told as king takes rook.
    pub chess960: bool,
}

/// One of the two players at the board.
#[derive(Debug)]
pub struct Seat<'a> {
    /// The engine; none if it did not come (RULES 2.13), and why.
    pub player: Result<&'a mut Player, PlayerError>,
    /// Its clock's setting.
    pub control: TimeControl,
    /// Overrun that is forgiven.
    pub margin: Duration,
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// What stands beside each move.
    pub remarks: Vec<Remarks>,
    /// How it ended.
    pub verdict: Verdict,
    /// Time each side used.
    pub used: [Duration; Color::COUNT],
    /// Rulings that did not end the game: wrong claims and their penalties (RULES 4.5).
    pub rulings: Vec<String>,
    /// Which players are not to be used again.
    pub broken: [bool; Color::COUNT],
}

/// How many moves on end each side's scores have kept to the bounds.
#[derive(Clone, Copy, Debug, Default)]
struct Trends {
    losing: [u32; Color::COUNT],
    winning: [u32; Color::COUNT],
    level: [u32; Color::COUNT],
}

impl Trends {
    fn note(&mut self, side: Color, score: Option<Score>, rules: &Adjudication) {
        let score = score.map(Score::centipawns);
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        let resign = rules.resign.map_or(i32::MAX, |rule| rule.score);
        let draw = rules.draw.map_or(-1, |rule| rule.score);
        count(&mut self.losing[side], score.is_some_and(|score| score <= -resign));
        count(&mut self.winning[side], score.is_some_and(|score| score >= resign));
        count(&mut self.level[side], score.is_some_and(|score| score.abs() <= draw));
    }

    /// What the settings say after a move of `side`.
    fn verdict(
        &self,
        side: Color,
        position: &Position,
        rules: &Adjudication,
    ) -> Option<(Outcome, &'static str)> {
        let due = |rule: ScoreRule| position.fullmove_number() >= rule.from_move;
        if let Some(rule) = rules.resign.filter(|&rule| due(rule)) {
            for loser in [side, !side] {
                let seen = !rule.two_sided || self.winning[!loser] >= rule.moves;
                if self.losing[loser] >= rule.moves && seen {
                    return Some((Outcome::Win(!loser), "scores of a lost game"));
                }
            }
        }
        if let Some(rule) = rules.draw.filter(|&rule| due(rule))
            && self.level.iter().all(|&moves| moves >= rule.moves)
        {
            return Some((Outcome::Draw, "scores of a drawn game"));
        }
        let black = u32::from(position.side_to_move() == Color::Black);
        let plies = 2 * (position.fullmove_number() - 1) + black;
        let long = rules.max_plies.is_some_and(|most| plies > most);
        long.then_some((Outcome::Draw, "length"))
    }
}

/// The `position` command for a game.
pub fn position_command(game: &Game, chess960: bool) -> String {
    let start = game.start();
    let mut text = if *start == Position::startpos() {
        "position startpos".to_owned()
    } else if chess960 {
        format!("position fen {}", Fen::shredder(start))
    } else {
        format!("position fen {}", Fen::of(start))
    };
    let mut position = *start;
    for (i, &mv) in game.moves().iter().enumerate() {
        let word = if i == 0 { " moves " } else { " " };
        let _ = write!(text, "{word}{}", position.uci(mv, chess960));
        position.play(mv);
    }
    text
}

/// A move as an engine must write it: small letters, legal.
fn move_of(position: &Position, text: &str) -> Result<Move, Fault> {
    let illegal = || Fault::IllegalMove(text.chars().take(20).collect());
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Err(illegal());
    }
    position.parse_uci(text).map_err(|_| illegal())
}

fn remark(thought: &Thought, clock: &Clock) -> Remarks {
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
    Remarks { glyphs: Vec::new(), comment }
}

/// A game being played.
struct Table<'a> {
    seats: [Seat<'a>; Color::COUNT],
    clocks: [Clock; Color::COUNT],
    referee: Referee,
    conditions: &'a Conditions,
    remarks: Vec<Remarks>,
    trends: Trends,
    used: [Duration; Color::COUNT],
    rulings: Vec<String>,
    broken: [bool; Color::COUNT],
}

/// Plays an opening to the end of the game; White's seat first. None if `stop` was set.
pub fn play(
    opening: Game,
    seats: [Seat<'_>; Color::COUNT],
    conditions: &Conditions,
    stop: &AtomicBool,
) -> Option<Played> {
    let book = Remarks { glyphs: Vec::new(), comment: "book".into() };
    let clocks = [&seats[0], &seats[1]].map(|seat| Clock::new(seat.control.clone(), seat.margin));
    let mut table = Table {
        remarks: vec![book; opening.moves().len()],
        referee: Referee::new(opening, conditions.rules.clone()),
        seats,
        clocks,
        conditions,
        trends: Trends::default(),
        used: [Duration::ZERO; 2],
        rulings: Vec::new(),
        broken: [false; 2],
    };
    table.begin();
    while table.referee.verdict().is_none() {
        table.turn(stop)?;
    }
    let verdict = table.referee.verdict()?.clone();
    Some(Played {
        game: table.referee.game().clone(),
        remarks: table.remarks,
        verdict,
        used: table.used,
        rulings: table.rulings,
        broken: table.broken,
    })
}

impl Table<'_> {
    /// Both players are told of the game; who does not answer has lost.
    fn begin(&mut self) {
        for side in Color::ALL {
            let ready = match &mut self.seats[side].player {
                Ok(player) => player.new_game(),
                Err(error) => Err(error.clone()),
            };
            if let Err(error) = ready {
                self.fail(side, &error);
            }
        }
    }

    fn fail(&mut self, side: Color, error: &PlayerError) {
        self.broken[side] = true;
        match error {
            PlayerError::Time => self.referee.flag_fell(side),
            error => self.referee.forfeit(side, Fault::Broken(error.to_string())),
        };
    }

    /// The side to move makes its move; none if the match is being stopped.
    fn turn(&mut self, stop: &AtomicBool) -> Option<()> {
        let side = self.referee.game().position().side_to_move();
        let position = position_command(self.referee.game(), self.conditions.chess960);
        let go = go_command(&self.clocks[side], &self.clocks[!side], side == Color::White);
        let allowance = self.clocks[side].allowance();
        let thought = match &mut self.seats[side].player {
            Ok(player) => player.think(&position, &go, allowance, stop),
            Err(error) => Err(error.clone()),
        };
        match thought {
            Ok(thought) => self.answered(side, &thought),
            Err(PlayerError::Stopped) => {
                self.broken[side] = true;
                return None;
            }
            Err(error) => self.fail(side, &error),
        }
        Some(())
    }

    fn answered(&mut self, side: Color, thought: &Thought) {
        self.used[side] += thought.used;
        let mv = match move_of(self.referee.game().position(), &thought.best) {
            Ok(mv) => mv,
            Err(fault) => {
                self.referee.forfeit(side, fault);
                return;
            }
        };
        if self.clocks[side].spend(thought.used).is_err() {
            self.referee.play_late(mv).expect("the move was found legal");
            if self.referee.game().moves().len() > self.remarks.len() {
                self.remarks.push(remark(thought, &self.clocks[side]));
            }
            return;
        }
        let said = |text: &str| thought.messages.iter().any(|message| message == text);
        if said("resign") {
            self.referee.resign(side);
        } else if said("accept draw") {
            self.note(side, "accepts a draw");
            if let Err(error) = self.referee.accept_draw(side) {
                self.rulings.push(error.to_string());
            }
        } else if said("claim draw") {
            self.claim(side, None);
        } else if said("claim draw by move") {
            self.claim(side, Some(mv));
        }
        if self.referee.verdict().is_some() {
            return;
        }
        self.referee.play(mv).expect("the move was found legal");
        self.remarks.push(remark(thought, &self.clocks[side]));
        if self.referee.verdict().is_some() {
            return;
        }
        if said("offer draw") && self.referee.offer_draw(side).is_ok() {
            self.note(side, "offers a draw");
        }
        let adjudication = &self.conditions.adjudication;
        self.trends.note(side, thought.info.score, adjudication);
        let position = self.referee.game().position();
        if let Some((outcome, why)) = self.trends.verdict(side, position, adjudication) {
            self.referee.adjudicate(outcome, why);
        }
    }

    /// Keeps what happened beside the moves for the record.
    fn note(&mut self, side: Color, what: &str) {
        let number = self.referee.game().position().fullmove_number();
        self.rulings.push(format!("move {number}: {side:?} {what}"));
    }

    fn claim(&mut self, side: Color, announced: Option<Move>) {
        let left = self.clocks[side].left().unwrap_or(Duration::MAX / 4);
        let ruling = self.referee.claim(announced, left).expect("the move was found legal");
        if let Ruling::Wrong(penalty) = ruling {
            let seconds = [penalty.pays, penalty.gains].map(|time| time.as_secs_f64());
            self.note(
                side,
                &format!(
                    "claims a draw wrongly: it loses {} s, the opponent gains {} s",
                    seconds[0], seconds[1],
                ),
            );
            self.clocks[!side].give(penalty.gains);
            if self.clocks[side].take(penalty.pays).is_err() {
                self.referee.flag_fell(side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_told_with_their_moves() {
        let mut game = Game::default();
        assert_eq!(position_command(&game, false), "position startpos");
        game.play(game.position().parse_uci("e2e4").unwrap()).unwrap();
        assert_eq!(position_command(&game, true), "position startpos moves e2e4");
        let mut game = Game::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap());
        game.play(game.position().parse_uci("e1g1").unwrap()).unwrap();
        let text = position_command(&game, false);
        assert_eq!(text, "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
        let text = position_command(&game, true);
        assert_eq!(text, "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1");
    }

    #[test]
    fn scores_end_games_only_as_they_are_told_to() {
        let rule =
            |score, moves, two_sided| Some(ScoreRule { score, moves, from_move: 1, two_sided });
        let one = Adjudication { resign: rule(500, 2, false), ..Adjudication::default() };
        let two = Adjudication { resign: rule(500, 2, true), ..Adjudication::default() };
        let draw = Adjudication { draw: rule(10, 2, false), ..Adjudication::default() };
        let position = Position::startpos();
        for (rules, scores, outcome) in [
            (one, vec![100, -500, 100, -600], Some(Outcome::Win(Color::White))),
            (one, vec![100, -499, 100, -600], None),
            (two, vec![100, -500, 100, -600], None),
            (two, vec![600, -500, 600, -600], Some(Outcome::Win(Color::White))),
            (draw, vec![10, -10, 0, 0], Some(Outcome::Draw)),
            (draw, vec![10, -11, 0, 0], None),
            (Adjudication::default(), vec![0, -30_000, 0, -30_000], None),
        ] {
            let mut trends = Trends::default();
            for (i, &score) in scores.iter().enumerate() {
                trends.note(Color::ALL[i % 2], Some(Score::Centipawns(score)), &rules);
            }
            let verdict = trends.verdict(Color::Black, &position, &rules);
            assert_eq!(verdict.map(|(outcome, _)| outcome), outcome, "{scores:?}");
        }
    }

    #[test]
    fn the_length_counts_from_the_first_move() {
        let rules = Adjudication { max_plies: Some(600), ..Adjudication::default() };
        for (fen, long) in [
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 301", false),
            ("4k3/8/8/8/8/8/8/4K2R b - - 0 301", true),
        ] {
            let position: Position = fen.parse().unwrap();
            let verdict = Trends::default().verdict(Color::White, &position, &rules);
            assert_eq!(verdict.is_some(), long, "{fen}");
        }
    }

    #[test]
    fn only_small_letters_make_a_move() {
        let position = Position::startpos();
        assert!(move_of(&position, "e2e4").is_ok());
        for text in ["E2E4", "e2E4", "e2e5", "(none)", "0000", "", "e2e4q", "e2"] {
            assert_eq!(move_of(&position, text), Err(Fault::IllegalMove(text.into())), "{text}");
        }
    }
}
