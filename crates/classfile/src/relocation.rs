//! Where the offsets of a method's code go when instructions are put in between.

use crate::Refusal;

/// Where in a method a call is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In front of the first instruction. What jumps to that instruction does not call again.
    Start,
    /// There too, and what is put in jumps to its own end.
    StartBehindJump,
    /// In front of every instruction that returns. What jumps to one of them calls first. What is put in reads these local
    /// variables as they were when the method was entered.
    Returns { reads: Vec<u8> },
    /// Behind all of it, where every exception leads that nothing else in the method catches.
    Throws,
}

/// The room that was made in a method's code: as many bytes in front of each of some instructions.
#[derive(Debug)]
pub(crate) struct Relocation {
    /// What leads to a point leads to what was put in there.
    before: bool,
    /// The offsets that the instructions behind the room had; ascending.
    points: Vec<u16>,
    /// How many bytes were put in at each point.
    length: u16,
}

impl Relocation {
    /// Everything stays where it is.
    pub(crate) fn nowhere() -> Self {
        Self { before: false, points: Vec::new(), length: 0 }
    }

    pub(crate) fn at_start(length: u16) -> Self {
        Self { before: false, points: vec![0], length }
    }

    /// `returns` are the offsets of the return instructions, ascending.
    pub(crate) fn at_returns(returns: Vec<u16>, length: u16) -> Self {
        Self { before: true, points: returns, length }
    }

    /// Where the instruction that was at `offset` is now.
    pub(crate) fn instruction(&self, offset: u16) -> Result<u16, Refusal> {
        in_range(self.behind_room(offset))
    }

    /// Where that leads which led to the instruction at `offset`: branches, and what must be so
    /// there (frames, handlers).
    pub(crate) fn target(&self, offset: u16) -> Result<u16, Refusal> {
        in_range(if self.before {
            self.before_room(offset.into())
        } else {
            self.behind_room(offset)
        })
    }

    /// Where a line that began at `offset` begins now. What was put in belongs to the line of the
    /// instruction that it is in front of.
    pub(crate) fn line(&self, offset: u16) -> Result<u16, Refusal> {
        in_range(self.before_room(offset.into()))
    }

    /// The start and length of a variable's scope. What is put in where a scope begins is in it
    /// (`this` and parameters are there in a prologue as well); what is put in where it ends is
    /// not.
    pub(crate) fn scope(&self, start: u16, length: u16) -> Result<(u16, u16), Refusal> {
        let new_start = self.before_room(start.into());
        let new_end = self.before_room(u32::from(start) + u32::from(length));
        Ok((in_range(new_start)?, in_range(new_end.saturating_sub(new_start))?))
    }

    fn before_room(&self, offset: u32) -> u32 {
        self.moved(offset, self.points.partition_point(|&point| u32::from(point) < offset))
    }

    fn behind_room(&self, offset: u16) -> u32 {
        self.moved(offset.into(), self.points.partition_point(|&point| point <= offset))
    }

    fn moved(&self, offset: u32, points_passed: usize) -> u32 {
        let rooms = u32::try_from(points_passed).unwrap_or(u32::MAX);
        rooms.saturating_mul(self.length.into()).saturating_add(offset)
    }
}

fn in_range(offset: u32) -> Result<u16, Refusal> {
    u16::try_from(offset).map_err(|_| Refusal::OffsetOutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_lines_and_scopes_goes_behind_a_prologue() {
        let prologue = Relocation::at_start(8);
        for (before, after) in [(0, 8), (1, 9), (65_527, 65_535)] {
            assert_eq!(prologue.instruction(before), Ok(after));
            assert_eq!(prologue.target(before), Ok(after));
        }
        assert_eq!(prologue.target(65_528), Err(Refusal::OffsetOutOfRange));
        assert_eq!([0, 1].map(|offset| prologue.line(offset)), [Ok(0), Ok(9)]);
        assert_eq!(prologue.scope(0, 5), Ok((0, 13)));
        assert_eq!(prologue.scope(0, 0), Ok((0, 0)));
        assert_eq!(prologue.scope(2, 3), Ok((10, 3)));
    }

    #[test]
    fn what_leads_to_a_return_leads_to_the_call_in_front_of_it() {
        let relocation = Relocation::at_returns(vec![3, 4, 9], 8);
        let offsets = [0, 3, 4, 5, 9, 10];
        let instructions = offsets.map(|offset| relocation.instruction(offset).unwrap());
        assert_eq!(instructions, [0, 11, 20, 21, 33, 34]);
        let targets = offsets.map(|offset| relocation.target(offset).unwrap());
        assert_eq!(targets, [0, 3, 12, 21, 25, 34]);
        assert_eq!(offsets.map(|offset| relocation.line(offset).unwrap()), targets);
    }

    #[test]
    fn a_call_is_in_the_scope_that_its_return_is_in() {
        let relocation = Relocation::at_returns(vec![3, 9], 8);
        assert_eq!(relocation.scope(0, 3), Ok((0, 3)));
        assert_eq!(relocation.scope(0, 4), Ok((0, 12)));
        assert_eq!(relocation.scope(3, 1), Ok((3, 9)));
        assert_eq!(relocation.scope(4, 5), Ok((12, 5)));
        assert_eq!(relocation.scope(4, 6), Ok((12, 14)));
        assert_eq!(relocation.scope(1, 65_535), Err(Refusal::OffsetOutOfRange));
    }

    #[test]
    fn no_amount_of_room_is_too_much_to_reckon_with() {
        let relocation = Relocation::at_returns((0..=u16::MAX).collect(), u16::MAX);
        assert_eq!(relocation.instruction(u16::MAX), Err(Refusal::OffsetOutOfRange));
        assert_eq!(relocation.scope(u16::MAX, u16::MAX), Err(Refusal::OffsetOutOfRange));
    }
}
