//! Points, Elo with its interval, and the sequential test.
//!
//! The two games of a pair share an opening, so they are not independent; pairs are. All errors
//! therefore come from the five results a pair can have.

use crate::chess::{Color, Outcome};

mod sprt;

pub use sprt::{Decision, Sprt, SprtError};

/// Half points of a game: 2 for a win, 1 for a draw, 0 for a loss (RULES 4.3).
pub const fn half_points(outcome: Outcome, side: Color) -> u8 {
    match outcome {
        Outcome::Win(winner) if winner as u8 == side as u8 => 2,
        Outcome::Win(_) => 0,
        Outcome::Draw => 1,
    }
}

/// Results of one player, in games and in pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Wins, draws, losses.
    pub games: [u64; 3],
    /// Finished pairs by their half points, 0 to 4.
    pub pairs: [u64; 5],
}

/// A range of Elo with what it surrounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The middle.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Likelihood that the player is the better one.
    pub superiority: f64,
}

/// The Elo difference that a share of the points corresponds to.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    400.0 * (score / (1.0 - score)).log10()
}

/// A difference as it is shown; what comes of all points or none is infinite.
pub fn elo_text(elo: f64) -> String {
    if elo.abs() < elo_of_score(1.0) - 0.05 {
        format!("{elo:+.1}")
    } else {
        format!("{:+}", f64::INFINITY.copysign(elo))
    }
}

/// The share of the points that an Elo difference promises.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The probability that a standard normal variable is less than this. Error below 1.5e-7, by the
/// rational approximation of Hastings (Abramowitz and Stegun, 7.1.26).
fn normal_below(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let factors = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let sum = factors.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = sum * (-z * z).exp() / 2.0;
    if x > 0.0 { 1.0 - tail } else { tail }
}

impl Results {
    /// Counts a game.
    pub fn add_game(&mut self, half_points: u8) {
        self.games[2 - usize::from(half_points.min(2))] += 1;
    }

    /// Counts a finished pair whose games are counted already.
    pub fn add_pair(&mut self, half_points: u8) {
        self.pairs[usize::from(half_points.min(4))] += 1;
    }

    /// Counts both games of a pair and the pair.
    pub fn add_both(&mut self, half_points: [u8; 2]) {
        for points in half_points {
            self.add_game(points);
        }
        self.add_pair(half_points.into_iter().sum());
    }

    /// Points and games.
    pub fn points(&self) -> (f64, u64) {
        let [wins, draws, losses] = self.games;
        (wins as f64 + draws as f64 / 2.0, wins + draws + losses)
    }

    /// Mean score of the pairs, 0 to 1, its variance for one pair, and the number of pairs.
    fn moments(&self) -> (f64, f64, f64) {
        let count = self.pairs.iter().sum::<u64>() as f64;
        let mean = |f: &dyn Fn(f64) -> f64| {
            let terms = self.pairs.iter().enumerate().map(|(i, &n)| n as f64 * f(i as f64 / 4.0));
            terms.sum::<f64>() / count.max(1.0)
        };
        let score = mean(&|worth| worth);
        (score, mean(&|worth| (worth - score).powi(2)), count)
    }

    /// The difference in Elo with its 95 % interval and the likelihood of superiority; none
    /// before the first pair. If all pairs were alike, the error is that with one more pair,
    /// spread over all five results, so that a few equal pairs don't look certain.
    pub fn estimate(&self) -> Option<Estimate> {
        let (score, variance, count) = self.moments();
        if count == 0.0 {
            return None;
        }
        let error = if variance > 0.0 {
            (variance / count).sqrt()
        } else {
            let spread = (0..5).map(|i| (f64::from(i) / 4.0 - score).powi(2)).sum::<f64>() / 5.0;
            spread.sqrt() / (count + 1.0)
        };
        let bound = |sign: f64| elo_of_score(score + sign * 1.959_964 * error);
        let superiority = normal_below((score - 0.5) / error);
        Some(Estimate { elo: elo_of_score(score), low: bound(-1.0), high: bound(1.0), superiority })
    }

