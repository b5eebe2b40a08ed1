//! The JDK that the tests run with, and the classes they take from it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A tool of the JDK, by name.
pub(crate) fn tool(name: &str) -> Command {
    Command::new(match std::env::var_os("JAVA_HOME") {
        Some(home) => PathBuf::from(home).join("bin").join(name),
        None => PathBuf::from(name),
    })
}

/// Runs a command to its successful end.
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("these tests need a JDK: {command:?}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{stderr}", output.status);
    output
}

/// An empty directory for one test, removed with it. Its name is no other process's: test runners
/// may give each test its own.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("{name}-{}", std::process::id());
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&directory).expect("a test directory can be made");
        Self(directory)
    }
}

impl std::ops::Deref for Directory {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // A directory that stays behind harms nobody: the next one has another name.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn java_source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(name)
}

/// The classes of `tests/java` and of [`long_method`], compiled once, in the order of their names.
pub(crate) fn fixture_classes() -> &'static [Class] {
    static CLASSES: OnceLock<Vec<Class>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let directory = Directory::new("fixture");
        let generated = directory.join("LongMethod.java");
        fs::write(&generated, long_method()).expect("a source can be written");
        let compiled = directory.join("compiled");
        let sources =
            ["Gauntlet.java", "Initialise.java", "Launch.java", "Probe.java", "Refused.java"];
        run(tool("javac")
            .args(["-g", "-nowarn", "-d"])
            .arg(&compiled)
            .args(sources.map(java_source))
            .arg(&generated));
        let mut classes: Vec<Class> = fs::read_dir(&compiled)
            .expect("javac has made the directory")
            .map(|entry| entry.expect("a directory can be read").path())
            .map(|path| Class {
                name: path.file_stem().expect("classes have names").to_string_lossy().into_owned(),
                bytes: fs::read(&path).expect("a class can be read"),
            })
            .collect();
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        classes
    })
}

pub(crate) fn fixture_class(name: &str) -> &'static Class {
    let found = fixture_classes().iter().find(|class| class.name == name);
    found.expect("the class is among the compiled ones")
}

/// A method of some 40,000 bytes, with jumps too long for 16 bits and a switch at the far end.
fn long_method() -> String {
    let statements = "sum = sum * 31 + round; if (sum % 5 == 0) { sum++; }\n".repeat(2_500);
    format!(
        "final class LongMethod {{ static int run(int rounds) {{ int sum = 1; int round = 0;
         do {{ round++; {statements}
           switch (sum & 3) {{ case 0: sum += 1; break; case 1: sum += 7; break; case 2: break;
             default: sum = -sum; }}
         }} while (round < rounds); return sum; }} }}"
    )
}

/// The home of the JDK that the tests run with.
pub(crate) fn home() -> PathBuf {
    let settings = run(tool("java").args(["-XshowSettings:properties", "-version"]));
    let settings = String::from_utf8_lossy(&settings.stderr).into_owned();
    let home = settings
        .lines()
        .find_map(|line| line.trim().strip_prefix("java.home = "))
        .expect("java tells its home");
    fs::canonicalize(home).expect("the JDK has a home")
}

/// The homes of this JDK and of those installed next to it.
pub(crate) fn installed_jdks() -> Vec<PathBuf> {
    let home = home();
    let mut homes = BTreeSet::from([home.clone()]);
    for entry in home.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten() {
        let neighbour = entry.and_then(|entry| fs::canonicalize(entry.path()));
        homes.extend(neighbour.ok().filter(|home| home.join("bin/javac").exists()));
    }
    homes.into_iter().collect()
}

/// Hands every class of some modules of a JDK to `visit` and returns how many there were.
pub(crate) fn for_each_class_of(
    home: &Path,
    modules: &[&str],
    mut visit: impl FnMut(Class),
) -> usize {
    let mut java = Command::new(home.join("bin/java"))
        .arg(java_source("DumpClasses.java"))
        .args(modules)
        .stdout(Stdio::piped())
        .spawn()
        .expect("java can be started");
    let mut out = BufReader::new(java.stdout.take().expect("standard output is piped"));
    let mut count = 0;
    while let Some(class) = read_class(&mut out) {
        visit(class);
        count += 1;
    }
    assert!(java.wait().expect("java can be waited for").success());
    count
}

/// What `DumpClasses` writes: a name behind two bytes of length, a class behind four.
fn read_class(from: &mut impl Read) -> Option<Class> {
    let mut length = [0; 2];
    from.read_exact(&mut length).ok()?;
    let mut name = vec![0; usize::from(u16::from_be_bytes(length))];
    from.read_exact(&mut name).expect("a name follows its length");
    let mut length = [0; 4];
    from.read_exact(&mut length).expect("a length follows the name");
    let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
    from.read_exact(&mut bytes).expect("a class follows its length");
    Some(Class { name: String::from_utf8_lossy(&name).into_owned(), bytes })
}
