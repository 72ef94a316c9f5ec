//! The CPU levels perft is compiled for, and the choice among them.
//!
//! This is the one file of the rules of chess with `unsafe` in it: calling a function compiled for
//! instructions the baseline lacks is sound only where the CPU has them. A [`CpuLevel`] above
//! `Baseline` is only ever dispatched to after `is_x86_feature_detected!` has said so.
#![expect(unsafe_code, reason = "calls to functions compiled for detected CPU features")]

use once_cell::sync::Lazy;

use super::walk_body;
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
}

/// A CPU level as a type: where the recursion goes, and what it may assume.
pub(super) trait Level {
    /// Whether vectors of 64-bit lanes with variable shifts are fast.
    const WIDE: bool;
    fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64;
}

struct Baseline;

impl Level for Baseline {
    const WIDE: bool = false;
    fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
        walk_body::<S, K, Self>(position, depth)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{KeySet, Level, Position, Side, walk_body};

    pub(super) struct V3;
    pub(super) struct V4;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn walk_v3<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
        walk_body::<S, K, V3>(position, depth)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512vpopcntdq")]
    pub(super) fn walk_v4<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
        walk_body::<S, K, V4>(position, depth)
    }

    impl Level for V3 {
        const WIDE: bool = true;
        #[inline(always)]
        fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
            // SAFETY: this recursion is only entered through `walk`, for a detected level.
            unsafe { walk_v3::<S, K>(position, depth) }
        }
    }

    impl Level for V4 {
        const WIDE: bool = true;
        #[inline(always)]
        fn walk<S: Side, K: KeySet>(position: &Position<K>, depth: u32) -> u64 {
            // SAFETY: this recursion is only entered through `walk`, for a detected level.
            unsafe { walk_v4::<S, K>(position, depth) }
        }
    }
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
