//! The instructions of a method (§6.5), walked over to find where it returns and where it jumps.

use std::collections::BTreeSet;

use crate::Refusal;
use crate::bytes::Reader;

/// What has to be known of a method's code to put something in between.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Landmarks {
    /// The offsets of the instructions that return, ascending.
    pub(crate) returns: Vec<u16>,
    pub(crate) jumps: Vec<Jump>,
    /// The local variables that something is stored in; ascending, each once.
    pub(crate) stored: BTreeSet<u16>,
    /// The instructions that name a field or a method, with the index of the constant.
    pub(crate) members: Vec<(u8, u16)>,
    /// The offsets of all instructions, ascending.
    pub(crate) instructions: Vec<u16>,
}

/// A branch, or one of the many of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Jump {
    /// The offset of the instruction, which the branch counts from.
    pub(crate) instruction: u16,
    /// The offset of the bytes that say where it goes.
    pub(crate) operand: u16,
    /// The offset of the instruction that it goes to.
    pub(crate) target: u16,
    pub(crate) width: Width,
}

/// How many bytes a jump has for its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Two,
    Four,
}

impl Landmarks {
    pub(crate) fn find(code: &[u8]) -> Result<Self, Refusal> {
        let length = u16::try_from(code.len()).map_err(|_| Refusal::CodeTooLong(code.len()))?;
        let mut walk =
            Walk { reader: Reader::new(code), length, instruction: 0, found: Self::default() };
        while walk.at()? < length {
            walk.step()?;
        }
        Ok(walk.found)
    }
}

struct Walk<'a> {
    reader: Reader<'a>,
    length: u16,
    /// The offset of the instruction that is being read.
    instruction: u16,
    found: Landmarks,
}

impl Walk<'_> {
    fn at(&self) -> Result<u16, Refusal> {
        u16::try_from(self.reader.position()).map_err(|_| Refusal::OffsetOutOfRange)
    }

    fn step(&mut self) -> Result<(), Refusal> {
        self.instruction = self.at()?;
        self.found.instructions.push(self.instruction);
        let opcode = self.reader.u1()?;
        match opcode {
            // ifeq .. if_acmpne, goto, jsr, ifnull, ifnonnull
            0x99..=0xA8 | 0xC6 | 0xC7 => self.jump(Width::Two),
            0xC8 | 0xC9 => self.jump(Width::Four), // goto_w, jsr_w
            0xAA => self.table_switch(),
            0xAB => self.lookup_switch(),
            0xC4 => self.wide(),
            0x36..=0x3A => {
                let variable = self.reader.u1()?;
                self.store(u16::from(variable));
                Ok(())
            }
            // Four variables for each of five types: istore_0 .. astore_3.
            0x3B..=0x4E => {
                self.store(u16::from((opcode - 0x3B) % 4));
                Ok(())
            }
            0xAC..=0xB1 => {
                self.found.returns.push(self.instruction);
                Ok(())
            }
            0xB2..=0xB9 => {
                self.found.members.push((opcode, self.reader.u2()?));
                self.skip(length_of_operands(opcode)? - 2)
            }
            _ => self.skip(length_of_operands(opcode)?),
        }
    }

    /// A long or a double takes the next variable too; whoever reads a reference there would be told so by the verifier.
    fn store(&mut self, variable: u16) {
        self.found.stored.insert(variable);
        self.found.stored.insert(variable.saturating_add(1));
    }

    fn skip(&mut self, length: usize) -> Result<(), Refusal> {
        self.reader.take(length).map(drop)
    }

    fn jump(&mut self, width: Width) -> Result<(), Refusal> {
        let operand = self.at()?;
        let distance = match width {
            Width::Two => i64::from(self.reader.u2()?.cast_signed()),
            Width::Four => i64::from(self.reader.u4()?.cast_signed()),
        };
        let target = u16::try_from(i64::from(self.instruction) + distance)
            .ok()
            .filter(|&target| target < self.length)
            .ok_or(Refusal::OffsetOutOfRange)?;
        let instruction = self.instruction;
        self.found.jumps.push(Jump { instruction, operand, target, width });
        Ok(())
    }

    fn table_switch(&mut self) -> Result<(), Refusal> {
        self.skip_padding()?;
        self.jump(Width::Four)?; // default
        let low = self.reader.u4()?.cast_signed();
        let high = self.reader.u4()?.cast_signed();
        // However many there are said to be: the code ends, and with it this.
        (low..=high).try_for_each(|_| self.jump(Width::Four))
    }

    fn lookup_switch(&mut self) -> Result<(), Refusal> {
        self.skip_padding()?;
        self.jump(Width::Four)?; // default
        let pairs = self.reader.u4()?;
        for _ in 0..pairs {
            self.skip(4)?; // match
            self.jump(Width::Four)?;
        }
        Ok(())
    }

    /// Up to the next offset that is a multiple of four.
    fn skip_padding(&mut self) -> Result<(), Refusal> {
        let at = self.reader.position();
        self.skip(at.next_multiple_of(4) - at)
    }

    fn wide(&mut self) -> Result<(), Refusal> {
        let widened = self.reader.u1()?;
        match widened {
            0x15..=0x19 | 0xA9 => self.skip(2), // loads, ret
            0x36..=0x3A => {
                let variable = self.reader.u2()?;
                self.store(variable);
                Ok(())
            }
            0x84 => self.skip(4), // iinc
            _ => Err(Refusal::UnknownTag { of: "wide instruction", tag: widened }),
        }
    }
}

