//! The grade points of the documents the project began with (RULES 4.4).

use std::collections::BTreeMap;

use crate::chess::{Color, Outcome};

/// How a game ended for the player with the lower rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerDid {
    /// It won.
    Win,
    /// It drew.
    Draw,
    /// It lost.
    Lose,
}

/// Points that the lower-rated player gains from the other one: negative if it loses them. `gap` is
/// the difference of the two ratings before the game, not negative.
///
/// ```
/// use qishou::arbiter::grade::{LowerDid, gain};
/// assert_eq!(gain(LowerDid::Win, 150.0), 75.0);
/// assert_eq!(gain(LowerDid::Draw, 50.0), 7.5);
/// assert_eq!(gain(LowerDid::Lose, 50.0), -6.0);
/// ```
pub fn gain(lower: LowerDid, gap: f64) -> f64 {
    match lower {
        LowerDid::Draw if gap < 10.0 => 0.0,
        LowerDid::Draw if gap < 100.0 => f64::midpoint(10.0, gap / 10.0),
        LowerDid::Draw => gap / 4.0,
        LowerDid::Win if gap < 10.0 => 10.0,
        LowerDid::Win if gap < 100.0 => 10.0 + gap / 10.0,
        LowerDid::Win => gap / 2.0,
        LowerDid::Lose if gap < 10.0 => -10.0,
        LowerDid::Lose if gap < 100.0 => gap / 12.5 - 10.0,
        LowerDid::Lose if gap < 200.0 => -2.0,
        LowerDid::Lose => 0.0,
    }
}

/// The grade that points are worth: none below 100, then 30 and one better for each 100 points,
/// up to 1.
pub fn grade(points: f64) -> Option<u32> {
    let hundreds = (points / 100.0).floor();
    if hundreds < 1.0 { None } else { Some(31 - hundreds.min(30.0) as u32) }
}

/// Players with their points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Points by name; a player that is not there has none.
    pub points: BTreeMap<String, f64>,
}

impl Table {
    /// Counts a game between two players.
    pub fn add(&mut self, white: &str, black: &str, outcome: Outcome) {
        let of = |name: &str| self.points.get(name).copied().unwrap_or(0.0);
        let (white_points, black_points) = (of(white), of(black));
        // With equal ratings either may count as the lower: the gap is 0.
        let lower = if black_points < white_points { Color::Black } else { Color::White };
        let did = match outcome {
            Outcome::Draw => LowerDid::Draw,
            Outcome::Win(winner) if winner == lower => LowerDid::Win,
            Outcome::Win(_) => LowerDid::Lose,
        };
        let gain = gain(did, (white_points - black_points).abs());
        let for_white = if lower == Color::White { gain } else { -gain };
        self.points.insert(white.to_owned(), white_points + for_white);
        self.points.insert(black.to_owned(), black_points - for_white);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RULES 4.4, every bracket from both sides of each line.
    #[test]
    fn rule_4_4_points_by_the_difference() {
        use LowerDid::{Draw, Lose, Win};
        for (did, gap, points) in [
            (Draw, 0.0, 0.0),
            (Draw, 9.0, 0.0),
            (Draw, 10.0, 5.5),
            (Draw, 99.0, 9.95),
            (Draw, 100.0, 25.0),
            (Draw, 400.0, 100.0),
            (Win, 0.0, 10.0),
            (Win, 9.0, 10.0),
            (Win, 10.0, 11.0),
            (Win, 99.0, 19.9),
            (Win, 100.0, 50.0),
            (Win, 300.0, 150.0),
            (Lose, 0.0, -10.0),
            (Lose, 9.0, -10.0),
            (Lose, 10.0, -9.2),
            (Lose, 99.0, -2.08),
            (Lose, 100.0, -2.0),
            (Lose, 199.0, -2.0),
            (Lose, 200.0, 0.0),
        ] {
            assert!((gain(did, gap) - points).abs() < 1e-9, "{did:?} {gap}: {}", gain(did, gap));
        }
    }

    #[test]
    fn rule_4_4_grades_go_from_thirty_to_one() {
        for (points, expected) in [
            (-5.0, None),
            (99.9, None),
            (100.0, Some(30)),
            (199.0, Some(30)),
            (200.0, Some(29)),
            (2999.0, Some(2)),
            (3000.0, Some(1)),
            (9000.0, Some(1)),
        ] {
            assert_eq!(grade(points), expected, "{points}");
        }
    }

    #[test]
    fn rule_4_4_what_one_gains_the_other_loses() {
        let mut table = Table { points: [("A".into(), 500.0), ("B".into(), 350.0)].into() };
        table.add("A", "B", Outcome::Win(Color::Black));
        assert_eq!((table.points["A"], table.points["B"]), (425.0, 425.0));
        table.add("A", "C", Outcome::Win(Color::White));
        assert_eq!((table.points["A"], table.points["C"]), (425.0, 0.0));
        assert!((table.points.values().sum::<f64>() - 850.0).abs() < 1e-9);
    }
}
