//! Runs code over sources.

use std::collections::{BTreeMap, BTreeSet};

use super::frame::{Frame, UNSOUND};
use super::{Action, Code, Flow, Source, Sources, Step};
use crate::descriptor::{MethodDescriptor, slots};
use crate::instructions::Landmarks;
use crate::uses::{How, Use};
use crate::{ClassFile, Refusal};

/// Code that takes more turns than this is nothing that people read.
const MOST_TURNS: usize = 200_000;

pub(super) struct Machine<'m, 'a> {
    class: &'m ClassFile<'a>,
    code: &'m Code<'m>,
    /// Where each instruction goes on, beside the next one.
    targets: BTreeMap<u16, Vec<u16>>,
    /// The instruction behind each.
    next: BTreeMap<u16, u16>,
    frames: BTreeMap<u16, Frame>,
    open: BTreeSet<u16>,
    flow: Flow<'a>,
}

impl<'m, 'a> Machine<'m, 'a> {
    pub(super) fn new(
        class: &'m ClassFile<'a>,
        code: &'m Code<'m>,
        landmarks: &Landmarks,
    ) -> Result<Self, Refusal> {
        let mut targets: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        for jump in &landmarks.jumps {
            targets.entry(jump.instruction).or_default().push(jump.target);
        }
        let starts = &landmarks.instructions;
        let next = starts.iter().copied().zip(starts.iter().copied().skip(1)).collect();
        let (frames, open, flow) = (BTreeMap::new(), BTreeSet::new(), Flow::default());
        Ok(Machine { class, code, targets, next, frames, open, flow })
    }

