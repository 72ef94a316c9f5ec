//! What scores are worth: fits the model that turns scores into chances
//! ([`WinModel`]) to the results of games.
//!
//! Maximum likelihood by Fisher scoring: each step solves one small system of equations, and a step
//! that makes the likelihood smaller is halved. The model looks alike from both sides, so a score
//! and its negation with the reverse result are one observation.

use std::fmt;

use thiserror::Error;

use super::record::{GameRecord, half_points};
use crate::search::{Coefficients, WinModel};

/// Scores further from zero are not looked at: games are cut off soon after, and the tails say
/// little about where a game is won every other time.
pub const LIMIT: i32 = 1500;
/// The most men on a board, and the fewest.
const MEN: std::ops::RangeInclusive<usize> = 2..=32;
const STEPS: usize = 200;
/// A fit has ended when a step gains less than this in log-likelihood for all positions together.
const ENOUGH: f64 = 1e-7;

/// Results counted by the number of men and the score.
#[derive(Clone, Debug)]
pub struct Results {
    /// Wins, draws and losses of the side that is ahead, by men and then by score from 0 on.
    cells: Vec<[u64; 3]>,
    /// Games counted.
    pub games: u64,
    /// Positions counted.
    pub positions: u64,
}

/// Why no model can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FitError {
    /// Of wins, draws and losses one is missing.
    #[error("{wins} wins, {draws} draws, {losses} losses of the side ahead: too few to fit")]
    TooFew {
        /// Positions won by the side that is ahead.
        wins: u64,
        /// Positions drawn.
        draws: u64,
        /// Positions lost.
        losses: u64,
    },
}

/// A fitted model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The model.
    pub model: WinModel,
    /// The mean log-likelihood of a position, in nats.
    pub log_likelihood: f64,
}

impl Default for Results {
    fn default() -> Self {
        let cells = vec![[0; 3]; (MEN.end() + 1) * (LIMIT as usize + 1)];
        Self { cells, games: 0, positions: 0 }
    }
}

impl Results {
    /// Counts a position: its men, its score and the result in half points, both from the view of
    /// one side. What is beyond [`LIMIT`] is left out.
    pub fn add(&mut self, men: usize, score: i32, half_points: u8) {
        if score.abs() > LIMIT || !MEN.contains(&men) {
            return;
        }
        let ahead = if score < 0 { 2 - half_points.min(2) } else { half_points.min(2) };
        let cell = men * (LIMIT as usize + 1) + score.unsigned_abs() as usize;
        self.cells[cell][usize::from(2 - ahead)] += 1;
        self.positions += 1;
    }

    /// Counts the searched positions of a game.
    pub fn add_game(&mut self, game: &GameRecord) {
        self.games += 1;
        game.for_each_position(|position, _, score| {
            let us = position.side_to_move();
            let men = position.occupied().len() as usize;
            self.add(men, i32::from(score) * us.sign(), half_points(game.outcome, us));
        });
    }

    /// Men, score and results of each cell that has any.
    fn cells(&self) -> impl Iterator<Item = (usize, f64, &[u64; 3])> {
        let width = LIMIT as usize + 1;
        let taken =
            self.cells.iter().enumerate().filter(|(_, counts)| counts.iter().any(|&n| n > 0));
        taken.map(move |(cell, counts)| (cell / width, (cell % width) as f64, counts))
    }

    /// Positions won, drawn and lost by the side that is ahead.
    fn totals(&self) -> [u64; 3] {
        self.cells().fold([0; 3], |sum, cell| std::array::from_fn(|i| sum[i] + cell.2[i]))
    }

    /// The log-likelihood of the results if every position had the same chances.
    pub fn log_likelihood_of_nothing(&self) -> f64 {
        let totals = self.totals();
        let all = totals.iter().sum::<u64>() as f64;
        let part = |n: u64| if n == 0 { 0.0 } else { n as f64 / all * (n as f64 / all).ln() };
        totals.into_iter().map(part).sum()
    }

