//! From differences of graphs to differences in the words of Java.

use surefoot_model::{Access, Difference, DifferenceKind, StateChange};
use surefoot_state::{Change, EdgeLabel, Graph, Path, Seen, Target, Verdict, Words, differences};

use super::providers;
use super::roots::{Root, Roots};

/// More differences than this are not listed: nobody reads them.
const MOST: usize = 100;

const ACC_PUBLIC: i32 = 0x0001;
const ACC_PRIVATE: i32 = 0x0002;
const ACC_PROTECTED: i32 = 0x0004;

pub(crate) fn change(
    before: &Graph,
    after: &Graph,
    words: Words<'_>,
    roots: &Roots,
) -> StateChange {
    let found = differences(before, after, MOST);
    let told = found.list.iter().map(|one| {
        // What was added is not in the state before.
        let graph = if one.change == Change::Added { after } else { before };
        let field = field(&one.path, graph, words);
        difference(one, field, words, roots)
    });
    // Which of two equal objects a setting of the process holds tells nobody anything.
    let told =
        told.filter(|one| one.access != Access::Process || one.kind != DifferenceKind::Sharing);
    let mut differences: Vec<Difference> = told.collect();
    if differences.iter().any(|one| one.root == providers::ROOT)
        && let Some(changed) = providers::differences(before, after, words)
    {
        differences.retain(|one| one.root != providers::ROOT);
        differences.extend(changed);
    }
    let unclear = found.verdict == Verdict::Unknown;
    StateChange { differences, more: found.more, unclear, ..StateChange::default() }
}

fn difference(
    difference: &surefoot_state::Difference,
    field: Option<String>,
    words: Words<'_>,
    roots: &Roots,
) -> Difference {
    let seen = |seen: Seen| match seen {
        Seen::Nothing => None,
        seen => Some(seen.shown(words).to_string()),
    };
    let (mut before, mut after) = (seen(difference.before), seen(difference.after));
    let last = difference.path.steps.last().map(|step| step.label);
    let is_field = last.is_none_or(is_field);
    let kind = match &difference.change {
        // A walk meets no null: a field that was added was null before.
        Change::Added | Change::Removed if is_field => {
            before.get_or_insert_with(|| "null".to_owned());
            after.get_or_insert_with(|| "null".to_owned());
            DifferenceKind::Value
        }
        Change::Value | Change::Class | Change::Length => DifferenceKind::Value,
        Change::Added => DifferenceKind::Added,
        Change::Removed => DifferenceKind::Removed,
        Change::Content => DifferenceKind::Content,
        Change::Order => DifferenceKind::Order,
        Change::Sharing { .. } => DifferenceKind::Sharing,
    };
    let root = words.names.text(difference.path.root);
    let access = roots.named(root).map_or(Access::Package, access);
    Difference {
        // One call sets all three.
        root: root.replace("(DISPLAY)", "()").replace("(FORMAT)", "()"),
        path: difference.path.shown(words).to_string(),
        steps: difference.path.steps.len() as u32,
        field: field.filter(|_| access != Access::Process),
        access,
        kind,
        before,
        after,
    }
}

/// The field that a path ends at, or whose collection it ends in; a static one by the name of its root.
fn field(path: &Path, graph: &Graph, words: Words<'_>) -> Option<String> {
    let in_collection = path.steps.last().is_some_and(|step| !is_field(step.label));
    let mut at = path.steps.len() - usize::from(in_collection);
    // Of a wrapper nobody sees the field that it has its collection in.
    let is_unnamed =
        |label| matches!(label, EdgeLabel::Field(name) if words.names.text(name).is_empty());
    while at > 0 && is_unnamed(path.steps[at - 1].label) {
        at -= 1;
    }
    let Some(step) = at.checked_sub(1).map(|last| path.steps[last]) else {
        return Some(words.names.text(path.root).to_owned());
    };
    let EdgeLabel::Field(name) = step.label else { return None };
    let Target::Node(holder) = path.met(graph).nth(at - 1)? else { return None };
    let name = words.names.text(name);
    // With its class already, if the object has another one of that name.
    if name.contains('.') {
        return Some(name.to_owned());
    }
    Some(format!("{}.{name}", words.names.text(graph.node(holder)?.class)))
}

fn is_field(label: EdgeLabel) -> bool {
    matches!(label, EdgeLabel::Field(_))
}

fn access(root: &Root) -> Access {
    if root.process {
        Access::Process
    } else if root.modifiers & ACC_PUBLIC != 0 {
        Access::Public
    } else if root.modifiers & ACC_PROTECTED != 0 {
        Access::Protected
    } else if root.modifiers & ACC_PRIVATE != 0 {
        Access::Private
    } else {
        Access::Package
    }
}
