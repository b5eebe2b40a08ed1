//! Surefoot is a guest in the user's pytest: tests see the process that they would see without it, in the watched run and in
//! workers, and workers write none of the user's files.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::pytest::{NEWEST, project_of, pytest, python, watch};
use crate::support::{Project, succeed, tools};

/// Writes down all that it can see of its process.
const LOOKS_AROUND: &str = "\
import json, os, sys

def test_looks_around(request):
    seen = {
        'environment': dict(os.environ),
        'path': sys.path,
        'argv': sys.argv,
        'directory': os.getcwd(),
        'executable': sys.executable,
        'flags': str(sys.flags),
        'warnings': sys.warnoptions,
        'root': str(request.config.rootpath),
        'arguments': request.config.invocation_params.args,
        'main': getattr(sys.modules['__main__'], '__file__', None),
        'ours': sorted(name for name in sys.modules if 'surefoot' in name),
    }
    # Differ from process to process, with or without Surefoot.
    for name in ('_', 'SHLVL', 'OLDPWD'):
        seen['environment'].pop(name, None)
    with open(os.environ['LOOK'], 'w') as file:
        json.dump(seen, file, indent=1, sort_keys=True)
";

fn look(project: &Project, command: &[&str]) -> (String, String, String) {
    let [plain, watched, worker] =
        ["plain", "watched", "worker"].map(|name| project.beside(&format!("{name}.json")));
    let read = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let places = [("plain.json", "look"), ("watched.json", "look"), ("worker.json", "look")];
        places.iter().fold(text, |text, (from, to)| text.replace(from, to))
    };
    let mut alone = Command::new(command[0]);
    alone.args(&command[1..]);
    project.prepare(&mut alone);
    succeed(alone.env("PYTHONPATH", "lib").env("LOOK", &plain));
    let surefoot = [&["watch", "--"], command].concat();
    let mut surefoot = project.command(&surefoot);
    surefoot.env("PYTHONPATH", "lib").env("LOOK", &watched);
    project.start_command(surefoot).end().expect(0);
    // A worker has the environment of the watched run.
    let before = fs::read(&watched).unwrap();
    project.run(&["run"]).expect(0);
    fs::rename(&watched, &worker).unwrap();
    fs::write(&watched, before).unwrap();
    (read(&plain), read(&watched), read(&worker))
}

#[test]
fn a_test_sees_the_same_process_with_and_without_surefoot_and_in_a_worker() {
    let commands: &[&[&str]] = &[
        &[&pytest(NEWEST), "-q"],
        &[&python(), "-X", "utf8", "-W", "ignore::ImportWarning", "-m", "pytest", "-q"],
        &[&pytest("pytest-7.0")],
        &[&pytest("pytest-randomly"), "-q"],
    ];
    for command in commands {
        let project = project_of(LOOKS_AROUND);
        let (plain, watched, worker) = look(&project, command);
        // Our modules are there, and nothing else of us.
        let without_modules = |text: &str| {
            let start = text.find("\"ours\"").unwrap();
            let end = start + text[start..].find(']').unwrap();
            text[..start].to_owned() + &text[end..]
        };
        assert!(plain.contains("\"ours\": []"), "{plain}");
        assert_eq!(without_modules(&plain), without_modules(&watched), "{command:?}");
        assert_eq!(without_modules(&plain), without_modules(&worker), "{command:?}");
    }
}

/// Hypothesis draws constants of the project's modules, which it tells by where their files are.
#[test]
fn hypothesis_draws_the_same_examples_with_and_without_surefoot_and_in_a_worker() {
    let project = project_of(
        "\
import os
from hypothesis import given, settings, strategies

drawn = []

@settings(derandomize=True, max_examples=600, database=None, deadline=None)
@given(strategies.text(), strategies.integers())
def draw(text, number):
    drawn.append((text, number))

def test_draws():
    draw()
    with open(os.environ['LOOK'], 'w') as file:
        file.write('\\n'.join(map(ascii, drawn)))
",
    );
    let (plain, watched, worker) = look(&project, &[&pytest(NEWEST), "-q"]);
    assert!(plain.lines().count() >= 600, "{plain}");
    assert!(plain == watched, "{watched}");
    assert!(plain == worker, "{worker}");
}

