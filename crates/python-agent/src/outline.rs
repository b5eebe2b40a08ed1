//! What modules and classes hold by name, read again only where it has changed: nearly all of it stays as it is for a whole suite, and
//! to read the names of every module for each look would take longer than all the rest.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use surefoot_model::Access;
use surefoot_state::{Label, Value};

use crate::api::{self, Object};
use crate::kinds::{full_name, module_of};
use crate::known::Known;
use crate::layout::{self, Version};
use crate::own_names::{is_of_class_itself, is_of_module_itself};
use crate::patches::{Code, code_in};
use crate::project::Project;
use crate::settings::entry;
use crate::walk::{Home, Memory};

/// The test framework replaces functions of its own while it works.
const OF_THE_FRAMEWORK: &[&str] = &["_pytest", "pytest", "pluggy", "surefoot_pytest", "hypothesis"];

/// Modules in which it replaces functions while it runs a test, and puts them back.
pub(crate) const ON_THE_SURFACE: &[&str] = &["warnings", "sys", "threading"];

/// With more classes than this in it, their table begins anew: a program may make them without end.
const MOST: usize = 100_000;

/// An object that a dict refers to, or that one refers to that the dict refers to. It is there as long as the dict has not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept(usize);

impl Kept {
    fn new(object: Object<'_>) -> Kept {
        Kept(object.address())
    }

    /// # Safety
    /// The dict has not changed since, and does not as long as the object is used.
    pub(crate) unsafe fn get<'a>(self) -> Object<'a> {
        // SAFETY: as the caller says; it was made of an object, and so is not null.
        unsafe { Object::borrowed(self.0 as *mut _).unwrap_unchecked() }
    }
}

/// A module that was imported.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) name: Label,
    pub(crate) object: Kept,
    dict: Option<Kept>,
    pub(crate) of_project: bool,
    /// Functions that are replaced here are patches.
    of_library: bool,
    held: Holding,
}

/// What the dict of a module held when it was read.
#[derive(Debug, Default)]
struct Holding {
    version: Option<Version>,
    /// Only of modules that are not the project's.
    code: Code,
    /// Only of the project's.
    attributes: Vec<Attribute>,
    residents: Vec<usize>,
    /// Classes, with the name of the module that each was made in.
    classes: Vec<(Kept, Label)>,
    /// Dicts of modules that it names.
    modules: Vec<usize>,
}

impl Holding {
    /// Whether both name the same classes and modules. What is an attribute of a module of pytest's or a setting changes all the time.
    fn leads_to_the_same_as(&self, other: &Holding) -> bool {
        self.classes == other.classes
            && self.modules == other.modules
            && self.residents == other.residents
    }
}

/// An attribute of a module or a class of the project, which is a root.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) root: Label,
    pub(crate) access: Access,
    pub(crate) value: Kept,
    pub(crate) what: What,
    /// What stands for the value, if that is the same at each look.
    pub(crate) constant: Cell<Option<Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A class that was made in the module under this name: its attributes are roots.
    Class,
    /// A function that was made in the module.
    Resident,
    Value,
}

/// A class of a library that the project names.
#[derive(Debug)]
struct Foreign {
    name: Label,
    class: Kept,
    version: Option<Version>,
    code: Code,
}

#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// Of `sys.modules`.
    version: Option<Version>,
    modules: Vec<Imported>,
    by_name: HashMap<String, usize>,
    foreign: Vec<Foreign>,
    /// Classes of the project, by their addresses.
    classes: FxHashMap<usize, (Option<Version>, Vec<Attribute>)>,
    home: Home,
    /// How often that has changed.
    homes: u64,
    /// Every module: its name, and where it lies. It is the very same list as long as there are the same modules.
    list: Arc<[(Label, usize)]>,
    /// The functions and classes of libraries, by what holds them; none if any of it has changed since it was told.
    code: Option<Arc<[(Label, Code)]>>,
}

