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
    let found = differences(before, after, words.names, MOST);
    let told = found.list.iter().map(|one| {
        // What was added is not in the state before.
        let graph = if one.change == Change::Added { after } else { before };
        let field = field(&one.path, graph, words, roots);
        Difference {
            through: through(&one.path, graph, words),
            ..difference(one, field, words, roots)
        }
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
        through: Vec::new(),
        access,
        kind,
        before,
        after,
    }
}

/// Thread locals of the JDK, whose own fields tell nobody which one it is.
const THREAD_LOCALS: &[&str] = &[
    "java.lang.ThreadLocal",
    "java.lang.ThreadLocal$SuppliedThreadLocal",
    "java.lang.InheritableThreadLocal",
];

/// Characters and bytes that are put one behind the other: how they do that is their own business.
const BUFFERS: &[&str] = &[
    "java.lang.StringBuilder",
    "java.lang.StringBuffer",
    "java.nio.HeapByteBuffer",
    "java.nio.HeapCharBuffer",
    "java.nio.DirectByteBuffer",
];

/// The field that a path ends at, or whose collection or buffer it ends in; a static one by the name of its root. For what a
/// thread local holds, the field of the thread local, and `get()`.
fn field(path: &Path, graph: &Graph, words: Words<'_>, roots: &Roots) -> Option<String> {
    let in_collection = path.steps.last().is_some_and(|step| !is_field(step.label));
    let at = path.steps.len() - usize::from(in_collection);
    let is_in = |at: usize, classes: &[&str]| {
        holder(path, at, graph, words).is_some_and(|(class, _)| classes.contains(&class))
    };
    let at = if is_in(at, BUFFERS) { at - 1 } else { at };
    // The class of a thread local with an initial value may be one of the program, but hardly that of a static field.
    let is_local = |root: &Root| root.signature == "Ljava/lang/ThreadLocal;";
    let of_root = at == 1 && roots.named(words.names.text(path.root)).is_some_and(is_local);
    if of_root || is_in(at, THREAD_LOCALS) {
        return Some(format!("{}.get()", field_at(path, at - 1, graph, words)?));
    }
    field_at(path, at, graph, words)
}

/// A path may have as many steps as a list has elements. What lies so far away is not reported anyhow.
const MOST_THROUGH: usize = 8;

/// The first fields that a path goes through, but for its root and its last step.
fn through(path: &Path, graph: &Graph, words: Words<'_>) -> Vec<String> {
    let is_field = |at: &usize| is_field(path.steps[at - 1].label);
    let fields = (1..path.steps.len()).take(MOST_THROUGH).filter(is_field);
    fields.filter_map(|at| field_at(path, at, graph, words)).collect()
}

/// The field that the first steps of a path lead to.
fn field_at(path: &Path, mut at: usize, graph: &Graph, words: Words<'_>) -> Option<String> {
    // Of a wrapper nobody sees the field that it has its collection in.
    let is_unnamed =
        |label| matches!(label, EdgeLabel::Field(name) if words.names.text(name).is_empty());
    while at > 0 && is_unnamed(path.steps[at - 1].label) {
        at -= 1;
    }
    if at == 0 {
        return Some(words.names.text(path.root).to_owned());
    }
    let (class, name) = holder(path, at, graph, words)?;
    // With its class already, if the object has another one of that name.
    if name.contains('.') {
        return Some(name.to_owned());
    }
    Some(format!("{class}.{name}"))
}

/// The class of the object that the last of so many steps is taken from, and the field that it goes by.
fn holder<'w>(
    path: &Path,
    at: usize,
    graph: &Graph,
    words: Words<'w>,
) -> Option<(&'w str, &'w str)> {
    let last = at.checked_sub(1)?;
    let EdgeLabel::Field(name) = path.steps.get(last)?.label else { return None };
    let Target::Node(holder) = path.met(graph).nth(last)? else { return None };
    Some((words.names.text(graph.node(holder)?.class), words.names.text(name)))
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
