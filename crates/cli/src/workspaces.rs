//! Copies of the directory that a test VM runs in, so that an experiment finds the files that the watched run found, and
//! spoils them for no other. The user's own files are never touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use surefoot_files::{Found, Ignore, Kept, Size};
use surefoot_model::{Launch, Watch};

#[derive(Debug)]
pub(crate) struct Workspaces {
    folder: PathBuf,
    /// By directory: what the watched run found there, or why that is not known.
    found: BTreeMap<String, Result<Kept, String>>,
    /// What builds and tools write while tests run.
    ignore: Ignore,
}

impl Workspaces {
    /// Copies are made in `folder`.
    pub(crate) fn new(folder: &Path, found: &Found, watch: &Watch) -> Workspaces {
        let launches = watch.launches.values().filter(|launch| launch.pytest.is_none());
        let directories = launches.map(|launch| launch.directory.clone());
        let found = directories.map(|directory| {
            let kept = found.files(Path::new(&directory)).and_then(|kept| {
                kept.renew().map_err(|error| error.to_string())?;
                Ok(kept)
            });
            (directory, kept)
        });
        let (folder, found) = (folder.join("files"), found.collect());
        Workspaces { folder, found, ignore: Ignore::default() }
    }

    pub(crate) fn ignore(&mut self, patterns: &[String]) {
        self.ignore = Ignore::new(patterns);
    }

    /// A path in the directory of this launch that tests made, changed or removed, when they were watched or since.
    pub(crate) fn left_in(&self, launch: &Launch) -> Result<Option<PathBuf>> {
        let found = self.found_in(&launch.directory)?;
        Ok(found.first_difference(|path| self.counts(launch, path))?)
    }

    /// All of them.
    pub(crate) fn all_left_in(&self, launch: &Launch) -> Result<BTreeSet<PathBuf>> {
        let found = self.found_in(&launch.directory)?;
        let all = found.differences(|path| self.counts(launch, path))?;
        Ok(all.into_iter().collect())
    }

    /// Where the files lie as they were found.
    pub(crate) fn as_found(&self, launch: &Launch) -> Option<PathBuf> {
        Some(self.found_in(&launch.directory).ok()?.tree())
    }

    fn counts(&self, launch: &Launch, path: &Path) -> bool {
        let directory = Path::new(&launch.directory);
        // Builds write there before tests run, not meanwhile. An empty entry is a prefix of any path.
        let entries = || launch.class_path.iter().filter(|entry| !entry.is_empty());
        let on_class_path = |path: &Path| entries().any(|entry| path.starts_with(entry));
        let mut above = path.ancestors().filter(|above| !above.as_os_str().is_empty());
        on_class_path(&directory.join(path))
            || !above.any(|above| self.ignore.covers(&directory.join(above), directory))
    }

    fn found_in(&self, directory: &str) -> Result<&Kept> {
        let found = self.found.get(directory).context("nobody ran a test there")?;
        found.as_ref().map_err(|reason| anyhow!("{reason}"))
    }

    /// The launch in a copy of its directory, which is made if there is none of this name; and what was copied.
    pub(crate) fn launch_in(&self, launch: &Launch, name: &str) -> Result<(Launch, Size)> {
        let from = Path::new(&launch.directory);
        let to = self.folder.join(name).join(from.file_name().unwrap_or("directory".as_ref()));
        let mut size = Size::default();
        if !to.exists() {
            size = self.copy(launch, &to).inspect_err(|_| self.remove(name))?;
        }
        Ok((moved(launch, &to.to_string_lossy()), size))
    }

    fn copy(&self, launch: &Launch, to: &Path) -> Result<Size> {
        let mut size = self.found_in(&launch.directory)?.copy_to(to)?;
        for entry in &launch.class_path {
            // Built after the first test of the directory had run: a jar that integration tests use.
            let entry = Path::new(entry);
            let Ok(below) = entry.strip_prefix(&launch.directory) else { continue };
            let target = to.join(below);
            if entry.is_file() && !target.exists() {
                fs::create_dir_all(target.parent().unwrap_or(to))?;
                size.bytes += fs::copy(entry, target)?;
                size.files += 1;
            }
        }
        Ok(size)
    }

    pub(crate) fn remove(&self, name: &str) {
        // What cannot be removed now goes with the run's directory.
        let _ = fs::remove_dir_all(self.folder.join(name));
    }

