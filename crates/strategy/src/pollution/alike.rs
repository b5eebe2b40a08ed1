//! Roots that the same tests change in the same way, attributes of one class or module that they add or set, what one inherited
//! test changes in several classes, and attributes of one name that several of Python's classes or functions have: whatever does
//! that, does it to all of them.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{
    Access, Difference, DifferenceKind, Evidence, Finding, Framework, Test, TestId,
};

use super::python::is_loaded_again;
use super::roots::Polluted;

/// One place may be alike by chance: a test that adds the same to two lists has two causes.
const FEWEST_PLACES: usize = 2;

/// So many attributes that are set by the same tests, or have the same name, are so by one line of code.
const FEWEST_ATTRIBUTES: usize = 3;

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
    /// Attributes that one module or class of Python's has, and that mostly the same tests set.
    Set(&'a str),
    /// An attribute that classes have of one that they extend, and functions of what decorates them.
    Name(&'a str),
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
    let roots: Vec<(&str, &Polluted<'_>)> = roots.collect();
    let setters = setters(&roots, tests);
    let of_many = |name, root| [set(name, root, &setters), of_one_name(name, root, tests)];
    let mut numbers: BTreeMap<Likeness<'_>, usize> = BTreeMap::new();
    for (name, root) in &roots {
        for like in of_many(name, root).into_iter().flatten() {
            *numbers.entry(like).or_default() += 1;
        }
    }
    let mut groups: Vec<Vec<(&str, &Polluted<'_>)>> = Vec::new();
    let mut known: BTreeMap<Likeness<'_>, usize> = BTreeMap::new();
    for (name, root) in roots {
        let is_one_of_many =
            |like: &Likeness<'_>| numbers.get(like).is_some_and(|n| *n >= FEWEST_ATTRIBUTES);
        let [set, of_one_name] = of_many(name, root).map(|like| like.filter(is_one_of_many));
        let likes = [
            likeness(name, root),
            attributes(name, root),
            of_its_class(name, root, tests),
            set,
            of_one_name,
        ];
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

/// By the module or class: the functions of the tests that set the attribute that most set.
type Setters<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

fn setters<'a>(
    roots: &[(&'a str, &'a Polluted<'a>)],
    tests: &BTreeMap<TestId, Test>,
) -> Setters<'a> {
    let mut setters = Setters::new();
    for (name, root) in roots {
        if let Some(owner) = owner_of_set(name, root).filter(|_| is_of_pytest(root, tests)) {
            let most = setters.entry(owner).or_default();
            let functions: BTreeSet<&str> = root.tests.keys().map(|test| function(test)).collect();
            if functions.len() > most.len() {
                *most = functions;
            }
        }
    }
    setters
}

fn set<'a>(name: &'a str, root: &Polluted<'a>, setters: &Setters<'a>) -> Option<Likeness<'a>> {
    let owner = owner_of_set(name, root)?;
    let setters = setters.get(owner)?;
    let theirs = root.tests.keys().filter(|test| setters.contains(function(test))).count();
    (2 * theirs > root.tests.len()).then_some(Likeness::Set(owner))
}

/// `test_cart.py::test_pays` of `test_cart.py::test_pays[cash]`.
fn function(test: &TestId) -> &str {
    let id = test.as_str();
    let name = id.find("::").unwrap_or(0);
    let end = id[name..].find('[').map_or(id.len(), |at| name + at);
    &id[..end]
}

/// Of an attribute that is another one now.
fn owner_of_set<'a>(name: &'a str, root: &Polluted<'_>) -> Option<&'a str> {
    let (owner, _) = name.rsplit_once('.')?;
    let kinds = [DifferenceKind::Value, DifferenceKind::Sharing, DifferenceKind::Added];
    kinds.contains(&root.places.get(name)?.kind).then_some(owner)
}

/// `_params` of `shop.Cart._params["id"]`, and `statistics` of `shop.buy.statistics["calls"]`.
fn of_one_name<'a>(
    name: &'a str,
    root: &'a Polluted<'a>,
    tests: &BTreeMap<TestId, Test>,
) -> Option<Likeness<'a>> {
    if !is_of_pytest(root, tests) {
        return None;
    }
    let (owner, attribute) = name.rsplit_once('.')?;
    // `Cart` and not `CARTS`.
    let is_class = |name: &str| {
        name.starts_with(|c: char| c.is_uppercase()) && name.contains(|c: char| c.is_lowercase())
    };
    let of_root =
        |path: &&str| path.strip_prefix(name).is_some_and(|below| !below.starts_with('.'));
    if owner.rsplit('.').next().is_some_and(is_class) && root.places.keys().all(of_root) {
        return Some(Likeness::Name(attribute));
    }
    let steps = root.places.iter().map(|(path, one)| {
        let step =
            path.strip_prefix(name)?.strip_prefix('.')?.split(['.', '[', '{', ' ']).next()?;
        (is_class(attribute) || is_of_function(one, step)).then_some(step)
    });
    let steps: BTreeSet<&str> = steps.collect::<Option<_>>()?;
    steps.first().filter(|_| steps.len() == 1).map(|attribute| Likeness::Name(attribute))
}

/// Whether what differs is kept in this attribute of a function.
fn is_of_function(difference: &Difference, attribute: &str) -> bool {
    let field = difference.field.as_deref().and_then(|field| field.strip_prefix("function "));
    field.and_then(|field| field.rsplit_once('.')).is_some_and(|(_, name)| name == attribute)
}

fn is_of_pytest(root: &Polluted<'_>, tests: &BTreeMap<TestId, Test>) -> bool {
    let is_pytest =
        |test: &&TestId| tests.get(*test).is_some_and(|test| test.framework == Framework::Pytest);
    root.access != Access::Process && root.tests.keys().all(is_pytest)
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
