//! Findings of pollution in words.

use surefoot_model::{
    Access, CapturePoints, Confidence, Difference, DifferenceKind, Evidence, Finding, FindingKind,
    Framework, TestId,
};

use super::python;
use super::relevance::Relevance;
use super::roots::Polluted;
use crate::shell::quoted;

/// What the root is called that is the object on which all tests of a class run, before the name of the class.
pub(super) const INSTANCE: &str = "instance of ";

/// Most places below one root that a finding names.
pub(super) const MOST_PLACES: usize = 5;

pub(super) fn finding(name: &str, root: &Polluted<'_>, framework: Framework) -> Finding {
    let mut places: Vec<&Difference> = root.places.values().copied().collect();
    places.sort_by_key(|place| (Relevance::of(place), place.steps, &place.path));
    let mut evidence: Vec<Evidence> = places
        .iter()
        .take(MOST_PLACES)
        .map(|place| Evidence { label: "path".to_owned(), text: words(place) })
        .collect();
    if let Some(text) = visible(name, root.access).filter(|_| framework != Framework::Pytest) {
        evidence.insert(1, Evidence { label: "visible".to_owned(), text: text.to_owned() });
    }
    if places.len() > MOST_PLACES {
        let text = format!("and {} more places below {name}", places.len() - MOST_PLACES);
        evidence.push(Evidence { label: "more".to_owned(), text });
    }
    // The test that is named first is one that does what is shown first.
    let shows_first =
        |test: &&&TestId| places.first().is_some_and(|place| root.tests[**test].path == place.path);
    let first = root.tests.keys().find(shows_first).copied();
    let others = root.tests.keys().copied().filter(|test| Some(*test) != first);
    let tests: Vec<TestId> = first.into_iter().chain(others).cloned().collect();
    Finding {
        kind: FindingKind::Pollution,
        verdict: format!("leaves {name} changed"),
        confidence: Confidence { seen: root.seen, of: root.of },
        evidence,
        reproduce: reproduce(tests[0].as_str(), name),
        fix: match framework {
            Framework::Pytest => python::fix(name, places.first().copied()),
            _ => {
                let kind = places.first().map(|place| place.kind);
                fix(name, root.access, kind, framework.tear_down())
            }
        },
        cause: name.to_owned(),
        choosing: None,
        tests,
    }
}

/// Alone, a test may well be the first to fill what others fill, too: then it would not be worth a report.
fn reproduce(tests: &str, root: &str) -> String {
    format!("surefoot pollution {} --root {}", quoted(tests), quoted(root))
}

/// What was seen between two points, and may well be undone after the second.
pub(super) fn between(mut finding: Finding, points: CapturePoints) -> Finding {
    let (from, to) = (points.from.name(), points.to.name());
    let text = match points.is_across_runs() {
        true => format!("from {from} of one run to that of the next run of the same test"),
        false => format!("from {from} to {to}; what happens before and after is not compared"),
    };
    // Behind the first place: reports have room for few lines.
    let at = finding.evidence.len().min(1);
    finding.evidence.insert(at, Evidence { label: "between".to_owned(), text });
    let left = finding.verdict.strip_prefix("leaves ").and_then(|it| it.strip_suffix(" changed"));
    if let Some(name) = left {
        finding.verdict = format!("changes {name}");
    }
    finding.cause = format!("{}, {points}", finding.cause);
    finding.reproduce += &format!(" --capture {points}");
    finding
}

/// Of a class whose set-up or tear-down, and not its tests, leaves a root changed.
pub(super) fn class_finding(
    class: &str,
    name: &str,
    root: &Polluted<'_>,
    framework: Framework,
) -> Finding {
    let first = root.places.values().min_by_key(|place| (Relevance::of(place), place.steps));
    let kind = first.map(|place| place.kind);
    Finding {
        verdict: format!("class-level set-up leaves {name} changed"),
        reproduce: reproduce(class, name),
        fix: fix(name, root.access, kind, framework.class_tear_down()),
        ..finding(name, root, framework)
    }
}

/// How another test could see a field that its class does not keep for itself.
fn visible(name: &str, access: Access) -> Option<&'static str> {
    match access {
        _ if name.starts_with(INSTANCE) => Some("all tests of the class run on this instance"),
        Access::Public => Some("any code can read the field: it is public"),
        Access::Protected => Some("subclasses and classes of its package can read the field"),
        Access::Package => Some("classes of its package can read the field"),
        Access::Private | Access::Process | Access::File => None,
    }
}

/// `com.acme.Shop.open: true → false`
pub(crate) fn words(difference: &Difference) -> String {
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
    let (before, after) = (side(&difference.before), side(&difference.after));
    let path = &difference.path;
    match difference.kind {
        DifferenceKind::Value | DifferenceKind::Content => format!("{path}: {before} → {after}"),
        DifferenceKind::Added => format!("{path} was added: {after}"),
        DifferenceKind::Removed => format!("{path} was removed: {before}"),
        DifferenceKind::Order => format!("{path}: another order"),
        DifferenceKind::Sharing => {
            format!("{path} is another object than before: {before} → {after}")
        }
        DifferenceKind::Rewritten => format!("{path} was written again: {after}"),
    }
}

/// What to do about a root that is left changed.
pub(crate) fn fix(
    root: &str,
    access: Access,
    kind: Option<DifferenceKind>,
    tear_down: &str,
) -> String {
    if access == Access::Process {
        let undo = match root {
            "System.getProperties()" => {
                "remember the property, and set or clear it again with System.setProperty or System.clearProperty"
            }
            "System.out" | "System.err" | "System.in" => "set the stream back to what it was",
            "live threads" => "end the thread, or shut its executor down, and wait for it",
            "listening sockets" => "close the server by try-with-resources, or, if tests share it",
            "Security.getProviders()" => "take the provider out with Security.removeProvider",
            "shutdown hooks" if kind == Some(DifferenceKind::Removed) => {
                "add the hook again with Runtime.addShutdownHook"
            }
            "shutdown hooks" => "remove the hook with Runtime.removeShutdownHook",
            _ => "set it back to what it was",
        };
        return format!("{undo}, in {tear_down}");
    }
    match kind {
        _ if root.starts_with(INSTANCE) => {
            format!("set its fields anew before each test, or back in {tear_down}")
        }
        Some(DifferenceKind::Added) => {
            format!(
                "take out in {tear_down} what the test put in, or give each test an instance of its own"
            )
        }
        Some(DifferenceKind::Removed) => {
            format!(
                "put back in {tear_down} what the test took out, or give each test an instance of its own"
            )
        }
        _ => format!("set {root} back in {tear_down}, or make it no static field"),
    }
}
