//! Vector arithmetic for the network, one text for every instruction set.
//!
//! A kernel is written once over [`Simd`], whose vectors hold one [`Block`] of 32 neurons whatever
//! the width of the registers. A token type per instruction set ([`Scalar`], `Avx2`, `Avx512`,
//! `Neon`) can only be had where the CPU knows the instructions, so its methods are safe to call.
//! [`Level::run`] is the only place where a kernel is compiled for more than the baseline.
//!
//! Invariant: integers only, so every level gives the same bits.

use std::env;
use std::fmt;

use once_cell::sync::Lazy;

use super::network::Block;

#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "aarch64")]
use neon::Neon;
use scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use x86::{Avx2, Avx512};

/// What a kernel can do with blocks of 32 numbers.
///
/// All arithmetic wraps; the network's checks see to it that nothing does.
pub(crate) trait Simd: Copy {
    /// 32 numbers of 16 bits in registers.
    type Lanes: Copy;
    /// Sums of 32 bits; how many is the level's own affair.
    type Sums: Copy;

    /// Runs a kernel compiled for this instruction set.
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output;
    fn load(self, block: &Block) -> Self::Lanes;
    fn store(self, lanes: Self::Lanes, block: &mut Block);
    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    fn sub(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// Every number moved into 0 to 255.
    fn clip(self, a: Self::Lanes) -> Self::Lanes;
    /// The low 16 bits of the products.
    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    fn zero(self) -> Self::Sums;
    /// `sums` and the products of `a` and `b` in 32 bits.
    fn mul_add(self, sums: Self::Sums, a: Self::Lanes, b: Self::Lanes) -> Self::Sums;
    /// The sums folded to four.
    fn fold(self, sums: Self::Sums) -> [i32; 4];
}

/// A piece of work over blocks, written once and compiled for every level. Mark `run`
/// `#[inline(always)]`: it must end up inside the function that has the instructions enabled. For
/// the same reason kernels loop over indices: iterator adapters and closures given to `map` are
/// not always inlined across that border, which cost up to a factor of ten when it was measured.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// An instruction set this machine has.
///
/// ```
/// use qishou::eval::Level;
/// assert!(Level::available().contains(&Level::chosen()));
/// assert_eq!(Level::available()[0].name(), "scalar");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Level(Token);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Scalar(Scalar),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Level {
    /// The levels this machine has, the slowest (scalar) first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self(Token::Scalar(Scalar))];
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx2::detect().map(|token| Self(Token::Avx2(token))));
            levels.extend(Avx512::detect().map(|token| Self(Token::Avx512(token))));
        }
        #[cfg(target_arch = "aarch64")]
        levels.push(Self(Token::Neon(Neon::new())));
        levels
    }

    /// The level in use: the fastest there is, or the one that the environment variable
    /// `QISHOU_SIMD` names (`scalar`, `avx2`, `avx512`, `neon`) if this machine has it.
    pub fn chosen() -> Self {
        static CHOSEN: Lazy<Level> = Lazy::new(|| {
            let wanted = env::var("QISHOU_SIMD").unwrap_or_default();
            Level::best(&Level::available(), &wanted)
        });
        *CHOSEN
    }

    /// The wanted one of some levels, or the last if it is not among them.
    fn best(available: &[Self], wanted: &str) -> Self {
        let found = available.iter().find(|level| level.name().eq_ignore_ascii_case(wanted));
        found.or(available.last()).copied().unwrap_or(Self(Token::Scalar(Scalar)))
    }

    /// Its name, as `QISHOU_SIMD` takes it.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Token::Scalar(_) => "scalar",
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Token::Neon(_) => "neon",
        }
    }

    /// Runs a kernel on this level.
    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Token::Scalar(simd) => simd.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(simd) => simd.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(simd) => simd.vectorize(kernel),
            #[cfg(target_arch = "aarch64")]
            Token::Neon(simd) => simd.vectorize(kernel),
        }
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[derive(Clone, Copy)]
    struct EveryOperation<'a>(&'a Block, &'a Block);

    impl Kernel for EveryOperation<'_> {
        type Output = ([Block; 5], i64);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let (a, b) = (simd.load(self.0), simd.load(self.1));
            let results =
                [a, simd.add(a, b), simd.sub(a, b), simd.clip(a), simd.mul(a, b)].map(|lanes| {
                    let mut block = Block::ZERO;
                    simd.store(lanes, &mut block);
                    block
                });
            let clipped = simd.clip(b);
            let sums = simd.mul_add(simd.mul_add(simd.zero(), a, clipped), clipped, clipped);
            (results, simd.fold(sums).into_iter().map(i64::from).sum())
        }
    }

    /// What the operations mean, said once more without blocks.
    fn expected(a: &Block, b: &Block) -> ([Block; 5], i64) {
        let each = |f: fn(i16, i16) -> i16| {
            let mut block = Block::ZERO;
            for (i, out) in block.0.iter_mut().enumerate() {
                *out = f(a.0[i], b.0[i]);
            }
            block
        };
        let sum = a.0.iter().zip(b.0).map(|(&a, b)| {
            let b = i64::from(b.clamp(0, 255));
            i64::from(a) * b + b * b
        });
        let blocks = [
            *a,
            each(i16::wrapping_add),
            each(i16::wrapping_sub),
            each(|a, _| a.clamp(0, 255)),
            each(i16::wrapping_mul),
        ];
        (blocks, sum.sum())
    }

    #[test]
    fn every_level_computes_the_same() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..1000 {
            let mut block =
                || Block(std::array::from_fn(|_| (rng.next_u32() as i16) >> (round % 12)));
            let (a, b) = (block(), block());
            for level in Level::available() {
                assert_eq!(level.run(EveryOperation(&a, &b)), expected(&a, &b), "{level}");
            }
        }
    }

    #[test]
    fn a_named_level_is_chosen_and_an_unknown_one_is_not() {
        let available = Level::available();
        for &level in &available {
            assert_eq!(Level::best(&available, level.name()), level);
        }
        let fastest = *available.last().unwrap();
        for unknown in ["", "mmx"] {
            assert_eq!(Level::best(&available, unknown), fastest);
        }
    }
}
