//! A door for the fuzz target: bytes read as a file, and asked.

use super::Wdl;
use super::material::Material;
use super::table::{Kind, Table};
use crate::chess::{Color, Piece, PieceKind, Position, Setup, Square};

/// The men of a table's name on these squares; none if that is no position.
fn position(name: &str, squares: &[u8], side_to_move: Color, exchanged: bool) -> Option<Position> {
    let mut setup = Setup { side_to_move, ..Setup::default() };
    let mut color = if exchanged { Color::Black } else { Color::White };
    let mut squares = squares.iter();
    for letter in name.chars() {
        if letter == 'v' {
            color = !color;
            continue;
        }
        let square = Square::from_index(usize::from(squares.next()? & 63));
        setup.men[square] = Some(Piece::new(PieceKind::from_letter(letter)?, color));
    }
    setup.position().ok()
}

/// Reads a file and asks for the positions that these squares make. Damage is no fault.
#[doc(hidden)]
pub fn ask_file(name: &str, distances: bool, bytes: &[u8], squares: &[u8; 16]) {
    let Some(material) = Material::from_name(name) else { return };
    let kind = if distances { Kind::Dtz } else { Kind::Wdl };
    let Ok(table) = Table::read(bytes, kind, material) else { return };
    for (side, exchanged) in [Color::White, Color::Black].map(|side| (side, side as usize == 0)) {
        for squares in squares.windows(8) {
            let Some(position) = position(name, squares, side, exchanged) else { continue };
            if Material::of(&position) != material && Material::of(&position) != material.flipped()
            {
                continue;
            }
            if !distances {
                let _ = table.wdl(bytes, &position);
                continue;
            }
            for wdl in [Wdl::Loss, Wdl::BlessedLoss, Wdl::CursedWin, Wdl::Win] {
                let _ = table.distance(bytes, &position, wdl);
            }
        }
    }
}
