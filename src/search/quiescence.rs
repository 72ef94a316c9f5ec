//! Quiescence: captures and promotions until the position is calm enough to be evaluated.

use std::ops::ControlFlow;

use super::history::{Site, victim};
use super::node::{NodeKind, Window};
use super::picker::Picker;
use super::table::Entry;
use super::threats::{Threats, gives_direct_check};
use super::worker::{Worker, bound, corrected, decides};
use super::{Score, params, see};
use crate::chess::{Move, Position};

/// What is known of a leaf before any move is tried.
struct Leaf<'a> {
    site: Site<'a>,
    ply: usize,
    alpha: Score,
    beta: Score,
    table_move: Option<Move>,
    table_pv: bool,
    /// The evaluation as it came; none in check.
    raw: Option<Score>,
    /// What the side to move has if it takes nothing; none in check.
    standing: Option<Score>,
}

/// What the move loop has seen so far.
struct Progress {
    alpha: Score,
    best: Score,
    captures: i32,
    evasions: i32,
}

/// What to do with a move.
enum Verdict {
    Search,
    Skip,
    /// It can't reach more than this.
    Hopeless(Score),
    SkipQuiets,
}

impl Worker {
    /// The value of a position when only captures and promotions that lose nothing in the
    /// exchange are tried, or when in check all moves.
    pub(super) fn quiescence<K: NodeKind>(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let alpha = match self.begin::<K>(position, (alpha, beta), ply) {
            ControlFlow::Continue(alpha) => alpha,
            ControlFlow::Break(score) => return score,
        };
        let entry = self.probe(position, ply);
        if !K::PV
            && let Some(entry) = &entry
            && decides(entry, alpha, beta)
        {
            return entry.score;
        }
        let leaf = self.look_at_leaf::<K>(position, (alpha, beta), ply, entry.as_ref());
        // Nobody has to take: the side to move may stand pat.
        if let Some(standing) = leaf.standing
            && standing >= beta
        {
            if entry.is_none_or(|entry| entry.is_bare()) {
                self.store_leaf(&leaf, standing, None);
            }
            return between(standing, beta);
        }
        let (score, best) = self.try_leaf_moves::<K>(&leaf);
        if !self.stopped {
            self.store_leaf(&leaf, score, best);
        }
        score
    }

    fn look_at_leaf<'a, K: NodeKind>(
        &mut self,
        position: &'a Position,
        (alpha, beta): Window,
        ply: usize,
        entry: Option<&Entry>,
    ) -> Leaf<'a> {
        let in_check = position.in_check();
        let raw = (!in_check).then(|| {
            let stored = entry.and_then(|entry| entry.evaluation);
            stored.unwrap_or_else(|| self.evaluate(position))
        });
        let standing = raw.map(|raw| {
            let evaluation = corrected(raw, position, self.correction(position, ply));
            entry.map_or(evaluation, |entry| entry.refine(evaluation))
        });
        let site = if in_check {
            self.site(position, ply)
        } else {
            // No quiet move will be tried: threats don't matter.
            Site { position, threats: Threats::default(), before: self.stack.contexts(ply) }
        };
        Leaf {
            site,
            ply,
            alpha,
            beta,
            table_move: entry.and_then(|entry| entry.best),
            table_pv: K::PV || entry.is_some_and(|entry| entry.pv),
            raw,
            standing,
        }
    }

    fn store_leaf(&self, leaf: &Leaf, score: Score, best: Option<Move>) {
        let entry = Entry {
            best,
            score,
            evaluation: leaf.raw,
            depth: 0,
            bound: bound(score, leaf.alpha, leaf.beta),
            pv: leaf.table_pv,
        };
        self.store(leaf.site.position, leaf.ply, entry);
    }

    /// The move loop: the best score and the move that raised alpha.
    fn try_leaf_moves<K: NodeKind>(&mut self, leaf: &Leaf) -> (Score, Option<Move>) {
        let position = leaf.site.position;
        let start = leaf.standing.unwrap_or(Score::mated_in(leaf.ply));
        let mut picker = if leaf.standing.is_some() {
            Picker::winning(leaf.table_move.filter(|&mv| position.is_noisy(mv)), 0)
        } else {
            Picker::all(leaf.table_move)
        };
        let mut progress =
            Progress { alpha: leaf.alpha.max(start), best: start, captures: 0, evasions: 0 };
        let mut best = None;
        while let Some(mv) = picker.next(&leaf.site, &self.histories) {
            self.table.prefetch(position.likely_key_after(mv));
            match self.judge_at_leaf(leaf, mv, &progress) {
                Verdict::Search => {}
                Verdict::Skip => continue,
                Verdict::Hopeless(limit) => {
                    progress.best = progress.best.max(limit);
                    continue;
                }
                Verdict::SkipQuiets => {
                    picker.skip_quiets();
                    continue;
                }
            }
            let step = leaf.site.step(mv);
            progress.captures += i32::from(!step.is_quiet());
            progress.evasions += i32::from(step.is_quiet());
            let child = self.play(position, leaf.ply, &step);
            let score = -self.quiescence::<K>(&child, -leaf.beta, -progress.alpha, leaf.ply + 1);
            self.undo();
            if self.stopped {
                return (Score::DRAW, None);
            }
            if score > progress.best {
                progress.best = score;
                if score > progress.alpha {
                    progress.alpha = score;
                    best = Some(mv);
                    if K::PV {
                        self.lines.extend(leaf.ply, mv);
                    }
                    if score >= leaf.beta {
                        return (between(score, leaf.beta), best);
                    }
                }
            }
        }
        (progress.best, best)
    }

    /// Whether a move of a leaf is worth a search.
    fn judge_at_leaf(&self, leaf: &Leaf, mv: Move, progress: &Progress) -> Verdict {
        if progress.best.is_loss() {
            return Verdict::Search;
        }
        let position = leaf.site.position;
        let Some(standing) = leaf.standing else {
            // One quiet evasion that does not lose shows enough.
            let enough = progress.evasions > 0 && !position.is_noisy(mv);
            return if enough { Verdict::SkipQuiets } else { Verdict::Search };
        };
        if mv.promoted().is_some() || gives_direct_check(position, mv) {
            return Verdict::Search;
        }
        let recaptures = self.stack.before(leaf.ply, 1).mv.is_some_and(|last| last.to() == mv.to());
        if progress.captures >= params::quiet_captures() && !recaptures {
            return Verdict::Skip;
        }
        // Futility: not even with what it takes.
        let base = standing + params::quiet_futility();
        let limit = base + victim(position, mv).map_or(0, see::value);
        if limit <= progress.alpha {
            return Verdict::Hopeless(limit);
        }
        if base <= progress.alpha && !see::wins_at_least(position, mv, 1) {
            return Verdict::Hopeless(base);
        }
        Verdict::Search
    }
}

/// Fail medium: a score above beta is not to be trusted to its full height.
fn between(score: Score, beta: Score) -> Score {
    if score.is_decided() || beta.is_decided() {
        score
    } else {
        Score(i32::midpoint(score.0, beta.0))
    }
}
