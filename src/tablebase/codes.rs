//! Values of many positions, compressed: pairs of symbols that often stand side by side are
//! replaced by new symbols, again and again, and what remains is written in a canonical Huffman
//! code, in blocks of equal size. A sparse index tells for every so many positions where to look.

use std::ops::Range;

use super::reader::{Damage, Reader};

const SINGLE_VALUE: u8 = 128;
/// A symbol of the second half of a pair that marks a symbol as a value.
const LEAF: u16 = 0xFFF;
/// Longest code, in bits.
const LONGEST: usize = 32;

/// The values of one section of a table; the bytes lie in the file.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    /// What this kind of table says about the section as a whole.
    pub(super) flags: u8,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    /// All positions have this value.
    Single(u16),
    Blocks(Box<Blocks>),
}

#[derive(Clone, Debug)]
struct Blocks {
    /// Bytes of a block.
    block_size: usize,
    /// Positions for each entry of the sparse index.
    span: u64,
    block_count: usize,
    /// Entries of the list of lengths; a few more than blocks.
    lengths_count: usize,
    shortest: usize,
    /// For each code length: the first symbol with it, and the code of that one, moved to the top.
    first: Vec<(u16, u64)>,
    pairs: Vec<(u16, u16)>,
    /// How many values each symbol stands for, less one.
    sizes: Vec<u32>,
    sparse: Range<usize>,
    lengths: Range<usize>,
    data: Range<usize>,
}

impl Codes {
    /// Reads what stands in the head of the file, for so many positions.
    pub(super) fn read(reader: &mut Reader<'_>, positions: u64) -> Result<Self, Damage> {
        let flags = reader.byte()?;
        if flags & SINGLE_VALUE != 0 {
            return Ok(Self { flags, content: Content::Single(reader.byte()?.into()) });
        }
        let power = |exponent: u8| 1_usize.checked_shl(exponent.into()).ok_or(Damage::Code);
        let block_size = power(reader.byte()?)?;
        let span = power(reader.byte()?)? as u64;
        let spare = usize::from(reader.byte()?);
        let block_count = reader.long()? as usize;
        let (longest, shortest) = (usize::from(reader.byte()?), usize::from(reader.byte()?));
        if shortest == 0 || shortest > longest || longest > LONGEST || block_size > 1 << 20 {
            return Err(Damage::Code);
        }
        let lowest = (shortest..=longest).map(|_| reader.word()).collect::<Result<Vec<_>, _>>()?;
        let first = first_codes(&lowest, shortest)?;
        let symbols = usize::from(reader.word()?);
        let pairs: Vec<_> = reader.take(3 * symbols)?.chunks_exact(3).map(pair).collect();
        reader.take(symbols & 1)?;
        let sizes = sizes(&pairs)?;
        let content = Content::Blocks(Box::new(Blocks {
            block_size,
            span,
            block_count,
            lengths_count: block_count + spare,
            shortest,
            first,
            pairs,
            sizes,
            sparse: 0..usize::try_from(positions.div_ceil(span)).map_err(|_| Damage::Code)?,
            lengths: 0..0,
            data: 0..0,
        }));
        Ok(Self { flags, content })
    }

    /// Finds the sparse index, whose size is known.
    pub(super) fn place_sparse(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        let Content::Blocks(blocks) = &mut self.content else { return Ok(()) };
        let entries = blocks.sparse.len();
        blocks.sparse = range(reader, entries.checked_mul(6))?;
        Ok(())
    }

    /// Finds the lengths of the blocks.
    pub(super) fn place_lengths(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        let Content::Blocks(blocks) = &mut self.content else { return Ok(()) };
        blocks.lengths = range(reader, blocks.lengths_count.checked_mul(2))?;
        Ok(())
    }

    /// Finds the blocks.
    pub(super) fn place_data(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        let Content::Blocks(blocks) = &mut self.content else { return Ok(()) };
        reader.align(64)?;
        blocks.data = range(reader, blocks.block_count.checked_mul(blocks.block_size))?;
        Ok(())
    }

    /// The value of the position with this number.
    pub(super) fn value(&self, bytes: &[u8], number: u64) -> Result<u16, Damage> {
        match &self.content {
            Content::Single(value) => Ok(*value),
            Content::Blocks(blocks) => blocks.value(bytes, number).ok_or(Damage::Value),
        }
    }
}

fn range(reader: &mut Reader<'_>, size: Option<usize>) -> Result<Range<usize>, Damage> {
    let start = reader.place();
    reader.take(size.ok_or(Damage::End)?)?;
    Ok(start..reader.place())
}

/// Two numbers of twelve bits.
fn pair(bytes: &[u8]) -> (u16, u16) {
    let [a, b, c] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
    (a | (b & 15) << 8, b >> 4 | c << 4)
}

