//! From a position to its number in a table.
//!
//! The men are cut into groups. The first holds the men whose squares the symmetries of the board
//! are used up on: the pawns of one side, or three men of which there is one each, or the two kings.
//! Every other group holds men that look alike, so only the set of their squares counts. The number
//! of a position is a number with mixed radix, one digit a group; which digit counts most is
//! written in the file.

use arrayvec::ArrayVec;

use super::material::Material;
use super::reader::Damage;
use crate::chess::{Color, Piece, PieceKind, Position};

/// The most men a table can have.
pub(super) const MOST_MEN: usize = 7;

type Squares = ArrayVec<u8, MOST_MEN>;

const fn file(square: u8) -> u8 {
    square & 7
}

const fn rank(square: u8) -> u8 {
    square >> 3
}

/// Mirrored in the diagonal a1-h8.
const fn transposed(square: u8) -> u8 {
    square >> 3 | (square & 7) << 3
}

/// How far above the diagonal a1-h8 a square lies; negative below it.
const fn above_diagonal(square: u8) -> i8 {
    rank(square) as i8 - file(square) as i8
}

/// The ways to choose `of` things from `among`.
const fn choices(among: usize, of: usize) -> u64 {
    let mut result = 1;
    let mut i = 0;
    while i < of {
        if among < i + 1 {
            return 0;
        }
        result = result * (among - i) as u64 / (i as u64 + 1);
        i += 1;
    }
    result
}

static CHOICES: [[u64; 64]; MOST_MEN] = {
    let mut table = [[0; 64]; MOST_MEN];
    let mut of = 0;
    while of < MOST_MEN {
        let mut among = 0;
        while among < 64 {
            table[of][among] = choices(among, of);
            among += 1;
        }
        of += 1;
    }
    table
};

/// The number of a set among all sets of its size, if its members are given in rising order.
fn number_of_set(members: impl Iterator<Item = usize>) -> u64 {
    members.zip(1..).map(|(member, size)| choices_of(member, size)).sum()
}

fn choices_of(among: usize, of: usize) -> u64 {
    CHOICES.get(of).and_then(|row| row.get(among)).copied().unwrap_or(0)
}

/// The 28 squares below the diagonal a1-h8, numbered along the ranks.
const fn below_number(square: u8) -> u64 {
    let (file, rank) = (file(square) as u64, rank(square) as u64);
    // Rank r holds 7 - r of them.
    7 * rank - (rank * rank - rank) / 2 + file - rank - 1
}

/// The ten squares of the triangle a1-d1-d4: first the six below the diagonal, then those on it.
const fn triangle_number(square: u8) -> u64 {
    let (file, rank) = (file(square) as u64, rank(square) as u64);
    if file == rank { 6 + rank } else { 3 * rank - (rank * rank - rank) / 2 + file - rank - 1 }
}

const TRIANGLE: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];
const KING_PAIRS: u64 = 462;
/// Three different men, the first brought into the triangle a1-d1-d4 and the first that is off the
/// diagonal brought below it: by how many of them lie on the diagonal.
const NONE_ON: u64 = 6 * 63 * 62;
const ONE_ON: u64 = 4 * 28 * 62;
const TWO_ON: u64 = 4 * 7 * 28;
const ALL_ON: u64 = 4 * 7 * 6;
const TRIPLES: u64 = NONE_ON + ONE_ON + TWO_ON + ALL_ON;

/// Two kings that don't touch: the first in the triangle; if it is on the diagonal, the second not
/// above it. Pairs with both on the diagonal come last.
static KINGS: [[u16; 64]; 10] = {
    let mut table = [[0; 64]; 10];
    let mut next = 0;
    let mut both = 0;
    while both < 2 {
        let mut i = 0;
        while i < 10 {
            let first = TRIANGLE[i];
            let mut second = 0;
            while second < 64 {
                let apart = file(first).abs_diff(file(second)) > 1
                    || rank(first).abs_diff(rank(second)) > 1;
                let side = if above_diagonal(first) == 0 { above_diagonal(second) } else { -1 };
                if apart && side <= 0 && (side == 0) == (both == 1) {
                    table[i][second as usize] = next;
                    next += 1;
                }
                second += 1;
            }
            i += 1;
        }
        both += 1;
    }
    assert!(next as u64 == KING_PAIRS);
    table
};

