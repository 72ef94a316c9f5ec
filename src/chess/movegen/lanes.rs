//! Eight directions at once: sets of squares in the eight 64-bit lanes of one or two vectors.
//!
//! Lanes 0-3 are north, east, north-east and north-west, lanes 4-7 their opposites. In these lanes
//! sliders are flooded by Kogge-Stone steps, with no loop over men and no branch.
//!
//! `unsafe`: every method calls vector instructions the baseline lacks. They are sound only inside
//! code compiled for them, so the two types are named nowhere but in the levels of
//! [`perft`](crate::chess::perft), which are entered after the CPU has been asked.
#![expect(unsafe_code, reason = "vector instructions behind a detected CPU level")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_or_si128,
    _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256, _mm256_sad_epu8,
    _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setr_epi64x,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sllv_epi64, _mm256_srli_epi16,
    _mm256_srlv_epi64, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64, _mm512_add_epi64,
    _mm512_and_si512, _mm512_andnot_si512, _mm512_castsi512_si256, _mm512_extracti64x4_epi64,
    _mm512_maskz_mov_epi64, _mm512_or_si512, _mm512_popcnt_epi64, _mm512_reduce_add_epi64,
    _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_shuffle_i64x2,
};

const NOT_A: i64 = !0x0101_0101_0101_0101;
const NOT_H: i64 = !(0x8080_8080_8080_8080_u64 as i64);
const NOT_AB: i64 = NOT_A & (NOT_A << 1);
const NOT_GH: i64 = NOT_H & !0x4040_4040_4040_4040;

/// Sets of squares, one for each of eight directions.
pub(crate) trait Lanes: Copy {
    /// The same set in every lane.
    fn splat(squares: u64) -> Self;
    /// One set in the lanes of a rook, another in those of a bishop.
    fn by_line(straight: u64, diagonal: u64) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// The squares of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Each lane takes the set of the opposite direction.
    fn opposite(self) -> Self;
    /// What sliders standing on the squares attack, each lane in its own direction, when only
    /// `empty` squares are free: up to and including the first that is not.
    fn flood(self, empty: u64) -> Self;
    /// Where knights on the squares jump, each lane in one of the eight ways.
    fn jumps(knights: u64) -> Self;
    /// All squares of all lanes, of `self` and of `other`.
    fn unions(self, other: Self) -> (u64, u64);
    /// A running sum that is only added up at its end.
    type Sum: Copy;
    /// Nothing counted yet.
    fn zero() -> Self::Sum;
    /// Adds how many squares the lanes of both hold.
    fn count(self, other: Self, sum: Self::Sum) -> Self::Sum;
    /// The sum as a number.
    fn total(sum: Self::Sum) -> u64;
}

/// One AVX-512 vector.
#[derive(Clone, Copy)]
pub(crate) struct Wide(__m512i);

