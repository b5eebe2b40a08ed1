//! What tests change, by root, and what of it is worth a report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use surefoot_model::{
    Access, Difference, DifferenceKind, Filling, StateChange, Suppressed, TestId,
};

use super::relevance::is_nothing;
use super::words::INSTANCE;
use super::{Pollution, Relevance, python};

/// What the code of the program says of its fields.
pub trait Code: fmt::Debug {
    /// How a field that was null comes to be set. The field is named by the class of its object: `com.acme.Shop.open`.
    fn set(&self, test: &TestId, field: &str) -> Filling;
    /// How a map in a field, or an array that is used like one, comes to its entries.
    fn entered(&self, test: &TestId, field: &str) -> Filling;
    /// How a thread local in a field comes to what it holds.
    fn held(&self, test: &TestId, field: &str) -> Filling;
    /// Whether all who use the object in a field reset it first.
    fn is_reset_before_use(&self, test: &TestId, field: &str) -> bool;
    /// Whether what runs before each test of its class sets the field, or all who use it do so first.
    fn is_set_before_each(&self, test: &TestId, field: &str) -> bool;
}

/// What becomes of a difference that no rule suppresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Reported,
    Lazy,
    Memo,
    /// What was worked out together with a flag that says so.
    Prepared,
    SetUp,
    /// What whoever uses it resets before.
    Scratch,
    Fresh,
    Counter,
    Deep,
    /// A generator of random numbers that went on, as it does with each number.
    Drawn,
    /// What the function of the test itself holds.
    Own,
    /// The name of the test that runs.
    Name,
}

/// One root that tests change.
#[derive(Debug)]
pub(super) struct Polluted<'a> {
    pub(super) access: Access,
    /// With one difference below the root for each, the shortest path.
    pub(super) tests: BTreeMap<&'a TestId, &'a Difference>,
    /// By path.
    pub(super) places: BTreeMap<&'a str, &'a Difference>,
    /// Whoever showed it, once or more often.
    all: Vec<(&'a TestId, &'a Difference)>,
    pub(super) seen: u32,
    pub(super) of: u32,
}

impl<'a> Polluted<'a> {
    pub(super) fn new(difference: &'a Difference) -> Polluted<'a> {
        let (tests, places) = (BTreeMap::new(), BTreeMap::new());
        Polluted { access: difference.access, tests, places, all: Vec::new(), seen: 0, of: 0 }
    }
}

/// What the suite showed in the opposite order.
#[derive(Debug, Default)]
pub(super) struct OnDemand<'a> {
    /// Roots, or fields of an instance, with the tests that change them in the order of the suite and not when others came before: so
    /// others bring them to the same, and whoever comes first does. A test that only sets back what another one did changes nothing
    /// there either, but that other one does.
    by_the_first: BTreeSet<(&'a TestId, &'a str)>,
    /// Places that tests change which do something below the same root in either order.
    in_either_order: BTreeSet<&'a str>,
}

impl OnDemand<'_> {
    /// One that changes the same place as a test that is to blame is to blame itself, if only it comes first.
    fn is_excused(&self, test: &TestId, difference: &Difference) -> bool {
        self.by_the_first.contains(&(test, part(difference)))
            && !self.in_either_order.contains(difference.path.as_str())
    }
}

/// What belongs together: a root, but of the instance that tests share each field by itself. From
/// `instance of a.B.orders[0]` to `instance of a.B.orders`.
pub(super) fn part(difference: &Difference) -> &str {
    let Difference { root, path, .. } = difference;
    match path.strip_prefix(root).filter(|_| root.starts_with(INSTANCE)) {
        Some(below) => {
            let field = below.get(1..).unwrap_or_default();
            let end = field.find(['.', '[', '{']).map_or(path.len(), |end| root.len() + 1 + end);
            path.get(..end).unwrap_or(path)
        }
        None => root,
    }
}

/// More or less in a collection, and not an attribute that an object of Python's did not have.
fn is_entry(difference: &Difference) -> bool {
    let name = difference.field.as_deref().and_then(|field| field.rsplit('.').next());
    let below = name.and_then(|name| difference.path.strip_suffix(name));
    let is_more_or_less =
        matches!(difference.kind, DifferenceKind::Added | DifferenceKind::Removed);
    is_more_or_less && !below.is_some_and(|path| path.ends_with('.'))
}

fn changes(look: &StateChange, root: &str) -> bool {
    look.differences.iter().any(|difference| difference.root == root)
}

