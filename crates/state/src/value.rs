//! What has no identity: numbers, texts, constants.

use std::fmt;

use crate::names::{Label, Names};
use crate::texts::{TextId, Texts};

/// What the labels and texts of a state say.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    pub names: &'a Names,
    pub texts: &'a Texts,
}

/// Two values are the same only if they are of the same kind: a Java `Integer` is not equal to a `Long`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    Null,
    /// The target of a key in a set: the key is all there is.
    Present,
    Bool(bool),
    Byte(i8),
    Short(i16),
    /// A UTF-16 unit or a code point.
    Char(u32),
    Int(i64),
    Long(i64),
    /// By its bits, so that NaN is equal to itself.
    Float(u32),
    Double(u64),
    Text(TextId),
    /// A constant of an enum, or a class.
    Named(Label),
}

impl Value {
    pub fn float(value: f32) -> Self {
        Value::Float(value.to_bits())
    }

    pub fn double(value: f64) -> Self {
        Value::Double(value.to_bits())
    }

    /// The kind is neither 0 nor above 15.
    pub(crate) fn pack(self) -> (u8, u64) {
        match self {
            Value::Null => (1, 0),
            Value::Present => (2, 0),
            Value::Bool(value) => (3, u64::from(value)),
            Value::Byte(value) => (4, i64::from(value) as u64),
            Value::Short(value) => (5, i64::from(value) as u64),
            Value::Char(value) => (6, u64::from(value)),
            Value::Int(value) => (7, value as u64),
            Value::Long(value) => (8, value as u64),
            Value::Float(bits) => (9, u64::from(bits)),
            Value::Double(bits) => (10, bits),
            Value::Text(id) => (11, u64::from(id.0)),
            Value::Named(label) => (12, u64::from(label.0)),
        }
    }

    pub(crate) fn unpack(kind: u8, payload: u64) -> Self {
        match kind {
            2 => Value::Present,
            3 => Value::Bool(payload != 0),
            4 => Value::Byte(payload as i8),
            5 => Value::Short(payload as i16),
            6 => Value::Char(payload as u32),
            7 => Value::Int(payload as i64),
            8 => Value::Long(payload as i64),
            9 => Value::Float(payload as u32),
            10 => Value::Double(payload),
            11 => Value::Text(TextId(payload as u32)),
            12 => Value::Named(Label(payload as u32)),
            _ => Value::Null,
        }
    }

    pub fn shown<'a>(self, words: Words<'a>) -> impl fmt::Display + use<'a> {
        Shown { value: self, words }
    }
}

struct Shown<'a> {
    value: Value,
    words: Words<'a>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Null => f.write_str("null"),
            Value::Present => f.write_str("present"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Byte(value) => write!(f, "(byte) {value}"),
            Value::Short(value) => write!(f, "(short) {value}"),
            Value::Char(value) => match char::from_u32(value) {
                Some(c) => write!(f, "{c:?}"),
                None => write!(f, "'\\u{value:04x}'"),
            },
            Value::Int(value) => write!(f, "{value}"),
            Value::Long(value) => write!(f, "{value}L"),
            Value::Float(bits) => write!(f, "{:?}f", f32::from_bits(bits)),
            Value::Double(bits) => write!(f, "{:?}", f64::from_bits(bits)),
            Value::Text(id) => match self.words.texts.shown(id) {
                (text, true) => write!(f, "{text:?}"),
                (start, false) => {
                    write!(f, "{start:?}... ({} bytes)", self.words.texts.length(id))
                }
            },
            Value::Named(label) => f.write_str(self.words.names.text(label)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Value>() <= 16);
    }

    #[test]
    fn a_value_survives_packing() {
        let values = [
            Value::Null,
            Value::Present,
            Value::Bool(true),
            Value::Byte(-1),
            Value::Short(-300),
            Value::Char(0xd800),
            Value::Int(-5),
            Value::Long(i64::MIN),
            Value::float(-0.0),
            Value::double(f64::NAN),
            Value::Text(TextId(7)),
            Value::Named(Label(9)),
        ];
        for value in values {
            let (kind, payload) = value.pack();
            assert!((1..16).contains(&kind));
            assert_eq!(Value::unpack(kind, payload), value);
        }
    }

    #[test]
    fn values_are_shown_as_in_source_code() {
        let (mut names, mut texts) = (Names::new(), Texts::new());
        let open = Value::Named(names.label("State.OPEN"));
        let text = Value::Text(texts.intern("a \"b\"\n"));
        let words = Words { names: &names, texts: &texts };
        let shown = |value: Value| value.shown(words).to_string();
        assert_eq!(shown(open), "State.OPEN");
        assert_eq!(shown(text), r#""a \"b\"\n""#);
        assert_eq!(shown(Value::Char(97)), "'a'");
        assert_eq!(shown(Value::Char(0xd800)), "'\\ud800'");
        assert_eq!(shown(Value::Long(3)), "3L");
        assert_eq!(shown(Value::double(1.0)), "1.0");
    }
}
