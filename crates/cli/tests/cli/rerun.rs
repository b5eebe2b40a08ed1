//! Tests that pass once and fail when they run again: found, with how often, and nothing else called so.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{Ended, Project, junit4_command, jupiter_command, runtimes, tools};

/// Options that keep a VM small and quick to start: there are many of them.
const JAVA: &[&str] = &["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Watches classes of testdata/rerun with JUnit 4 and looks at them.
fn rerun(project: &Project, options: &[&str], classes: &[&str]) -> Ended {
    let arguments = [
        words(&["rerun", "--format", "json", "--timeout-floor", "2"]),
        words(options),
        words(&["--"]),
        junit4_command(JAVA, &tools().rerun, classes),
    ];
    project.run(&arguments.concat())
}

/// `kind Class#method`, for each test of each finding.
fn found(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let mut found = BTreeSet::new();
    for finding in report["findings"].as_array().unwrap() {
        for test in finding["tests"].as_array().unwrap() {
            let test = test.as_str().unwrap().trim_start_matches("rerun.");
            found.insert(format!("{} {test}", finding["kind"].as_str().unwrap()));
        }
    }
    found
}

fn finding<'a>(report: &'a Value, test: &str) -> &'a Value {
    let findings = report["findings"].as_array().unwrap();
    let about = |finding: &&Value| finding["tests"][0].as_str() == Some(test);
    findings.iter().find(about).unwrap_or_else(|| panic!("no finding about {test}: {report:#}"))
}

fn evidence(finding: &Value) -> Vec<&str> {
    let all = finding["evidence"].as_array().unwrap().iter();
    all.map(|evidence| evidence["text"].as_str().unwrap()).collect()
}

#[track_caller]
fn expect(ended: &Ended, expected: &[&str]) {
    ended.finds(&found(ended), expected);
}

#[test]
fn state_in_the_heap_and_in_the_process_and_on_disk() {
    let project = Project::new();
    let classes = [
        "RetryTest",
        "ContextTest",
        "JobHistoryTest",
        "PropertyTest",
        "RegistryTest",
        "RenameTest",
        "RowsTest",
    ];
    let ended = rerun(&project, &["--all"], &classes);
    expect(
        &ended,
        &[
            "nio ContextTest#async",
            "nio JobHistoryTest#sigTermedFunctionality",
            "nio PropertyTest#ensureTrustStoreSettings",
            "nio RegistryTest#startsEmpty",
            "nio RenameTest#renames",
            "nio RetryTest#retryInterceptor",
            "nio RowsTest#isNew[1]",
            "nio RowsTest#isNew[3]",
        ],
    );
    let report = ended.json();
    let retry = finding(&report, "rerun.RetryTest#retryInterceptor");
    assert_eq!(retry["verdict"], "passes, and fails when it runs again in the same VM");
    assert_eq!(retry["confidence"]["seen"], 5);
    assert_eq!(
        evidence(retry),
        [
            "java.lang.AssertionError: expected:<4> but was:<8>",
            "it trips over rerun.RetryTest.counter.value: 0 → 4; put back, the second run passes",
            "twice in a row, alone: passed, then failed in 5 of 5 fresh VMs",
            "once, alone: passed in 5 of 5 fresh VMs",
            "in the whole suite, each test twice in a row: passed, then failed in 1 of 1 fresh VMs",
            "when watched: passed",
        ]
    );
    let registry = finding(&report, "rerun.RegistryTest#startsEmpty");
    let fix = registry["fix"].as_str().unwrap();
    assert!(fix.starts_with("call RegistryTest.Registry.clear() in @After; or "), "{fix}");
    for (test, cause) in [
        (
            "ContextTest#async",
            "it trips over rerun.ContextTest$Context.CURRENT.started: false → true",
        ),
        (
            "JobHistoryTest#sigTermedFunctionality",
            "it trips over rerun.JobHistoryTest.fileMap{UUID} was added: entry",
        ),
        (
            "PropertyTest#ensureTrustStoreSettings",
            "it trips over System.getProperties()[\"rerun.trustStore\"] was added: \"settings.jks\"",
        ),
        ("RowsTest#isNew[1]", "it trips over rerun.RowsTest.seen[2] was added: present"),
        ("RenameTest#renames", "the first run leaves nothing different that is looked at"),
    ] {
        let told = evidence(finding(&report, &format!("rerun.{test}")))[1];
        assert!(told.starts_with(cause), "{test}: {told}");
        assert_eq!(
            told.ends_with("; put back, the second run passes"),
            test != "RenameTest#renames"
        );
    }
    project
        .run(&["explain", "RetryTest"])
        .expect(1)
        .says("NIO  rerun.RetryTest#retryInterceptor\n  verdict")
        .says("  cause           it trips over rerun.RetryTest.counter.value: 0 → 4; put back,")
        .says("java.lang.AssertionError: expected:<4> but was:<8>\n      at org.junit.Assert");
    project.run(&["explain", "RetryTest#countsNothing"]).expect(0).says("surefoot rerun RetryTest");
    let command = "surefoot run rerun.RetryTest#retryInterceptor --fresh-vm-per test --repeat 2";
    assert_eq!(retry["reproduce"], command);
    let again: Vec<&str> = command.split(' ').skip(1).collect();
    project.run(&again).expect(1).says("2 runs: 1 passed, 1 failed");
}

