//! Endgame tables in the search: who wins, asked in the tree; the way to go, asked at the root.

use std::sync::Arc;

use super::node::Node;
use super::root::RootMove;
use super::worker::Worker;
use super::{Bound, Score};
use crate::chess::Game;
use crate::tablebase::{Rank, Tablebases, Wdl};

/// Which tables the search asks, and when.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The tables; none are asked without.
    pub tables: Option<Arc<Tablebases>>,
    /// Positions with more men are not asked for.
    pub most_men: usize,
    /// Positions with as many men as are asked for at all are only at this depth left, in plies.
    pub least_depth: u32,
    /// Wins that the fifty-move rule stops are draws.
    pub fifty_moves: bool,
}

impl Default for Tables {
    /// No tables.
    fn default() -> Self {
        Self { tables: None, most_men: 7, least_depth: 1, fifty_moves: true }
    }
}

impl Tables {
    /// The most men a position may have to be asked for.
    fn reach(&self) -> usize {
        self.tables.as_ref().map_or(0, |tables| tables.most_men().min(self.most_men))
    }
}

impl Worker {
    /// Whether the tables are to be asked in the tree below this root. If they rank the moves of the
    /// root itself the result is settled, and the search is left to find the mate.
    /// `wanted`: weak players ask none.
    pub(super) fn prepare_tables(&mut self, game: &Game, wanted: bool) {
        self.table_hits = 0;
        self.table_reach = if wanted { self.tables.reach() } else { 0 };
        if self.rank_root_moves(game) {
            self.table_reach = 0;
        }
    }

    /// Ranks the root moves by the tables of distances, the best first. False if they don't know.
    fn rank_root_moves(&mut self, game: &Game) -> bool {
        let men = game.position().occupied().len() as usize;
        let Some(tables) = self.tables.tables.as_ref().filter(|_| men <= self.table_reach) else {
            return false;
        };
        let Some(ranking) = tables.ranking(game, self.tables.fifty_moves) else { return false };
        self.table_hits += ranking.probes;
        for root_move in &mut self.root_moves {
            let ranked = ranking.moves.iter().find(|ranked| ranked.mv == root_move.mv);
            root_move.rank = ranked.map(|ranked| ranked.rank);
        }
        self.root_moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank));
        true
    }

    /// Where the root moves end that are ranked like the one that leads the present line: only among
    /// them may the search choose.
    pub(super) fn equals_end(&self) -> usize {
        let rank = self.root_moves[self.line].rank;
        let equals = self.root_moves[self.line..].iter().take_while(|other| other.rank == rank);
        self.line + equals.count()
    }

    /// The tables' rule: right after a capture or pawn move, where the fifty-move count is zero, the
    /// result is known. A win is a lower bound, since there may be a mate.
    pub(super) fn ask_tables(&mut self, node: &Node) -> Option<(Score, Bound)> {
        let position = node.site.position;
        let men = position.occupied().len() as usize;
        if men > self.table_reach || position.halfmove_clock() > 0 || node.excluded.is_some() {
            return None;
        }
        if men == self.table_reach && node.depth < self.tables.least_depth as i32 {
            return None;
        }
        let wdl = self.tables.tables.as_ref()?.wdl(position)?;
        self.table_hits += 1;
        Some(match wdl.under_rule(self.tables.fifty_moves) {
            Wdl::Win => (Score::table_win_in(node.ply), Bound::Lower),
            Wdl::Loss => (Score::table_loss_in(node.ply), Bound::Upper),
            _ => (Score::DRAW, Bound::Exact),
        })
    }
}

impl RootMove {
    /// The score to tell: what the tables know, unless the search has found a mate.
    pub(super) fn told_score(&self) -> Score {
        match self.rank {
            Some(rank) if !self.score.is_mate() => match rank {
                Rank::Win(_) => Score::TABLE_WIN,
                Rank::Loss(_) => -Score::TABLE_WIN,
                _ => Score::DRAW,
            },
            _ => self.score,
        }
    }
}
