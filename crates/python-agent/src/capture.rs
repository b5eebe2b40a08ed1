//! One look at everything.

use std::collections::HashMap;

use surefoot_model::{Access, Difference, DifferenceKind, StateChange};
use surefoot_state::Label;

use crate::api::{self, Object, Owned};
use crate::comparison;
use crate::kinds::{full_name, module_of};
use crate::known::Known;
use crate::layout;
use crate::patches::Patches;
use crate::project::Project;
use crate::settings::{self, Modules};
use crate::snapshot::Snapshot;
use crate::walk::{Home, Memory, Walk, is_of_class_itself, is_of_module_itself};

/// Modules that were taken away or replaced, by name; more are not listed.
const MOST_MODULES: usize = 20;

/// The test framework replaces functions of its own while it works.
const OF_THE_FRAMEWORK: &[&str] = &["_pytest", "pytest", "pluggy", "surefoot_pytest", "hypothesis"];

/// Modules in which it replaces functions while it runs a test, and puts them back.
const ON_THE_SURFACE: &[&str] = &["warnings", "sys", "threading"];

#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) snapshot: Snapshot,
    patches: Patches,
    /// Every imported module: its name, and where it lies.
    modules: Vec<(Label, usize)>,
}

/// What is looked at.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) project: Project,
    /// Of fixtures that several tests share: their values by their names.
    pub(crate) fixtures: Owned,
    /// The generators of random numbers too.
    pub(crate) generators: bool,
}

/// A module that was imported.
struct Imported<'a> {
    name: &'a str,
    label: Label,
    object: Object<'a>,
    dict: Option<Object<'a>>,
    of_project: bool,
}

/// All of it is only valid during one call from Python.
struct Now<'a> {
    modules: Vec<Imported<'a>>,
    home: Home<'a>,
}

/// Takes the state as it is now. Also the name of a root that leads to too much, if there is one.
pub(crate) fn capture(
    known: &Known,
    memory: &mut Memory,
    scope: &mut Scope,
    last: Option<&Capture>,
) -> Option<(Capture, Option<String>)> {
    let pause = known.pause();
    let now = look(known, memory, &mut scope.project)?;
    let patches = patches(&now, known, memory);
    let mut walk = Walk::new(known, memory, &now.home, last.map(|last| &last.snapshot));
    for module in now.modules.iter().filter(|module| module.of_project) {
        module_roots(&mut walk, module);
    }
    // SAFETY: the dict is ours, and the plug-in changes it only between looks.
    if let Some(fixtures) = unsafe { Object::borrowed(scope.fixtures.pointer()) } {
        for (name, value) in fixtures.entries() {
            let name = walk.memory.names.label(&format!("fixture {}", name.any_text()));
            walk.root(name, None, Access::Public, value);
        }
    }
    let by_name = now.modules.iter().map(|module| (module.name, module.object)).collect();
    settings::capture(&mut walk, &Modules { by_name }, pause.was_on, scope.generators);
    let too_large = walk.too_large.map(|root| walk.memory.names.text(root).to_owned());
    let snapshot = walk.snapshot;
    let modules = now.modules.iter().map(|one| (one.label, one.object.address())).collect();
    Some((Capture { snapshot, patches, modules }, too_large))
}

/// What pytest itself changes while a test is under way, and puts back: only to be looked at before and after.
pub(crate) fn surface(known: &Known, memory: &mut Memory) -> Option<Capture> {
    let _pause = known.pause();
    let (mut patches, home) = (Patches::default(), Home::default());
    let mut by_name = HashMap::new();
    for (key, module) in api::modules()?.entries() {
        let Some(name) = key.text().filter(|name| ON_THE_SURFACE.contains(name)) else { continue };
        if let Some(dict) = module.module_dict() {
            by_name.insert(name, module);
            patches.look_at_module(memory.names.label(name), dict, known);
        }
    }
    let mut walk = Walk::new(known, memory, &home, None);
    settings::capture_surface(&mut walk, &Modules { by_name });
    Some(Capture { snapshot: walk.snapshot, patches, modules: Vec::new() })
}

fn look<'a>(known: &Known, memory: &mut Memory, project: &mut Project) -> Option<Now<'a>> {
    let mut modules = Vec::new();
    let mut home = Home::default();
    for (key, object) in api::modules()?.entries() {
        let Some(name) = key.text() else { continue };
        let Some(label) = memory.labels.attribute(key, &mut memory.names) else { continue };
        let dict = object.module_dict();
        let of_project = dict.is_some() && project.has(name, label, object);
        if let (true, Some(dict)) = (of_project, dict) {
            home.modules.insert(name);
            let residents = dict.entries().filter(|(_, value)| lives_in(*value, name, dict, known));
            home.residents.extend(residents.map(|(_, value)| value.address()));
        }
        modules.push(Imported { name, label, object, dict, of_project });
    }
    Some(Now { modules, home })
}

