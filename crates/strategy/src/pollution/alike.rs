//! Roots that the same tests change in the same way, attributes of one class that they add, and what one inherited test changes in
//! several classes: whatever does that, does it to all of them.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{Access, Difference, DifferenceKind, Evidence, Finding, Test, TestId};

use super::python::is_loaded_again;
use super::roots::Polluted;

/// One place may be alike by chance: a test that adds the same to two lists has two causes.
const FEWEST_PLACES: usize = 2;

/// Most roots that a finding names besides the first.
const MOST_NAMED: usize = 5;

/// Below a root: where, and what was there before and after.
type Place<'a> = (&'a str, DifferenceKind, Option<&'a str>, Option<&'a str>);

/// What roots that are alike have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Likeness<'a> {
    Places(Vec<&'a TestId>, Vec<Place<'a>>),
    /// Attributes that one module or class gains, or loses.
    Attributes(Vec<&'a TestId>, DifferenceKind, &'a str),
    /// An attribute of the class that the tests are of.
    OfItsClass {
        module: &'a str,
        attribute: &'a str,
        methods: BTreeSet<&'a str>,
    },
}

/// The roots, those that are alike together, by the name of the first.
pub(super) fn alike<'a>(
    roots: impl Iterator<Item = (&'a str, &'a Polluted<'a>)>,
    tests: &'a BTreeMap<TestId, Test>,
) -> Vec<Vec<(&'a str, &'a Polluted<'a>)>> {
    let mut groups: Vec<Vec<(&str, &Polluted<'_>)>> = Vec::new();
    let mut known: BTreeMap<Likeness<'_>, usize> = BTreeMap::new();
    for (name, root) in roots {
        let likes = [likeness(name, root), attributes(name, root), of_its_class(name, root, tests)];
        let at = likes.iter().flatten().find_map(|like| known.get(like).copied());
        let at = at.unwrap_or(groups.len());
        known.extend(likes.into_iter().flatten().map(|like| (like, at)));
        match groups.get_mut(at) {
            Some(group) => group.push((name, root)),
            None => groups.push(vec![(name, root)]),
        }
    }
    groups
}

/// None if it is like no other: a root that is another value now says nothing of what else is, unless its code was loaded again.
fn likeness<'a>(name: &str, root: &'a Polluted<'a>) -> Option<Likeness<'a>> {
    let place = |(path, one): (&&'a str, &&'a Difference)| match path.strip_prefix(name)? {
        "" => is_loaded_again(one).then_some(LOADED_AGAIN),
        below => Some((below, one.kind, one.before.as_deref(), one.after.as_deref())),
    };
    let places: Option<Vec<Place<'_>>> = root.places.iter().map(place).collect();
    let places = places.filter(|places| {
        let is_certain = places.len() >= FEWEST_PLACES || places[..] == [LOADED_AGAIN];
        root.access != Access::Process && is_certain
    });
    Some(Likeness::Places(root.tests.keys().copied().collect(), places?))
}

fn attributes<'a>(name: &'a str, root: &'a Polluted<'a>) -> Option<Likeness<'a>> {
    let (owner, _) = name.rsplit_once('.').filter(|_| root.access != Access::Process)?;
    let kind = root.places.get(name)?.kind;
    let is_attribute = matches!(kind, DifferenceKind::Added | DifferenceKind::Removed);
    let tests = root.tests.keys().copied().collect();
    is_attribute.then_some(Likeness::Attributes(tests, kind, owner))
}

/// Classes of one module have tests of the same names from a class that they extend.
fn of_its_class<'a>(
    name: &'a str,
    root: &'a Polluted<'a>,
    tests: &'a BTreeMap<TestId, Test>,
) -> Option<Likeness<'a>> {
    let (owner, attribute) = name.rsplit_once('.')?;
    let (module, class) = owner.rsplit_once('.')?;
    let of_class = |test: &&'a TestId| {
        let test = tests.get(*test)?;
        let is_of_it = test.class.rsplit([':', '.', '$']).next() == Some(class);
        test.method.as_deref().filter(|_| is_of_it)
    };
    let methods: Option<BTreeSet<&str>> = root.tests.keys().map(of_class).collect();
    Some(Likeness::OfItsClass { module, attribute, methods: methods? })
}

const LOADED_AGAIN: Place<'_> = ("", DifferenceKind::Sharing, None, None);

/// The finding about the first, with the names of the others, and their tests.
pub(super) fn with_others(mut finding: Finding, others: &[(&str, &Polluted<'_>)]) -> Finding {
    if others.is_empty() {
        return finding;
    }
    for (_, root) in others {
        let known: BTreeSet<TestId> = finding.tests.iter().cloned().collect();
        let new: Vec<TestId> =
            root.tests.keys().copied().filter(|test| !known.contains(*test)).cloned().collect();
        if !new.is_empty() {
            finding.confidence.seen += root.seen;
            finding.confidence.of += root.of;
            finding.tests.extend(new);
        }
    }
    let named: Vec<&str> = others.iter().take(MOST_NAMED).map(|(name, _)| *name).collect();
    let dots = if others.len() > named.len() { ", …" } else { "" };
    let text = format!("the same in {} more: {}{dots}", others.len(), named.join(", "));
    // Behind the first place: reports have room for few lines.
    let at = finding.evidence.len().min(1);
    finding.evidence.insert(at, Evidence { label: "alike".to_owned(), text });
    finding
}
