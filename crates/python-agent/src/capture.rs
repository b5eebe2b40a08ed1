//! One look at everything.

use std::collections::HashMap;
use std::sync::Arc;

use surefoot_model::{Access, Difference, DifferenceKind, StateChange};
use surefoot_state::Label;

use crate::api::{self, Object, Owned};
use crate::comparison;
use crate::kinds::full_name;
use crate::known::Known;
use crate::libraries::{Libraries, Since};
use crate::outline::{Attribute, ON_THE_SURFACE, Outline, What};
use crate::part::Held;
use crate::patches::{Patches, code_in};
use crate::project::Project;
use crate::settings;
use crate::snapshot::Snapshot;
use crate::walk::{Base, Home, Memory, Walk};

/// Modules that were taken away or replaced, by name; more are not listed.
const MOST_MODULES: usize = 20;

#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) snapshot: Snapshot,
    patches: Patches,
    /// Every imported module: its name, and where it lies.
    modules: Arc<[(Label, usize)]>,
    /// What libraries keep that is not as it was in the capture before.
    elsewhere: Vec<String>,
    /// How many roots were not looked into.
    unread: usize,
}

/// What is looked at.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) project: Project,
    /// Of fixtures that several tests share: their values by their names.
    pub(crate) fixtures: Owned,
    /// The generators of random numbers too.
    pub(crate) generators: bool,
    pub(crate) outline: Outline,
    pub(crate) libraries: Libraries,
    /// What the project's modules and fixtures lead to, as long as none of it changes.
    pub(crate) base: Option<Base>,
}

/// Takes the state as it is now. Also the names of roots that lead to too much, which from now on are not looked into.
pub(crate) fn capture(
    known: &Known,
    memory: &mut Memory,
    scope: &mut Scope,
) -> Option<(Capture, Vec<String>)> {
    let pause = known.pause();
    let were_unread = memory.unread.len();
    loop {
        let unread = memory.unread.len();
        let Scope { project, outline, .. } = scope;
        outline.look(known, memory, project);
        let patches = Patches { owners: outline.code() };
        // SAFETY: the dict is ours, and the plug-in changes it only between looks.
        let fixtures = unsafe { Object::borrowed(scope.fixtures.pointer()) };
        memory.begin();
        let looked = scope.libraries.look(known, memory, outline, fixtures);
        let base = match (scope.base.take(), looked.project) {
            (Some(base), Since::Nothing) if base.is_complete() => base,
            (before, since) => own(known, memory, outline, fixtures, before, &since)?,
        };
        let mut walk = Walk::new(known, memory, outline.home()).upon(&base);
        settings::capture(&mut walk, outline, pause.was_on, scope.generators);
        let snapshot = walk.snapshot;
        scope.base = Some(base);
        if memory.unread.len() == unread {
            let (elsewhere, modules) = (looked.changed, outline.modules());
            let name = |root: &Label| memory.names.text(*root).to_owned();
            let too_large = memory.unread[were_unread..].iter().map(name).collect();
            return Some((Capture { snapshot, patches, modules, elsewhere, unread }, too_large));
        }
    }
}

/// What the project's modules and fixtures lead to: walked through as far as it may not be what it was before.
fn own<'a>(
    known: &Known,
    memory: &mut Memory,
    outline: &Outline,
    fixtures: Option<Object<'a>>,
    before: Option<Base>,
    since: &Since,
) -> Option<Base> {
    let before = match (before, since) {
        (Some(before), Since::Objects(changed)) if before.is_complete() => {
            let mut walk = Walk::new(known, memory, outline.home()).again(before, changed);
            own_roots(&mut walk, outline, fixtures);
            if let Some(base) = walk.base() {
                return Some(base);
            }
            None
        }
        (before, _) => before,
    };
    let mut walk = Walk::new(known, memory, outline.home()).anew(before.as_ref());
    own_roots(&mut walk, outline, fixtures);
    walk.base()
}

/// The project's modules and the values of fixtures.
fn own_roots<'a>(walk: &mut Walk<'a, '_>, outline: &Outline, fixtures: Option<Object<'a>>) {
    for (module, attributes) in outline.of_project() {
        roots(walk, outline, module, attributes);
    }
    for (name, value) in fixtures.into_iter().flat_map(Object::entries) {
        let name = walk.memory.names.label(&format!("fixture {}", name.any_text()));
        walk.root(name, None, Access::Public, value);
    }
}

