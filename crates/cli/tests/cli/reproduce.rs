//! What showed a finding, once more.

use std::fs;
use std::path::Path;

use crate::support::{Ended, Project, junit4_command, tools};

const JAVA: &[&str] = &["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

fn look(project: &Project, technique: &[&str], classes: &Path, class: &str) -> Ended {
    let mut arguments: Vec<String> = technique.iter().map(|&word| word.to_owned()).collect();
    arguments.push("--".to_owned());
    arguments.extend(junit4_command(JAVA, classes, &[class]));
    project.run(&arguments)
}

/// As `explain` prints it.
fn fingerprint(explained: &Ended) -> String {
    let (_, after) = explained.stdout.split_once("surefoot reproduce ").expect("explain names it");
    let fingerprint: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_eq!(fingerprint.len(), 16, "{explained:?}");
    fingerprint
}

#[test]
fn an_assumption_shows_again_until_it_is_repaired() {
    let project = Project::new();
    let found =
        look(&project, &["assumptions", "--seeds", "3"], &tools().assumptions, "RepairedTest");
    found.expect(1);
    let finding = fingerprint(project.run(&["explain", "RepairedTest"]).expect(1));

    project.run(&["explain", &finding[..8]]).expect(1).says("assumptions.RepairedTest#overview");

    let again = project.run(&["reproduce", &finding]);
    again
        .expect(1)
        .says("FAILED  assumptions.RepairedTest#overview")
        .says("assumptions.RepairedTest.overview(RepairedTest.java:22) by")
        .says("usual [1, 2, 3, 4, 5], fails with [")
        .says("org.junit.ComparisonFailure: expected:<[[1, 2, 3, 4, 5]]>");
    project.run(&["reproduce", "RepairedTest"]).expect(1);

    let repaired = |what: &str| project.path().join(format!("repaired-{what}"));
    fs::write(repaired("test"), "").unwrap();
    project
        .run(&["reproduce", &finding[..8]])
        .expect(0)
        .says("PASSED  assumptions.RepairedTest#overview")
        .says("usual [1, 2, 3, 4, 5], passes with [");
    fs::remove_file(repaired("test")).unwrap();

    fs::write(repaired("code"), "").unwrap();
    let anew = project.run(&["reproduce", &finding]);
    anew.expect(0).says("looking anew").says("No findings");
}

#[test]
fn a_finding_of_another_kind_is_reproduced_by_its_own_command() {
    let project = Project::new();
    look(&project, &["rerun", "--all"], &tools().rerun, "BeforeTest").expect(1);
    let again = project.run(&["reproduce", "BeforeTest#asks"]);
    again
        .expect(1)
        .says("surefoot: surefoot run rerun.BeforeTest#asks --fresh-vm-per test --repeat 2")
        .says("passed → failed in 1 of 2 runs: java.lang.AssertionError: there is a server");
}

#[test]
fn what_is_not_known_cannot_be_reproduced() {
    let project = Project::new();
    project.run(&["reproduce", "0123456789abcdef"]).expect(2).says("surefoot watch");
    project.watch_faults(&["ExitTest"]).expect(0);
    project
        .run(&["reproduce", "0123456789abcdef"])
        .expect(2)
        .says("no finding 0123456789abcdef is kept; `surefoot explain TEST` shows those that are");
    project.run(&["reproduce", "ExitTest"]).expect(2).says("no finding about ExitTest is kept");
    project.run(&["reproduce", "NoTest"]).expect(2).says("no test \"NoTest\" was seen");
}
