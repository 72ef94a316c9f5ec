//! What engines say of their searches.

use std::fmt;

/// A score from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; negative if the mover is mated.
    Mate(i32),
}

impl Score {
    /// As one number, mates beyond all other scores.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(value) => value.clamp(-29_000, 29_000),
            Self::Mate(moves) if moves > 0 => 30_000 - moves.min(500),
            Self::Mate(moves) => -30_000 - moves.max(-500),
        }
    }
}

/// As match runners write it: pawns with sign, or `M` and plies to mate.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(0) => f.write_str("0.00"),
            Self::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let value = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)
            }
            Self::Mate(moves) if moves > 0 => write!(f, "+M{}", 2 * i64::from(moves) - 1),
            Self::Mate(moves) => write!(f, "-M{}", -2 * i64::from(moves)),
        }
    }
}

/// The last words of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The depth reached.
    pub depth: Option<u32>,
    /// The score of the best line.
    pub score: Option<Score>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The best line, as it was written.
    pub line: Vec<String>,
}

impl Info {
    /// Takes from a line of `info` what it tells; lines of other than the best line and bounds of
    /// scores tell nothing.
    pub fn update(&mut self, line: &str) {
        let mut told = Self::default();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "string" | "lowerbound" | "upperbound" => return,
                "depth" => told.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => told.nodes = words.next().and_then(|word| word.parse().ok()),
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let kind = words.next();
                    let Some(value) = words.next().and_then(|word| word.parse().ok()) else {
                        return;
                    };
                    told.score = match kind {
                        Some("cp") => Some(Score::Centipawns(value)),
                        Some("mate") => Some(Score::Mate(value)),
                        _ => return,
                    };
                }
                "pv" => told.line = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        if told.score.is_some() {
            *self =
                Self { nodes: told.nodes.or(self.nodes), depth: told.depth.or(self.depth), ..told };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut info = Info::default();
        for line in [
            "info depth 5 seldepth 9 multipv 1 score cp 31 nodes 1000 nps 1 pv e2e4 e7e5",
            "info depth 5 multipv 2 score cp 99 pv d2d4",
            "info depth 6 score cp 77 lowerbound nodes 1500",
            "info string score cp 12",
            "info depth 7 currmove e2e4",
            "info score cp x",
        ] {
            info.update(line);
        }
        let expected = Info {
            depth: Some(5),
            score: Some(Score::Centipawns(31)),
            nodes: Some(1000),
            line: vec!["e2e4".to_owned(), "e7e5".to_owned()],
        };
        assert_eq!(info, expected);
    }

    #[test]
    fn scores_are_written_as_match_runners_do() {
        for (score, text) in [
            (Score::Centipawns(31), "+0.31"),
            (Score::Centipawns(-105), "-1.05"),
            (Score::Centipawns(0), "0.00"),
            (Score::Mate(3), "+M5"),
            (Score::Mate(-2), "-M4"),
            (Score::Mate(0), "-M0"),
        ] {
            assert_eq!(score.to_string(), text);
        }
        assert!(Score::Mate(1).centipawns() > Score::Mate(9).centipawns());
        assert!(Score::Mate(-1).centipawns() < Score::Mate(-9).centipawns());
        assert!(Score::Mate(9).centipawns() > Score::Centipawns(i32::MAX).centipawns());
        assert!(Score::Mate(0).centipawns() < Score::Centipawns(i32::MIN).centipawns());
    }
}