/// The paper's modes see the same in most tests; figure 4 is the exception.
#[test]
fn the_three_modes() {
    let nio = ["nio ThreadLocalTest#b_size"];
    let victim = ["victim ThreadLocalTest#b_size"];
    for (options, expected) in [
        (&["--all"][..], nio),
        (&["--all", "--mode", "method"][..], nio),
        (&["--all", "--mode", "class"][..], victim),
        (&["--all", "--mode", "suite"][..], victim),
    ] {
        let project = Project::new();
        let ended = rerun(&project, options, &["ThreadLocalTest"]);
        assert_eq!(found(&ended), expected.map(str::to_owned).into(), "{options:?}");
    }
    let project = Project::new();
    for mode in ["suite", "class", "method"] {
        let ended = rerun(&project, &["--mode", mode], &["RetryTest", "ContextTest"]);
        expect(&ended, &["nio ContextTest#async", "nio RetryTest#retryInterceptor"]);
    }
}

/// A VM for each test would take many times as long.
#[test]
fn a_vm_in_which_fields_are_put_back_is_as_good_as_new_for_the_next_test() {
    let project = Project::new();
    rerun(&project, &["--all", "--mode", "method", "--jobs", "1"], &["FlagsTest"]).expect(0);
    let log = fs::read_to_string(project.path().join("flags.log")).unwrap();
    let lines: Vec<(&str, &str)> = log.lines().map(|line| line.split_once(' ').unwrap()).collect();
    let (watched, again) = lines.split_at(3);
    let found: Vec<&str> = again.iter().map(|(_, found)| *found).collect();
    assert_eq!(
        found,
        ["a", "b", "c"]
            .iter()
            .flat_map(
                |test| [" false 7 false", " true 8 true"].map(|found| format!("{test}{found}"))
            )
            .collect::<Vec<_>>()
    );
    let vms: BTreeSet<&str> = again.iter().map(|(vm, _)| *vm).collect();
    assert_eq!(vms.len(), 1, "{log}");
    assert!(watched.iter().all(|(vm, _)| !vms.contains(vm)), "{log}");
}

