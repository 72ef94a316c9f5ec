//! One game between two players: the arbiter asks, keeps the clocks and applies the Laws.
//!
//! UCI has no words for offers, claims and resignations. An engine that wants them tells the
//! arbiter, before its `bestmove`, with `info string arbiter: ` and one of `resign`, `offer draw`,
//! `accept draw`, `claim draw` (the position on the board) and `claim draw by move` (the position
//! its `bestmove` will bring about). Everything else is ignored.

use std::fmt::Write;
use std::time::Duration;

use super::adjourn::Adjourned;
use super::clock::{Clock, TimeControl, go_command};
use super::player::{Player, PlayerError, Score, Thought};
use super::scoresheet::Scoresheet;
use super::stop::Stop;
use crate::chess::{Color, Fen, Game, Move, Position};
use crate::referee::laws::{Fault, Referee, Rules, Ruling, Verdict};
use crate::referee::{self, Adjudication, Trends, Turn};

/// How a game is played.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The Laws.
    pub rules: Rules,
    /// What ends games besides.
    pub adjudication: Adjudication,
    /// Castling is told as king takes rook.
    pub chess960: bool,
    /// Games are adjourned after so many moves of both sides in one session.
    pub session: Option<u32>,
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
    /// It thinks on the opponent's time.
    pub ponder: bool,
}

/// Where a game begins.
#[derive(Clone, Debug)]
pub enum Beginning {
    /// After these moves, with the clocks at their start.
    Opening(Box<Game>),
    /// With a sealed move, which is played first (RULES 4.2).
    Adjourned(Box<Adjourned>),
}

