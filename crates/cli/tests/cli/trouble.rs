//! What can be wrong around Surefoot: it says what, exits with 2, and never panics.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::support::{Ended, FAULTS, Project, faults_command, succeed, tools, wait_until};

/// A small file system of its own, for as long as the test runs. Tests that need one need root.
struct Mount<'a>(&'a Path);

impl Mount<'_> {
    fn new<'a>(path: &'a Path, options: &str) -> Mount<'a> {
        succeed(Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(path));
        Mount(path)
    }

    fn remount(&self, options: &str) {
        succeed(Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(self.0));
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

fn watch_arguments(classes: &[&str]) -> Vec<String> {
    let mut arguments = vec!["watch".to_owned(), "--".to_owned()];
    arguments.extend(faults_command(classes));
    arguments
}

#[track_caller]
fn refused(ended: &Ended) -> String {
    ended.expect(2);
    assert_eq!(ended.stdout, "", "reports are for what was done");
    ended.own_words()
}

/// What each of these commands says.
#[track_caller]
fn same_words(project: &Project, commands: &[&[&str]]) -> String {
    let mut told: Vec<String> =
        commands.iter().map(|arguments| refused(&project.run(arguments))).collect();
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    told.remove(0)
}

#[test]
fn results_that_do_not_fit_on_the_disk_are_an_error_and_clean_makes_room() {
    let project = Project::new();
    let _mount = Mount::new(project.path(), "size=160k");
    project.run(&watch_arguments(FAULTS)).expect(0);
    let ended = project.run(&["run", "--repeat", "200"]);
    assert_snapshot!(ended.expect(2).own_words(), @"surefoot: error: cannot write [project]/.surefoot/runs/0001/run.jsonl: No space left on device (os error 28); make room (`surefoot clean` removes all old records) and try again");
    project.run(&["tests"]).expect(0).says("30 runs of 30 tests in 1 VM: 30 passed");
    project.run(&["clean"]).expect(0);
    project.run(&watch_arguments(FAULTS)).expect(0);
}

#[test]
fn a_disk_that_is_full_after_the_watched_run_is_an_error() {
    let project = Project::new();
    let _mount = Mount::new(project.path(), "size=24k");
    let ended = project.run(&watch_arguments(FAULTS));
    assert_snapshot!(ended.expect(2).own_words(), @"surefoot: error: cannot be sure that all tests are recorded in [project]/.surefoot/watches/0001: No space left on device (os error 28); make room (`surefoot clean` removes all old records) and try again");
}

#[test]
fn a_disk_that_was_full_before_is_an_error_and_can_be_cleaned() {
    let project = Project::new();
    let _mount = Mount::new(project.path(), "size=4k");
    let ended = project.run(&watch_arguments(FAULTS));
    assert_snapshot!(refused(&ended), @"surefoot: error: cannot write [project]/.surefoot/.gitignore: No space left on device (os error 28); make room (`surefoot clean` removes all old records) and try again");
    project.run(&["clean"]).expect(0);
}

#[test]
fn a_project_that_cannot_be_written_to_can_only_be_looked_at() {
    let project = Project::new();
    let mount = Mount::new(project.path(), "size=1m");
    project.run(&watch_arguments(&["ExitTest"])).expect(0);
    mount.remount("ro");
    project.run(&["tests"]).expect(0).says("3 runs of 3 tests in 1 VM: 3 passed");
    let words = same_words(&project, &[&["run"], &["watch", "--", "true"], &["clean"]]);
    assert_snapshot!(words, @"surefoot: error: cannot open the lock [project]/.surefoot/lock: Read-only file system (os error 30); Surefoot keeps its records in the project: run it on a copy that can be written to");
}

#[test]
fn a_project_that_never_could_be_written_to_is_an_error() {
    let project = Project::new();
    let _mount = Mount::new(project.path(), "ro");
    assert_snapshot!(refused(&project.run(&["watch", "--", "true"])), @"surefoot: error: cannot create the directory [project]/.surefoot: Read-only file system (os error 30); Surefoot keeps its records in the project: run it on a copy that can be written to");
}

#[test]
fn a_cache_that_cannot_be_written_to_is_an_error() {
    let project = Project::new();
    let mut command = project.command(&["watch", "--", "true"]);
    let ended = project.start_command({
        command.env("XDG_CACHE_HOME", "/proc");
        command
    });
    let ended = ended.end();
    ended.expect(2).says("surefoot: error: cannot unpack the agent to /proc/surefoot/agent-");
    ended.says("set XDG_CACHE_HOME to a directory that can be written");
}

#[test]
fn tests_whose_java_is_gone_are_not_run_and_the_message_says_why() {
    let project = Project::new();
    project.watch_faults(&["ExitTest", "HaltTest"]).expect(0);
    for record in project.vm_records() {
        let text = fs::read_to_string(&record).unwrap();
        let (before, after) = text.split_once("\"executable\":\"").unwrap();
        let (_, after) = after.split_once('"').unwrap();
        fs::write(&record, format!("{before}\"executable\":\"/nonexistent/java\"{after}")).unwrap();
    }
    let ended = project.run(&["run", "--fresh-vm-per", "class"]);
    let cause = "cannot start a test VM: /nonexistent/java in [project]: No such file or directory (os error 2); if the JDK or the directory is gone, watch again";
    ended.expect(1).says(&format!("surefoot: warning: {cause}\n"));
    ended.says("6 runs: 6 not run");
    assert_eq!(ended.stderr.matches(cause).count(), 1, "once is enough\n{}", ended.stderr);
}

#[test]
fn a_project_without_tests_is_an_error() {
    let project = Project::copy_of("empty");
    let ended = project.run(&["watch", "--", "mvn", "-q", "-B", "test"]);
    assert_snapshot!(refused(&ended), @"
    surefoot: error: `mvn -q -B test` ran no test that Surefoot can see
      If its tests did not run because nothing changed, make them run: `mvn test`, `gradle cleanTest test`.
      Surefoot sees JUnit 3 to 6 and TestNG 7 on a HotSpot JVM, 11 or later, and pytest 7 or later.
    ");
    assert_snapshot!(same_words(&project, &[&["run"], &["tests"]]), @"surefoot: error: no test was seen when `mvn -q -B test` was watched; run `surefoot watch -- <your test command>` again");
}

#[test]
fn tests_that_do_not_compile_are_an_error_below_the_compilers_own() {
    let project = Project::copy_of("compile-error");
    let ended = project.run(&["check", "--", "mvn", "-q", "-B", "test"]);
    ended.expect(2);
    assert!(ended.stdout.contains("COMPILATION ERROR"), "{}", ended.stdout);
    assert_snapshot!(ended.own_words(), @"surefoot: error: `mvn -q -B test` failed (exit status: 1) before any test ran; make it pass first: its output is above");
}

#[test]
fn a_project_that_was_never_watched_is_an_error() {
    let project = Project::new();
    assert_snapshot!(same_words(&project, &[&["run"], &["tests"]]), @"surefoot: error: nothing is recorded for this project yet: [project]/.surefoot does not exist; run `surefoot watch -- <your test command>` first");
    project.run(&["clean"]).expect(0).says("surefoot: removed 0 files, 0 KiB");
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn a_name_that_no_test_has_is_an_error_with_a_hint() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    assert_snapshot!(refused(&project.run(&["run", "ExitTest", "nonesuch"])), @r#"surefoot: error: no test "nonesuch" was seen; `surefoot tests` lists those that were"#);
    assert_snapshot!(refused(&project.run(&["run", "exittest#b_fault"])), @r#"surefoot: error: no test "exittest#b_fault" was seen; did you mean faults.ExitTest#b_fault?"#);
    assert_snapshot!(refused(&project.run(&["tests", "Nonesuch*"])), @r#"surefoot: error: no test "Nonesuch*" was seen; `surefoot tests` lists those that were"#);
}

#[test]
fn a_line_of_a_record_that_is_damaged_is_skipped_with_a_warning() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    let record = &project.vm_records()[0];
    let text = fs::read_to_string(record).unwrap();
    let mut lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    let at = lines
        .iter()
        .position(|line| String::from_utf8_lossy(line).contains("\"started\""))
        .unwrap();
    lines.insert(at, b"\xff\xfe garbage");
    lines.insert(at, b"{\"event\":\"unheard of\"}");
    lines.insert(at, b"}{");
    fs::write(record, lines.join(&b'\n')).unwrap();
    let ended = project.run(&["tests"]);
    ended.expect(0).says("3 runs of 3 tests in 1 VM: 3 passed");
    let name = record.file_name().unwrap().to_str().unwrap();
    for why in ["not JSON", "not a record that this Surefoot knows", "not UTF-8"] {
        ended.says(&format!("is damaged: skipped ({why})\n"));
    }
    ended.says(&format!("surefoot: warning: vms/{name} line {} is damaged", at + 1));
    project.run(&["run"]).expect(0);
}

#[test]
fn a_record_of_nothing_but_garbage_is_an_error() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    for record in project.vm_records() {
        fs::write(record, [0xff; 100_000]).unwrap();
    }
    project.run(&["run"]).expect(2).says("no test was seen when `java -Xmx128m");
    fs::write(project.path().join(".surefoot/watches/0001/watch.jsonl"), [0; 1000]).unwrap();
    assert_snapshot!(refused(&project.run(&["run"])), @"surefoot: error: [project]/.surefoot/watches/0001/watch.jsonl is damaged: its first line, on what was watched, cannot be read; run `surefoot clean` to start afresh");
}

#[test]
fn a_store_of_an_unknown_format_is_an_error_and_can_be_cleaned() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    let version = project.path().join(".surefoot/version");
    fs::write(&version, b"\xff\0garbage").unwrap();
    let words = same_words(&project, &[&["run"], &["tests"], &["watch", "--", "true"]]);
    assert_snapshot!(words, @"surefoot: error: [project]/.surefoot/version is damaged: it does not hold a format; run `surefoot clean` to start afresh");
    fs::write(&version, b"99\n").unwrap();
    assert_snapshot!(refused(&project.run(&["tests"])), @"surefoot: error: [project]/.surefoot was written by a newer Surefoot (format 99; this one knows 1); use that one, or run `surefoot clean` to start afresh");
    project.run(&["clean"]).expect(0);
    assert!(!project.path().join(".surefoot").exists());
}

#[test]
fn a_second_surefoot_in_one_project_is_told_of_the_first() {
    let project = Project::new();
    let mut first = project.start(&["watch", "--", "bash", "-c", "echo ready; exec sleep 60"]);
    wait_until("the first one is at work", || first.stdout().contains("ready"));
    let words = |arguments: &[&str]| {
        refused(&project.run(arguments)).replace(&first.pid().to_string(), "[pid]")
    };
    let expected = "surefoot: error: another surefoot (pid [pid], `surefoot watch -- bash -c echo ready; exec sleep 60`) is using this project; wait for it or stop it\n";
    assert_eq!(words(&["watch", "--", "true"]), expected);
    assert_eq!(words(&["run"]), expected);
    assert_eq!(words(&["clean"]), expected);
    assert!(first.is_running());
}

#[test]
fn a_command_that_cannot_be_started_is_an_error_and_what_was_watched_before_stays() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    assert_snapshot!(refused(&project.run(&["watch", "--", "surely-not-installed", "test"])), @"
    surefoot: error: cannot start `surely-not-installed`: is it installed and on the PATH?
      because: No such file or directory (os error 2)
    ");
    assert_snapshot!(refused(&project.run(&["check", "--", "/etc/passwd"])), @"
    surefoot: error: cannot start `/etc/passwd`: is it a program?
      because: Permission denied (os error 13)
    ");
    project.run(&["run"]).expect(0).says("3 runs: 3 passed");
}

#[test]
fn a_command_that_fails_before_any_test_is_an_error() {
    let project = Project::new();
    assert_snapshot!(refused(&project.run(&["watch", "--", "bash", "-c", "exit 7"])), @"surefoot: error: `bash -c exit 7` failed (exit status: 7) before any test ran; make it pass first: its output is above");
    assert_snapshot!(refused(&project.run(&["watch", "--", "bash", "-c", "kill -9 $$"])), @"surefoot: error: `bash -c kill -9 $$` failed (signal: 9 (SIGKILL)) before any test ran; make it pass first: its output is above");
}

#[test]
fn a_project_that_is_no_directory_is_an_error() {
    let project = Project::new();
    assert_snapshot!(refused(&project.run(&["tests", "--project", "/nonexistent"])), @"
    surefoot: error: there is no project directory /nonexistent
      because: No such file or directory (os error 2)
    ");
    assert_snapshot!(refused(&project.run(&["tests", "--project", "/etc/passwd"])), @"surefoot: error: /etc/passwd is a file; give the directory of the project");
}

#[test]
fn a_store_that_is_somebody_elses_is_left_alone() {
    let project = Project::new();
    fs::write(project.path().join(".surefoot"), "mine").unwrap();
    assert_snapshot!(refused(&project.run(&["watch", "--", "true"])), @"surefoot: error: [project]/.surefoot is not a directory, but Surefoot keeps its records there; move it away and try again");
    fs::remove_file(project.path().join(".surefoot")).unwrap();
    fs::create_dir(project.path().join(".surefoot")).unwrap();
    fs::write(project.path().join(".surefoot/thesis.doc"), "mine").unwrap();
    let words = same_words(&project, &[&["watch", "--", "true"], &["clean"]]);
    assert_snapshot!(words, @"surefoot: error: [project]/.surefoot was not made by Surefoot: it has no file `version`, but holds `thesis.doc`; move it away and try again");
}

#[test]
fn a_bad_configuration_is_an_error_that_shows_the_place() {
    let project = Project::new();
    let file = project.path().join("surefoot.toml");
    fs::write(&file, "color = [").unwrap();
    project.run(&["tests"]).expect(2).says("surefoot: error: [project]/surefoot.toml is not as docs/configuration.md says\n  because: TOML parse error at line 1, column 10");
    fs::write(&file, "[run]\nrepeats = 2\n").unwrap();
    project.run(&["tests"]).expect(2).says("unknown field `repeats`");
    fs::write(&file, [0xff]).unwrap();
    project.run(&["tests"]).expect(2).says("stream did not contain valid UTF-8");
    fs::remove_file(&file).unwrap();
    project
        .run(&["tests", "--config", "mine.toml"])
        .expect(2)
        .says("cannot read the configuration mine.toml");
}

#[test]
fn odd_characters_in_the_projects_path_do_no_harm() {
    for name in [
        "with space",
        "quo'te \"d\"",
        "ünï¢ødé 漢字 🦶",
        "100% %p %20",
        "a=b,c;d&e",
        "back\\slash $HOME",
        "-dash *?[x]",
    ] {
        let project = Project::named(name);
        let watched = project.watch_faults(&["CrashTest", "ExitTest"]);
        watched.expect(0).says("saw 6 tests in 1 VM: 6 passed");
        project.run(&["run"]).expect(0).says("6 runs: 6 passed");
        project.set_fault("crash");
        project.run(&["run"]).expect(1).says("6 runs: 5 passed, 1 died");
        let entries: Vec<String> = fs::read_dir(project.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(entries, [".surefoot"], "{name}");
        let reports = fs::read_dir(project.path().join(".surefoot/runs/0002")).unwrap();
        let reports = reports.filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("hs_err_pid")
        });
        assert_eq!(reports.count(), 1, "{name}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_nothing_and_a_full_disk_does() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    for arguments in [
        &["tests"][..],
        &["run"],
        &["tests", "--format", "json"],
        &["completions", "zsh"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = project.command(arguments);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    for arguments in [&["tests"][..], &["run"], &["completions", "zsh"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output =
            project.command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("surefoot: error: cannot write the report to the standard output\n  because: No space left"), "{stderr}");
    }
}

#[test]
fn nobody_can_read_what_is_said_and_the_work_is_done_all_the_same() {
    let project = Project::new();
    project.watch_faults(&["ExitTest"]).expect(0);
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output =
        project.command(&["run", "-v"]).stderr(full()).stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("3 runs: 3 passed"));
}

/// Linux takes no argument of 128 KiB; java takes longer ones from files.
#[test]
fn a_class_path_too_long_for_a_command_line_is_no_trouble() {
    let project = Project::new();
    let mut arguments = watch_arguments(&["ExitTest"]);
    let place = 1 + arguments.iter().position(|argument| argument == "-cp").unwrap();
    let absent = ":/nonexistent/with some space/library.jar".repeat(4000);
    let file = project.beside("class-path");
    fs::write(&file, format!("\"{}{absent}\"", arguments[place])).unwrap();
    arguments[place] = format!("@{}", file.display());
    project.run(&arguments).expect(0).says("saw 3 tests in 1 VM: 3 passed");
    fs::remove_file(file).unwrap();
    project.run(&["run"]).expect(0).says("3 runs: 3 passed");
}

#[test]
fn a_class_path_that_is_gone_is_told_for_each_test() {
    let project = Project::new();
    let classes = project.beside("classes");
    fs::create_dir(&classes).unwrap();
    crate::support::copy(&tools().faults, &classes);
    let own = classes.display().to_string();
    let mut arguments = watch_arguments(&["ExitTest"]);
    for argument in &mut arguments {
        *argument = argument.replace(&tools().faults.display().to_string(), &own);
    }
    project.run(&arguments).expect(0);
    fs::remove_dir_all(&classes).unwrap();
    let ended = project.run(&["run"]);
    assert_snapshot!(ended.expect(1).stdout, @"
    NOT REPLAYABLE  faults.ExitTest#a_before
      passed → not run: junit4 could not run them: java.lang.ClassNotFoundException…
    NOT REPLAYABLE  faults.ExitTest#b_fault
      passed → not run: junit4 could not run them: java.lang.ClassNotFoundException…
    NOT REPLAYABLE  faults.ExitTest#c_after
      passed → not run: junit4 could not run them: java.lang.ClassNotFoundException…

    tests run       3  3 runs: 3 not run
    as watched      0
    differ          0
    not replayable  3
    ");
}
