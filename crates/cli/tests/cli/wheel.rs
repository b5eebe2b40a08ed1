//! Surefoot as people who start with pytest get it: installed by pip, and started by `pytest --surefoot`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::pytest::project_of;
use crate::support::{Ended, Project, root, succeed, tools};

/// Has maturin, which builds wheels, and a pytest.
fn with_maturin() -> PathBuf {
    tools().pythons.join("wheel")
}

fn site_packages(python: &Path) -> String {
    let program = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";
    let output = Command::new(python).args(["-c", program]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The Python of a new virtual environment in which `pip install .` was called. It finds pytest and maturin in another one, as there is
/// no network.
fn installed(project: &Project) -> PathBuf {
    let home = project.beside("environment");
    let other = with_maturin().join("bin");
    succeed(Command::new(other.join("python")).args(["-m", "venv"]).arg(&home));
    let python = home.join("bin/python");
    let others = site_packages(&other.join("python"));
    fs::write(Path::new(&site_packages(&python)).join("others.pth"), others + "\n").unwrap();
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-index"]);
    install.args(["--no-deps", "--no-build-isolation", "--no-cache-dir"]).arg(root());
    // As the tests are built, so that nothing is built again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    install.env("MATURIN_PEP517_ARGS", "--profile dev").env("CARGO_TARGET_DIR", target);
    // Those of the package that is tested would be taken for those of the package that is built.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_PKG_")) {
        install.env_remove(name);
    }
    let path = std::env::var("PATH").unwrap();
    succeed(install.env("PATH", format!("{}:{path}", other.display())));
    python
}

/// Runs a program in the project's directory, with a directory for temporary files that no other test of ours writes to.
fn run(project: &Project, program: &Path, arguments: &[&str], addopts: &str) -> Ended {
    let mut command = Command::new(program);
    command.args(arguments);
    project.prepare(&mut command);
    let temporary = project.beside("temporary");
    fs::create_dir_all(&temporary).unwrap();
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTEST_ADDOPTS", addopts);
    command.env("TMPDIR", temporary);
    project.start_command(command).end()
}

const PYTEST: [&str; 5] = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];

const SOURCE: &str = "\
import subprocess, sys

seen = []


def test_leaves_something():
    seen.append(1)


def test_is_fine():
    assert sorted({2, 1}) == [1, 2]


def test_starts_pytest():
    command = [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', __file__ + '::test_is_fine']
    assert '1 passed' in subprocess.run(command, check=True, capture_output=True, text=True).stdout
";

/// From the first finding on, but for the time that it took.
fn report(ended: &Ended) -> String {
    let lines = ended.stdout.lines().skip_while(|line| !line.starts_with("POLLUTION"));
    lines.filter(|line| !line.starts_with("time ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn pytest_becomes_the_command_that_pip_installed() {
    let project = project_of(SOURCE);
    // Writes down how often it is imported, where nobody looks for changes.
    let elsewhere = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let imports = elsewhere.path().join("imports");
    let conftest = format!("with open({imports:?}, 'a') as file:\n    file.write('.')\n");
    fs::write(project.path().join("conftest.py"), conftest).unwrap();
    let python = installed(&project);
    let pytest = |options: &[&str], addopts: &str| {
        run(&project, &python, &[&PYTEST, options].concat(), addopts)
    };
    let imports = || fs::read_to_string(&imports).unwrap().len();

    // Without the option nothing is other than usual; nor if no test is to run.
    pytest(&["test_it.py::test_is_fine"], "").expect(0);
    assert_eq!(imports(), 1);
    pytest(&["--surefoot", "--collect-only"], "").expect(0).says("3 tests collected");
    pytest(&["--surefoot", "--help"], "").expect(0).says("find unreliable tests");
    assert!(!project.path().join(".surefoot").exists());

    // The command's own report and status, and no import more than it makes.
    let before = imports();
    let by_pytest = pytest(&["--surefoot"], "");
    by_pytest.expect(1).says("saw 3 tests in 1 VM").says("leaves test_it.seen changed");
    let between = imports();
    let surefoot = python.with_file_name("surefoot");
    let check = [&["check", "--", python.to_str().unwrap()], &PYTEST[..]].concat();
    let plainly = run(&project, &surefoot, &check, "");
    assert_eq!(report(&by_pytest), report(plainly.expect(1)));
    assert_eq!(between - before, imports() - between);

    // By a variable, which workers and the pytest that a test starts see as well.
    let selected = ["test_it.py::test_is_fine", "test_it.py::test_starts_pytest"];
    pytest(&selected, "--surefoot").expect(0).says("saw 2 tests in 1 VM");

    let version = run(&project, &python, &["-m", "surefoot", "--version"], "");
    assert!(version.expect(0).stdout.starts_with("surefoot "), "{version:?}");
    // Told in words if somebody took the command away, or put something else in its place.
    fs::write(&surefoot, "no program").unwrap();
    pytest(&["--surefoot"], "").expect(2).says("surefoot cannot be started: Exec format error");
    fs::remove_file(&surefoot).unwrap();
    pytest(&["--surefoot"], "").expect(2).says("pip install --force-reinstall surefoot");
}
