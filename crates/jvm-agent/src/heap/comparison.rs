//! From differences of graphs to differences in the words of Java.

use surefoot_model::{Access, Difference, DifferenceKind, StateChange};
use surefoot_state::{Change, EdgeLabel, Graph, Seen, Verdict, Words, differences};

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
    let told = found.list.iter().map(|one| difference(one, words, roots));
    // Which of two equal objects a setting of the process holds tells nobody anything.
    let told =
        told.filter(|one| one.access != Access::Process || one.kind != DifferenceKind::Sharing);
    let differences = told.collect();
    StateChange { differences, more: found.more, unclear: found.verdict == Verdict::Unknown }
}

fn difference(
    difference: &surefoot_state::Difference,
    words: Words<'_>,
    roots: &Roots,
) -> Difference {
    let seen = |seen: Seen| match seen {
        Seen::Nothing => None,
        seen => Some(seen.shown(words).to_string()),
    };
    let (mut before, mut after) = (seen(difference.before), seen(difference.after));
    let last = difference.path.steps.last().map(|step| step.label);
    let is_field = matches!(last, None | Some(EdgeLabel::Field(_)));
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
    Difference {
        access: roots.named(root).map_or(Access::Package, access),
        // One call sets all three.
        root: root.replace("(DISPLAY)", "()").replace("(FORMAT)", "()"),
        path: difference.path.shown(words).to_string(),
        steps: difference.path.steps.len() as u32,
        kind,
        before,
        after,
    }
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