    pub(super) fn run(mut self, is_static: bool, descriptor: &[u8]) -> Result<Flow<'a>, Refusal> {
        let mut start = Frame::new(self.code.locals);
        let of_the_method = MethodDescriptor::parse(descriptor)?.parameters;
        let this: Option<&[u8]> = (!is_static).then_some(b"L;");
        let mut variable = 0;
        for parameter in this.into_iter().chain(of_the_method) {
            start.store(variable, Sources::from([Source::Parameter(self.flow.parameters)]))?;
            variable += slots(parameter) as u16;
            self.flow.parameters += 1;
        }
        self.reach(0, &start)?;
        let mut turns = 0;
        while let Some(at) = self.open.pop_first() {
            turns += 1;
            if turns > MOST_TURNS {
                return Err(Refusal::CodeTooLong(self.code.instructions.len()));
            }
            self.turn(at)?;
        }
        Ok(self.flow)
    }

    fn reach(&mut self, at: u16, frame: &Frame) -> Result<(), Refusal> {
        match self.frames.get_mut(&at) {
            Some(known) => {
                if known.join(frame)? {
                    self.open.insert(at);
                }
            }
            None => {
                self.frames.insert(at, frame.clone());
                self.open.insert(at);
            }
        }
        Ok(())
    }

    fn turn(&mut self, at: u16) -> Result<(), Refusal> {
        let mut frame = self.frames.get(&at).cloned().ok_or(UNSOUND)?;
        self.catch(at, &frame)?;
        let opcode = self.byte(at, 0)?;
        self.execute(at, opcode, &mut frame)?;
        // What an instruction stored may be there when the next one throws, and that one tells so itself.
        for target in self.targets.get(&at).cloned().unwrap_or_default() {
            self.reach(target, &frame)?;
        }
        let goes_on = !matches!(opcode, 0xA7 | 0xC8 | 0xAA | 0xAB | 0xAC..=0xB1 | 0xBF);
        if let Some(next) = self.next.get(&at).copied().filter(|_| goes_on) {
            self.reach(next, &frame)?;
        }
        Ok(())
    }

    fn catch(&mut self, at: u16, frame: &Frame) -> Result<(), Refusal> {
        let handlers = self.code.handlers.iter().filter(|one| one.from <= at && at < one.to);
        let targets: Vec<u16> = handlers.map(|handler| handler.at).collect();
        targets.into_iter().try_for_each(|target| self.reach(target, &frame.caught()))
    }

    fn execute(&mut self, at: u16, opcode: u8, frame: &mut Frame) -> Result<(), Refusal> {
        let constant = |source| Sources::from([source]);
        match opcode {
            0x00 | 0xA7 | 0xC8 | 0x84 => {} // nop, goto, iinc
            0x01 => frame.push(constant(Source::Null), 1),
            0x02..=0x08 | 0x0B..=0x0D | 0x10..=0x13 => frame.push(constant(Source::Constant), 1),
            0x09 | 0x0A | 0x0E | 0x0F | 0x14 => frame.push(constant(Source::Constant), 2),
            0x15..=0x2D => self.load(at, opcode, frame)?,
            0x36..=0x4E => self.store(at, opcode, frame)?,
            0x4F..=0x56 => {
                let wide = matches!(opcode, 0x50 | 0x52);
                let value = frame.pop(1 + usize::from(wide))?;
                frame.pop(1)?; // index
                let array = frame.pop(1)?;
                self.step(at, Action::Puts, vec![array, value]);
            }
            0x57 => drop(frame.pop(1)?),
            0x58 => drop(frame.pop(2)?),
            0x59 => frame.duplicate(1, 0)?,
            0x5A => frame.duplicate(1, 1)?,
            0x5B => frame.duplicate(1, 2)?,
            0x5C => frame.duplicate(2, 0)?,
            0x5D => frame.duplicate(2, 1)?,
            0x5E => frame.duplicate(2, 2)?,
            0x5F => frame.swap()?,
            0xBE => {
                let array = frame.pop(1)?;
                self.step(at, Action::Measures, vec![array]);
                frame.push(constant(Source::Step(at)), 1);
            }
            0x2E..=0x35 | 0x60..=0x83 | 0x85..=0x98 | 0xC1 => {
                let (taken, yields) = arithmetic(opcode);
                let operand = frame.pop(taken)?;
                self.step(at, Action::Computes, vec![operand]);
                frame.push(constant(Source::Step(at)), yields);
            }
            0x99..=0x9E | 0xC6 | 0xC7 | 0xAA | 0xAB => self.leave(at, Action::Tests, 1, frame)?,
            0x9F..=0xA6 => self.leave(at, Action::Tests, 2, frame)?,
            0xAC | 0xAE | 0xB0 => self.leave(at, Action::Returns, 1, frame)?,
            0xAD | 0xAF => self.leave(at, Action::Returns, 2, frame)?,
            0xB1 => self.leave(at, Action::Returns, 0, frame)?,
            0xB2..=0xB9 => self.member(at, opcode, frame)?,
            0xBA => self.dynamic(at, frame)?,
            0xBB => self.make(at, 0, frame)?,
            0xBC | 0xBD => self.make(at, 1, frame)?,
            0xC5 => {
                let dimensions = self.byte(at, 3)?;
                self.make(at, usize::from(dimensions), frame)?;
            }
            0xBF => self.leave(at, Action::Throws, 1, frame)?,
            0xC0 => {}                          // checkcast: the same object
            0xC2 | 0xC3 => drop(frame.pop(1)?), // monitors
            0xC4 => self.wide(at, frame)?,
            _ => return Err(UNSOUND), // jsr and ret, which no compiler makes any more
        }
        Ok(())
    }

    fn step(&mut self, at: u16, action: Action<'a>, operands: Vec<Sources>) {
        let step = self
            .flow
            .steps
            .entry(at)
            .or_insert_with(|| Step { action, operands: vec![Sources::new(); operands.len()] });
        for (known, more) in step.operands.iter_mut().zip(operands) {
            known.extend(more);
        }
    }

    fn leave(
        &mut self,
        at: u16,
        action: Action<'a>,
        slots: usize,
        frame: &mut Frame,
    ) -> Result<(), Refusal> {
        let operand = frame.pop(slots)?;
        self.step(at, action, vec![operand]);
        Ok(())
    }

    fn make(&mut self, at: u16, taken: usize, frame: &mut Frame) -> Result<(), Refusal> {
        let operand = frame.pop(taken)?;
        self.step(at, Action::Makes, vec![operand]);
        frame.push(Sources::from([Source::Step(at)]), 1);
        Ok(())
    }

    fn load(&self, at: u16, opcode: u8, frame: &mut Frame) -> Result<(), Refusal> {
        let (kind, variable) = match opcode {
            0x15..=0x19 => (opcode - 0x15, u16::from(self.byte(at, 1)?)),
            _ => ((opcode - 0x1A) / 4, u16::from((opcode - 0x1A) % 4)),
        };
        frame.push(frame.load(variable)?, slots_of(kind));
        Ok(())
    }

    fn store(&self, at: u16, opcode: u8, frame: &mut Frame) -> Result<(), Refusal> {
        let (kind, variable) = match opcode {
            0x36..=0x3A => (opcode - 0x36, u16::from(self.byte(at, 1)?)),
            _ => ((opcode - 0x3B) / 4, u16::from((opcode - 0x3B) % 4)),
        };
        let value = frame.pop(slots_of(kind))?;
        frame.store(variable, value)
    }

    fn wide(&self, at: u16, frame: &mut Frame) -> Result<(), Refusal> {
        let (opcode, variable) = (self.byte(at, 1)?, self.index(at, 2)?);
        match opcode {
            0x15..=0x19 => frame.push(frame.load(variable)?, slots_of(opcode - 0x15)),
            0x36..=0x3A => {
                let value = frame.pop(slots_of(opcode - 0x36))?;
                frame.store(variable, value)?;
            }
            0x84 => {}
            _ => return Err(UNSOUND),
        }
        Ok(())
    }

    fn member(&mut self, at: u16, opcode: u8, frame: &mut Frame) -> Result<(), Refusal> {
        let [class, name, descriptor] = self.class.pool.member(self.index(at, 1)?)?;
        let how = How::of(opcode).ok_or(UNSOUND)?;
        let (mut operands, yields) = match how {
            How::ReadsStatic | How::Reads => (Vec::new(), slots(descriptor)),
            How::WritesStatic | How::Writes => (vec![frame.pop(slots(descriptor))?], 0),
            How::Calls => arguments(descriptor, frame)?,
        };
        let of_an_object = matches!(opcode, 0xB4..=0xB7 | 0xB9);
        if of_an_object {
            operands.insert(0, frame.pop(1)?);
        }
        self.step(at, Action::Uses(Use { how, class, name, descriptor }), operands);
        if yields > 0 {
            frame.push(Sources::from([Source::Step(at)]), yields);
        }
        Ok(())
    }

    fn dynamic(&mut self, at: u16, frame: &mut Frame) -> Result<(), Refusal> {
        let (bootstrap, descriptor) = self.class.pool.dynamic(self.index(at, 1)?)?;
        let (operands, yields) = arguments(descriptor, frame)?;
        let implementation = self.class.linked(bootstrap).unwrap_or_default();
        self.step(at, Action::Links(implementation), operands);
        if yields > 0 {
            frame.push(Sources::from([Source::Step(at)]), yields);
        }
        Ok(())
    }

    fn byte(&self, at: u16, offset: usize) -> Result<u8, Refusal> {
        self.code.instructions.get(usize::from(at) + offset).copied().ok_or(Refusal::Truncated)
    }

    fn index(&self, at: u16, offset: usize) -> Result<u16, Refusal> {
        Ok(u16::from_be_bytes([self.byte(at, offset)?, self.byte(at, offset + 1)?]))
    }
}

