//! What people read and scripts rely on: help, completions, JSON.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Project;

fn help(arguments: &[&str]) -> String {
    let project = Project::new();
    let mut command = project.command(arguments);
    command.env("COLUMNS", "100");
    project.start_command(command).end().expect(0).stdout.clone()
}

#[test]
fn the_help_of_surefoot() {
    assert_snapshot!(help(&["--help"]));
}

#[test]
fn the_help_of_each_command() {
    for command in [
        "watch",
        "tests",
        "run",
        "check",
        "pollution",
        "rerun",
        "assumptions",
        "explain",
        "reproduce",
        "clean",
        "completions",
    ] {
        assert_snapshot!(format!("the_help_of_{command}"), help(&[command, "--help"]));
    }
}

#[test]
fn the_completions_for_bash() {
    assert_snapshot!(help(&["completions", "bash"]));
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(help(&["--version"]), format!("surefoot {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn an_argument_that_does_not_exist_is_refused_with_2() {
    let project = Project::new();
    let ended = project.run(&["run", "--repeat", "0"]);
    ended.expect(2).says("error: invalid value '0' for '--repeat <N>'");
    project
        .run(&["run", "--order", "sideways"])
        .expect(2)
        .says("it is as-seen, reverse, given or random: with a whole number");
    project.run(&["watch"]).expect(2).says("the following required arguments were not provided");
    project.run(&["walk"]).expect(2).says("unrecognized subcommand 'walk'");
    project.run(&[""; 0]).expect(2).says("Usage: surefoot");
}

/// What differs from run to run, made equal: numbers and stacks.
fn without_chance(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, field) in fields {
                *field = match name.as_str() {
                    "duration_us" | "duration_ms" | "pid" => json!("[number]"),
                    "stack" => json!("[stack]"),
                    _ => without_chance(field.take()),
                };
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| *item = without_chance(item.take()))
        }
        _ => {}
    }
    value
}

#[test]
fn the_json_of_tests_and_runs() {
    let project = Project::new();
    project.watch_faults(&["ExitTest", "OutOfMemoryTest"]).expect(0);
    let tests = project.run(&["tests", "ExitTest", "--format", "json"]);
    insta::assert_json_snapshot!("the_json_of_tests", without_chance(tests.expect(0).json()));
    project.set_fault("exit");
    let run = project.run(&["run", "ExitTest", "--format", "json"]);
    insta::assert_json_snapshot!(
        "the_json_of_a_run_that_died",
        without_chance(run.expect(1).json())
    );
    project.set_fault("oom");
    let run = project.run(&["run", "OutOfMemoryTest#b_fault", "--repeat", "2", "--format", "json"]);
    insta::assert_json_snapshot!(
        "the_json_of_a_run_that_failed",
        without_chance(run.expect(1).json())
    );
}

#[test]
fn a_check_of_good_tests_finds_nothing_and_its_json_is_all_that_it_prints() {
    let project = Project::new();
    let mut arguments = vec!["check".to_owned(), "--".to_owned()];
    arguments.extend(crate::support::faults_command(&["ExitTest", "HaltTest"]));
    project.run(&arguments).expect(0);
    arguments.splice(1..1, ["--format".to_owned(), "json".to_owned()]);
    let ended = project.run(&arguments);
    assert_eq!(ended.expect(0).json()["findings"], json!([]), "{}", ended.stdout);
}

#[test]
fn the_configuration_counts_where_the_command_line_is_silent() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    std::fs::write(project.path().join("surefoot.toml"), "verbose = true\n[run]\nrepeat = 3\n")
        .unwrap();
    let ended = project.run(&["run"]);
    ended.expect(0).says("9 runs: 9 passed").says("surefoot: faults.ExitTest#b_fault passed in ");
    project.run(&["run", "--repeat", "1"]).expect(0).says("3 runs: 3 passed");
}