/// What pytest itself changes while a test is under way, and puts back: only to be looked at before and after.
pub(crate) fn surface(known: &Known, memory: &mut Memory) -> Capture {
    let _pause = known.pause();
    let (mut owners, home) = (Vec::new(), Home::default());
    for name in ON_THE_SURFACE {
        let module = api::modules().and_then(|modules| settings::entry(modules, name));
        if let Some(dict) = module.and_then(Object::module_dict) {
            owners.push((memory.names.label(name), code_in(dict, known)));
        }
    }
    memory.begin();
    let mut walk = Walk::new(known, memory, &home);
    settings::capture_surface(&mut walk);
    let patches = Patches { owners: owners.into() };
    let (snapshot, elsewhere) = (walk.snapshot, Vec::new());
    Capture { snapshot, patches, modules: Arc::default(), elsewhere, unread: 0 }
}

/// The attributes of a module or a class of the project.
fn roots<'a>(walk: &mut Walk<'a, '_>, outline: &Outline, owner: Label, attributes: &[Attribute]) {
    walk.snapshot.owner(owner);
    for attribute in attributes {
        let Attribute { root, access, value, what, constant } = attribute;
        let (root, access) = (*root, *access);
        if let Some(value) = constant.get() {
            walk.constant(root, owner, access, value);
            continue;
        }
        // SAFETY: the outline has just been brought up to date, and no code of Python's has run since.
        let object = unsafe { value.get() };
        match what {
            What::Class => roots(walk, outline, root, outline.of_class(*value)),
            What::Resident => walk.resident(root, owner, access, object),
            What::Value => {
                let held = walk.root(root, Some(owner), access, object);
                if let Held::Value(value) = held
                    && walk.is_constant(object)
                {
                    constant.set(Some(value));
                }
            }
        }
    }
}

/// What differs between two captures, of which the second has just been made.
pub(crate) fn compare(
    before: &Capture,
    after: &Capture,
    known: &Known,
    memory: &mut Memory,
    scope: &mut Scope,
) -> StateChange {
    if before.unread != after.unread {
        // What is not looked into any more is not gone, and what it led to may be reached from elsewhere.
        return StateChange { unclear: true, ..StateChange::default() };
    }
    let provides = |module: &str| scope.outline.provides(module);
    let mut change = comparison::change(&before.snapshot, &after.snapshot, memory, provides);
    change.add_elsewhere(after.elsewhere.clone());
    if before.modules != after.modules {
        change.differences.extend(modules_since(before, after, memory));
    }
    if before.patches.are_the_same_as(&after.patches) {
        return change;
    }
    let _pause = known.pause();
    let Scope { project, outline, .. } = scope;
    outline.look(known, memory, project);
    let owner = |label: Label| outline.owner(label, memory);
    let shown = |value: Object<'_>| shown(value, known);
    change.differences.extend(after.patches.since(&before.patches, owner, shown));
    change
}

/// `function fake`, `class Fake`, or what type it is of.
fn shown(value: Object<'_>, known: &Known) -> String {
    if value.type_of() == known.function.get() {
        let name = value.function().code.map(|code| code.to_owned());
        let name = name.and_then(|code| code.attribute(c"co_name"));
        return format!("function {}", name.map(|name| name.get().any_text()).unwrap_or_default());
    }
    if value.is_type() {
        return format!("class {}", full_name(value));
    }
    if value.type_of() == known.builtin.get() {
        return format!("builtin {}", known.builtin_name(value));
    }
    full_name(value.type_of())
}

fn modules_since(before: &Capture, after: &Capture, memory: &Memory) -> Vec<Difference> {
    let is: HashMap<Label, usize> = after.modules.iter().copied().collect();
    let was: HashMap<Label, usize> = before.modules.iter().copied().collect();
    let of = |name: Label, kind, before: Option<&str>, after: Option<&str>| Difference {
        root: "sys.modules".to_owned(),
        path: format!("sys.modules[{:?}]", memory.names.text(name)),
        steps: 1,
        field: None,
        through: Vec::new(),
        access: Access::Process,
        kind,
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    let gone_or_replaced = before.modules.iter().filter_map(|(name, address)| match is.get(name) {
        Some(now) if now == address => None,
        Some(_) => Some(of(*name, DifferenceKind::Value, Some("module"), Some("another module"))),
        None => Some(of(*name, DifferenceKind::Removed, Some("module"), None)),
    });
    let mut differences: Vec<Difference> = gone_or_replaced.take(MOST_MODULES).collect();
    let new: Vec<&str> = after
        .modules
        .iter()
        .filter(|(name, _)| !was.contains_key(name))
        .map(|(name, _)| memory.names.text(*name))
        .collect();
    if let Some(first) = new.first() {
        let more =
            if new.len() > 1 { format!(" and {} more", new.len() - 1) } else { String::new() };
        let text = format!("{first}{more}");
        differences.push(Difference {
            root: "sys.modules".to_owned(),
            path: "sys.modules".to_owned(),
            steps: 0,
            field: None,
            through: Vec::new(),
            access: Access::Process,
            kind: DifferenceKind::Added,
            before: None,
            after: Some(text),
        });
    }
    differences
}
