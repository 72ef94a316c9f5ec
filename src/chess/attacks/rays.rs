//! Slider attacks found by walking, square by square: slow and plainly right.
//!
//! The build script fills the magic table from these, the magic finder searches with them, and
//! the tests hold every magic against them. This file uses nothing of the crate, so that all three
//! can include it.

/// The four directions of a rook, as steps in file and rank.
pub const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The four directions of a bishop, as steps in file and rank.
pub const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The squares a slider on `square` attacks when the squares of `occupied` are taken: up to and
/// including the first taken square in each direction.
pub const fn slide(square: usize, occupied: u64, directions: [(i8, i8); 4]) -> u64 {
    let mut attacks = 0;
    let mut i = 0;
    while i < 4 {
        let (df, dr) = directions[i];
        let mut file = square as i8 % 8 + df;
        let mut rank = square as i8 / 8 + dr;
        while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            let bit = 1 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += df;
            rank += dr;
        }
        i += 1;
    }
    attacks
}

/// The squares whose occupation changes what a slider on `square` attacks: its rays without their
/// last squares.
pub const fn relevant(square: usize, directions: [(i8, i8); 4]) -> u64 {
    let mut squares = 0;
    let mut i = 0;
    while i < 4 {
        let (df, dr) = directions[i];
        let mut file = square as i8 % 8 + df;
        let mut rank = square as i8 / 8 + dr;
        loop {
            let (next_file, next_rank) = (file + df, rank + dr);
            if !(0 <= next_file && next_file < 8 && 0 <= next_rank && next_rank < 8) {
                break;
            }
            squares |= 1 << (rank * 8 + file);
            file = next_file;
            rank = next_rank;
        }
        i += 1;
    }
    squares
}
