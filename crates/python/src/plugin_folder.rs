//! The pytest plug-in on disk: unpacked once per user and version, named by its content.

use std::path::{Path, PathBuf};

use surefoot_runtime::{UnpackError, cache_folder, unpack};
use xxhash_rust::xxh3::Xxh3;

const PACKAGE: &str = "surefoot_pytest";

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../plugin/surefoot_pytest/", $name)))),*]
    };
}

/// The part that is written in Rust; every CPython from 3.9 on can load it.
const NATIVE: (&str, &[u8]) =
    ("_state.abi3.so", include_bytes!(concat!(env!("OUT_DIR"), "/state.so")));

const MODULES: &[(&str, &[u8])] = modules![
    "__init__.py",
    "at_work.py",
    "choices.py",
    "collected.py",
    "declared.py",
    "displays.py",
    "driver.py",
    "environment.py",
    "forked.py",
    "keeping.py",
    "left_behind.py",
    "lines.py",
    "options.py",
    "parameters.py",
    "parent.py",
    "plugin.py",
    "results.py",
    "state.py",
    "unordered.py",
    "watch.py",
    "worker.py",
];

/// A folder for `sys.path` that holds the plug-in's package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginFolder(PathBuf);

impl PluginFolder {
    /// Unpacks into the per-user cache, unless it is there already.
    pub fn unpack() -> Result<PluginFolder, UnpackError> {
        PluginFolder::unpack_into(&cache_folder())
    }

    pub fn unpack_into(folder: &Path) -> Result<PluginFolder, UnpackError> {
        let folder = folder.join(name());
        for (name, content) in files() {
            unpack(&folder.join(PACKAGE), name, content)?;
        }
        Ok(PluginFolder(folder))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

fn files() -> impl Iterator<Item = &'static (&'static str, &'static [u8])> {
    MODULES.iter().chain([&NATIVE])
}

fn name() -> String {
    let mut hash = Xxh3::new();
    for (name, content) in files() {
        hash.update(name.as_bytes());
        hash.update(&(content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    format!("pytest-{:032x}", hash.digest128())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn the_whole_package_is_carried() {
        let folder = tempfile::tempdir().unwrap();
        let plugin = PluginFolder::unpack_into(folder.path()).unwrap();
        let names = |path: &Path| -> BTreeSet<String> {
            let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name());
            let names = entries.map(|name| name.to_string_lossy().into_owned());
            names.filter(|name| name.ends_with(".py")).collect()
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin").join(PACKAGE);
        assert_eq!(names(&plugin.path().join(PACKAGE)), names(&source));
        assert_eq!(PluginFolder::unpack_into(folder.path()).unwrap(), plugin);
    }
}
