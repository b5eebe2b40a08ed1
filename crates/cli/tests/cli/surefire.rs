//! The ways in which Maven's plugins start VMs and run tests in them.

use std::fs;

use serde_json::Value;

use crate::kinds::difference;
use crate::support::Project;

/// Changes the copy's pom.
fn edit(project: &Project, from: &str, to: &str) {
    let pom = project.path().join("pom.xml");
    let text = fs::read_to_string(&pom).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(pom, text.replace(from, to)).unwrap();
}

fn watch(project: &Project, arguments: &[&str]) {
    project.run(&[&["watch", "--", "mvn", "-q", "-B"], arguments].concat()).expect(0);
}

/// In how many VMs the tests were seen, and how many of them ran beside others.
fn vms_and_overlapped(project: &Project) -> (usize, usize) {
    let report = project.run(&["tests", "--format", "json"]).json();
    let tests = report["tests"].as_array().unwrap();
    let vms: std::collections::BTreeSet<u64> =
        tests.iter().map(|test| test["vm"].as_u64().unwrap()).collect();
    (vms.len(), tests.iter().filter(|test| test["overlapped"] == Value::Bool(true)).count())
}

#[test]
fn two_forks_at_a_time_are_two_vms() {
    let project = Project::copy_of("faults");
    watch(&project, &["test", "-DforkCount=2"]);
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    assert_eq!(vms_and_overlapped(&project), (2, 0));
    project.run(&["run"]).expect(0).says("30 runs: 30 passed");
}

#[test]
fn a_fork_for_each_class_is_a_vm_for_each_class() {
    let project = Project::copy_of("faults");
    watch(&project, &["test", "-DreuseForks=false", "-Dtest=ExitTest,HaltTest,HangTest"]);
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    assert_eq!(vms_and_overlapped(&project), (3, 0));
    project.run(&["run"]).expect(0).says("9 runs: 9 passed");
}

#[test]
fn no_fork_at_all_is_the_vm_of_maven_itself() {
    let project = Project::copy_of("faults");
    watch(&project, &["test", "-DforkCount=0", "-Dtest=ExitTest,HaltTest"]);
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    assert_eq!(vms_and_overlapped(&project), (1, 0));
    project.run(&["run"]).expect(0).says("6 runs: 6 passed");
}

#[test]
fn junit4_classes_in_parallel_are_seen_and_run_again_one_by_one() {
    let project = Project::copy_of("faults");
    project.set_fault("slow");
    watch(
        &project,
        &["test", "-Dparallel=classes", "-DthreadCount=4", "-DperCoreThreadCount=false"],
    );
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    let (vms, overlapped) = vms_and_overlapped(&project);
    assert_eq!(vms, 1);
    assert!(overlapped > 0);
    project.run(&["run"]).expect(0).says("30 runs: 30 passed");
}

#[test]
fn jupiters_tests_in_parallel_are_seen_and_run_again_one_by_one() {
    let project = Project::copy_of("every-kind-jupiter");
    let resources = project.path().join("src/test/resources");
    fs::create_dir_all(&resources).unwrap();
    fs::write(
        resources.join("junit-platform.properties"),
        "junit.jupiter.execution.parallel.enabled = true\n\
         junit.jupiter.execution.parallel.mode.default = concurrent\n\
         junit.jupiter.execution.parallel.config.strategy = fixed\n\
         junit.jupiter.execution.parallel.config.fixed.parallelism = 4\n",
    )
    .unwrap();
    watch(
        &project,
        &[
            "test",
            "-Dtest=PlainTest,NestedTest,DynamicTest,RepeatedKindsTest,ParameterizedKindsTest",
        ],
    );
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    let (vms, overlapped) = vms_and_overlapped(&project);
    assert_eq!(vms, 1);
    assert!(overlapped > 0);
    project.run(&["run"]).expect(0);
}

#[test]
fn an_old_surefire_is_no_other() {
    let project = Project::copy_of("every-kind-junit4");
    edit(&project, "<version>3.5.6</version>", "<version>2.22.2</version>");
    watch(&project, &["test", "-Dtest=PlainTest,ParameterizedTest"]);
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    project.run(&["run"]).expect(0);
}

#[test]
fn failsafes_tests_are_seen_beside_surefires() {
    let project = Project::copy_of("faults");
    edit(
        &project,
        "    </plugins>\n",
        "      <plugin>\n\
         <artifactId>maven-failsafe-plugin</artifactId>\n\
         <version>3.5.6</version>\n\
         <configuration><includes><include>**/Ha*Test.java</include></includes></configuration>\n\
         <executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions>\n\
         </plugin>\n\
         </plugins>\n",
    );
    watch(&project, &["verify", "-Dtest=ExitTest"]);
    let (vms, _) = vms_and_overlapped(&project);
    assert_eq!(vms, 2);
    project.run(&["tests"]).expect(0).says("9 runs of 9 tests in 2 VMs: 9 passed");
    project.run(&["run"]).expect(0).says("9 runs: 9 passed");
}

#[test]
fn tests_of_a_module_run_again_in_that_module() {
    let project = Project::copy_of("modules");
    watch(&project, &["test"]);
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    project.run(&["run"]).expect(0).says("2 runs: 2 passed");
}