/// What became of a game.
#[derive(Clone, Debug)]
pub enum End {
    /// It was played to its end.
    Played(Box<Played>),
    /// It is to be gone on with.
    Adjourned(Box<Adjourned>),
    /// It was given up, with nothing to go on with.
    Abandoned,
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// What was written down beside the moves.
    pub sheet: Scoresheet,
    /// How it ended.
    pub verdict: Verdict,
    /// The least time each side had left when it moved, in seconds, without the margin.
    pub least: [Option<f64>; Color::COUNT],
    /// Which players are not to be used again.
    pub broken: [bool; Color::COUNT],
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

/// The plies that the counter of a position says lie behind it.
fn plies_behind(position: &Position) -> u32 {
    2 * (position.fullmove_number() - 1) + u32::from(position.side_to_move() == Color::Black)
}

/// What stands around the board: players, clocks, and what is written down.
struct Table<'a> {
    seats: [Seat<'a>; Color::COUNT],
    clocks: [Clock; Color::COUNT],
    conditions: &'a Conditions,
    /// Plies made when the session began.
    begun: usize,
    sheet: Scoresheet,
    least: [Option<f64>; Color::COUNT],
    broken: [bool; Color::COUNT],
    /// The answer of the side to move, not looked at yet; it is paid for.
    sealed: Option<Thought>,
}

/// Plays a game to its end, or until it is adjourned or given up; White's seat first.
pub fn play(
    beginning: Beginning,
    seats: [Seat<'_>; Color::COUNT],
    conditions: &Conditions,
    stop: &Stop,
) -> End {
    let clocks = [&seats[0], &seats[1]].map(|seat| Clock::new(seat.control.clone(), seat.margin));
    let mut table = Table {
        seats,
        clocks,
        conditions,
        begun: 0,
        sheet: Scoresheet::default(),
        least: [None; 2],
        broken: [false; 2],
        sealed: None,
    };
    let mut trends = Trends::default();
    let (game, offer) = match beginning {
        Beginning::Opening(game) => {
            table.sheet = Scoresheet::of_opening(&game);
            (*game, None)
        }
        Beginning::Adjourned(adjourned) => {
            let offer = adjourned.offered.then(|| !adjourned.game.position().side_to_move());
            trends = adjourned.trends;
            (table.take_up(*adjourned), offer)
        }
    };
    table.begun = game.moves().len();
    let mut referee = Referee::new(game, conditions.rules.clone());
    if let Some(side) = offer {
        // It stood when the game was adjourned, so it stands now.
        let _ = referee.offer_draw(side);
    }
    if let Some(sealed) = table.sealed.take() {
        let side = referee.game().position().side_to_move();
        table.open_sealed(&mut referee, side, &sealed);
        trends.note(&conditions.adjudication, side, sealed.info.score.map(Score::centipawns));
    }
    table.begin(&mut referee);
    let behind = plies_behind(referee.game().position());
    let settings = &conditions.adjudication;
    let verdict = referee::play(&mut referee, settings, behind, &mut trends, |referee| {
        table.turn(referee, stop)
    });
    if verdict.is_some() {
        table.leave();
    }
    match (verdict, table.sealed.take()) {
        (Some(verdict), _) => End::Played(Box::new(Played {
            game: referee.into_game(),
            sheet: table.sheet,
            verdict,
            least: table.least,
            broken: table.broken,
        })),
        (None, Some(sealed)) => End::Adjourned(Box::new(Adjourned {
            offered: referee.standing_offer().is_some(),
            game: referee.into_game(),
            sheet: table.sheet,
            sealed,
            clocks: table.clocks.each_ref().map(Clock::reading),
            trends,
        })),
        (None, None) => End::Abandoned,
    }
}

impl Table<'_> {
    /// Sets everything up as it was when the game was adjourned.
    fn take_up(&mut self, adjourned: Adjourned) -> Game {
        self.sheet = adjourned.sheet;
        self.sealed = Some(adjourned.sealed);
        for (clock, reading) in self.clocks.iter_mut().zip(adjourned.clocks) {
            *clock = clock.clone().set_to(reading);
        }
        adjourned.game
    }

    /// The sealed move is played before anybody looks who has come: it counts even if its player
    /// has not (000, 10.15). One that can't be made loses (RULES 4.2; 000, 10.16).
    fn open_sealed(&mut self, referee: &mut Referee, side: Color, sealed: &Thought) {
        self.sheet.note(referee.game(), side, "had sealed its move; the game is resumed");
        match move_of(referee.game().position(), &sealed.best) {
            Ok(mv) => self.carry_out(referee, side, mv, sealed),
            Err(_) => {
                referee.unusable_sealed_move(side, &sealed.best);
            }
        }
    }

    /// Both players are told of the game; who does not answer has lost.
    fn begin(&mut self, referee: &mut Referee) {
        if referee.verdict().is_some() {
            return;
        }
        for side in Color::ALL {
            let ready = match &mut self.seats[side].player {
                Ok(player) => player.new_game(),
                Err(error) => Err(error.clone()),
            };
            if let Err(error) = ready {
                self.fail(referee, side, &error);
            }
        }
    }

    /// Nobody goes on thinking, and all has been heard: what an engine does wrong after its last
    /// move costs it no other game.
    fn leave(&mut self) {
        for (seat, broken) in self.seats.iter_mut().zip(&mut self.broken) {
            *broken |= match &mut seat.player {
                Ok(player) => !*broken && player.settle().is_err(),
                Err(_) => true,
            };
        }
    }

    fn fail(&mut self, referee: &mut Referee, side: Color, error: &PlayerError) {
        self.broken[side] = true;
        match error {
            PlayerError::Time => referee.flag_fell(side),
            error => referee.forfeit(side, Fault::Broken(error.to_string())),
        };
    }

    /// The side to move makes its move, or the game is adjourned or given up.
    fn turn(&mut self, referee: &mut Referee, stop: &Stop) -> Turn {
        let side = referee.game().position().side_to_move();
        let position = position_command(referee.game(), self.conditions.chess960);
        let go = go_command(&self.clocks[side], &self.clocks[!side], side == Color::White);
        let allowance = self.clocks[side].allowance();
        let [white, black] = &mut self.seats;
        let (mover, other) = if side == Color::White { (white, black) } else { (black, white) };
        let thought = match &mut mover.player {
            Ok(player) => player.think(&position, &go, allowance, || {
                if let Ok(other) = &mut other.player {
                    other.listen();
                }
                !stop.is_abandoned()
            }),
            Err(error) => Err(error.clone()),
        };
        match thought {
            Ok(thought) => {
                self.sheet.used[side] += thought.used;
                let score = thought.info.score.map(Score::centipawns);
                if self.answered(referee, side, thought, stop) {
                    return Turn::Stopped;
                }
                Turn::Taken(score)
            }
            Err(PlayerError::Stopped) => {
                self.broken[side] = true;
                Turn::Stopped
            }
            Err(error) => {
                self.fail(referee, side, &error);
                Turn::Taken(None)
            }
        }
    }

    /// A side has answered; whether it has sealed its move.
    fn answered(
        &mut self,
        referee: &mut Referee,
        side: Color,
        thought: Thought,
        stop: &Stop,
    ) -> bool {
        let spare = self.clocks[side].spare(thought.used);
        self.least[side] = [self.least[side], spare].into_iter().flatten().reduce(f64::min);
        let late = self.clocks[side].spend(thought.used).is_err();
        let plies = referee.game().moves().len() - self.begun;
        let session_over =
            self.conditions.session.is_some_and(|moves| plies as u64 >= 2 * u64::from(moves));
        if !late && (session_over || stop.is_wished()) {
            self.sheet.note(referee.game(), side, "seals its move; the game is adjourned");
            self.sealed = Some(thought);
            return true;
        }
        match move_of(referee.game().position(), &thought.best) {
            Err(fault) => {
                referee.forfeit(side, fault);
            }
            Ok(mv) if late => {
                referee.play_late(mv).expect("the move was found legal");
                if referee.game().moves().len() > self.sheet.remarks.len() {
                    self.sheet.add_move(&thought, &self.clocks[side]);
                }
            }
            Ok(mv) => {
                self.carry_out(referee, side, mv, &thought);
                self.ponder(referee, side, thought.ponder.as_deref());
            }
        }
        false
    }

    /// Does what a side has said, and makes its move unless that ended the game.
    fn carry_out(&mut self, referee: &mut Referee, side: Color, mv: Move, thought: &Thought) {
        let said = |text: &str| thought.messages.iter().any(|message| message == text);
        if said("resign") {
            referee.resign(side);
        } else if said("accept draw") {
            self.sheet.note(referee.game(), side, "accepts a draw");
            if let Err(error) = referee.accept_draw(side) {
                self.sheet.rulings.push(error.to_string());
            }
        } else if said("claim draw") {
            self.claim(referee, side, None);
        } else if said("claim draw by move") {
            self.claim(referee, side, Some(mv));
        }
        if referee.verdict().is_some() {
            return;
        }
        referee.play(mv).expect("the move was found legal");
        self.sheet.add_move(thought, &self.clocks[side]);
        if said("offer draw") && referee.offer_draw(side).is_ok() {
            self.sheet.note(referee.game(), side, "offers a draw");
        }
    }

    /// A side that has moved thinks on about the answer it expects, if it said one that can be.
    fn ponder(&mut self, referee: &Referee, side: Color, expected: Option<&str>) {
        if !self.seats[side].ponder || referee.verdict().is_some() {
            return;
        }
        let mut next = referee.game().clone();
        let expected = expected.and_then(|word| next.position().parse_uci(word).ok());
        if expected.and_then(|mv| next.play(mv).ok()).is_none() || next.ending().is_some() {
            return;
        }
        let position = position_command(&next, self.conditions.chess960);
        let go = go_command(&self.clocks[side], &self.clocks[!side], side == Color::White);
        let go = go.replacen("go", "go ponder", 1);
        if let Ok(player) = &mut self.seats[side].player {
            // If it is gone, its next turn will show it.
            let _ = player.ponder(position, &go);
        }
    }

    fn claim(&mut self, referee: &mut Referee, side: Color, announced: Option<Move>) {
        let left = self.clocks[side].left().unwrap_or(Duration::MAX / 4);
        let ruling = referee.claim(announced, left).expect("the move was found legal");
        if let Ruling::Wrong(penalty) = ruling {
            let seconds = [penalty.pays, penalty.gains].map(|time| time.as_secs_f64());
            self.sheet.note(
                referee.game(),
                side,
                &format!(
                    "claims a draw wrongly: it loses {} s, the opponent gains {} s",
                    seconds[0], seconds[1],
                ),
            );
            self.clocks[!side].give(penalty.gains);
            if self.clocks[side].take(penalty.pays).is_err() {
                referee.flag_fell(side);
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
    fn the_length_counts_from_the_first_move() {
        for (fen, plies) in [
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 301", 600),
        ] {
            assert_eq!(plies_behind(&fen.parse().unwrap()), plies, "{fen}");
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
