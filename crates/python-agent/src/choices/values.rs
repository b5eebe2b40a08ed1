//! What plain values are, in every process alike, and how people read them.

use pyo3_ffi::{self as ffi, PyTypeObject};

use crate::api::{Object, Owned};
use crate::layout;

/// Tuples in tuples are looked into as far as this.
const DEEPEST: u32 = 4;

/// Most characters that are shown of one value.
const LONGEST: usize = 60;

/// Bytes that are the same for equal values in every process; none of a value that is not built in.
pub(crate) fn stable(object: Object<'_>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    write(object, &mut bytes, 0)?;
    Some(bytes)
}

fn write(object: Object<'_>, bytes: &mut Vec<u8>, depth: u32) -> Option<()> {
    let mut put = |kind: u8, content: &[u8]| {
        bytes.push(kind);
        bytes.extend((content.len() as u64).to_be_bytes());
        bytes.extend(content);
    };
    // SAFETY: the types and None are CPython's own and never go away.
    let (text, raw, truth, int, float, tuple, none) = unsafe {
        (
            is_exactly(object, &raw mut ffi::PyUnicode_Type),
            is_exactly(object, &raw mut ffi::PyBytes_Type),
            is_exactly(object, &raw mut ffi::PyBool_Type),
            is_exactly(object, &raw mut ffi::PyLong_Type),
            is_exactly(object, &raw mut ffi::PyFloat_Type),
            is_exactly(object, &raw mut ffi::PyTuple_Type),
            object.as_ptr() == ffi::Py_None(),
        )
    };
    if text {
        put(b's', object.any_text().as_bytes());
    } else if raw {
        put(b'y', object.bytes());
    } else if truth || int {
        put(b'i', object.hexadecimal()?.as_bytes());
    } else if float {
        put(b'f', &object.float().to_bits().to_be_bytes());
    } else if none {
        put(b'n', &[]);
    } else if tuple && depth < DEEPEST {
        let items: Vec<Object<'_>> = object.tuple_items().collect();
        put(b't', &(items.len() as u64).to_be_bytes());
        for item in items {
            write(item, bytes, depth + 1)?;
        }
    } else {
        return None;
    }
    Some(())
}

/// Whether the hash of a value follows from that of a text in it; of what is built in alone.
pub(crate) fn holds_text(object: Object<'_>) -> bool {
    stable(object).is_some_and(|_| depends_on_text(object))
}

fn depends_on_text(object: Object<'_>) -> bool {
    let text = is_exactly(object, &raw mut ffi::PyUnicode_Type);
    let raw = is_exactly(object, &raw mut ffi::PyBytes_Type);
    let tuple = is_exactly(object, &raw mut ffi::PyTuple_Type);
    text || raw || tuple && object.tuple_items().any(depends_on_text)
}

pub(crate) fn is_exactly(object: Object<'_>, class: *mut PyTypeObject) -> bool {
    object.type_of().as_ptr() == class.cast()
}

/// As Python shows it if that runs no code of the user's, else what it is an object of.
pub(crate) fn shown(object: Object<'_>) -> String {
    let known = stable(object).and_then(|_| object.to_owned().representation());
    let text = known.unwrap_or_else(|| format!("<{}>", layout::name(object.type_of())));
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Positions in the order of the values, the same in every process; none if a value is not built in.
pub(crate) fn sorted(elements: &[Owned]) -> Option<Sorted> {
    let keys: Option<Vec<Vec<u8>>> = elements.iter().map(|element| stable(element.get())).collect();
    let keys = keys?;
    let mut positions: Vec<u32> = (0..keys.len() as u32).collect();
    positions.sort_by(|a, b| keys[*a as usize].cmp(&keys[*b as usize]));
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    for position in &positions {
        hash.update(&keys[*position as usize]);
    }
    Some(Sorted { positions, content: hash.digest() })
}

#[derive(Debug)]
pub(crate) struct Sorted {
    pub(crate) positions: Vec<u32>,
    /// The same for the same values.
    pub(crate) content: u64,
}