#[test]
fn pytests_own_output_is_the_same_with_and_without_surefoot() {
    let project = project_of("import warnings\ndef test_it():\n    warnings.warn('old')\n");
    let arguments = ["-rA", "-q"];
    let mut alone = Command::new(pytest(NEWEST));
    alone.args(arguments);
    project.prepare(&mut alone);
    let alone = alone.output().unwrap();
    let ended = watch(&project, &arguments);
    let without_times = |text: &str| {
        let lines = text.lines().map(|line| line.split(" in ").next().unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    };
    let alone = String::from_utf8_lossy(&alone.stdout);
    assert_eq!(without_times(&ended.stdout), without_times(&alone));
}

#[test]
fn several_processes_of_xdist_become_one_and_that_is_said() {
    let project = project_of(
        "import os\ndef test_it():\n    assert 'PYTEST_XDIST_WORKER' not in os.environ\n",
    );
    for options in [
        &["-n", "2"][..],
        &["-n", "auto", "--dist", "loadfile"],
        &["--dist", "each", "--tx", "2*popen"],
    ] {
        let ended = watch(&project, options);
        ended.says("pytest-xdist was to use several processes; the tests ran in one");
        ended.says("saw 1 tests in 1 VM");
        project.run(&["run"]).expect(0);
    }
}

#[test]
fn the_random_numbers_and_the_order_of_randomly_are_those_of_the_watched_run() {
    let tests: String =
        (0..20).map(|n| format!("def test_{n}():\n    note({n}, random.random())\n")).collect();
    let project = project_of(&format!(
        "import os, random\ndef note(*what):\n    with open(os.environ['NOTES'], 'a') as file:\n        print(*what, file=file)\n{tests}"
    ));
    let notes = project.beside("notes");
    let mut surefoot = project.command(&["watch", "--", &pytest("pytest-randomly"), "-q"]);
    project
        .start_command({
            surefoot.env("NOTES", &notes);
            surefoot
        })
        .end()
        .expect(0);
    let watched = fs::read_to_string(&notes).unwrap();
    fs::remove_file(&notes).unwrap();
    project.run(&["run"]).expect(0);
    assert_eq!(fs::read_to_string(&notes).unwrap(), watched);
    let order = watched.lines().filter_map(|line| line.split(' ').next()?.parse::<u32>().ok());
    assert!(!order.eq(0..20), "it was not shuffled: {watched}");
}

#[test]
fn workers_write_no_file_of_the_users_and_stop_for_nothing() {
    let project = project_of(
        "import pathlib\ndef test_a():\n    assert not pathlib.Path('fail').exists()\ndef test_b():\n    test_a()\n",
    );
    let options = [
        "--junitxml=report.xml",
        "--cov=test_it",
        "--cov-report=xml",
        "-x",
        "--pdb",
        "--basetemp=temporary",
    ];
    watch(&project, &options);
    let state = |name: &str| fs::metadata(project.path().join(name)).unwrap().modified().unwrap();
    let cache = ".pytest_cache/v/cache/nodeids";
    let before = ["report.xml", "coverage.xml", ".coverage", cache].map(state);
    fs::write(project.path().join("fail"), "").unwrap();
    let ended = project.run(&["run", "--format", "json"]);
    let failed: Vec<_> =
        Project::results(&ended).into_iter().flat_map(|(_, results)| results).collect();
    assert_eq!(failed, ["failed", "failed"]);
    assert_eq!(before, ["report.xml", "coverage.xml", ".coverage", cache].map(state));
    assert!(!project.path().join(".pytest_cache/v/cache/lastfailed").exists());
}

#[test]
fn a_failure_that_a_plugin_runs_again_is_one_run_with_the_last_result() {
    let project = project_of(
        "import pathlib\ndef test_it():\n    marker = pathlib.Path('marker')\n    first = not marker.exists()\n    marker.touch()\n    assert not first\n",
    );
    watch(&project, &["--reruns", "2"]).says("saw 1 tests in 1 VM: 1 passed");
}

#[test]
fn tox_passes_what_surefoot_needs_on() {
    let project = project_of("def test_it():\n    pass\n");
    let tox = "[tox]\nskipsdist = true\nenv_list = one\n[testenv]\nskip_install = true\npass_env = HOME\nallowlist_externals = *\ncommands = PYTEST -q\n[testenv:two]\npass_env = LANG\n";
    fs::write(project.path().join("tox.ini"), tox.replace("PYTEST", &pytest(NEWEST))).unwrap();
    let tool = tools().pythons.join(NEWEST).join("bin/tox").display().to_string();
    let ended = project.run(&["watch", "--", &tool, "-q", "-e", "one"]);
    ended.expect(0).says("saw 1 tests in 1 VM: 1 passed");
    project.run(&["run"]).expect(0);
    let ended = project.run(&["watch", "--", &tool, "-q", "-e", "two"]);
    ended.expect(2).says("must name PYTHONPATH, PYTEST_PLUGINS and SUREFOOT_WATCH there");
}

#[test]
fn nox_passes_what_surefoot_needs_on() {
    let project = project_of("def test_it():\n    pass\n");
    let file = format!(
        "import nox\n@nox.session(venv_backend='none')\ndef tests(session):\n    session.run({:?}, '-q', external=True)\n",
        pytest(NEWEST)
    );
    fs::write(project.path().join("noxfile.py"), file).unwrap();
    let tool = tools().pythons.join(NEWEST).join("bin/nox").display().to_string();
    project.run(&["watch", "--", &tool, "-s", "tests"]).expect(0).says("saw 1 tests in 1 VM");
    project.run(&["run"]).expect(0);
}

#[test]
fn tests_whose_python_is_gone_are_not_run_and_the_message_says_why() {
    let project = project_of("def test_it():\n    pass\n");
    let link = project.beside("environment");
    std::os::unix::fs::symlink(tools().pythons.join(NEWEST), &link).unwrap();
    let python = link.join("bin/python").display().to_string();
    project.run(&["watch", "--", &python, "-m", "pytest", "-q"]).expect(0);
    fs::remove_file(&link).unwrap();
    let ended = project.run(&["run"]);
    ended.expect(1).says("if the interpreter or the directory is gone, watch again");
}

#[test]
fn a_test_that_is_not_collected_any_more_is_not_run() {
    let project = project_of("def test_stays():\n    pass\ndef test_goes():\n    pass\n");
    watch(&project, &[]);
    fs::write(project.path().join("test_it.py"), "def test_stays():\n    pass\n").unwrap();
    let ended = project.run(&["run"]);
    ended.expect(1).says("not run: pytest did not collect it again");
    fs::write(project.path().join("pytest.ini"), "[pytest]\naddopts = --no-such-option\n").unwrap();
    let ended = project.run(&["run"]);
    ended.expect(1).says("not run: pytest ended with status 4 before it ran any test");
}
