//! Finds the magic multipliers of `src/chess/attacks/magic/numbers.rs` and prints that file.
//!
//! `cargo run --release --example find_magics > src/chess/attacks/magic/numbers.rs`
//!
//! For each square it draws sparse random numbers until one maps every occupation of the relevant
//! squares to a slot without a wrong collision. The seed is fixed: the same file comes out.
#![expect(clippy::print_stdout, reason = "the result of a command")]

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "../src/chess/attacks/rays.rs"]
#[allow(unreachable_pub, reason = "public in the library, which includes the same file")]
mod rays;

/// Every subset of `mask`, by the carry-rippler.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

fn find(square: usize, directions: [(i8, i8); 4], rng: &mut ChaCha8Rng) -> u64 {
    let mask = rays::relevant(square, directions);
    let shift = 64 - mask.count_ones();
    let wanted: Vec<(u64, u64)> =
        subsets(mask).map(|o| (o, rays::slide(square, o, directions))).collect();
    loop {
        let magic = rng.next_u64() & rng.next_u64() & rng.next_u64();
        // A good multiplier spreads the mask into the top byte; skip hopeless ones early.
        if (mask.wrapping_mul(magic) >> 56).count_ones() < 6 {
            continue;
        }
        let mut table = vec![0u64; 1 << mask.count_ones()];
        if wanted.iter().all(|&(occupied, attacks)| {
            let slot = &mut table[(occupied.wrapping_mul(magic) >> shift) as usize];
            let free = *slot == 0 || *slot == attacks;
            *slot = attacks;
            free
        }) {
            return magic;
        }
    }
}

/// Hexadecimal with a separator after every four digits.
fn grouped(number: u64) -> String {
    let word = |shift: u32| number >> shift & 0xFFFF;
    format!("0x{:04X}_{:04X}_{:04X}_{:04X}", word(48), word(32), word(16), word(0))
}

fn main() {
    let mut rng = ChaCha8Rng::seed_from_u64(2026);
    println!("//! Magic multipliers, printed by `cargo run --release --example find_magics`.");
    for (name, directions) in [("ROOK", rays::ROOK), ("BISHOP", rays::BISHOP)] {
        println!("\n/// One multiplier for each square of a {}.", name.to_lowercase());
        println!("#[rustfmt::skip]\npub const {name}: [u64; 64] = [");
        for square in 0..64 {
            println!("    {},", grouped(find(square, directions, &mut rng)));
        }
        println!("];");
    }
}
