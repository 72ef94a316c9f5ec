//! Games looked at again by an engine: what each position is worth, where something better could
//! have been played, and by how much; as PGN and as a page for the browser.
//!
//! Invariant: nothing here searches, or knows of files and the time of day. Whoever has asked an
//! engine hands in what it said.

use crate::chess::{Color, Game, Move, Position};
use crate::pgn::{Record, Remarks, Variation};
use crate::search::{Report, Score, WinModel};

mod page;

pub use page::page;

/// What an engine says of a position, from its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// What the best line is worth.
    pub score: Score,
    /// How deep it was looked at, in plies.
    pub depth: u32,
    /// The best line; empty where the game is over.
    pub line: Vec<Move>,
}

impl Opinion {
    /// Of a line of thinking.
    pub fn of(report: Report) -> Self {
        Self { score: report.score, depth: report.depth, line: report.pv }
    }

    /// What the rules say, where no move is left; none elsewhere.
    pub fn of_the_rules(position: &Position) -> Option<Self> {
        if position.has_legal_move() {
            return None;
        }
        let score = if position.in_check() { Score::mated_in(0) } else { Score::DRAW };
        Some(Self { score, depth: 0, line: Vec::new() })
    }
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// Something better was there: `?!`, glyph 6.
    Inaccuracy,
    /// A mistake: `?`, glyph 2.
    Mistake,
    /// A blunder: `??`, glyph 4.
    Blunder,
}

impl Mark {
    /// All of them, the smallest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The points, of which a win is one and a draw a half, that a move has to throw away to get
    /// this mark.
    pub const fn least_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.06,
            Self::Mistake => 0.12,
            Self::Blunder => 0.2,
        }
    }

    /// The mark of a move that throws away so many points, if it gets one.
    pub fn of_loss(points: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| points >= mark.least_loss())
    }

    /// Its numeric annotation glyph.
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// As people write it.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// An opinion as White sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The opinion, from the side to move.
    pub opinion: &'a Opinion,
    /// The side to move.
    pub mover: Color,
}

impl View<'_> {
    /// The points White may expect of the game: 1 for a win, a half for a draw.
    pub fn points(self) -> f64 {
        let own = points(self.opinion.score);
        if self.mover == Color::White { own } else { 1.0 - own }
    }

    /// The score as people read it: pawns, or the moves to a mate (`#3`, `#-3`).
    pub fn score(self) -> String {
        let score = self.opinion.score;
        let sign = self.mover.sign();
        match score.moves_to_mate() {
            Some(moves) => format!("#{}", sign * moves),
            None if score.is_decided() => {
                // What the endgame tables have decided is far above what else there is.
                format!("{}.00", if score.is_win() { 200 } else { -200 } * sign)
            }
            None => {
                format!("{:.2}", WinModel::FITTED.shown(f64::from(sign * score.0)) / 100.0 + 0.0)
            }
        }
    }

    /// The score as programs read it from comments: `[%eval 0.31,18]`, with the depth.
    fn command(self) -> String {
        format!("[%eval {},{}]", self.score(), self.opinion.depth)
    }
}

/// Where another line is shown although the move got no mark, in points.
const WORTH_SHOWING: f64 = 0.02;

/// A game with what an engine says of it.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game as it was.
    pub record: Record,
    /// Of the position before each move and of the last one; none where nobody has looked.
    pub opinions: Vec<Option<Opinion>>,
    /// Other lines from the first position, the best first.
    pub others: Vec<Opinion>,
    /// Whether this is a position with an engine's lines, and no game that was played.
    pub alone: bool,
}

impl Review {
    /// A game nobody has looked at yet.
    pub fn new(record: Record) -> Self {
        let positions = record.game.moves().len() + 1;
        Self { record, opinions: vec![None; positions], others: Vec::new(), alone: false }
    }

    /// A position and the lines an engine finds in it, the best first; that one is the game.
    pub fn of_position(start: Position, lines: Vec<Opinion>) -> Self {
        let mut record = Record { game: Game::new(start), ..Record::default() };
        if start != Position::startpos() {
            record.set_tag("SetUp", "1");
            record.set_tag("FEN", crate::chess::Fen::of(&start).to_string());
        }
        let mut lines = lines.into_iter();
        let best = lines.next();
        for &mv in best.iter().flat_map(|best| &best.line) {
            if record.game.play(mv).is_err() {
                break;
            }
        }
        let mut review = Self { others: lines.collect(), alone: true, ..Self::new(record) };
        review.opinions[0] = best;
        review
    }

