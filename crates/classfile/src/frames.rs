//! The StackMapTable (§4.7.4): moves the frames, and what names a `new` instruction.
//!
//! The first frame's `offset_delta` is an offset; each later frame counts from the frame before,
//! so that most of them stay as they are. The frame at the very start of a method is never written
//! down, so a first frame at offset 0 is one that something jumps to, and it moves like any other.

use crate::Refusal;
use crate::bytes::{Reader, Writer};
use crate::relocation::Relocation;

const SAME_LOCALS_1_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;
/// The short forms of the two frames above have their `offset_delta` in six bits of the tag.
const SHORT_FORM_LIMIT: u16 = 64;

pub(crate) fn relocate(table: &[u8], relocation: &Relocation) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let mut writer = Writer::with_capacity(table.len() + 2);
    let count = reader.u2()?;
    writer.u2(count);
    copy_frames(&mut reader, &mut writer, count, Deltas { relocation, before: None, after: None })?;
    Ok(writer.into_bytes())
}

/// Also says that a jump leads to the end of a prologue, with everything there as it was at the start of the method.
pub(crate) fn relocate_behind_jump(
    table: &[u8],
    relocation: &Relocation,
) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let count = reader.u2()?;
    // The first frame's offset is in its tag, or in the two bytes behind.
    let first = match table.get(2..) {
        Some([tag @ 0..=127, ..]) => Some(u16::from(tag % 64)),
        Some([_, high, low, ..]) => Some(u16::from_be_bytes([*high, *low])),
        _ => None,
    };
    if count > 0 && first == Some(0) {
        // One that something jumps to already, and so good for this jump too.
        return relocate(table, relocation);
    }
    let mut writer = Writer::with_capacity(table.len() + 4);
    writer.u2(count.checked_add(1).ok_or(Refusal::AttributeTooLong)?);
    let landing = relocation.target(0)?;
    write_delta(&mut writer, landing, 0, SAME_EXTENDED);
    let deltas = Deltas { relocation, before: None, after: Some(landing) };
    copy_frames(&mut reader, &mut writer, count, deltas)?;
    Ok(writer.into_bytes())
}

/// Also says that at `handler`, behind all other frames, there is nothing but an exception, of the class by this constant.
pub(crate) fn with_handler(table: &[u8], handler: u16, thrown: u16) -> Result<Vec<u8>, Refusal> {
    let mut reader = Reader::new(table);
    let count = reader.u2()?;
    let mut writer = Writer::with_capacity(table.len() + 10);
    writer.u2(count.checked_add(1).ok_or(Refusal::AttributeTooLong)?);
    let nowhere = Relocation::nowhere();
    let deltas = Deltas { relocation: &nowhere, before: None, after: None };
    let delta = match copy_frames(&mut reader, &mut writer, count, deltas)? {
        None => Some(handler),
        Some(last) => handler.checked_sub(last).and_then(|step| step.checked_sub(1)),
    };
    writer.u1(FULL);
    writer.u2(delta.ok_or(Refusal::OffsetOutOfRange)?);
    writer.u2(0); // locals
    writer.u2(1); // on the stack
    writer.u1(7); // Object
    writer.u2(thrown);
    Ok(writer.into_bytes())
}

/// Hands back where the last one is.
fn copy_frames(
    reader: &mut Reader,
    writer: &mut Writer,
    count: u16,
    mut deltas: Deltas<'_>,
) -> Result<Option<u16>, Refusal> {
    for _ in 0..count {
        copy_frame(reader, writer, &mut deltas)?;
    }
    reader.finish()?;
    Ok(deltas.after)
}

/// Turns the `offset_delta` of one frame after the other into what it is now.
struct Deltas<'r> {
    relocation: &'r Relocation,
    /// Where the frame before was.
    before: Option<u16>,
    /// Where the frame before is.
    after: Option<u16>,
}

impl Deltas<'_> {
    fn next(&mut self, delta: u16) -> Result<u16, Refusal> {
        let before = match self.before {
            None => Some(delta),
            Some(before) => delta.checked_add(1).and_then(|step| before.checked_add(step)),
        };
        let before = before.ok_or(Refusal::OffsetOutOfRange)?;
        let after = self.relocation.target(before)?;
        let delta = match self.after {
            None => Some(after),
            Some(previous) => after.checked_sub(previous).and_then(|step| step.checked_sub(1)),
        };
        (self.before, self.after) = (Some(before), Some(after));
        delta.ok_or(Refusal::OffsetOutOfRange)
    }
}

