//! Every class of the installed JDKs is written back as it was, and takes calls everywhere.

use std::thread;

use surefoot_classfile::{Argument, Call, ClassFile, Refusal};

use crate::jdk::{self, Class};

const MODULES: [&str; 4] = ["java.base", "java.logging", "java.net.http", "java.sql"];

#[test]
fn every_class_of_the_installed_jdks_round_trips_and_takes_calls() {
    thread::scope(|scope| {
        for home in jdk::installed_jdks() {
            scope.spawn(move || {
                let count = jdk::for_each_class_of(&home, &MODULES, |class| check(&class));
                assert!(count > 5_000, "{}: only {count} classes", home.display());
            });
        }
    });
}

fn check(class: &Class) {
    let name = &class.name;
    let mut file = ClassFile::parse(&class.bytes)
        .unwrap_or_else(|refusal| panic!("{name} was refused: {refusal}"));
    assert!(file.to_bytes() == class.bytes, "{name} is written back otherwise than it was read");

    let file_name = name.rsplit_once(".class").expect("only classes are dumped").0;
    let own_name = String::from_utf8_lossy(file.name());
    assert!(file_name.ends_with(&*own_name), "{name} says that it is {own_name}");
    assert_eq!(
        file.super_name().is_none(),
        matches!(&*own_name, "java/lang/Object" | "module-info")
    );

    let methods: Vec<_> = file.methods().map(|(index, m)| (index, m.access_flags())).collect();
    let mut grown = 0;
    for (index, flags) in methods {
        let call = Call { class: "a/Probe", method: "hit", descriptor: "(I)V" };
        let woven = file.prepend_static_call(index, &call, &[Argument::Int(7)]);
        let woven_at_end = file.append_static_call(index, &call, &[Argument::Int(7)]);
        if flags.is_abstract() || flags.is_native() {
            assert!(woven.is_err() && woven_at_end.is_err(), "{name}: a call without code");
            continue;
        }
        assert_eq!(woven, Ok(()), "{name}");
        grown += 8; // bipush 7, invokestatic, and three nops
        match woven_at_end {
            Ok(()) => grown += 8,
            Err(refusal) => assert_eq!(refusal, Refusal::NoReturn, "{name}"),
        }
    }
    let woven = file.to_bytes();
    let again = ClassFile::parse(&woven).expect("a woven class can be read");
    assert!(again.to_bytes() == woven, "{name} does not round trip when woven");
    // A longer form of a first frame adds two bytes more, the pool some forty.
    assert!(woven.len() >= class.bytes.len() + grown, "{name}");
}
