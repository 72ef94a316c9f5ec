//! Recorded games judged again: moves that are none, results that the Laws don't give.

use std::fmt;

use crate::chess::{Color, Game, Outcome};
use crate::pgn::Record;
use crate::referee::dead::{self, Effort};
use crate::referee::laws::{Referee, Rules};

/// What is wrong with a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding(pub String);

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything in a record that breaks the Laws or can't be read. Draws that need a claim may be
/// claimed or not; what ends a game by itself must have ended it.
pub fn check(record: &Record) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        record.flaws.iter().map(|flaw| Finding(flaw.to_string())).collect();
    let rules = Rules { automatic_claims: false, ..Rules::fide() };
    let mut referee = Referee::new(Game::new(*record.game.start()), rules);
    let mut over = None;
    for (ply, &mv) in record.game.moves().iter().enumerate() {
        if over.is_none()
            && let Some(verdict) = referee.verdict()
        {
            findings.push(Finding(format!(
                "the game goes on for {} plies after its end: {verdict}, after ply {ply}",
                record.game.moves().len() - ply,
            )));
            over = Some(verdict.clone());
        }
        if over.is_some() {
            break;
        }
        // Every recorded move is legal, and the game is not over.
        if referee.play(mv).is_err() {
            break;
        }
    }
    let verdict = over.or_else(|| referee.verdict().cloned());
    let Some(told) = record.result.and_then(crate::pgn::ResultMark::outcome) else {
        // `*` after the game's end withholds a result; a lost record tells nothing of its end.
        if let Some(verdict) =
            verdict.filter(|_| record.result.is_some() && record.flaws.is_empty())
        {
            findings.push(Finding(format!("no result, but {verdict}: {}", verdict.outcome)));
        }
        return findings;
    };
    if let Some(verdict) = verdict {
        if verdict.outcome != told {
            findings.push(Finding(format!("result {told}, but {verdict}: {}", verdict.outcome)));
        }
    } else if let Outcome::Win(winner) = told
        && !may_win(record, winner)
    {
        findings.push(Finding(format!("result {told}, but {winner:?} can't mate")));
    }
    findings
}

/// Whether a win without mate on the board can be right: the winner must be able to mate.
fn may_win(record: &Record, winner: Color) -> bool {
    dead::can_mate(record.game.position(), winner, Effort::MATCH.once()) != Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read;

    #[test]
    fn breaches_of_the_laws_are_named() {
        let rook = "[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"]\n";
        let bishop = "[FEN \"7k/8/6K1/8/8/8/5B2/7r w - - 0 1\"]\n";
        for (text, finding) in [
            ("1. f3 e5 2. g4 Qh4# 0-1".to_owned(), None),
            ("1. f3 e5 2. g4 Qh4# 1-0".to_owned(), Some("result 1-0, but Black mates: 0-1")),
            ("1. f3 e5 2. g4 Qh4# *".to_owned(), Some("no result, but Black mates: 0-1")),
            ("1. e4 e5 1-0".to_owned(), None),
            ("1. e4 e5 1/2-1/2".to_owned(), None),
            ("1. e4 Ke7 1-0".to_owned(), Some("1...: illegal move \"Ke7\"")),
            (format!("{rook}1. Ra8# 1-0"), None),
            (format!("{rook}1. Ra7 Kg8 2. Ra8# 1/2-1/2"), Some("result 1/2-1/2, but White mates")),
            (format!("{rook}1. Ra7 0-1"), Some("result 0-1, but Black can't mate")),
            (format!("{bishop}1. Bd4+ Kg8 2. Be5 Re1 3. Kf6 Rxe5 4. Kg6 1-0"), Some("result 1-0, but White can't")),
            (
                "[FEN \"7k/8/6K1/8/8/8/8/7r w - - 0 1\"]\n1. Kf6 Rh6+ 2. Kg5 Kg7 3. Kf4 Rh4+ 4. Kg3 Kg6 5. Kxh4 Kf6 6. Kh5 1/2-1/2"
                    .to_owned(),
                Some("the game goes on for 2 plies after its end: insufficient material"),
            ),
        ] {
            let found = check(&read(&text)[0]);
            match finding {
                None => assert_eq!(found, [], "{text}"),
                Some(finding) => {
                    assert!(found.iter().any(|told| told.0.starts_with(finding)), "{text}: {found:?}");
                }
            }
        }
    }
}
