//! The native module in real interpreters: it takes nothing and leaves nothing, however often it looks.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail with a panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

use surefoot_python::PluginFolder;

/// What scripts/fetch-pythons makes.
fn pythons() -> Vec<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    let folder = target.join("pythons");
    let environments = ["pytest-7.0", "pytest-7.4", "pytest-8.1", "pytest-8.4", "pytest-9"];
    let pythons = environments.map(|name| folder.join(name).join("bin/python"));
    let mut pythons = Vec::from(pythons);
    // Where they can be had: the newest CPython, and one with assertions of its own.
    for name in ["python-3.14", "debug"] {
        if !folder.join(name).join("absent").exists() {
            pythons.push(folder.join(name).join("bin/python"));
        }
    }
    for python in &pythons {
        assert!(python.exists(), "{} is missing; run scripts/fetch-pythons", python.display());
    }
    pythons
}

fn run(script: &str) {
    let folder = tempfile::tempdir().unwrap();
    let plugin = PluginFolder::unpack_into(&folder.path().join("cache")).unwrap();
    let project = folder.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    std::fs::copy(tests.join("shop.py"), project.join("shop.py")).unwrap();
    for python in pythons() {
        let mut command = Command::new(&python);
        command.arg(tests.join(script)).arg(plugin.path()).arg(&project).current_dir(&project);
        let output = command.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            output.status.success(),
            "{}: {}\n{}{}",
            python.display(),
            output.status,
            text(&output.stdout),
            text(&output.stderr)
        );
    }
}

#[test]
fn no_reference_count_and_no_memory_grows_over_ten_thousand_captures() {
    run("growth.py");
}

#[test]
fn whatever_libraries_keep_is_seen_to_change_in_every_form() {
    run("libraries.py");
}

#[test]
fn to_walk_through_what_changed_tells_the_same_as_to_walk_through_everything() {
    run("again.py");
}

#[test]
fn nonsense_is_an_error_and_no_crash() {
    run("nonsense.py");
}

#[test]
fn what_a_compiler_has_laid_out_in_its_own_way_is_no_crash() {
    run("layouts.py");
}

#[test]
fn what_tests_change_can_be_put_back() {
    run("keeping.py");
}

#[test]
fn orders_that_are_left_open_change_in_every_form_and_what_is_promised_does_not() {
    run("orders.py");
}