#[test]
fn a_hang_a_death_and_a_broken_set_up_are_failures() {
    let project = Project::new();
    let ended = rerun(&project, &["--all"], &["HangTest", "ExitTest", "BeforeTest"]);
    expect(&ended, &["nio BeforeTest#asks", "nio ExitTest#exits", "nio HangTest#acquires"]);
    let report = ended.json();
    let hang = finding(&report, "rerun.HangTest#acquires");
    assert_eq!(hang["verdict"], "passes, and hangs when it runs again in the same VM");
    assert!(evidence(hang)[0].starts_with("still running after "), "{hang:#}");
    let exit = finding(&report, "rerun.ExitTest#exits");
    assert_eq!(exit["verdict"], "passes, and takes its VM down when it runs again in the same VM");
    assert_eq!(evidence(exit)[0], "the VM exited with status 3");
    let before = finding(&report, "rerun.BeforeTest#asks");
    assert!(evidence(before)[0].contains("there is a server already"), "{before:#}");
}

#[test]
fn class_level_set_up_is_shared_or_not_as_wanted() {
    let project = Project::new();
    let classes = ["SharedSetUpTest", "FreshSetUpTest", "FreshSetUpFailsTest"];
    expect(&rerun(&project, &[], &classes), &["nio SharedSetUpTest#adds"]);
    let fresh = rerun(&project, &["--class-setup", "per-run"], &classes);
    expect(&fresh, &["nio FreshSetUpFailsTest#answers", "nio FreshSetUpTest#isConnectedOnce"]);
    let report = fresh.json();
    let fails = finding(&report, "rerun.FreshSetUpFailsTest#answers");
    assert!(evidence(fails)[0].contains("address already in use"), "{fails:#}");
    assert!(fails["reproduce"].as_str().unwrap().ends_with("--repeat 2 --class-setup per-run"));
}

#[test]
fn tests_that_jupiter_makes_while_it_runs_and_nested_ones() {
    let project = Project::new();
    let arguments = [
        words(&["rerun", "--format", "json", "--"]),
        jupiter_command(JAVA, &tools().rerun, &["JupiterTest"]),
    ];
    expect(
        &project.run(&arguments.concat()),
        &[
            "nio JupiterTest#made[2]",
            "nio JupiterTest#rows(int)[2]",
            "nio JupiterTest#rows(int)[4]",
            "nio JupiterTest$Inner#isRegistered",
        ],
    );
}

#[test]
fn brittle_tests_victims_and_failing_ones_are_called_what_they_are() {
    let project = Project::new();
    let ended = rerun(&project, &["--all", "--mode", "method"], &["OrderTest"]);
    assert_eq!(found(&ended), ["brittle OrderTest#b_brittle".to_owned()].into());
    let text = project.run(&["rerun"]);
    text.expect(1)
        .says("VICTIM  rerun.OrderTest#c_victim\n  passes alone, and fails after other tests")
        .says(
            "FAILING  rerun.OrderTest#d_fails\n  failed when watched and alone in 1 of 1 fresh VMs",
        )
        .says("findings  1  1 victim");
}

#[test]
fn what_ends_by_chance_is_never_called_nio() {
    let project = Project::new();
    let ended = rerun(&project, &["--all"], &["ChanceTest", "ContextTest"]);
    let mut found = found(&ended);
    assert!(found.remove("nio ContextTest#async"), "{found:?}");
    assert!(found.iter().all(|one| one.starts_with("flaky ")), "{found:?}");
}

/// The test passes again only if all that it changed is exactly as it was.
#[test]
fn every_runtime_puts_state_of_every_shape_back() {
    for java in runtimes() {
        let java = [&[java.to_str().unwrap()], &JAVA[1..]].concat();
        let project = Project::new();
        let arguments = [
            words(&["rerun", "--all", "--format", "json", "--"]),
            junit4_command(&java, &tools().rerun, &["ShapesTest"]),
        ];
        let ended = project.run(&arguments.concat());
        let report = ended.expect(1).json();
        let cause = evidence(finding(&report, "rerun.ShapesTest#changesAllOfIt"))[1];
        assert_eq!(
            cause,
            "several together: with rerun.ShapesTest$Unset.level, rerun.ShapesTest$Unset.owner, rerun.ShapesTest.STATE, rerun.ShapesTest.text put back, the second run passes; with one of them alone it does not",
            "{java:?}"
        );
    }
}

