//! NEON (registers of 128 bits), which every 64-bit ARM CPU has.
#![expect(unsafe_code, reason = "intrinsics; NEON is part of the aarch64 baseline")]

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vst1q_s16, vst1q_s32, vsubq_s16,
};

use super::{Kernel, Simd};
use crate::eval::network::Block;

/// Proof that the CPU has NEON: it is an aarch64.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neon(());

impl Neon {
    pub(super) const fn new() -> Self {
        Self(())
    }
}

#[inline(always)]
fn each(
    a: [int16x8_t; 4],
    b: [int16x8_t; 4],
    f: impl Fn(int16x8_t, int16x8_t) -> int16x8_t,
) -> [int16x8_t; 4] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Simd for Neon {
    type Lanes = [int16x8_t; 4];
    type Sums = [int32x4_t; 4];

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Lanes {
        let (quarters, _) = block.0.as_chunks::<8>();
        // SAFETY: NEON is there; each chunk holds the 8 numbers that are read.
        std::array::from_fn(|i| unsafe { vld1q_s16(quarters[i].as_ptr()) })
    }

    #[inline(always)]
    fn store(self, lanes: Self::Lanes, block: &mut Block) {
        let (quarters, _) = block.0.as_chunks_mut::<8>();
        for (quarter, lanes) in quarters.iter_mut().zip(lanes) {
            // SAFETY: NEON is there; each chunk holds the 8 numbers that are written.
            unsafe { vst1q_s16(quarter.as_mut_ptr(), lanes) };
        }
    }

    #[inline(always)]
    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        // SAFETY: NEON is there.
        each(a, b, |a, b| unsafe { vaddq_s16(a, b) })
    }

    #[inline(always)]
    fn sub(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        // SAFETY: NEON is there.
        each(a, b, |a, b| unsafe { vsubq_s16(a, b) })
    }

    #[inline(always)]
    fn clip(self, a: Self::Lanes) -> Self::Lanes {
        // SAFETY: NEON is there.
        a.map(|a| unsafe { vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(255)) })
    }

    #[inline(always)]
    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        // SAFETY: NEON is there.
        each(a, b, |a, b| unsafe { vmulq_s16(a, b) })
    }

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        // SAFETY: NEON is there.
        unsafe { [vdupq_n_s32(0); 4] }
    }

    #[inline(always)]
    fn mul_add(self, sums: Self::Sums, a: Self::Lanes, b: Self::Lanes) -> Self::Sums {
        // SAFETY: NEON is there.
        std::array::from_fn(|i| unsafe {
            let low = vmlal_s16(sums[i], vget_low_s16(a[i]), vget_low_s16(b[i]));
            vmlal_high_s16(low, a[i], b[i])
        })
    }

    #[inline(always)]
    fn fold(self, sums: Self::Sums) -> [i32; 4] {
        let mut out = [0; 4];
        // SAFETY: NEON is there; `out` holds the 4 numbers that are written.
        unsafe {
            let four = vaddq_s32(vaddq_s32(sums[0], sums[1]), vaddq_s32(sums[2], sums[3]));
            vst1q_s32(out.as_mut_ptr(), four);
        }
        out
    }
}
