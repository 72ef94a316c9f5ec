//! Plain Rust: what every machine can do. The compiler makes of it what the baseline allows.

use super::{Kernel, Simd};
use crate::eval::network::{BLOCK, Block};

/// No instruction set beyond the baseline.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar;

#[inline(always)]
fn each(a: Block, b: Block, f: impl Fn(i16, i16) -> i16) -> Block {
    let mut out = Block::ZERO;
    for i in 0..BLOCK {
        out.0[i] = f(a.0[i], b.0[i]);
    }
    out
}

impl Simd for Scalar {
    type Lanes = Block;
    type Sums = [i32; BLOCK / 2];

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Block {
        *block
    }

    #[inline(always)]
    fn store(self, lanes: Block, block: &mut Block) {
        *block = lanes;
    }

    #[inline(always)]
    fn add(self, a: Block, b: Block) -> Block {
        each(a, b, i16::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, a: Block, b: Block) -> Block {
        each(a, b, i16::wrapping_sub)
    }

    #[inline(always)]
    fn clip(self, a: Block) -> Block {
        each(a, a, |number, _| number.clamp(0, 255))
    }

    #[inline(always)]
    fn mul(self, a: Block, b: Block) -> Block {
        each(a, b, i16::wrapping_mul)
    }

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        [0; BLOCK / 2]
    }

    #[inline(always)]
    fn mul_add(self, mut sums: Self::Sums, a: Block, b: Block) -> Self::Sums {
        for (i, sum) in sums.iter_mut().enumerate() {
            let even = i32::from(a.0[2 * i]) * i32::from(b.0[2 * i]);
            let odd = i32::from(a.0[2 * i + 1]) * i32::from(b.0[2 * i + 1]);
            *sum = sum.wrapping_add(even.wrapping_add(odd));
        }
        sums
    }

    #[inline(always)]
    fn fold(self, sums: Self::Sums) -> [i32; 4] {
        let mut four = [0i32; 4];
        for (i, sum) in sums.into_iter().enumerate() {
            four[i % 4] = four[i % 4].wrapping_add(sum);
        }
        four
    }
}
