//! Every number of the search that may be tuned, once: name, default, smallest, largest, step.
//!
//! Without the feature `tune` they are constants to the compiler; with it they can be set by
//! name. Scores are in internal centipawns, depths in plies; `reduction` numbers are in 1/1024
//! ply. The defaults come from understanding, most margins and weights of a tuning by games since
//! (`docs/search.md`); depths and counts do not, since those found at few nodes did not hold at more.

/// A number of the search as a tuner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, as in the option that sets it.
    pub name: &'static str,
    /// What the search uses unless told otherwise.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// How far a tuner moves it at first.
    pub step: i32,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal, $max:literal, $step:literal;)*) => {
        /// All of them, in the order of the table.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            step: $step,
        }),*];

        #[cfg(feature = "tune")]
        mod values {
            #![expect(non_upper_case_globals, reason = "named like the parameters")]
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Sets a parameter for all searches from now on. False if there is none of that name or
        /// the value lies outside its bounds.
        #[cfg(feature = "tune")]
        pub fn set_parameter(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) if ($min..=$max).contains(&value) => {
                    values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    true
                })*
                _ => false,
            }
        }

        $($(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name() -> i32 {
            #[cfg(feature = "tune")]
            return values::$name.load(std::sync::atomic::Ordering::Relaxed);
            #[cfg(not(feature = "tune"))]
            $default
        })*
    };
}

