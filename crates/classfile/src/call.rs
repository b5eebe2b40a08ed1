//! A call to a static method: what it passes, and the instructions that make it.

use std::borrow::Cow;

use crate::bytes::Writer;
use crate::class::{ClassFile, Method};
use crate::descriptor::{MethodDescriptor, is_reference, slots};
use crate::pool::ConstantPool;
use crate::refusal::Refusal;

/// A static method of a class (not of an interface) to be called.
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
    /// An int of any size; beyond 16 bits it takes a constant of the class.
    WideInt(i32),
    /// The reference that is in this local variable when the method is entered: `this` in 0 of an
    /// instance method, else a parameter. A call before a return can pass it only if the method
    /// never puts anything else there.
    Local(u8),
    /// The reference in a field of `this` that the class itself declares.
    Field {
        name: &'static str,
        descriptor: &'static str,
    },
    Null,
}

/// Whether the verifier would let the arguments through (§4.10.1.9, invokestatic).
pub(crate) fn check_arguments(
    class: &ClassFile<'_>,
    method: &Method<'_>,
    parameters: &[&[u8]],
    arguments: &[Argument],
) -> Result<(), Refusal> {
    if parameters.len() != arguments.len() {
        let (takes, given) = (parameters.len(), arguments.len());
        return Err(Refusal::ArgumentCount { takes, given });
    }
    for (position, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        let takes = |held: &[u8]| *parameter == b"Ljava/lang/Object;" || **parameter == *held;
        let fits = match *argument {
            Argument::Int(value) => int_fits(value.into(), parameter),
            Argument::WideInt(value) => int_fits(value, parameter),
            Argument::Null => is_reference(parameter),
            Argument::Local(slot) => takes(&type_at_entry(class.name(), method, slot)?),
            Argument::Field { name, descriptor } => {
                // `this` must be there, and ready.
                type_at_entry(class.name(), method, 0)?;
                if method.access_flags().is_static() || !class.has_field(name, descriptor) {
                    return Err(Refusal::NoSuchField(name));
                }
                is_reference(descriptor.as_bytes()) && takes(descriptor.as_bytes())
            }
        };
        if !fits {
            return Err(Refusal::ArgumentType { position });
        }
    }
    Ok(())
}

/// The local variables that the arguments are read from.
pub(crate) fn locals(arguments: &[Argument]) -> impl Iterator<Item = u8> {
    arguments.iter().filter_map(|argument| match argument {
        Argument::Local(slot) => Some(*slot),
        Argument::Field { .. } => Some(0),
        Argument::Int(_) | Argument::WideInt(_) | Argument::Null => None,
    })
}