    /// The mean log-likelihood of a position by a model.
    pub fn log_likelihood_by(&self, &WinModel { half, spread }: &WinModel) -> f64 {
        self.log_likelihood(&Parameters { half, spread }) / self.positions as f64
    }

    /// The most likely model whose two numbers are polynomials of this degree (0 to 2) in the men.
    ///
    /// # Errors
    /// If there are no wins, no draws or no losses.
    pub fn fit(&self, degree: usize) -> Result<Fit, FitError> {
        let [wins, draws, losses] = self.totals();
        if wins.min(draws).min(losses) == 0 {
            return Err(FitError::TooFew { wins, draws, losses });
        }
        // Where the games can't tell the coefficients of a degree apart, those of the degree below
        // stay.
        let WinModel { half, spread } = match degree {
            0 => WinModel { half: [100.0, 0.0, 0.0], spread: [100.0, 0.0, 0.0] },
            _ => self.fit(degree - 1)?.model,
        };
        let mut parameters = Parameters { half, spread };
        let mut likelihood = self.log_likelihood(&parameters);
        for _ in 0..STEPS {
            let Some(step) = self.step(&parameters, degree.min(2)) else { break };
            let before = likelihood;
            let mut part = 1.0;
            while part > 1e-6 {
                let tried = parameters.moved(&step, part);
                let found = self.log_likelihood(&tried);
                if found > likelihood {
                    (parameters, likelihood) = (tried, found);
                    break;
                }
                part /= 2.0;
            }
            if likelihood - before < ENOUGH {
                break;
            }
        }
        let Parameters { half, spread } = parameters;
        let positions = self.positions as f64;
        Ok(Fit { model: WinModel { half, spread }, log_likelihood: likelihood / positions })
    }

    /// Minus infinite where the model makes no sense.
    fn log_likelihood(&self, parameters: &Parameters) -> f64 {
        let mut sum = 0.0;
        for (men, score, counts) in self.cells() {
            let Some(chances) = parameters.chances(men, score) else { return f64::NEG_INFINITY };
            let parts = chances.iter().zip(counts);
            sum += parts.filter(|(_, n)| **n > 0).map(|(p, n)| *n as f64 * p.ln()).sum::<f64>();
        }
        sum
    }

    /// The step of Fisher scoring: the gradient divided by the expected information.
    fn step(&self, parameters: &Parameters, degree: usize) -> Option<[f64; 6]> {
        let (mut gradient, mut information) = ([0.0; 6], [[0.0; 6]; 6]);
        for (men, score, counts) in self.cells() {
            let chances = parameters.chances(men, score)?;
            let slopes = parameters.slopes(men, score, degree);
            let all = counts.iter().sum::<u64>() as f64;
            for ((slope, p), &n) in slopes.iter().zip(chances).zip(counts) {
                for (sum, a) in gradient.iter_mut().zip(slope) {
                    *sum += n as f64 * a / p;
                }
                for (row, a) in information.iter_mut().zip(slope) {
                    for (sum, b) in row.iter_mut().zip(slope) {
                        *sum += all * a * b / p;
                    }
                }
            }
        }
        // What is not fitted stays where it is.
        for i in (0..6).filter(|i| i % 3 > degree) {
            information[i][i] = 1.0;
        }
        solve(information, gradient)
    }
}

/// Six numbers, three for each of the model's two.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    half: Coefficients,
    spread: Coefficients,
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn powers(men: usize) -> Coefficients {
    let x = men as f64 / 32.0;
    [1.0, x, x * x]
}

fn product(coefficients: Coefficients, powers: Coefficients) -> f64 {
    coefficients.iter().zip(powers).map(|(c, power)| c * power).sum()
}

impl Parameters {
    fn moved(&self, step: &[f64; 6], part: f64) -> Self {
        Self {
            half: std::array::from_fn(|i| self.half[i] + part * step[i]),
            spread: std::array::from_fn(|i| self.spread[i] + part * step[i + 3]),
        }
    }

