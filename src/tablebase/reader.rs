//! Reading numbers from a file that may be damaged: nothing here can go past its end.

use thiserror::Error;

/// What is wrong with a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Damage {
    /// It begins with other bytes than tables of its kind do.
    #[error("it does not begin as a table of its kind")]
    Magic,
    /// It ends before all of it was read.
    #[error("it is cut off")]
    End,
    /// It lists other men than its name.
    #[error("its men are not those of its name")]
    Men,
    /// The order of the digits can't be.
    #[error("its positions can't be numbered")]
    Order,
    /// The code of its values can't be.
    #[error("its code makes no sense")]
    Code,
    /// A position has a value that none can have.
    #[error("a value makes no sense")]
    Value,
}

/// Takes numbers, low byte first, from the front of some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Where it stands.
    pub(super) const fn place(&self) -> usize {
        self.at
    }

    /// The next bytes; they are passed.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Damage> {
        let end = self.at.checked_add(count).ok_or(Damage::End)?;
        let taken = self.bytes.get(self.at..end).ok_or(Damage::End)?;
        self.at = end;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn word(&mut self) -> Result<u16, Damage> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn long(&mut self) -> Result<u32, Damage> {
        Ok(u32::from(self.word()?) | u32::from(self.word()?) << 16)
    }

    /// Passes what is left before a multiple of `unit`.
    pub(super) fn align(&mut self, unit: usize) -> Result<(), Damage> {
        self.take(self.at.next_multiple_of(unit) - self.at).map(|_| ())
    }
}
