//! The epilogue: instructions in front of every instruction that returns, and jumps led around
//! them.
//!
//! No instruction changes its length. That is so because what is put in is a multiple of four
//! bytes long, which keeps the padding of switches right, and because a jump that becomes too long
//! for its two bytes is a refusal.

use crate::Refusal;
use crate::instructions::{Jump, Landmarks, Width};
use crate::relocation::Relocation;

/// The code with `epilogue` in front of its returns, and where everything in it went. The epilogue reads the local variables
/// `reads` as they were at the start.
pub(crate) fn append(
    code: &[u8],
    epilogue: &[u8],
    epilogue_length: u16,
    reads: &[u8],
) -> Result<(Vec<u8>, Relocation), Refusal> {
    let Landmarks { returns, jumps, stored, .. } = Landmarks::find(code)?;
    if let Some(&slot) = reads.iter().find(|&&slot| stored.contains(&u16::from(slot))) {
        return Err(Refusal::LocalAtReturn(slot));
    }
    if returns.is_empty() {
        return Err(Refusal::NoReturn);
    }
    // Before anything is copied: there may be a return in every byte.
    let length = code.len() + returns.len() * epilogue.len();
    if length > usize::from(u16::MAX) {
        return Err(Refusal::CodeTooLong(length));
    }
    let mut woven = Vec::with_capacity(length);
    let (mut rest, mut rest_at) = (code, 0);
    for &at in &returns {
        let (before, after) =
            rest.split_at_checked(usize::from(at) - rest_at).ok_or(Refusal::Truncated)?;
        woven.extend_from_slice(before);
        woven.extend_from_slice(epilogue);
        (rest, rest_at) = (after, usize::from(at));
    }
    woven.extend_from_slice(rest);

    let relocation = Relocation::at_returns(returns, epilogue_length);
    for jump in jumps {
        lead(jump, &mut woven, &relocation)?;
    }
    Ok((woven, relocation))
}

/// Lets a jump say where its target is now.
fn lead(jump: Jump, woven: &mut [u8], relocation: &Relocation) -> Result<(), Refusal> {
    let from = relocation.instruction(jump.instruction)?;
    let distance = i32::from(relocation.target(jump.target)?) - i32::from(from);
    let operand = usize::from(relocation.instruction(jump.operand)?);
    let operand = woven.get_mut(operand..).ok_or(Refusal::Truncated)?;
    match jump.width {
        Width::Two => {
            let distance = i16::try_from(distance).map_err(|_| Refusal::BranchTooFar)?;
            overwrite(operand, distance.to_be_bytes())
        }
        Width::Four => overwrite(operand, distance.to_be_bytes()),
    }
}

fn overwrite<const N: usize>(bytes: &mut [u8], with: [u8; N]) -> Result<(), Refusal> {
    *bytes.first_chunk_mut().ok_or(Refusal::Truncated)? = with;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four bytes that stand out.
    const CALL: &[u8] = &[0x57, 0x57, 0x57, 0x57];

    fn appended(code: &[u8]) -> Result<Vec<u8>, Refusal> {
        append(code, CALL, 4, &[]).map(|(woven, _)| woven)
    }

    #[test]
    fn a_jump_to_a_return_calls_first() {
        let before = [
            &[0x99, 0, 4][..], // ifeq 4
            &[0xB1],
            &[0xB1],             // 4
            &[0x99, 0xFF, 0xFF], // ifeq 4
            &[0xB1],             // 8
        ];
        let after = [
            &[0x99, 0, 8][..], // ifeq 8
            CALL,
            &[0xB1],
            CALL, // 8
            &[0xB1],
            &[0x99, 0xFF, 0xFB], // 13: ifeq 8
            CALL,
            &[0xB1],
        ];
        assert_eq!(appended(&before.concat()), Ok(after.concat()));
    }

    #[test]
    fn every_jump_of_a_switch_is_led_and_its_padding_stays() {
        let table = [
            &[0xB1, 0xAA, 0xEE, 0xEE][..], // 1: tableswitch, with padding that stands out
            &[0, 0, 0, 23],                // default: 24
            &[0, 0, 0, 5, 0, 0, 0, 6],     // 5 .. 6
            &[0, 0, 0, 24],                // 25
            &[0xFF, 0xFF, 0xFF, 0xFF],     // 0
            &[0xB1, 0xB1],                 // 24, 25
        ];
        let woven = [
            CALL,
            &[0xB1, 0xAA, 0xEE, 0xEE],
            &[0, 0, 0, 23],
            &[0, 0, 0, 5, 0, 0, 0, 6],
            &[0, 0, 0, 28],
            &[0xFF, 0xFF, 0xFF, 0xFB],
            CALL,
            &[0xB1],
            CALL,
            &[0xB1],
        ];
        assert_eq!(appended(&table.concat()), Ok(woven.concat()));

        let lookup = [
            &[0, 0, 0xB1, 0xAB][..],   // 3: lookupswitch
            &[0, 0, 0, 18],            // default: 21
            &[0, 0, 0, 1, 0, 0, 0, 9], // 9:
            &[0xFF, 0xFF, 0xFF, 0xFF], // 2
            &[0, 0xB1],                // 20, 21
        ];
        let woven = [
            &[0, 0][..],
            CALL,
            &[0xB1, 0xAB],
            &[0, 0, 0, 18],
            &[0, 0, 0, 1, 0, 0, 0, 9],
            &[0xFF, 0xFF, 0xFF, 0xFB],
            &[0],
            CALL,
            &[0xB1],
        ];
        assert_eq!(appended(&lookup.concat()), Ok(woven.concat()));
    }

    #[test]
    fn a_jump_of_two_bytes_reaches_32767_and_no_further() {
        // goto over a return and so many nops.
        let code = |nops: usize| {
            let target = u16::try_from(3 + 1 + nops).unwrap().to_be_bytes();
            [&[0xA7], &target[..], &[0xB1], &vec![0; nops], &[0xB1]].concat()
        };
        let reaches = appended(&code(32_767 - 8)).unwrap();
        assert_eq!(reaches[..3], [0xA7, 0x7F, 0xFF]);
        assert_eq!(appended(&code(32_767 - 7)), Err(Refusal::BranchTooFar));
    }

    #[test]
    fn a_jump_of_four_bytes_reaches_everything() {
        let target = 40_000_u32.to_be_bytes();
        let code = [&[0xC8], &target[..], &[0xB1], &vec![0; 39_994], &[0xB1]].concat();
        assert_eq!(appended(&code).unwrap()[1..5], 40_004_u32.to_be_bytes());
    }

    #[test]
    fn code_that_never_returns_is_refused() {
        assert_eq!(appended(&[0x01, 0xBF]), Err(Refusal::NoReturn));
        assert_eq!(appended(&[]), Err(Refusal::NoReturn));
    }

    #[test]
    fn code_of_nothing_but_returns_is_too_long_before_it_is_copied() {
        assert_eq!(appended(&vec![0xB1; 65_535]), Err(Refusal::CodeTooLong(5 * 65_535)));
        assert_eq!(appended(&vec![0xB1; 13_107]).map(|woven| woven.len()), Ok(65_535));
    }
}
