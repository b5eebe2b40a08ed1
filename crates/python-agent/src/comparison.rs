//! From two snapshots to differences in the words of Python.

use surefoot_model::{Access, Difference, DifferenceKind, StateChange};
use surefoot_state::{
    Change, EdgeLabel, Graph, Label, Names, Path, Seen, Target, Value, Verdict, Words, differences,
};

use crate::api::Object;
use crate::layout;
use crate::part::Held;
use crate::settings::entry;
use crate::snapshot::{Root, Snapshot, without_identity};
use crate::walk::{MODULE, Memory};

/// More differences than this are not listed: nobody reads them.
const MOST: usize = 100;

/// `after` has just been made: no code of Python's has run since. `provides`: whether a module makes attributes when it is asked for them.
pub(crate) fn change(
    before: &Snapshot,
    after: &Snapshot,
    memory: &mut Memory,
    provides: impl Fn(&str) -> bool,
) -> StateChange {
    let Some(focus) = before.focus(after) else { return StateChange::default() };
    let graphs = before
        .graph(&focus.before, &mut memory.names)
        .zip(after.graph(&focus.after, &mut memory.names));
    let Some((old, new)) = graphs else {
        return StateChange { unclear: true, ..StateChange::default() };
    };
    let words = Words { names: &memory.names, texts: &memory.texts };
    let found = differences(&old, &new, words.names, MOST);
    let access = |name: Label| {
        let roots = focus.after.iter().chain(&focus.before);
        roots.into_iter().find(|root| root.name == name).map_or(Access::Public, |root| root.access)
    };
    let is_news = |one: &&surefoot_state::Difference| !is_known_from_class(one, &new, words.names);
    let is_attribute = |root: Label| {
        let roots = focus.after.iter().chain(&focus.before);
        roots.into_iter().any(|one| one.name == root && one.owner.is_some())
    };
    let told = found.list.iter().filter(is_news).map(|one| {
        // What was added is not in the state before.
        let graph = if one.change == Change::Added { &new } else { &old };
        let field = attribute(&one.path, graph, words.names, is_attribute(one.path.root));
        Difference { field, ..difference(one, words, access(one.path.root)) }
    });
    // Which of two equal objects a setting of the process holds tells nobody anything.
    let told =
        told.filter(|one| one.access != Access::Process || one.kind != DifferenceKind::Sharing);
    let is_provided = |root: &&&Root| {
        let owner = root.owner.map(|owner| words.names.text(owner));
        owner.is_some_and(&provides) && !is_plain(root, words)
    };
    let (provided, added): (Vec<&Root>, Vec<&Root>) = focus.added.iter().partition(is_provided);
    let added = added.into_iter().map(|root| gained(root, words));
    let removed = focus.removed.iter().map(|root| lost(root, words));
    let (modules, attributes): (Vec<Difference>, Vec<Difference>) =
        added.chain(removed).partition(is_module);
    let mut differences: Vec<Difference> = attributes.into_iter().chain(told).collect();
    let more = found.more + differences.len().saturating_sub(MOST) as u64;
    differences.truncate(MOST);
    let unclear = found.verdict == Verdict::Unknown;
    let provided = provided.into_iter().map(|root| words.names.text(root.name).to_owned());
    let elsewhere = modules.into_iter().map(|one| one.path).chain(provided).collect();
    StateChange { differences, more, unclear, elsewhere, ..StateChange::default() }
}

/// An object gained an attribute that its class has: the very same value, which whoever asked for it got before.
fn is_known_from_class(
    difference: &surefoot_state::Difference,
    after: &Graph,
    names: &Names,
) -> bool {
    let (Change::Added, Some((last, way))) =
        (&difference.change, difference.path.steps.split_last())
    else {
        return false;
    };
    let owner = match (last.label, difference.path.met(after).nth(way.len())) {
        (EdgeLabel::Field(name), Some(Target::Node(owner))) => {
            after.node(owner).map(|node| (node.identity, names.text(name)))
        }
        _ => None,
    };
    // No object has an odd address.
    let Some((address, name)) = owner.filter(|(address, _)| address % 2 == 0) else { return false };
    // SAFETY: a graph is made of what has changed, which the capture has just walked through, and nothing has gone since.
    let owner = unsafe { Object::borrowed(address as usize as *mut _) };
    owner.is_some_and(|owner| shares_with_class(owner, name))
}

