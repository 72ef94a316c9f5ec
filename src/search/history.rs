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
const CONTEXTS: usize = Piece::COUNT * Square::COUNT;
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

/// A number for each goal.
pub(crate) type Goals = [Worth; Square::COUNT];
/// A number for each man and goal.
type Row = [Goals; Piece::COUNT];

/// A move as the histories see it.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) mv: Move,
    /// The man it moves and where to.
    pub(crate) context: Context,
    /// Its place in the butterfly table, if it is quiet.
    pub(crate) slot: Option<Slot>,
}

impl Step {
    /// Whether it neither takes nor promotes.
    #[inline(always)]
    pub(crate) fn is_quiet(&self) -> bool {
        self.slot.is_some()
    }
}

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
    fn context(&self, mv: Move) -> Context {
        self.context_of(self.position.kind_on_taken(mv.from()), mv.to())
    }

    /// The same if the kind of the man is known.
    #[inline(always)]
    pub(crate) fn context_of(&self, kind: PieceKind, to: Square) -> Context {
        Piece::new(kind, self.position.side_to_move()).index() * Square::COUNT + to as usize
    }

    /// The move as the histories see it.
    #[inline(always)]
    pub(crate) fn step(&self, mv: Move) -> Step {
        let slot = (!self.position.is_noisy(mv)).then(|| self.slot(mv));
        Step { mv, context: self.context(mv), slot }
    }

    /// The place of a move in the butterfly table.
    #[inline(always)]
    fn slot(&self, mv: Move) -> Slot {
        let row = self.slot_rows(mv.from())[usize::from(self.is_threatened(mv.to()))];
        row * Square::COUNT + mv.to() as usize
    }

    /// The rows of the butterfly table for moves from a square: to such that are not attacked, and
    /// to such that are.
    #[inline(always)]
    fn slot_rows(&self, from: Square) -> [usize; 2] {
        let side = self.position.side_to_move() as usize;
        let threat = usize::from(self.is_threatened(from));
        let safe = (4 * side + 2 * threat) * Square::COUNT + from as usize;
        [safe, safe + Square::COUNT]
    }

    fn pawn_row(&self) -> usize {
        self.position.keys().pawn as usize % PAWN_ROWS
    }

    #[inline(always)]
    pub(crate) fn is_threatened(&self, square: Square) -> bool {
        self.threats.all.contains(square)
    }
}

/// What a capture or promotion takes, if anything.
#[inline(always)]
pub(crate) fn victim(position: &Position, noisy: Move) -> Option<PieceKind> {
    match noisy.flag() {
        MoveFlag::EnPassant => Some(PieceKind::Pawn),
        _ => position.kind_on(noisy.to()),
    }
}

/// The place of a quiet move in the butterfly table.
pub(crate) type Slot = usize;
/// Side, whether origin and goal are attacked, origin; in each a number for each goal.
const SLOTS: usize = Color::COUNT * 2 * 2 * Square::COUNT;

/// All that is remembered of moves.
pub(crate) struct Histories {
    butterfly: Box<[Goals; SLOTS]>,
    pawn: Box<[Row]>,
    continuation: Box<[Row]>,
    capture: Box<[[Worth; PieceKind::COUNT]; CONTEXTS]>,
}

/// The parts of the histories that a node's quiet moves are looked up in, found once for all.
pub(crate) struct Quiets<'a> {
    site: &'a Site<'a>,
    butterfly: &'a [Goals; SLOTS],
    pawn: &'a Row,
    /// After what was moved 1, 2, 4 and 6 plies before.
    answers: [&'a Row; 4],
}

/// The parts that the quiet moves of one kind of man are looked up in.
pub(crate) struct QuietsOfMan<'a> {
    pawn: &'a Goals,
    answers: [&'a Goals; 4],
}

impl<'a> Quiets<'a> {
    /// Those of a kind of man of the side to move.
    #[inline(always)]
    pub(crate) fn of_man(&self, kind: PieceKind) -> QuietsOfMan<'a> {
        let man = Piece::new(kind, self.site.position.side_to_move()).index();
        let [one, two, four, six] = self.answers;
        let answers = [&one[man], &two[man], &four[man], &six[man]];
        QuietsOfMan { pawn: &self.pawn[man], answers }
    }

    /// The butterfly history of moves from a square: to such that are not attacked, and to such
    /// that are.
    #[inline(always)]
    pub(crate) fn rows_from(&self, from: Square) -> [&'a Goals; 2] {
        let [safe, threatened] = self.site.slot_rows(from);
        [&self.butterfly[safe], &self.butterfly[threatened]]
    }
}

impl QuietsOfMan<'_> {
    /// The promise of a quiet move, given its row of [`Quiets::rows_from`].
    #[inline(always)]
    pub(crate) fn promise(&self, butterfly: &Goals, to: Square) -> i32 {
        let plain = butterfly[to].value() * params::order_butterfly()
            + self.pawn[to].value() * params::order_pawns();
        if ablation::no_continuations() {
            return plain / 16;
        }
        let [one, two, four, six] = self.answers;
        let answers = one[to].value() * params::order_answer_1()
            + two[to].value() * params::order_answer_2()
            + four[to].value() * params::order_answer_4()
            + six[to].value() * params::order_answer_6();
        (plain + answers) / 16
    }
}