impl Outline {
    /// Brings it up to date. What it tells after that holds until code of Python's runs.
    pub(crate) fn look(&mut self, known: &Known, memory: &mut Memory, project: &mut Project) {
        let Some(all) = api::modules() else { return };
        let version = known.version(all);
        let mut changed = version.is_none() || version != self.version;
        if changed {
            self.list(all, memory, project);
            self.version = version;
        }
        for module in &mut self.modules {
            // SAFETY: `sys.modules` is as it was when this was read from there, and a module keeps its dict.
            let Some(dict) = module.dict.map(|dict| unsafe { dict.get() }) else { continue };
            let version = known.version(dict);
            if version.is_none() || version != module.held.version {
                let mut held = match module.of_project {
                    true => of_project(module.name, dict, known, memory),
                    false => of_library(dict, known, memory),
                };
                held.version = version;
                changed |= !held.leads_to_the_same_as(&module.held);
                module.held = held;
                self.code = None;
            }
        }
        if changed {
            self.find_home(memory);
            self.find_foreign(memory);
            self.code = None;
        }
        for foreign in &mut self.foreign {
            // SAFETY: modules name it that have not changed since.
            let dict = layout::class_dict(unsafe { foreign.class.get() });
            let Some(dict) = dict else { continue };
            let version = known.version(dict);
            if version.is_none() || version != foreign.version {
                (foreign.version, foreign.code) = (version, code_in(dict, known));
                self.code = None;
            }
        }
        self.look_at_classes(known, memory);
    }

    /// Those of the project.
    fn look_at_classes(&mut self, known: &Known, memory: &mut Memory) {
        if self.classes.len() > MOST {
            self.classes.clear();
        }
        let attributes = self.modules.iter().flat_map(|module| &module.held.attributes);
        for attribute in attributes.filter(|attribute| attribute.what == What::Class) {
            // SAFETY: the module that it is an attribute of has just been looked at.
            let class = unsafe { attribute.value.get() };
            let Some(dict) = layout::class_dict(class) else { continue };
            let version = known.version(dict);
            let held = self.classes.entry(attribute.value.0).or_default();
            if version.is_none() || version != held.0 {
                *held = (version, of_class(attribute.root, class, dict, memory));
            }
        }
    }

    /// The attributes of a class of the project.
    pub(crate) fn of_class(&self, class: Kept) -> &[Attribute] {
        self.classes.get(&class.0).map(|(_, attributes)| &attributes[..]).unwrap_or_default()
    }

    /// Takes in which modules there are.
    fn list(&mut self, all: Object<'_>, memory: &mut Memory, project: &mut Project) {
        let mut before: HashMap<(usize, Label), Imported> = HashMap::new();
        for module in self.modules.drain(..) {
            before.insert((module.object.0, module.name), module);
        }
        self.by_name.clear();
        let mut is_same = true;
        for (key, object) in all.entries() {
            let Some(text) = key.text() else { continue };
            let Some(name) = memory.labels.attribute(key, &mut memory.names) else { continue };
            let dict = object.module_dict();
            let known = before.remove(&(object.address(), name));
            // Another module may lie where one was that is gone.
            let known = known.filter(|known| known.dict == dict.map(Kept::new));
            is_same &= known.is_some();
            self.by_name.insert(text.to_owned(), self.modules.len());
            self.modules.push(known.unwrap_or_else(|| {
                let of_project = dict.is_some() && project.has(text, name, object);
                let is_left_out = |names: &[&str]| names.contains(&top(text));
                let left_out = is_left_out(OF_THE_FRAMEWORK) || is_left_out(ON_THE_SURFACE);
                Imported {
                    name,
                    object: Kept::new(object),
                    dict: dict.map(Kept::new),
                    of_project,
                    of_library: dict.is_some() && !of_project && !left_out,
                    held: Holding::default(),
                }
            }));
        }
        let list: Arc<[_]> = self.modules.iter().map(|one| (one.name, one.object.0)).collect();
        // Where `sys.modules` has no version, it is read at each look: what others know by the old list still holds then.
        if !is_same || *list != *self.list {
            self.list = list;
        }
    }

