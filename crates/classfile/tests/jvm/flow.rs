//! Where values come from in the code of real classes.

use surefoot_classfile::{Action, ClassFile, Flow, How, Source};

use crate::jdk;

fn flow_of<'a>(class: &ClassFile<'a>, method: &str) -> Flow<'a> {
    let (index, _) =
        class.methods().find(|(_, m)| m.name() == method.as_bytes()).expect("its method");
    class.flow(index).expect("code that is understood")
}

#[test]
fn all_code_of_real_classes_is_understood() {
    let mut steps = 0;
    for class in jdk::fixture_classes() {
        let class = ClassFile::parse(&class.bytes).unwrap();
        for (index, method) in class.methods() {
            let name = String::from_utf8_lossy(method.name()).into_owned();
            let flow = class.flow(index).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            let uses = class.uses(index).unwrap();
            let told = |how| uses.iter().filter(|one| one.how == how).count();
            let met = |how| {
                let is_it =
                    |action: &Action<'_>| matches!(action, Action::Uses(one) if one.how == how);
                flow.steps.values().filter(|step| is_it(&step.action)).count()
            };
            // Code that nothing leads to is not run.
            assert!(met(How::Calls) <= told(How::Calls), "{name}");
            steps += flow.steps.len();
        }
    }
    assert!(steps > 1000, "{steps}");
}

#[test]
fn what_is_returned_is_traced_to_where_it_comes_from() {
    let bytes = &jdk::fixture_class("Probe").bytes;
    let class = ClassFile::parse(bytes).unwrap();
    assert_eq!(flow_of(&class, "same").returned(), [Source::Parameter(0)].into());
    let report = flow_of(&class, "report");
    let called: Vec<&[u8]> = report
        .origins(&report.returned())
        .iter()
        .filter_map(|source| match source {
            Source::Step(at) => match report.steps.get(at)?.action {
                Action::Uses(one) => Some(one.name),
                _ => None,
            },
            _ => None,
        })
        .collect();
    for name in [&b"toString"[..], b"HITS", b"wrong"] {
        assert!(called.contains(&name), "{}", String::from_utf8_lossy(name));
    }
}
