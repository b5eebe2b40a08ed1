//! What the code of real classes uses.

use surefoot_classfile::{ClassFile, How};

use crate::jdk;

/// `how name`, in the order of the code.
fn uses_of(class: &str, method: &str) -> Vec<String> {
    let class = ClassFile::parse(&jdk::fixture_class(class).bytes).expect("a class file");
    let (index, _) =
        class.methods().find(|(_, m)| m.name() == method.as_bytes()).expect("its method");
    let uses = class.uses(index).expect("code that can be read");
    uses.iter().map(|one| format!("{:?} {}", one.how, String::from_utf8_lossy(one.name))).collect()
}

#[test]
fn fields_that_are_read_and_written_are_told_in_order() {
    assert_eq!(uses_of("Probe", "hit"), ["ReadsStatic HITS"]);
    let twice = [
        "ReadsStatic withThis",
        "WritesStatic withThis",
        "ReadsStatic wrong",
        "WritesStatic wrong",
    ];
    assert_eq!(uses_of("Probe", "hitThis"), twice);
}

#[test]
fn all_code_of_real_classes_can_be_read() {
    let mut calls = 0;
    for class in jdk::fixture_classes() {
        let class = ClassFile::parse(&class.bytes).unwrap();
        for (index, _) in class.methods() {
            let uses = class.uses(index).unwrap();
            calls += uses.iter().filter(|one| one.how == How::Calls).count();
        }
    }
    assert!(calls > 100, "{calls}");
}
