//! Woven classes in a VM that verifies everything: the output is the same, the calls are counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use surefoot_classfile::{Argument, Call, ClassFile, Method, MethodIndex, Refusal};

use crate::assembled::{INITIALISERS, assemble};
use crate::jdk::{self, Class};

const HIT: Call = Call { class: "Probe", method: "hit", descriptor: "(I)V" };
const HIT_THIS: Call =
    Call { class: "Probe", method: "hitThis", descriptor: "(Ljava/lang/Object;)V" };
const HIT_WIDE: Call = Call { class: "Probe", method: "hitWide", descriptor: "(III)V" };
const HIT_MANY: Call = Call {
    class: "Probe",
    method: "hitMany",
    descriptor: "(IIIIIIIIIIIIIIIIIIIISCBZLjava/lang/Object;IIIII)V",
};

/// What `Probe.hitMany` expects.
fn many_arguments() -> Vec<Argument> {
    let wide = (300..320).map(|n| Argument::Int(if n % 2 == 0 { n } else { -n }));
    let edges = [-32768, 32767, -128, 1].map(Argument::Int);
    let rest = [-1, 5, 6, 127, 128].map(Argument::Int);
    wide.chain(edges).chain([Argument::Null]).chain(rest).collect()
}

/// How often a method was called, by class and method.
type Hits = BTreeMap<String, u32>;

/// How often some methods are entered, however they end.
const ENTERED: [(&str, u32); 4] = [
    ("Gauntlet.lines", 4),
    ("Gauntlet$Circle.<init>", 5),
    ("Gauntlet$Resource.close", 6),
    ("Gauntlet$Inner.<init>", 3),
];

/// How often some of them return.
const RETURNED: [(&str, u32); 3] =
    [("Gauntlet$Circle.<init>", 4), ("Gauntlet$Resource.close", 3), ("Gauntlet$Inner.<init>", 3)];

#[test]
fn a_short_prologue_changes_nothing_but_the_count() {
    let hits = run_woven("short-prologue", |class, (index, method), number| {
        let hit = class.prepend_static_call(index, &HIT, &[number]);
        assert_eq!(hit, Ok(()), "{}", name_of(class, &method));
    });
    check_hits(&hits, &ENTERED);
}

#[test]
fn prologues_on_prologues_change_nothing_but_the_count() {
    let hits = run_woven("long-prologue", |class, (index, method), number| {
        let name = name_of(class, &method);
        let is_constructor = method.name() == b"<init>";
        assert_eq!(class.prepend_static_call(index, &HIT, &[number]), Ok(()), "{name}");
        let many = class.prepend_static_call(index, &HIT_MANY, &many_arguments());
        assert_eq!(many, Ok(()), "{name}");
        if !method.access_flags().is_static() && !is_constructor {
            let this = class.prepend_static_call(index, &HIT_THIS, &[Argument::Local(0)]);
            assert_eq!(this, Ok(()), "{name}");
        }
    });
    check_hits(&hits, &ENTERED);
    assert!(hits["this"] > 20, "{hits:?}");
}

#[test]
fn a_short_epilogue_changes_nothing_but_the_count() {
    let hits = run_woven("short-epilogue", |class, (index, method), number| {
        let hit = class.append_static_call(index, &HIT, &[number]);
        assert_eq!(hit, Ok(()), "{}", name_of(class, &method));
    });
    check_hits(&hits, &RETURNED);
    assert_eq!(hits.get("Gauntlet.lines"), None, "it ends by an exception");
}

#[test]
fn a_call_where_exceptions_leave_changes_nothing_but_the_count() {
    let hits = run_woven("throws", |class, (index, method), number| {
        let name = name_of(class, &method);
        let refused = class.append_static_call_on_throw(index, &HIT_THIS, &[Argument::Local(0)]);
        assert!(refused.is_err(), "{name}");
        let hit = class.append_static_call_on_throw(index, &HIT, &[number]);
        match method.name() == b"<init>" {
            true => assert_eq!(hit, Err(Refusal::ThisBeforeSuper), "{name}"),
            false => {
                assert_eq!(hit, Ok(()), "{name}");
                let many = class.append_static_call_on_throw(index, &HIT_MANY, &many_arguments());
                assert_eq!(many, Ok(()), "{name}");
            }
        }
    });
    // Nothing else ends by an exception, and what is caught goes on as before.
    let expected =
        [("Gauntlet.lines", 4), ("Gauntlet$Resource.close", 3), ("this", 0), ("wrong", 0)];
    assert_eq!(hits, expected.map(|(name, count)| (name.to_owned(), count)).into());
}

