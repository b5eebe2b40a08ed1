//! Type annotations on code (§4.7.20): those on a variable or an instruction name offsets.
//!
//! Neither the VM's loader nor its verifier reads them, and compilers have written offsets that
//! name no instruction (65535 for an annotation in code that was dropped). Such an offset is not
//! refused: it goes on naming nothing, because code ends before offset 65535.

use crate::Refusal;
use crate::bytes::{Reader, Writer};
use crate::relocation::Relocation;

pub(crate) fn relocate(table: &[u8], relocation: &Relocation) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let mut writer = Writer::with_capacity(table.len());
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        copy_target(&mut reader, &mut writer, relocation)?;
        writer.raw(reader.span(|walk| {
            let path = usize::from(walk.u1()?);
            walk.take(2 * path)?;
            skip_annotation(walk)
        })?);
    }
    reader.finish()?;
    Ok(writer.into_bytes())
}

/// The table of §4.7.20 says which of these belong on code; the others hold no offsets.
fn copy_target(
    reader: &mut Reader,
    writer: &mut Writer,
    relocation: &Relocation,
) -> Result<(), Refusal> {
    let tag = reader.u1()?;
    writer.u1(tag);
    let length_without_offsets = match tag {
        0x00 | 0x01 => 1,                                              // type_parameter
        0x10 => 2,                                                     // supertype
        0x11 | 0x12 => 2,                                              // type_parameter_bound
        0x13..=0x15 => 0,                                              // empty
        0x16 => 1,                                                     // formal_parameter
        0x17 => 2,                                                     // throws
        0x40 | 0x41 => return copy_scopes(reader, writer, relocation), // localvar
        0x42 => 2, // catch, by its place in the exception table
        0x43..=0x46 => {
            copy_offset(reader, writer, relocation)?;
            0
        }
        0x47..=0x4B => {
            copy_offset(reader, writer, relocation)?;
            1 // type_argument
        }
        _ => {
            return Err(Refusal::UnknownTag { of: "type annotation target", tag });
        }
    };
    writer.raw(reader.take(length_without_offsets)?);
    Ok(())
}

fn copy_offset(
    reader: &mut Reader,
    writer: &mut Writer,
    relocation: &Relocation,
) -> Result<(), Refusal> {
    writer.u2(relocation.instruction(reader.u2()?).unwrap_or(u16::MAX));
    Ok(())
}

fn copy_scopes(
    reader: &mut Reader,
    writer: &mut Writer,
    relocation: &Relocation,
) -> Result<(), Refusal> {
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        let (start, length) = (reader.u2()?, reader.u2()?);
        let (start, length) = relocation.scope(start, length).unwrap_or((u16::MAX, length));
        writer.u2(start);
        writer.u2(length);
        writer.u2(reader.u2()?); // index
    }
    Ok(())
}

/// Values of an annotation or of an array that are still to be read.
struct Pending {
    count: u16,
    /// The values of an annotation have their names in front.
    named: bool,
}

/// The types of the annotations in a RuntimeVisibleAnnotations attribute, as indices of constants (§4.7.16).
pub(crate) fn types(attribute: &[u8]) -> Result<Vec<u16>, Refusal> {
    let mut reader = Reader::new(attribute);
    let count = reader.u2()?;
    let types = (0..count).map(|_| {
        let mut annotation = Reader::new(reader.span(skip_annotation)?);
        annotation.u2()
    });
    types.collect()
}