    fn find_home(&mut self, memory: &Memory) {
        let modules = || self.modules.iter().filter(|module| module.of_project);
        let home = Home {
            residents: modules().flat_map(|module| module.held.residents.iter().copied()).collect(),
            modules: modules().map(|one| memory.names.text(one.name).to_owned()).collect(),
        };
        if home != self.home {
            // Which classes are only named depends on it.
            let of_modules = self.modules.iter().flat_map(|module| &module.held.attributes);
            let of_classes = self.classes.values().flat_map(|(_, attributes)| attributes);
            of_modules.chain(of_classes).for_each(|attribute| attribute.constant.set(None));
            self.home = home;
            self.homes += 1;
        }
    }

    /// Classes of libraries that a module of the project names, or that lie in modules that it names.
    fn find_foreign(&mut self, memory: &mut Memory) {
        let mut before: HashMap<usize, Foreign> =
            self.foreign.drain(..).map(|one| (one.class.0, one)).collect();
        let dicts: HashMap<usize, &Holding> =
            self.modules.iter().filter_map(|one| Some((one.dict?.0, &one.held))).collect();
        let mut seen = HashSet::new();
        for module in self.modules.iter().filter(|module| module.of_project) {
            let named = module.held.modules.iter().filter_map(|dict| dicts.get(dict).copied());
            for holding in std::iter::once(&module.held).chain(named) {
                for (class, made_in) in &holding.classes {
                    let made_in = memory.names.text(*made_in);
                    let is_foreign = !self.home.modules.contains(made_in)
                        && !OF_THE_FRAMEWORK.contains(&top(made_in));
                    if !is_foreign {
                        continue;
                    }
                    // SAFETY: the dicts that name it have just been looked at.
                    let object = unsafe { class.get() };
                    let name = memory.labels.class(object, &mut memory.names);
                    if seen.insert(name) {
                        let known = before.remove(&class.0).filter(|known| known.name == name);
                        self.foreign.push(known.unwrap_or(Foreign {
                            name,
                            class: *class,
                            version: None,
                            code: Code::default(),
                        }));
                    }
                }
            }
        }
    }

    /// Modules of the project and of libraries, but not the test framework's: their names and dicts, and whether they are the project's.
    pub(crate) fn of_all<'a>(&self) -> impl Iterator<Item = (Label, Object<'a>, bool)> {
        let modules = self.modules.iter().filter(|module| module.of_library || module.of_project);
        // SAFETY: as in `look`.
        modules.filter_map(|one| Some((one.name, unsafe { one.dict?.get() }, one.of_project)))
    }

    /// Whether a module of this name is a library's.
    pub(crate) fn has_library(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|at| self.modules[*at].of_library)
    }

    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// Another number whenever that has changed.
    pub(crate) fn homes(&self) -> u64 {
        self.homes
    }

    /// Every module: its name, and where it lies.
    pub(crate) fn modules(&self) -> Arc<[(Label, usize)]> {
        Arc::clone(&self.list)
    }

    pub(crate) fn module<'a>(&self, name: &str) -> Option<Object<'a>> {
        let at = self.by_name.get(name)?;
        // SAFETY: `sys.modules` is as it was when this was read from there.
        Some(unsafe { self.modules[*at].object.get() })
    }

    /// Whether a module says itself what to make of an attribute that it does not have, as those do that import the rest of a package
    /// when it is asked for.
    pub(crate) fn provides(&self, module: &str) -> bool {
        const ASKED: &str = "__getattr__";
        let has = |dict: Option<Object<'_>>| dict.is_some_and(|dict| entry(dict, ASKED).is_some());
        self.module(module).is_some_and(|module| {
            let mut classes = layout::order(module.type_of()).into_iter();
            has(module.module_dict()) || classes.any(|class| has(layout::class_dict(class)))
        })
    }

    /// The functions and classes of libraries that were there when it was last brought up to date, by what holds them.
    pub(crate) fn code(&mut self) -> Arc<[(Label, Code)]> {
        let Outline { modules, foreign, code, .. } = self;
        let all = || {
            let modules = modules.iter().filter(|module| module.of_library);
            let modules = modules.map(|module| (module.name, Arc::clone(&module.held.code)));
            modules.chain(foreign.iter().map(|one| (one.name, Arc::clone(&one.code)))).collect()
        };
        Arc::clone(code.get_or_insert_with(all))
    }

    /// What holds code of libraries: its full name, and its dict.
    pub(crate) fn owner<'a>(&self, name: Label, memory: &Memory) -> Option<(String, Object<'a>)> {
        let is_it = |module: &&Imported| module.name == name && !module.of_project;
        if let Some(module) = self.modules.iter().find(is_it) {
            // SAFETY: as in `look`.
            let dict = unsafe { module.dict?.get() };
            return Some((memory.names.text(name).to_owned(), dict));
        }
        let foreign = self.foreign.iter().find(|one| one.name == name)?;
        // SAFETY: as in `look`.
        let class = unsafe { foreign.class.get() };
        Some((full_name(class), layout::class_dict(class)?))
    }

    /// The attributes of the project's modules, module by module.
    pub(crate) fn of_project(&self) -> impl Iterator<Item = (Label, &[Attribute])> {
        let modules = self.modules.iter().filter(|module| module.of_project);
        modules.map(|module| (module.name, &module.held.attributes[..]))
    }
}

