//! Says of a changed static field how another test could see it and what would undo the change, by the class files of the
//! project.

use surefoot_model::{Evidence, Finding, FindingKind, Framework, Launch, Test, TestId, Watch};
use surefoot_strategy::Rerun;

/// What the line is labelled for machines. A technique that knows by itself has put one there.
const LABEL: &str = "visible";

pub(crate) fn name_ways_in(findings: &mut [Finding], watch: &Watch) {
    for finding in findings.iter_mut().filter(|finding| finding.kind == FindingKind::Pollution) {
        let known = finding.evidence.iter().any(|evidence| evidence.label == LABEL);
        let Some(launch) = finding.tests.first().and_then(|test| launch_of(watch, test)) else {
            continue;
        };
        // One between two points of a test has those behind its root.
        let root = finding.cause.split(", ").next().unwrap_or_default();
        let reader = || surefoot_jvm::reader(&launch.class_path, root);
        if let Some(reader) = (!known).then(reader).flatten() {
            let modifiers = match reader.modifiers.as_str() {
                "" => String::new(),
                modifiers => format!(" ({modifiers})"),
            };
            let text = format!("{}{modifiers} reads it", reader.name);
            // Behind the first place: reports have room for few lines.
            let at = finding.evidence.len().min(1);
            finding.evidence.insert(at, Evidence { label: LABEL.to_owned(), text });
        }
    }
}

/// Where the class of the field that a test trips over has a method that clears it, that is the fix.
pub(crate) fn name_ways_back(findings: &mut [Finding], watch: &Watch, rerun: &Rerun<'_>) {
    for finding in findings.iter_mut().filter(|finding| finding.kind == FindingKind::Nio) {
        let Some(test) = finding.tests.first() else { continue };
        let launch = launch_of(watch, test);
        let resetter = rerun
            .cause(test)
            .zip(launch)
            .and_then(|(root, launch)| surefoot_jvm::resetter(&launch.class_path, &root));
        if let Some(call) = resetter {
            let framework = watch.tests.get(test).map_or(Framework::JunitPlatform, Test::style);
            finding.fix = format!("call {call} in {}; or {}", framework.tear_down(), finding.fix);
        }
    }
}

fn launch_of<'a>(watch: &'a Watch, test: &TestId) -> Option<&'a Launch> {
    let vm = watch.vms.iter().find(|vm| vm.runs.iter().any(|run| run.test == *test))?;
    watch.launches.get(&vm.launch)
}
