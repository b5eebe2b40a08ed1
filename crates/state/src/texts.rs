//! String values. A state may hold gigabytes of them, so only what people need to recognise one is kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use xxhash_rust::xxh3::xxh3_128;

/// How many characters of a text are kept for people.
const SHOWN: usize = 80;

/// A text in [`Texts`]. Graphs that are compared must take theirs from the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId(pub(crate) u32);

/// Equal texts have equal keys, and different ones do not, but for a collision of 128 bits between texts of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    hash: [u64; 2],
    length: u64,
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash[0]);
    }
}

/// Keys are hashes already.
#[derive(Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[derive(Debug, Default)]
pub struct Texts {
    ids: HashMap<Key, TextId, BuildHasherDefault<AsItIs>>,
    /// Beginnings of all texts, one after the other.
    shown: String,
    kept: Vec<Kept>,
}

#[derive(Debug, Clone, Copy)]
struct Kept {
    end: usize,
    /// In bytes, of the whole text.
    length: u64,
}

impl Texts {
    pub fn new() -> Self {
        Texts::default()
    }

    pub fn intern(&mut self, text: &str) -> TextId {
        self.keep(text.as_bytes(), text)
    }

    /// A Java string is any sequence of 16-bit units. One with lone surrogates is no Unicode text, yet has its own identity.
    pub fn intern_utf16(&mut self, units: &[u16]) -> TextId {
        match String::from_utf16(units) {
            Ok(text) => self.intern(&text),
            Err(_) => {
                // 0xff occurs in no UTF-8 text, so this is equal to none.
                let bytes: Vec<u8> =
                    [0xff].into_iter().chain(units.iter().flat_map(|u| u.to_le_bytes())).collect();
                self.keep(&bytes, &String::from_utf16_lossy(units))
            }
        }
    }

    fn keep(&mut self, bytes: &[u8], text: &str) -> TextId {
        let hash = xxh3_128(bytes);
        let key = Key { hash: [hash as u64, (hash >> 64) as u64], length: bytes.len() as u64 };
        let shown = &mut self.shown;
        let kept = &mut self.kept;
        *self.ids.entry(key).or_insert_with(|| {
            let id = TextId(kept.len() as u32);
            let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(end, _)| end);
            shown.push_str(&text[..end]);
            kept.push(Kept { end: shown.len(), length: text.len() as u64 });
            id
        })
    }

    /// The text, or its beginning; with the second, whether it is whole.
    pub fn shown(&self, id: TextId) -> (&str, bool) {
        let at = id.0 as usize;
        let Some(kept) = self.kept.get(at) else {
            return ("?", false);
        };
        let start = at.checked_sub(1).and_then(|before| self.kept.get(before)).map_or(0, |k| k.end);
        let text = self.shown.get(start..kept.end).unwrap_or_default();
        (text, text.len() as u64 == kept.length)
    }

    /// In bytes of UTF-8.
    pub fn length(&self, id: TextId) -> u64 {
        self.kept.get(id.0 as usize).map_or(0, |kept| kept.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one() {
        let mut texts = Texts::new();
        let first = texts.intern("invisibility");
        assert_eq!(texts.intern("invisibility"), first);
        let units: Vec<u16> = "invisibility".encode_utf16().collect();
        assert_eq!(texts.intern_utf16(&units), first);
        assert_ne!(texts.intern("Invisibility"), first);
        assert_eq!(texts.shown(first), ("invisibility", true));
    }

    #[test]
    fn long_texts_with_the_same_beginning_differ() {
        let mut texts = Texts::new();
        let long = "é".repeat(100);
        let first = texts.intern(&long);
        let second = texts.intern(&format!("{long}!"));
        assert_ne!(first, second);
        assert_eq!(texts.shown(second), ("é".repeat(80).as_str(), false));
        assert_eq!(texts.length(second), 201);
    }

    #[test]
    fn lone_surrogates_are_told_apart() {
        let mut texts = Texts::new();
        let first = texts.intern_utf16(&[0xd800]);
        let second = texts.intern_utf16(&[0xd801]);
        assert_ne!(first, second);
        assert_ne!(texts.intern("\u{fffd}"), first);
    }
}