    /// Half and spread with so many men.
    fn at(&self, men: usize) -> (f64, f64) {
        let powers = powers(men);
        (product(self.half, powers), product(self.spread, powers))
    }

    /// Chances of win, draw and loss; none if the model makes no sense there.
    fn chances(&self, men: usize, score: f64) -> Option<[f64; 3]> {
        let (half, spread) = self.at(men);
        if half <= 1.0 || spread <= 1.0 {
            return None;
        }
        let (win, loss) = (logistic((score - half) / spread), logistic((-score - half) / spread));
        // 1 - win - loss, but not rounded to nothing where a win is all but certain.
        let draw = logistic((half - score) / spread) - loss;
        let chances = [win, draw, loss];
        chances.iter().all(|&p| p > 0.0).then_some(chances)
    }

    /// How the chances of win, draw and loss change with each parameter.
    fn slopes(&self, men: usize, score: f64, degree: usize) -> [[f64; 6]; 3] {
        let (half, spread) = self.at(men);
        let powers = powers(men);
        let slope = |score: f64| -> [f64; 6] {
            let z = (score - half) / spread;
            let p = logistic(z);
            let steepness = p * (1.0 - p) / spread;
            std::array::from_fn(|i| {
                let (power, by) = (i % 3, if i < 3 { 1.0 } else { z });
                if power > degree { 0.0 } else { -steepness * by * powers[power] }
            })
        };
        let (win, loss) = (slope(score), slope(-score));
        [win, std::array::from_fn(|i| -win[i] - loss[i]), loss]
    }
}

