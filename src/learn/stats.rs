//! What a set of games holds: counts, results, scores, phases, duplicates, and whether scores and
//! results point the same way.

use std::collections::HashSet;
use std::fmt;

use super::filter::Filter;
use super::record::{GameRecord, half_points};
use crate::chess::Color;

/// Upper edges of the score histogram in centipawns; the last class is open.
const EDGES: [u16; 8] = [25, 50, 100, 200, 400, 800, 1600, 3200];

/// Collects figures over games.
#[derive(Clone, Debug)]
pub struct Survey {
    filter: Filter,
    games: u64,
    plies: u64,
    kept: u64,
    bytes: u64,
    /// Black wins, draws, White wins.
    results: [u64; 3],
    /// Kept positions by distance of the score from zero.
    scores: [u64; EDGES.len() + 1],
    /// Kept positions by output bucket: four men each.
    phases: [u64; 8],
    /// Half points and count of kept positions with a score above 100, within, and below -100.
    points: [(u64, u64); 3],
    /// Sum of the kept scores from White's view.
    white_sum: i64,
    starts: HashSet<u64>,
    positions: HashSet<u64>,
    repeated_starts: u64,
    repeated: u64,
}

impl Survey {
    /// Begins with nothing; `filter` says which positions count as kept.
    pub fn new(filter: Filter) -> Self {
        Self {
            filter,
            games: 0,
            plies: 0,
            kept: 0,
            bytes: 0,
            results: [0; 3],
            scores: [0; EDGES.len() + 1],
            phases: [0; 8],
            points: [(0, 0); 3],
            white_sum: 0,
            starts: HashSet::new(),
            positions: HashSet::new(),
            repeated_starts: 0,
            repeated: 0,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.bytes += (super::packed::SIZE + 4 * game.moves.len() + 4) as u64;
        self.results[usize::from(half_points(game.outcome, Color::White))] += 1;
        if !self.starts.insert(game.start.key()) {
            self.repeated_starts += 1;
        }
        let filter = self.filter;
        filter.for_each_kept(game, |position, score, half_points| {
            self.kept += 1;
            let size = score.unsigned_abs();
            let class = EDGES.iter().position(|&edge| size < edge).unwrap_or(EDGES.len());
            self.scores[class] += 1;
            let men = position.occupied().len() as usize;
            self.phases[((men - 2) / 4).min(7)] += 1;
            let side = if score > 100 {
                0
            } else {
                usize::from(score >= -100) + usize::from(score < -100) * 2
            };
            self.points[side].0 += u64::from(half_points);
            self.points[side].1 += 1;
            self.white_sum += i64::from(score) * i64::from(position.side_to_move().sign());
            if !self.positions.insert(position.key()) {
                self.repeated += 1;
            }
        });
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / (whole as f64).max(1.0)
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, draws, white] = self.results;
        writeln!(f, "games              {}", self.games)?;
        writeln!(
            f,
            "results            White {:.1} %, draws {:.1} %, Black {:.1} %",
            percent(white, self.games),
            percent(draws, self.games),
            percent(black, self.games),
        )?;
        let per_game = |count: u64| count as f64 / (self.games as f64).max(1.0);
        writeln!(f, "positions          {} ({:.1} a game)", self.plies, per_game(self.plies))?;
        writeln!(
            f,
            "kept               {} ({:.1} %, {:.1} a game)",
            self.kept,
            percent(self.kept, self.plies),
            per_game(self.kept),
        )?;
        let bytes = self.bytes as f64 / (self.plies as f64).max(1.0);
        writeln!(f, "bytes a position   {bytes:.2}")?;
        writeln!(
            f,
            "repeated           {} starts ({:.2} %), {} kept positions ({:.2} %)",
            self.repeated_starts,
            percent(self.repeated_starts, self.games),
            self.repeated,
            percent(self.repeated, self.kept),
        )?;
        writeln!(f, "kept positions by score:")?;
        let mut from = 0;
        for (edge, &count) in EDGES.iter().map(Some).chain([None]).zip(&self.scores) {
            let to = edge.map_or(String::from("..."), |edge| (edge - 1).to_string());
            writeln!(
                f,
                "  {from:>5} to {to:>5}   {count:>10}  {:5.1} %",
                percent(count, self.kept)
            )?;
            from = edge.copied().unwrap_or(0);
        }
        writeln!(f, "kept positions by men:")?;
        for (bucket, &count) in self.phases.iter().enumerate() {
            let men = format!("{} to {}", 4 * bucket + 2, (4 * bucket + 5).min(32));
            writeln!(f, "  {men:>14}   {count:>10}  {:5.1} %", percent(count, self.kept))?;
        }
        writeln!(f, "points of the side to move:")?;
        for (name, (half_points, count)) in
            ["score above 100", "in between", "score below -100"].into_iter().zip(self.points)
        {
            writeln!(f, "  {name:<18} {:5.1} % of {count}", percent(half_points, 2 * count))?;
        }
        let mean = self.white_sum as f64 / (self.kept as f64).max(1.0);
        writeln!(f, "mean score for White {mean:+.1}")?;
        for warning in self.warnings() {
            writeln!(f, "WARNING: {warning}")?;
        }
        Ok(())
    }
}

impl Survey {
    /// What looks wrong: signs that don't fit, one-sided results, too many or too few draws.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let share = |(half_points, count): (u64, u64)| percent(half_points, 2 * count);
        let [ahead, _, behind] = self.points;
        if ahead.1 > 100 && behind.1 > 100 && share(ahead) < share(behind) {
            warnings.push("sides that are ahead lose: a sign is wrong".into());
        }
        if self.games >= 1000 {
            let [black, draws, white] = self.results;
            let balance = percent(2 * white + draws, 2 * self.games) - 50.0;
            if balance.abs() > 8.0 {
                warnings.push(format!("White scores {:.1} %", balance + 50.0));
            }
            let drawn = percent(draws, self.games);
            if !(10.0..=65.0).contains(&drawn) {
                warnings
                    .push(format!("{drawn:.1} % draws, beside {white} wins and {black} losses"));
            }
        }
        warnings
    }
}
