//! The key under which a position is filed.

use super::numbers::NUMBERS;
use crate::chess::{Color, File, Game, MoveFlag, PieceKind, Position, Rank, Square, attacks};

/// Where the numbers of the castling rights, of the en-passant files and of the side to move begin.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The Polyglot key of the present position of a game.
///
/// The game is needed for en passant: the format counts a pawn that stands beside one that has just
/// made a double step, even if it is pinned and may not take, which [`Position`] forgets.
///
/// ```
/// use qishou::book::key;
/// use qishou::chess::Game;
/// assert_eq!(key(&Game::default()), 0x463b_9618_1691_fc9c);
/// ```
pub fn key(game: &Game) -> u64 {
    let position = game.position();
    let mut key = 0;
    for (square, piece) in position.men() {
        let kind = 2 * piece.kind as usize + usize::from(piece.color == Color::White);
        key ^= NUMBERS[64 * kind + square as usize];
    }
    let rights =
        [(Color::White, true), (Color::White, false), (Color::Black, true), (Color::Black, false)];
    for (i, (color, king_side)) in rights.into_iter().enumerate() {
        if position.castling_rook(color, king_side).is_some() {
            key ^= NUMBERS[CASTLING + i];
        }
    }
    if let Some(file) = passed_file(game) {
        key ^= NUMBERS[EN_PASSANT + file as usize];
    }
    if position.side_to_move() == Color::White {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}

/// The file of a pawn that has just made a double step past a pawn of the side to move.
fn passed_file(game: &Game) -> Option<File> {
    let position = game.position();
    let Some(last) = game.moves().last() else {
        return position.en_passant().map(Square::file);
    };
    let (from, to) = (last.from(), last.to());
    let is_double_step = last.flag() == MoveFlag::Normal
        && position.kind_on(to) == Some(PieceKind::Pawn)
        && (from.rank() as u8).abs_diff(to.rank() as u8) == 2;
    is_double_step.then(|| to.file()).filter(|_| is_passed(position, from, to))
}

fn is_passed(position: &Position, from: Square, to: Square) -> bool {
    let us = position.side_to_move();
    let rank = Rank::from_index(usize::midpoint(from.rank() as usize, to.rank() as usize));
    let behind = Square::new(to.file(), rank);
    attacks::pawn(!us, behind).intersects(position.pieces(PieceKind::Pawn, us))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_format() {
        let rows = include_str!("../../tests/data/polyglot_keys.tsv");
        let mut count = 0;
        for row in rows.lines().filter(|row| !row.starts_with('#')) {
            let mut fields = row.split('\t');
            let (fen, wanted) = (fields.next().unwrap(), fields.next().unwrap());
            let game = Game::new(fen.parse().unwrap());
            assert_eq!(format!("{:016x}", key(&game)), wanted, "{fen}");
            count += 1;
        }
        assert_eq!(count, 209);
    }

    #[test]
    fn a_double_step_past_a_pawn_counts_even_if_it_is_pinned() {
        // The pawn on d4 stands before its king on d8 and a rook on d1; e2e4 passes it, and the
        // capture d4e3 is illegal.
        let start = "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1";
        let mut game = Game::new(start.parse().unwrap());
        game.play(game.position().parse_uci("e2e4").unwrap()).unwrap();
        assert_eq!(game.position().en_passant(), None);
        let still = Game::new("3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1".parse().unwrap());
        assert_eq!(key(&game) ^ key(&still), NUMBERS[EN_PASSANT + 4]);
        // Without a pawn beside it nothing is added.
        let mut game = Game::default();
        game.play(game.position().parse_uci("e2e4").unwrap()).unwrap();
        assert_eq!(key(&game), 0x823c_9b50_fd11_4196);
    }
}