/// Solves a system of six equations by elimination; none if it has no single solution.
fn solve(mut matrix: [[f64; 6]; 6], mut right: [f64; 6]) -> Option<[f64; 6]> {
    for column in 0..6 {
        let pivot = (column..6)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let head = matrix[column];
        if head[column].abs() < 1e-12 {
            return None;
        }
        for row in (0..6).filter(|&row| row != column) {
            let factor = matrix[row][column] / head[column];
            for (number, above) in matrix[row].iter_mut().zip(head) {
                *number -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    Some(std::array::from_fn(|i| right[i] / matrix[i][i]))
}

/// Upper edges of the classes of scores that are compared, in internal centipawns.
const EDGES: [i32; 9] = [10, 25, 50, 100, 200, 300, 500, 800, LIMIT + 1];
/// Upper edges of the classes of men.
const MEN_EDGES: [usize; 4] = [8, 16, 24, 32];

/// How a model fits the results: a table of what happened beside what it expects.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// What happened.
    pub results: &'a Results,
    /// What is expected.
    pub model: &'a WinModel,
}

impl Comparison<'_> {
    fn row(
        &self,
        f: &mut fmt::Formatter<'_>,
        name: &str,
        belongs: impl Fn(usize, i32) -> bool,
    ) -> fmt::Result {
        let (mut found, mut expected) = ([0; 3], [0.0; 3]);
        for (men, score, counts) in self.results.cells() {
            if belongs(men, score as i32) {
                let all = counts.iter().sum::<u64>() as f64;
                let win = self.model.win_probability(score, men);
                let loss = self.model.win_probability(-score, men);
                for (i, p) in [win, 1.0 - win - loss, loss].into_iter().enumerate() {
                    found[i] += counts[i];
                    expected[i] += all * p;
                }
            }
        }
        let all = found.iter().sum::<u64>();
        if all == 0 {
            return Ok(());
        }
        let percent = |part: f64| 100.0 * part / all as f64;
        let row = |shares: [f64; 3]| shares.map(|share| format!("{share:5.1}")).join(" ");
        let found = row(found.map(|count| percent(count as f64)));
        let chances = format!("{found}   {}", row(expected.map(percent)));
        writeln!(f, "  {name:<16} {all:>9}   {chances}")
    }
}

impl fmt::Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = "positions   win draw loss, found and expected, in percent";
        writeln!(f, "side ahead by      {head}")?;
        let mut from = 0;
        for edge in EDGES {
            let name = format!("{from} to {}", edge - 1);
            self.row(f, &name, |_, score| (from..edge).contains(&score))?;
            from = edge;
        }
        let mut from = 2;
        for edge in MEN_EDGES {
            let name = format!("{from} to {edge} men");
            self.row(f, &name, |men, _| (from..=edge).contains(&men))?;
            from = edge + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results as a model has them, without chance.
    fn results_of(model: &WinModel, men: &[usize]) -> Results {
        const EACH: u64 = 1_000_000;
        let mut results = Results::default();
        for &men in men {
            for score in (0..=600).step_by(20) {
                let count = |score: i32| {
                    (EACH as f64 * model.win_probability(f64::from(score), men)).round() as u64
                };
                let (win, loss) = (count(score), count(-score));
                let cell = men * (LIMIT as usize + 1) + score as usize;
                results.cells[cell] = [win, EACH - win - loss, loss];
                results.positions += EACH;
            }
        }
        results
    }

    #[test]
    fn a_fit_finds_the_model_that_made_the_results() {
        let truth = WinModel { half: [220.0, -60.0, 20.0], spread: [90.0, 30.0, -20.0] };
        let men = [4, 10, 16, 22, 28, 32];
        let results = results_of(&truth, &men);
        let fit = results.fit(2).unwrap();
        for men in men {
            assert!((fit.model.half_at(men) - truth.half_at(men)).abs() < 1.0, "{fit:?}");
            assert!((fit.model.spread_at(men) - truth.spread_at(men)).abs() < 1.0, "{fit:?}");
        }
        let likelihoods = [0, 1, 2].map(|degree| results.fit(degree).unwrap().log_likelihood);
        assert!(results.log_likelihood_of_nothing() < likelihoods[0]);
        assert!(likelihoods[0] < likelihoods[1] && likelihoods[1] < likelihoods[2]);
        let text = Comparison { results: &results, model: &fit.model }.to_string();
        assert_eq!(text.lines().count(), 1 + 8 + 4, "{text}");
    }

    #[test]
    fn games_with_one_number_of_men_are_fitted_by_a_constant() {
        let truth = WinModel { half: [150.0, 0.0, 0.0], spread: [80.0, 0.0, 0.0] };
        let model = results_of(&truth, &[16]).fit(2).unwrap().model;
        assert!((model.half_at(16) - 150.0).abs() < 1.0, "{model:?}");
        assert!((model.spread_at(16) - 80.0).abs() < 1.0, "{model:?}");
    }

    #[test]
    fn the_slopes_are_the_slopes() {
        let parameters = Parameters { half: [90.0, 20.0, -5.0], spread: [80.0, -10.0, 15.0] };
        for (men, score) in [(3, 0.0), (20, 45.0), (32, 300.0)] {
            let slopes = parameters.slopes(men, score, 2);
            for i in 0..6 {
                let mut step = [0.0; 6];
                step[i] = 1e-4;
                let chances = |part| parameters.moved(&step, part).chances(men, score).unwrap();
                let (above, below) = (chances(1.0), chances(-1.0));
                for (result, slope) in slopes.iter().enumerate() {
                    let measured = (above[result] - below[result]) / 2e-4;
                    assert!((measured - slope[i]).abs() < 1e-8, "{i} {result} {men} {score}");
                }
            }
        }
    }

    #[test]
    fn both_sides_of_a_score_are_one_observation() {
        let mut results = Results::default();
        results.add(20, -30, 0);
        results.add(20, 30, 2);
        results.add(20, 30, 1);
        results.add(20, LIMIT + 1, 2);
        results.add(20, i32::from(i16::MIN), 2);
        assert_eq!(results.positions, 3);
        assert_eq!(results.cells().collect::<Vec<_>>(), [(20, 30.0, &[2, 1, 0])]);
        assert_eq!(results.fit(0), Err(FitError::TooFew { wins: 2, draws: 1, losses: 0 }));
    }
}