/// The verifier takes any int for these types; this keeps out the values they do not have.
fn int_fits(value: i32, parameter: &[u8]) -> bool {
    match parameter {
        b"I" => true,
        b"S" => i16::try_from(value).is_ok(),
        b"C" => u16::try_from(value).is_ok(),
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

/// The instructions that push the arguments and call; a multiple of four bytes.
pub(crate) fn instructions(
    pool: &mut ConstantPool,
    class: &[u8],
    call: &Call,
    arguments: &[Argument],
) -> Result<Vec<u8>, Refusal> {
    let mut writer = Writer::with_capacity(3 * arguments.len() + 8);
    write(&mut writer, pool, class, call, arguments)?;
    Ok(padded(writer.into_bytes()))
}

/// `nop` until the padding of switch instructions is what it was (§6.5 tableswitch).
pub(crate) fn padded(mut instructions: Vec<u8>) -> Vec<u8> {
    instructions.resize(instructions.len().next_multiple_of(4), 0x00);
    instructions
}

/// The instructions that push the arguments and call, in the class `class`.
pub(crate) fn write(
    writer: &mut Writer,
    pool: &mut ConstantPool,
    class: &[u8],
    call: &Call,
    arguments: &[Argument],
) -> Result<(), Refusal> {
    for argument in arguments {
        match *argument {
            Argument::Null => writer.u1(0x01), // aconst_null
            Argument::Int(value) => push_short(writer, value),
            Argument::WideInt(value) => push_int(writer, pool, value)?,
            Argument::Local(slot @ 0..=3) => writer.u1(0x2A + slot), // aload_0 .. aload_3
            Argument::Local(slot) => writer.raw(&[0x19, slot]),      // aload
            Argument::Field { name, descriptor } => {
                writer.raw(&[0x2A, 0xB4]); // aload_0, getfield
                writer.u2(pool.field_ref(class, name, descriptor)?);
            }
        }
    }
    writer.u1(0xB8); // invokestatic
    writer.u2(pool.method_ref(call.class, call.method, call.descriptor)?);
    Ok(())
}

fn push_int(writer: &mut Writer, pool: &mut ConstantPool, value: i32) -> Result<(), Refusal> {
    if let Ok(short) = i16::try_from(value) {
        push_short(writer, short);
        return Ok(());
    }
    let index = pool.integer(value)?;
    match u8::try_from(index) {
        Ok(index) => writer.raw(&[0x12, index]), // ldc
        Err(_) => {
            writer.u1(0x13); // ldc_w
            writer.u2(index);
        }
    }
    Ok(())
}

fn push_short(writer: &mut Writer, value: i16) {
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
    use crate::bytes::Reader;
    use crate::pool::tests::utf8_pool;
    use Argument::{Int, Local, Null, WideInt};

    /// Behind constants 1 and 2 come an Integer, if there is one, and those of the method.
    fn instructions_of(arguments: &[Argument]) -> Vec<u8> {
        let bytes = utf8_pool(&["a/Probe", "hit"]);
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        let call = Call { class: "a/Probe", method: "hit", descriptor: "()V" };
        instructions(&mut pool, b"a/B", &call, arguments).unwrap()
    }

    #[test]
    fn arguments_are_pushed_with_the_shortest_instructions() {
        let expected: [(&[Argument], &[u8]); 10] = [
            (&[], &[0xB8, 0, 6, 0]),
            (&[Int(-1)], &[0x02, 0xB8, 0, 6]),
            (&[Int(5)], &[0x08, 0xB8, 0, 6]),
            (&[Int(6)], &[0x10, 6, 0xB8, 0, 6, 0, 0, 0]),
            (&[Int(-128)], &[0x10, 0x80, 0xB8, 0, 6, 0, 0, 0]),
            (&[Int(128)], &[0x11, 0, 128, 0xB8, 0, 6, 0, 0]),
            (&[Int(-2000), Null], &[0x11, 0xF8, 0x30, 0x01, 0xB8, 0, 6, 0]),
            (&[WideInt(-32_768)], &[0x11, 0x80, 0, 0xB8, 0, 6, 0, 0]),
            (&[WideInt(-32_769)], &[0x12, 3, 0xB8, 0, 7, 0, 0, 0]),
            (&[Local(0), Local(3), Local(4)], &[0x2A, 0x2D, 0x19, 4, 0xB8, 0, 6, 0]),
        ];
        for (arguments, bytes) in expected {
            assert_eq!(instructions_of(arguments), bytes, "{arguments:?}");
        }
    }

    #[test]
    fn an_int_among_many_constants_is_pushed_by_its_wide_index() {
        let texts: Vec<String> = (0..255).map(|n| n.to_string()).collect();
        let bytes = utf8_pool(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let mut pool = ConstantPool::parse(&mut Reader::new(&bytes)).unwrap();
        let mut writer = Writer::default();
        push_int(&mut writer, &mut pool, 32_768).unwrap();
        assert_eq!(writer.into_bytes(), [0x13, 1, 0]);
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
        assert_eq!(fitting(65_535), "IC");
        assert_eq!(fitting(-32_769), "I");
    }
}
