//! Fields that what runs before each test sets.

use surefoot_classfile::{Action, ClassFile, How, MethodIndex, Use};

use super::{Field, declared};
use crate::program::{Program, read_by_name};

const SET_UP: [&[u8]; 3] = [
    b"Lorg/testng/annotations/BeforeMethod;",
    b"Lorg/junit/jupiter/api/BeforeEach;",
    b"Lorg/junit/Before;",
];

/// None if the code is not understood.
pub(super) fn is_set_before_each(program: &Program, field: &str) -> Option<bool> {
    let (class, name) = field.rsplit_once('.')?;
    let of_class = declared(program, field).filter(|field| field.is_static);
    let sets = |class: &ClassFile<'_>, method: MethodIndex| match &of_class {
        Some(_) => sets_whatever_happens(class, method, name.as_bytes()),
        None => Some(class.uses(method).ok()?.iter().any(|one| is_set(one, name.as_bytes()))),
    };
    for class in program.line(class.replace('.', "/").as_bytes()) {
        let Some(bytes) = program.class(&class) else { continue };
        let class = ClassFile::parse(&bytes).ok()?;
        for (method, _) in class.methods() {
            let sets_up = class.annotations(method).ok()?.iter().any(|one| SET_UP.contains(one));
            if sets_up && sets(&class, method)? {
                // One of an instance is seen by those alone that have the instance.
                return of_class.map_or(Some(true), |field| is_its_own(program, &field));
            }
        }
    }
    Some(false)
}

fn is_set(one: &Use<'_>, name: &[u8]) -> bool {
    matches!(one.how, How::Writes | How::WritesStatic) && one.name == name
}

/// What is to stay for all tests is often made in set-up, too, but only once.
fn sets_whatever_happens(class: &ClassFile<'_>, method: MethodIndex, name: &[u8]) -> Option<bool> {
    let flow = class.flow(method).ok()?;
    let mut before_any_test = flow.steps.values().take_while(|step| step.action != Action::Tests);
    Some(before_any_test.any(|step| matches!(step.action, Action::Uses(one) if is_set(&one, name))))
}

/// No other class names the static field.
fn is_its_own(program: &Program, field: &Field) -> Option<bool> {
    let is_it = |one: &Use<'_>| {
        let of_it = || one.class == field.class || program.extends(one.class, &field.class);
        one.name == field.name && of_it()
    };
    for bytes in program.naming(&[&field.name]) {
        let class = ClassFile::parse(&bytes).ok()?;
        let inner = class.name().strip_prefix(field.class.as_slice());
        if inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(b"$")) {
            continue;
        }
        for (method, _) in class.methods() {
            if class.uses(method).ok()?.iter().any(is_it) {
                return Some(false);
            }
        }
        if read_by_name(&class).contains(&field.name.as_slice()) {
            return Some(false);
        }
    }
    Some(true)
}