#[test]
fn prologues_and_epilogues_together_change_nothing_but_the_count() {
    let hits = run_woven("long-epilogue", |class, (index, method), number| {
        let name = name_of(class, &method);
        let wide = [100_000, i32::MIN, -7].map(Argument::WideInt);
        for outcome in [
            class.append_static_call(index, &HIT_MANY, &many_arguments()),
            class.prepend_static_call(index, &HIT_MANY, &many_arguments()),
            class.append_static_call(index, &HIT, &[number]),
            class.prepend_static_call(index, &HIT_WIDE, &wide),
            class.append_static_call(index, &HIT_WIDE, &wide),
        ] {
            assert_eq!(outcome, Ok(()), "{name}");
        }
    });
    check_hits(&hits, &RETURNED);
}

#[test]
fn what_a_method_returns_can_be_replaced() {
    let same = Call {
        class: "Probe",
        method: "same",
        descriptor: "(Ljava/lang/Object;I)Ljava/lang/Object;",
    };
    let of_this = Call {
        class: "Probe",
        method: "sameOfThis",
        descriptor: "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;",
    };
    let hits = run_woven("replaced", |class, (index, method), number| {
        let returned = returned_by(&method);
        let outcome = if method.access_flags().is_static() {
            class.replace_returned(index, &same, &[number])
        } else {
            class.replace_returned(index, &of_this, &[Argument::Local(0), number])
        };
        match returned {
            b'L' | b'[' => assert_eq!(outcome, Ok(()), "{}", name_of(class, &method)),
            _ => assert!(outcome.is_err(), "{}", name_of(class, &method)),
        }
    });
    assert!(hits.len() > 10, "{hits:?}");
    assert!(hits["this"] > 3, "{hits:?}");
    assert_eq!(hits["wrong"], 0);
}

#[test]
fn numbers_that_a_method_returns_can_be_replaced() {
    let of = |descriptor| Call { class: "Probe", method: "same", descriptor };
    let hits = run_woven("numbers", |class, (index, method), number| {
        let ints = class.replace_returned(index, &of("(II)I"), &[number]);
        let longs = class.replace_returned(index, &of("(JI)J"), &[number]);
        let returned = returned_by(&method);
        let expected = (returned == b'I', returned == b'J');
        assert_eq!((ints.is_ok(), longs.is_ok()), expected, "{}", name_of(class, &method));
    });
    assert!(hits.len() > 10, "{hits:?}");
}

#[test]
fn a_method_can_be_asked_to_do_nothing() {
    let instead = Call { class: "Probe", method: "instead", descriptor: "(I)Z" };
    let text = Call { class: "Probe", method: "text", descriptor: "(I)Ljava/lang/String;" };
    let hits = run_woven("instead", |class, (index, method), number| {
        let name = name_of(class, &method);
        let text_returned = method.descriptor().ends_with(b")Ljava/lang/String;");
        let substitute = class.prepend_substitute(index, &instead, &[number]);
        let alternative = class.prepend_alternative(index, &instead, &text, &[number]);
        let is_void = returned_by(&method) == b'V' && method.name() != b"<init>";
        assert_eq!((substitute.is_ok(), alternative.is_ok()), (is_void, text_returned), "{name}");
    });
    assert_eq!(hits.get("Gauntlet.main"), Some(&1), "{hits:?}");
    assert!(hits.len() > 20, "{hits:?}");
    assert_eq!(hits["wrong"], 0);
}

/// The first letter of the type.
fn returned_by(method: &Method) -> u8 {
    let after = method.descriptor().iter().position(|&byte| byte == b')').expect("it has one");
    method.descriptor()[after + 1]
}

#[test]
fn code_of_old_compilers_calls_once() {
    let directory = jdk::Directory::new("old-code");
    write(&directory, jdk::fixture_class("Initialise"));
    write(&directory, jdk::fixture_class("Probe"));
    let mut names = Vec::new();
    // Versions 45.3, 48 and 49: later ones must have frames.
    for version in [[0, 3, 0, 45], [0, 0, 0, 48], [0, 0, 0, 49]] {
        for initialiser in INITIALISERS {
            let name = format!("{}{}", initialiser.name, version[3]);
            let bytes = assemble(&name, version, &initialiser);
            let mut file = ClassFile::parse(&bytes).expect("it was assembled with care");
            let method = file.find_method("<clinit>", "()V").expect("it was assembled");
            let number = Argument::Int(i16::try_from(names.len()).expect("they are few"));
            assert_eq!(file.append_static_call(method, &HIT, &[number]), Ok(()), "{name}");
            write(&directory, &Class { name: name.clone(), bytes: file.to_bytes() });
            names.push(name);
        }
    }
    let (_, report) = launch(&directory, "Initialise", &names);
    let hits = hits(&names, &report);
    for name in names {
        assert_eq!(hits.get(&name), Some(&1), "{name} in {hits:?}");
    }
}

