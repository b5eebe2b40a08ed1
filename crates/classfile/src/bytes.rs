//! Big-endian numbers, read with every length checked, and written.

use crate::Refusal;

/// Reads from the front of a slice; running out of bytes is a refusal, never a panic.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// Never more than `bytes.len()`.
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes have been read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        let end = self.at.checked_add(length).ok_or(Refusal::Truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or(Refusal::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    pub(crate) fn u1(&mut self) -> Result<u8, Refusal> {
        self.array().map(u8::from_be_bytes)
    }

    pub(crate) fn u2(&mut self) -> Result<u16, Refusal> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u4(&mut self) -> Result<u32, Refusal> {
        self.array().map(u32::from_be_bytes)
    }

    /// Takes as many bytes as the four-byte length in front of them says.
    pub(crate) fn take_with_u4_length(&mut self) -> Result<&'a [u8], Refusal> {
        let length = usize::try_from(self.u4()?).map_err(|_| Refusal::Truncated)?;
        self.take(length)
    }

    /// The bytes that `walk` reads, as they are.
    pub(crate) fn span(
        &mut self,
        walk: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<&'a [u8], Refusal> {
        let mut ahead = Self { bytes: self.bytes, at: self.at };
        walk(&mut ahead)?;
        self.take(ahead.at.saturating_sub(self.at))
    }

    /// Refuses when something is left: then the structure is not what it was taken for.
    pub(crate) fn finish(&self) -> Result<(), Refusal> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(Refusal::TrailingBytes) }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Refusal> {
        <[u8; N]>::try_from(self.take(N)?).map_err(|_| Refusal::Truncated)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity) }
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn u1(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u2(&mut self, value: u16) {
        self.raw(&value.to_be_bytes());
    }

    pub(crate) fn u4(&mut self, value: u32) {
        self.raw(&value.to_be_bytes());
    }

    /// Writes `bytes` behind their own length in four bytes.
    pub(crate) fn raw_with_u4_length(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.u4(u32::try_from(bytes.len()).map_err(|_| Refusal::AttributeTooLong)?);
        self.raw(bytes);
        Ok(())
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_big_endian() {
        let mut reader = Reader::new(&[1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(reader.u1(), Ok(1));
        assert_eq!(reader.u2(), Ok(0x0203));
        assert_eq!(reader.finish(), Err(Refusal::TrailingBytes));
        assert_eq!(reader.u4(), Ok(0x0405_0607));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn a_read_past_the_end_is_refused_and_reads_nothing() {
        let mut reader = Reader::new(&[1, 2, 3]);
        assert_eq!(reader.u4(), Err(Refusal::Truncated));
        assert_eq!(reader.take(usize::MAX), Err(Refusal::Truncated));
        assert_eq!(reader.position(), 0);
        assert_eq!(reader.u2(), Ok(0x0102));
        assert_eq!(reader.take(usize::MAX), Err(Refusal::Truncated));
    }

    #[test]
    fn a_span_is_what_the_walk_has_read() {
        let mut reader = Reader::new(&[9, 1, 2, 3]);
        reader.u1().unwrap();
        assert_eq!(reader.span(|walk| walk.u2().map(drop)), Ok(&[1, 2][..]));
        assert_eq!(reader.u1(), Ok(3));
    }
}