impl Lanes for Wide {
    #[inline(always)]
    fn splat(squares: u64) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_set1_epi64(squares as i64)) }
    }

    #[inline(always)]
    fn by_line(straight: u64, diagonal: u64) -> Self {
        const DIAGONAL: u8 = 0b1100_1100;
        // SAFETY: see the module.
        unsafe {
            let diagonal = _mm512_maskz_mov_epi64(DIAGONAL, _mm512_set1_epi64(diagonal as i64));
            let straight = _mm512_maskz_mov_epi64(!DIAGONAL, _mm512_set1_epi64(straight as i64));
            Self(_mm512_or_si512(straight, diagonal))
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_and_si512(self.0, other.0)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_or_si512(self.0, other.0)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_andnot_si512(other.0, self.0)) }
    }

    #[inline(always)]
    fn opposite(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)) }
    }

    #[inline(always)]
    fn flood(self, empty: u64) -> Self {
        // SAFETY: see the module. A rotation is a shift in either direction, since the squares
        // that would wrap around an edge are masked away.
        unsafe {
            let one = _mm512_setr_epi64(8, 1, 9, 7, 56, 63, 55, 57);
            let two = _mm512_setr_epi64(16, 2, 18, 14, 48, 62, 46, 50);
            let four = _mm512_setr_epi64(32, 4, 36, 28, 32, 60, 28, 36);
            // North and south may wrap from one back rank to the other.
            let inside = _mm512_setr_epi64(
                !0xFF,
                NOT_A,
                NOT_A & !0xFF,
                NOT_H & !0xFF,
                0x00FF_FFFF_FFFF_FFFF,
                NOT_H,
                NOT_H & 0x00FF_FFFF_FFFF_FFFF,
                NOT_A & 0x00FF_FFFF_FFFF_FFFF,
            );
            let mut way = _mm512_and_si512(_mm512_set1_epi64(empty as i64), inside);
            let mut reached = self.0;
            let step = |set, by, way| {
                _mm512_or_si512(set, _mm512_and_si512(way, _mm512_rolv_epi64(set, by)))
            };
            reached = step(reached, one, way);
            way = _mm512_and_si512(way, _mm512_rolv_epi64(way, one));
            reached = step(reached, two, way);
            way = _mm512_and_si512(way, _mm512_rolv_epi64(way, two));
            reached = step(reached, four, way);
            Self(_mm512_and_si512(_mm512_rolv_epi64(reached, one), inside))
        }
    }

    #[inline(always)]
    fn jumps(knights: u64) -> Self {
        // SAFETY: see the module.
        unsafe {
            let by = _mm512_setr_epi64(17, 15, 10, 6, 47, 49, 54, 58);
            let low2: i64 = !0xFFFF;
            let low1: i64 = !0xFF;
            let high2: i64 = 0x0000_FFFF_FFFF_FFFF;
            let high1: i64 = 0x00FF_FFFF_FFFF_FFFF;
            let inside = _mm512_setr_epi64(
                NOT_A & low2,
                NOT_H & low2,
                NOT_AB & low1,
                NOT_GH & low1,
                NOT_H & high2,
                NOT_A & high2,
                NOT_GH & high1,
                NOT_AB & high1,
            );
            let set = _mm512_rolv_epi64(_mm512_set1_epi64(knights as i64), by);
            Self(_mm512_and_si512(set, inside))
        }
    }

    #[inline(always)]
    fn unions(self, other: Self) -> (u64, u64) {
        // SAFETY: see the module.
        unsafe {
            let halves = |set| {
                _mm256_or_si256(_mm512_castsi512_si256(set), _mm512_extracti64x4_epi64::<1>(set))
            };
            unions_of_four(halves(self.0), halves(other.0))
        }
    }

    type Sum = __m512i;

    #[inline(always)]
    fn zero() -> __m512i {
        // SAFETY: see the module.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn count(self, other: Self, sum: __m512i) -> __m512i {
        // SAFETY: see the module.
        unsafe {
            let both = _mm512_add_epi64(_mm512_popcnt_epi64(self.0), _mm512_popcnt_epi64(other.0));
            _mm512_add_epi64(sum, both)
        }
    }

    #[inline(always)]
    fn total(sum: __m512i) -> u64 {
        // SAFETY: see the module.
        unsafe { _mm512_reduce_add_epi64(sum) as u64 }
    }
}

/// The unions of the four lanes of `a` and of the four of `b`.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn unions_of_four(a: __m256i, b: __m256i) -> (u64, u64) {
    // SAFETY: promised by the caller.
    unsafe {
        let mixed = _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let two = _mm_or_si128(_mm256_castsi256_si128(mixed), _mm256_extracti128_si256::<1>(mixed));
        (_mm_cvtsi128_si64(two) as u64, _mm_extract_epi64::<1>(two) as u64)
    }
}

/// Two AVX2 vectors: the rising directions and the falling ones.
#[derive(Clone, Copy)]
pub(crate) struct Pair(__m256i, __m256i);

impl Lanes for Pair {
    #[inline(always)]
    fn splat(squares: u64) -> Self {
        // SAFETY: see the module.
        let one = unsafe { _mm256_set1_epi64x(squares as i64) };
        Self(one, one)
    }

