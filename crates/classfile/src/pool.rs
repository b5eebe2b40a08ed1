//! The constant pool (§4.4): kept as bytes, only ever appended to.

use std::borrow::Cow;

use crate::Refusal;
use crate::bytes::{Reader, Writer};

const UTF8: u8 = 1;
const INTEGER: u8 = 3;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const FIELD_REF: u8 = 9;
const METHOD_REF: u8 = 10;
const NAME_AND_TYPE: u8 = 12;
const METHOD_HANDLE: u8 = 15;
const INVOKE_DYNAMIC: u8 = 18;

/// Marks index 0 and the second index of a long or double, where no constant begins.
const NO_ENTRY: usize = usize::MAX;

#[derive(Debug, Clone)]
pub(crate) struct ConstantPool<'a> {
    /// The entries as they were read, without the count.
    read: &'a [u8],
    /// The entries added since; they follow `read` in the file.
    appended: Vec<u8>,
    /// By index: where the entry begins in `read` followed by `appended`. Never more than 65535
    /// long, since its length is the count in the file.
    offsets: Vec<usize>,
}

/// How many constants a pool had at a moment, to return to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    constants: usize,
    bytes: usize,
}

impl<'a> ConstantPool<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Refusal> {
        let count = usize::from(reader.u2()?);
        let mut offsets = Vec::with_capacity(count);
        offsets.push(NO_ENTRY);
        let first = reader.position();
        let read = reader.span(|walk| {
            while offsets.len() < count {
                offsets.push(walk.position().saturating_sub(first));
                let tag = walk.u1()?;
                let length = match tag {
                    UTF8 => usize::from(walk.u2()?),
                    INTEGER | 4 => 4,                         // Float
                    5 | 6 => 8,                               // Long, Double
                    CLASS | STRING | 16 | 19 | 20 => 2,       // MethodType, Module, Package
                    9 | METHOD_REF | 11 | NAME_AND_TYPE => 4, // Fieldref, InterfaceMethodref
                    METHOD_HANDLE => 3,
                    17 | INVOKE_DYNAMIC => 4, // Dynamic
                    _ => {
                        return Err(Refusal::UnknownTag { of: "constant", tag });
                    }
                };
                walk.take(length)?;
                if matches!(tag, 5 | 6) {
                    offsets.push(NO_ENTRY);
                }
            }
            // A count of 0, or a long in the last index, would be written back as another count.
            if offsets.len() == count { Ok(()) } else { Err(Refusal::Truncated) }
        })?;
        Ok(Self { read, appended: Vec::new(), offsets })
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        // `parse` and `append` keep the length within 16 bits.
        writer.u2(u16::try_from(self.offsets.len()).unwrap_or(u16::MAX));
        writer.raw(self.read);
        writer.raw(&self.appended);
    }

    pub(crate) fn written_length(&self) -> usize {
        2 + self.read.len() + self.appended.len()
    }

    /// The modified UTF-8 of a constant that was read from the file. Appended constants are not
    /// found: nothing in the file can mean them.
    pub(crate) fn utf8(&self, index: u16) -> Result<&'a [u8], Refusal> {
        let wrong = Refusal::WrongConstant { index, expected: "Utf8" };
        let mut entry = self.entry_read(index).ok_or(wrong.clone())?;
        if entry.u1()? != UTF8 {
            return Err(wrong);
        }
        let length = usize::from(entry.u2()?);
        entry.take(length)
    }

    /// The same of any Utf8, also of one that was appended.
    pub(crate) fn any_utf8(&self, index: u16) -> Result<&[u8], Refusal> {
        let wrong = Refusal::WrongConstant { index, expected: "Utf8" };
        let offset = *self.offsets.get(usize::from(index)).ok_or(wrong.clone())?;
        let mut entry = Reader::new(self.bytes_from(offset).ok_or(wrong.clone())?);
        if entry.u1()? != UTF8 {
            return Err(wrong);
        }
        let length = entry.u2()?;
        entry.take(length.into())
    }

    /// The internal name (`java/lang/Object`) of a Class constant that was read from the file.
    pub(crate) fn class_name(&self, index: u16) -> Result<&'a [u8], Refusal> {
        let wrong = Refusal::WrongConstant { index, expected: "Class" };
        let mut entry = self.entry_read(index).ok_or(wrong.clone())?;
        if entry.u1()? != CLASS {
            return Err(wrong);
        }
        self.utf8(entry.u2()?)
    }

    /// Class, name and descriptor of a Fieldref, Methodref or InterfaceMethodref that was read from
    /// the file.
    pub(crate) fn member(&self, index: u16) -> Result<[&'a [u8]; 3], Refusal> {
        let wrong = |expected| Refusal::WrongConstant { index, expected };
        let mut entry = self.entry_read(index).ok_or(wrong("member"))?;
        if !matches!(entry.u1()?, 9 | METHOD_REF | 11) {
            return Err(wrong("member"));
        }
        let class = self.class_name(entry.u2()?)?;
        let mut entry = self.entry_read(entry.u2()?).ok_or(wrong("member with a name"))?;
        if entry.u1()? != NAME_AND_TYPE {
            return Err(wrong("member with a name"));
        }
        Ok([class, self.utf8(entry.u2()?)?, self.utf8(entry.u2()?)?])
    }

    /// The number of the bootstrap method and the descriptor of an InvokeDynamic that was read from the file.
    pub(crate) fn dynamic(&self, index: u16) -> Result<(u16, &'a [u8]), Refusal> {
        let wrong = Refusal::WrongConstant { index, expected: "InvokeDynamic" };
        let mut entry = self.entry_read(index).ok_or(wrong.clone())?;
        if entry.u1()? != INVOKE_DYNAMIC {
            return Err(wrong);
        }
        let bootstrap = entry.u2()?;
        let mut entry = self.entry_read(entry.u2()?).ok_or(wrong.clone())?;
        if entry.u1()? != NAME_AND_TYPE {
            return Err(wrong);
        }
        entry.take(2)?; // name
        Ok((bootstrap, self.utf8(entry.u2()?)?))
    }

    /// Class, name and descriptor of what a MethodHandle that was read from the file leads to.
    pub(crate) fn handle(&self, index: u16) -> Result<[&'a [u8]; 3], Refusal> {
        let wrong = Refusal::WrongConstant { index, expected: "MethodHandle" };
        let mut entry = self.entry_read(index).ok_or(wrong.clone())?;
        if entry.u1()? != METHOD_HANDLE {
            return Err(wrong);
        }
        entry.take(1)?; // kind
        self.member(entry.u2()?)
    }

    /// Class, name and descriptor of all Fieldrefs that were read from the file.
    pub(crate) fn field_refs(&self) -> impl Iterator<Item = [&'a [u8]; 3]> {
        self.tagged(&[FIELD_REF]).filter_map(|index| self.member(index).ok())
    }

    /// The same of all Methodrefs and InterfaceMethodrefs.
    pub(crate) fn method_refs(&self) -> impl Iterator<Item = [&'a [u8]; 3]> {
        self.tagged(&[METHOD_REF, 11]).filter_map(|index| self.member(index).ok())
    }

    /// The texts of all Strings that were read from the file.
    pub(crate) fn strings(&self) -> impl Iterator<Item = &'a [u8]> {
        self.tagged(&[STRING]).filter_map(|index| {
            let mut entry = self.entry_read(index)?;
            entry.u1().ok()?;
            self.utf8(entry.u2().ok()?).ok()
        })
    }

    fn tagged(&self, tags: &'static [u8]) -> impl Iterator<Item = u16> {
        (0..=u16::MAX).take(self.offsets.len()).filter(move |index| {
            let tag = self.entry_read(*index).and_then(|mut entry| entry.u1().ok());
            tag.is_some_and(|tag| tags.contains(&tag))
        })
    }

    /// The index of a Methodref to `class.method`, which is appended if there is none yet.
    pub(crate) fn method_ref(
        &mut self,
        class: &str,
        method: &str,
        descriptor: &str,
    ) -> Result<u16, Refusal> {
        let class = self.find_or_append_utf8(class)?;
        let class = self.find_or_append_indices(CLASS, &[class])?;
        let method = self.find_or_append_utf8(method)?;
        let descriptor = self.find_or_append_utf8(descriptor)?;
        let name_and_type = self.find_or_append_indices(NAME_AND_TYPE, &[method, descriptor])?;
        self.find_or_append_indices(METHOD_REF, &[class, name_and_type])
    }

    /// The index of a Fieldref to a field of `class`, whose name is as the file has it; appended if there is none yet.
    pub(crate) fn field_ref(
        &mut self,
        class: &[u8],
        field: &str,
        descriptor: &str,
    ) -> Result<u16, Refusal> {
        let class = self.class(class)?;
        let field = self.find_or_append_utf8(field)?;
        let descriptor = self.find_or_append_utf8(descriptor)?;
        let name_and_type = self.find_or_append_indices(NAME_AND_TYPE, &[field, descriptor])?;
        self.find_or_append_indices(FIELD_REF, &[class, name_and_type])
    }

    /// The index of a Class by its name as the file has it, or by the descriptor of an array; appended if there is none yet.
    pub(crate) fn class(&mut self, name: &[u8]) -> Result<u16, Refusal> {
        let name = self.find_or_append_bytes(name)?;
        self.find_or_append_indices(CLASS, &[name])
    }

    /// The index of a Utf8, which is appended if there is none yet.
    pub(crate) fn text(&mut self, text: &str) -> Result<u16, Refusal> {
        self.find_or_append_utf8(text)
    }

    /// The index of an Integer, which is appended if there is none yet.
    pub(crate) fn integer(&mut self, value: i32) -> Result<u16, Refusal> {
        let mut entry = Writer::with_capacity(5);
        entry.u1(INTEGER);
        entry.raw(&value.to_be_bytes());
        self.find_or_append(&entry.into_bytes())
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { constants: self.offsets.len(), bytes: self.appended.len() }
    }

    /// Forgets what was appended since.
    pub(crate) fn return_to(&mut self, mark: Mark) {
        self.offsets.truncate(mark.constants);
        self.appended.truncate(mark.bytes);
    }

    fn find_or_append_utf8(&mut self, text: &str) -> Result<u16, Refusal> {
        self.find_or_append_bytes(&modified_utf8(text))
    }

    fn find_or_append_bytes(&mut self, text: &[u8]) -> Result<u16, Refusal> {
        let length = u16::try_from(text.len()).map_err(|_| Refusal::NameTooLong)?;
        let mut entry = Writer::with_capacity(3 + text.len());
        entry.u1(UTF8);
        entry.u2(length);
        entry.raw(text);
        self.find_or_append(&entry.into_bytes())
    }

    fn find_or_append_indices(&mut self, tag: u8, indices: &[u16]) -> Result<u16, Refusal> {
        let mut entry = Writer::with_capacity(5);
        entry.u1(tag);
        for &index in indices {
            entry.u2(index);
        }
        self.find_or_append(&entry.into_bytes())
    }

    fn find_or_append(&mut self, entry: &[u8]) -> Result<u16, Refusal> {
        // An entry's length follows from its first bytes, so to begin alike is to be equal. From
        // the end, since most calls put into a class are the same: it was appended last.
        let found = self.offsets.iter().rposition(|&offset| {
            offset != NO_ENTRY && self.bytes_from(offset).is_some_and(|at| at.starts_with(entry))
        });
        if let Some(index) = found {
            return u16::try_from(index).map_err(|_| Refusal::PoolFull);
        }
        // The count, which is one more than the last index, has 16 bits as well.
        if self.offsets.len() >= usize::from(u16::MAX) {
            return Err(Refusal::PoolFull);
        }
        let index = u16::try_from(self.offsets.len()).map_err(|_| Refusal::PoolFull)?;
        self.offsets.push(self.read.len() + self.appended.len());
        self.appended.extend_from_slice(entry);
        Ok(index)
    }

    fn entry_read(&self, index: u16) -> Option<Reader<'a>> {
        let offset = *self.offsets.get(usize::from(index))?;
        self.read.get(offset..).map(Reader::new)
    }

    fn bytes_from(&self, offset: usize) -> Option<&[u8]> {
        match offset.checked_sub(self.read.len()) {
            None => self.read.get(offset..),
            Some(offset) => self.appended.get(offset..),
        }
    }
}