/// Every experiment finds the files that the watched run found, whatever tests leave; and what trips over files is told so.
#[test]
fn files_that_a_test_leaves_for_its_next_run_and_for_the_next_vm() {
    let project = Project::new();
    fs::write(project.path().join("precious.txt"), "mine").unwrap();
    let classes = ["MarkerTest", "TogglesTest", "DatabaseTest"];
    let own = ["nio MarkerTest#createsItsFile", "nio TogglesTest#createsOrRemovesItsFile"];
    let ended = rerun(&project, &["--all"], &classes);
    expect(&ended, &own);
    ended.says("from here on they run in copies of what they found");
    ended.says("are removed");
    let report = ended.json();
    let marker = finding(&report, "rerun.MarkerTest#createsItsFile");
    let seen = [
        "twice in a row, alone: passed, then failed in 5 of 5 fresh VMs",
        "once, alone, with the files that tests left: failed in 3 of 3 fresh VMs",
    ];
    for seen in seen {
        assert!(evidence(marker).contains(&seen), "{marker:#}");
    }
    assert!(marker["fix"].as_str().unwrap().contains("@TempDir"), "{marker:#}");

    // The files that the watched run found are known for that run alone.
    for left in ["marker.txt", "index.txt", "toggle.txt"] {
        let _ = fs::remove_file(project.path().join(left));
    }
    let ended = rerun(&project, &["--all", "--across-vms"], &classes);
    expect(&ended, &[&own[..], &["nio DatabaseTest#noWhere"]].concat());
    let report = ended.json();
    let database = finding(&report, "rerun.DatabaseTest#noWhere");
    assert_eq!(
        database["verdict"],
        "passes, and fails when it runs again in another VM with the files it left"
    );
    assert!(evidence(database)[0].contains("expected:<5> but was:<10>"), "{database:#}");
    let seen = "in one VM, then in another with the files that the first left: passed, then failed in 3 of 3 fresh VMs";
    assert!(evidence(database).contains(&seen), "{database:#}");

    let text = fs::read_to_string(project.path().join("precious.txt")).unwrap();
    assert_eq!(text, "mine");
    for run in fs::read_dir(project.path().join(".surefoot/runs")).unwrap() {
        let files = run.unwrap().path().join("files");
        assert!(!files.exists(), "{}", files.display());
    }
}

/// A `TestCase` has no `@After`, whoever runs it.
#[test]
fn a_test_case_of_junit_3_is_told_where_its_own_rules_allow_a_fix() {
    let project = Project::new();
    let ended = rerun(&project, &["--all"], &["OldStyleTest"]);
    expect(&ended, &["nio OldStyleTest#testRegisters"]);
    let report = ended.json();
    let fix = finding(&report, "rerun.OldStyleTest#testRegisters")["fix"].as_str().unwrap();
    assert!(fix.contains("tearDown") && !fix.contains("@After"), "{fix}");
}

/// Not only what tests make is put back for the next experiment, also what they change and remove.
#[test]
fn files_that_were_there_and_that_tests_change_or_remove() {
    let project = Project::new();
    let file = |name: &str| project.path().join(name);
    fs::write(file("journal.txt"), "first\n").unwrap();
    fs::write(file("seed.txt"), "7").unwrap();
    let ended = rerun(&project, &["--all"], &["JournalTest"]);
    expect(&ended, &["nio JournalTest#appendsToAFile", "nio JournalTest#removesAFile"]);
    ended.says("tests left other files");
    let report = ended.json();
    for test in ["rerun.JournalTest#appendsToAFile", "rerun.JournalTest#removesAFile"] {
        let seen = "twice in a row, alone: passed, then failed in 5 of 5 fresh VMs";
        let finding = finding(&report, test);
        assert!(evidence(finding).contains(&seen), "{finding:#}");
    }
    // What was found is known to later commands too, with what people did in the meantime.
    let again = project.run(&["rerun", "JournalTest#removesAFile", "--format", "json"]);
    expect(&again, &["nio JournalTest#removesAFile"]);
    fs::write(file("journal.txt"), "first\n").unwrap();
    let again = project.run(&["rerun", "JournalTest#appendsToAFile", "--format", "json"]);
    expect(&again, &["nio JournalTest#appendsToAFile"]);
}

