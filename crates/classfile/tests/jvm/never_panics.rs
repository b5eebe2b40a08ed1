//! Broken classes are refused or passed on, whatever is broken.

use proptest::prelude::*;
use surefoot_classfile::{Argument, Call, ClassFile};

use crate::jdk;

/// Reads, weaves every method, writes; a refused call must change nothing.
fn exercise(bytes: &[u8]) {
    let Ok(mut class) = ClassFile::parse(bytes) else {
        return;
    };
    assert!(class.to_bytes() == bytes, "what is read is written back");
    let call = Call { class: "a/Probe", method: "hit", descriptor: "(ILjava/lang/Object;)V" };
    let indices: Vec<_> = class.methods().map(|(index, _)| index).collect();
    for index in indices {
        let _ = class.uses(index);
        let _ = class.flow(index);
        let _ = class.annotations(index);
        for last in [Argument::Local(0), Argument::Local(1), Argument::Null] {
            let before = class.to_bytes();
            let woven = class.prepend_static_call(index, &call, &[Argument::Int(1000), last]);
            assert_eq!(woven.is_err(), class.to_bytes() == before);
        }
        let before = class.to_bytes();
        let arguments = [Argument::WideInt(100_000), Argument::Null];
        let woven = class.append_static_call(index, &call, &arguments);
        assert_eq!(woven.is_err(), class.to_bytes() == before);
    }
    assert!(ClassFile::parse(&class.to_bytes()).is_ok(), "what is written can be read");
}

/// A class of the fixture that is small enough to be hit where it hurts.
fn class() -> impl Strategy<Value = Vec<u8>> {
    let classes = jdk::fixture_classes().iter().filter(|class| class.bytes.len() < 20_000);
    proptest::sample::select(classes.map(|class| class.bytes.clone()).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn truncated_classes(bytes in class(), cut in any::<prop::sample::Index>()) {
        let length = cut.index(bytes.len());
        prop_assert!(ClassFile::parse(&bytes[..length]).is_err());
    }

    #[test]
    fn corrupted_classes(
        mut bytes in class(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        exercise(&bytes);
    }

    #[test]
    fn classes_with_bytes_put_in_or_taken_out(
        mut bytes in class(),
        from in any::<prop::sample::Index>(),
        removed in 0..9_usize,
        added in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let from = from.index(bytes.len());
        let to = (from + removed).min(bytes.len());
        bytes.splice(from..to, added);
        exercise(&bytes);
    }

    #[test]
    fn noise_behind_the_magic(noise in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&[&[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61][..], &noise].concat());
    }
}
