//! Woven classes in a VM that verifies everything: the output is the same, the calls are counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use surefoot_classfile::{Argument, Call, ClassFile, Method, MethodIndex};

use crate::jdk::{self, Class};

const HIT: Call = Call { class: "Probe", method: "hit", descriptor: "(I)V" };
const HIT_THIS: Call =
    Call { class: "Probe", method: "hitThis", descriptor: "(Ljava/lang/Object;)V" };
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

#[test]
fn a_short_prologue_changes_nothing_but_the_count() {
    let hits = run_woven("short-prologue", |_, _| {});
    check_hits(&hits);
}

#[test]
fn prologues_on_prologues_change_nothing_but_the_count() {
    let hits = run_woven("long-prologue", |class, (index, method)| {
        let is_constructor = method.name() == b"<init>";
        let many = class.prepend_static_call(index, &HIT_MANY, &many_arguments());
        assert_eq!(many, Ok(()), "{}", name_of(class, &method));
        if !method.access_flags().is_static() && !is_constructor {
            let this = class.prepend_static_call(index, &HIT_THIS, &[Argument::Local(0)]);
            assert_eq!(this, Ok(()), "{}", name_of(class, &method));
        }
    });
    check_hits(&hits);
    assert!(hits["this"] > 20, "{hits:?}");
}

fn check_hits(hits: &Hits) {
    let expected = [
        ("Gauntlet.main", 1),
        ("Gauntlet.<clinit>", 1),
        ("Gauntlet.<init>", 2),
        // They loop many times, and are entered once and twice.
        ("Gauntlet.loopToStart", 1),
        ("Gauntlet.loopForever", 2),
        ("LongMethod.run", 1),
        ("Gauntlet.lines", 4),
        ("Gauntlet.caughtFromTheStart", 2),
        ("Gauntlet.manyHandlers", 4),
        ("Gauntlet$Colour.mood", 2),
        ("Gauntlet$Colour$1.mood", 1),
        ("Gauntlet$Inner.<init>", 3),
    ];
    for (method, count) in expected {
        assert_eq!(hits.get(method), Some(&count), "{method} in {hits:?}");
    }
    // Compilers number them differently.
    let lambdas = hits.iter().filter(|(method, _)| method.starts_with("Gauntlet.lambda$lambdas$"));
    assert_eq!(lambdas.map(|(_, count)| count).sum::<u32>(), 10, "{hits:?}");
    assert_eq!(hits["wrong"], 0, "a prologue passed something else than it was to pass");
}

/// Weaves a counting call into every method of the gauntlet, and `also` whatever else in front of
/// it, and runs it. Every method must take its prologue, and the output must be the usual one.
fn run_woven(
    directory: &str,
    also: impl Fn(&mut ClassFile<'static>, (MethodIndex, Method<'static>)),
) -> Hits {
    let plain = jdk::Directory::new(&format!("{directory}-plain"));
    let woven = jdk::Directory::new(&format!("{directory}-woven"));
    let mut names = Vec::new();
    for class in jdk::fixture_classes() {
        write(&plain, class, &class.bytes);
        if matches!(&*class.name, "Launch" | "Probe" | "Refused") {
            write(&woven, class, &class.bytes);
            continue;
        }
        let mut file = ClassFile::parse(&class.bytes).expect("javac writes class files");
        let methods: Vec<_> = file.methods().map(|(index, m)| (index, m.clone())).collect();
        for (index, method) in methods {
            if method.access_flags().is_abstract() {
                continue;
            }
            let number = Argument::Int(i16::try_from(names.len()).expect("methods are few"));
            let name = name_of(&file, &method);
            assert_eq!(file.prepend_static_call(index, &HIT, &[number]), Ok(()), "{name}");
            names.push(name);
            also(&mut file, (index, method));
        }
        write(&woven, class, &file.to_bytes());
    }
    assert!(names.len() > 50, "{names:?}");

    let (usual_output, silence) = launch(&plain);
    assert_eq!(silence, "wrong 0\nthis 0\n", "unwoven classes call nobody");
    let (output, report) = launch(&woven);
    assert_eq!(output, usual_output);
    hits(&names, &report)
}

fn name_of(class: &ClassFile, method: &Method) -> String {
    let class = String::from_utf8_lossy(class.name());
    format!("{class}.{}", String::from_utf8_lossy(method.name()))
}

fn write(directory: &Path, class: &Class, bytes: &[u8]) {
    let path = directory.join(&class.name).with_extension("class");
    fs::write(path, bytes).expect("a class can be written");
}

/// Standard output and standard error of the gauntlet.
fn launch(directory: &Path) -> (String, String) {
    let output =
        jdk::run(jdk::tool("java").args(["-Xverify:all", "-cp"]).arg(directory).arg("Launch"));
    let text = |bytes| String::from_utf8(bytes).expect("the gauntlet writes ASCII");
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