/// The rank of a pawn's square in the order that chooses the leading pawn: files from the edge
/// inward, from the second rank up, the left one of two mirrored squares first.
const fn pawn_order(square: u8) -> usize {
    let file = file(square) as usize;
    let (near, mirrored) = if file > 3 { (7 - file, 1) } else { (file, 0) };
    47 - 12 * near - 2 * (rank(square) as usize).saturating_sub(1) - mirrored
}

/// How many sets of pawns have a leader on this file below this rank.
fn pawns_led_from_below(count: usize, file: u8, rank: u8) -> u64 {
    (1..rank).map(|rank| choices_of(pawn_order(rank * 8 + file), count - 1)).sum()
}

/// What the first group is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// All pawns of one side; the leader stands on this file, a to d.
    Pawns(u8),
    ThreeMen,
    Kings,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    len: usize,
    /// What a step of its digit counts.
    factor: u64,
}

/// How a table numbers the positions with one side to move, and for pawns with the leader on one
/// file.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    men: ArrayVec<Piece, MOST_MEN>,
    groups: ArrayVec<Group, MOST_MEN>,
    lead: Lead,
    /// The second group holds the pawns of the other side.
    more_pawns: bool,
    positions: u64,
}

/// Where the digits of the first group and of the other side's pawns stand, as the file tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) lead: usize,
    pub(super) more_pawns: usize,
}

/// The man a code in a file means.
pub(super) fn man(code: u8) -> Option<Piece> {
    let kind = (code & 7).checked_sub(1).filter(|&kind| kind < 6)?;
    let color = if code & 8 == 0 { Color::White } else { Color::Black };
    Some(Piece::new(PieceKind::from_index(kind.into()), color))
}

impl Layout {
    /// `men` as the file orders them. `lead_file` counts for tables with pawns only.
    pub(super) fn new(
        material: Material,
        men: &[Piece],
        order: Order,
        lead_file: u8,
    ) -> Result<Self, Damage> {
        let men: ArrayVec<Piece, MOST_MEN> = men.try_into().map_err(|_| Damage::Men)?;
        let of = |piece: Piece| men.iter().filter(|&&other| other == piece).count();
        let complete = Color::ALL.into_iter().all(|color| {
            let kinds = PieceKind::ALL.into_iter();
            kinds.into_iter().all(|kind| of(Piece::new(kind, color)) == material.count(color, kind))
        });
        let first = *men.first().filter(|_| complete).ok_or(Damage::Men)?;
        let pawns = Color::ALL.map(|color| material.has_pawns(color));
        let has_pawns = pawns[0] || pawns[1];
        let single = |piece: &Piece| piece.kind != PieceKind::King && of(*piece) == 1;
        let (lead, lead_len) = if has_pawns {
            (Lead::Pawns(lead_file), material.count(first.color, PieceKind::Pawn))
        } else if men.iter().any(single) {
            (Lead::ThreeMen, 3)
        } else {
            (Lead::Kings, 2)
        };
        if lead_len == 0 {
            // The first man belongs to the side without pawns.
            return Err(Damage::Men);
        }
        let mut lens: ArrayVec<usize, MOST_MEN> = [lead_len].into_iter().collect();
        for i in lead_len..men.len() {
            match lens.last_mut() {
                Some(len) if i > lead_len && men[i] == men[i - 1] => *len += 1,
                _ => lens.push(1),
            }
        }
        let mut layout = Self {
            men,
            groups: lens.iter().map(|&len| Group { len, factor: 0 }).collect(),
            lead,
            more_pawns: pawns[0] && pawns[1],
            positions: 0,
        };
        if !layout.is_grouped() {
            return Err(Damage::Men);
        }
        layout.set_factors(order)?;
        Ok(layout)
    }

