//! The Code attribute (§4.7.3): room for a prologue, and its tables moved out of the way.

use crate::Refusal;
use crate::annotations;
use crate::bytes::{Reader, Writer};
use crate::frames;
use crate::pool::ConstantPool;

/// Instructions to be put in front of a method's code.
#[derive(Debug)]
pub(crate) struct Prologue<'a> {
    instructions: &'a [u8],
    max_stack: u16,
    shift: Shift,
}

impl<'a> Prologue<'a> {
    /// `instructions` must be a multiple of four bytes long; `max_stack` is what they need of the
    /// operand stack.
    pub(crate) fn new(instructions: &'a [u8], max_stack: usize) -> Result<Self, Refusal> {
        let too_long = |_| Refusal::CodeTooLong(instructions.len());
        Ok(Self {
            instructions,
            max_stack: u16::try_from(max_stack).map_err(too_long)?,
            shift: Shift(u16::try_from(instructions.len()).map_err(too_long)?),
        })
    }
}

/// How far the old code moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shift(pub(crate) u16);

impl Shift {
    /// Where the instruction that was at `offset` is now.
    pub(crate) fn offset(self, offset: u16) -> Result<u16, Refusal> {
        offset.checked_add(self.0).ok_or(Refusal::OffsetOutOfRange)
    }

    /// Where a line that began at `offset` begins now. What begins the method still does: the
    /// prologue belongs to its first line.
    fn line(self, offset: u16) -> Result<u16, Refusal> {
        if offset == 0 { Ok(0) } else { self.offset(offset) }
    }

    /// The start and length of a variable's scope. What was there from the start of the method
    /// (`this`, parameters) is there in the prologue as well.
    pub(crate) fn scope(self, start: u16, length: u16) -> Result<(u16, u16), Refusal> {
        match (start, length) {
            (0, 0) => Ok((0, 0)),
            (0, _) => Ok((0, self.offset(length)?)),
            _ => Ok((self.offset(start)?, length)),
        }
    }
}

/// The content of a Code attribute with the prologue in front of its instructions.
pub(crate) fn prepend(
    attribute: &[u8],
    pool: &ConstantPool,
    prologue: &Prologue,
) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(attribute);
    let mut writer = Writer::with_capacity(attribute.len() + prologue.instructions.len() + 8);
    writer.u2(reader.u2()?.max(prologue.max_stack));
    writer.u2(reader.u2()?); // max_locals

    let code = reader.take_with_u4_length()?;
    let length = prologue.instructions.len() + code.len();
    let short_enough = u16::try_from(length).map_err(|_| Refusal::CodeTooLong(length))?;
    writer.u4(u32::from(short_enough));
    writer.raw(prologue.instructions);
    writer.raw(code);

    shift_exceptions(&mut reader, &mut writer, prologue.shift)?;
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        let name = reader.u2()?;
        let table = reader.take_with_u4_length()?;
        writer.u2(name);
        writer.raw_with_u4_length(&shift_table(pool.utf8(name)?, table, prologue.shift)?)?;
    }
    reader.finish()?;
    Ok(writer.into_bytes())
}

fn shift_exceptions(reader: &mut Reader, writer: &mut Writer, shift: Shift) -> Result<(), Refusal> {
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        for _start_end_handler in 0..3 {
            writer.u2(shift.offset(reader.u2()?)?);
        }
        writer.u2(reader.u2()?); // catch_type
    }
    Ok(())
}

fn shift_table(name: &[u8], table: &[u8], shift: Shift) -> Result<Vec<u8>, Refusal> {
    match name {
        b"LineNumberTable" => shift_lines(table, shift),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => shift_variables(table, shift),
        b"StackMapTable" => frames::shift(table, shift),
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            annotations::shift(table, shift)
        }
        b"StackMap" => Err(Refusal::OldStackMap),
        _ => Err(Refusal::UnknownCodeAttribute(String::from_utf8_lossy(name).into_owned())),
    }
}

/// §4.7.12
fn shift_lines(table: &[u8], shift: Shift) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let mut writer = Writer::with_capacity(table.len());
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        writer.u2(shift.line(reader.u2()?)?);
        writer.u2(reader.u2()?); // line_number
    }
    reader.finish()?;
    Ok(writer.into_bytes())
}