/// A function or a class that this module has made.
fn lives_in(value: Object<'_>, module: &str, dict: Object<'_>, known: &Known) -> bool {
    if value.type_of() == known.function.get() {
        return value.function().globals == Some(dict);
    }
    value.is_type() && module_of(value) == Some(module)
}

fn module_roots<'a>(walk: &mut Walk<'a, '_>, module: &Imported<'a>) {
    let Some(dict) = module.dict else { return };
    walk.snapshot.owner(module.label);
    for (key, value) in dict.entries() {
        let Memory { names, labels, .. } = &mut *walk.memory;
        let Some(name) = key.text().filter(|name| !is_of_module_itself(name)) else { continue };
        let Some((root, access)) = labels.root(module.label, key, names) else { continue };
        let is_home =
            value.is_type() && layout::name(value) == name && module_of(value) == Some(module.name);
        let attributes = is_home.then(|| layout::class_dict(value)).flatten();
        match attributes {
            Some(attributes) => class_roots(walk, root, value, attributes),
            None if !value.is_type() && lives_in(value, module.name, dict, walk.known) => {
                walk.resident(root, module.label, access, value);
            }
            None => walk.root(root, Some(module.label), access, value),
        }
    }
}

/// The attributes of a class of the project.
fn class_roots<'a>(
    walk: &mut Walk<'a, '_>,
    class: Label,
    object: Object<'a>,
    attributes: Object<'a>,
) {
    walk.snapshot.owner(class);
    for (key, value) in attributes.entries() {
        let Memory { names, labels, .. } = &mut *walk.memory;
        let is_state = |name: &str| !is_of_class_itself(name) && !is_of_django(object, name);
        if !key.text().is_some_and(is_state) {
            continue;
        }
        let Some((root, access)) = labels.root(class, key, names) else { continue };
        walk.root(root, Some(class), access, value);
    }
}

/// Attributes that Django sets on a test case of its own while it runs the tests.
fn is_of_django(class: Object<'_>, name: &str) -> bool {
    const NAMES: &[&str] =
        &["client", "async_client", "atomics", "cls_atomics", "_pre_setup_ran_eagerly"];
    NAMES.contains(&name)
        && layout::order(class)
            .into_iter()
            .any(|base| full_name(base) == "django.test.testcases.SimpleTestCase")
}

fn patches(now: &Now<'_>, known: &Known, memory: &mut Memory) -> Patches {
    let mut patches = Patches::default();
    for module in &now.modules {
        let Some(dict) = module.dict else { continue };
        if !module.of_project {
            let is_left_out = |names: &[&str]| names.contains(&top(module.name));
            if !is_left_out(OF_THE_FRAMEWORK) && !is_left_out(ON_THE_SURFACE) {
                patches.look_at_module(module.label, dict, known);
            }
            continue;
        }
        for class in imported_classes(dict, &now.home) {
            if let Some(attributes) = layout::class_dict(class) {
                let owner = memory.labels.class(class, &mut memory.names);
                patches.look_at_class(owner, attributes, known);
            }
        }
    }
    patches
}

/// Of a name of a module.
fn top(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// Classes of libraries that a module of the project names, or that lie in modules that it names.
fn imported_classes<'a>(dict: Object<'a>, home: &Home<'a>) -> Vec<Object<'a>> {
    let is_foreign = |class: &Object<'a>| {
        let module = if class.is_type() { module_of(*class) } else { None };
        module.is_some_and(|module| {
            !home.modules.contains(module) && !OF_THE_FRAMEWORK.contains(&top(module))
        })
    };
    let mut classes = Vec::new();
    for (_, value) in dict.entries() {
        if is_foreign(&value) {
            classes.push(value);
        } else if let Some(dict) = value.module_dict() {
            classes.extend(dict.entries().map(|(_, value)| value).filter(is_foreign));
        }
    }
    classes
}

/// What differs between two captures, of which the second has just been made.
pub(crate) fn compare(
    before: &Capture,
    after: &Capture,
    known: &Known,
    memory: &mut Memory,
    scope: &mut Scope,
) -> StateChange {
    let mut change = comparison::change(&before.snapshot, &after.snapshot, memory);
    if before.modules != after.modules {
        change.differences.extend(modules_since(before, after, memory));
    }
    if before.patches == after.patches {
        return change;
    }
    let _pause = known.pause();
    let Some(now) = look(known, memory, &mut scope.project) else { return change };
    let mut owners: HashMap<Label, (String, Object<'_>)> = HashMap::new();
    for module in &now.modules {
        let Some(dict) = module.dict else { continue };
        if module.of_project {
            for class in imported_classes(dict, &now.home) {
                let label = memory.labels.class(class, &mut memory.names);
                if let Some(dict) = layout::class_dict(class) {
                    owners.entry(label).or_insert((full_name(class), dict));
                }
            }
        } else {
            owners.insert(module.label, (module.name.to_owned(), dict));
        }
    }
    let owner = |label: Label| owners.get(&label).cloned();
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
            access: Access::Process,
            kind: DifferenceKind::Added,
            before: None,
            after: Some(text),
        });
    }
    differences
}
