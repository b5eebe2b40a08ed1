//! Static fields that the initialiser of another class sets, and nothing else does.
//!
//! Such a field is set as soon as that class is used, whoever uses it, as are the fields of the class itself.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_classfile::{ClassFile, How};

use crate::program::Program;

/// By their names, `com.acme.Access.instance`. None if any code is not understood: it may set anything.
pub fn set_by_initialisers(class_path: &[String]) -> BTreeSet<String> {
    writers(&Program::read(class_path)).unwrap_or_default()
}

/// Class and name, as class files spell them.
type Field = (Vec<u8>, Vec<u8>);

fn writers(program: &Program) -> Option<BTreeSet<String>> {
    let mut by_initialisers: BTreeSet<Field> = BTreeSet::new();
    // Code may name a field by a class that extends the one that declares it.
    let mut by_others: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>> = BTreeMap::new();
    for bytes in program.classes() {
        let class = ClassFile::parse(&bytes).ok()?;
        for (index, method) in class.methods() {
            for one in class.uses(index).ok()? {
                if one.how != How::WritesStatic {
                    continue;
                }
                let (of, name) = (one.class.to_vec(), one.name.to_vec());
                match method.name() == b"<clinit>" {
                    true if of != class.name() => drop(by_initialisers.insert((of, name))),
                    true => {}
                    false => drop(by_others.entry(name).or_default().insert(of)),
                }
            }
        }
    }
    by_initialisers.retain(|(class, name)| {
        let others = by_others.get(name).into_iter().flatten();
        !others.into_iter().any(|other| program.extends(other, class))
    });
    let readable = |(class, name): Field| {
        let class = String::from_utf8(class).ok()?.replace('/', ".");
        Some(format!("{class}.{}", String::from_utf8(name).ok()?))
    };
    Some(by_initialisers.into_iter().filter_map(readable).collect())
}