fn check_hits(hits: &Hits, some: &[(&str, u32)]) {
    let all = [
        ("Gauntlet.main", 1),
        ("Gauntlet.<clinit>", 1),
        ("Gauntlet.<init>", 2),
        // They loop many times, and are entered once and twice.
        ("Gauntlet.loopToStart", 1),
        ("Gauntlet.loopForever", 2),
        ("LongMethod.run", 1),
        ("Gauntlet.caughtFromTheStart", 2),
        ("Gauntlet.manyHandlers", 4),
        ("Gauntlet$Colour.mood", 2),
        ("Gauntlet$Colour$1.mood", 1),
    ];
    for (method, count) in all.iter().chain(some) {
        assert_eq!(hits.get(*method), Some(count), "{method} in {hits:?}");
    }
    // Compilers number them differently.
    let lambdas = hits.iter().filter(|(method, _)| method.starts_with("Gauntlet.lambda$lambdas$"));
    assert_eq!(lambdas.map(|(_, count)| count).sum::<u32>(), 10, "{hits:?}");
    assert_eq!(hits["wrong"], 0, "a call passed something else than it was to pass");
}

/// Lets `weave` put a call of `Probe.hit` with the given number, and whatever else, into each
/// method of the gauntlet, and runs it. The output must be the usual one.
fn run_woven(
    directory: &str,
    weave: impl Fn(&mut ClassFile<'static>, (MethodIndex, Method<'static>), Argument),
) -> Hits {
    let plain = jdk::Directory::new(&format!("{directory}-plain"));
    let woven = jdk::Directory::new(&format!("{directory}-woven"));
    let mut names = Vec::new();
    for class in jdk::fixture_classes() {
        write(&plain, class);
        if matches!(&*class.name, "Initialise" | "Launch" | "Probe" | "Refused") {
            write(&woven, class);
            continue;
        }
        let mut file = ClassFile::parse(&class.bytes).expect("javac writes class files");
        let methods: Vec<_> = file.methods().map(|(index, m)| (index, m.clone())).collect();
        for (index, method) in methods {
            if method.access_flags().is_abstract() {
                continue;
            }
            let number = Argument::Int(i16::try_from(names.len()).expect("methods are few"));
            names.push(name_of(&file, &method));
            weave(&mut file, (index, method), number);
        }
        write(&woven, &Class { name: class.name.clone(), bytes: file.to_bytes() });
    }
    assert!(names.len() > 50, "{names:?}");

    let (usual_output, silence) = launch(&plain, "Launch", &[]);
    assert_eq!(silence, "wrong 0\nthis 0\n", "unwoven classes call nobody");
    let (output, report) = launch(&woven, "Launch", &[]);
    assert_eq!(output, usual_output);
    hits(&names, &report)
}

fn name_of(class: &ClassFile, method: &Method) -> String {
    let class = String::from_utf8_lossy(class.name());
    format!("{class}.{}", String::from_utf8_lossy(method.name()))
}

fn write(directory: &Path, class: &Class) {
    let path = directory.join(&class.name).with_extension("class");
    fs::write(path, &class.bytes).expect("a class can be written");
}

/// Standard output and standard error of a main class of the fixture.
fn launch(directory: &Path, main: &str, arguments: &[String]) -> (String, String) {
    let mut java = jdk::tool("java");
    java.args(["-Xverify:all", "-cp"]).arg(directory).arg(main).args(arguments);
    let output = jdk::run(&mut java);
    let text = |bytes| String::from_utf8(bytes).expect("the fixture writes ASCII");
    (text(output.stdout), text(output.stderr))
}

fn hits(names: &[String], report: &str) -> Hits {
    let mut hits = Hits::new();
    for line in report.lines() {
        let (method, count) = line.split_once(' ').expect("a line of the report has two words");
        let name = match method.parse::<usize>() {
            Ok(number) => names[number].clone(),
            Err(_) => method.to_owned(),
        };
        // Overloads are counted together.
        *hits.entry(name).or_default() += count.parse::<u32>().expect("a count is a number");
    }
    hits
}
