//! AVX2 (registers of 256 bits) and AVX-512 (512 bits).
#![expect(unsafe_code, reason = "intrinsics; a token proves that the CPU has them")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm_add_epi32, _mm_storeu_si128, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_store_si256, _mm256_sub_epi16, _mm512_add_epi16, _mm512_add_epi32,
    _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_set1_epi16,
    _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
};

use super::{Kernel, Simd};
use crate::eval::network::Block;

/// Proof that the CPU has AVX2 and POPCNT.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2(());

/// Proof that the CPU has AVX-512 F and BW, AVX2 and POPCNT.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let both = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
        both.then_some(Self(()))
    }
}

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        (wide && Avx2::detect().is_some()).then_some(Self(()))
    }
}

#[target_feature(enable = "avx2,popcnt")]
fn with_avx2<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
    kernel.run(simd)
}

#[target_feature(enable = "avx2,popcnt,avx512f,avx512bw")]
fn with_avx512<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
    kernel.run(simd)
}

/// Four sums out of eight.
#[inline(always)]
fn fold_eight(_: Avx2, sums: __m256i) -> [i32; 4] {
    // SAFETY: the token proves AVX2; `four` is 16 bytes long and an unaligned store is used.
    unsafe {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let mut out = [0; 4];
        _mm_storeu_si128(out.as_mut_ptr().cast(), four);
        out
    }
}

impl Simd for Avx2 {
    type Lanes = [__m256i; 2];
    type Sums = [__m256i; 2];

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: the token proves both features.
        unsafe { with_avx2(self, kernel) }
    }

    #[inline(always)]
    fn load(self, block: &Block) -> Self::Lanes {
        let halves: *const __m256i = block.0.as_ptr().cast();
        // SAFETY: the token proves AVX2; a block is 64 bytes long and aligned to 64.
        unsafe { [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))] }
    }

    #[inline(always)]
    fn store(self, lanes: Self::Lanes, block: &mut Block) {
        let halves: *mut __m256i = block.0.as_mut_ptr().cast();
        // SAFETY: the token proves AVX2; a block is 64 bytes long and aligned to 64.
        unsafe {
            _mm256_store_si256(halves, lanes[0]);
            _mm256_store_si256(halves.add(1), lanes[1]);
        }
    }

    #[inline(always)]
    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        // SAFETY: the token proves AVX2.
        unsafe { [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        // SAFETY: the token proves AVX2.
        unsafe { [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn clip(self, a: Self::Lanes) -> Self::Lanes {
        // SAFETY: the token proves AVX2.
        unsafe {
            let (low, high) = (_mm256_setzero_si256(), _mm256_set1_epi16(255));
            [
                _mm256_min_epi16(_mm256_max_epi16(a[0], low), high),
                _mm256_min_epi16(_mm256_max_epi16(a[1], low), high),
            ]
        }
    }

    #[inline(always)]
    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        // SAFETY: the token proves AVX2.
        unsafe { [_mm256_mullo_epi16(a[0], b[0]), _mm256_mullo_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn zero(self) -> Self::Sums {
        // SAFETY: the token proves AVX2.
        unsafe { [_mm256_setzero_si256(); 2] }
    }

    #[inline(always)]
    fn mul_add(self, sums: Self::Sums, a: Self::Lanes, b: Self::Lanes) -> Self::Sums {
        // SAFETY: the token proves AVX2.
        unsafe {
            [
                _mm256_add_epi32(sums[0], _mm256_madd_epi16(a[0], b[0])),
                _mm256_add_epi32(sums[1], _mm256_madd_epi16(a[1], b[1])),
            ]
        }
    }

    #[inline(always)]
    fn fold(self, sums: Self::Sums) -> [i32; 4] {
        // SAFETY: the token proves AVX2.
        fold_eight(self, unsafe { _mm256_add_epi32(sums[0], sums[1]) })
    }
}

impl Simd for Avx512 {
    type Lanes = __m512i;
    type Sums = __m512i;

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: the token proves the four features.
        unsafe { with_avx512(self, kernel) }
    }

    #[inline(always)]
    fn load(self, block: &Block) -> __m512i {
        // SAFETY: the token proves AVX-512 F; a block is 64 bytes long and aligned to 64.
        unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, lanes: __m512i, block: &mut Block) {
        // SAFETY: the token proves AVX-512 F; a block is 64 bytes long and aligned to 64.
        unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), lanes) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clip(self, a: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 F and BW.
        unsafe {
            let positive = _mm512_max_epi16(a, _mm512_setzero_si512());
            _mm512_min_epi16(positive, _mm512_set1_epi16(255))
        }
    }

    #[inline(always)]
    fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 BW.
        unsafe { _mm512_mullo_epi16(a, b) }
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: the token proves AVX-512 F.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn mul_add(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves AVX-512 F and BW.
        unsafe { _mm512_add_epi32(sums, _mm512_madd_epi16(a, b)) }
    }

    #[inline(always)]
    fn fold(self, sums: __m512i) -> [i32; 4] {
        // SAFETY: the token proves AVX-512 F and AVX2.
        let eight = unsafe {
            _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64::<1>(sums))
        };
        fold_eight(Avx2(()), eight)
    }
}
