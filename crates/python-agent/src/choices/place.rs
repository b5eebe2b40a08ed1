//! Which code gets to see an order, and whether it is to see another one than usual.
//!
//! The stack is read from the call outwards. Code of the standard library that passes the order on to its caller is skipped, and
//! the first code behind it decides: only code of the project or of a library is shown another order. The machinery of the
//! standard library and what runs the tests may count on what they know.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use super::frames::Frame;

/// How far out the stack is read.
const DEPTH: usize = 64;

/// How many functions of the program make a place: a helper that everybody calls is another place for each caller.
const FUNCTIONS: usize = 4;

#[derive(Debug)]
pub(crate) struct Place {
    /// The same for the same place in every process.
    pub(crate) number: u64,
    /// Below the code of a module, which runs when it is first imported.
    pub(crate) in_initialiser: bool,
    /// The function that sees the order, as `shop.cart.total`; only if choices are told.
    pub(crate) function: String,
    /// From what was called outwards to the test, only if choices are told.
    pub(crate) stack: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Places {
    /// The folder of the standard library, with a slash.
    library: String,
    /// Folders that paths are shown relative to, with a slash each.
    roots: Vec<String>,
    files: HashMap<String, Whose>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Whose {
    /// Of the standard library, and only passes on what it sees.
    PassesOn,
    /// Does the same in every order, or is no business of a test.
    NotAsked,
    /// Surefoot's own.
    Ours,
    Program,
}

impl Places {
    pub(crate) fn new(library: &str, roots: &[String]) -> Places {
        let with_slash = |folder: &str| format!("{}/", folder.trim_end_matches('/'));
        Places {
            library: with_slash(library),
            roots: roots.iter().map(|root| with_slash(root)).collect(),
            files: HashMap::new(),
        }
    }

    /// Where this thread is; none if whoever asks is to see the usual order. `api` is what was called. Code of ours is skipped if
    /// it asks for others.
    pub(crate) fn find(&mut self, api: &str, for_others: bool, told: bool) -> Option<Place> {
        let mut place: Option<Place> = None;
        let mut stack = if told { vec![api.to_owned()] } else { Vec::new() };
        let (mut hash, mut functions) = (Xxh3::new(), 0);
        let mut frame = Frame::current();
        for _ in 0..DEPTH {
            let Some(current) = frame else { break };
            let (file, function) = (current.file(), current.function());
            let mut whose = self.whose(&file, &function);
            if for_others && is_of_django(&file) {
                whose = Whose::Ours;
            }
            match whose {
                Whose::NotAsked if place.is_none() => return None,
                Whose::Ours if place.is_none() && !for_others => return None,
                // Who calls a module that is imported, or a function that the test framework calls, does not matter.
                Whose::NotAsked => break,
                Whose::Ours | Whose::PassesOn | Whose::Program => {}
            }
            if told && whose != Whose::Ours {
                stack.push(self.shown(&current, &file));
            }
            if whose == Whose::Program {
                if functions < FUNCTIONS {
                    hash.update(self.short(&file).as_bytes());
                    hash.update(function.as_bytes());
                    hash.update(&current.line().to_le_bytes());
                    functions += 1;
                }
                let place = place.get_or_insert_with(|| Place {
                    number: 0,
                    in_initialiser: false,
                    function: if told { name(&current) } else { String::new() },
                    stack: Vec::new(),
                });
                place.in_initialiser |= function == "<module>";
                if functions == FUNCTIONS && !told {
                    break;
                }
            }
            frame = current.caller();
        }
        place.map(|place| Place { number: hash.digest(), stack, ..place })
    }

    fn whose(&mut self, file: &str, function: &str) -> Whose {
        let known = self.files.get(file).cloned();
        let whose = known.unwrap_or_else(|| {
            let whose = of_file(file, &self.library);
            self.files.insert(file.to_owned(), whose.clone());
            whose
        });
        // What is removed is gone, in whatever order.
        let same = function.contains("rmtree") && file.ends_with("/shutil.py");
        if same { Whose::NotAsked } else { whose }
    }

    /// `shop.cart.total(shop/cart.py:12)`
    fn shown(&self, frame: &Frame, file: &str) -> String {
        format!("{}({}:{})", name(frame), self.short(file), frame.line())
    }

    /// Relative to where people look for it.
    fn short(&self, file: &str) -> String {
        if let Some(inside) = of_library(file, &self.library) {
            // Of modules that are frozen into the interpreter, the name alone is known.
            return format!("<python>/{}.py", inside.trim_end_matches(".py"));
        }
        if let Some((_, package)) = installed(file) {
            return format!("site-packages/{package}");
        }
        let below = self.roots.iter().find_map(|root| file.strip_prefix(root.as_str()));
        below.unwrap_or(file).to_owned()
    }
}

fn name(frame: &Frame) -> String {
    let module = frame.module();
    let function = frame.qualified().replace(".<locals>", "");
    if module.is_empty() { function } else { format!("{module}.{function}") }
}

/// The path of a package, behind the folder that packages are installed in.
fn installed(file: &str) -> Option<(&str, &str)> {
    file.rsplit_once("/site-packages/").or_else(|| file.rsplit_once("/dist-packages/"))
}

/// The path inside the standard library; none of other code.
fn of_library<'f>(file: &'f str, library: &str) -> Option<&'f str> {
    if installed(file).is_some() {
        return None;
    }
    let frozen = file.strip_prefix("<frozen ").and_then(|rest| rest.strip_suffix('>'));
    frozen.or_else(|| file.strip_prefix(library))
}

fn of_file(file: &str, library: &str) -> Whose {
    if file.contains("/surefoot_pytest/") {
        return Whose::Ours;
    }
    if let Some(inside) = of_library(file, library) {
        return if passes_on(inside) { Whose::PassesOn } else { Whose::NotAsked };
    }
    // Methods that dataclasses, named tuples and attrs make up.
    if file == "<string>" || file.starts_with("<attrs generated") {
        return Whose::PassesOn;
    }
    let is_framework = match installed(file) {
        Some((_, package)) => is_framework(package),
        None => file.contains("/_pytest/") || file.contains("/pluggy/"),
    };
    if is_framework { Whose::NotAsked } else { Whose::Program }
}

/// A query is for whoever asks Django.
fn is_of_django(file: &str) -> bool {
    installed(file).is_some_and(|(_, package)| package.starts_with("django/db/"))
}

/// Modules whose functions hand on what they list or iterate.
fn passes_on(inside: &str) -> bool {
    const MODULES: &[&str] = &[
        "_collections_abc",
        "collections",
        "contextlib",
        "functools",
        "genericpath",
        "glob",
        "heapq",
        "os",
        "pathlib",
        "posixpath",
        "shutil",
        "types",
    ];
    let module = inside.split('/').next().unwrap_or(inside);
    MODULES.contains(&module.strip_suffix(".py").unwrap_or(module))
}

/// What runs tests, or measures them.
fn is_framework(package: &str) -> bool {
    const PACKAGES: &[&str] = &[
        "_hypothesis_pytestplugin.py",
        "_pytest",
        "coverage",
        "execnet",
        "hypothesis",
        "iniconfig",
        "pluggy",
        "py",
        "pytest",
        "xdist",
    ];
    let first = package.split('/').next().unwrap_or(package);
    PACKAGES.contains(&first)
        || first.starts_with("pytest_")
        || package.ends_with("/pytest_plugin.py")
}
