//! Plain Rust: what every machine can do. The compiler makes of it what the baseline allows.

use super::{Kernel, Simd};
use crate::eval::network::{BLOCK, Block};

/// No instruction set beyond the baseline.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar;

#[inline(always)]
fn each(a: Block, b: Block, f: impl Fn(i16, i16) -> i16) -> Block {
    Block(std::array::from_fn(|i| f(a.0[i], b.0[i])))
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
        Block(a.0.map(|number| number.clamp(0, 255)))
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
    fn mul_add(self, sums: Self::Sums, a: Block, b: Block) -> Self::Sums {
        std::array::from_fn(|i| {
            let product = |at: usize| i32::from(a.0[at]) * i32::from(b.0[at]);
            sums[i].wrapping_add(product(2 * i).wrapping_add(product(2 * i + 1)))
        })
    }

    #[inline(always)]
    fn fold(self, sums: Self::Sums) -> [i32; 4] {
        std::array::from_fn(|i| {
            sums.iter().skip(i).step_by(4).fold(0, |sum, &term| term.wrapping_add(sum))
        })
    }
}