impl Pollution<'_> {
    /// What is not reported, and why.
    pub fn suppressed(&self) -> Vec<Suppressed> {
        if !self.roots.is_empty() {
            return Vec::new();
        }
        let mut suppressed: BTreeMap<&str, Suppressed> = BTreeMap::new();
        let of_classes = self.of_classes().map(|(_, test, difference)| (test, difference));
        let by_rules = self.all().chain(of_classes).filter_map(|(test, difference)| {
            let (rule, reason) = self.rules.suppresses(difference)?;
            Some((rule, reason, difference.root.as_str(), test))
        });
        let polluted = self.polluted();
        let by_relevance = polluted.iter().filter_map(|((root, group), polluted)| {
            let (rule, reason) = match group {
                Group::Reported => return None,
                Group::Lazy => ("lazy", "set when first asked for"),
                Group::Prepared => ("prepared", "worked out together with a flag that says so"),
                Group::SetUp => ("set-up", "set anew before each test"),
                Group::Scratch => ("scratch", "whoever uses it resets it first"),
                Group::Fresh => {
                    ("fresh-value", "another value in every VM, before as well as after")
                }
                Group::Memo => ("memo", "remembers what is worked out from the key"),
                Group::Counter => ("counter", "counts what happened"),
                Group::Deep => ("deep", "far from any root"),
                Group::Drawn => ("random", "a random generator moves on with each number"),
                Group::Name => ("test-name", "what runs the tests writes down which one it is"),
                Group::Own => (
                    "own-function",
                    "what the test's function keeps, in a decorator or a default argument: no other test sees it",
                ),
            };
            Some(polluted.tests.keys().map(move |test| (rule, reason, *root, *test)))
        });
        let of_files = self.files.suppressed(&self.rules);
        for (rule, reason, root, test) in by_rules.chain(by_relevance.flatten()).chain(of_files) {
            let entry = suppressed.entry(rule).or_insert_with(|| Suppressed {
                rule: rule.to_owned(),
                reason: reason.to_owned(),
                roots: BTreeMap::new(),
            });
            entry.roots.entry(root.to_owned()).or_default().insert(test.clone());
        }
        suppressed.into_values().collect()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&TestId, &Difference)> {
        self.looks.iter().flat_map(|(test, looks)| {
            looks
                .iter()
                .flat_map(|look| &look.differences)
                .map(move |difference| (test, difference))
        })
    }

    /// What no rule suppresses, by root; what is worth a report apart from what is not.
    pub(super) fn polluted(&self) -> BTreeMap<(&str, Group), Polluted<'_>> {
        let mut polluted: BTreeMap<(&str, Group), Polluted<'_>> = BTreeMap::new();
        let on_demand = self.on_demand();
        for (test, difference) in self.all() {
            if self.counts(difference) {
                let group = self.group(test, difference, &on_demand);
                let key = (difference.root.as_str(), group);
                let root = polluted.entry(key).or_insert_with(|| Polluted::new(difference));
                root.tests.entry(test).or_insert(difference);
                root.all.push((test, difference));
            }
        }
        for ((name, _), root) in &mut polluted {
            // A test that showed it once and never again is not what this root is about.
            root.tests.retain(|test, _| {
                let looks = &self.looks[*test];
                looks.iter().filter(|look| changes(look, name)).count() >= 2
            });
            for looks in root.tests.keys().map(|test| &self.looks[*test]) {
                root.of += looks.len() as u32;
                root.seen += looks.iter().filter(|look| changes(look, name)).count() as u32;
            }
        }
        polluted.retain(|_, root| !root.tests.is_empty());
        for root in polluted.values_mut() {
            let mut all = std::mem::take(&mut root.all);
            // A place is shown as the first that left something there found it.
            all.sort_by_key(|(test, difference)| !self.is_first(test, difference));
            for (test, difference) in all {
                if root.tests.contains_key(test) {
                    root.places.entry(&difference.path).or_insert(difference);
                }
            }
        }
        polluted
    }

    pub(super) fn group(
        &self,
        test: &TestId,
        difference: &Difference,
        on_demand: &OnDemand<'_>,
    ) -> Group {
        if !self.roots.is_empty() {
            return Group::Reported;
        }
        if self.is_set_anew(test, difference) || self.resets.are_certain(&difference.root) {
            return Group::SetUp;
        }
        if on_demand.is_excused(test, difference) {
            return Group::Lazy;
        }
        if self.is_prepared(test, difference) {
            return Group::Prepared;
        }
        if !python::is_seeded(difference, self.looks.get(test).map_or(&[], Vec::as_slice)) {
            return Group::Drawn;
        }
        if python::is_own_function(difference, self.watch.tests.get(test)) {
            return Group::Own;
        }
        if self.is_scratch(test, difference) {
            return Group::Scratch;
        }
        if self.is_its_name(test, difference) {
            return Group::Name;
        }
        if self.is_another_each_time(test, difference) {
            return Group::Fresh;
        }
        match (Relevance::of(difference), self.filling(test, difference)) {
            (Relevance::Exposed | Relevance::Enclosed, Filling::OnDemand) => {
                if is_entry(difference) { Group::Memo } else { Group::Lazy }
            }
            (Relevance::Exposed | Relevance::Enclosed, _) => Group::Reported,
            // It looks as if it were set when first asked for, but a caller sets it, and to what that caller likes.
            (Relevance::Lazy, Filling::Given) if difference.steps == 0 => Group::Reported,
            (Relevance::Lazy, _) => Group::Lazy,
            (Relevance::Counter, _) => Group::Counter,
            (Relevance::Deep, _) => Group::Deep,
        }
    }

    /// It lies in an object that was worked out in the same test, and has a flag that says so. An object that is a root itself is left
    /// out: who prepares it may be a test that does so on purpose.
    fn is_prepared(&self, test: &TestId, difference: &Difference) -> bool {
        let looks = self.looks.get(test).map_or(&[][..], Vec::as_slice);
        let mut all = looks.iter().flat_map(|look| &look.differences);
        all.any(|one| {
            let object = one.path.rsplit_once('.').map_or("", |(object, _)| object);
            let below = difference.path.strip_prefix(object).unwrap_or_default();
            one.root == difference.root
                && object.len() > one.root.len()
                && below.starts_with(['.', '['])
                && self.rules.is_done_flag(one)
        })
    }

    /// Test methods do not know what they are called.
    fn is_its_name(&self, test: &TestId, difference: &Difference) -> bool {
        let method = self.watch.tests.get(test).and_then(|test| test.method.as_deref());
        let after = difference.after.as_deref().and_then(|text| text.strip_prefix('"'));
        let after = after.and_then(|text| text.strip_suffix('"'));
        difference.access == Access::Process && after.is_some() && after == method
    }

    /// No test had changed the place before in its VM.
    fn is_first(&self, test: &TestId, difference: &Difference) -> bool {
        let first = self.first.get(test).and_then(|first| first.get(&difference.path));
        first.is_none_or(|values| values.contains(&difference.before))
    }

    /// A value that is another one in each VM, before any test changed it as well as after it: a random or a time, which nobody can
    /// rely on.
    fn is_another_each_time(&self, test: &TestId, difference: &Difference) -> bool {
        let is_value = difference.kind == DifferenceKind::Value;
        let looks = self.looks.get(test).map_or(&[][..], Vec::as_slice);
        let first = self.first.get(test).and_then(|first| first.get(&difference.path));
        let all_differ = |values: Vec<&String>| {
            let different: BTreeSet<&String> = values.iter().copied().collect();
            values.len() == looks.len() && different.len() == values.len()
        };
        let differences = looks.iter().flat_map(|look| &look.differences);
        let after = differences.filter(|one| one.path == difference.path);
        is_value
            && looks.len() >= 3
            && all_differ(first.into_iter().flatten().flatten().collect())
            && all_differ(after.filter_map(|one| one.after.as_ref()).collect())
    }

    /// Only the tests of its class can see a field of the instance that they share, and their set-up comes before them. So it is with a
    /// static field of their class that is nobody else's.
    fn is_set_anew(&self, test: &TestId, difference: &Difference) -> bool {
        let field = match difference.root.strip_prefix(INSTANCE) {
            Some(class) => {
                let field = part(difference).strip_prefix(&difference.root).unwrap_or_default();
                format!("{class}{field}")
            }
            None if self.is_of_its_class(test, &difference.root) => difference.root.clone(),
            None => return false,
        };
        self.code.is_some_and(|code| code.is_set_before_each(test, &field))
    }

    fn is_of_its_class(&self, test: &TestId, root: &str) -> bool {
        let (Some(test), Some((owner, _))) = (self.watch.tests.get(test), root.rsplit_once('.'))
        else {
            return false;
        };
        test.class == owner || python::is_of_its_class(test, owner)
    }

    /// It lies in an object that is only there to work with.
    fn is_scratch(&self, test: &TestId, difference: &Difference) -> bool {
        let is_reset =
            |field: &String| self.code.is_some_and(|code| code.is_reset_before_use(test, field));
        difference.through.iter().any(is_reset)
    }

    fn filling(&self, test: &TestId, difference: &Difference) -> Filling {
        let (Some(code), Some(field)) = (self.code, &difference.field) else {
            return Filling::Unknown;
        };
        if let Some(local) = field.strip_suffix(".get()") {
            return code.held(test, local);
        }
        match difference.kind {
            // Who does not find an entry makes it again.
            _ if is_entry(difference) => code.entered(test, field),
            // An object of Python's that did not have the attribute.
            DifferenceKind::Added => code.set(test, field),
            DifferenceKind::Value if is_nothing(difference.before.as_deref()) => {
                code.set(test, field)
            }
            _ => Filling::Unknown,
        }
    }

    pub(super) fn on_demand(&self) -> OnDemand<'_> {
        let mut on_demand = OnDemand::default();
        for (test, difference) in self.all() {
            let part = part(difference);
            // What somebody does to a setting of the process is done on purpose.
            let of_servers = ["live threads", "listening sockets"].contains(&part);
            if difference.access == Access::Process && !of_servers {
                continue;
            }
            match self.backwards.get(test).map(|parts| parts.contains(part)) {
                Some(false) => {
                    on_demand.by_the_first.insert((test, part));
                }
                Some(true) => {
                    on_demand.in_either_order.insert(&difference.path);
                }
                None => {}
            }
        }
        on_demand
    }
}