/// The attribute that a path ends at, or whose collection it ends in; that of a module or a class by the name of its root.
fn attribute(path: &Path, graph: &Graph, names: &Names, is_root: bool) -> Option<String> {
    let is_field = |label| matches!(label, EdgeLabel::Field(_));
    let in_collection = path.steps.last().is_some_and(|step| !is_field(step.label));
    let at = path.steps.len() - usize::from(in_collection);
    let Some(owner) = at.checked_sub(1) else {
        return is_root.then(|| names.text(path.root).to_owned());
    };
    let EdgeLabel::Field(name) = path.steps[owner].label else { return None };
    let Some(Target::Node(node)) = path.met(graph).nth(owner) else { return None };
    let (class, name) = (names.text(graph.node(node)?.class), names.text(name));
    // The parts of a function are no attributes of an object.
    (!name.starts_with("__")).then(|| format!("{class}.{name}"))
}

fn shares_with_class(object: Object<'_>, name: &str) -> bool {
    let class = object.type_of();
    if object.is_type() || !layout::has_dict(class) {
        return false;
    }
    let dicts = layout::order(class).into_iter().filter_map(layout::class_dict);
    let of_class = dicts.into_iter().find_map(|dict| entry(dict, name));
    let own = object.instance_dict().and_then(|dict| entry(dict, name));
    matches!((own, of_class), (Some(own), Some(of_class)) if own == of_class)
}

/// A module that was imported is an attribute of the package that it lies in.
fn is_module(difference: &Difference) -> bool {
    let values = [&difference.before, &difference.after];
    values.into_iter().flatten().any(|value| value.starts_with(MODULE))
}

fn difference(
    difference: &surefoot_state::Difference,
    words: Words<'_>,
    access: Access,
) -> Difference {
    let seen = |seen: Seen| match seen {
        Seen::Nothing => None,
        seen => Some(without_identity(&seen.shown(words).to_string()).to_owned()),
    };
    let (before, after) = (seen(difference.before), seen(difference.after));
    let kind = match &difference.change {
        // The same class, and another object of it.
        Change::Value if before == after => DifferenceKind::Sharing,
        Change::Value | Change::Class | Change::Length => DifferenceKind::Value,
        Change::Added => DifferenceKind::Added,
        Change::Removed => DifferenceKind::Removed,
        Change::Content => DifferenceKind::Content,
        Change::Order => DifferenceKind::Order,
        Change::Sharing { .. } => DifferenceKind::Sharing,
    };
    Difference {
        root: words.names.text(difference.path.root).to_owned(),
        path: difference.path.shown(words).to_string(),
        steps: difference.path.steps.len() as u32,
        field: None,
        through: Vec::new(),
        access,
        kind,
        before,
        after,
    }
}

/// A number, a text, or nothing: no module makes these when it is first asked for them.
fn is_plain(root: &Root, words: Words<'_>) -> bool {
    let is_code = |value: Value| {
        let text = value.shown(words).to_string();
        ["class ", "function ", "builtin "].iter().any(|kind| text.starts_with(kind))
    };
    matches!(root.held, Held::Value(value) if !is_code(value))
}

/// An attribute that a module or a class did not have.
fn gained(root: &Root, words: Words<'_>) -> Difference {
    let after = Some(shown(root, words));
    Difference { kind: DifferenceKind::Added, after, ..plain(root, words) }
}

fn lost(root: &Root, words: Words<'_>) -> Difference {
    let before = Some(shown(root, words));
    Difference { kind: DifferenceKind::Removed, before, ..plain(root, words) }
}

fn plain(root: &Root, words: Words<'_>) -> Difference {
    let name = words.names.text(root.name).to_owned();
    Difference {
        root: name.clone(),
        field: root.owner.map(|_| name.clone()),
        path: name,
        steps: 0,
        through: Vec::new(),
        access: root.access,
        kind: DifferenceKind::Value,
        before: None,
        after: None,
    }
}

fn shown(root: &Root, words: Words<'_>) -> String {
    match root.held {
        Held::Value(value) => without_identity(&value.shown(words).to_string()).to_owned(),
        _ => {
            root.class().map(|class| simple(words.names.text(class)).to_owned()).unwrap_or_default()
        }
    }
}

fn simple(class: &str) -> &str {
    class.rsplit_once('.').map_or(class, |(_, simple)| simple)
}

/// What several looks at one test showed, one after the other. What a later one undoes has not happened.
pub(crate) fn add(all: &mut StateChange, next: StateChange) {
    all.more += next.more;
    all.unclear |= next.unclear;
    all.add_elsewhere(next.elsewhere);
    for mut difference in next.differences {
        let known = all.differences.iter().position(|one| one.path == difference.path);
        let Some(known) = known else {
            all.differences.push(difference);
            continue;
        };
        let earlier = all.differences.remove(known);
        difference.before = earlier.before;
        if difference.before == difference.after {
            continue;
        }
        difference.kind = match (&difference.before, &difference.after) {
            (None, _) => DifferenceKind::Added,
            (_, None) => DifferenceKind::Removed,
            _ => difference.kind,
        };
        all.differences.push(difference);
    }
}
