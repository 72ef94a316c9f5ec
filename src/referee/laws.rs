//! The Laws: how a game ends, and what players may ask for. Pure logic: no clock runs here and no
//! process; who keeps them reports what happened.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use super::dead::{self, Effort, Life};
use crate::chess::{Color, Ending, Game, IllegalMove, Move, Outcome, PieceKind, Position};

/// What a fallen flag is worth to the opponent (RULES 2.10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagRule {
    /// A draw if no series of legal moves lets the opponent mate, as far as that can be shown.
    CannotMate,
    /// A draw if the opponent has a lone king.
    LoneKing,
}

/// What a wrong claim costs (RULES 2.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongClaim {
    /// The opponent gets more time: two minutes under today's Laws.
    OpponentGains(Duration),
    /// So much is taken from the claimant's time: five minutes in the older Laws.
    ClaimantPays(Duration),
    /// The claimant loses half of what it has left, but no more than this, and the opponent gets
    /// this much.
    HalfOfTheRest(Duration),
}

/// What a wrong claim does to the two clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Penalty {
    /// Taken from the claimant.
    pub pays: Duration,
    /// Given to the opponent.
    pub gains: Duration,
}

impl WrongClaim {
    /// The penalty for a claimant that has this much time left.
    pub fn penalty(self, left: Duration) -> Penalty {
        match self {
            Self::OpponentGains(gains) => Penalty { pays: Duration::ZERO, gains },
            Self::ClaimantPays(pays) => Penalty { pays, gains: Duration::ZERO },
            Self::HalfOfTheRest(most) => Penalty { pays: (left / 2).min(most), gains: most },
        }
    }
}

/// A set of rules for a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Draws that may be claimed are claimed by the arbiter as soon as they are there.
    pub automatic_claims: bool,
    /// Fivefold repetition and seventy-five moves end the game (RULES 2.8).
    pub automatic_draws: bool,
    /// Plies without capture or pawn move after which a draw may be claimed (RULES 2.7).
    pub fifty_moves: u32,
    /// Whether resigning to an opponent that can't mate draws.
    pub hopeless_resignation_draws: bool,
    /// What a fallen flag is worth.
    pub flag: FlagRule,
    /// What a wrong claim costs.
    pub wrong_claim: WrongClaim,
    /// How hard dead positions are looked for.
    pub effort: Effort,
}

impl Rules {
    /// Today's Laws as match runners apply them: draws are claimed automatically.
    pub const fn fide() -> Self {
        Self {
            automatic_claims: true,
            automatic_draws: true,
            fifty_moves: 100,
            hopeless_resignation_draws: true,
            flag: FlagRule::CannotMate,
            wrong_claim: WrongClaim::OpponentGains(Duration::from_mins(2)),
            effort: Effort::MATCH,
        }
    }

    /// The rules of the documents the project began with: players claim for themselves.
    pub const fn seed() -> Self {
        Self {
            automatic_claims: false,
            automatic_draws: false,
            fifty_moves: 100,
            hopeless_resignation_draws: false,
            flag: FlagRule::LoneKing,
            wrong_claim: WrongClaim::ClaimantPays(Duration::from_mins(5)),
            effort: Effort::MATCH,
        }
    }

    /// What games need that only serve as data: today's Laws, but dead positions are known by the
    /// men on the board alone.
    pub const fn plain() -> Self {
        Self { effort: Effort::NONE, ..Self::fide() }
    }

    /// The set with this name, `fide` or `seed`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "fide" => Some(Self::fide()),
            "seed" => Some(Self::seed()),
            _ => None,
        }
    }
}