    pub(crate) fn remove_all(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What copies took in all.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    number: u64,
    bytes: u64,
    time: Duration,
}

impl Copies {
    pub(crate) fn add(&mut self, size: Size, time: Duration) {
        // One that was there already took nothing.
        self.number += u64::from(size.files > 0);
        self.bytes += size.bytes;
        self.time += time;
    }

    pub(crate) fn words(&self) -> Option<String> {
        let (number, mib, seconds) = (self.number, self.bytes >> 20, self.time.as_secs_f64());
        let copies = if number == 1 { "copy" } else { "copies" };
        (number > 0).then(|| {
            format!("{number} {copies} of directories, {mib} MiB in all, took {seconds:.1} s and are removed")
        })
    }
}

/// With another directory, wherever the launch speaks of it.
fn moved(launch: &Launch, to: &str) -> Launch {
    let from = launch.directory.clone();
    let text = |text: &String| replaced(text, &from, to);
    let texts = |texts: &[String]| texts.iter().map(text).collect();
    let values = |map: &BTreeMap<String, String>| {
        map.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    };
    Launch {
        options: texts(&launch.options),
        class_path: texts(&launch.class_path),
        class_path_property: text(&launch.class_path_property),
        properties: values(&launch.properties),
        configuration: values(&launch.configuration),
        environment: values(&launch.environment),
        directory: to.to_owned(),
        ..launch.clone()
    }
}

/// The path and what is below it, but not `/a/bc` for `/a/b`, nor `/x/a/b`.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let whole =
            !before.ends_with(|c: char| is_name(c) || c == '/') && !after.starts_with(is_name);
        result.push_str(before);
        result.push_str(if whole { to } else { from });
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reports grow while tests run; what is on the class path does not, unless tests see to it.
    #[test]
    fn what_builds_write_is_left_by_no_test_except_on_the_class_path() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let project = folder.path().canonicalize()?.join("project");
        let classes = project.join("target/test-classes");
        fs::create_dir_all(&classes)?;
        fs::write(classes.join("settings.properties"), "a=1")?;
        let directory = project.to_string_lossy().into_owned();
        let launch = Launch {
            executable: "java".to_owned(),
            options: Vec::new(),
            class_path: vec![classes.to_string_lossy().into_owned(), String::new()],
            class_path_property: String::new(),
            properties: BTreeMap::new(),
            configuration: BTreeMap::new(),
            environment: BTreeMap::new(),
            directory,
            pytest: None,
        };
        let watch =
            Watch { launches: BTreeMap::from([(launch.id(), launch.clone())]), ..Watch::default() };
        let found = Found::in_folder(folder.path().join("found"));
        found.begin()?;
        found.keep(&project);
        let mut workspaces = Workspaces::new(folder.path(), &found, &watch);
        workspaces.ignore(&["target/test-classes".to_owned(), "target/surefire*".to_owned()]);
        fs::create_dir(project.join("target/surefire-reports"))?;
        fs::write(project.join("target/surefire-reports/report.xml"), "")?;
        assert_eq!(workspaces.left_in(&launch)?, None);
        fs::write(classes.join("settings.properties"), "a=10")?;
        let left = workspaces.left_in(&launch)?;
        assert_eq!(left, Some("target/test-classes/settings.properties".into()));

        // Built between the unit tests and the integration tests, say.
        let jar = project.join("target/app.jar");
        fs::write(&jar, "jar")?;
        let class_path = [launch.class_path.clone(), vec![jar.to_string_lossy().into_owned()]];
        let integration = Launch { class_path: class_path.concat(), ..launch };
        let (copy, _) = workspaces.launch_in(&integration, "1")?;
        assert_eq!(fs::read_to_string(&copy.class_path[2])?, "jar");
        let settings = Path::new(&copy.class_path[0]).join("settings.properties");
        assert_eq!(fs::read_to_string(settings)?, "a=1");
        Ok(())
    }

    #[test]
    fn a_path_is_replaced_where_it_is_whole() {
        let replaced = |text| replaced(text, "/a/b", "/c");
        assert_eq!(replaced("/a/b"), "/c");
        assert_eq!(replaced("-Dx=/a/b/target:/a/b"), "-Dx=/c/target:/c");
        assert_eq!(replaced("file:/a/b/"), "file:/c/");
        assert_eq!(replaced("/a/bc /x/a/b /a/b-1"), "/a/bc /x/a/b /a/b-1");
    }
}
