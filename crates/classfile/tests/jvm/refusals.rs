//! What is refused is refused for its reason, and leaves the class as it was.

use surefoot_classfile::{Argument, Call, ClassFile, MethodIndex, Refusal};

use crate::jdk;

use Argument::{Int, Local, Null, WideInt};

const CONSTRUCTOR: (&str, &str) = ("<init>", "([IJLjava/lang/String;)V");
const INSTANCE: (&str, &str) = ("isInstance", "(IJLjava/lang/String;)V");
const STATIC: (&str, &str) = ("isStatic", "(IJLjava/lang/String;)V");

/// One of the two ways to put a call into a method.
type Weave = fn(&mut ClassFile<'static>, MethodIndex, &Call, &[Argument]) -> Result<(), Refusal>;

/// Calls `Probe.hit` with this descriptor at the start of a method of `Refused`.
fn weave(method: (&str, &str), descriptor: &str, arguments: &[Argument]) -> Result<(), Refusal> {
    weave_by(ClassFile::prepend_static_call, method, descriptor, arguments)
}

/// And before its returns.
fn weave_end(
    method: (&str, &str),
    descriptor: &str,
    arguments: &[Argument],
) -> Result<(), Refusal> {
    weave_by(ClassFile::append_static_call, method, descriptor, arguments)
}

fn weave_by(
    weave: Weave,
    (method, of_method): (&str, &str),
    descriptor: &str,
    arguments: &[Argument],
) -> Result<(), Refusal> {
    let bytes = &jdk::fixture_class("Refused").bytes;
    let mut class = ClassFile::parse(bytes).expect("javac writes class files");
    let method = class.find_method(method, of_method).expect("the method is in the source");
    let call = Call { class: "Probe", method: "hit", descriptor };
    let outcome = weave(&mut class, method, &call, arguments);
    assert_eq!(class.to_bytes() == *bytes, outcome.is_err(), "changed if and only if not refused");
    outcome
}

#[test]
fn methods_without_code() {
    assert_eq!(weave(("isAbstract", "()V"), "()V", &[]), Err(Refusal::Abstract));
    assert_eq!(weave(("isNative", "()V"), "()V", &[]), Err(Refusal::Native));
    assert_eq!(weave_end(("isAbstract", "()V"), "()V", &[]), Err(Refusal::Abstract));
    assert_eq!(weave_end(("isNative", "()V"), "()V", &[]), Err(Refusal::Native));
}

#[test]
fn a_method_that_never_returns() {
    let method = ("neverReturns", "()V");
    assert_eq!(weave_end(method, "(I)V", &[WideInt(100_000)]), Err(Refusal::NoReturn));
    assert_eq!(weave(method, "(I)V", &[WideInt(100_000)]), Ok(()));
}

#[test]
fn variables_at_a_return() {
    let object = "(Ljava/lang/Object;)V";
    for method in [CONSTRUCTOR, INSTANCE, STATIC] {
        assert_eq!(weave_end(method, object, &[Local(0)]), Err(Refusal::LocalAtReturn(0)));
        assert_eq!(weave_end(method, object, &[Null]), Ok(()));
        assert_eq!(weave_end(method, "(II)V", &[Int(7), WideInt(i32::MIN)]), Ok(()));
    }
}

#[test]
fn this_in_a_constructor() {
    let object = "(Ljava/lang/Object;)V";
    assert_eq!(weave(CONSTRUCTOR, object, &[Local(0)]), Err(Refusal::ThisBeforeSuper));
    assert_eq!(weave(INSTANCE, object, &[Local(0)]), Ok(()));
    assert_eq!(weave(CONSTRUCTOR, "(I)V", &[Int(0)]), Ok(()));
    assert_eq!(weave(CONSTRUCTOR, "([I)V", &[Local(1)]), Ok(()));
    assert_eq!(weave(CONSTRUCTOR, object, &[Local(4)]), Ok(()));
}

#[test]
fn variables_that_hold_no_reference() {
    let object = "(Ljava/lang/Object;)V";
    for slot in [1, 2, 3, 5, 255] {
        let refusal = Err(Refusal::NotAReference(slot));
        assert_eq!(weave(INSTANCE, object, &[Local(slot)]), refusal);
    }
    for slot in [0, 1, 2, 4] {
        assert_eq!(weave(STATIC, object, &[Local(slot)]), Err(Refusal::NotAReference(slot)));
    }
    assert_eq!(weave(STATIC, object, &[Local(3)]), Ok(()));
}

#[test]
fn arguments_of_another_type() {
    assert_eq!(weave(INSTANCE, "(LRefused;Ljava/lang/String;)V", &[Local(0), Local(4)]), Ok(()));
    let wrong: [(&str, &[Argument]); 7] = [
        ("(ILjava/lang/String;)V", &[Int(1), Local(0)]),
        ("(II)V", &[Int(1), Null]),
        ("(II)V", &[Int(1), Local(0)]),
        ("(IJ)V", &[Int(1), Int(1)]),
        ("(I[I)V", &[Int(1), Int(1)]),
        ("(IZ)V", &[Int(1), Int(2)]),
        ("(IS)V", &[Int(1), WideInt(32_768)]),
    ];
    for (descriptor, arguments) in wrong {
        let refusal = Err(Refusal::ArgumentType { position: 1 });
        assert_eq!(weave(INSTANCE, descriptor, arguments), refusal, "{descriptor}");
    }
}

#[test]
fn calls_that_cannot_be_made() {
    let count = Refusal::ArgumentCount { takes: 2, given: 1 };
    assert_eq!(weave(STATIC, "(II)V", &[Int(1)]), Err(count));
    assert_eq!(weave(STATIC, "()I", &[]), Err(Refusal::CallNotVoid));
    let bad = Refusal::BadDescriptor("hit".to_owned());
    assert_eq!(weave(STATIC, "hit", &[]), Err(bad));
    let long = format!("(L{};)V", "a".repeat(65_535));
    assert_eq!(weave(STATIC, &long, &[Null]), Err(Refusal::NameTooLong));
}

#[test]
fn a_class_older_than_its_code_layout() {
    let mut bytes = jdk::fixture_class("LongMethod").bytes.clone();
    let call = Call { class: "Probe", method: "hit", descriptor: "()V" };
    for (minor, outcome) in [(2, Err(Refusal::AncientCode)), (3, Ok(()))] {
        bytes[4..8].copy_from_slice(&[0, minor, 0, 45]);
        let mut class = ClassFile::parse(&bytes).expect("only the version was changed");
        assert_eq!(class.major_version(), 45);
        let method = class.find_method("run", "(I)I").expect("the method is in the source");
        assert_eq!(class.append_static_call(method, &call, &[]), outcome);
        assert_eq!(class.prepend_static_call(method, &call, &[]), outcome);
    }
}

#[test]
fn a_method_of_another_class() {
    let many = ClassFile::parse(&jdk::fixture_class("Gauntlet").bytes).expect("it can be read");
    let (last, _) = many.methods().last().expect("it has methods");
    let mut few = ClassFile::parse(&jdk::fixture_class("Launch").bytes).expect("it can be read");
    let call = Call { class: "Probe", method: "hit", descriptor: "()V" };
    assert_eq!(few.prepend_static_call(last, &call, &[]), Err(Refusal::NoSuchMethod));
}

#[test]
fn a_method_without_its_code_attribute() {
    let mut bytes = jdk::fixture_class("LongMethod").bytes.clone();
    let name = bytes.windows(7).position(|seven| seven == b"\x01\0\x04Code").expect("it is named");
    bytes[name + 3..name + 7].copy_from_slice(b"Cold");
    let mut class = ClassFile::parse(&bytes).expect("only a name was changed");
    let method = class.find_method("run", "(I)I").expect("the method is in the source");
    let call = Call { class: "Probe", method: "hit", descriptor: "()V" };
    assert_eq!(class.prepend_static_call(method, &call, &[]), Err(Refusal::NotOneCode(0)));
    assert_eq!(class.append_static_call(method, &call, &[]), Err(Refusal::NotOneCode(0)));
    assert!(class.to_bytes() == bytes);
}

#[test]
fn bytes_that_are_no_class() {
    let refusal = |bytes: &[u8]| ClassFile::parse(bytes).err();
    assert_eq!(refusal(b""), Some(Refusal::NotAClassFile));
    assert_eq!(refusal(b"PK\x03\x04\0\0\0\0"), Some(Refusal::NotAClassFile));
    let class = &jdk::fixture_class("Launch").bytes;
    assert_eq!(refusal(&class[..class.len() - 1]), Some(Refusal::Truncated));
    assert_eq!(refusal(&[class, &[0][..]].concat()), Some(Refusal::TrailingBytes));
}
