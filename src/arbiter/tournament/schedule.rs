//! Who meets whom, and in which order.

/// The kind of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number, from 0.
    pub number: usize,
    /// Number of the pair of games it belongs to, from 0: one opening, either colour.
    pub pair: usize,
    /// It is the second game of its pair.
    pub second: bool,
    /// The opening's number.
    pub opening: usize,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

impl Job {
    /// What the `Round` tag says: tells the game from all others of its match.
    pub fn round(&self) -> String {
        format!("{}.{}", self.pair + 1, 1 + u8::from(self.second))
    }
}

/// All games: each two that meet play `games`, in pairs with one opening and either colour; the
/// first named begins with White. All pairings of a round have the same opening.
pub fn schedule(format: Format, entrants: usize, games: usize) -> Vec<Job> {
    let all = (0..entrants).flat_map(|a| (a + 1..entrants).map(move |b| (a, b)));
    let pairings: Vec<(usize, usize)> =
        all.filter(|&(first, _)| format == Format::RoundRobin || first == 0).collect();
    let mut jobs = Vec::new();
    for opening in 0..games.div_ceil(2) {
        for (i, &(a, b)) in pairings.iter().enumerate() {
            let pair = opening * pairings.len() + i;
            for second in [false, true] {
                if second && 2 * opening + 1 >= games {
                    continue;
                }
                let (white, black) = if second { (b, a) } else { (a, b) };
                jobs.push(Job { number: jobs.len(), pair, second, opening, white, black });
            }
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn everybody_meets_everybody_with_either_colour() {
        for (format, entrants, games, count) in [
            (Format::RoundRobin, 2, 4, 4),
            (Format::RoundRobin, 4, 2, 12),
            (Format::RoundRobin, 4, 3, 18),
            (Format::Gauntlet, 4, 2, 6),
            (Format::Gauntlet, 1, 2, 0),
            (Format::RoundRobin, 2, 1, 1),
        ] {
            let jobs = schedule(format, entrants, games);
            assert_eq!(jobs.len(), count);
            let rounds: HashSet<String> = jobs.iter().map(Job::round).collect();
            assert_eq!(rounds.len(), count, "rounds differ");
            if games % 2 == 0 {
                for job in &jobs {
                    let swapped = |other: &&Job| {
                        other.pair == job.pair
                            && other.white == job.black
                            && other.opening == job.opening
                    };
                    assert_eq!(jobs.iter().filter(swapped).count(), 1);
                }
            }
        }
    }
}