    /// Whether each group holds what it has to.
    fn is_grouped(&self) -> bool {
        let lead_len = self.groups[0].len;
        let (lead, rest) = self.men.split_at(lead_len);
        let apart = lead.iter().all(|man| !rest.contains(man));
        // Men that look alike stand together, or their group would come twice.
        let together = (lead_len + 1..self.men.len()).all(|i| {
            self.men[i] == self.men[i - 1] || !self.men[lead_len..i - 1].contains(&self.men[i])
        });
        let pawn = |man: &Piece| man.kind == PieceKind::Pawn;
        apart
            && together
            && match self.lead {
                Lead::Pawns(_) => {
                    lead.iter().all(|man| pawn(man) && *man == lead[0])
                        && (!self.more_pawns || rest.first().is_some_and(pawn))
                }
                Lead::ThreeMen => lead[0] != lead[1] && lead[0] != lead[2] && lead[1] != lead[2],
                Lead::Kings => {
                    lead[0] != lead[1] && lead.iter().all(|man| man.kind == PieceKind::King)
                }
            }
    }

    /// Gives each digit its weight, the least first.
    fn set_factors(&mut self, order: Order) -> Result<(), Damage> {
        let count = self.groups.len();
        let fixed = if self.more_pawns { 2 } else { 1 };
        if order.lead >= count
            || (self.more_pawns && (order.more_pawns >= count || order.more_pawns == order.lead))
        {
            return Err(Damage::Order);
        }
        let mut free = 64 - self.groups[..fixed].iter().map(|group| group.len).sum::<usize>();
        let mut others = fixed..count;
        let mut factor: u64 = 1;
        for place in 0..count {
            let (group, radix) = if place == order.lead {
                (0, self.lead_radix())
            } else if self.more_pawns && place == order.more_pawns {
                (1, choices_of(48 - self.groups[0].len, self.groups[1].len))
            } else {
                let group = others.next().ok_or(Damage::Order)?;
                let len = self.groups[group].len;
                free -= len;
                (group, choices_of(free + len, len))
            };
            self.groups[group].factor = factor;
            factor = factor.checked_mul(radix).filter(|&f| f > 0).ok_or(Damage::Order)?;
        }
        self.positions = factor;
        Ok(())
    }

    fn lead_radix(&self) -> u64 {
        match self.lead {
            Lead::Pawns(file) => pawns_led_from_below(self.groups[0].len, file, 7),
            Lead::ThreeMen => TRIPLES,
            Lead::Kings => KING_PAIRS,
        }
    }

    /// How many numbers there are.
    pub(super) const fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of a position; `flip` exchanges the colours.
    pub(super) fn number(&self, position: &Position, flip: bool) -> u64 {
        let mut squares = self.squares(position, flip);
        let lead_len = self.groups[0].len;
        let lead = match self.lead {
            Lead::Pawns(_) => lead_of_pawns(&mut squares, lead_len),
            Lead::ThreeMen => {
                use_symmetry(&mut squares, lead_len);
                lead_of_three(squares[0], squares[1], squares[2])
            }
            Lead::Kings => {
                use_symmetry(&mut squares, lead_len);
                u64::from(KINGS[triangle_number(squares[0]) as usize][squares[1] as usize])
            }
        };
        let mut number = lead * self.groups[0].factor;
        let mut start = lead_len;
        for (i, group) in self.groups.iter().enumerate().skip(1) {
            let (before, rest) = squares.split_at_mut(start);
            let group_squares = &mut rest[..group.len];
            group_squares.sort_unstable();
            // Squares taken by earlier men are no choice; pawns can't stand on the first rank.
            let skipped = if self.more_pawns && i == 1 { 8 } else { 0 };
            let free = group_squares.iter().map(|&square| {
                let taken = before.iter().filter(|&&other| other < square).count();
                usize::from(square) - taken - skipped
            });
            number += number_of_set(free) * group.factor;
            start += group.len;
        }
        number
    }

