//! The Code attribute (§4.7.3): instructions are put in, and its tables moved out of their way.

use crate::Refusal;
use crate::annotations;
use crate::bytes::{Reader, Writer};
use crate::epilogue;
use crate::frames;
use crate::pool::ConstantPool;
use crate::relocation::{Place, Relocation};

/// Instructions to be put into a method's code.
#[derive(Debug)]
pub(crate) struct Insertion<'a> {
    instructions: &'a [u8],
    length: u16,
    stack: u16,
    place: Place,
}

impl<'a> Insertion<'a> {
    /// `instructions` must be a multiple of four bytes long, which keeps the padding of switch
    /// instructions right, unless they go behind all others; `stack` is what they need of the operand stack.
    pub(crate) fn new(instructions: &'a [u8], stack: usize, place: Place) -> Result<Self, Refusal> {
        let too_long = |_| Refusal::CodeTooLong(instructions.len());
        Ok(Self {
            instructions,
            length: u16::try_from(instructions.len()).map_err(too_long)?,
            stack: u16::try_from(stack).map_err(|_| Refusal::StackTooDeep)?,
            place,
        })
    }

    fn max_stack(&self, before: u16) -> Result<u16, Refusal> {
        match self.place {
            // Nothing else is on the stack yet, or any more.
            Place::Start | Place::StartBehindJump | Place::Throws => Ok(before.max(self.stack)),
            // A method may return with anything still on its stack.
            Place::Returns { .. } => before.checked_add(self.stack).ok_or(Refusal::StackTooDeep),
        }
    }

    fn put_into(&self, code: &[u8]) -> Result<(Vec<u8>, Relocation), Refusal> {
        match &self.place {
            // Branches are relative, and both their ends move alike.
            Place::Start | Place::StartBehindJump => {
                Ok(([self.instructions, code].concat(), Relocation::at_start(self.length)))
            }
            Place::Returns { reads } => {
                epilogue::append(code, self.instructions, self.length, reads)
            }
            Place::Throws => Ok(([code, self.instructions].concat(), Relocation::nowhere())),
        }
    }

    /// Where the handler is that was put in.
    fn handler(&self, code: &[u8]) -> Option<u16> {
        let at = code.len().checked_sub(self.instructions.len())?;
        u16::try_from(at).ok().filter(|_| self.place == Place::Throws)
    }

    /// What was put in is jumped to, so the method must say what is there.
    fn needs_a_frame(&self) -> bool {
        matches!(self.place, Place::StartBehindJump | Place::Throws)
    }

    fn relocate_frames(
        &self,
        table: &[u8],
        relocation: &Relocation,
        handler: Option<u16>,
        pool: &mut ConstantPool,
    ) -> Result<Vec<u8>, Refusal> {
        match (&self.place, handler) {
            (Place::StartBehindJump, _) => frames::relocate_behind_jump(table, relocation),
            (Place::Throws, Some(handler)) => {
                let thrown = pool.class(b"java/lang/Throwable")?;
                frames::with_handler(table, handler, thrown)
            }
            _ => frames::relocate(table, relocation),
        }
    }
}

/// The content of a Code attribute with the instructions put in.
pub(crate) fn insert(
    attribute: &[u8],
    pool: &mut ConstantPool,
    insertion: &Insertion,
) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(attribute);
    let mut writer = Writer::with_capacity(attribute.len() + insertion.instructions.len() + 8);
    writer.u2(insertion.max_stack(reader.u2()?)?);
    writer.u2(reader.u2()?); // max_locals

    let (code, relocation) = insertion.put_into(reader.take_with_u4_length()?)?;
    if code.len() > usize::from(u16::MAX) {
        return Err(Refusal::CodeTooLong(code.len()));
    }
    writer.raw_with_u4_length(&code)?;

    let handler = insertion.handler(&code);
    relocate_exceptions(&mut reader, &mut writer, &relocation, handler)?;
    let count = reader.u2()?;
    let mut tables = Writer::with_capacity(attribute.len());
    let mut has_frames = false;
    for _ in 0..count {
        let name = reader.u2()?;
        let table = reader.take_with_u4_length()?;
        tables.u2(name);
        let relocated = match pool.any_utf8(name)? {
            b"StackMapTable" => {
                has_frames = true;
                insertion.relocate_frames(table, &relocation, handler, pool)?
            }
            name => relocate_table(name, table, &relocation)?,
        };
        tables.raw_with_u4_length(&relocated)?;
    }
    reader.finish()?;
    if insertion.needs_a_frame() && !has_frames {
        writer.u2(count.checked_add(1).ok_or(Refusal::AttributeTooLong)?);
        tables.u2(pool.text("StackMapTable")?);
        let frames = insertion.relocate_frames(&[0, 0], &relocation, handler, pool)?;
        tables.raw_with_u4_length(&frames)?;
    } else {
        writer.u2(count);
    }
    writer.raw(&tables.into_bytes());
    Ok(writer.into_bytes())
}

