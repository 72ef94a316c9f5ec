//! Which of two networks is better: by a match at fixed nodes, and by the loss on held-out games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::datagen::{ADJUDICATION, Teacher};
use super::sample::Sample;
use crate::chess::{Color, Game};
use crate::eval::{Evaluator, Network};
use crate::openings::Openings;
use crate::referee::score::{Results, half_points};
use crate::referee::{Answer, play_game};

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

/// An opening both players find level.
fn opening<T: Teacher>(rules: &Match, number: u64, players: &mut [T; 2]) -> Game {
    let mut rng = ChaCha8Rng::seed_from_u64(rules.seed);
    rng.set_stream(number);
    rules.openings.draw_until(&mut rng, |game| {
        players.iter_mut().all(|player| {
            player.new_game();
            let thought = player.think(game, rules.exit_nodes);
            thought.is_some_and(|(_, score)| score.0.abs() <= rules.exit_score)
        })
    })
}

/// Plays one opening with either colour; the first player's half points.
fn pair<T: Teacher>(rules: &Match, number: u64, players: &mut [T; 2]) -> Option<[u8; 2]> {
    let opening = opening(rules, number, players);
    let mut points = [0; 2];
    for (color, points) in Color::ALL.into_iter().zip(&mut points) {
        players.iter_mut().for_each(Teacher::new_game);
        let played = play_game(opening.clone(), &ADJUDICATION, |game| {
            let first = game.position().side_to_move() == color;
            let player = &mut players[usize::from(!first)];
            let thought = player.think(game, rules.soft_nodes);
            thought.map_or(Answer::Stop, |(mv, score)| Answer::Move(mv, Some(score.0)))
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
    mut progress: impl FnMut(&Results),
) -> Results {
    let next = AtomicU64::new(0);
    let mut total = Results::default();
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
            total.add_both(points);
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