    /// Where the men stand, in the order of the file.
    fn squares(&self, position: &Position, flip: bool) -> Squares {
        let mut squares = Squares::new();
        let mut before: Option<(Piece, crate::chess::Bitboard)> = None;
        for &man in &self.men {
            let set = match before {
                Some((piece, rest)) if piece == man => rest,
                _ => position.pieces(man.kind, if flip { !man.color } else { man.color }),
            };
            let mut left = set;
            if let Some(square) = set.first() {
                left -= square.bitboard();
                squares.push(square as u8 ^ if flip { 0o70 } else { 0 });
            }
            before = Some((man, left));
        }
        squares
    }
}

/// The file of the pawn that leads the pawns of the side whose pawns come first; a to d.
pub(super) fn leading_file(position: &Position, first: Piece, flip: bool) -> u8 {
    let color = if flip { !first.color } else { first.color };
    let leader = position
        .pieces(PieceKind::Pawn, color)
        .into_iter()
        .map(|square| square as u8 ^ if flip { 0o70 } else { 0 })
        .max_by_key(|&square| pawn_order(square));
    leader.map_or(0, |square| file(square).min(7 - file(square)))
}

/// The digit of the leading pawns, with the leader mirrored to the files a to d.
fn lead_of_pawns(squares: &mut [u8], count: usize) -> u64 {
    let leader = squares[..count].iter().copied().max_by_key(|&square| pawn_order(square));
    if leader.is_some_and(|square| file(square) > 3) {
        for square in squares.iter_mut() {
            *square ^= 7;
        }
    }
    let pawns = &mut squares[..count];
    pawns.sort_unstable_by_key(|&square| pawn_order(square));
    let (leader, others) = (pawns[count - 1], &pawns[..count - 1]);
    pawns_led_from_below(count, file(leader), rank(leader))
        + number_of_set(others.iter().map(|&square| pawn_order(square)))
}

/// Mirrors the board so that the first man comes into the triangle a1-d1-d4, and the first of the
/// leading men that is off the diagonal below it.
fn use_symmetry(squares: &mut [u8], lead_len: usize) {
    if file(squares[0]) > 3 {
        for square in squares.iter_mut() {
            *square ^= 7;
        }
    }
    if rank(squares[0]) > 3 {
        for square in squares.iter_mut() {
            *square ^= 0o70;
        }
    }
    let off = squares[..lead_len].iter().map(|&square| above_diagonal(square)).find(|&by| by != 0);
    if off.is_some_and(|by| by > 0) {
        for square in squares.iter_mut() {
            *square = transposed(*square);
        }
    }
}

