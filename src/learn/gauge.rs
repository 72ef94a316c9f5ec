//! Which of two networks is better: by a match at fixed nodes, and by the loss on held-out games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::datagen::{ADJUDICATION, Teacher};
use super::openings::Openings;
use super::record::half_points;
use super::sample::Sample;
use crate::chess::{Color, Game};
use crate::eval::{Evaluator, Network};
use crate::referee::{Answer, play_game, rules_ending};

/// How a match is played.
#[derive(Clone, Debug)]
pub struct Match {
    /// Pairs of games: one opening with either colour.
    pub pairs: u64,
    /// Nodes a move after which no new iteration begins.
    pub soft_nodes: u64,
    /// What the openings follow from.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// An opening is used only if both players' scores are at most so far from zero.
    pub exit_score: i32,
    /// Nodes of the searches that find these scores.
    pub exit_nodes: u64,
}

/// Results of pairs of games, from the first player's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial {
    /// Pairs by their half points: 0 (two losses) to 4 (two wins).
    pub pairs: [u64; 5],
    /// Wins, draws, losses.
    pub games: [u64; 3],
}

/// An Elo difference with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The difference; positive if the first player is better.
    pub difference: f64,
    /// Half the width of the interval.
    pub margin: f64,
}

fn elo_of(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / score - 1.0).log10()
}

impl Pentanomial {
    /// Counts a pair by the first player's half points in its games.
    pub fn add(&mut self, half_points: [u8; 2]) {
        self.pairs[usize::from(half_points[0] + half_points[1]).min(4)] += 1;
        for points in half_points {
            self.games[2 - usize::from(points.min(2))] += 1;
        }
    }

    /// Mean score and its standard error; pairs are independent, the games of a pair are not.
    ///
    /// For the error alone one more pair is counted, spread over all five results, so that a few
    /// equal pairs don't look certain.
    pub fn score(&self) -> (f64, f64) {
        let count = self.pairs.iter().sum::<u64>() as f64;
        let worth = |i: usize| i as f64 / 4.0;
        let mean = |f: &dyn Fn(usize) -> f64| {
            let sum: f64 = self.pairs.iter().enumerate().map(|(i, &n)| n as f64 * f(i)).sum();
            sum / count.max(1.0)
        };
        let score = mean(&worth);
        let spread = |i: usize| (worth(i) - score).powi(2);
        let imagined = (0..5).map(spread).sum::<f64>() / 5.0;
        let variance = (mean(&spread) * count + imagined) / (count + 1.0);
        (score, (variance / (count + 1.0)).sqrt())
    }

    /// The difference in Elo.
    pub fn elo(&self) -> Elo {
        let (score, error) = self.score();
        let (low, high) = (elo_of(score - 1.96 * error), elo_of(score + 1.96 * error));
        Elo { difference: elo_of(score), margin: (high - low) / 2.0 }
    }
}

/// An opening both players find level.
fn opening<T: Teacher>(rules: &Match, number: u64, players: &mut [T; 2]) -> Game {
    let mut rng = ChaCha8Rng::seed_from_u64(rules.seed);
    rng.set_stream(number);
    loop {
        let Some(game) = rules.openings.draw(&mut rng) else { continue };
        let level = rules_ending(&game).is_none()
            && players.iter_mut().all(|player| {
                player.new_game();
                let thought = player.think(&game, rules.exit_nodes);
                thought.is_some_and(|(_, score)| score.0.abs() <= rules.exit_score)
            });
        if level {
            return game;
        }
    }
}

/// Plays one opening with either colour; the first player's half points.
fn pair<T: Teacher>(rules: &Match, number: u64, players: &mut [T; 2]) -> Option<[u8; 2]> {
    let opening = opening(rules, number, players);
    let mut points = [0; 2];
    for (color, points) in Color::ALL.into_iter().zip(&mut points) {
        players.iter_mut().for_each(Teacher::new_game);
        let played = play_game(opening.clone(), ADJUDICATION, |game| {
            let first = game.position().side_to_move() == color;
            let player = &mut players[usize::from(!first)];
            let thought = player.think(game, rules.soft_nodes);
            thought.map_or(Answer::Stop, |(mv, score)| Answer::Move(mv, Some(score)))
        });
        *points = half_points(played.verdict?.outcome, color);
    }
    Some(points)
}

/// Plays a match; each pair of players has a thread of its own. `progress` is called after each
/// pair; when `stop` is set the pairs begun are finished.
pub fn play_match<T: Teacher + Send>(
    rules: &Match,
    players: Vec<[T; 2]>,
    stop: &AtomicBool,
    mut progress: impl FnMut(&Pentanomial),
) -> Pentanomial {
    let next = AtomicU64::new(0);
    let mut total = Pentanomial::default();
    let (sender, finished) = mpsc::channel();
    thread::scope(|scope| {
        for mut players in players {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= rules.pairs {
                        break;
                    }
                    let Some(points) = pair(rules, number, &mut players) else { continue };
                    if sender.send(points).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for points in finished {
            total.add(points);
            progress(&total);
        }
    });
    total
}

/// The mean squared error of a network's evaluations against labels: `result_share` of the target
/// is the result, the rest the score through the logistic function of the network's scale.
/// Samples that are no position are left out.
pub fn loss(network: &Arc<Network>, samples: &[Sample], result_share: f64) -> f64 {
    let scale = f64::from(network.architecture().scale);
    let sigmoid = |centipawns: f64| 1.0 / (1.0 + (-centipawns / scale).exp());
    let mut evaluator = Evaluator::new(Some(Arc::clone(network)));
    let (mut sum, mut count) = (0.0, 0u64);
    for sample in samples {
        let Ok(position) = sample.position() else { continue };
        evaluator.reset(&position);
        let predicted = sigmoid(f64::from(evaluator.evaluate(&position)));
        let target = result_share * f64::from(sample.result) / 2.0
            + (1.0 - result_share) * sigmoid(f64::from(sample.score));
        sum += (predicted - target).powi(2);
        count += 1;
    }
    sum / (count as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_follows_from_the_pairs() {
        let mut even = Pentanomial::default();
        for pair in [[2, 0], [0, 2], [1, 1], [2, 1], [0, 1]] {
            even.add(pair);
        }
        assert_eq!((even.pairs, even.games), ([0, 1, 3, 1, 0], [3, 4, 3]));
        assert!(even.elo().difference.abs() < 1e-9);
        // Three quarters of the points are 191 Elo; won and lost games of one opening that cancel
        // out narrow the interval.
        let better = Pentanomial { pairs: [0, 0, 50, 0, 50], games: [150, 0, 50] };
        assert!((better.elo().difference - 190.85).abs() < 0.01);
        let wilder = Pentanomial { pairs: [25, 0, 0, 0, 75], games: [150, 0, 50] };
        assert!(wilder.elo().margin > 1.5 * better.elo().margin);
    }
}
