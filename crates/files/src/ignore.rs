//! Paths that nobody looks at. Pure.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// Patterns of names: `*.tmp` is any entry whose name ends so, `target/classes` any `classes` in a `target`, however deep.
/// One that starts with `/` is a whole path.
#[derive(Debug, Default)]
pub struct Ignore(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    whole: bool,
    names: Vec<Vec<u8>>,
}

impl Ignore {
    pub fn new(patterns: &[String]) -> Ignore {
        let pattern = |text: &String| Pattern {
            whole: text.starts_with('/'),
            names: names(Path::new(text)).map(|name| name.as_bytes().to_vec()).collect(),
        };
        Ignore(patterns.iter().map(pattern).filter(|pattern| !pattern.names.is_empty()).collect())
    }

    /// Whether this entry is ignored, and not because of what it lies in. What `root` itself is called does not count.
    pub fn covers(&self, path: &Path, root: &Path) -> bool {
        self.0.iter().any(|pattern| {
            let below = if pattern.whole { path } else { path.strip_prefix(root).unwrap_or(path) };
            let mut own = names(below).rev();
            let matched =
                pattern.names.iter().rev().all(|pattern| {
                    own.next().is_some_and(|name| matches(pattern, name.as_bytes()))
                });
            matched && (!pattern.whole || own.next().is_none())
        })
    }
}

fn names(path: &Path) -> impl DoubleEndedIterator<Item = &OsStr> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

/// `*` stands for any characters, none included.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let mut parts = pattern.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = (0..=rest.len()).find(|at| rest[*at..].starts_with(part)) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_about_the_last_names_of_a_path() {
        let patterns = [".git", "target/classes", "hsperfdata_*", "*.sw?", "/var/log/x", "a*b*c"];
        let ignore = Ignore::new(&patterns.map(str::to_owned));
        for (path, ignored) in [
            ("/p/.git", true),
            ("/p/sub/.git", true),
            ("/p/.gitignore", false),
            ("/p/target/classes", true),
            ("/p/sub/target/classes", true),
            ("/p/target", false),
            ("/p/classes", false),
            ("/p/hsperfdata_root", true),
            ("/p/hsperfdata_", true),
            ("/p/x.swp", false),
            ("/p/abc", true),
            ("/p/axbyc", true),
            ("/p/acb", false),
            ("/var/log/x", true),
            ("/p/var/log/x", false),
        ] {
            assert_eq!(ignore.covers(Path::new(path), Path::new("/p")), ignored, "{path}");
        }
    }

    #[test]
    fn who_names_an_ignored_directory_wants_to_look_there() {
        let ignore = Ignore::new(&["target/lucene".to_owned(), "target".to_owned()]);
        let root = Path::new("/p/target");
        assert!(!ignore.covers(&root.join("lucene"), root));
        assert!(ignore.covers(&root.join("x/target"), root));
    }
}
