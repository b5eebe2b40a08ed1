//! Classes of the JDK, woven, in front of the verifier of a VM that runs on them.

use std::fs;
use std::path::Path;

use surefoot_classfile::{Argument, Call, ClassFile, Refusal};

use crate::assembled::{Initialiser, assemble};
use crate::jdk;

const INITIALISED: Call =
    Call { class: "java/lang/InitialisedProbe", method: "initialised", descriptor: "(I)V" };

/// What `InitialisedProbe` counts from; beyond 16 bits.
const FIRST_NUMBER: i32 = 100_000;

/// In the others every method is woven: the VM starts without them.
const WOVEN_AT_CLINIT: &str = "java.base";
const MODULES: [&str; 3] = [WOVEN_AT_CLINIT, "java.net.http", "java.xml"];

/// Takes something from its empty stack, and so shows that there is a verifier.
const BROKEN: Initialiser =
    Initialiser { name: "java/lang/Broken", max_stack: 1, code: &[0x57, 0xB1], handler: None };

#[test]
fn a_vm_starts_from_woven_classes_and_its_verifier_takes_them_all() {
    let directory = jdk::Directory::new("verifier");
    let mut list = Vec::new();
    jdk::for_each_class_of(&jdk::home(), &MODULES, |class| {
        let path = class.name.strip_prefix("/modules/").expect("a class is in a module");
        let (module, file) = path.split_once('/').expect("a module is a directory");
        let number = FIRST_NUMBER + i32::try_from(list.len()).expect("classes are few");
        if let Some(woven) = weave(&class.bytes, module == WOVEN_AT_CLINIT, number) {
            write(&directory.join(path), &woven);
            list.push(line_of(number, file.trim_end_matches(".class")));
        }
    });
    let woven = list.len();
    assert!(woven > 3_000, "only {woven} classes were woven");
    let patch = directory.join(WOVEN_AT_CLINIT);
    let broken = assemble(BROKEN.name, [0, 0, 0, 49], &BROKEN);
    write(&patch.join(BROKEN.name).with_extension("class"), &broken);
    list.push(line_of(FIRST_NUMBER, BROKEN.name));
    write(&directory.join("list"), list.join("\n").as_bytes());

    let report = link_classes(&directory);
    let mut report = report.lines();
    assert_eq!(report.next(), Some(&*format!("linked {woven}")));
    let (refused, initialised): (Vec<_>, Vec<_>) =
        report.partition(|line| line.starts_with("refused "));
    let expected = "refused java.lang.Broken java.lang.VerifyError";
    let only_broken = matches!(refused[..], [refused] if refused.starts_with(expected));
    assert!(only_broken, "{refused:#?}");
    assert!(initialised.len() > 200, "{initialised:#?}");
    assert!(initialised.contains(&"initialised java.lang.System 1"), "{initialised:#?}");
    assert!(initialised.iter().all(|line| line.ends_with(" 1")), "{initialised:#?}");
}

/// The class with a call at the end of its `<clinit>`, or of all its methods; none if it has none.
fn weave(class: &[u8], only_clinit: bool, number: i32) -> Option<Vec<u8>> {
    let mut file = ClassFile::parse(class).expect("the JDK holds class files");
    let chosen = file.methods().filter(|(_, method)| {
        let without_code = method.access_flags().is_abstract() || method.access_flags().is_native();
        !without_code && (!only_clinit || method.name() == b"<clinit>")
    });
    let chosen: Vec<_> = chosen.map(|(index, _)| index).collect();
    for &index in &chosen {
        match file.append_static_call(index, &INITIALISED, &[Argument::WideInt(number)]) {
            Ok(()) | Err(Refusal::NoReturn) => {}
            Err(refusal) => panic!("{}: {refusal}", String::from_utf8_lossy(file.name())),
        }
    }
    (!chosen.is_empty()).then(|| file.to_bytes())
}

fn line_of(number: i32, class: &str) -> String {
    format!("{number} {}", class.replace('/', "."))
}

fn write(path: &Path, bytes: &[u8]) {
    let directory = path.parent().expect("a file is in a directory");
    fs::create_dir_all(directory).expect("a directory can be made");
    fs::write(path, bytes).expect("a file can be written");
}

/// What `LinkClasses` says in a VM that has the modules from `directory`.
fn link_classes(directory: &Path) -> String {
    let base = directory.join(WOVEN_AT_CLINIT);
    let sources = ["InitialisedProbe.java", "LinkClasses.java"].map(jdk::java_source);
    let of_base = sources[0].parent().expect("a source is in a directory");
    jdk::run(
        jdk::tool("javac")
            .arg("--patch-module")
            .arg(format!("{WOVEN_AT_CLINIT}={}", of_base.display()))
            .arg("-d")
            .arg(base)
            .args(&sources),
    );
    let mut java = jdk::tool("java");
    java.arg("-Xverify:all");
    for module in MODULES {
        let patch = format!("{module}={}", directory.join(module).display());
        java.arg("--patch-module").arg(patch);
    }
    let output = jdk::run(java.arg("java.lang.LinkClasses").arg(directory.join("list")));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
