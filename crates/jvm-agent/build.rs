//! Compiles the Java half of the agent with `javac` and lists its classes for the agent to carry.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=java");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let stubs = out.join("stubs");
    let classes = out.join("classes");
    let models = out.join("models");
    compile(&sources(&["java/stubs"]), &stubs, &RELEASE, None);
    compile(&sources(&["java/boot", "java/src"]), &classes, &RELEASE, Some(&stubs));
    compile(&sources(&["java/models", "java/state"]), &models, &INSIDE_THE_JDK, None);

    let mut table = String::from("&[\n");
    for folder in [&classes, &models] {
        for class in files(folder, "class") {
            let name = class
                .strip_prefix(folder)
                .expect("below the folder that was walked")
                .with_extension("");
            writeln!(table, "    ({:?}, include_bytes!({:?})),", name, class)
                .expect("writing to a string");
        }
    }
    table.push(']');
    fs::write(out.join("classes.rs"), table).expect("the build directory can be written");
}

/// Java 8 byte code runs on every JDK.
const RELEASE: [&str; 2] = ["--release", "8"];

/// The same byte code, but against the classes of the compiler's own JDK: what is not public in them is in no other place. Which
/// of it is there in the JDK that runs the tests is looked at before anything is woven.
const INSIDE_THE_JDK: [&str; 4] = ["-source", "8", "-target", "8"];

fn compile(sources: &[PathBuf], to: &Path, target: &[&str], class_path: Option<&Path>) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("the build directory can be written");
    let javac = match env::var_os("JAVA_HOME") {
        Some(home) if Path::new(&home).join("bin/javac").is_file() => {
            Path::new(&home).join("bin/javac")
        }
        _ => PathBuf::from("javac"),
    };
    let mut command = Command::new(&javac);
    // Java 8 is deprecated in new compilers, hence no lint of options.
    command.args(target).args([
        "-Xlint:-options",
        "-nowarn",
        "-encoding",
        "UTF-8",
        "-g:source,lines",
        "-d",
    ]);
    command.arg(to);
    if let Some(class_path) = class_path {
        command.arg("-cp").arg(class_path);
    }
    // The user's JAVA_TOOL_OPTIONS are for the tests, not for our compiler.
    let output = command.args(sources).env_remove("JAVA_TOOL_OPTIONS").output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!("javac failed:\n{}", String::from_utf8_lossy(&output.stderr)),
        Err(e) => {
            panic!("a JDK (17 or later) is needed to build Surefoot: {}: {e}", javac.display())
        }
    }
}

fn sources(roots: &[&str]) -> Vec<PathBuf> {
    roots.iter().flat_map(|root| files(Path::new(root), "java")).collect()
}

/// All files below a folder with this extension, in a fixed order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
