//! Fields that what runs before each test sets.

use surefoot_classfile::{Action, ClassFile, How, MethodIndex, Source, Step, Use};

use super::{Field, declared};
use crate::program::{Program, read_by_name};

const SET_UP: [&[u8]; 3] = [
    b"Lorg/testng/annotations/BeforeMethod;",
    b"Lorg/junit/jupiter/api/BeforeEach;",
    b"Lorg/junit/Before;",
];

/// Of frameworks that make an instance for each test.
const TESTS: [&[u8]; 3] = [
    b"Lorg/junit/Test;",
    b"Lorg/junit/jupiter/api/Test;",
    b"Lorg/junit/jupiter/params/ParameterizedTest;",
];

/// If a class says how many instances there are, there may be one.
const INSTANCES: &[u8] = b"Lorg/junit/jupiter/api/TestInstance;";

const TEST_CASE: &[u8] = b"junit/framework/TestCase";

/// None if the code is not understood.
pub(super) fn is_set_before_each(program: &Program, field: &str) -> Option<bool> {
    let (class, name) = field.rsplit_once('.')?;
    let of_class = declared(program, field).filter(|field| field.is_static);
    let sets = |class: &ClassFile<'_>, method: MethodIndex| match &of_class {
        Some(_) => sets_whatever_happens(class, method, name.as_bytes()),
        None => Some(class.uses(method).ok()?.iter().any(|one| is_set(one, name.as_bytes()))),
    };
    let line = program.line(class.replace('.', "/").as_bytes());
    let is_made_anew = of_class.is_some() && has_an_instance_for_each_test(program, &line)?;
    let is_test_case = line.iter().any(|class| class == TEST_CASE);
    for class in &line {
        let Some(bytes) = program.class(class) else { continue };
        let class = ClassFile::parse(&bytes).ok()?;
        for (index, method) in class.methods() {
            let sets_up = match method.name() {
                b"<init>" => is_made_anew,
                b"setUp" if is_test_case => method.descriptor() == b"()V",
                _ => has_one_of(&class, index, &SET_UP)?,
            };
            if sets_up && sets(&class, index)? {
                // One of an instance is seen by those alone that have the instance.
                return of_class.map_or(Some(true), |field| is_its_own(program, &field));
            }
        }
    }
    Some(false)
}

fn has_one_of(class: &ClassFile<'_>, method: MethodIndex, wanted: &[&[u8]]) -> Option<bool> {
    Some(class.annotations(method).ok()?.iter().any(|one| wanted.contains(one)))
}

fn has_an_instance_for_each_test(program: &Program, line: &[Vec<u8>]) -> Option<bool> {
    let mut has_tests = line.iter().any(|class| class == TEST_CASE);
    for name in line {
        let Some(bytes) = program.class(name) else { continue };
        let class = ClassFile::parse(&bytes).ok()?;
        if bytes.windows(INSTANCES.len()).any(|part| part == INSTANCES) {
            return Some(false);
        }
        for (method, _) in class.methods() {
            has_tests |= has_one_of(&class, method, &TESTS)?;
        }
    }
    Some(has_tests)
}

fn is_set(one: &Use<'_>, name: &[u8]) -> bool {
    matches!(one.how, How::Writes | How::WritesStatic) && one.name == name
}

/// What is to stay for all tests is often made in set-up, too, but only once.
fn sets_whatever_happens(class: &ClassFile<'_>, method: MethodIndex, name: &[u8]) -> Option<bool> {
    let flow = class.flow(method).ok()?;
    let mut before_any_test = flow.steps.values().take_while(|step| step.action != Action::Tests);
    let is_read = |source: &Source| match source {
        Source::Step(at) => flow.steps.get(at).is_some_and(|step| reads(step, name)),
        _ => false,
    };
    Some(before_any_test.any(|step| match (&step.action, &step.operands[..]) {
        (Action::Uses(call), [of, arguments @ ..]) if call.how == How::Calls => {
            let is_constant = |one: &Source| *one == Source::Constant;
            let empties = match call.name {
                b"clear" => true,
                b"setLength" => arguments.iter().flatten().all(is_constant),
                name => name.starts_with(b"reset"),
            };
            empties && !of.is_empty() && of.iter().all(is_read)
        }
        (Action::Uses(one), _) => is_set(one, name),
        _ => false,
    }))
}

fn reads(step: &Step<'_>, name: &[u8]) -> bool {
    matches!(&step.action, Action::Uses(one) if one.how == How::ReadsStatic && one.name == name)
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