/// No handler covers a prologue. A call in front of a return is covered by what covers the return:
/// the verifier finds there what it found before, since the call changes no local variable, and a
/// handler that the return was kept out of (as javac keeps it out of its own `finally`) does not
/// get to see the call either. A handler that was put in gets what the others leave, as the last one.
fn relocate_exceptions(
    reader: &mut Reader,
    writer: &mut Writer,
    relocation: &Relocation,
    handler: Option<u16>,
) -> Result<(), Refusal> {
    let count = reader.u2()?;
    let more = u16::from(handler.is_some());
    writer.u2(count.checked_add(more).ok_or(Refusal::AttributeTooLong)?);
    for _ in 0..count {
        for _start_end_handler in 0..3 {
            writer.u2(relocation.target(reader.u2()?)?);
        }
        writer.u2(reader.u2()?); // catch_type
    }
    if let Some(handler) = handler {
        for start_end_handler_any in [0, handler, handler, 0] {
            writer.u2(start_end_handler_any);
        }
    }
    Ok(())
}

fn relocate_table(name: &[u8], table: &[u8], relocation: &Relocation) -> Result<Vec<u8>, Refusal> {
    match name {
        b"LineNumberTable" => relocate_lines(table, relocation),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => relocate_variables(table, relocation),
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            annotations::relocate(table, relocation)
        }
        b"StackMap" => Err(Refusal::OldStackMap),
        _ => Err(Refusal::UnknownCodeAttribute(String::from_utf8_lossy(name).into_owned())),
    }
}

/// §4.7.12
fn relocate_lines(table: &[u8], relocation: &Relocation) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let mut writer = Writer::with_capacity(table.len());
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        writer.u2(relocation.line(reader.u2()?)?);
        writer.u2(reader.u2()?); // line_number
    }
    reader.finish()?;
    Ok(writer.into_bytes())
}

/// §4.7.13 and §4.7.14, which are laid out alike
fn relocate_variables(table: &[u8], relocation: &Relocation) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let mut writer = Writer::with_capacity(table.len());
    let count = reader.u2()?;
    writer.u2(count);
    for _ in 0..count {
        let (start, length) = relocation.scope(reader.u2()?, reader.u2()?)?;
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

    const CALL: &[u8] = &[0xB8, 0, 9, 0];

    fn insert_at(place: Place, names: &[&str], attribute: &[u8]) -> Result<Vec<u8>, Refusal> {
        let pool = utf8_pool(names);
        let mut pool = ConstantPool::parse(&mut Reader::new(&pool)).unwrap();
        insert(attribute, &mut pool, &Insertion::new(CALL, 3, place).unwrap())
    }

    fn prepend_to(names: &[&str], attribute: &[u8]) -> Result<Vec<u8>, Refusal> {
        insert_at(Place::Start, names, attribute)
    }

    fn append_to(names: &[&str], attribute: &[u8]) -> Result<Vec<u8>, Refusal> {
        insert_at(Place::Returns { reads: Vec::new() }, names, attribute)
    }

    /// A Code attribute of `length` nops with one table, named by constant 1.
    fn code_with(length: usize, table: &[u8]) -> Vec<u8> {
        code_of(&vec![0; length], table)
    }

    fn code_of(instructions: &[u8], table: &[u8]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u2(1); // max_stack
        writer.u2(2); // max_locals
        writer.raw_with_u4_length(instructions).unwrap();
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
    fn a_call_is_covered_by_what_covers_the_return() {
        let before = [
            &[0, 1, 0, 2][..],
            &[0, 0, 0, 4, 0, 0xB1, 0xB1, 0xB1],
            &[0, 3],
            &[0, 0, 0, 1, 0, 2, 0, 0], // 0..1 caught at 2
            &[0, 0, 0, 2, 0, 3, 0, 0], // 0..2 caught at 3
            &[0, 1, 0, 4, 0, 1, 0, 7], // 1..4 caught at 1
            &[0, 0],
        ];
        let after = [
            &[0, 4, 0, 2][..],
            &[0, 0, 0, 16, 0],
            &[CALL, &[0xB1]].concat().repeat(3),
            &[0, 3],
            &[0, 0, 0, 1, 0, 6, 0, 0],
            &[0, 0, 0, 6, 0, 11, 0, 0],
            &[0, 1, 0, 16, 0, 1, 0, 7],
            &[0, 0],
        ];
        assert_eq!(append_to(&[], &before.concat()), Ok(after.concat()));
    }

    #[test]
    fn the_line_of_a_return_takes_the_call_in() {
        let returns = [0xB1, 0, 0xB1];
        let lines = [0, 3, 0, 0, 0, 10, 0, 1, 0, 11, 0, 2, 0, 12];
        let after = [0, 3, 0, 0, 0, 10, 0, 5, 0, 11, 0, 6, 0, 12];
        let woven = append_to(&["LineNumberTable"], &code_of(&returns, &lines));
        assert!(woven.unwrap().ends_with(&after));
    }

    #[test]
    fn a_stack_is_65535_deep_at_most() {
        let with = |max_stack: u16| {
            [&max_stack.to_be_bytes()[..], &[0, 0, 0, 0, 0, 1, 0xB1, 0, 0, 0, 0]].concat()
        };
        assert_eq!(append_to(&[], &with(65_532)).unwrap()[..2], [0xFF, 0xFF]);
        assert_eq!(append_to(&[], &with(65_533)), Err(Refusal::StackTooDeep));
        assert!(prepend_to(&[], &with(65_535)).is_ok());
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
