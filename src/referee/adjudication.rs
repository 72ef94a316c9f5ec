//! Ends of games that the Laws don't know: by the players' own scores, and by length.

use crate::chess::{Color, Outcome};

/// A rule that ends a game by the scores of the last moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreRule {
    /// The bound, in centipawns as the players report them.
    pub score: i32,
    /// How many moves of a side on end must keep to it.
    pub moves: u32,
    /// Not before so many plies have been played.
    pub from_ply: u32,
    /// The winner must see it too; both sides must always see a draw.
    pub two_sided: bool,
}

/// When games end although the Laws would let them go on; all off by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Lost for a side whose scores are at least this bad.
    pub win: Option<ScoreRule>,
    /// Drawn when both sides' scores are at most this far from zero.
    pub draw: Option<ScoreRule>,
    /// Drawn after so many plies.
    pub max_plies: Option<u32>,
}

/// How many moves on end each side's scores have kept to the bounds. They go on through an
/// adjournment, so they are kept with the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trends {
    /// Moves with scores of a lost game.
    pub losing: [u32; Color::COUNT],
    /// Moves with scores of a won game.
    pub winning: [u32; Color::COUNT],
    /// Moves with scores of a drawn game.
    pub level: [u32; Color::COUNT],
}

impl Trends {
    /// A side has moved; its score is from its own view.
    pub fn note(&mut self, rules: &Adjudication, side: Color, score: Option<i32>) {
        let count =
            |counter: &mut u32, rule: Option<ScoreRule>, holds: &dyn Fn(i32, i32) -> bool| {
                let kept = score.zip(rule).is_some_and(|(score, rule)| holds(score, rule.score));
                *counter = if kept { *counter + 1 } else { 0 };
            };
        count(&mut self.losing[side], rules.win, &|score, bound| score <= -bound);
        count(&mut self.winning[side], rules.win, &|score, bound| score >= bound);
        count(&mut self.level[side], rules.draw, &|score, bound| score.abs() <= bound);
    }

    /// What the settings say after so many plies, the last by `side`.
    pub(super) fn ruling(
        &self,
        rules: &Adjudication,
        side: Color,
        plies: u32,
    ) -> Option<(Outcome, &'static str)> {
        let due = |rule: &ScoreRule| plies >= rule.from_ply;
        if let Some(rule) = rules.win.filter(due) {
            for loser in [side, !side] {
                let seen = !rule.two_sided || self.winning[!loser] >= rule.moves;
                if self.losing[loser] >= rule.moves && seen {
                    return Some((Outcome::Win(!loser), "scores of a lost game"));
                }
            }
        }
        if let Some(rule) = rules.draw.filter(due)
            && self.level.iter().all(|&moves| moves >= rule.moves)
        {
            return Some((Outcome::Draw, "scores of a drawn game"));
        }
        let long = rules.max_plies.is_some_and(|most| plies >= most);
        long.then_some((Outcome::Draw, "length"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_end_games_only_as_they_are_told_to() {
        let rule =
            |score, moves, two_sided| Some(ScoreRule { score, moves, from_ply: 4, two_sided });
        let one = Adjudication { win: rule(500, 2, false), ..Adjudication::default() };
        let two = Adjudication { win: rule(500, 2, true), ..Adjudication::default() };
        let draw = Adjudication { draw: rule(10, 2, false), ..Adjudication::default() };
        let white = Some(Outcome::Win(Color::White));
        for (rules, scores, outcome) in [
            (one, vec![Some(100), Some(-500), Some(100), Some(-600)], white),
            (one, vec![Some(100), Some(-499), Some(100), Some(-600)], None),
            (one, vec![Some(100), Some(-500), Some(100), None], None),
            (one, vec![Some(0), Some(-500), None], None),
            (two, vec![Some(100), Some(-500), Some(100), Some(-600)], None),
            (two, vec![Some(600), Some(-500), Some(600), Some(-600)], white),
            (draw, vec![Some(10), Some(-10), Some(0), Some(0)], Some(Outcome::Draw)),
            (draw, vec![Some(10), Some(-11), Some(0), Some(0)], None),
            (Adjudication::default(), vec![Some(0), Some(-30_000), Some(0), Some(-30_000)], None),
        ] {
            let mut trends = Trends::default();
            for (i, &score) in scores.iter().enumerate() {
                trends.note(&rules, Color::ALL[i % 2], score);
            }
            let ruling = |plies| trends.ruling(&rules, Color::Black, plies);
            assert_eq!(ruling(4).map(|(outcome, _)| outcome), outcome, "{scores:?}");
            assert_eq!(ruling(3), None, "{scores:?}: too early");
        }
    }

    #[test]
    fn a_game_becomes_too_long_at_its_last_ply() {
        let rules = Adjudication { max_plies: Some(600), ..Adjudication::default() };
        for (plies, long) in [(599, false), (600, true), (601, true)] {
            let ruling = Trends::default().ruling(&rules, Color::White, plies);
            assert_eq!(ruling.is_some(), long, "{plies}");
        }
    }
}