/// Of an instruction that goes on to the next or nowhere, and is always as long.
fn length_of_operands(opcode: u8) -> Result<usize, Refusal> {
    Ok(match opcode {
        0x00..=0x0F => 0,               // nop, constants
        0x10 => 1,                      // bipush
        0x11 => 2,                      // sipush
        0x12 => 1,                      // ldc
        0x13 | 0x14 => 2,               // ldc_w, ldc2_w
        0x15..=0x19 | 0x36..=0x3A => 1, // loads and stores of a variable
        0x1A..=0x35 | 0x3B..=0x83 => 0, // of variables 0 to 3, of arrays; the stack; arithmetic
        0x84 => 2,                      // iinc
        0x85..=0x98 => 0,               // conversions, comparisons
        0xA9 => 1,                      // ret
        0xB2..=0xB8 => 2,               // fields, methods
        0xB9 | 0xBA => 4,               // invokeinterface, invokedynamic
        0xBB | 0xBD => 2,               // new, anewarray
        0xBC => 1,                      // newarray
        0xBE | 0xBF => 0,               // arraylength, athrow
        0xC0 | 0xC1 => 2,               // checkcast, instanceof
        0xC2 | 0xC3 => 0,               // monitors
        0xC5 => 3,                      // multianewarray
        _ => return Err(Refusal::UnknownTag { of: "instruction", tag: opcode }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &[u8]) -> Landmarks {
        Landmarks::find(code).unwrap()
    }

    #[test]
    fn every_return_is_found_behind_instructions_of_every_length() {
        let operands_of = |opcode: u8| match opcode {
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3A | 0xA9 | 0xBC => 1,
            0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xA8 | 0xB2..=0xB8 => 2,
            0xBB | 0xBD | 0xC0 | 0xC1 | 0xC6 | 0xC7 => 2,
            0xC5 => 3,
            0xB9 | 0xBA | 0xC8 | 0xC9 => 4,
            _ => 0,
        };
        for opcode in (0x00..=0xC9).filter(|opcode| !matches!(opcode, 0xAA..=0xB1 | 0xC4)) {
            // Operands of zeros are no trouble; a jump over no distance goes to itself.
            let mut code = vec![opcode; 1];
            code.resize(1 + operands_of(opcode), 0);
            let at = u16::try_from(code.len()).unwrap();
            code.push(0xB1);
            assert_eq!(found(&code).returns, [at], "{opcode:#x}");
        }
        assert_eq!(found(&[0xAC, 0xAD, 0xAE, 0xAF, 0xB0, 0xB1]).returns, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn wide_instructions_are_as_long_as_what_they_widen() {
        for widened in [0x15, 0x19, 0x36, 0x3A, 0xA9] {
            assert_eq!(found(&[0xC4, widened, 0xB1, 0xB1, 0xB1]).returns, [4]);
        }
        assert_eq!(found(&[0xC4, 0x84, 0xB1, 0xB1, 0xB1, 0xB1, 0xB1]).returns, [6]);
        let refusal = Refusal::UnknownTag { of: "wide instruction", tag: 0x1A };
        assert_eq!(Landmarks::find(&[0xC4, 0x1A, 0, 0, 0]), Err(refusal));
    }

    #[test]
    fn branches_lead_forwards_and_backwards() {
        let code = [0, 0xA7, 0, 4, 0xB1, 0xC8, 0xFF, 0xFF, 0xFF, 0xFF];
        let jumps = [
            Jump { instruction: 1, operand: 2, target: 5, width: Width::Two },
            Jump { instruction: 5, operand: 6, target: 4, width: Width::Four },
        ];
        assert_eq!(found(&code).jumps, jumps);
    }

    #[test]
    fn branches_out_of_the_code_are_refused() {
        for distance in [[0xFF, 0xFF], [0, 3], [0x7F, 0xFF]] {
            let code = [0xA7, distance[0], distance[1]];
            assert_eq!(Landmarks::find(&code), Err(Refusal::OffsetOutOfRange));
        }
        let code = [0xC8, 0x7F, 0xFF, 0xFF, 0xFF];
        assert_eq!(Landmarks::find(&code), Err(Refusal::OffsetOutOfRange));
    }

    #[test]
    fn switches_are_read_at_every_alignment() {
        for nops in 0..8_usize {
            let start = u16::try_from(nops).unwrap();
            let padding = vec![0; (nops + 1).next_multiple_of(4) - (nops + 1)];
            let operands = (start + 1).next_multiple_of(4);
            let switch = |opcode, operands: &[u8]| {
                [&vec![0; nops][..], &[opcode], &padding, operands, &[0xB1]].concat()
            };
            let table = [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]].concat();
            let table = switch(0xAA, &[table, vec![0; 8]].concat());
            let lookup = [[0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 5], [0; 4], [0, 0, 0, 6], [0; 4]];
            let lookup = switch(0xAB, &lookup.concat());
            for (code, cases) in [(table, [0, 12, 16]), (lookup, [0, 12, 20])] {
                let found = found(&code);
                assert_eq!(found.returns, [u16::try_from(code.len()).unwrap() - 1]);
                let operands = cases.map(|case| operands + case);
                assert!(found.jumps.iter().map(|jump| jump.operand).eq(operands));
                let to_itself = |jump: &Jump| jump.instruction == start && jump.target == start;
                assert!(found.jumps.iter().all(to_itself));
            }
        }
    }

    #[test]
    fn code_that_cannot_be_read_is_refused() {
        let endless_table = [0xAA, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF];
        let endless_lookup = [0xAB, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF];
        for code in [&endless_table[..], &endless_lookup, &[0x11, 0], &[0xC4], &[0xA7], &[0xAA]] {
            assert_eq!(Landmarks::find(code), Err(Refusal::Truncated), "{code:?}");
        }
        for opcode in 0xCA..=0xFF {
            let refusal = Refusal::UnknownTag { of: "instruction", tag: opcode };
            assert_eq!(Landmarks::find(&[opcode, 0]), Err(refusal));
        }
        assert_eq!(Landmarks::find(&vec![0; 65_536]), Err(Refusal::CodeTooLong(65_536)));
    }
}
