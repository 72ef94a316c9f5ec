//! The CPU levels perft is compiled for, and the choice among them.
//!
//! This is the one file of the rules of chess with `unsafe` in it: calling a function compiled for
//! instructions the baseline lacks is sound only where the CPU has them. A [`CpuLevel`] above
//! `Baseline` is only ever dispatched to after `is_x86_feature_detected!` has said so.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls code for detected CPUs"))]

use std::env;

use once_cell::sync::Lazy;

use super::walk_body;
use crate::chess::movegen::Counter;
use crate::chess::zobrist::KeySet;
use crate::chess::{Position, Side};

/// What the code of perft may assume of the CPU.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CpuLevel {
    /// Nothing beyond the target the program was built for.
    Baseline,
    /// x86-64-v3: AVX2, BMI1, BMI2, POPCNT, LZCNT.
    V3,
    /// V3 and AVX-512 F, VL and VPOPCNTDQ.
    V4,
}

static DETECTED: Lazy<CpuLevel> = Lazy::new(detect);

#[cfg(target_arch = "x86_64")]
fn detect() -> CpuLevel {
    let v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let v4 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq");
    match (v3, v4) {
        (true, true) => CpuLevel::V4,
        (true, false) => CpuLevel::V3,
        _ => CpuLevel::Baseline,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> CpuLevel {
    CpuLevel::Baseline
}

impl CpuLevel {
    /// The highest level this machine can run.
    pub fn detected() -> Self {
        *DETECTED
    }

    /// The level in use: the highest, or a lower one that the environment variable `QISHOU_SIMD`
    /// names: `scalar` means [`Self::Baseline`], `avx2` [`Self::V3`], `avx512` [`Self::V4`]. The
    /// evaluation heeds the same variable.
    pub fn chosen() -> Self {
        static CHOSEN: Lazy<CpuLevel> = Lazy::new(|| {
            let wanted = env::var("QISHOU_SIMD").unwrap_or_default();
            CpuLevel::named(&wanted).unwrap_or(CpuLevel::V4).min(CpuLevel::detected())
        });
        *CHOSEN
    }

    fn named(name: &str) -> Option<Self> {
        let levels = [("scalar", Self::Baseline), ("avx2", Self::V3), ("avx512", Self::V4)];
        levels.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|found| found.1)
    }
}

/// A CPU level as a type: where the recursion goes, and how leaves are counted.
pub(super) trait Level {
    /// Whether [`Level::count`] finds checks and pins itself.
    const FINDS_CHECKS: bool;
    /// The recursion, compiled for the level.
    fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64;
    /// A part of the count that is only added up at its end.
    type Sum: Copy;
    /// Nothing counted yet.
    fn zero() -> Self::Sum;
    /// The number of legal moves of `S`: what is returned and what is added to `sum`.
    fn count<S: Side, K: KeySet>(position: &Position<K>, sum: &mut Self::Sum) -> u64;
    /// The sum as a number.
    fn total(sum: Self::Sum) -> u64;
}

struct Baseline;

impl Level for Baseline {
    const FINDS_CHECKS: bool = false;

    // Once is enough: inlined into what begins the recursion, it would double the program.
    #[inline(never)]
    fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
        walk_body::<S, K, Self>(position, depth)
    }

    type Sum = ();

    #[inline(always)]
    fn zero() {}

    #[inline(always)]
    fn total((): ()) -> u64 {
        0
    }

    #[inline(always)]
    fn count<S: Side, K: KeySet>(position: &Position<K>, (): &mut ()) -> u64 {
        let mut counter = Counter::default();
        position.visit_moves::<S, true, true, _>(None, &mut counter);
        counter.0
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::walk_body;
    use super::{KeySet, Level, Position, Side};
    use crate::chess::movegen::{Counter, Lanes, Pair, Wide, count_by_flood};

    /// Counts in check, where most moves fall away: rare, so not inlined.
    #[cold]
    #[inline(never)]
    fn count_evasions<S: Side, K: KeySet>(mut position: Position<K>) -> u64 {
        position.find_all_checks_and_pins::<S>();
        let mut counter = Counter::default();
        position.visit_moves::<S, true, true, _>(None, &mut counter);
        counter.0
    }

    macro_rules! level {
        ($level:ident, $function:ident, $features:literal, $lanes:ty) => {
            pub(super) struct $level;

            #[target_feature(enable = $features)]
            fn $function<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
                walk_body::<S, K, $level>(position, depth)
            }

            impl Level for $level {
                const FINDS_CHECKS: bool = true;

                #[inline(always)]
                fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
                    // SAFETY: a recursion at this level is only begun by `walk` below, after the
                    // CPU has been asked.
                    unsafe { $function::<S, K>(position, depth) }
                }

                type Sum = <$lanes as Lanes>::Sum;

                #[inline(always)]
                fn zero() -> Self::Sum {
                    <$lanes>::zero()
                }

                #[inline(always)]
                fn total(sum: Self::Sum) -> u64 {
                    <$lanes>::total(sum)
                }

                #[inline(always)]
                fn count<S: Side, K: KeySet>(position: &Position<K>, sum: &mut Self::Sum) -> u64 {
                    match count_by_flood::<S, K, $lanes>(position, sum) {
                        Some(count) => count,
                        None => count_evasions::<S, K>(*position),
                    }
                }
            }
        };
    }

    level!(V3, walk_v3, "avx2,bmi1,bmi2,lzcnt,popcnt", Pair);
    level!(V4, walk_v4, "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512vpopcntdq", Wide);
}

/// Runs the recursion compiled for `level`, or for what this machine has if that is less.
pub(super) fn walk<S: Side, K: KeySet>(level: CpuLevel, position: &Position<K>, depth: u32) -> u64 {
    match level.min(CpuLevel::detected()) {
        #[cfg(target_arch = "x86_64")]
        CpuLevel::V4 => x86::V4::walk::<S, K>(position, depth),
        #[cfg(target_arch = "x86_64")]
        CpuLevel::V3 => x86::V3::walk::<S, K>(position, depth),
        _ => Baseline::walk::<S, K>(position, depth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_has_the_name_that_the_evaluation_gives_it() {
        for (name, level) in [
            ("scalar", Some(CpuLevel::Baseline)),
            ("AVX2", Some(CpuLevel::V3)),
            ("avx512", Some(CpuLevel::V4)),
            ("neon", None),
            ("", None),
        ] {
            assert_eq!(CpuLevel::named(name), level, "{name:?}");
        }
        assert!(CpuLevel::chosen() <= CpuLevel::detected());
    }
}