/// By what a player forfeits a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The move that was sent can't be made (RULES 2.12).
    IllegalMove(String),
    /// It did not start, died, fell silent or broke the protocol (RULES 2.13).
    Broken(String),
    /// The move it had sealed can't be made (RULES 4.2).
    Sealed(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalMove(text) => write!(f, "illegal move {text}"),
            Self::Broken(text) => f.write_str(text),
            Self::Sealed(text) => write!(f, "illegal sealed move {text}"),
        }
    }
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The rules of chess.
    Rules(Ending),
    /// No series of legal moves can mate, shown by more than the men (RULES 2.4).
    DeadPosition,
    /// Both players agreed to a draw (RULES 2.5).
    Agreement,
    /// A player gave up (RULES 2.2).
    Resignation(Color),
    /// A flag fell (RULES 2.10).
    Flag(Color),
    /// A player broke the rules or itself.
    Fault(Color, Fault),
    /// The match's own settings ended it, for this reason.
    Adjudication(&'static str),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(ending) => ending.fmt(f),
            Self::DeadPosition => f.write_str("dead position"),
            Self::Agreement => f.write_str("draw by agreement"),
            Self::Resignation(side) => write!(f, "{side:?} resigns"),
            Self::Flag(side) => write!(f, "{side:?} loses on time"),
            Self::Fault(side, fault) => write!(f, "{side:?}: {fault}"),
            Self::Adjudication(why) => write!(f, "adjudicated: {why}"),
        }
    }
}

/// How and why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The result.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

/// The reason in words. A flag or resignation that draws says why.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.reason, self.outcome) {
            (Reason::Flag(side), Outcome::Draw) => {
                write!(f, "{side:?}'s flag fell, but {:?} can't mate", !*side)
            }
            (Reason::Resignation(side), Outcome::Draw) => {
                write!(f, "{side:?} resigns, but {:?} can't mate", !*side)
            }
            (Reason::Fault(side, fault), Outcome::Draw) => {
                write!(f, "{side:?}: {fault}, but {:?} can't mate", !*side)
            }
            (reason, _) => reason.fmt(f),
        }
    }
}

impl Verdict {
    const fn draw(reason: Reason) -> Self {
        Self { outcome: Outcome::Draw, reason }
    }

    /// A loss for `side` by a fault of its own.
    pub const fn fault(side: Color, fault: Fault) -> Self {
        let winner = match side {
            Color::White => Color::Black,
            Color::Black => Color::White,
        };
        Self { outcome: Outcome::Win(winner), reason: Reason::Fault(side, fault) }
    }

    /// An end by the match's own settings, which are no part of the Laws.
    pub const fn adjudicated(outcome: Outcome, why: &'static str) -> Self {
        Self { outcome, reason: Reason::Adjudication(why) }
    }

    /// What the `Termination` tag of PGN says of it.
    pub const fn termination(&self) -> &'static str {
        match self.reason {
            Reason::Flag(_) => "time forfeit",
            Reason::Fault(_, Fault::IllegalMove(_) | Fault::Sealed(_)) => "illegal move",
            Reason::Fault(_, Fault::Broken(_)) => "abandoned",
            Reason::Adjudication(_) => "adjudication",
            _ => "normal",
        }
    }
}

/// What can't be done with a draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OfferError {
    /// A draw is offered right after making one's move, before the opponent answers it.
    #[error("{0:?} offers a draw, but has not just moved")]
    NotAfterMove(Color),
    /// There is nothing to answer.
    #[error("{0:?} answers a draw offer that nobody made")]
    NoOffer(Color),
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// What the arbiter says to a claim of a draw (RULES 2.6, 2.7, 2.11).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// It is right, and the game is over.
    Right(Verdict),
    /// It is wrong: the clocks are set, and an announced move must be played.
    Wrong(Penalty),
}

/// A game under a set of rules.
///
/// ```
/// use qishou::referee::laws::{Reason, Referee, Rules};
/// use qishou::chess::{Color, Game};
/// let mut referee = Referee::new(Game::default(), Rules::fide());
/// referee.play(referee.game().position().parse_uci("e2e4")?)?;
/// referee.offer_draw(Color::White)?;
/// let verdict = referee.accept_draw(Color::Black)?;
/// assert_eq!(verdict.reason, Reason::Agreement);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Referee {
    rules: Rules,
    game: Game,
    /// Who has offered a draw that stands.
    offer: Option<Color>,
    verdict: Option<Verdict>,
}