/// Annotations and arrays nest as deep as the file likes, hence a stack of our own (§4.7.16).
fn skip_annotation(reader: &mut Reader) -> Result<(), Refusal> {
    reader.take(2)?; // type
    let mut pending = vec![Pending { count: reader.u2()?, named: true }];
    while let Some(innermost) = pending.last_mut() {
        if innermost.count == 0 {
            pending.pop();
            continue;
        }
        innermost.count -= 1;
        if innermost.named {
            reader.take(2)?;
        }
        let tag = reader.u1()?;
        match tag {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
                reader.take(2)?;
            }
            b'e' => {
                reader.take(4)?;
            }
            b'@' => {
                reader.take(2)?;
                pending.push(Pending { count: reader.u2()?, named: true });
            }
            b'[' => pending.push(Pending { count: reader.u2()?, named: false }),
            _ => {
                return Err(Refusal::UnknownTag { of: "annotation value", tag });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No path, type 1, no values.
    const PLAIN: &[u8] = &[0, 0, 1, 0, 0];

    /// What becomes of an annotation with this target when the code moves by 8.
    fn shifted(target: &[u8]) -> Result<Vec<u8>, Refusal> {
        let table = relocate(&[&[0, 1], target, PLAIN].concat(), &Relocation::at_start(8))?;
        let target = table.strip_prefix(&[0, 1]).and_then(|rest| rest.strip_suffix(PLAIN));
        Ok(target.unwrap().to_vec())
    }

    #[test]
    fn targets_with_offsets_move() {
        for tag in 0x43..=0x46 {
            assert_eq!(shifted(&[tag, 0, 0]), Ok(vec![tag, 0, 8]));
        }
        for tag in 0x47..=0x4B {
            assert_eq!(shifted(&[tag, 1, 2, 3]), Ok(vec![tag, 1, 10, 3]));
        }
        for tag in [0x40, 0x41] {
            let before = [tag, 0, 2, 0, 0, 0, 9, 0, 1, 0, 3, 0, 4, 0, 5];
            let after = [tag, 0, 2, 0, 0, 0, 17, 0, 1, 0, 11, 0, 4, 0, 5];
            assert_eq!(shifted(&before), Ok(after.to_vec()));
        }
    }

    #[test]
    fn targets_without_offsets_stay() {
        let targets: [&[u8]; 11] = [
            &[0x00, 1],
            &[0x01, 1],
            &[0x10, 1, 2],
            &[0x11, 1, 2],
            &[0x12, 1, 2],
            &[0x13],
            &[0x14],
            &[0x15],
            &[0x16, 1],
            &[0x17, 1, 2],
            &[0x42, 1, 2],
        ];
        for target in targets {
            assert_eq!(shifted(target), Ok(target.to_vec()));
        }
        let unknown = Refusal::UnknownTag { of: "type annotation target", tag: 0x4C };
        assert_eq!(shifted(&[0x4C, 0, 0]), Err(unknown));
    }

    #[test]
    fn an_offset_that_names_nothing_goes_on_naming_nothing() {
        assert_eq!(shifted(&[0x44, 0xFF, 0xFF]), Ok(vec![0x44, 0xFF, 0xFF]));
        let nowhere = [0x40, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 1];
        assert_eq!(shifted(&nowhere), Ok(nowhere.to_vec()));
    }

    #[test]
    fn the_annotation_behind_one_with_values_is_found() {
        let values = [
            &[0, 5][..],
            &[0, 9, b'I', 0, 1],
            &[0, 9, b'e', 0, 1, 0, 2],
            &[0, 9, b'[', 0, 2, b's', 0, 1, b'[', 0, 0],
            &[0, 9, b'@', 0, 1, 0, 1, 0, 9, b'c', 0, 1],
            &[0, 9, b'Z', 0, 1],
        ]
        .concat();
        let path_and_type = [2, 0, 0, 3, 1, 0, 1];
        let first = [&[0x13][..], &path_and_type, &values].concat();
        let before = [&[0, 2], &first[..], &[0x44, 0, 1], PLAIN].concat();
        let after = [&[0, 2], &first[..], &[0x44, 0, 9], PLAIN].concat();
        assert_eq!(relocate(&before, &Relocation::at_start(8)), Ok(after));
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        let arrays = [b'[', 0, 1].repeat(1_000_000);
        let table = [&[0, 1, 0x13, 0, 0, 1, 0, 1, 0, 9], &arrays[..], &[b'I', 0, 1]].concat();
        assert_eq!(relocate(&table, &Relocation::at_start(8)), Ok(table));
    }
}
