//! The prologue: pushes the arguments and calls a static method.

use std::borrow::Cow;

use crate::bytes::{Reader, Writer};
use crate::class::{ClassFile, Method, MethodIndex};
use crate::code::{self, Prologue};
use crate::descriptor::{MethodDescriptor, is_reference, slots};
use crate::pool::ConstantPool;
use crate::refusal::Refusal;

/// A static method of a class (not of an interface) to be called; it must return nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'a> {
    /// The internal name of the class, such as `"org/example/Probe"`.
    pub class: &'a str,
    pub method: &'a str,
    /// Such as `"(ILjava/lang/Object;)V"`.
    pub descriptor: &'a str,
}

/// What is passed to the called method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    Int(i16),
    /// The reference that is in this local variable when the method is entered: `this` in 0 of an
    /// instance method, else a parameter.
    Local(u8),
    Null,
}

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
        if self.has_ancient_code() {
            return Err(Refusal::AncientCode);
        }
        let class_name = self.name();
        let target = self.methods.get_mut(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        check_has_code(target)?;
        check_arguments(class_name, target, call, arguments)?;

        let mark = self.pool.mark();
        match rewrite(&target.info, &mut self.pool, call, arguments) {
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

/// Whether the verifier would let the arguments through (§4.10.1.9, invokestatic).
fn check_arguments(
    class_name: &[u8],
    method: &Method,
    call: &Call,
    arguments: &[Argument],
) -> Result<(), Refusal> {
    let called = MethodDescriptor::parse(call.descriptor.as_bytes())?;
    if called.returns != b"V" {
        return Err(Refusal::CallNotVoid);
    }
    if called.parameters.len() != arguments.len() {
        let (takes, given) = (called.parameters.len(), arguments.len());
        return Err(Refusal::ArgumentCount { takes, given });
    }
    for (position, (argument, parameter)) in arguments.iter().zip(called.parameters).enumerate() {
        let fits = match *argument {
            Argument::Int(value) => int_fits(value, parameter),
            Argument::Null => is_reference(parameter),
            Argument::Local(slot) => {
                let held = type_at_entry(class_name, method, slot)?;
                parameter == b"Ljava/lang/Object;" || *parameter == *held
            }
        };
        if !fits {
            return Err(Refusal::ArgumentType { position });
        }
    }
    Ok(())
}

/// The verifier takes any int for these types; this keeps out the values they do not have.
fn int_fits(value: i16, parameter: &[u8]) -> bool {
    match parameter {
        b"I" | b"S" => true,
        b"C" => value >= 0,
        b"B" => i8::try_from(value).is_ok(),
        b"Z" => matches!(value, 0 | 1),
        _ => false,
    }
}

/// The descriptor of the reference that is in a local variable when the method is entered (§2.6.1).
fn type_at_entry<'m>(
    class_name: &[u8],
    method: &Method<'m>,
    slot: u8,
) -> Result<Cow<'m, [u8]>, Refusal> {
    let mut next = 0;
    if !method.access_flags().is_static() {
        if slot == 0 {
            if method.name() == b"<init>" {
                return Err(Refusal::ThisBeforeSuper);
            }
            return Ok(Cow::Owned([b"L", class_name, b";"].concat()));
        }
        next = 1;
    }
    for parameter in MethodDescriptor::parse(method.descriptor())?.parameters {
        if next == usize::from(slot) && is_reference(parameter) {
            return Ok(Cow::Borrowed(parameter));
        }
        next += slots(parameter);
    }
    Err(Refusal::NotAReference(slot))
}

/// The `method_info` with the call at the start of its code.
fn rewrite(
    info: &[u8],
    pool: &mut ConstantPool,
    call: &Call,
    arguments: &[Argument],
) -> Result<Vec<u8>, Refusal> {
    let method_ref = pool.method_ref(call.class, call.method, call.descriptor)?;
    let instructions = instructions(method_ref, arguments);
    // Each argument takes one slot of the operand stack, and nothing else is on it yet.
    let prologue = Prologue::new(&instructions, arguments.len())?;

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
            writer.raw_with_u4_length(&code::prepend(attribute, pool, &prologue)?)?;
        } else {
            writer.raw_with_u4_length(attribute)?;
        }
    }
    if codes == 1 { Ok(writer.into_bytes()) } else { Err(Refusal::NotOneCode(codes)) }
}

fn instructions(method_ref: u16, arguments: &[Argument]) -> Vec<u8> {
    let mut writer = Writer::with_capacity(3 * arguments.len() + 8);
    for argument in arguments {
        match *argument {
            Argument::Null => writer.u1(0x01), // aconst_null
            Argument::Int(value) => push_int(&mut writer, value),
            Argument::Local(slot @ 0..=3) => writer.u1(0x2A + slot), // aload_0 .. aload_3
            Argument::Local(slot) => writer.raw(&[0x19, slot]),      // aload
        }
    }
    writer.u1(0xB8); // invokestatic
    writer.u2(method_ref);
    let mut instructions = writer.into_bytes();
    // `nop` until the padding of switch instructions is what it was (§6.5 tableswitch).
    instructions.resize(instructions.len().next_multiple_of(4), 0x00);
    instructions
}

fn push_int(writer: &mut Writer, value: i16) {
    match (value, i8::try_from(value)) {
        (-1..=5, Ok(value)) => writer.u1(0x03_u8.wrapping_add_signed(value)), // iconst_m1 .. iconst_5
        (_, Ok(value)) => writer.raw(&[0x10, value.to_be_bytes()[0]]),        // bipush
        (_, Err(_)) => {
            writer.u1(0x11); // sipush
            writer.raw(&value.to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Argument::{Int, Local, Null};

    #[test]
    fn arguments_are_pushed_with_the_shortest_instructions() {
        let expected: [(&[Argument], &[u8]); 8] = [
            (&[], &[0xB8, 0x12, 0x34, 0]),
            (&[Int(-1)], &[0x02, 0xB8, 0x12, 0x34]),
            (&[Int(5)], &[0x08, 0xB8, 0x12, 0x34]),
            (&[Int(6)], &[0x10, 6, 0xB8, 0x12, 0x34, 0, 0, 0]),
            (&[Int(-128)], &[0x10, 0x80, 0xB8, 0x12, 0x34, 0, 0, 0]),
            (&[Int(128)], &[0x11, 0, 128, 0xB8, 0x12, 0x34, 0, 0]),
            (&[Int(-2000), Null], &[0x11, 0xF8, 0x30, 0x01, 0xB8, 0x12, 0x34, 0]),
            (&[Local(0), Local(3), Local(4)], &[0x2A, 0x2D, 0x19, 4, 0xB8, 0x12, 0x34, 0]),
        ];
        for (arguments, bytes) in expected {
            assert_eq!(instructions(0x1234, arguments), bytes, "{arguments:?}");
        }
    }

    #[test]
    fn an_int_fits_the_types_that_have_its_value() {
        let fitting = |value| {
            let types = [b"I", b"S", b"C", b"B", b"Z", b"J", b"F"];
            types.iter().filter(|t| int_fits(value, **t)).map(|t| t[0] as char).collect::<String>()
        };
        assert_eq!(fitting(1), "ISCBZ");
        assert_eq!(fitting(2), "ISCB");
        assert_eq!(fitting(-1), "ISB");
        assert_eq!(fitting(128), "ISC");
        assert_eq!(fitting(-129), "IS");
    }
}
