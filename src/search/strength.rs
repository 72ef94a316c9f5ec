//! Playing weaker, so that people enjoy it.
//!
//! Errors are to be those of a person: what lies deep is missed, since few nodes are searched; quiet
//! moves are overlooked now and then, captures, checks and answers to checks never; and of moves that
//! look much alike not always the best is played. What hangs is seen, since even the shallowest search
//! follows the captures to their end. Endgame tables are not asked.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use super::root::{RootMove, Settings};
use super::searcher::Silence;
use super::worker::Worker;
use super::{Limits, Score, SearchResult, Sink};
use crate::chess::{Game, Move, Position};

/// The weakest play there is.
pub const LEAST_ELO: u32 = 500;
/// The strongest play that is not full strength.
pub const MOST_ELO: u32 = 3000;
/// Skill levels below this one are limited.
pub const FULL_SKILL: u32 = 20;

/// How many moves are thought about in earnest.
const LINES: usize = 6;

/// The Elo of a skill level; none for full strength.
pub const fn elo_of_skill(level: u32) -> Option<u32> {
    if level >= FULL_SKILL { None } else { Some(LEAST_ELO + level * 125) }
}

/// How somebody of some strength thinks.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Mind {
    /// Nodes looked at.
    nodes: f64,
    /// By how much a move may look better or worse than it is, in centipawns.
    error: f64,
    /// The share of quiet moves that are not thought of.
    overlooked: f64,
}

/// Elo, and the mind that plays so strong. Not yet calibrated by matches.
const MINDS: [(u32, Mind); 9] = {
    const fn mind(nodes: f64, error: f64, overlooked: f64) -> Mind {
        Mind { nodes, error, overlooked }
    }
    [
        (LEAST_ELO, mind(1.0, 250.0, 0.5)),
        (800, mind(200.0, 160.0, 0.35)),
        (1100, mind(800.0, 110.0, 0.25)),
        (1400, mind(2_500.0, 80.0, 0.18)),
        (1700, mind(8_000.0, 55.0, 0.12)),
        (2000, mind(25_000.0, 35.0, 0.08)),
        (2300, mind(80_000.0, 22.0, 0.05)),
        (2600, mind(250_000.0, 12.0, 0.02)),
        (MOST_ELO, mind(1_000_000.0, 4.0, 0.0)),
    ]
};

impl Mind {
    /// Between the rows of the table the logarithm of the nodes, and the other numbers, change evenly.
    fn of(elo: u32) -> Self {
        let elo = elo.clamp(LEAST_ELO, MOST_ELO);
        let above = MINDS.iter().position(|&(row, _)| row >= elo).unwrap_or(MINDS.len() - 1).max(1);
        let ((low, a), (high, b)) = (MINDS[above - 1], MINDS[above]);
        let share = f64::from(elo - low) / f64::from(high - low);
        let between = |a: f64, b: f64| a + share * (b - a);
        Self {
            nodes: between(a.nodes.ln(), b.nodes.ln()).exp(),
            error: between(a.error, b.error),
            overlooked: between(a.overlooked, b.overlooked),
        }
    }

    /// Whether a move comes to mind.
    fn thinks_of(&self, position: &Position, mv: Move, chance: &mut Chance) -> bool {
        let forcing = position.in_check() || position.is_noisy(mv) || position.child(mv).in_check();
        forcing || chance.share() >= self.overlooked
    }

    /// The number of the move that looks best.
    fn choose(&self, moves: &[RootMove], chance: &mut Chance) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (number, root_move) in moves.iter().enumerate() {
            // The sum of two: small errors are likelier than great ones.
            let error = self.error * (chance.share() + chance.share() - 1.0);
            let looks = f64::from(root_move.score.0) + error;
            if root_move.score != -Score::INFINITE && looks > best.1 {
                best = (number, looks);
            }
        }
        best.0
    }
}

/// Random numbers (`SplitMix64` of Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Default for Chance {
    /// Another one each time.
    fn default() -> Self {
        // A hasher has a new key each time: all the randomness a game needs.
        Self(RandomState::new().build_hasher().finish())
    }
}

impl Chance {
    /// A number from 0 up to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) as f64 / 2.0_f64.powi(64)
    }
}

impl Worker {
    /// Thinks as somebody of this strength does, and reports the move in one line.
    pub(crate) fn think_weakly(
        &mut self,
        game: &Game,
        limits: &Limits,
        (settings, elo): (Settings, u32),
        sink: &mut dyn Sink,
    ) -> SearchResult {
        let mut chance = self.chance.clone();
        let result = self.think_by_mind(game, limits, settings, &Mind::of(elo), &mut chance);
        self.chance = chance;
        if !self.root_moves.is_empty() {
            self.report(result.depth.max(1), 0, sink);
        }
        result
    }

    fn think_by_mind(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: Settings,
        mind: &Mind,
        chance: &mut Chance,
    ) -> SearchResult {
        let position = game.position();
        let glance = Limits { depth: Some(1), ..limits.clone() };
        let every = Settings { multi_pv: usize::MAX, ..settings };
        let mut result = self.think(game, &glance, every, &mut Silence);
        let mut moves = self.root_moves.clone();
        moves.retain(|root_move| mind.thinks_of(position, root_move.mv, chance));
        if moves.is_empty() {
            moves.clone_from(&self.root_moves);
        }
        let nodes = mind.nodes as u64;
        if moves.len() > 1 && nodes > 2 * result.nodes && !self.stopped {
            let thought = Limits {
                nodes: Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes))),
                search_moves: moves.iter().map(|root_move| root_move.mv).collect(),
                ..limits.clone()
            };
            let lines = Settings { multi_pv: LINES, ..settings };
            let deeper = self.think(game, &thought, lines, &mut Silence);
            if deeper.depth > 0 {
                result = deeper;
                moves.clone_from(&self.root_moves);
            }
        }
        if moves.is_empty() {
            return result;
        }
        let chosen = mind.choose(&moves, chance);
        moves.swap(0, chosen);
        self.root_moves = moves;
        self.result(position, result.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minds_grow_steadily_with_their_elo() {
        let minds: Vec<Mind> = (LEAST_ELO..=MOST_ELO).step_by(50).map(Mind::of).collect();
        for pair in minds.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes);
            assert!(pair[0].error > pair[1].error);
            assert!(pair[0].overlooked >= pair[1].overlooked);
        }
        assert_eq!(Mind::of(0), MINDS[0].1);
        assert!((Mind::of(MOST_ELO).nodes - 1e6).abs() < 1.0);
        assert_eq!(elo_of_skill(0), Some(LEAST_ELO));
        assert_eq!(elo_of_skill(20), None);
        assert!(elo_of_skill(19).is_some_and(|elo| elo < MOST_ELO));
    }

    #[test]
    fn chances_are_spread_evenly() {
        let mut chance = Chance(1);
        let mut counts = [0; 10];
        for _ in 0..100_000 {
            counts[(10.0 * chance.share()) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9700..10_300).contains(count)), "{counts:?}");
    }

    #[test]
    fn forcing_moves_are_always_thought_of() {
        let position: Position = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let mind = Mind { nodes: 1.0, error: 0.0, overlooked: 1.0 };
        let mut chance = Chance(1);
        let moves = position.legal_moves().into_iter();
        let seen: Vec<String> = moves
            .filter(|&mv| mind.thinks_of(&position, mv, &mut chance))
            .map(|mv| mv.to_string())
            .collect();
        assert_eq!(seen, ["e4d5", "a1a8"]);
    }
}