fn copy_frame(
    reader: &mut Reader,
    writer: &mut Writer,
    deltas: &mut Deltas,
) -> Result<(), Refusal> {
    let tag = reader.u1()?;
    let stack_and_locals = match tag {
        0..=63 => {
            write_delta(writer, deltas.next(u16::from(tag))?, 0, SAME_EXTENDED);
            0
        }
        64..=127 => {
            let delta = deltas.next(u16::from(tag - 64))?;
            write_delta(writer, delta, 64, SAME_LOCALS_1_EXTENDED);
            1
        }
        SAME_LOCALS_1_EXTENDED..=FULL => {
            writer.u1(tag);
            writer.u2(deltas.next(reader.u2()?)?);
            match tag {
                SAME_LOCALS_1_EXTENDED => 1,
                252..=254 => u16::from(tag - SAME_EXTENDED), // append
                FULL => return copy_full(reader, writer, deltas.relocation),
                _ => 0, // chop, same_extended
            }
        }
        _ => {
            return Err(Refusal::UnknownTag { of: "stack map frame", tag });
        }
    };
    copy_types(reader, writer, stack_and_locals, deltas.relocation)
}

/// A frame's tag and `offset_delta`, in the short form if that can hold it.
fn write_delta(writer: &mut Writer, delta: u16, short_tag: u8, extended_tag: u8) {
    match u8::try_from(delta) {
        Ok(short) if delta < SHORT_FORM_LIMIT => writer.u1(short_tag | short),
        _ => {
            writer.u1(extended_tag);
            writer.u2(delta);
        }
    }
}

fn copy_full(
    reader: &mut Reader,
    writer: &mut Writer,
    relocation: &Relocation,
) -> Result<(), Refusal> {
    for _locals_then_stack in 0..2 {
        let count = reader.u2()?;
        writer.u2(count);
        copy_types(reader, writer, count, relocation)?;
    }
    Ok(())
}

