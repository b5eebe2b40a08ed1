//! The source files of a program, found by the names in them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// What lies in directories of these names is not the program's own, or not code that runs.
const OF_OTHERS: &[&str] = &["node_modules", "site-packages", "__pycache__"];

/// Where there are more files and directories, tests were started somewhere above their project.
const MOST_ENTRIES: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct Program {
    files: Vec<PathBuf>,
    /// Which of the files have this word in them.
    by_word: HashMap<String, Vec<usize>>,
    /// The words between the parentheses behind the name of a class: of all classes of that name.
    bases: HashMap<String, BTreeSet<String>>,
}

impl Program {
    /// What cannot be read is left out: no import can read it. None if there is too much.
    pub(super) fn read(directories: &[PathBuf]) -> Option<Program> {
        let mut program = Program::default();
        let (mut open, mut seen) = (directories.to_vec(), 0);
        while let Some(directory) = open.pop() {
            // A virtual environment.
            if directory.join("pyvenv.cfg").exists() {
                continue;
            }
            let Ok(entries) = std::fs::read_dir(directory) else { continue };
            for entry in entries.flatten() {
                seen += 1;
                if seen > MOST_ENTRIES {
                    return None;
                }
                let (path, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                let is_own = !name.starts_with('.') && !OF_OTHERS.contains(&&*name);
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && is_own => open.push(path),
                    Ok(kind) if !kind.is_dir() && is_code(&path) => program.add(path),
                    _ => {}
                }
            }
        }
        Some(program)
    }

    fn add(&mut self, path: PathBuf) {
        let Ok(bytes) = std::fs::read(&path) else { return };
        self.add_text(path, &String::from_utf8_lossy(&bytes));
    }

    pub(super) fn add_text(&mut self, path: PathBuf, text: &str) {
        let number = self.files.len();
        for word in words(text).collect::<BTreeSet<&str>>() {
            match self.by_word.get_mut(word) {
                Some(files) => files.push(number),
                None => drop(self.by_word.insert(word.to_owned(), vec![number])),
            }
        }
        for (class, bases) in headers(text) {
            let known = self.bases.entry(class.to_owned()).or_default();
            known.extend(words(bases).map(str::to_owned));
        }
        self.files.push(path);
    }

    /// The files that have this word in them; no text where one is gone or no text.
    pub(super) fn naming(&self, word: &str) -> impl Iterator<Item = (&Path, Option<String>)> {
        let files = self.by_word.get(word).into_iter().flatten();
        files.map(|number| {
            let path = self.files[*number].as_path();
            (path, std::fs::read_to_string(path).ok())
        })
    }

    /// Whether some class may have both of these above it, or be one of them.
    pub(super) fn are_related(&self, one: &str, other: &str) -> bool {
        let mut classes = self.bases.keys().map(String::as_str).chain([one, other]);
        classes.any(|class| {
            let above = self.above(class);
            above.contains(one) && above.contains(other)
        })
    }

    /// A class and all that it may extend, by their simple names.
    fn above<'p>(&'p self, class: &'p str) -> BTreeSet<&'p str> {
        let mut above = BTreeSet::new();
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            if above.insert(class) {
                let bases = self.bases.get(class).into_iter().flatten();
                open.extend(bases.map(String::as_str));
            }
        }
        above
    }
}

/// What Cython makes of its sources cannot be read here, but that it names something can.
fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "py" || end == "pyx")
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |c: char| c == '_' || c.is_alphanumeric();
    text.split(move |c| !is_of_word(c)).filter(|word| !word.is_empty())
}

/// The classes of a file, each with what stands between the parentheses.
fn headers(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let starts = text.match_indices("class ").filter(|(at, _)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default();
        line.trim().is_empty()
    });
    starts.filter_map(|(at, start)| {
        let rest = text[at + start.len()..].trim_start();
        let class = words(rest).next().filter(|class| rest.starts_with(class))?;
        let behind = rest[class.len()..].trim_start();
        let bases = behind.strip_prefix('(').and_then(|bases| bases.split("):").next());
        Some((class, bases.unwrap_or_default()))
    })
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn classes_are_related_that_one_object_may_be_of() {
        let mut program = Program::default();
        let text = "class A: pass\nclass B(A):\n  pass\nclass Mixin: pass\nclass C(B, lib.Mixin[int]): pass\nclass D: pass\n";
        program.add_text("a.py".into(), text);
        assert!(program.are_related("A", "B"));
        assert!(program.are_related("C", "A"));
        assert!(program.are_related("Mixin", "A"), "C is both");
        assert!(!program.are_related("D", "A"));
        assert!(program.are_related("Elsewhere", "Elsewhere"));
    }

    #[test]
    fn headers_go_over_several_lines() {
        let text = "class A(\n    B,\n    metaclass=M,\n):\n    pass\n# class no\nclass E: pass\n";
        let found: Vec<(&str, Vec<&str>)> =
            headers(text).map(|(class, bases)| (class, words(bases).collect())).collect();
        assert_eq!(found, [("A", vec!["B", "metaclass", "M"]), ("E", vec![])]);
    }
}
