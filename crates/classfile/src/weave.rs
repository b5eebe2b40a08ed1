//! Puts a call into a method: at its start, or in front of everything that returns from it.

use std::borrow::Cow;

use crate::bytes::{Reader, Writer};
use crate::call::{self, Argument, Call};
use crate::class::{ClassFile, Method, MethodIndex};
use crate::code::{self, Insertion};
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
        self.weave(Place::Start, method, call, arguments)
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
        self.weave(Place::Returns, method, call, arguments)
    }

    fn weave(
        &mut self,
        place: Place,
        method: MethodIndex,
        call: &Call,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        if self.has_ancient_code() {
            return Err(Refusal::AncientCode);
        }
        let class_name = self.name();
        let target = self.methods.get_mut(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        check_has_code(target)?;
        call::check_arguments(class_name, target, call, arguments, place)?;

        let mark = self.pool.mark();
        match rewrite(&target.info, &mut self.pool, call, arguments, place) {
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

fn check_has_code(method: &Method) -> Result<(), Refusal> {
    if method.access_flags().is_abstract() {
        Err(Refusal::Abstract)
    } else if method.access_flags().is_native() {
        Err(Refusal::Native)
    } else {
        Ok(())
    }
}

/// The `method_info` with the call in its code.
fn rewrite(
    info: &[u8],
    pool: &mut ConstantPool,
    call: &Call,
    arguments: &[Argument],
    place: Place,
) -> Result<Vec<u8>, Refusal> {
    let instructions = call::instructions(pool, call, arguments)?;
    // Each argument takes one slot of the operand stack.
    let insertion = Insertion::new(&instructions, arguments.len(), place)?;

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
