//! How every pytest that a command starts comes to load the plug-in: pytest imports what `PYTEST_PLUGINS` names, and Python
//! finds it through `PYTHONPATH`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::PluginFolder;

const PLUGINS: &str = "PYTEST_PLUGINS";
const PATH: &str = "PYTHONPATH";
/// Tells the plug-in where to write; environment.py knows it too.
const WATCH: &str = "SUREFOOT_WATCH";
/// tox passes only some variables on, unless it is told which others.
const TOX: &str = "TOX_OVERRIDE";

const WATCH_MODULE: &str = "surefoot_pytest.watch";

/// Every variable that a watched command gets, or gets another value of. `user` is what the user has there.
pub fn watch_variables(
    user: impl Fn(&str) -> Option<OsString>,
    plugin: &PluginFolder,
    folder: &Path,
) -> [(&'static str, OsString); 4] {
    let and = |name: &str, separator: &str, ours: &OsStr| match user(name) {
        Some(mut users) if !users.is_empty() => {
            users.push(separator);
            users.push(ours);
            users
        }
        _ => ours.to_owned(),
    };
    [
        (WATCH, folder.into()),
        (PATH, and(PATH, ":", plugin.path().as_os_str())),
        (PLUGINS, and(PLUGINS, ",", WATCH_MODULE.as_ref())),
        (TOX, and(TOX, ";", tox_override().as_ref())),
    ]
}

fn tox_override() -> String {
    format!("testenv.pass_env+={WATCH},{PATH},{PLUGINS}")
}

/// Takes out what [`watch_variables`] put in, and keeps the rest. A Python process does so by itself when it loads the plug-in.
pub fn restore(environment: &mut BTreeMap<String, String>) {
    environment.remove(WATCH);
    let is_plugin = |entry: &str| {
        let name = Path::new(entry).file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.strip_prefix("pytest-").is_some_and(is_hash))
    };
    remove(environment, PATH, ':', is_plugin);
    remove(environment, PLUGINS, ',', |name| name == WATCH_MODULE);
    remove(environment, TOX, ';', |entry| entry.contains(WATCH));
}

fn is_hash(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn remove(
    environment: &mut BTreeMap<String, String>,
    name: &str,
    separator: char,
    is_ours: impl Fn(&str) -> bool,
) {
    let Some(value) = environment.get_mut(name) else {
        return;
    };
    let users: Vec<&str> = value.split(separator).filter(|part| !is_ours(part.trim())).collect();
    *value = users.join(&separator.to_string());
    if value.is_empty() {
        environment.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn injected(users: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let plugin = PluginFolder::unpack_into(tempfile::tempdir().unwrap().path()).unwrap();
        let user = |name: &str| users.get(name).map(OsString::from);
        let variables = watch_variables(user, &plugin, Path::new("/p/vms"));
        let mut environment = users.clone();
        environment
            .extend(variables.map(|(name, value)| (name.to_owned(), value.into_string().unwrap())));
        environment
    }

    #[test]
    fn the_users_values_are_kept_and_come_first() {
        let users = map(&[(PATH, "src:lib"), (PLUGINS, "a,b"), (TOX, "testenv.deps+=x")]);
        let environment = injected(&users);
        assert!(environment[PATH].starts_with("src:lib:/"), "{environment:?}");
        assert_eq!(environment[PLUGINS], "a,b,surefoot_pytest.watch");
        let mut restored = environment;
        restore(&mut restored);
        assert_eq!(restored, users);
    }

    #[test]
    fn without_values_of_the_users_nothing_is_left() {
        let mut environment = injected(&map(&[("HOME", "/h")]));
        assert_eq!(environment[WATCH], "/p/vms");
        restore(&mut environment);
        assert_eq!(environment, map(&[("HOME", "/h")]));
    }

    #[test]
    fn what_others_added_meanwhile_is_kept() {
        let mut environment = injected(&BTreeMap::new());
        let ours = environment[PATH].clone();
        environment.insert(PATH.into(), format!("src:{ours}:lib"));
        restore(&mut environment);
        assert_eq!(environment[PATH], "src:lib");
    }
}