impl Referee {
    /// A game under these rules; it may be over at once.
    pub fn new(game: Game, rules: Rules) -> Self {
        let mut referee = Self { rules, game, offer: None, verdict: None };
        referee.verdict = referee.find_ending();
        referee
    }

    /// The game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game, when the referee is done with it.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How the game has ended, if it has.
    pub const fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// Who has offered a draw that has not been answered.
    pub const fn standing_offer(&self) -> Option<Color> {
        self.offer
    }

    /// Makes a move; an offer of the opponent is refused by it (RULES 2.5).
    ///
    /// # Errors
    /// If it is illegal or the game is over; the game stays as it was (RULES 2.12).
    pub fn play(&mut self, mv: Move) -> Result<Option<&Verdict>, IllegalMove> {
        if self.verdict.is_some() {
            return Err(IllegalMove(mv));
        }
        self.game.play(mv)?;
        self.offer = None;
        self.verdict = self.find_ending();
        Ok(self.verdict.as_ref())
    }

    /// Makes a move that came when the mover's time was up. It counts only if it ends the game on
    /// the board at once (RULES 3.2); otherwise the flag has fallen first.
    ///
    /// # Errors
    /// If the move is illegal or the game is over.
    pub fn play_late(&mut self, mv: Move) -> Result<&Verdict, IllegalMove> {
        if self.verdict.is_some() || !self.game.position().is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let after = self.game.position().child(mv);
        if after.has_legal_move() {
            let side = self.game.position().side_to_move();
            return Ok(self.flag_fell(side));
        }
        self.play(mv)?;
        // Mate and stalemate have ended the game, and what has ended stays as it is.
        Ok(self.flag_fell(!self.game.position().side_to_move()))
    }

    fn find_ending(&self) -> Option<Verdict> {
        let ruled = |ending: Ending| {
            Some(Verdict { outcome: ending.outcome(), reason: Reason::Rules(ending) })
        };
        match self.game.ending() {
            Some(Ending::FivefoldRepetition | Ending::SeventyFiveMoves)
                if !self.rules.automatic_draws => {}
            Some(ending) => return ruled(ending),
            None => {}
        }
        if dead::judge(self.game.position(), self.rules.effort) == Life::Dead {
            return Some(Verdict::draw(Reason::DeadPosition));
        }
        if !self.rules.automatic_claims {
            return None;
        }
        ruled(self.claimable(self.game.position(), self.game.repetitions())?)
    }

    fn claimable(&self, position: &Position, occurrences: usize) -> Option<Ending> {
        if !position.has_legal_move() {
            None
        } else if occurrences >= 3 {
            Some(Ending::ThreefoldRepetition)
        } else if position.halfmove_clock() >= self.rules.fifty_moves {
            Some(Ending::FiftyMoves)
        } else {
            None
        }
    }

    /// The side to move claims a draw: by the position on the board, or by the one its intended
    /// move will bring about (RULES 2.6, 2.7). `left` is the claimant's time. After a wrong claim
    /// the game goes on and an announced move must be played (RULES 2.11).
    ///
    /// # Errors
    /// If the announced move is illegal or the game is over.
    pub fn claim(
        &mut self,
        announced: Option<Move>,
        left: Duration,
    ) -> Result<Ruling, IllegalMove> {
        let found = match announced {
            None => self.claimable(self.game.position(), self.game.repetitions()),
            Some(mv) if self.verdict.is_some() => return Err(IllegalMove(mv)),
            Some(mv) => {
                let mut next = self.game.clone();
                next.play(mv)?;
                self.claimable(next.position(), next.repetitions())
            }
        };
        let Some(ending) = found.filter(|_| self.verdict.is_none()) else {
            return Ok(Ruling::Wrong(self.rules.wrong_claim.penalty(left)));
        };
        let verdict = Verdict::draw(Reason::Rules(ending));
        self.verdict = Some(verdict.clone());
        Ok(Ruling::Right(verdict))
    }