fn copy_types(
    reader: &mut Reader,
    writer: &mut Writer,
    count: u16,
    relocation: &Relocation,
) -> Result<(), Refusal> {
    for _ in 0..count {
        let tag = reader.u1()?;
        writer.u1(tag);
        match tag {
            0..=6 => {} // Top, Integer, Float, Double, Long, Null, UninitializedThis
            7 => writer.u2(reader.u2()?), // Object, by constant
            8 => writer.u2(relocation.instruction(reader.u2()?)?), // Uninitialized, by its `new`
            _ => {
                return Err(Refusal::UnknownTag { of: "verification type", tag });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_8(table: &[u8]) -> Result<Vec<u8>, Refusal> {
        relocate(table, &Relocation::at_start(8))
    }

    #[test]
    fn only_the_first_frame_moves() {
        // Two same frames and an append frame with an int, as a loop in a method has them.
        let before = [0, 3, 5, 10, 252, 0, 7, 1];
        assert_eq!(by_8(&before), Ok(vec![0, 3, 13, 10, 252, 0, 7, 1]));
        assert_eq!(by_8(&[0, 0]), Ok(vec![0, 0]));
    }

    #[test]
    fn a_frame_at_offset_0_moves_to_the_end_of_the_prologue() {
        assert_eq!(by_8(&[0, 2, 0, 0]), Ok(vec![0, 2, 8, 0]));
        assert_eq!(by_8(&[0, 1, 255, 0, 0, 0, 0, 0, 0]), Ok(vec![0, 1, 255, 0, 8, 0, 0, 0, 0]));
    }

    #[test]
    fn a_frame_beyond_63_takes_its_extended_form() {
        assert_eq!(by_8(&[0, 1, 55]), Ok(vec![0, 1, 63]));
        assert_eq!(by_8(&[0, 1, 56]), Ok(vec![0, 1, 251, 0, 64]));
        assert_eq!(by_8(&[0, 1, 64 + 55, 7, 0, 9]), Ok(vec![0, 1, 64 + 63, 7, 0, 9]));
        assert_eq!(by_8(&[0, 1, 64 + 56, 7, 0, 9]), Ok(vec![0, 1, 247, 0, 64, 7, 0, 9]));
        // A later frame keeps its form, whatever it is.
        assert_eq!(by_8(&[0, 2, 1, 63]), Ok(vec![0, 2, 9, 63]));
    }

    #[test]
    fn every_long_form_moves() {
        for (tag, types) in [
            (247, &[5][..]),
            (248, &[]),
            (249, &[]),
            (250, &[]),
            (251, &[]),
            (252, &[7, 0, 1]),
            (253, &[7, 0, 1, 3]),
            (254, &[7, 0, 1, 3, 6]),
        ] {
            let before = [&[0, 1, tag, 1, 0], types].concat();
            let after = [&[0, 1, tag, 1, 8], types].concat();
            assert_eq!(by_8(&before), Ok(after));
        }
    }

    #[test]
    fn what_names_a_new_instruction_moves_in_every_frame() {
        // Locals Uninitialized(3) and Object(8), stack Uninitialized(3), twice; then on the stack.
        let full = |delta, new| [255, 0, delta, 0, 2, 8, 0, new, 7, 0, 8, 0, 1, 8, 0, new];
        let before = [&[0, 3], &full(20, 3)[..], &full(4, 3), &[64 + 2, 8, 0, 3]].concat();
        let after = [&[0, 3], &full(28, 11)[..], &full(4, 11), &[64 + 2, 8, 0, 11]].concat();
        assert_eq!(by_8(&before), Ok(after));
    }

    #[test]
    fn a_frame_at_a_return_moves_to_the_call_in_front_of_it() {
        // Frames at 5, 6, 16 and 80, of which those at 5 and 16 are of returns.
        let before = [0, 4, 5, 0, 64 + 9, 1, 63];
        let relocation = Relocation::at_returns(vec![5, 16], 8);
        // At 5, 14, 24 and 96.
        let after = [0, 4, 5, 8, 64 + 9, 1, 251, 0, 71];
        assert_eq!(relocate(&before, &relocation), Ok(after.to_vec()));
    }

    #[test]
    fn a_new_behind_a_return_moves_with_it() {
        let relocation = Relocation::at_returns(vec![2], 8);
        let before = [0, 2, 3, 64 + 5, 8, 0, 3];
        assert_eq!(relocate(&before, &relocation), Ok(vec![0, 2, 11, 64 + 5, 8, 0, 11]));
    }

    #[test]
    fn frames_far_outside_the_code_are_refused() {
        let far = [251, 0xFF, 0xFF];
        let near = [251, 0, 9];
        for frames in [[near, far], [far, near]] {
            let refused = by_8(&[&[0, 2], frames.as_flattened()].concat());
            assert_eq!(refused, Err(Refusal::OffsetOutOfRange));
        }
    }

    #[test]
    fn a_jump_to_the_end_of_a_prologue_has_a_frame_there() {
        let behind = |table: &[u8]| relocate_behind_jump(table, &Relocation::at_start(8)).unwrap();
        assert_eq!(behind(&[0, 0]), [0, 1, 8]);
        // At 5 and 16 before, at 8, 13 and 24 now.
        assert_eq!(behind(&[0, 2, 5, 10]), [0, 3, 8, 4, 10]);
        // At the start there is one already.
        assert_eq!(behind(&[0, 2, 0, 10]), [0, 2, 8, 10]);
        assert_eq!(behind(&[0, 1, 252, 0, 0, 1]), [0, 1, 252, 0, 8, 1]);
    }

    #[test]
    fn a_handler_behind_everything_has_a_frame_with_an_exception_and_nothing_else() {
        let frame = |delta| [255, 0, delta, 0, 0, 0, 1, 7, 0, 9];
        assert_eq!(with_handler(&[0, 0], 20, 9), Ok([&[0, 1][..], &frame(20)].concat()));
        // Frames at 5 and 16.
        let two = [&[0, 3, 5, 10][..], &frame(3)].concat();
        assert_eq!(with_handler(&[0, 2, 5, 10], 20, 9), Ok(two));
        assert_eq!(with_handler(&[0, 2, 5, 10], 16, 9), Err(Refusal::OffsetOutOfRange));
    }

    #[test]
    fn unknown_frames_and_types_are_refused() {
        for tag in 128..=246 {
            let refusal = Refusal::UnknownTag { of: "stack map frame", tag };
            assert_eq!(by_8(&[0, 1, tag, 0, 0]), Err(refusal));
        }
        let refusal = Refusal::UnknownTag { of: "verification type", tag: 9 };
        assert_eq!(by_8(&[0, 1, 64, 9]), Err(refusal));
    }
}
