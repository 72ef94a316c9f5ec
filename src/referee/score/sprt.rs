//! The sequential test of two differences, on pairs of games.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{NORMALIZED, Results, score_of_elo};

/// A sequential probability ratio test of two differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the other one.
    pub elo1: f64,
    /// The probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// The differences are normalised Elo.
    pub normalized: bool,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, normalized: false }
    }
}

/// What a test has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// `elo1` is accepted.
    Accepted,
    /// `elo0` is accepted.
    Rejected,
}

/// What is wrong with the description of a test.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SprtError {
    /// A word that is none of `elo0=X elo1=X alpha=P beta=P model=logistic|normalized`.
    #[error("{0:?} is not understood")]
    Word(String),
    /// Errors that can't be promised.
    #[error("alpha and beta must lie between 0 and 0.5")]
    Errors,
    /// No room between the hypotheses.
    #[error("elo0 must be less than elo1")]
    Order,
}

/// The words after `-sprt`; what is not said is as in the default.
///
/// ```
/// use qishou::referee::score::Sprt;
/// let sprt: Sprt = "elo0=-3 elo1=1".parse()?;
/// assert_eq!(sprt.to_string(), "elo0=-3 elo1=1 alpha=0.05 beta=0.05 model=logistic");
/// # Ok::<(), qishou::referee::score::SprtError>(())
/// ```
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut sprt = Self::default();
        for word in text.split_whitespace() {
            let wrong = || SprtError::Word(word.to_owned());
            let (name, value) = word.split_once('=').ok_or_else(wrong)?;
            let number =
                || value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong);
            match (name, value) {
                ("elo0", _) => sprt.elo0 = number()?,
                ("elo1", _) => sprt.elo1 = number()?,
                ("alpha", _) => sprt.alpha = number()?,
                ("beta", _) => sprt.beta = number()?,
                ("model", "normalized") => sprt.normalized = true,
                ("model", "logistic") => sprt.normalized = false,
                _ => return Err(wrong()),
            }
        }
        let probability = |value: f64| value > 0.0 && value < 0.5;
        if !probability(sprt.alpha) || !probability(sprt.beta) {
            return Err(SprtError::Errors);
        }
        if sprt.elo0 >= sprt.elo1 {
            return Err(SprtError::Order);
        }
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, normalized } = self;
        let model = if *normalized { "normalized" } else { "logistic" };
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio: each hypothesis is given the distribution of pairs that has its
    /// mean and fits the results best (the generalised SPRT).
    pub fn ratio(&self, results: &Results) -> f64 {
        let count = results.pairs.iter().sum::<u64>();
        if count == 0 {
            return 0.0;
        }
        // A result that never occurred is a little possible all the same.
        let pairs = results.pairs.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = pairs.iter().sum();
        let shares = pairs.map(|n| n / total);
        let mean: f64 = shares.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
        let spread = |(i, p): (usize, &f64)| p * (i as f64 / 4.0 - mean).powi(2);
        let deviation = (2.0 * shares.iter().enumerate().map(spread).sum::<f64>()).sqrt();
        let score = |elo: f64| {
            let score = if self.normalized {
                0.5 + elo / NORMALIZED * deviation
            } else {
                score_of_elo(elo)
            };
            score.clamp(1e-3, 1.0 - 1e-3)
        };
        let [fit0, fit1] = [self.elo0, self.elo1].map(|elo| fit(&shares, score(elo)));
        let terms = (0..5).map(|i| shares[i] * (fit1[i] / fit0[i]).ln());
        total * terms.sum::<f64>()
    }

    /// What the results decide, if they do.
    pub fn decision(&self, results: &Results) -> Option<Decision> {
        let (low, high) = self.bounds();
        let ratio = self.ratio(results);
        if ratio >= high {
            Some(Decision::Accepted)
        } else if ratio <= low {
            Some(Decision::Rejected)
        } else {
            None
        }
    }
}

/// The distribution with the given mean under which these shares are most likely. It has the form
/// share / (1 + t (worth - mean)); t is where its mean is right, found by halving.
fn fit(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let excess = |i: usize| i as f64 / 4.0 - mean;
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let t = f64::midpoint(low, high);
        let slope: f64 = (0..5).map(|i| shares[i] * excess(i) / (1.0 + t * excess(i))).sum();
        if slope > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    let t = f64::midpoint(low, high);
    std::array::from_fn(|i| shares[i] / (1.0 + t * excess(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_pairs(pairs: [u64; 5]) -> Results {
        Results { pairs, ..Results::default() }
    }

    #[test]
    fn the_ratio_agrees_with_the_normal_approximation_for_many_pairs() {
        // (s1 - s0)(2 mean - s0 - s1) n / (2 variance), as simpler programs have it.
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, ..Sprt::default() };
        for pairs in [[100, 900, 2000, 950, 120], [120, 950, 2000, 900, 100]] {
            let results = of_pairs(pairs);
            let (mean, variance, count) = results.moments();
            let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
            let simple = (s1 - s0) * (2.0 * mean - s0 - s1) * count / (2.0 * variance);
            assert!((sprt.ratio(&results) - simple).abs() < 0.02 * simple.abs(), "{pairs:?}");
        }
    }

    #[test]
    fn a_test_ends_at_its_bounds() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, ..Sprt::default() };
        let (low, high) = sprt.bounds();
        assert!((high - 2.944_439).abs() < 1e-5 && (low + high).abs() < 1e-9);
        for (pairs, decision) in [
            ([0; 5], None),
            ([1, 2, 4, 2, 1], None),
            ([20, 200, 500, 350, 60], Some(Decision::Accepted)),
            ([60, 350, 500, 200, 20], Some(Decision::Rejected)),
        ] {
            assert_eq!(sprt.decision(&of_pairs(pairs)), decision, "{pairs:?}");
            let normalized = Sprt { normalized: true, ..sprt };
            assert_eq!(normalized.decision(&of_pairs(pairs)), decision, "{pairs:?}");
        }
    }

    #[test]
    fn a_test_is_written_as_it_is_read() {
        for text in ["", "elo0=-1.5 elo1=0.25 alpha=0.1 beta=0.01 model=normalized", "elo1=7"] {
            let sprt: Sprt = text.parse().unwrap();
            assert_eq!(sprt.to_string().parse(), Ok(sprt), "{text}");
        }
        for (text, told) in [
            ("elo0", "\"elo0\" is not"),
            ("elo0=nan", "\"elo0=nan\" is not"),
            ("model=x", "\"model=x\" is not"),
            ("alpha=0.5", "alpha and beta"),
            ("beta=0", "alpha and beta"),
            ("elo0=5", "elo0 must be less"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.starts_with(told), "{text}: {error}");
        }
    }
}