parameters! {
    /// History bonus of a good move: slope in depth, minus offset, up to a limit.
    bonus_slope = 219, 50, 400, 20;
    bonus_offset = 88, 0, 300, 20;
    bonus_limit = 1642, 500, 4000, 150;
    /// The same for moves tried in vain.
    malus_slope = 206, 50, 400, 20;
    malus_offset = 85, 0, 300, 20;
    malus_limit = 1524, 500, 4000, 150;
    /// Less malus for each move tried before, in 64ths.
    malus_decay = 0, 0, 16, 1;
    /// What each history counts in the order of quiet moves, in 16ths: butterfly, pawns, answers to
    /// what was moved 1, 2, 4 and 6 plies before.
    order_butterfly = 14, 0, 48, 2;
    order_pawns = 15, 0, 48, 2;
    order_answer_1 = 14, 0, 48, 2;
    order_answer_2 = 17, 0, 48, 2;
    order_answer_4 = 5, 0, 48, 2;
    order_answer_6 = 11, 0, 48, 2;
    /// What the history by pawns counts in how a quiet move did, in 16ths of the others.
    record_pawns = 3, 0, 32, 2;
    /// Ordering bonus of a quiet move that checks and is not lost.
    order_check = 9533, 0, 20000, 1000;
    /// Ordering: centipawns times this for a man that leaves or enters the reach of a cheaper one.
    order_escape = 16, 0, 40, 2;
    /// Ordering of captures: the history is divided by this.
    order_capture = 3, 1, 8, 1;
    /// A capture is good if it loses less than its ordering score divided by this.
    order_see = 34, 16, 64, 4;

    /// Razoring: base and slope by squared depth, up to a depth.
    razor_base = 240, 50, 600, 30;
    razor_slope = 210, 50, 500, 20;
    razor_depth = 4, 1, 8, 1;

    /// Reverse futility: margin for each ply, up to a depth; less when improving, less when the
    /// opponent stands worse than before its move, more for each 16 centipawns of correction.
    rfp_slope = 81, 30, 160, 8;
    rfp_improving = 69, 0, 160, 8;
    rfp_worsening = 3, 0, 80, 5;
    rfp_correction = 2, -16, 32, 2;
    rfp_floor = 30, 0, 100, 5;
    rfp_depth = 9, 4, 14, 1;

    /// Null move: how far the static evaluation may lie below beta, less by depth.
    null_margin = 155, 0, 400, 20;
    null_slope = 18, 0, 40, 3;
    /// Plies taken off, and one more for so many centipawns above beta.
    null_base = 4, 2, 7, 1;
    null_surplus = 220, 100, 400, 20;
    null_verify_depth = 14, 8, 20, 1;

    /// From this depth on a node without table move is searched less deep.
    iir_depth = 5, 2, 8, 1;

    /// Late move pruning: moves at depth zero, and more for each 16 of the squared depth.
    lmp_base = 4, 1, 10, 1;
    lmp_slope = 16, 4, 40, 2;

    /// Futility of quiet moves, by the depth they would be searched to.
    futility_base = 87, 0, 300, 15;
    futility_slope = 94, 30, 200, 10;
    futility_depth = 9, 4, 14, 1;
    /// More for what did well elsewhere: centipawns for a record of 32768.
    futility_record = 22, 0, 200, 10;
    /// Futility of captures.
    futility_noisy_base = 170, 50, 500, 20;
    futility_noisy_slope = 172, 50, 400, 20;
    futility_noisy_depth = 6, 2, 12, 1;

    /// Exchange pruning: what a move may lose, by squared reduced depth and by depth.
    see_quiet = 32, 5, 80, 4;
    see_noisy = 90, 30, 250, 10;
    /// What a capture may lose more for its history, divided by this.
    see_noisy_record = 72, 16, 256, 8;

    /// History pruning: up to this reduced depth, below minus this for each ply.
    record_depth = 6, 2, 10, 1;
    record_slope = 4023, 1000, 8000, 300;

    /// Late move reductions.
    lmr_quiet_base = 704, 0, 2000, 80;
    lmr_quiet_divisor = 244, 150, 400, 12;
    lmr_quiet_trust = 11650, 5000, 40000, 1000;
    lmr_noisy_base = -85, -1000, 1500, 80;
    lmr_noisy_divisor = 320, 150, 500, 15;
    lmr_noisy_trust = 12302, 5000, 40000, 1000;
    lmr_not_improving = 575, 0, 1500, 80;
    lmr_cut_node = 1461, 0, 3000, 120;
    lmr_no_table_move = 766, 0, 2000, 80;
    lmr_raised = 302, 0, 1200, 60;
    lmr_table_pv = 938, 0, 2500, 100;
    lmr_pv = 585, 0, 2000, 80;
    lmr_noisy_table_move = 732, 0, 2000, 80;
    lmr_check = 931, 0, 2000, 80;
    lmr_cutoffs = 722, 0, 2000, 80;
    /// For each centipawn the evaluation is corrected by: who is unsure looks closer.
    lmr_correction = 6, 0, 20, 1;
    /// A second look goes one ply deeper, or less deep, beside the best score so far.
    deeper_margin = 36, 10, 120, 6;
    shallower_margin = 10, 0, 30, 2;

    /// A move refuted at once was bad if it was among the first so many of its node.
    early_moves = 3, 1, 8, 1;
    /// Singular extensions: from this depth on, below the table's score by depth times this / 16.
    singular_depth = 6, 4, 10, 1;
    singular_margin = 18, 4, 48, 2;
    /// Below that depth, if the evaluation is so far below alpha.
    hope_margin = 13, 0, 100, 8;
    /// So far below that, two plies and three.
    double_margin = 17, 0, 60, 3;
    triple_margin = 91, 30, 300, 12;
    /// So many extensions of two plies and more in one line.
    long_extensions = 10, 2, 30, 2;

    /// `ProbCut`: beta plus this, less when improving, from a depth on.
    probcut_margin = 178, 80, 400, 15;
    probcut_improving = 52, 0, 200, 10;
    probcut_depth = 5, 3, 9, 1;
    /// What the table knows at nearly that depth needs this margin.
    probcut_table_margin = 441, 150, 800, 30;

    /// Quiescence: a capture has to bring the evaluation this near to alpha.
    quiet_futility = 244, 50, 500, 20;
    /// So many captures are tried, besides checks and recaptures.
    quiet_captures = 3, 1, 8, 1;

    /// The evaluation times this, and that for each pawn's worth of men on the board, in 1024ths.
    scale_base = 1024, 512, 1536, 20;
    scale_unit = 0, -10, 20, 1;

    /// Weights of the corrections of the evaluation.
    correct_pawns = 89, 0, 200, 10;
    correct_pieces = 74, 0, 200, 10;
    correct_minors = 53, 0, 200, 10;
    correct_moves = 64, 0, 200, 10;

    /// Hindsight: the move before was reduced so much, and turned out better or worse.
    hindsight_deeper = 3, 2, 6, 1;
    hindsight_shallower = 2, 1, 6, 1;
    hindsight_margin = 120, 30, 300, 15;

    /// Bonus of the move before for each centipawn it gained statically, and its limit.
    gain_slope = 7, 0, 20, 1;
    gain_limit = 699, 100, 2000, 80;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_bounds_and_names_differ() {
        let mut names = std::collections::HashSet::new();
        for parameter in PARAMETERS {
            let bounds = parameter.min..=parameter.max;
            assert!(bounds.contains(&parameter.default), "{parameter:?}");
            assert!(parameter.step > 0 && parameter.step <= parameter.max - parameter.min);
            assert!(names.insert(parameter.name), "{} twice", parameter.name);
        }
    }
}
