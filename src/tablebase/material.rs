//! Which men are on the board, whoever's they are: what a table is named after.

use crate::chess::{Color, PieceKind, Position};

/// The men that stand beside the kings.
const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
const BITS_OF_KIND: usize = 4;
const BITS_OF_SIDE: usize = BITS_OF_KIND * KINDS.len();
const SIDE: u64 = (1 << BITS_OF_SIDE) - 1;

/// How many men of each kind each side has besides its king: four bits a kind, White's below
/// Black's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Material(u64);

const fn shift(color: Color, kind: PieceKind) -> usize {
    color as usize * BITS_OF_SIDE + kind as usize * BITS_OF_KIND
}

impl Material {
    /// No men besides the kings.
    pub(super) const KINGS: Self = Self(0);

    pub(super) fn of(position: &Position) -> Self {
        let mut bits = 0;
        for color in Color::ALL {
            for kind in KINDS {
                bits |= u64::from(position.pieces(kind, color).len()) << shift(color, kind);
            }
        }
        Self(bits)
    }

    /// From the name of a table, White's men first: `KQvKR`.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut bits = 0_u64;
        for (color, men) in [(Color::White, white), (Color::Black, black)] {
            for letter in men.strip_prefix('K')?.chars() {
                let kind = PieceKind::from_letter(letter)
                    .filter(|kind| letter.is_ascii_uppercase() && KINDS.contains(kind))?;
                // No table has as many men as fit into four bits.
                bits += 1 << shift(color, kind);
            }
        }
        Some(Self(bits)).filter(|material| white.len() + black.len() == material.men())
    }

    /// The same men with the colours exchanged.
    pub(super) const fn flipped(self) -> Self {
        Self(self.0 >> BITS_OF_SIDE | (self.0 & SIDE) << BITS_OF_SIDE)
    }

    pub(super) const fn count(self, color: Color, kind: PieceKind) -> usize {
        match kind {
            PieceKind::King => 1,
            _ => (self.0 >> shift(color, kind) & 15) as usize,
        }
    }

    /// All men, the kings too.
    pub(super) fn men(self) -> usize {
        let of = |color| KINDS.into_iter().map(move |kind| self.count(color, kind));
        2 + Color::ALL.into_iter().flat_map(of).sum::<usize>()
    }

    pub(super) const fn has_pawns(self, color: Color) -> bool {
        self.count(color, PieceKind::Pawn) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_positions_give_the_same_material() {
        let position: Position = "8/8/1q6/8/3k4/8/1PP1K3/8 w - - 0 1".parse().unwrap();
        let material = Material::of(&position);
        assert_eq!(Some(material), Material::from_name("KPPvKQ"));
        assert_eq!(Some(material.flipped()), Material::from_name("KQvKPP"));
        assert_eq!(material.men(), 5);
        assert_eq!(material.count(Color::White, PieceKind::Pawn), 2);
        assert_eq!(Material::from_name("KvK"), Some(Material::KINGS));
    }

    #[test]
    fn other_names_are_no_material() {
        for name in
            ["", "v", "KQ", "KQKR", "QvK", "KQvKk", "KQvKX", "KqvK", "KKvK", "KvKv", "KQvK "]
        {
            assert_eq!(Material::from_name(name), None, "{name:?}");
        }
        let many = format!("K{}vK", "Q".repeat(16));
        assert_eq!(Material::from_name(&many), None);
    }
}
