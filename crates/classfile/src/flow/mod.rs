//! Where the values that a method's code works with come from.
//!
//! The code is run over sets of sources instead of values, along every way that it can take, until no set grows any more
//! (as the verifier does with types, §4.10.2). A value that reaches an instruction by two ways has the sources of both.

mod frame;
mod machine;

use std::collections::{BTreeMap, BTreeSet};

use crate::bytes::Reader;
use crate::instructions::Landmarks;
use crate::{ClassFile, MethodIndex, Refusal, Use};
use machine::Machine;

/// What the instructions of a method do, by their offsets; only those that a reader of the code would name.
#[derive(Debug, Default)]
pub struct Flow<'a> {
    pub steps: BTreeMap<u16, Step<'a>>,
    /// How many there are, with `this`.
    pub parameters: u16,
}

#[derive(Debug)]
pub struct Step<'a> {
    pub action: Action<'a>,
    /// What it is done with: the object before the arguments.
    pub operands: Vec<Sources>,
}

pub type Sources = BTreeSet<Source>;

/// Where a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Counted from 0, which is `this` where there is one.
    Parameter(u16),
    /// What the step at this offset yields.
    Step(u16),
    Null,
    /// Another constant.
    Constant,
    /// What was thrown and is caught.
    Caught,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<'a> {
    Uses(Use<'a>),
    /// A new object, whose constructor is called later, or an array.
    Makes,
    /// A lambda or a method reference, with the class, name and descriptor of its code if they can be told.
    Links(Option<[&'a [u8]; 3]>),
    /// A number, or an element of an array.
    Computes,
    /// The length of an array.
    Measures,
    /// An element of an array is set.
    Puts,
    /// Which way to go on.
    Tests,
    Returns,
    Throws,
}

/// A Code attribute (§4.7.3), as far as it says what happens.
#[derive(Debug)]
pub(crate) struct Code<'a> {
    pub(crate) locals: u16,
    pub(crate) instructions: &'a [u8],
    pub(crate) handlers: Vec<Handler>,
}

#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) at: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn parse(attribute: &'a [u8]) -> Result<Self, Refusal> {
        let mut reader = Reader::new(attribute);
        reader.take(2)?; // max_stack
        let locals = reader.u2()?;
        let instructions = reader.take_with_u4_length()?;
        let mut handlers = Vec::new();
        for _ in 0..reader.u2()? {
            let (from, to, at) = (reader.u2()?, reader.u2()?, reader.u2()?);
            reader.take(2)?; // catch_type
            handlers.push(Handler { from, to, at });
        }
        Ok(Code { locals, instructions, handlers })
    }
}

impl<'a> ClassFile<'a> {
    /// Of a class that was not changed; nothing for a method without code.
    pub fn flow(&self, method: MethodIndex) -> Result<Flow<'a>, Refusal> {
        let method = self.methods.get(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        let Some(attribute) = self.code_attribute(&method.info)? else {
            return Ok(Flow::default());
        };
        let code = Code::parse(attribute)?;
        let landmarks = Landmarks::find(code.instructions)?;
        let is_static = method.access_flags().is_static();
        Machine::new(self, &code, &landmarks)?.run(is_static, method.descriptor())
    }
}

impl Flow<'_> {
    /// Everything that a value is made of, however indirectly: its sources, what those were made of, and what went into an
    /// object or array that was made here.
    #[must_use]
    pub fn origins(&self, of: &Sources) -> Sources {
        let mut origins = Sources::new();
        let mut open: Vec<Source> = of.iter().copied().collect();
        while let Some(source) = open.pop() {
            if !origins.insert(source) {
                continue;
            }
            let Source::Step(at) = source else { continue };
            let Some(step) = self.steps.get(&at) else { continue };
            open.extend(step.operands.iter().flatten());
            if step.action == Action::Makes {
                open.extend(self.put_into(source));
            }
        }
        origins
    }

    /// The arguments of all that is called on an object made here, or on what such calls return: it may be the object itself,
    /// as with a `StringBuilder`.
    fn put_into(&self, made: Source) -> Sources {
        let mut known = Sources::from([made]);
        let mut arguments = Sources::new();
        loop {
            let before = known.len();
            for (at, step) in &self.steps {
                let is_about = |into: &Sources| !into.is_disjoint(&known);
                let about = matches!(step.action, Action::Uses(_) | Action::Puts)
                    && step.operands.first().is_some_and(is_about);
                if about {
                    arguments.extend(step.operands.iter().skip(1).flatten());
                    known.insert(Source::Step(*at));
                }
            }
            if known.len() == before {
                return arguments;
            }
        }
    }

    /// What the method may return.
    #[must_use]
    pub fn returned(&self) -> Sources {
        let returns = self.steps.values().filter(|step| step.action == Action::Returns);
        returns.flat_map(|step| step.operands.iter().flatten()).copied().collect()
    }
}
