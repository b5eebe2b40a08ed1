//! Builds a library of this workspace from the build script of a crate that carries it: stable cargo has no dependency on another
//! crate's cdylib.

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Builds the cdylib of `package`, and leaves it in `OUT_DIR` under the name `file`. It is built again whenever one of its
/// sources changes.
pub fn library(package: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let built = build(package, &out.join("build"))?;
    fs::copy(built.with_extension("so"), out.join(file))?;

    let mut instructions = io::stdout().lock();
    for source in sources(&fs::read_to_string(built.with_extension("d"))?) {
        writeln!(instructions, "cargo::rerun-if-changed={source}")?;
    }
    for file in ["Cargo.toml", "Cargo.lock"] {
        writeln!(instructions, "cargo::rerun-if-changed=../../{file}")?;
    }
    Ok(())
}

/// Where the library is, without its extension.
fn build(package: &str, directory: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let target = env::var("TARGET")?;
    // A target directory of its own: cargo holds a lock on the other one. Always optimised: it runs in users' processes.
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .args(["build", "--release", "--locked", "--lib"])
        .args(["--package", package, "--target", &target])
        .arg("--target-dir")
        .arg(directory);
    // What the outer cargo sets for this build (flags of clippy, coverage, ...) is not meant for the library.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_") && name != "CARGO_HOME"
            || name == "RUSTC_WORKSPACE_WRAPPER"
            || name == "RUSTC_WRAPPER"
        {
            cargo.env_remove(&*name);
        }
    }
    if !cargo.status()?.success() {
        return Err(format!("{package} does not build").into());
    }
    Ok(directory.join(target).join("release").join(format!("lib{}", package.replace('-', "_"))))
}

/// The files that cargo names as what a library is made of, in the words of `make`: a blank in a name has a backslash before it.
fn sources(dependencies: &str) -> Vec<String> {
    let line = dependencies.lines().next().unwrap_or_default();
    let (_, sources) = line.split_once(": ").unwrap_or_default();
    let escaped = sources.replace("\\ ", "\0");
    escaped.split_whitespace().map(|source| source.replace('\0', " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::sources;

    #[test]
    fn sources_are_told_apart_by_blanks_that_have_no_backslash() {
        let text =
            "/t/libx.so: /my\\ code/src/lib.rs /my\\ code/src/b.rs\n\n/t/libx.rlib: /other.rs\n";
        assert_eq!(sources(text), ["/my code/src/lib.rs", "/my code/src/b.rs"]);
        assert_eq!(sources(""), [""; 0]);
    }
}
