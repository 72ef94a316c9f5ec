//! One table: what a file says about all positions with its men.
//!
//! Layout of a file: four bytes by which its kind is known; flags; for each section the order of its
//! men; for each section the head of its code; in tables of distances the maps of their values; then
//! for all sections the sparse indexes, the lengths of blocks and the blocks. A section holds the
//! positions with one side to move and, if there are pawns, the leading pawn on one pair of files.

use arrayvec::ArrayVec;

use super::Wdl;
use super::codes::Codes;
use super::index::{Layout, MOST_MEN, Order, leading_file, man};
use super::material::Material;
use super::reader::{Damage, Reader};
use crate::chess::{Color, Piece, Position};

/// What a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Who wins.
    Wdl,
    /// How many plies it takes to the next capture or pawn move.
    Dtz,
}

impl Kind {
    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Self::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }

    /// How its files end.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

/// Flags of a section of a table of distances.
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const WIDE_MAP: u8 = 16;

/// A list of values: where they begin in the file, how many there are, whether they take two bytes.
#[derive(Clone, Copy, Debug)]
struct Map {
    start: usize,
    count: usize,
    wide: bool,
}

#[derive(Clone, Debug)]
struct Section {
    layout: Layout,
    codes: Codes,
    /// For wins, losses, cursed wins and blessed losses; none if values mean themselves.
    maps: Option<[Map; 4]>,
}

/// A table's head, understood; its values lie in the bytes of the file.
#[derive(Clone, Debug)]
pub(super) struct Table {
    material: Material,
    /// White and Black have the same men, so positions are stored with White to move only.
    symmetric: bool,
    has_pawns: bool,
    first_man: Piece,
    /// By the leader's file, then by side to move.
    sections: Vec<ArrayVec<Section, 2>>,
}

/// What a table of distances says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    /// So many plies; the position is neither drawn nor decided by a capture or pawn move.
    Plies(i32),
    /// It knows positions with the other side to move only.
    OtherSide,
}

type Men = ArrayVec<Piece, MOST_MEN>;

impl Table {
    /// Reads the head of a file.
    pub(super) fn read(bytes: &[u8], kind: Kind, material: Material) -> Result<Self, Damage> {
        let mut reader = Reader::new(bytes);
        if reader.take(4)? != kind.magic() {
            return Err(Damage::Magic);
        }
        // The flags say what the name does: whether both sides are stored, whether there are pawns.
        reader.byte()?;
        let symmetric = material == material.flipped();
        let pawns = Color::ALL.map(|color| material.has_pawns(color));
        let has_pawns = pawns[0] || pawns[1];
        let sides = if kind == Kind::Wdl && !symmetric { 2 } else { 1 };
        let files: u8 = if has_pawns { 4 } else { 1 };

        let mut first_man = None;
        let mut layouts = Vec::new();
        for file in 0..files {
            let orders = [reader.byte()?, if pawns[0] && pawns[1] { reader.byte()? } else { 0 }];
            let codes = reader.take(material.men())?;
            for side in 0..sides {
                let half = |byte: u8| if side == 0 { byte & 15 } else { byte >> 4 };
                let men = codes.iter().map(|&byte| man(half(byte))).collect::<Option<Men>>();
                let men = men.ok_or(Damage::Men)?;
                let [lead, more_pawns] = orders.map(|byte| usize::from(half(byte)));
                let layout = Layout::new(material, &men, Order { lead, more_pawns }, file)?;
                // The leading pawns belong to one side in all sections.
                let first = *first_man.get_or_insert(men[0]);
                if has_pawns && men[0] != first {
                    return Err(Damage::Men);
                }
                layouts.push(layout);
            }
        }
        reader.align(2)?;

        let mut sections = Vec::new();
        for layout in layouts {
            let codes = Codes::read(&mut reader, layout.positions())?;
            sections.push(Section { layout, codes, maps: None });
        }
        if kind == Kind::Dtz {
            read_maps(&mut reader, &mut sections)?;
        }
        for section in &mut sections {
            section.codes.place_sparse(&mut reader)?;
        }
        for section in &mut sections {
            section.codes.place_lengths(&mut reader)?;
        }
        for section in &mut sections {
            section.codes.place_data(&mut reader)?;
        }
        let first_man = first_man.ok_or(Damage::Men)?;
        let sections = sections.chunks(sides).map(|part| part.iter().cloned().collect()).collect();
        Ok(Self { material, symmetric, has_pawns, first_man, sections })
    }

