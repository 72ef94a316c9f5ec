//! What moves did elsewhere in the tree, and so how promising they are here.
//!
//! Quiet moves are remembered by side, origin, goal and whether these are attacked (butterfly);
//! by the pawns on the board; and as answers to what was moved 1, 2, 4 and 6 plies before
//! (continuation). Captures are remembered by what takes what where.

use super::threats::Threats;
use super::{ablation, params};
use crate::chess::{Color, Move, MoveFlag, Piece, PieceKind, Position, Square};

/// Bounds of a history value, either sign.
pub(crate) const MAX_HISTORY: i32 = 16_384;

/// A man and the square it moved to, as a number.
pub(crate) type Context = usize;
/// All men times all squares.
const CONTEXTS: usize = Piece::COUNT * 64;
/// No move, or the null move: an answer to it teaches nothing.
pub(crate) const NO_CONTEXT: Context = CONTEXTS;
/// Pawn structures told apart.
const PAWN_ROWS: usize = 512;

/// A learned number within [`MAX_HISTORY`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Worth(i16);

impl Worth {
    #[inline(always)]
    fn value(self) -> i32 {
        i32::from(self.0)
    }

    /// Adds a bonus that shrinks as the value nears its bound, so that it never passes it and
    /// forgets what is long ago ("gravity", known from Stockfish).
    #[inline(always)]
    fn add(&mut self, bonus: i32) {
        let old = self.value();
        self.0 = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
    }
}

/// A number for each man and goal.
type Row = [Worth; CONTEXTS];

/// Where the histories are asked: a node, as far as they look at it.
pub(crate) struct Site<'a> {
    pub(crate) position: &'a Position,
    /// What the side not to move attacks.
    pub(crate) threats: Threats,
    /// What was moved 1, 2, 4 and 6 plies before.
    pub(crate) before: [Context; 4],
}

impl Site<'_> {
    /// The man that a move moves and where to.
    #[inline(always)]
    pub(crate) fn context(&self, mv: Move) -> Context {
        self.context_of(self.position.kind_on_taken(mv.from()), mv)
    }

    /// The same if the kind of the man is known.
    #[inline(always)]
    pub(crate) fn context_of(&self, kind: PieceKind, mv: Move) -> Context {
        Piece::new(kind, self.position.side_to_move()).index() * 64 + mv.to() as usize
    }

    /// The place of a move in the butterfly table.
    #[inline(always)]
    pub(crate) fn slot(&self, mv: Move) -> Slot {
        let (from, to) = (mv.from(), mv.to());
        let side = self.position.side_to_move() as usize;
        let threats = 2 * self.is_threatened(from) + self.is_threatened(to);
        ((4 * side + threats) * 64 + from as usize) * 64 + to as usize
    }

    fn pawn_row(&self) -> usize {
        self.position.keys().pawn as usize % PAWN_ROWS
    }

    #[inline(always)]
    fn is_threatened(&self, square: Square) -> usize {
        usize::from(self.threats.all.contains(square))
    }
}

/// What is captured; a promotion without capture counts as taking a pawn.
fn victim(position: &Position, mv: Move) -> PieceKind {
    match mv.flag() {
        MoveFlag::EnPassant => PieceKind::Pawn,
        _ => position.kind_on(mv.to()).unwrap_or(PieceKind::Pawn),
    }
}

/// The place of a quiet move in the butterfly table.
pub(crate) type Slot = usize;
/// Side, whether origin and goal are attacked, origin, goal.
const SLOTS: usize = Color::COUNT * 2 * 2 * 64 * 64;

/// All that is remembered of moves.
pub(crate) struct Histories {
    butterfly: Box<[Worth; SLOTS]>,
    pawn: Box<[Row]>,
    continuation: Box<[Row]>,
    capture: Box<[[Worth; PieceKind::COUNT]; CONTEXTS]>,
}

/// The parts of the histories that a node's quiet moves are looked up in, found once for all.
pub(crate) struct Quiets<'a> {
    butterfly: &'a [Worth; SLOTS],
    pawn: &'a Row,
    /// After what was moved 1, 2, 4 and 6 plies before.
    answers: [&'a Row; 4],
}

impl Quiets<'_> {
    /// The promise of a quiet move.
    #[inline(always)]
    pub(crate) fn promise(&self, context: Context, slot: Slot) -> i32 {
        let plain = self.butterfly[slot].value() * params::order_butterfly()
            + self.pawn[context].value() * params::order_pawns();
        if ablation::no_continuations() {
            return plain / 16;
        }
        let [one, two, four, six] = self.answers.map(|row| row[context].value());
        let answers = one * params::order_answer_1()
            + two * params::order_answer_2()
            + four * params::order_answer_4()
            + six * params::order_answer_6();
        (plain + answers) / 16
    }
}

fn rows(count: usize) -> Box<[Row]> {
    vec![[Worth::default(); CONTEXTS]; count].into_boxed_slice()
}

impl Histories {
    /// Their memory.
    pub(crate) const BYTES: usize =
        size_of::<Worth>() * (SLOTS + (PAWN_ROWS + CONTEXTS + 1 + PieceKind::COUNT) * CONTEXTS);