/// §4.7.13 and §4.7.14, which are laid out alike
fn shift_variables(table: &[u8], shift: Shift) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let mut writer = Writer::with_capacity(table.len());
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        let (start, length) = shift.scope(reader.u2()?, reader.u2()?)?;
        writer.u2(start);
        writer.u2(length);
        writer.raw(reader.take(6)?); // name, descriptor or signature, index
    }
    reader.finish()?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::tests::utf8_pool;

    const PROLOGUE: &[u8] = &[0xB8, 0, 9, 0];

    fn prepend_to(names: &[&str], attribute: &[u8]) -> Result<Vec<u8>, Refusal> {
        let pool = utf8_pool(names);
        let pool = ConstantPool::parse(&mut Reader::new(&pool)).unwrap();
        prepend(attribute, &pool, &Prologue::new(PROLOGUE, 3).unwrap())
    }

    /// A Code attribute of `length` nops with one table, named by constant 1.
    fn code_with(length: u32, table: &[u8]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u2(1); // max_stack
        writer.u2(2); // max_locals
        writer.raw_with_u4_length(&vec![0; length as usize]).unwrap();
        writer.u2(0); // exceptions
        writer.u2(1);
        writer.u2(1);
        writer.raw_with_u4_length(table).unwrap();
        writer.into_bytes()
    }

    #[test]
    fn code_stack_and_exceptions_make_room() {
        let before = [
            &[0, 1, 0, 2][..],               // max_stack, max_locals
            &[0, 0, 0, 3, 0x2A, 0xB0, 0xBF], // code
            &[0, 1, 0, 0, 0, 2, 0, 2, 0, 7], // 0..2 caught at 2
            &[0, 0],
        ];
        let after = [
            &[0, 3, 0, 2][..],
            &[0, 0, 0, 7, 0xB8, 0, 9, 0, 0x2A, 0xB0, 0xBF],
            &[0, 1, 0, 4, 0, 6, 0, 6, 0, 7],
            &[0, 0],
        ];
        assert_eq!(prepend_to(&[], &before.concat()), Ok(after.concat()));
    }

    #[test]
    fn a_deeper_stack_stays_as_deep() {
        let before = [0, 4, 0, 0, 0, 0, 0, 1, 0xB1, 0, 0, 0, 0];
        assert_eq!(prepend_to(&[], &before).unwrap()[..2], [0, 4]);
    }

    #[test]
    fn the_first_line_takes_the_prologue_in() {
        let before = [0, 3, 0, 0, 0, 10, 0, 2, 0, 11, 0, 0, 0, 12];
        let after = [0, 3, 0, 0, 0, 10, 0, 6, 0, 11, 0, 0, 0, 12];
        let woven = prepend_to(&["LineNumberTable"], &code_with(5, &before));
        assert!(woven.unwrap().ends_with(&after));
    }

    #[test]
    fn parameters_live_in_the_prologue_and_other_variables_do_not() {
        let parameter = [0, 0, 0, 5, 0, 1, 0, 2, 0, 3];
        let variable = [0, 2, 0, 3, 0, 4, 0, 5, 0, 6];
        let empty = [0, 0, 0, 0, 0, 7, 0, 8, 0, 9];
        let before = [&[0, 3], &parameter[..], &variable, &empty].concat();
        let mut after = before.clone();
        after[5] = 9; // the parameter's length
        after[13] = 6; // the variable's start
        for name in ["LocalVariableTable", "LocalVariableTypeTable"] {
            let woven = prepend_to(&[name], &code_with(5, &before)).unwrap();
            assert!(woven.ends_with(&after), "{name}");
        }
    }

    #[test]
    fn code_may_be_65535_bytes_long_and_no_longer() {
        let empty = [0, 0];
        let fits = prepend_to(&["LineNumberTable"], &code_with(65_531, &empty)).unwrap();
        assert_eq!(fits[4..8], [0, 0, 0xFF, 0xFF]);
        let too_long = prepend_to(&["LineNumberTable"], &code_with(65_532, &empty));
        assert_eq!(too_long, Err(Refusal::CodeTooLong(65_536)));
    }

    #[test]
    fn tables_that_may_hold_offsets_unknown_to_us_are_refused() {
        let code = code_with(1, &[0, 0]);
        let unknown = Refusal::UnknownCodeAttribute("CharacterRangeTable".to_owned());
        assert_eq!(prepend_to(&["CharacterRangeTable"], &code), Err(unknown));
        assert_eq!(prepend_to(&["StackMap"], &code), Err(Refusal::OldStackMap));
    }

    #[test]
    fn tables_of_the_wrong_length_are_refused() {
        for name in ["LineNumberTable", "LocalVariableTable", "StackMapTable"] {
            let longer = prepend_to(&[name], &code_with(1, &[0, 0, 0]));
            assert_eq!(longer, Err(Refusal::TrailingBytes), "{name}");
            let shorter = prepend_to(&[name], &code_with(1, &[0, 1]));
            assert_eq!(shorter, Err(Refusal::Truncated), "{name}");
        }
        let code = [code_with(1, &[0, 0]), vec![0]].concat();
        assert_eq!(prepend_to(&["LineNumberTable"], &code), Err(Refusal::TrailingBytes));
    }

    #[test]
    fn offsets_far_outside_the_code_are_refused() {
        let lines = [0, 1, 0xFF, 0xFC, 0, 10];
        let woven = prepend_to(&["LineNumberTable"], &code_with(5, &lines));
        assert_eq!(woven, Err(Refusal::OffsetOutOfRange));
    }
}