/// Of a name of a module.
pub(crate) fn top(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

fn of_library(dict: Object<'_>, known: &Known, memory: &mut Memory) -> Holding {
    Holding { code: code_in(dict, known), classes: classes_in(dict, memory), ..Holding::default() }
}

fn of_project(module: Label, dict: Object<'_>, known: &Known, memory: &mut Memory) -> Holding {
    let name = memory.names.text(module).to_owned();
    let mut attributes = Vec::new();
    for (key, value) in dict.entries() {
        let Memory { names, labels, .. } = &mut *memory;
        let Some(text) = key.text().filter(|text| !is_of_module_itself(text)) else { continue };
        let Some((root, access)) = labels.root(module, key, names) else { continue };
        let is_home = || layout::name(value) == text && module_of(value) == Some(&name);
        let what = if value.is_type() && is_home() && layout::class_dict(value).is_some() {
            What::Class
        } else if !value.is_type() && lives_in(value, &name, dict, known) {
            What::Resident
        } else {
            What::Value
        };
        attributes.push(Attribute {
            root,
            access,
            value: Kept::new(value),
            what,
            constant: Cell::new(None),
        });
    }
    let residents = dict.entries().filter(|(_, value)| lives_in(*value, &name, dict, known));
    let modules = dict.entries().filter_map(|(_, value)| value.module_dict());
    Holding {
        attributes,
        residents: residents.map(|(_, value)| value.address()).collect(),
        classes: classes_in(dict, memory),
        modules: modules.map(Object::address).collect(),
        ..Holding::default()
    }
}

fn of_class(
    root: Label,
    class: Object<'_>,
    dict: Object<'_>,
    memory: &mut Memory,
) -> Vec<Attribute> {
    let Memory { names, labels, .. } = &mut *memory;
    let is_state = |name: &str| !is_of_class_itself(name) && !is_of_django(class, name);
    let attributes = dict.entries().filter(|(key, _)| key.text().is_some_and(is_state));
    let attributes = attributes.filter_map(|(key, value)| {
        let (root, access) = labels.root(root, key, names)?;
        let what = What::Value;
        Some(Attribute { root, access, value: Kept::new(value), what, constant: Cell::new(None) })
    });
    attributes.collect()
}

fn classes_in(dict: Object<'_>, memory: &mut Memory) -> Vec<(Kept, Label)> {
    let classes = dict.entries().map(|(_, value)| value).filter(|value| value.is_type());
    let classes =
        classes.filter_map(|class| Some((Kept::new(class), memory.names.label(module_of(class)?))));
    classes.collect()
}

/// A function or a class that this module has made.
fn lives_in(value: Object<'_>, module: &str, dict: Object<'_>, known: &Known) -> bool {
    if value.type_of() == known.function.get() {
        return value.function().globals == Some(dict);
    }
    value.is_type() && module_of(value) == Some(module)
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
