//! Directories in which tests that ran with other orders than usual changed files that they leave alone otherwise: a library that
//! keeps what tests are to show may write it anew when they fail.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use surefoot_model::Launch;

use crate::console::Console;
use crate::workspaces::Workspaces;

/// More files are not named.
const MOST_NAMED: usize = 3;

/// Directories for what can be made again, as the rule `build-directory` has them: nobody need look at what changed there.
const FOR_BUILDS: [&str; 4] = ["target", "build", "out", "bin"];

#[derive(Debug, Default)]
pub(crate) struct Spoilt {
    /// By directory: what was not as found before anything was chosen there.
    before: BTreeMap<String, BTreeSet<PathBuf>>,
    directories: BTreeSet<String>,
}

impl Spoilt {
    pub(crate) fn has(&self, directory: &str) -> bool {
        self.directories.contains(directory)
    }

    /// Tests of this launch are about to run there.
    pub(crate) fn begin(&mut self, launch: &Launch, workspaces: &Workspaces) {
        if !self.before.contains_key(&launch.directory)
            && let Ok(left) = workspaces.all_left_in(launch)
        {
            self.before.insert(launch.directory.clone(), left);
        }
    }

    /// They have run. Says so, once, if they spoilt anything that is not only built.
    pub(crate) fn look(&mut self, launch: &Launch, workspaces: &Workspaces, console: Console) {
        let directory = &launch.directory;
        let Some(before) = self.before.get(directory).filter(|_| !self.has(directory)) else {
            return;
        };
        let Ok(now) = workspaces.all_left_in(launch) else { return };
        let new: Vec<&PathBuf> = now.difference(before).collect();
        if new.is_empty() {
            return;
        }
        let of_user = new.into_iter().filter(|path| !is_built(path));
        let new: Vec<String> = of_user.map(|path| path.display().to_string()).collect();
        if !new.is_empty() {
            Spoilt::warn(&new, launch, workspaces, console);
        }
        self.directories.insert(directory.clone());
    }

    fn warn(new: &[String], launch: &Launch, workspaces: &Workspaces, console: Console) {
        let directory = &launch.directory;
        let named = new[..new.len().min(MOST_NAMED)].join(", ");
        let more = match new.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let originals = workspaces.as_found(launch).unwrap_or_default();
        console.warn(&format!(
            "while tests ran with other orders, files changed in {directory} that the watched run left alone: {named}{more}; look at them before you commit. As they were, they are in {}. From here on tests run in copies",
            originals.display()
        ));
    }
}

fn is_built(path: &Path) -> bool {
    let is_one = |part: Component<'_>| FOR_BUILDS.iter().any(|name| part.as_os_str() == *name);
    path.components().any(is_one)
}