/// A copy is not the directory: what fails in it for that reason is judged where it was watched.
#[test]
fn a_test_that_needs_its_own_directory_is_run_there_before_anything_is_said_of_it() {
    let project = Project::new();
    fs::write(project.beside("neighbour.txt"), "").unwrap();
    let ended = rerun(&project, &["--all"], &["MarkerTest", "NeighbourTest"]);
    expect(&ended, &["nio MarkerTest#createsItsFile", "nio NeighbourTest#countsItsRuns"]);
}

/// Copies have their limits, and that is said; the experiments take place nevertheless.
#[test]
fn a_directory_that_is_too_large_is_not_copied() {
    let project = Project::new();
    let huge = fs::File::create(project.path().join("huge.bin")).unwrap();
    huge.set_len(300 << 20).unwrap();
    let ended = rerun(&project, &["--all"], &["MarkerTest", "RetryTest"]);
    expect(&ended, &["nio RetryTest#retryInterceptor"]);
    ended
        .says("it holds more than 20000 files or 256 MiB; tests run with the files that are there");
    ended.says("are no findings: 1 not replayable");
    assert_eq!(ended.stderr.matches("cannot be copied").count(), 1, "{}", ended.stderr);
}

/// What a test does not change cannot make it fail again: so those that changed nothing are not run twice. But not all that
/// a test can change is seen.
#[test]
fn tests_that_left_the_state_as_it_was_are_not_run_twice_unless_all_are_wanted() {
    let project = Project::new();
    // Else tests as quick as these are looked at together, and somebody else's files in the temporary directory count.
    let exact = "[pollution]\noverhead = 1000.0\nfiles = [\".\"]\n";
    std::fs::write(project.path().join("surefoot.toml"), exact).unwrap();
    let classes = ["RetryTest", "PropertyTest", "HangTest"];
    let ended = rerun(&project, &[], &classes);
    expect(
        &ended,
        &["nio PropertyTest#ensureTrustStoreSettings", "nio RetryTest#retryInterceptor"],
    );
    ended.says("2 of 4 tests were not run twice, having left all as before that is looked at");
    assert_eq!(ended.json()["totals"]["replayed"], 2);
    let ended = rerun(&project, &["--all"], &classes);
    assert!(found(&ended).contains("nio HangTest#acquires"), "{}", ended.stdout);
    assert!(!ended.stderr.contains("not run twice"), "{}", ended.stderr);
    assert_eq!(ended.json()["totals"]["replayed"], 4);
}

#[test]
fn check_finds_them_too_and_a_selection_is_heeded() {
    let project = Project::new();
    let arguments = [
        words(&["check", "--replays", "1", "--format", "json", "--"]),
        junit4_command(JAVA, &tools().rerun, &["ContextTest", "PropertyTest"]),
    ];
    let ended = project.run(&arguments.concat());
    let found = found(&ended);
    assert!(found.contains("nio ContextTest#async"), "{found:?}");
    assert!(found.contains("nio PropertyTest#ensureTrustStoreSettings"), "{found:?}");
    let ended = project.run(&["rerun", "PropertyTest", "--format", "json"]);
    expect(&ended, &["nio PropertyTest#ensureTrustStoreSettings"]);
    project.run(&["rerun", "--repeat", "1"]).expect(2).says("1 is not in 2..");
}
