//! Playing weaker, so that people enjoy it.
//!
//! Errors are to be those of a person: what lies deep is missed, since few nodes are searched, and now
//! and then none at all: a move is played at a glance. Quiet moves don't always come to mind; captures,
//! checks, answers to checks and moves of attacked pieces do. Of moves that look much alike not always the
//! best is played. What hangs is seen even at a glance, which counts the exchanges on each square: no error
//! of judgement flatters a move that leaves a piece hanging, or spoils one that wins it. What takes two
//! moves, or needs no capture, is not seen at a glance. Endgame tables are not asked.

use rand::RngExt;
use rand::rngs::SmallRng;

use super::root::{RootMove, Settings};
use super::searcher::Silence;
use super::see;
use super::worker::Worker;
use super::{Limits, Score, SearchResult, Sink};
use crate::chance;
use crate::chess::{Game, Move, PieceKind, Position};

/// The weakest play there is.
pub const LEAST_ELO: u32 = 500;
/// The strongest play that is not full strength.
pub const MOST_ELO: u32 = 3000;
/// Skill levels below this one are limited.
pub const FULL_SKILL: u32 = 20;

/// Who loses so much has lost a piece, if only for a pawn; in centipawns.
const PIECE: i32 = 200;
const LOST: i32 = -PIECE;

/// The Elo of a skill level; none for full strength.
pub const fn elo_of_skill(level: u32) -> Option<u32> {
    if level >= FULL_SKILL { None } else { Some(LEAST_ELO + level * 125) }
}

/// How somebody of some strength thinks.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Mind {
    /// Nodes looked at, when it calculates.
    nodes: f64,
    /// How many moves are calculated.
    lines: f64,
    /// The share of moves of the game that are calculated; the others are played at a glance.
    attention: f64,
    /// By how much a move may look better or worse than it is, in centipawns.
    error: f64,
    /// The share of quiet moves that don't come to mind.
    overlooked: f64,
}

/// Elo, and the mind that plays so strong. From 1350 to 1900 after matches against Stockfish's own
/// limited levels, below that after matches of neighbours; the rows above are placed by what other
/// minds scored there, and not measured yet. `docs/strength.md` has the matches.
const MINDS: [(u32, Mind); 12] = {
    const fn mind((nodes, lines): (f64, f64), attention: f64, error: f64, overlooked: f64) -> Mind {
        Mind { nodes, lines, attention, error, overlooked }
    }
    [
        (LEAST_ELO, mind((50.0, 6.0), 0.0, 900.0, 0.85)),
        (700, mind((150.0, 6.0), 0.05, 556.0, 0.675)),
        (900, mind((340.0, 6.0), 0.2, 374.0, 0.52)),
        (1100, mind((600.0, 6.0), 0.43, 253.0, 0.39)),
        (1350, mind((1_020.0, 6.0), 0.65, 153.0, 0.28)),
        (1500, mind((1_360.0, 6.0), 0.75, 128.0, 0.25)),
        (1700, mind((1_790.0, 6.0), 0.845, 104.0, 0.22)),
        (1900, mind((5_900.0, 6.0), 0.99, 60.0, 0.13)),
        (2100, mind((27_500.0, 6.0), 1.0, 30.0, 0.06)),
        (2300, mind((95_000.0, 3.0), 1.0, 10.0, 0.014)),
        (2500, mind((185_000.0, 2.5), 1.0, 5.5, 0.007)),
        (MOST_ELO, mind((700_000.0, 1.0), 1.0, 0.0, 0.0)),
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
            lines: between(a.lines, b.lines),
            attention: between(a.attention, b.attention),
            error: between(a.error, b.error),
            overlooked: between(a.overlooked, b.overlooked),
        }
    }

    /// Whether a move comes to mind: always if it takes, checks, answers a check or moves a piece that is
    /// attacked.
    fn thinks_of(&self, position: &Position, mv: Move, chance: &mut SmallRng) -> bool {
        let forcing = position.in_check() || position.is_noisy(mv) || position.child(mv).in_check();
        forcing || is_attacked(position, mv) || !chance.random_bool(self.overlooked)
    }

    /// By how much a move looks better than it is. Small errors are likelier than great ones.
    fn misjudgement(&self, chance: &mut SmallRng) -> f64 {
        self.error * (chance.random::<f64>() + chance.random::<f64>() - 1.0)
    }

    /// The number of the move that looks best.
    fn choose(&self, looks: impl Iterator<Item = Look>, chance: &mut SmallRng) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (look, number) in looks.zip(0..) {
            let error = self.misjudgement(chance);
            let error = match look.wins {
                // Nobody hopes for the best where a piece hangs,
                ..=LOST => error.min(0.0),
                // or leaves one that is there for the taking.
                PIECE.. => error.max(0.0),
                _ => error,
            };
            let looks = f64::from(look.worth.0) + error;
            if look.worth != -Score::INFINITE && looks > best.1 {
                best = (number, looks);
            }
        }
        best.0
    }
}