    /// The difference in normalised Elo: the mean over the standard deviation of a game, on a scale where it is
    /// close to Elo for balanced games without draws (M. Van den Bergh's definition).
    pub fn normalized_elo(&self) -> f64 {
        let (score, variance, _) = self.moments();
        if variance > 0.0 { (score - 0.5) / (2.0 * variance).sqrt() * NORMALIZED } else { 0.0 }
    }
}

/// Normalised Elo of one standard deviation: 800 / ln 10.
const NORMALIZED: f64 = 347.435_585_522_60;

#[cfg(test)]
mod tests {
    use super::*;

    fn of_pairs(pairs: [u64; 5]) -> Results {
        Results { pairs, ..Results::default() }
    }

    /// RULES 4.3: win 1, draw 1/2, loss 0.
    #[test]
    fn rule_4_3_points() {
        let mut results = Results::default();
        for (outcome, side, half) in [
            (Outcome::Win(Color::White), Color::White, 2),
            (Outcome::Win(Color::White), Color::Black, 0),
            (Outcome::Win(Color::Black), Color::Black, 2),
            (Outcome::Draw, Color::White, 1),
            (Outcome::Draw, Color::Black, 1),
        ] {
            assert_eq!(half_points(outcome, side), half);
            results.add_game(half);
        }
        assert_eq!(results.points(), (3.0, 5));
        let mut even = Results::default();
        for pair in [[2, 0], [0, 2], [1, 1], [2, 1], [0, 1]] {
            even.add_both(pair);
        }
        assert_eq!(even, Results { pairs: [0, 1, 3, 1, 0], games: [3, 4, 3] });
    }

    #[test]
    fn elo_and_its_interval_follow_from_the_pairs() {
        // 0.75 of the points: 190.85 Elo. By hand: variance 1/16, error 0.025 for 100 pairs.
        let estimate = of_pairs([0, 0, 50, 0, 50]).estimate().unwrap();
        assert!((estimate.elo - 190.848).abs() < 0.01);
        assert!((estimate.low - elo_of_score(0.75 - 0.048_999)).abs() < 0.01);
        assert!((estimate.high - elo_of_score(0.75 + 0.048_999)).abs() < 0.01);
        assert!(estimate.superiority > 0.999_999);
        let even = of_pairs([10, 20, 40, 20, 10]).estimate().unwrap();
        assert!(even.elo.abs() < 1e-9 && (even.superiority - 0.5).abs() < 1e-6);
        assert_eq!(Results::default().estimate(), None);
        // Won and lost games of one opening that cancel out narrow the interval.
        let wilder = of_pairs([25, 0, 0, 0, 75]).estimate().unwrap();
        assert!(wilder.high - wilder.low > 1.5 * (estimate.high - estimate.low));
        // Equal pairs: the spread of one pair over all results among eleven.
        let alike = of_pairs([0, 0, 10, 0, 0]).estimate().unwrap();
        assert!(
            (alike.high - elo_of_score(0.5 + 1.959_964 * 0.125_f64.sqrt() / 11.0)).abs() < 0.01
        );
        assert!((alike.superiority - 0.5).abs() < 1e-6);
        let all = of_pairs([0, 0, 0, 0, 9]).estimate().unwrap();
        assert_eq!(
            [all.elo, -all.elo, 12.34, -0.5].map(elo_text),
            ["+inf", "-inf", "+12.3", "-0.5"]
        );
        for elo in [-400.0, -5.0, 0.0, 100.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn normal_probabilities_are_right() {
        for (x, below) in [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (1.96, 0.975_002)] {
            assert!((normal_below(x) - below).abs() < 2e-6, "{x}");
        }
    }

    #[test]
    fn normalized_elo_divides_by_the_deviation_of_a_game() {
        // Independent games of 0 or 1 have deviation 1/2, so a pair's mean has variance 1/8.
        let results = of_pairs([25, 0, 50, 0, 25]);
        assert!(results.normalized_elo().abs() < 1e-9);
        let better = of_pairs([16, 0, 48, 0, 36]);
        // Mean 0.6, variance of the pair 0.12, of a game 0.24.
        assert!((better.normalized_elo() - 0.1 / 0.24f64.sqrt() * NORMALIZED).abs() < 1e-6);
    }
}
