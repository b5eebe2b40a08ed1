//! Puts a call into a method: at its start, in front of everything that returns from it, or where exceptions leave it.

use std::borrow::Cow;

use crate::bytes::{Reader, Writer};
use crate::call::{self, Argument, Call};
use crate::class::{ClassFile, Method, MethodIndex};
use crate::code::{self, Insertion};
use crate::descriptor::{MethodDescriptor, is_reference};
use crate::pool::ConstantPool;
use crate::refusal::Refusal;
use crate::relocation::Place;

impl ClassFile<'_> {
    /// Makes `method` begin with `call`. A method that loops back to its start does not call
    /// again, a handler around the method's code does not catch what the call throws, and a second
    /// prologue goes in front of the first.
    ///
    /// A [`Argument::Local`] can only be passed as its declared type or as `java/lang/Object`:
    /// whether it would fit another type is not to be known without loading classes.
    ///
    /// When this is refused, the class stays as it was.
    pub fn prepend_static_call(
        &mut self,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        self.check(method, call, arguments, |_, returns| {
            (returns == b"V").then_some(()).ok_or(Refusal::CallNotVoid)
        })?;
        let stack = arguments.len();
        self.insert(method, Place::Start, stack, |pool, class| {
            call::instructions(pool, class, call, arguments)
        })
    }

    /// Makes `call` the last thing that `method` does before it returns, wherever it returns; not
    /// when it ends by an exception. A second epilogue goes behind the first.
    ///
    /// The called method should not throw: a handler around the return would catch it, and a
    /// method that has done its work would end by an exception.
    ///
    /// When this is refused, the class stays as it was. A method that never returns is refused
    /// ([`Refusal::NoReturn`]), as is a [`Argument::Local`] ([`Refusal::LocalAtReturn`]).
    pub fn append_static_call(
        &mut self,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        self.check_at_end(method, call, arguments)?;
        let stack = arguments.len();
        self.insert(method, Place::Returns { reads: Vec::new() }, stack, |pool, class| {
            call::instructions(pool, class, call, arguments)
        })
    }

    /// Makes `call` the last thing that `method` does before it ends by an exception, which then goes on. An exception that the
    /// method catches itself is none. A second such call comes after the first.
    ///
    /// When this is refused, the class stays as it was. A constructor is refused: in a part of it, `this` is none yet. So is
    /// a [`Argument::Local`] ([`Refusal::LocalAtReturn`]).
    pub fn append_static_call_on_throw(
        &mut self,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        if self.check_has_code(method)?.name() == b"<init>" {
            return Err(Refusal::ThisBeforeSuper);
        }
        self.check_at_end(method, call, arguments)?;
        // Below the arguments is the exception.
        let stack = arguments.len() + 1;
        self.insert(method, Place::Throws, stack, |pool, class| {
            let mut writer = Writer::with_capacity(3 * arguments.len() + 8);
            call::write(&mut writer, pool, class, call, arguments)?;
            writer.u1(0xBF); // athrow
            Ok(writer.into_bytes())
        })
    }

    /// What is in the local variables is not known any more.
    fn check_at_end(
        &self,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        if let Some(slot) = call::locals(arguments).next() {
            self.check_has_code(method)?;
            return Err(Refusal::LocalAtReturn(slot));
        }
        self.check(method, call, arguments, |_, returns| {
            (returns == b"V").then_some(()).ok_or(Refusal::CallNotVoid)
        })
    }

    /// Lets `method` return what `call` makes of the reference, the int or the long that it was about to return. The called
    /// method takes that, then the arguments, and returns one of the type that it took; if that is another type of reference
    /// than the method returns, it is cast.
    ///
    /// When this is refused, the class stays as it was. A [`Argument::Local`] that the method stores something else in is
    /// refused ([`Refusal::LocalAtReturn`]).
    pub fn replace_returned(
        &mut self,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        let returned = self.check(method, call, arguments, |own, returns| {
            if !is_reference(own) && !is_number(own) {
                return Err(Refusal::ReturnsNoReference);
            }
            let fits = own == returns || is_reference(own) && is_reference(returns);
            fits.then(|| own.to_vec()).ok_or(Refusal::CallReturns)
        })?;
        let cast = !call.descriptor.as_bytes().ends_with(&[b")", &returned[..]].concat());
        let reads = call::locals(arguments).collect();
        let stack = arguments.len();
        self.insert(method, Place::Returns { reads }, stack, |pool, class| {
            let mut writer = Writer::with_capacity(3 * arguments.len() + 8);
            call::write(&mut writer, pool, class, call, arguments)?;
            if cast {
                write_cast(&mut writer, pool, &returned)?;
            }
            Ok(call::padded(writer.into_bytes()))
        })
    }

    /// Lets `method`, which must return nothing, return at once if `condition` does its work for it: that takes the arguments
    /// and returns whether it did. A constructor is refused: it may not return before it has called super().
    ///
    /// When this is refused, the class stays as it was.
    pub fn prepend_substitute(
        &mut self,
        method: MethodIndex,
        condition: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        self.check(method, condition, arguments, |own, returns| match (own, returns) {
            (b"V", b"Z") => Ok(()),
            _ => Err(Refusal::CallReturns),
        })?;
        self.prepend_branch(method, condition, arguments, |writer, _, _| {
            writer.u1(0xB1); // return
            Ok(())
        })
    }

    /// Lets `method` return what `value` returns if `condition` says so; both take the arguments.
    ///
    /// When this is refused, the class stays as it was.
    pub fn prepend_alternative(
        &mut self,
        method: MethodIndex,
        condition: &Call,
        value: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        self.check(method, condition, arguments, |_, returns| {
            (returns == b"Z").then_some(()).ok_or(Refusal::CallReturns)
        })?;
        self.check(method, value, arguments, |own, returns| {
            (is_reference(own) && own == returns).then_some(()).ok_or(Refusal::CallReturns)
        })?;
        self.prepend_branch(method, condition, arguments, |writer, pool, class| {
            call::write(writer, pool, class, value, arguments)?;
            writer.u1(0xB0); // areturn
            Ok(())
        })
    }

    /// `if (condition) { otherwise }` in front of the code; `otherwise` must not go on.
    fn prepend_branch(
        &mut self,
        method: MethodIndex,
        condition: &Call,
        arguments: &[Argument],
        otherwise: impl FnOnce(&mut Writer, &mut ConstantPool, &[u8]) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        if self.check_has_code(method)?.name() == b"<init>" {
            return Err(Refusal::ThisBeforeSuper);
        }
        let stack = arguments.len().max(1);
        self.insert(method, Place::StartBehindJump, stack, |pool, class| {
            let mut branch = Writer::default();
            otherwise(&mut branch, pool, class)?;
            let branch = branch.into_bytes();
            let mut asked = Writer::default();
            call::write(&mut asked, pool, class, condition, arguments)?;
            asked.u1(0x99); // ifeq
            let over = u16::try_from(3 + branch.len()).map_err(|_| Refusal::BranchTooFar)?;
            asked.u2(over);
            asked.raw(&branch);
            let asked = asked.into_bytes();
            // Padding in front, so that the jump leads to the very end.
            let mut instructions = vec![0; asked.len().next_multiple_of(4) - asked.len()];
            instructions.extend_from_slice(&asked);
            Ok(instructions)
        })
    }

    /// Whether `method` has code, and `call` takes the arguments and returns what it should: that gets the type that the
    /// method returns and the one that the call does. A call that takes one value more than there are arguments takes what
    /// is on the stack.
    fn check<T>(
        &self,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
        returns: impl FnOnce(&[u8], &[u8]) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let target = self.check_has_code(method)?;
        let called = MethodDescriptor::parse(call.descriptor.as_bytes())?;
        let own = MethodDescriptor::parse(target.descriptor())?;
        let checked = returns(own.returns, called.returns)?;
        let takes_returned = (is_reference(called.returns) || is_number(called.returns))
            && called.parameters.len() == arguments.len() + 1
            && called.parameters.first() == Some(&called.returns);
        let parameters = &called.parameters[usize::from(takes_returned)..];
        call::check_arguments(self, target, parameters, arguments)?;
        Ok(checked)
    }

    fn check_has_code(&self, method: MethodIndex) -> Result<&Method<'_>, Refusal> {
        if self.has_ancient_code() {
            return Err(Refusal::AncientCode);
        }
        let target = self.methods.get(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        if target.access_flags().is_abstract() {
            Err(Refusal::Abstract)
        } else if target.access_flags().is_native() {
            Err(Refusal::Native)
        } else {
            Ok(target)
        }
    }

    /// Puts the instructions that `make` makes, for the class of this name, into the method's code.
    fn insert(
        &mut self,
        method: MethodIndex,
        place: Place,
        stack: usize,
        make: impl FnOnce(&mut ConstantPool, &[u8]) -> Result<Vec<u8>, Refusal>,
    ) -> Result<(), Refusal> {
        let class = self.name();
        let target = self.methods.get_mut(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        let mark = self.pool.mark();
        let rewritten = make(&mut self.pool, class).and_then(|instructions| {
            rewrite(&target.info, &mut self.pool, &instructions, stack, place)
        });
        match rewritten {
            Ok(info) => {
                target.info = Cow::Owned(info);
                Ok(())
            }
            Err(refusal) => {
                self.pool.return_to(mark);
                Err(refusal)
            }
        }
    }
}