    /// Whether the colours have to be exchanged to find a position, and which side moves then.
    fn turned(&self, position: &Position) -> (bool, Color) {
        let us = position.side_to_move();
        let flip = if self.symmetric {
            us == Color::Black
        } else {
            Material::of(position) != self.material
        };
        (flip, if flip { !us } else { us })
    }

    fn sections(&self, position: &Position, flip: bool) -> &ArrayVec<Section, 2> {
        let file = if self.has_pawns { leading_file(position, self.first_man, flip) } else { 0 };
        &self.sections[usize::from(file)]
    }

    /// What a WDL table says about a position with its men. It may say less than is true where a
    /// capture is best.
    pub(super) fn wdl(&self, bytes: &[u8], position: &Position) -> Result<Wdl, Damage> {
        let (flip, side) = self.turned(position);
        let sections = self.sections(position, flip);
        let section = &sections[side as usize % sections.len()];
        let value = section.codes.value(bytes, section.layout.number(position, flip))?;
        Wdl::from_value(value).ok_or(Damage::Value)
    }

    /// What a table of distances says about a position of this value with its men. It says nothing
    /// true where a capture or pawn move wins, or all others lose.
    pub(super) fn distance(
        &self,
        bytes: &[u8],
        position: &Position,
        wdl: Wdl,
    ) -> Result<Distance, Damage> {
        let (flip, side) = self.turned(position);
        let section = &self.sections(position, flip)[0];
        let flags = section.codes.flags;
        let stored = if flags & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
        if stored != side && (!self.symmetric || self.has_pawns) {
            return Ok(Distance::OtherSide);
        }
        let value = section.codes.value(bytes, section.layout.number(position, flip))?;
        let value = section.mapped(bytes, value, wdl).ok_or(Damage::Value)?;
        let in_plies = match wdl {
            Wdl::Win => flags & WINS_IN_PLIES != 0,
            Wdl::Loss => flags & LOSSES_IN_PLIES != 0,
            _ => false,
        };
        Ok(Distance::Plies(if in_plies { value + 1 } else { 2 * value + 1 }))
    }
}

impl Section {
    fn mapped(&self, bytes: &[u8], value: u16, wdl: Wdl) -> Option<i32> {
        let Some(maps) = &self.maps else { return Some(value.into()) };
        let map = match wdl {
            Wdl::Win | Wdl::Draw => maps[0],
            Wdl::Loss => maps[1],
            Wdl::CursedWin => maps[2],
            Wdl::BlessedLoss => maps[3],
        };
        let value = usize::from(value);
        if value >= map.count {
            return None;
        }
        if !map.wide {
            return bytes.get(map.start + value).map(|&byte| byte.into());
        }
        let pair = bytes.get(map.start + 2 * value..map.start + 2 * value + 2)?;
        Some(u16::from_le_bytes([pair[0], pair[1]]).into())
    }
}

/// Reads where the maps of all sections lie.
fn read_maps(reader: &mut Reader<'_>, sections: &mut [Section]) -> Result<(), Damage> {
    for section in sections {
        let flags = section.codes.flags;
        if flags & MAPPED == 0 {
            continue;
        }
        let wide = flags & WIDE_MAP != 0;
        if wide {
            reader.align(2)?;
        }
        let mut maps = [Map { start: 0, count: 0, wide }; 4];
        for map in &mut maps {
            map.count = if wide { reader.word()?.into() } else { reader.byte()?.into() };
            map.start = reader.place();
            reader.take(if wide { 2 * map.count } else { map.count })?;
        }
        section.maps = Some(maps);
    }
    reader.align(2)
}
