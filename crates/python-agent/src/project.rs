//! Which modules are the project's own.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use surefoot_state::Label;

use crate::api::Object;

/// Directories in which packages are installed, wherever they lie.
const INSTALLED: &[&str] = &["site-packages", "dist-packages", "node_modules"];

#[derive(Debug)]
pub(crate) struct Project {
    directories: Vec<PathBuf>,
    /// Names of packages and modules that lie in the project: they may be installed elsewhere as well, as tox does.
    packages: HashSet<String>,
    /// What the user wants looked at instead.
    include: Vec<Regex>,
    /// By address and name: a module may have several.
    decided: HashMap<(usize, Label), bool>,
}

impl Project {
    pub(crate) fn new(directories: &[String], include: &[String]) -> Project {
        let directories: Vec<PathBuf> = directories
            .iter()
            .map(|path| std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path)))
            .collect();
        let packages = directories
            .iter()
            .flat_map(|directory| [directory.clone(), directory.join("src")])
            .flat_map(|directory| packages_in(&directory))
            .collect();
        let include = include.iter().filter_map(|text| Regex::new(text).ok()).collect();
        Project { directories, packages, include, decided: HashMap::new() }
    }

    pub(crate) fn has(&mut self, name: &str, label: Label, module: Object<'_>) -> bool {
        let key = (module.address(), label);
        if let Some(decided) = self.decided.get(&key) {
            return *decided;
        }
        let has = self.decide(name, module);
        self.decided.insert(key, has);
        has
    }

    fn decide(&self, name: &str, module: Object<'_>) -> bool {
        if !self.include.is_empty() {
            return self.include.iter().any(|include| include.is_match(name));
        }
        let Some(dict) = module.module_dict() else { return false };
        let file = dict.entries().find(|(key, _)| key.text() == Some("__file__"));
        let Some(file) = file.and_then(|(_, file)| file.text()).map(Path::new) else {
            return false;
        };
        let installed = file
            .components()
            .any(|part| part.as_os_str().to_str().is_some_and(|part| INSTALLED.contains(&part)));
        if installed {
            let top = name.split('.').next().unwrap_or_default();
            return self.packages.contains(top);
        }
        let real = std::fs::canonicalize(file);
        let file = real.as_deref().unwrap_or(file);
        self.directories.iter().any(|directory| file.starts_with(directory))
    }
}

fn packages_in(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let name = |path: PathBuf| {
        let is_package = path.join("__init__.py").is_file();
        let is_module = path.extension().is_some_and(|end| end == "py") && path.is_file();
        let name = path.file_stem()?.to_str()?.to_owned();
        (is_package || is_module && name != "setup" && name != "conftest").then_some(name)
    };
    entries.flatten().filter_map(|entry| name(entry.path())).collect()
}
