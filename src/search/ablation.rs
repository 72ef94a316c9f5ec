//! Families of techniques that can be switched off, to measure by matches what each is worth.
//!
//! Without the feature `tune` every one is on, and the compiler knows it: no code is left of the
//! questions asked here.

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident = $option:literal;)*) => {
        /// The options that switch a family off, in the order of the table.
        pub const FAMILIES: &[&str] = &[$($option),*];

        #[cfg(feature = "tune")]
        mod switches {
            #![expect(non_upper_case_globals, reason = "named like the families")]
            use std::sync::atomic::AtomicBool;
            $(pub(super) static $name: AtomicBool = AtomicBool::new(false);)*
        }

        /// Switches a family off or on for all searches from now on. The name is compared without
        /// regard to case. False if there is none of that name.
        #[cfg(feature = "tune")]
        pub fn switch_off(option: &str, off: bool) -> bool {
            $(if option.eq_ignore_ascii_case($option) {
                switches::$name.store(off, std::sync::atomic::Ordering::Relaxed);
                return true;
            })*
            false
        }

        $($(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name() -> bool {
            #[cfg(feature = "tune")]
            return switches::$name.load(std::sync::atomic::Ordering::Relaxed);
            #[cfg(not(feature = "tune"))]
            false
        })*
    };
}

families! {
    /// Nothing is stored in the transposition table and nothing found there.
    no_table = "NoTable";
    /// No null move.
    no_null_move = "NoNullMove";
    /// No late move reductions.
    no_reductions = "NoLateMoveReductions";
    /// No reverse futility.
    no_reverse_futility = "NoReverseFutility";
    /// No futility of quiet moves and captures, no late move pruning; quiescence keeps its own.
    no_futility = "NoFutility";
    /// No exchange pruning in the move loop; ordering and quiescence go on asking for exchanges.
    no_see_pruning = "NoSeePruning";
    /// No singular extensions, multicut and negative extensions.
    no_singular = "NoSingular";
    /// The evaluation is not corrected by what searches showed elsewhere.
    no_corrections = "NoCorrections";
    /// No continuation histories in ordering, reductions and history pruning.
    no_continuations = "NoContinuations";
    /// No capture history.
    no_capture_history = "NoCaptureHistory";
}