/// What is seen of a move.
#[derive(Clone, Copy, Debug)]
struct Look {
    worth: Score,
    /// What it takes less what the opponent then wins by one exchange, in centipawns.
    wins: i32,
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
        let mut chance = chance::generator();
        let result = self.think_by_mind(game, limits, settings, &Mind::of(elo), &mut chance);
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
        chance: &mut SmallRng,
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
        if !chance.random_bool(mind.attention) {
            let looks: Vec<Look> = moves.iter().map(|known| self.glance(position, known)).collect();
            let chosen = mind.choose(looks.into_iter(), chance);
            return self.play_weakly(position, moves, chosen, &result);
        }
        let nodes = mind.nodes as u64;
        if moves.len() > 1 && nodes > 2 * result.nodes && !self.stopped {
            let thought = Limits {
                nodes: Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes))),
                search_moves: moves.iter().map(|root_move| root_move.mv).collect(),
                ..limits.clone()
            };
            let lines = Settings { multi_pv: mind.lines.round() as usize, ..settings };
            let deeper = self.think(game, &thought, lines, &mut Silence);
            if deeper.depth > 0 {
                result = deeper;
                moves.clone_from(&self.root_moves);
            }
        }
        let looks = moves.iter().map(|known| Look {
            worth: known.score,
            wins: see::gain(position, known.mv) - hanging(&position.child(known.mv)),
        });
        let chosen = mind.choose(looks, chance);
        self.play_weakly(position, moves, chosen, &result)
    }

    /// The end of weak thinking: one of the moves is played.
    fn play_weakly(
        &mut self,
        position: &Position,
        mut moves: Vec<RootMove>,
        chosen: usize,
        result: &SearchResult,
    ) -> SearchResult {
        if moves.is_empty() {
            return result.clone();
        }
        moves.swap(0, chosen);
        self.root_moves = moves;
        self.result(position, result.depth)
    }

    /// What is seen of a move at a glance: the position after it as it stands, less what hangs there.
    /// The evaluator stands at the root.
    fn glance(&mut self, root: &Position, root_move: &RootMove) -> Look {
        let child = self.evaluator.play(root, root_move.mv);
        let still = self.evaluator.evaluate(&child);
        self.evaluator.undo();
        let lost = hanging(&child);
        let worth = if root_move.score.is_win() {
            // Mate in one is seen by everybody.
            root_move.score
        } else if child.has_legal_move() {
            Score::evaluation(-still - lost)
        } else {
            Score::DRAW
        };
        Look { worth, wins: see::gain(root, root_move.mv) - lost }
    }
}

/// Whether a move moves a piece, no pawn and no king, that the opponent attacks.
fn is_attacked(position: &Position, mv: Move) -> bool {
    let piece = !matches!(position.kind_on(mv.from()), Some(PieceKind::Pawn | PieceKind::King));
    let attackers = position.attackers(mv.from(), !position.side_to_move(), position.occupied());
    piece && !attackers.is_empty()
}

/// The most that the side to move wins by one exchange, in centipawns.
fn hanging(position: &Position) -> i32 {
    /// What exchanges end in, the most first.
    const GAINS: [i32; 9] = [900, 800, 700, 600, 500, 400, 300, 200, 100];
    let moves = position.legal_moves();
    let noisy = moves.into_iter().filter(|&mv| position.is_noisy(mv));
    let gain = |mv| {
        let reached = |&&gain: &&i32| see::wins_at_least(position, mv, gain);
        GAINS.iter().find(reached).copied().unwrap_or(0)
    };
    noisy.map(gain).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn minds_grow_steadily_with_their_elo() {
        let minds: Vec<Mind> = (LEAST_ELO..=MOST_ELO).step_by(50).map(Mind::of).collect();
        for pair in minds.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes);
            assert!(pair[0].error > pair[1].error);
            assert!(pair[0].attention <= pair[1].attention);
            assert!(pair[0].overlooked >= pair[1].overlooked);
        }
        for (elo, mind) in MINDS {
            assert!((Mind::of(elo).nodes / mind.nodes - 1.0).abs() < 1e-9);
            assert!((Mind::of(elo).error - mind.error).abs() < 1e-9);
        }
        assert_eq!(Mind::of(0), Mind::of(LEAST_ELO));
        assert_eq!(elo_of_skill(0), Some(LEAST_ELO));
        assert_eq!(elo_of_skill(20), None);
        assert!(elo_of_skill(19).is_some_and(|elo| elo < MOST_ELO));
    }

    #[test]
    fn misjudgements_stay_within_their_bounds_and_even_out() {
        let mind = Mind { error: 100.0, ..MINDS[0].1 };
        let mut chance = SmallRng::seed_from_u64(1);
        let errors: Vec<f64> = (0..10_000).map(|_| mind.misjudgement(&mut chance)).collect();
        assert!(errors.iter().all(|error| error.abs() <= 100.0));
        assert!(errors.iter().sum::<f64>().abs() < 1e4);
        assert!(errors.iter().filter(|error| error.abs() > 50.0).count() < 3000);
    }

    #[test]
    fn what_hangs_is_counted_by_exchanges() {
        for (fen, gain) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 100),
            // Guarded by a pawn.
            ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", 0),
            ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", 300),
            ("4k3/8/2p5/3q4/4P3/8/8/4K3 w - - 0 1", 800),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ] {
            assert_eq!(hanging(&fen.parse().unwrap()), gain, "{fen}");
        }
    }

    #[test]
    fn forcing_moves_are_always_thought_of() {
        let position: Position = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let mind = Mind { overlooked: 1.0, ..MINDS[0].1 };
        let mut chance = SmallRng::seed_from_u64(1);
        let moves = position.legal_moves().into_iter();
        let seen: Vec<String> = moves
            .filter(|&mv| mind.thinks_of(&position, mv, &mut chance))
            .map(|mv| mv.to_string())
            .collect();
        assert_eq!(seen, ["e4d5", "a1a8"]);
        // A knight that a pawn attacks.
        let position: Position = "4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1".parse().unwrap();
        let seen: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| mind.thinks_of(&position, mv, &mut chance))
            .collect();
        assert_eq!(seen.len(), 8, "{seen:?}");
    }
}