    #[inline(always)]
    fn by_line(straight: u64, diagonal: u64) -> Self {
        let (straight, diagonal) = (straight as i64, diagonal as i64);
        // SAFETY: see the module.
        let one = unsafe { _mm256_set_epi64x(diagonal, diagonal, straight, straight) };
        Self(one, one)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1)) }
    }

    #[inline(always)]
    fn opposite(self) -> Self {
        Self(self.1, self.0)
    }

    #[inline(always)]
    fn flood(self, empty: u64) -> Self {
        // SAFETY: see the module.
        unsafe {
            let one = _mm256_setr_epi64x(8, 1, 9, 7);
            let two = _mm256_setr_epi64x(16, 2, 18, 14);
            let four = _mm256_setr_epi64x(32, 4, 36, 28);
            let rising = _mm256_setr_epi64x(!0, NOT_A, NOT_A, NOT_H);
            let falling = _mm256_setr_epi64x(!0, NOT_H, NOT_H, NOT_A);
            let empty = _mm256_set1_epi64x(empty as i64);
            let (mut up, mut down) = (self.0, self.1);
            let mut up_way = _mm256_and_si256(empty, rising);
            let mut down_way = _mm256_and_si256(empty, falling);
            for by in [one, two, four] {
                up = _mm256_or_si256(up, _mm256_and_si256(up_way, _mm256_sllv_epi64(up, by)));
                down =
                    _mm256_or_si256(down, _mm256_and_si256(down_way, _mm256_srlv_epi64(down, by)));
                up_way = _mm256_and_si256(up_way, _mm256_sllv_epi64(up_way, by));
                down_way = _mm256_and_si256(down_way, _mm256_srlv_epi64(down_way, by));
            }
            Self(
                _mm256_and_si256(_mm256_sllv_epi64(up, one), rising),
                _mm256_and_si256(_mm256_srlv_epi64(down, one), falling),
            )
        }
    }

    #[inline(always)]
    fn jumps(knights: u64) -> Self {
        // SAFETY: see the module.
        unsafe {
            let by = _mm256_setr_epi64x(17, 15, 10, 6);
            let rising = _mm256_setr_epi64x(NOT_A, NOT_H, NOT_AB, NOT_GH);
            let falling = _mm256_setr_epi64x(NOT_H, NOT_A, NOT_GH, NOT_AB);
            let knights = _mm256_set1_epi64x(knights as i64);
            Self(
                _mm256_and_si256(_mm256_sllv_epi64(knights, by), rising),
                _mm256_and_si256(_mm256_srlv_epi64(knights, by), falling),
            )
        }
    }

    #[inline(always)]
    fn unions(self, other: Self) -> (u64, u64) {
        // SAFETY: see the module.
        unsafe {
            unions_of_four(_mm256_or_si256(self.0, self.1), _mm256_or_si256(other.0, other.1))
        }
    }

    type Sum = __m256i;

    #[inline(always)]
    fn zero() -> __m256i {
        // SAFETY: see the module.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn count(self, other: Self, sum: __m256i) -> __m256i {
        // SAFETY: see the module. Bits of half-bytes are counted by table; a byte holds 4 x 8 at
        // most.
        unsafe {
            let low = _mm256_set1_epi8(0x0F);
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                2, 3, 3, 4,
            );
            let bytes = |set: __m256i| {
                let lower = _mm256_shuffle_epi8(table, _mm256_and_si256(set, low));
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(set), low);
                _mm256_add_epi8(lower, _mm256_shuffle_epi8(table, upper))
            };
            let both = _mm256_add_epi8(
                _mm256_add_epi8(bytes(self.0), bytes(self.1)),
                _mm256_add_epi8(bytes(other.0), bytes(other.1)),
            );
            _mm256_add_epi64(sum, _mm256_sad_epu8(both, _mm256_setzero_si256()))
        }
    }

    #[inline(always)]
    fn total(sum: __m256i) -> u64 {
        // SAFETY: see the module.
        unsafe {
            let two =
                _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            (_mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)) as u64
        }
    }
}
