//! How likely a score wins: what turns the search's internal centipawns into the ones people see,
//! of which a hundred mean that the side to move wins every other time.
//!
//! The model is two logistic functions, one for wins and its mirror image for losses; what is left
//! are draws. Its constants in `wdl/fitted.rs` are written by `qishou-learn fit` from games of the
//! engine against itself, and are made anew for each network. The search itself never looks here.

use super::Score;

mod fitted;

/// Coefficients of a polynomial in the number of men on the board: its value is
/// `c[0] + c[1] * x + c[2] * x * x` with `x` the men (2 to 32) divided by 32.
pub type Coefficients = [f64; 3];

/// From a score to the chances of a win, a draw and a loss.
///
/// With a score of `v` internal centipawns the side to move wins with probability
/// `1 / (1 + exp((half - v) / spread))` and loses with that of `-v`. A level position with few men
/// is a draw more often than one with many, so both numbers depend on the men on the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinModel {
    /// The score that wins every other time.
    pub half: Coefficients,
    /// How far the score has to move to change the odds by a factor of e.
    pub spread: Coefficients,
}

/// Chances of the side to move in thousandths; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// That it wins.
    pub win: u16,
    /// That it draws.
    pub draw: u16,
    /// That it loses.
    pub loss: u16,
}

/// Neither number of the model is taken for less, whatever its polynomial says.
const LEAST: f64 = 5.0;

/// The logistic function.
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn value([a, b, c]: Coefficients, men: usize) -> f64 {
    let x = men as f64 / 32.0;
    (a + x * (b + x * c)).max(LEAST)
}

impl WinModel {
    /// The model of this engine, fitted on its own games.
    pub const FITTED: Self = fitted::MODEL;

    /// The number of men whose scores set the scale of what people see.
    pub const MIDDLE: usize = 16;

    /// The score in internal centipawns that wins every other time with so many men on the board.
    pub fn half_at(&self, men: usize) -> f64 {
        value(self.half, men)
    }

    /// What changes the odds by a factor of e, in internal centipawns.
    pub fn spread_at(&self, men: usize) -> f64 {
        value(self.spread, men)
    }

    /// The probability that the side to move wins.
    pub fn win_probability(&self, centipawns: f64, men: usize) -> f64 {
        logistic((centipawns - self.half_at(men)) / self.spread_at(men))
    }

    /// Internal centipawns as people are to see them: 100 wins every other time in the middle of
    /// a game, with [`MIDDLE`](Self::MIDDLE) men. One scale for the whole game, so that trading
    /// men does not make a queen look smaller; the chances do look at the men.
    ///
    /// ```
    /// use qishou::search::WinModel;
    /// let model = WinModel::FITTED;
    /// let half = model.half_at(WinModel::MIDDLE);
    /// assert!((model.shown(half) - 100.0).abs() < 1e-9);
    /// assert!((model.win_probability(half, WinModel::MIDDLE) - 0.5).abs() < 1e-9);
    /// ```
    pub fn shown(&self, centipawns: f64) -> f64 {
        100.0 * centipawns / self.half_at(Self::MIDDLE)
    }

    /// The chances that a score means; a mate is certain, and so is a win of the endgame tables.
    pub fn chances(&self, score: Score, men: usize) -> Chances {
        if score.is_decided() {
            let win = if score.is_win() { 1000 } else { 0 };
            return Chances { win, draw: 0, loss: 1000 - win };
        }
        let permille = |v: f64| (1000.0 * self.win_probability(v, men)).round() as u16;
        let v = f64::from(score.0);
        let (win, loss) = (permille(v), permille(-v));
        // Both may have been rounded up; the likelier one keeps it.
        let (win, loss) =
            if win >= loss { (win, loss.min(1000 - win)) } else { (win.min(1000 - loss), loss) };
        Chances { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: WinModel = WinModel { half: [300.0, -150.0, 0.0], spread: [60.0, 40.0, 0.0] };

    #[test]
    fn a_hundred_shown_centipawns_win_every_other_time() {
        for model in [MODEL, WinModel::FITTED] {
            let middle = model.half_at(WinModel::MIDDLE);
            assert!((model.shown(middle) - 100.0).abs() < 1e-9);
            for men in 2..=32 {
                let half = model.half_at(men);
                assert!((model.win_probability(half, men) - 0.5).abs() < 1e-9);
                let win = model.chances(Score(half.round() as i32), men).win;
                assert!((485..=515).contains(&win), "{win} with {men} men");
            }
        }
    }

    #[test]
    fn the_fitted_model_is_not_at_its_stops() {
        let model = WinModel::FITTED;
        for men in 2..=32 {
            assert!(model.half_at(men) > 2.0 * LEAST, "{men} men: {}", model.half_at(men));
            assert!(model.spread_at(men) > 2.0 * LEAST, "{men} men: {}", model.spread_at(men));
        }
    }

    #[test]
    fn chances_add_up_rise_with_the_score_and_look_alike_from_both_sides() {
        for model in [MODEL, WinModel::FITTED] {
            for men in [2, 7, 20, 32] {
                let mut before = 0;
                for score in -4000..=4000 {
                    let Chances { win, draw, loss } = model.chances(Score(score), men);
                    assert_eq!(win + draw + loss, 1000);
                    assert!(win >= before, "{score} with {men} men");
                    before = win;
                    let other = model.chances(Score(-score), men);
                    assert_eq!((other.win, other.loss), (loss, win), "{score} with {men} men");
                }
                assert_eq!(model.chances(Score::MAX_EVALUATION, men).win, 1000);
            }
        }
    }

    #[test]
    fn level_is_drawn_oftener_with_few_men_and_a_mate_is_certain() {
        let level = |men| MODEL.chances(Score(0), men);
        assert!(level(4).draw > level(32).draw);
        assert_eq!(level(32).win, level(32).loss);
        for (score, win) in [(Score::mate_in(1), 1000), (Score::mated_in(0), 0)] {
            assert_eq!(MODEL.chances(score, 10), Chances { win, draw: 0, loss: 1000 - win });
        }
    }
}