/// The first code of each length, moved to the top of 64 bits. Of two lengths the longer one has
/// the smaller codes; with one bit less, the codes go on where those of the longer length end.
fn first_codes(lowest: &[u16], shortest: usize) -> Result<Vec<(u16, u64)>, Damage> {
    let mut first = vec![0_u64; lowest.len()];
    for i in (1..lowest.len()).rev() {
        let longer = first[i] + u64::from(lowest[i - 1]);
        first[i - 1] = longer.checked_sub(lowest[i].into()).ok_or(Damage::Code)? / 2;
    }
    let codes = lowest.iter().zip(first).enumerate();
    codes
        .map(|(i, (&symbol, code))| {
            let length = shortest + i;
            if code >> length != 0 {
                return Err(Damage::Code);
            }
            Ok((symbol, code << (64 - length)))
        })
        .collect()
}

/// How many values each symbol stands for, less one. A symbol that holds itself is an error.
fn sizes(pairs: &[(u16, u16)]) -> Result<Vec<u32>, Damage> {
    const UNKNOWN: u32 = u32::MAX;
    const BEGUN: u32 = u32::MAX - 1;
    /// A block holds at most 65,536 values.
    const MOST: u32 = 1 << 16;
    let mut sizes = vec![UNKNOWN; pairs.len()];
    let mut open = Vec::new();
    for symbol in 0..pairs.len() {
        open.push(symbol);
        while let Some(&symbol) = open.last() {
            if sizes[symbol] < BEGUN {
                open.pop();
                continue;
            }
            let (left, right) = pairs[symbol];
            if right == LEAF {
                sizes[symbol] = 0;
                continue;
            }
            let parts = [left, right].map(usize::from);
            let known = |part: usize| sizes.get(part).copied().ok_or(Damage::Code);
            let of = [known(parts[0])?, known(parts[1])?];
            if of.iter().all(|&size| size < BEGUN) {
                sizes[symbol] = of[0] + of[1] + 1;
                if sizes[symbol] > MOST {
                    return Err(Damage::Code);
                }
            } else if sizes[symbol] == BEGUN {
                return Err(Damage::Code);
            } else {
                sizes[symbol] = BEGUN;
                open.extend(
                    parts
                        .into_iter()
                        .zip(of)
                        .filter(|&(_, size)| size >= BEGUN)
                        .map(|(part, _)| part),
                );
            }
        }
    }
    Ok(sizes)
}

impl Blocks {
    fn value(&self, bytes: &[u8], number: u64) -> Option<u16> {
        let (block, offset) = self.locate(bytes, number)?;
        let start = self.data.start + block * self.block_size;
        let block = bytes.get(start..start + self.block_size)?;
        let (symbol, offset) = self.decode(block, offset)?;
        self.expand(symbol, offset)
    }

    /// The block a position is in, and how many are before it there.
    fn locate(&self, bytes: &[u8], number: u64) -> Option<(usize, u32)> {
        let lengths = bytes.get(self.lengths.clone())?;
        let positions_in = |block: usize| {
            let length = lengths.get(2 * block..2 * block + 2)?;
            Some(i64::from(u16::from_le_bytes([length[0], length[1]])) + 1)
        };
        // An entry points to the middle of its span.
        let at = self.sparse.start + 6 * usize::try_from(number / self.span).ok()?;
        let mut entry = Reader::new(bytes.get(at..at + 6).filter(|_| at < self.sparse.end)?);
        let (mut block, offset) = (entry.long().ok()? as usize, entry.word().ok()?);
        let mut offset = i64::from(offset) + (number % self.span) as i64 - (self.span / 2) as i64;
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += positions_in(block)?;
        }
        loop {
            let length = positions_in(block)?;
            if offset < length {
                break;
            }
            offset -= length;
            block += 1;
        }
        (block < self.block_count).then_some((block, offset as u32))
    }

    /// The symbol that holds the value with this offset in a block, and the offset inside of it.
    fn decode(&self, block: &[u8], mut offset: u32) -> Option<(usize, u32)> {
        let mut next = block.chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from(u32::from_be_bytes(word))
        });
        let mut window = next.next()? << 32 | next.next().unwrap_or(0);
        let mut filled = 64;
        let mut passed = 0;
        while passed <= 8 * block.len() {
            let extra = self.first.iter().position(|&(_, code)| window >= code)?;
            let (lowest, code) = self.first[extra];
            let length = self.shortest + extra;
            let symbol =
                usize::from(lowest) + usize::try_from((window - code) >> (64 - length)).ok()?;
            let size = *self.sizes.get(symbol)?;
            if offset <= size {
                return Some((symbol, offset));
            }
            offset -= size + 1;
            window <<= length;
            filled -= length;
            passed += length;
            if filled <= 32 {
                window |= next.next().unwrap_or(0) << (32 - filled);
                filled += 32;
            }
        }
        None
    }

    /// Unfolds pairs until the value is reached.
    fn expand(&self, mut symbol: usize, mut offset: u32) -> Option<u16> {
        loop {
            let (left, right) = *self.pairs.get(symbol)?;
            if right == LEAF {
                return Some(left);
            }
            let size = *self.sizes.get(usize::from(left))?;
            symbol = usize::from(if offset <= size {
                left
            } else {
                offset -= size + 1;
                right
            });
        }
    }
}
