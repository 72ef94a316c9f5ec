//! Writes the tables that are slow to make at compile time or start-up into `OUT_DIR`: slider
//! attacks and Zobrist keys. No network, no shell, nothing written in the source tree.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[path = "src/chess/attacks/magic/numbers.rs"]
mod numbers;
#[path = "src/chess/attacks/rays.rs"]
mod rays;

/// The slots of all 64 rook squares, then of all 64 bishop squares, one after another.
fn slider_table() -> Vec<u64> {
    let mut table = Vec::new();
    for (magics, directions) in [(&numbers::ROOK, &rays::ROOK), (&numbers::BISHOP, &rays::BISHOP)] {
        for (square, magic) in magics.iter().enumerate() {
            let mask = rays::relevant(square, directions);
            let base = table.len();
            table.resize(base + (1 << mask.count_ones()), 0);
            let mut occupied = 0u64;
            loop {
                let slot = occupied.wrapping_mul(*magic) >> (64 - mask.count_ones());
                table[base + slot as usize] = rays::slide(square, occupied, directions);
                occupied = occupied.wrapping_sub(mask) & mask;
                if occupied == 0 {
                    break;
                }
            }
        }
    }
    table
}

/// 12 x 64 keys for men, 64 for castling rooks, 8 for en-passant files, 1 for the side to move.
fn zobrist_keys() -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(0x5169_5368_6F75);
    (0..12 * 64 + 64 + 8 + 1).map(|_| rng.next_u64()).collect()
}

fn write_array(name: &str, values: &[u64]) {
    let mut text = String::with_capacity(values.len() * 24);
    // One number a line, in groups: a lint that fires on a number prints its line, and with a
    // hundred thousand numbers on one line that fills the disk.
    text.push_str("[\n");
    for value in values {
        let [a, b, c, d] = [48, 32, 16, 0].map(|shift| value >> shift & 0xFFFF);
        writeln!(text, "0x{a:04x}_{b:04x}_{c:04x}_{d:04x},").expect("writing to a string");
    }
    text.push(']');
    let path = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join(name);
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Puts the network to embed where `src/eval/network/file.rs` includes it: the file that the
/// variable `EVALFILE` names, or the one in the source tree, or an empty file.
fn place_network() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed=src/eval");
    let named = env::var_os("EVALFILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    let kept = PathBuf::from("src/eval/qishou.nnue");
    let path = named.or_else(|| kept.exists().then_some(kept));
    let bytes = path.map_or_else(Vec::new, |path| {
        println!("cargo:rerun-if-changed={}", path.display());
        fs::read(&path).unwrap_or_else(|error| panic!("EVALFILE {}: {error}", path.display()))
    });
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("network.nnue");
    fs::write(&out, bytes).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

/// The compiler's own name and version, for the command `compiler`.
fn compiler() -> String {
    let output = env::var_os("RUSTC")
        .and_then(|rustc| std::process::Command::new(rustc).arg("--version").output().ok());
    let version = output.and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "an unknown rustc".to_owned(), |text| text.trim().to_owned())
}

fn main() {
    place_network();
    println!("cargo:rustc-env=QISHOU_RUSTC={}", compiler());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/chess/attacks/rays.rs");
    println!("cargo:rerun-if-changed=src/chess/attacks/magic/numbers.rs");
    write_array("sliders.rs", &slider_table());
    write_array("zobrist.rs", &zobrist_keys());
}