fn is_number(descriptor: &[u8]) -> bool {
    matches!(descriptor, b"I" | b"J")
}

/// `checkcast` to a type by its descriptor.
fn write_cast(writer: &mut Writer, pool: &mut ConstantPool, to: &[u8]) -> Result<(), Refusal> {
    let class = match to {
        [b'L', name @ .., b';'] => name,
        array => array,
    };
    writer.u1(0xC0); // checkcast
    writer.u2(pool.class(class)?);
    Ok(())
}

/// The `method_info` with the instructions in its code.
fn rewrite(
    info: &[u8],
    pool: &mut ConstantPool,
    instructions: &[u8],
    stack: usize,
    place: Place,
) -> Result<Vec<u8>, Refusal> {
    let insertion = Insertion::new(instructions, stack, place)?;
    let mut reader = Reader::new(info);
    let mut writer = Writer::with_capacity(info.len() + instructions.len() + 16);
    writer.raw(reader.take(6)?); // access flags, name, descriptor
    let count = reader.u2()?;
    writer.u2(count);
    let mut codes = 0;
    for _ in 0..count {
        let name = reader.u2()?;
        let attribute = reader.take_with_u4_length()?;
        writer.u2(name);
        if pool.utf8(name)? == b"Code" {
            codes += 1;
            writer.raw_with_u4_length(&code::insert(attribute, pool, &insertion)?)?;
        } else {
            writer.raw_with_u4_length(attribute)?;
        }
    }
    if codes == 1 { Ok(writer.into_bytes()) } else { Err(Refusal::NotOneCode(codes)) }
}