    #[expect(clippy::large_stack_arrays, reason = "made once, and boxed at once")]
    pub(crate) fn new() -> Self {
        Self {
            butterfly: Box::new([Worth(0); SLOTS]),
            pawn: rows(PAWN_ROWS),
            // The last row stays zero: it answers for moves without context.
            continuation: rows(CONTEXTS + 1),
            capture: Box::new([[Worth(0); PieceKind::COUNT]; CONTEXTS]),
        }
    }

    /// A new game: nothing is known.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    #[inline(always)]
    fn butterfly(&self, site: &Site, mv: Move) -> i32 {
        self.butterfly[site.slot(mv)].value()
    }

    #[inline(always)]
    fn continuation(&self, site: &Site, context: Context, which: usize) -> i32 {
        if ablation::no_continuations() {
            return 0;
        }
        self.continuation[site.before[which]][context].value()
    }

    /// What the quiet moves of a node are ordered by.
    #[inline(always)]
    pub(crate) fn quiets<'a>(&'a self, site: &Site) -> Quiets<'a> {
        Quiets {
            butterfly: &self.butterfly,
            pawn: &self.pawn[site.pawn_row()],
            answers: site.before.map(|row| &self.continuation[row]),
        }
    }

    /// How a quiet move did, for reductions: within three times [`MAX_HISTORY`].
    #[inline]
    pub(crate) fn quiet_record(&self, site: &Site, mv: Move) -> i32 {
        let pawns = self.pawn[site.pawn_row()][site.context(mv)].value();
        self.butterfly(site, mv)
            + self.answer_record(site, mv)
            + pawns * params::record_pawns() / 16
    }

    /// How a quiet move did as an answer to the last two: within twice [`MAX_HISTORY`].
    #[inline]
    pub(crate) fn answer_record(&self, site: &Site, mv: Move) -> i32 {
        let context = site.context(mv);
        self.continuation(site, context, 0) + self.continuation(site, context, 1)
    }

    /// How a capture or promotion did, within [`MAX_HISTORY`].
    #[inline]
    pub(crate) fn noisy(&self, site: &Site, mv: Move) -> i32 {
        if ablation::no_capture_history() {
            return 0;
        }
        self.capture[site.context(mv)][victim(site.position, mv)].value()
    }

    /// `best` refuted, or was best, after the other moves were not.
    pub(crate) fn reward(
        &mut self,
        site: &Site,
        best: Move,
        quiets: &[Move],
        noisy: &[Move],
        depth: i32,
    ) {
        let bonus = bonus(depth);
        let malus = malus(depth);
        if site.position.is_noisy(best) {
            self.add_noisy(site, best, bonus);
        } else {
            self.add_quiet(site, best, bonus);
            for (&mv, later) in quiets.iter().zip(0..) {
                // The later, the less was hoped of it.
                self.add_quiet(
                    site,
                    mv,
                    -malus * (64 - params::malus_decay() * later).max(16) / 64,
                );
            }
        }
        for &mv in noisy {
            self.add_noisy(site, mv, -malus);
        }
    }

    /// A quiet move did well, or badly with a negative bonus.
    pub(crate) fn add_quiet(&mut self, site: &Site, mv: Move, bonus: i32) {
        self.add_slot(site.slot(mv), bonus);
        self.pawn[site.pawn_row()][site.context(mv)].add(bonus);
        self.add_answer(&site.before, site.context(mv), bonus);
    }

    /// The same for the butterfly history alone.
    pub(crate) fn add_slot(&mut self, slot: Slot, bonus: i32) {
        self.butterfly[slot].add(bonus);
    }

    /// A man on a square did well after what was moved before.
    pub(crate) fn add_answer(&mut self, before: &[Context; 4], context: Context, bonus: i32) {
        for &row in before {
            if row != NO_CONTEXT {
                self.continuation[row][context].add(bonus);
            }
        }
    }

    fn add_noisy(&mut self, site: &Site, mv: Move, bonus: i32) {
        self.capture[site.context(mv)][victim(site.position, mv)].add(bonus);
    }
}

/// What a good move gains at a depth.
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_limit())
}

/// What a move loses that was tried in vain.
pub(crate) fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_within_their_bounds() {
        let position = Position::startpos();
        let site = Site { position: &position, threats: Threats::default(), before: [3; 4] };
        let mut histories = Histories::new();
        let [good, bad] =
            [Move::normal(Square::E2, Square::E4), Move::normal(Square::D2, Square::D4)];
        for _ in 0..1000 {
            histories.reward(&site, good, &[bad], &[], 200);
        }
        let bounds = MAX_HISTORY * 27 / 10..=MAX_HISTORY * 3;
        assert!(bounds.contains(&histories.quiet_record(&site, good)));
        assert!(bounds.contains(&-histories.quiet_record(&site, bad)));
        let elsewhere = Site { before: [NO_CONTEXT; 4], ..site };
        assert!(histories.quiet_record(&elsewhere, good) <= MAX_HISTORY);
        histories.clear();
        let promise = histories.quiets(&elsewhere);
        assert_eq!(promise.promise(elsewhere.context(good), elsewhere.slot(good)), 0);
    }

    #[test]
    fn an_answer_to_nothing_teaches_nothing() {
        let mut histories = Histories::new();
        histories.add_answer(&[NO_CONTEXT; 4], 5, 1000);
        assert!(histories.continuation.iter().flatten().all(|worth| worth.value() == 0));
    }
}