/// The digit of three different men; squares, or places on the diagonal, that are taken by an
/// earlier man are no choice for a later one.
fn lead_of_three(a: u8, b: u8, c: u8) -> u64 {
    let before_b = u64::from(a < b);
    let before_c = u64::from(a < c) + u64::from(b < c);
    let on = |square| above_diagonal(square) == 0;
    let place = |square: u8| u64::from(rank(square));
    if !on(a) {
        return (triangle_number(a) * 63 + u64::from(b) - before_b) * 62 + u64::from(c) - before_c;
    }
    if !on(b) {
        return NONE_ON + (place(a) * 28 + below_number(b)) * 62 + u64::from(c) - before_c;
    }
    let on_diagonal = place(a) * 7 + place(b) - before_b;
    if !on(c) {
        return NONE_ON + ONE_ON + on_diagonal * 28 + below_number(c);
    }
    NONE_ON + ONE_ON + TWO_ON + on_diagonal * 6 + place(c) - before_c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_without_gaps() {
        let below: Vec<u8> = (0..64).filter(|&square| above_diagonal(square) < 0).collect();
        assert_eq!(below.len(), 28);
        for (&square, number) in below.iter().zip(0..) {
            assert_eq!(below_number(square), number);
        }
        for (&square, number) in TRIANGLE.iter().zip(0..) {
            assert_eq!(triangle_number(square), number, "{square}");
        }
        let mut orders: Vec<usize> = (8..56).map(pawn_order).collect();
        orders.sort_unstable();
        assert!(orders.into_iter().eq(0..48));
    }

    #[test]
    fn every_position_of_a_pawnless_table_has_a_number_of_its_own_class() {
        // Kings and a queen: each number is reached, and by mirror images of one position only.
        let men = [
            Piece::new(PieceKind::King, Color::White),
            Piece::new(PieceKind::King, Color::Black),
            Piece::new(PieceKind::Queen, Color::White),
        ];
        let material = Material::from_name("KQvK").unwrap();
        let order = Order { lead: 0, more_pawns: 15 };
        let layout = Layout::new(material, &men, order, 0).unwrap();
        assert_eq!(layout.positions(), TRIPLES);
        let mut images = vec![Vec::new(); TRIPLES as usize];
        for a in 0..64_u8 {
            for b in (0..64_u8).filter(|&b| b != a) {
                for c in (0..64_u8).filter(|&c| c != a && c != b) {
                    let mut squares = [a, b, c];
                    use_symmetry(&mut squares, 3);
                    images[lead_of_three(squares[0], squares[1], squares[2]) as usize]
                        .push([a, b, c]);
                }
            }
        }
        for of_number in &images {
            let Some(first) = of_number.first() else { panic!("a gap") };
            let mirrored = |squares: [u8; 3]| {
                let maps: [fn(u8) -> u8; 8] = [
                    |s| s,
                    |s| s ^ 7,
                    |s| s ^ 0o70,
                    |s| s ^ 0o77,
                    transposed,
                    |s| transposed(s) ^ 7,
                    |s| transposed(s) ^ 0o70,
                    |s| transposed(s) ^ 0o77,
                ];
                maps.map(|map| squares.map(map))
            };
            assert!(of_number.iter().all(|&squares| mirrored(*first).contains(&squares)));
        }
    }

    #[test]
    fn layouts_that_make_no_sense_are_refused() {
        let man = |letter: char| Piece::from_letter(letter).unwrap();
        let layout = |name: &str, men: &str, lead: usize, more_pawns: usize| {
            let men: Vec<Piece> = men.chars().map(man).collect();
            let material = Material::from_name(name).unwrap();
            Layout::new(material, &men, Order { lead, more_pawns }, 0).map(|l| l.positions())
        };
        assert_eq!(layout("KQvK", "KkQ", 0, 15), Ok(TRIPLES));
        assert_eq!(layout("KPvKP", "PpKk", 0, 1), Ok(6 * 47 * 62 * 61));
        for (name, men, lead, more_pawns) in [
            ("KQvK", "KkR", 0, 15),
            ("KQvK", "Kk", 0, 15),
            ("KQvK", "KkQ", 1, 15),
            ("KQQvK", "KQkQ", 0, 15),
            ("KQQvK", "QQKk", 0, 15),
            ("KPvKP", "PKpk", 0, 1),
            ("KPvKP", "PpKk", 0, 0),
            ("KPvKP", "PpKk", 9, 1),
            ("KPvK", "KPk", 0, 15),
            // Found by the fuzz target: the first man is of the side that has no pawn to lead.
            ("KPvK", "kPK", 0, 15),
        ] {
            assert!(layout(name, men, lead, more_pawns).is_err(), "{name} {men} {lead}");
        }
    }
}
