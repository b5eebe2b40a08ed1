//! The class files of a program, found by the fields that they name.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use surefoot_classfile::ClassFile;

/// What reflection reads fields with; whoever names one of these and a field in a string reads that field.
const BY_NAME: [&[u8]; 4] = [b"getDeclaredField", b"getField", b"readStaticField", b"readField"];

/// The classes in the directories of a class path. Those in jars belong to others.
#[derive(Debug)]
pub(crate) struct Program {
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
    /// Which of the files name a field of this name, in their code or for reflection, or call such an accessor.
    by_name: HashMap<Vec<u8>, Vec<usize>>,
}

impl Program {
    /// What cannot be read is left out, as the VM would.
    pub(crate) fn read(class_path: &[String]) -> Program {
        let directories: Vec<PathBuf> =
            class_path.iter().map(PathBuf::from).filter(|path| path.is_dir()).collect();
        let mut program = Program {
            directories: directories.clone(),
            files: Vec::new(),
            by_name: HashMap::new(),
        };
        let mut open = directories;
        while let Some(directory) = open.pop() {
            let Ok(entries) = std::fs::read_dir(directory) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(path),
                    Ok(_) if path.extension().is_some_and(|end| end == "class") => {
                        program.add(path)
                    }
                    _ => {}
                }
            }
        }
        program
    }

    fn add(&mut self, path: PathBuf) {
        let Ok(bytes) = std::fs::read(&path) else { return };
        let Ok(class) = ClassFile::parse(&bytes) else { return };
        let mut names: Vec<&[u8]> = class.named_fields().map(|[_, name, _]| name).collect();
        names.extend(read_by_name(&class));
        names.extend(called_accessors(&class));
        names.sort_unstable();
        names.dedup();
        let number = self.files.len();
        for name in names {
            self.by_name.entry(name.to_owned()).or_default().push(number);
        }
        self.files.push(path);
    }

    /// The class files that name one of these, fields or accessors.
    pub(crate) fn naming(&self, names: &[&[u8]]) -> Vec<Vec<u8>> {
        let files = names.iter().filter_map(|name| self.by_name.get(*name)).flatten();
        let files: BTreeSet<usize> = files.copied().collect();
        let files = files.into_iter().filter_map(|number| self.files.get(number));
        files.filter_map(|file| std::fs::read(file).ok()).collect()
    }

    /// All class files, one after the other.
    pub(crate) fn classes(&self) -> impl Iterator<Item = Vec<u8>> {
        self.files.iter().filter_map(|file| std::fs::read(file).ok())
    }

    /// A class by its internal name; none if it is in a jar.
    pub(crate) fn class(&self, name: &[u8]) -> Option<Vec<u8>> {
        let file = format!("{}.class", std::str::from_utf8(name).ok()?);
        self.directories.iter().find_map(|directory| std::fs::read(directory.join(&file)).ok())
    }

    /// Whether a class is another one, or extends it.
    pub(crate) fn extends(&self, class: &[u8], other: &[u8]) -> bool {
        self.line(class).iter().any(|one| one == other)
    }

    /// A class and those that it extends, as far as they are of the program.
    pub(crate) fn line(&self, class: &[u8]) -> Vec<Vec<u8>> {
        let mut line = vec![class.to_owned()];
        while let Some(bytes) = line.last().and_then(|last| self.class(last)) {
            let parsed = ClassFile::parse(&bytes).ok();
            match parsed.and_then(|class| class.super_name().map(<[u8]>::to_owned)) {
                // A class file that lies could go round in a circle.
                Some(above) if !line.contains(&above) => line.push(above),
                _ => break,
            }
        }
        line
    }
}

/// Before Java 11, nested classes read private fields by methods that javac makes: `access$000`.
pub(crate) fn is_accessor(method: &[u8]) -> bool {
    method.starts_with(b"access$")
}

fn called_accessors<'a>(class: &ClassFile<'a>) -> impl Iterator<Item = &'a [u8]> {
    class.named_methods().map(|[_, name, _]| name).filter(|name| is_accessor(name))
}

/// The strings of a class that reads fields by their names.
pub(crate) fn read_by_name<'a>(class: &ClassFile<'a>) -> Vec<&'a [u8]> {
    let reflects = class.named_methods().any(|[_, name, _]| BY_NAME.contains(&name));
    if reflects { class.strings().collect() } else { Vec::new() }
}