    /// The game as far as the position before its move number `ply`, from 0.
    pub fn game_before(&self, ply: usize) -> Game {
        let mut game = Game::new(*self.record.game.start());
        for &mv in self.record.game.moves().iter().take(ply) {
            let played = game.play(mv);
            debug_assert!(played.is_ok(), "{mv} was played before");
        }
        game
    }

    /// Who made the move number `ply`, from 0.
    pub fn mover(&self, ply: usize) -> Color {
        let first = self.record.game.start().side_to_move();
        if ply.is_multiple_of(2) { first } else { !first }
    }

    /// What is said of the position before the move number `ply`.
    pub fn view(&self, ply: usize) -> Option<View<'_>> {
        let opinion = self.opinions.get(ply)?.as_ref()?;
        Some(View { opinion, mover: self.mover(ply) })
    }

    /// The points that the move number `ply` has thrown away, of which a win is one. None where
    /// nobody has looked before or after it.
    pub fn loss(&self, ply: usize) -> Option<f64> {
        let before = self.opinions.get(ply)?.as_ref()?;
        let after = self.opinions.get(ply + 1)?.as_ref()?;
        if before.line.first() == self.record.game.moves().get(ply) {
            // What was seen only a move later is no fault of the mover's.
            return Some(0.0);
        }
        Some((points(before.score) - (1.0 - points(after.score))).max(0.0))
    }

    /// The mark of the move number `ply`, if it deserves one.
    pub fn mark(&self, ply: usize) -> Option<Mark> {
        Mark::of_loss(self.loss(ply)?)
    }

    /// The game with a score at each move, and a glyph and a better line where something was thrown
    /// away. Comments and glyphs that were there stay; old scores go.
    pub fn annotated(&self) -> Record {
        let mut record = self.record.clone();
        record.remarks.resize(record.game.moves().len(), Remarks::default());
        if (self.alone || record.game.moves().is_empty())
            && let Some(view) = self.view(0)
        {
            record.preface = join(&without_scores(&record.preface), &view.command());
        }
        for (ply, remarks) in record.remarks.iter_mut().enumerate() {
            self.annotate(ply, remarks);
        }
        record
    }

    fn annotate(&self, ply: usize, remarks: &mut Remarks) {
        let others = if ply == 0 { self.others.as_slice() } else { &[] };
        for other in others {
            let comment = View { opinion: other, mover: self.mover(0) }.command();
            remarks.variations.push(Variation { moves: other.line.clone(), comment });
        }
        if let Some(after) = self.view(ply + 1)
            && after.opinion.depth > 0
        {
            let old = without_scores(&remarks.comment);
            remarks.comment = join(&after.command(), &old);
        }
        let (Some(loss), Some(best)) = (self.loss(ply), self.view(ply)) else {
            return;
        };
        if let Some(mark) = Mark::of_loss(loss)
            && !remarks.glyphs.iter().any(|glyph| (1..=6).contains(glyph))
        {
            remarks.glyphs.insert(0, mark.glyph());
        }
        if loss >= WORTH_SHOWING && !best.opinion.line.is_empty() {
            let moves = best.opinion.line.clone();
            remarks.variations.push(Variation { moves, comment: best.command() });
        }
    }
}

/// The points to expect of a game with this score: 1 for a win, a half for a draw. With one number of
/// men for the whole game, so that a trade alone changes nothing.
fn points(score: Score) -> f64 {
    let chances = WinModel::FITTED.chances(score, WinModel::MIDDLE);
    (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0
}

fn join(first: &str, second: &str) -> String {
    let both = format!("{first} {second}");
    both.trim().to_owned()
}

/// A comment less the scores of other engines.
fn without_scores(comment: &str) -> String {
    let mut kept = comment.to_owned();
    while let Some(start) = kept.find("[%eval ") {
        let end = kept[start..].find(']').map_or(kept.len(), |end| start + end + 1);
        kept.replace_range(start..end, "");
    }
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