/// Takes the arguments of a call from the stack; with how many slots its result takes.
fn arguments(descriptor: &[u8], frame: &mut Frame) -> Result<(Vec<Sources>, usize), Refusal> {
    let MethodDescriptor { parameters, returns } = MethodDescriptor::parse(descriptor)?;
    let mut arguments = Vec::with_capacity(parameters.len() + 1);
    for parameter in parameters.iter().rev() {
        arguments.push(frame.pop(slots(parameter))?);
    }
    arguments.reverse();
    Ok((arguments, if returns == b"V" { 0 } else { slots(returns) }))
}

/// Of int, long, float, double and reference, in the order of the instructions that load and store them.
fn slots_of(kind: u8) -> usize {
    if matches!(kind, 1 | 3) { 2 } else { 1 }
}

/// How many slots an instruction takes that makes one value of others, and how many that value takes.
fn arithmetic(opcode: u8) -> (usize, usize) {
    // Odd ones are of long and double.
    let width = 1 + usize::from(opcode % 2 == 1);
    match opcode {
        0x2F | 0x31 => (2, 2),               // laload, daload
        0x2E..=0x35 => (2, 1),               // elements of arrays
        0x74..=0x77 => (width, width),       // neg
        0x78..=0x7D => (width + 1, width),   // shifts
        0x60..=0x83 => (2 * width, width),   // add .. rem, and .. xor
        0x85 | 0x87 | 0x8C | 0x8D => (1, 2), // i2l, i2d, f2l, f2d
        0x8A | 0x8F => (2, 2),               // l2d, d2l
        0x88 | 0x89 | 0x8E | 0x90 => (2, 1), // l2i, l2f, d2i, d2f
        0x94 | 0x97 | 0x98 => (4, 1),        // lcmp, dcmp
        0x95 | 0x96 => (2, 1),               // fcmp
        _ => (1, 1),                         // i2f, f2i, i2b, i2c, i2s, instanceof
    }
}
