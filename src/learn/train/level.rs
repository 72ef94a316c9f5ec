//! The training kernel compiled for what this machine's CPU can do.
//!
//! This is the one file of the trainer with `unsafe` in it: calling a function compiled for
//! instructions the baseline lacks is sound only where the CPU has them, and each call below
//! stands behind `is_x86_feature_detected!` for exactly those features.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls code for detected CPUs"))]

use once_cell::sync::OnceCell;

use super::kernel::{self, Context, Scratch, Stretch, Update};
use crate::learn::sample::Sample;

/// What the kernel may assume of the CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

static LEVEL: OnceCell<Level> = OnceCell::new();

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Baseline,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Baseline
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Context, Sample, Scratch, Stretch, Update, kernel};

    #[target_feature(enable = "avx2,fma,bmi1,bmi2")]
    pub(super) fn chunk_avx2<const W: usize, const LEARN: bool>(
        context: &Context<'_>,
        samples: &[Sample],
        scratch: &mut Scratch,
    ) -> f64 {
        kernel::chunk::<W, LEARN>(context, samples, scratch)
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn chunk_avx512<const W: usize, const LEARN: bool>(
        context: &Context<'_>,
        samples: &[Sample],
        scratch: &mut Scratch,
    ) -> f64 {
        kernel::chunk::<W, LEARN>(context, samples, scratch)
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn adamw_avx2(update: &Update, stretch: &mut Stretch<'_>, gradients: &[&[f32]]) {
        kernel::adamw(update, stretch, gradients);
    }
}

fn chunk_of_width<const W: usize, const LEARN: bool>(
    context: &Context<'_>,
    samples: &[Sample],
    scratch: &mut Scratch,
) -> f64 {
    match LEVEL.get_or_init(detect) {
        Level::Baseline => kernel::chunk::<W, LEARN>(context, samples, scratch),
        // SAFETY: `detect` has seen avx2, fma, bmi1 and bmi2.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::chunk_avx2::<W, LEARN>(context, samples, scratch) },
        // SAFETY: `detect` has seen these and avx512f, bw, dq and vl.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::chunk_avx512::<W, LEARN>(context, samples, scratch) },
    }
}

/// [`kernel::chunk`] for the shape's tile width.
pub(super) fn chunk<const LEARN: bool>(
    context: &Context<'_>,
    samples: &[Sample],
    scratch: &mut Scratch,
) -> f64 {
    match context.shape.tile() {
        64 => chunk_of_width::<64, LEARN>(context, samples, scratch),
        _ => chunk_of_width::<32, LEARN>(context, samples, scratch),
    }
}

/// [`kernel::adamw`].
pub(super) fn adamw(update: &Update, stretch: &mut Stretch<'_>, gradients: &[&[f32]]) {
    match LEVEL.get_or_init(detect) {
        Level::Baseline => kernel::adamw(update, stretch, gradients),
        // SAFETY: both levels include avx2 and fma, which `detect` has seen.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 | Level::Avx512 => unsafe { x86::adamw_avx2(update, stretch, gradients) },
    }
}
