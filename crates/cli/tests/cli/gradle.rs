//! Gradle, as Debian has it: see scripts/test for the package.

use crate::support::{Ended, Project, tools};

/// Gradle without the network, and with a home of its own.
fn gradle(project: &Project, arguments: &[&str]) -> Vec<String> {
    let jars = format!("-Pjars={}", tools().jars.display());
    let home = project.beside("gradle-home").display().to_string();
    let mut command: Vec<String> =
        ["gradle", "--offline", "--quiet", &jars, "--gradle-user-home", &home]
            .map(str::to_owned)
            .into();
    command.extend(arguments.iter().map(|&argument| argument.to_owned()));
    command
}

fn watch(project: &Project, arguments: &[&str]) -> Ended {
    let mut watch = vec!["watch".to_owned(), "--".to_owned()];
    watch.extend(gradle(project, arguments));
    let ended = project.run(&watch);
    ended.expect(1).says("surefoot: saw 7 tests in 1 VM: 5 passed, 1 failed, 1 skipped\n");
    ended.says("your command failed (exit status: 1); its output is above");
    ended
}

#[test]
fn gradles_tests_are_seen_and_run_again() {
    let project = Project::copy_of("gradle-junit4");
    watch(&project, &["--no-daemon", "test"]);
    project.run(&["run"]).expect(0).says("7 runs: 5 passed, 1 failed, 1 skipped");
    project
        .run(&["run", "--repeat", "2", "--order", "reverse"])
        .expect(0)
        .says("14 runs: 10 passed, 2 failed, 2 skipped");
}

/// The daemon of the first command runs the second one, and gives its test VMs the environment of the first.
#[test]
fn tests_of_a_daemon_that_was_there_before_are_missed_with_a_hint() {
    let project = Project::copy_of("gradle-junit4");
    let _stop = StopDaemon(&project);
    watch(&project, &["test"]);
    let mut second = vec!["watch".to_owned(), "--".to_owned()];
    second.extend(gradle(&project, &["cleanTest", "test"]));
    let ended = project.run(&second);
    ended.expect(2).says(
        "\n  If tests did run, then in VMs of a daemon that was there before Surefoot: add --no-daemon, or stop it with `gradle --stop`.\n",
    );
}

struct StopDaemon<'a>(&'a Project);

impl Drop for StopDaemon<'_> {
    fn drop(&mut self) {
        let command = gradle(self.0, &["--stop"]);
        let mut stop = std::process::Command::new(&command[0]);
        stop.args(&command[1..]);
        self.0.prepare(&mut stop);
        let quiet = std::process::Stdio::null;
        let _ = stop.stdout(quiet()).stderr(quiet()).status();
    }
}
