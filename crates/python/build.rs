//! Builds the native part of the plug-in, so that this crate can carry it: stable cargo has no dependency on another crate's cdylib.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    for part in [
        "python-agent/src",
        "python-agent/Cargo.toml",
        "choice/src",
        "files/src",
        "model/src",
        "process/src",
        "state/src",
    ] {
        println!("cargo::rerun-if-changed=../{part}");
    }
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let target = env::var("TARGET").expect("cargo sets TARGET");
    // A target directory of its own: cargo holds a lock on the other one. Always optimised: it runs in users' processes.
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"));
    cargo
        .args([
            "build",
            "--release",
            "--locked",
            "--lib",
            "--package",
            "surefoot-python-agent",
            "--target",
            &target,
        ])
        .arg("--target-dir")
        .arg(out.join("agent"));
    // What the outer cargo sets for this build (flags of clippy, coverage, ...) is not meant for the agent.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_") && name != "CARGO_HOME"
            || name == "RUSTC_WORKSPACE_WRAPPER"
            || name == "RUSTC_WRAPPER"
        {
            cargo.env_remove(&*name);
        }
    }
    let status = cargo.status().expect("cargo can be run");
    assert!(status.success(), "the agent does not build");
    let library = out.join("agent").join(&target).join("release/libsurefoot_python_agent.so");
    fs::copy(&library, out.join("state.so"))
        .unwrap_or_else(|e| panic!("{}: {e}", library.display()));
}
