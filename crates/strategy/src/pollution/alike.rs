//! Roots that the same tests change in the same way: whatever does that, does it to all of them.

use std::collections::BTreeMap;

use surefoot_model::{Access, Difference, DifferenceKind, Evidence, Finding, TestId};

use super::python::is_loaded_again;
use super::roots::Polluted;

/// One place may be alike by chance: a test that adds the same to two lists has two causes.
const FEWEST_PLACES: usize = 2;

/// Most roots that a finding names besides the first.
const MOST_NAMED: usize = 5;

/// Below a root: where, and what was there before and after.
type Place<'a> = (&'a str, DifferenceKind, Option<&'a str>, Option<&'a str>);

/// With the tests, what tells roots that are alike.
type Likeness<'a> = (Vec<&'a TestId>, Vec<Place<'a>>);

/// The roots, those that are alike together, by the name of the first.
pub(super) fn alike<'a>(
    roots: impl Iterator<Item = (&'a str, &'a Polluted<'a>)>,
) -> Vec<Vec<(&'a str, &'a Polluted<'a>)>> {
    let mut groups: Vec<Vec<(&str, &Polluted<'_>)>> = Vec::new();
    let mut known: BTreeMap<Likeness<'_>, usize> = BTreeMap::new();
    for (name, root) in roots {
        let at = likeness(name, root).map(|like| *known.entry(like).or_insert(groups.len()));
        match at.and_then(|at| groups.get_mut(at)) {
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
    Some((root.tests.keys().copied().collect(), places?))
}

const LOADED_AGAIN: Place<'_> = ("", DifferenceKind::Sharing, None, None);

/// The finding about the first, with the names of the others.
pub(super) fn with_others(mut finding: Finding, others: &[(&str, &Polluted<'_>)]) -> Finding {
    if others.is_empty() {
        return finding;
    }
    let named: Vec<&str> = others.iter().take(MOST_NAMED).map(|(name, _)| *name).collect();
    let dots = if others.len() > named.len() { ", …" } else { "" };
    let text = format!("the same in {} more: {}{dots}", others.len(), named.join(", "));
    // Behind the first place: reports have room for few lines.
    let at = finding.evidence.len().min(1);
    finding.evidence.insert(at, Evidence { label: "alike".to_owned(), text });
    finding
}
