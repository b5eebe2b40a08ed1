//! The local variables and the stack at one instruction.

use super::{Source, Sources};
use crate::Refusal;

/// A long or double takes two slots: its own, and one without sources behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    locals: Vec<Sources>,
    stack: Vec<Sources>,
}

/// No verifier would let such code pass.
pub(super) const UNSOUND: Refusal = Refusal::UnsoundCode;

impl Frame {
    pub(super) fn new(locals: u16) -> Frame {
        Frame { locals: vec![Sources::new(); usize::from(locals)], stack: Vec::new() }
    }

    /// The same variables, and on the stack what was thrown.
    pub(super) fn caught(&self) -> Frame {
        Frame { locals: self.locals.clone(), stack: vec![Sources::from([Source::Caught])] }
    }

    /// Whether there is more than before.
    pub(super) fn join(&mut self, other: &Frame) -> Result<bool, Refusal> {
        if self.stack.len() != other.stack.len() || self.locals.len() != other.locals.len() {
            return Err(UNSOUND);
        }
        let mut grew = false;
        let mine = self.locals.iter_mut().chain(&mut self.stack);
        for (mine, theirs) in mine.zip(other.locals.iter().chain(&other.stack)) {
            if !theirs.is_subset(mine) {
                mine.extend(theirs);
                grew = true;
            }
        }
        Ok(grew)
    }

    pub(super) fn load(&self, variable: u16) -> Result<Sources, Refusal> {
        self.locals.get(usize::from(variable)).cloned().ok_or(UNSOUND)
    }

    pub(super) fn store(&mut self, variable: u16, value: Sources) -> Result<(), Refusal> {
        *self.locals.get_mut(usize::from(variable)).ok_or(UNSOUND)? = value;
        Ok(())
    }

    pub(super) fn push(&mut self, value: Sources, slots: usize) {
        self.stack.push(value);
        self.stack.extend((1..slots).map(|_| Sources::new()));
    }

    pub(super) fn pop(&mut self, slots: usize) -> Result<Sources, Refusal> {
        let mut value = Sources::new();
        for _ in 0..slots {
            value.append(&mut self.stack.pop().ok_or(UNSOUND)?);
        }
        Ok(value)
    }

    /// Puts copies of the topmost slots below others: `dup`, `dup_x1`, `dup2` and so on.
    pub(super) fn duplicate(&mut self, slots: usize, below: usize) -> Result<(), Refusal> {
        let depth = self.stack.len();
        let copies = self.stack.get(depth.checked_sub(slots).ok_or(UNSOUND)?..).ok_or(UNSOUND)?;
        let at = depth.checked_sub(slots + below).ok_or(UNSOUND)?;
        let copies = copies.to_vec();
        self.stack.splice(at..at, copies);
        Ok(())
    }

    pub(super) fn swap(&mut self) -> Result<(), Refusal> {
        let depth = self.stack.len();
        let below = depth.checked_sub(2).ok_or(UNSOUND)?;
        self.stack.swap(below, depth - 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variable: u16) -> Sources {
        Sources::from([Source::Parameter(variable)])
    }

    #[test]
    fn copies_go_below_as_many_slots_as_told() {
        let mut frame = Frame::new(0);
        (1..=3).for_each(|value| frame.push(of(value), 1));
        frame.duplicate(1, 2).unwrap();
        let stack: Vec<Sources> = [3, 1, 2, 3].map(of).into();
        assert_eq!(frame.stack, stack);
        frame.duplicate(2, 0).unwrap();
        assert_eq!(frame.stack.len(), 6);
        assert_eq!(frame.duplicate(2, 5), Err(UNSOUND));
    }

    #[test]
    fn a_wide_value_is_popped_as_one() {
        let mut frame = Frame::new(0);
        frame.push(of(1), 2);
        assert_eq!(frame.pop(2), Ok(of(1)));
        assert_eq!(frame.pop(1), Err(UNSOUND));
    }

    #[test]
    fn what_two_ways_bring_is_joined() {
        let (mut one, mut other) = (Frame::new(1), Frame::new(1));
        one.store(0, of(1)).unwrap();
        other.store(0, of(2)).unwrap();
        assert_eq!(one.join(&other), Ok(true));
        assert_eq!(one.join(&other), Ok(false));
        assert_eq!(one.load(0), Ok(of(1).union(&of(2)).copied().collect()));
        other.push(of(3), 1);
        assert_eq!(one.join(&other), Err(UNSOUND));
    }
}
