//! Whether a move needs more or less time than usual, judged after each iteration.

use super::Score;
use crate::chess::Move;

/// Iterations shallower than this tell too little.
const SHALLOW: u32 = 6;
/// Factors by the number of iterations the best move has stood.
const STABILITY: [f64; 5] = [1.6, 1.25, 1.05, 0.95, 0.85];

/// What the iterations so far have shown.
#[derive(Default)]
pub(crate) struct Pace {
    best: Option<Move>,
    /// Iterations since the best move changed.
    stood: usize,
    /// Score of the iterations, the later the more.
    average: Option<f64>,
    factor: f64,
}

impl Pace {
    /// A whole iteration gave this move and score; `share` of all nodes was spent on the move.
    pub(crate) fn note(&mut self, depth: u32, best: Move, score: Score, share: f64) {
        self.stood = if self.best == Some(best) { self.stood + 1 } else { 0 };
        self.best = Some(best);
        let score = f64::from(score.0.clamp(-2000, 2000));
        let average = *self.average.get_or_insert(score);
        self.average = Some(f64::midpoint(average, score));
        // A move that took most of the work leaves little doubt; one that has just come up, or a
        // falling score, leaves much.
        let work = (2.2 - 1.6 * share).max(0.5);
        let stability = STABILITY[self.stood.min(STABILITY.len() - 1)];
        let fall = (1.0 + (average - score) / 150.0).clamp(0.85, 1.5);
        self.factor = if depth < SHALLOW { 1.0 } else { work * stability * fall };
    }

    /// What to multiply the usual time with.
    pub(crate) fn factor(&self) -> f64 {
        self.factor.clamp(0.3, 4.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    #[test]
    fn doubt_takes_time_and_certainty_saves_it() {
        let [a, b] = [Move::normal(Square::E2, Square::E4), Move::normal(Square::D2, Square::D4)];
        let mut calm = Pace::default();
        let mut nervous = Pace::default();
        for depth in 1..12 {
            calm.note(depth, a, Score(20), 0.9);
            let best = if depth % 2 == 0 { a } else { b };
            nervous.note(depth, best, Score(20 - 30 * depth as i32), 0.4);
        }
        assert!(calm.factor() < 0.8, "{}", calm.factor());
        assert!(nervous.factor() > 2.0, "{}", nervous.factor());
    }
}
