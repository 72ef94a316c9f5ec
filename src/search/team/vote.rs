//! Which of the team is right.

use std::cmp::Reverse;

use crate::search::SearchResult;

/// Which worker's move to play: each votes for its own with a weight that grows with its score
/// and depth; of those that voted for the winner the deepest is taken.
pub(super) fn elect(results: &[&SearchResult]) -> usize {
    let usable = |result: &SearchResult| result.depth > 0 && result.best.best.is_some();
    let votes: Vec<(usize, &SearchResult)> =
        results.iter().copied().enumerate().filter(|(_, result)| usable(result)).collect();
    let Some(least) = votes.iter().map(|(_, result)| result.score).min() else { return 0 };
    // A proved mate needs no majority.
    if let Some(&(number, _)) = votes
        .iter()
        .filter(|(_, result)| result.score.is_win())
        .max_by_key(|(number, result)| (result.score, Reverse(*number)))
    {
        return number;
    }
    let weight = |result: &SearchResult| {
        i64::from((result.score - least).min(1000) + 15) * i64::from(result.depth)
    };
    let support = |result: &SearchResult| -> i64 {
        let same = votes.iter().filter(|(_, other)| other.best.best == result.best.best);
        same.map(|(_, other)| weight(other)).sum()
    };
    votes
        .iter()
        .max_by_key(|(number, result)| (support(result), result.depth, Reverse(*number)))
        .map_or(0, |&(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Square};
    use crate::search::{BestMove, Score};

    fn result(to: Square, score: i32, depth: u32) -> SearchResult {
        let mv = Move::normal(Square::E2, to);
        SearchResult {
            best: BestMove { best: Some(mv), ponder: None },
            score: Score(score),
            depth,
            nodes: 1,
            pv: vec![mv],
        }
    }

    #[test]
    fn the_majority_wins_unless_one_has_a_mate() {
        let [a, b] = [Square::E3, Square::E4];
        let mate = Score::mate_in(5).0;
        for (results, chosen) in [
            (vec![(a, 10, 9)], 0),
            (vec![(a, 10, 9), (b, 12, 9), (b, 11, 10)], 2),
            // Who has finished no iteration has no vote.
            (vec![(a, 10, 9), (b, 500, 0), (b, 500, 0)], 0),
            (vec![(a, 10, 0), (b, -20, 3)], 1),
            (vec![(a, 10, 0), (b, 10, 0)], 0),
            (vec![(a, 10, 9), (a, 10, 9), (b, mate, 8)], 2),
        ] {
            let results: Vec<_> = results.into_iter().map(|(to, s, d)| result(to, s, d)).collect();
            assert_eq!(elect(&results.iter().collect::<Vec<_>>()), chosen, "{results:?}");
        }
    }
}