/// Text as class files hold it (§4.4.7): UTF-8, except that NUL takes two bytes and characters
/// beyond U+FFFF are two surrogates of three bytes each.
pub(crate) fn modified_utf8(text: &str) -> Cow<'_, [u8]> {
    if !text.chars().any(|c| c == '\0' || c > '\u{FFFF}') {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 2);
    for c in text.chars() {
        match c {
            '\0' => bytes.extend([0xC0, 0x80]),
            '\u{1}'..='\u{FFFF}' => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let [high, low] = unit.to_be_bytes();
                    bytes.push(0xE0 | high >> 4);
                    bytes.push(0x80 | (high & 0x0F) << 2 | low >> 6);
                    bytes.push(0x80 | low & 0x3F);
                }
            }
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The bytes of a pool that holds `texts` as Utf8 constants from index 1.
    pub(crate) fn utf8_pool(texts: &[&str]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u2(texts.len() as u16 + 1);
        for text in texts {
            writer.u1(UTF8);
            writer.u2(text.len() as u16);
            writer.raw(text.as_bytes());
        }
        writer.into_bytes()
    }

    fn written(pool: &ConstantPool) -> Vec<u8> {
        let mut writer = Writer::default();
        pool.write(&mut writer);
        let bytes = writer.into_bytes();
        assert_eq!(bytes.len(), pool.written_length());
        bytes
    }

    #[test]
    fn a_method_reference_appends_six_constants_once() {
        let bytes = utf8_pool(&["Code"]);
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(pool.method_ref("a/Probe", "hit", "(I)V"), Ok(7));
        assert_eq!(pool.method_ref("a/Probe", "hit", "(I)V"), Ok(7));
        let added = b"\x01\0\x07a/Probe\x07\0\x02\x01\0\x03hit\x01\0\x04(I)V\x0c\0\x04\0\x05\x0a\0\x03\0\x06";
        let expected = [&[0, 8], &bytes[2..], added].concat();
        assert_eq!(written(&pool), expected);
        // Another method of the same class shares what it can: the name, the pair and itself.
        assert_eq!(pool.method_ref("a/Probe", "hot", "(I)V"), Ok(10));
    }

    #[test]
    fn an_integer_is_appended_once() {
        let bytes = utf8_pool(&["Code"]);
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(pool.integer(-2), Ok(2));
        assert_eq!(pool.integer(70_000), Ok(3));
        assert_eq!(pool.integer(-2), Ok(2));
        let added = b"\x03\xFF\xFF\xFF\xFE\x03\0\x01\x11\x70";
        assert_eq!(written(&pool)[bytes.len()..], *added);
    }

    #[test]
    fn constants_that_are_there_are_used() {
        let bytes = utf8_pool(&["hit", "(I)V", "a/Probe"]);
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(pool.method_ref("a/Probe", "hit", "(I)V"), Ok(6));
        assert_eq!(&written(&pool)[bytes.len()..], b"\x07\0\x03\x0c\0\x01\0\x02\x0a\0\x04\0\x05");
    }

    #[test]
    fn a_long_takes_two_indices() {
        let bytes = b"\0\x04\x05\0\0\0\0\0\0\0\x01\x01\0\x01x";
        let pool = ConstantPool::parse(&mut Reader::new(bytes)).unwrap();
        assert_eq!(pool.utf8(3), Ok(&b"x"[..]));
        for index in [0, 1, 2, 4] {
            let refusal = Refusal::WrongConstant { index, expected: "Utf8" };
            assert_eq!(pool.utf8(index), Err(refusal));
        }
        assert_eq!(written(&pool), bytes);
    }

    #[test]
    fn counts_that_cannot_be_are_refused() {
        let no_room_for_a_long = b"\0\x02\x05\0\0\0\0\0\0\0\x01";
        for bytes in [&b"\0\0"[..], no_room_for_a_long] {
            let parsed = ConstantPool::parse(&mut Reader::new(bytes));
            assert_eq!(parsed.unwrap_err(), Refusal::Truncated);
        }
        let tag_2 = ConstantPool::parse(&mut Reader::new(b"\0\x02\x02\0\0"));
        assert_eq!(tag_2.unwrap_err(), Refusal::UnknownTag { of: "constant", tag: 2 });
    }

    #[test]
    fn a_pool_holds_65534_constants_and_no_more() {
        let texts: Vec<String> = (0..65_534 - 6).map(|n| n.to_string()).collect();
        let bytes = utf8_pool(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(pool.method_ref("a/Probe", "hit", "(I)V"), Ok(65_534));
        let full = written(&pool);
        let mark = pool.mark();
        assert_eq!(pool.method_ref("a/Probe", "hot", "(I)V"), Err(Refusal::PoolFull));
        pool.return_to(mark);
        assert_eq!(written(&pool), full);
        assert_eq!(full[..2], [0xFF, 0xFF]);
    }

    #[test]
    fn returning_to_a_mark_forgets_what_was_appended() {
        let bytes = utf8_pool(&["Code"]);
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        let mark = pool.mark();
        pool.method_ref("a/Probe", "hit", "(I)V").unwrap();
        pool.return_to(mark);
        assert_eq!(written(&pool), bytes);
    }

    #[test]
    fn text_becomes_modified_utf8() {
        assert!(matches!(modified_utf8("aé€"), Cow::Borrowed(_)));
        assert_eq!(*modified_utf8("aé€"), *"aé€".as_bytes());
        assert_eq!(*modified_utf8("a\0é"), [b'a', 0xC0, 0x80, 0xC3, 0xA9]);
        // U+1F600 is the surrogates D83D DE00.
        assert_eq!(*modified_utf8("\u{1F600}"), [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]);
    }
}
