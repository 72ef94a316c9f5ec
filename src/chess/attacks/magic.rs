//! Fancy magic bitboards: slider attacks by one multiplication and one look-up.
//!
//! The relevant men of a square, times the square's magic number, leave their pattern in the top
//! bits, which index the square's part of one table. The numbers come from
//! `examples/find_magics.rs`, the table from the build script; a test holds each entry against
//! walked rays.

use super::super::{Bitboard, Square};
use super::rays;

#[expect(unreachable_pub, reason = "the build script includes the same file")]
mod numbers;

/// Rook slots, then bishop slots; see `slider_table` in the build script.
const SLOTS: usize = 102_400 + 5_248;
static ATTACKS: [u64; SLOTS] = include!(concat!(env!("OUT_DIR"), "/sliders.rs"));

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    number: u64,
    offset: u32,
    shift: u32,
}

impl Magic {
    #[inline(always)]
    fn look_up(self, occupied: Bitboard) -> Bitboard {
        let slot = (occupied.0 & self.mask).wrapping_mul(self.number) >> self.shift;
        Bitboard(ATTACKS[self.offset as usize + slot as usize])
    }
}

const fn magics(numbers: &[u64; 64], directions: [(i8, i8); 4], first: u32) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, number: 0, offset: 0, shift: 0 }; 64];
    let mut offset = first;
    let mut square = 0;
    while square < 64 {
        let mask = rays::relevant(square, directions);
        let bits = mask.count_ones();
        magics[square] = Magic { mask, number: numbers[square], offset, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    magics
}

static ROOK: [Magic; 64] = magics(&numbers::ROOK, rays::ROOK, 0);
static BISHOP: [Magic; 64] = magics(&numbers::BISHOP, rays::BISHOP, 102_400);

/// The squares a rook attacks.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK[square].look_up(occupied)
}

/// The squares a bishop attacks.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[square].look_up(occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(attacks: fn(Square, Bitboard) -> Bitboard, directions: [(i8, i8); 4]) {
        for square in Square::ALL {
            let mask = rays::relevant(square as usize, directions);
            let mut occupied = 0u64;
            loop {
                let walked = rays::slide(square as usize, occupied, directions);
                assert_eq!(attacks(square, Bitboard(occupied)).0, walked, "{square} {occupied:#x}");
                // Men outside the mask must not matter.
                let outside = occupied | !mask;
                let walked = rays::slide(square as usize, outside, directions);
                assert_eq!(attacks(square, Bitboard(outside)).0, walked, "{square} {outside:#x}");
                occupied = occupied.wrapping_sub(mask) & mask;
                if occupied == 0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn every_rook_magic_equals_walked_rays_for_every_occupation() {
        check(rook, rays::ROOK);
    }

    #[test]
    fn every_bishop_magic_equals_walked_rays_for_every_occupation() {
        check(bishop, rays::BISHOP);
    }
}