    /// A side that has just moved offers a draw. The offer stands until it is refused or answered
    /// by a move, and can't be withdrawn (RULES 2.5).
    ///
    /// # Errors
    /// If it has not just moved or the game is over.
    pub fn offer_draw(&mut self, side: Color) -> Result<(), OfferError> {
        if self.verdict.is_some() {
            return Err(OfferError::Over);
        }
        if self.game.position().side_to_move() == side || self.game.moves().is_empty() {
            return Err(OfferError::NotAfterMove(side));
        }
        self.offer = Some(side);
        Ok(())
    }

    /// The opponent of the side that offered a draw accepts.
    ///
    /// # Errors
    /// If there is no offer or the game is over.
    pub fn accept_draw(&mut self, side: Color) -> Result<&Verdict, OfferError> {
        self.answer(side)?;
        Ok(self.verdict.insert(Verdict::draw(Reason::Agreement)))
    }

    /// The opponent of the side that offered a draw refuses without moving.
    ///
    /// # Errors
    /// If there is no offer or the game is over.
    pub fn refuse_draw(&mut self, side: Color) -> Result<(), OfferError> {
        self.answer(side)
    }

    fn answer(&mut self, side: Color) -> Result<(), OfferError> {
        if self.verdict.is_some() {
            return Err(OfferError::Over);
        }
        if self.offer != Some(!side) {
            return Err(OfferError::NoOffer(side));
        }
        self.offer = None;
        Ok(())
    }

    /// A side gives up (RULES 2.2). What has ended stays as it is.
    pub fn resign(&mut self, side: Color) -> &Verdict {
        let saved = self.rules.hopeless_resignation_draws && !self.may_mate(!side);
        self.lose(side, saved, Reason::Resignation(side))
    }

    /// A side's flag fell (RULES 2.10). What has ended stays as it is.
    pub fn flag_fell(&mut self, side: Color) -> &Verdict {
        let saved = self.is_saved(side);
        self.lose(side, saved, Reason::Flag(side))
    }

    /// The move that a side had sealed can't be made: it loses as if its flag had fallen (RULES
    /// 4.2; 000, 10.5 and 10.16). What has ended stays as it is.
    pub fn unusable_sealed_move(&mut self, side: Color, text: &str) -> &Verdict {
        let saved = self.is_saved(side);
        let text = text.chars().take(20).collect();
        self.lose(side, saved, Reason::Fault(side, Fault::Sealed(text)))
    }

    /// Whether a side that has lost the right to go on draws, since its opponent can't win.
    fn is_saved(&self, side: Color) -> bool {
        match self.rules.flag {
            FlagRule::CannotMate => !self.may_mate(!side),
            FlagRule::LoneKing => {
                let men = self.game.position().side(!side);
                men == self.game.position().pieces(PieceKind::King, !side)
            }
        }
    }

    /// A side forfeits (RULES 2.12, 2.13). What has ended stays as it is.
    pub fn forfeit(&mut self, side: Color, fault: Fault) -> &Verdict {
        self.verdict.get_or_insert(Verdict::fault(side, fault))
    }

    /// The match's settings end the game. What has ended stays as it is.
    pub fn adjudicate(&mut self, outcome: Outcome, why: &'static str) -> &Verdict {
        self.verdict.get_or_insert(Verdict::adjudicated(outcome, why))
    }

    fn lose(&mut self, side: Color, saved: bool, reason: Reason) -> &Verdict {
        let outcome = if saved { Outcome::Draw } else { Outcome::Win(!side) };
        self.verdict.get_or_insert(Verdict { outcome, reason })
    }

    /// Whether a side may yet mate; what can't be shown impossible counts as possible.
    fn may_mate(&self, side: Color) -> bool {
        dead::can_mate(self.game.position(), side, self.rules.effort.once()) != Some(false)
    }
}

#[cfg(test)]
#[path = "laws/tests.rs"]
mod tests;