fn rows(count: usize) -> Box<[Row]> {
    vec![[[Worth::default(); Square::COUNT]; Piece::COUNT]; count].into_boxed_slice()
}

impl Histories {
    /// Their memory.
    pub(crate) const BYTES: usize = size_of::<Goals>() * SLOTS
        + size_of::<Row>() * (PAWN_ROWS + CONTEXTS + 1 + PieceKind::COUNT);

    #[expect(clippy::large_stack_arrays, reason = "made once, and boxed at once")]
    pub(crate) fn new() -> Self {
        Self {
            butterfly: Box::new([[Worth(0); Square::COUNT]; SLOTS]),
            pawn: rows(PAWN_ROWS),
            // The last row stays zero: it answers for moves without context.
            continuation: rows(CONTEXTS + 1),
            capture: Box::new([[Worth(0); PieceKind::COUNT]; CONTEXTS]),
        }
    }

    /// A new game: nothing is known. In place: new memory would be taken page by page on the clock
    /// of the first search.
    pub(crate) fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(Worth(0));
        self.pawn.as_flattened_mut().as_flattened_mut().fill(Worth(0));
        self.continuation.as_flattened_mut().as_flattened_mut().fill(Worth(0));
        self.capture.as_flattened_mut().fill(Worth(0));
    }

    #[inline(always)]
    fn continuation(&self, site: &Site, context: Context, which: usize) -> i32 {
        if ablation::no_continuations() {
            return 0;
        }
        self.continuation[site.before[which]].as_flattened()[context].value()
    }

    /// What the quiet moves of a node are ordered by.
    #[inline(always)]
    pub(crate) fn quiets<'a>(&'a self, site: &'a Site) -> Quiets<'a> {
        Quiets {
            site,
            butterfly: &self.butterfly,
            pawn: &self.pawn[site.pawn_row()],
            answers: site.before.map(|row| &self.continuation[row]),
        }
    }

    /// How a move did, for reductions: a quiet one within three times [`MAX_HISTORY`] and what the
    /// history by pawns counts, a capture or promotion within [`MAX_HISTORY`].
    #[inline]
    pub(crate) fn record(&self, site: &Site, step: &Step) -> i32 {
        let Some(slot) = step.slot else {
            return self.noisy(step.context, victim(site.position, step.mv));
        };
        let pawns = self.pawn[site.pawn_row()].as_flattened()[step.context].value();
        self.butterfly.as_flattened()[slot].value()
            + self.answer_record(site, step.context)
            + pawns * params::record_pawns() / 16
    }

    /// How a quiet move did as an answer to the last two: within twice [`MAX_HISTORY`].
    #[inline]
    pub(crate) fn answer_record(&self, site: &Site, context: Context) -> i32 {
        self.continuation(site, context, 0) + self.continuation(site, context, 1)
    }

    /// How a capture or promotion did, within [`MAX_HISTORY`].
    #[inline(always)]
    pub(crate) fn noisy(&self, context: Context, victim: Option<PieceKind>) -> i32 {
        if ablation::no_capture_history() {
            return 0;
        }
        // A promotion without capture counts as taking a pawn.
        self.capture[context][victim.unwrap_or(PieceKind::Pawn)].value()
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
        self.pawn[site.pawn_row()].as_flattened_mut()[site.context(mv)].add(bonus);
        self.add_answer(&site.before, site.context(mv), bonus);
    }

    /// The same for the butterfly history alone.
    pub(crate) fn add_slot(&mut self, slot: Slot, bonus: i32) {
        self.butterfly.as_flattened_mut()[slot].add(bonus);
    }

    /// A man on a square did well after what was moved before.
    pub(crate) fn add_answer(&mut self, before: &[Context; 4], context: Context, bonus: i32) {
        for &row in before {
            if row != NO_CONTEXT {
                self.continuation[row].as_flattened_mut()[context].add(bonus);
            }
        }
    }

    fn add_noisy(&mut self, site: &Site, mv: Move, bonus: i32) {
        let victim = victim(site.position, mv).unwrap_or(PieceKind::Pawn);
        self.capture[site.context(mv)][victim].add(bonus);
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
        let with_pawns = |parts| MAX_HISTORY * parts + MAX_HISTORY * params::record_pawns() / 16;
        let bounds = with_pawns(3) * 9 / 10..=with_pawns(3);
        assert!(bounds.contains(&histories.record(&site, &site.step(good))));
        assert!(bounds.contains(&-histories.record(&site, &site.step(bad))));
        let elsewhere = Site { before: [NO_CONTEXT; 4], ..site };
        assert!(histories.record(&elsewhere, &elsewhere.step(good)) <= with_pawns(1));
        histories.clear();
        let quiets = histories.quiets(&elsewhere);
        let [safe, _] = quiets.rows_from(good.from());
        assert_eq!(quiets.of_man(PieceKind::Pawn).promise(safe, good.to()), 0);
    }

    #[test]
    fn an_answer_to_nothing_teaches_nothing() {
        let mut histories = Histories::new();
        histories.add_answer(&[NO_CONTEXT; 4], 5, 1000);
        assert!(
            histories
                .continuation
                .as_flattened()
                .as_flattened()
                .iter()
                .all(|worth| worth.value() == 0)
        );
    }
}
