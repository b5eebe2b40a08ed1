//! Tests that leave state changed: found with the path to it, and nothing else found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ended, Project, junit4_command, tools};

/// Watches classes of testdata/pollution; `java` is the VM and its options.
fn pollution(project: &Project, options: &[&str], java: &[&str], classes: &[&str]) -> Ended {
    let mut arguments: Vec<String> =
        ["pollution", "--format", "json"].iter().chain(options).map(|&word| word.into()).collect();
    arguments.push("--".into());
    arguments.extend(junit4_command(java, &tools().pollution, classes));
    project.run(&arguments)
}

/// `method: what changed`, for each test and each place.
fn found(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let mut found = BTreeSet::new();
    for finding in report["findings"].as_array().unwrap() {
        let tests = finding["tests"].as_array().unwrap().iter().map(|test| {
            let test = test.as_str().unwrap();
            test.rsplit_once('#').map_or(test, |(_, method)| method)
        });
        let tests = tests.collect::<Vec<_>>().join(", ");
        for evidence in finding["evidence"].as_array().unwrap() {
            found.insert(format!("{tests}: {}", evidence["text"].as_str().unwrap()));
        }
    }
    found
}

#[track_caller]
fn expect(classes: &[&str], expected: &[&str]) {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], classes);
    let expected: BTreeSet<String> = expected.iter().map(|&line| line.to_owned()).collect();
    assert_eq!(found(&ended), expected, "{}", ended.stderr);
    ended.expect(i32::from(!expected.is_empty()));
}

#[test]
fn a_static_field_that_a_test_sets_for_itself() {
    expect(
        &["TestDirTest"],
        &["buggyPath: pollution.TestDirTest.testDir.path: \"build/test/data\" → \"/tmp\""],
    );
}

#[test]
fn an_entry_that_a_test_leaves_in_a_map() {
    expect(
        &["PotionTest"],
        &[
            "b_setExtended: pollution.PotionEffectType.byName[\"poison\"] was added: PotionEffectType",
        ],
    );
}

#[test]
fn what_is_worked_out_when_first_asked_for_is_not_reported() {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], &["LazyTest"]);
    assert_eq!(found(&ended), BTreeSet::new());
    let shown = project.run(&["pollution", "--show-suppressed"]);
    shown.expect(0).says("lazy: set when first asked for\n  pollution.LazyTest.MESSAGE  1 test");
}

#[test]
fn collections_are_compared_as_their_users_see_them() {
    expect(
        &["MapsTest"],
        &[
            "d_putsOneIntoEach: pollution.MapsTest.concurrent[\"new\"] was added: 1",
            "d_putsOneIntoEach: pollution.MapsTest.deque[0] was added: \"new\"",
            "d_putsOneIntoEach: pollution.MapsTest.hash[\"new\"] was added: 1",
            "d_putsOneIntoEach: pollution.MapsTest.identity{Object} was added: entry",
            "d_putsOneIntoEach: pollution.MapsTest.linked[\"new\"] was added: 1",
            "d_putsOneIntoEach: pollution.MapsTest.links[0] was added: \"new\"",
            "d_putsOneIntoEach: pollution.MapsTest.list[0] was added: \"new\"",
            "d_putsOneIntoEach: pollution.MapsTest.set[\"new\"] was added: present",
            "d_putsOneIntoEach: pollution.MapsTest.tree[\"new\"] was added: 1",
            "d_putsOneIntoEach: pollution.MapsTest.weak{Object} was added: entry",
        ],
    );
}

#[test]
fn which_object_is_where_matters() {
    expect(
        &["IdentityTest"],
        &[
            "b_moves: pollution.IdentityTest.current is another object than before: IdentityTest$State → IdentityTest$State",
            "c_parts: pollution.IdentityTest.alias is another object than before: int[] of 2 → int[] of 2",
        ],
    );
}

#[test]
fn settings_of_the_process() {
    let project = Project::new();
    let found = found(&pollution(
        &project,
        &[],
        &["java", "-Duser.language=en", "-Duser.region=", "-Duser.timezone=Etc/UTC"],
        &["ProcessTest"],
    ));
    let streams = "f_out: System.err: java.io.PrintStream#";
    let (err, found): (Vec<_>, Vec<_>) = found.iter().partition(|line| line.starts_with(streams));
    assert_eq!(err.len(), 1, "which stream it is has no name");
    assert_eq!(
        found,
        [
            "b_property: System.getProperties()[\"pollution.mode\"] was added: \"fast\"",
            "d_locale: Locale.getDefault().baseLocale.language: \"en\" → \"de\"",
            "d_locale: Locale.getDefault().baseLocale.region: \"\" → \"DE\"",
            "e_zone: TimeZone.getDefault().ID: \"Etc/UTC\" → \"Asia/Tokyo\"",
        ]
    );
}

#[test]
fn state_of_unusual_shape() {
    expect(
        &["OddTest"],
        &[
            "b_endOfALongList: pollution.OddTest.list.next(×99999).value: 0 → -1",
            "c_oneOfAMillion: pollution.OddTest.million[77]: 77 → -1",
            "d_oneByte: pollution.OddTest.bytes: byte[] of 1000000 → byte[] of 1000000",
            "e_light: pollution.OddTest.light: pollution.OddTest$Light.RED → pollution.OddTest$Light.GREEN",
            "f_insideAConstant: pollution.OddTest$Light.RED.seconds: 10 → 20",
            "g_anotherList: pollution.OddTest.self[0] is another object than before: ArrayList of 1 → ArrayList",
        ],
    );
}

#[test]
fn only_the_parameters_that_pollute_are_named() {
    expect(
        &["ParameterizedTest"],
        &["keepsEven[1]: pollution.ParameterizedTest.kept[0] was added: 2"],
    );
}

/// The runtimes that scripts/fetch-runtimes fetched, where scripts/test has them put.
fn runtimes() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("runtimes");
    let folder = std::env::var_os("SUREFOOT_RUNTIMES").map_or(beside, PathBuf::from);
    let entries = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}; run scripts/fetch-runtimes", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path().join("bin/java"))
        .filter(|java| java.is_file())
        .collect();
    found.sort();
    assert_eq!(found.len(), 4, "{found:?}");
    found
}

/// Collectors that move objects in different ways, as far as this VM has them.
fn collectors(java: &Path) -> Vec<&'static str> {
    let all = [
        "-XX:+UseSerialGC",
        "-XX:+UseParallelGC",
        "-XX:+UseG1GC",
        "-XX:+UseZGC",
        "-XX:+UseShenandoahGC",
    ];
    let has = |option: &&str| {
        let mut probe = std::process::Command::new(java);
        probe.args([option, "-version"]).env_remove("JAVA_TOOL_OPTIONS");
        probe.output().is_ok_and(|output| output.status.success())
    };
    all.into_iter().filter(has).collect()
}

#[test]
fn every_runtime_and_every_collector_shows_the_same() {
    let classes = &["PotionTest", "IdentityTest", "TestDirTest", "FirstLoadedTest"];
    let expected: BTreeSet<String> = [
        "b_loadsAndChanges: pollution.FirstLoadedTest$LoadedAndChanged.level: 1 → 7",
        "b_moves: pollution.IdentityTest.current is another object than before: IdentityTest$State → IdentityTest$State",
        "b_setExtended: pollution.PotionEffectType.byName[\"poison\"] was added: PotionEffectType",
        "buggyPath: pollution.TestDirTest.testDir.path: \"build/test/data\" → \"/tmp\"",
        "c_parts: pollution.IdentityTest.alias is another object than before: int[] of 2 → int[] of 2",
    ]
    .map(str::to_owned)
    .into();
    for java in runtimes() {
        let collectors = collectors(&java);
        assert!(collectors.len() >= 3, "{collectors:?}");
        for collector in collectors {
            let java = java.to_str().unwrap();
            let project = Project::new();
            let ended = pollution(&project, &[], &[java, collector], classes);
            assert_eq!(found(&ended), expected, "{java} {collector}\n{}", ended.stderr);
        }
    }
}

/// Few looks at many tests, and the same findings.
#[test]
fn a_limit_on_the_overhead_changes_no_finding() {
    let project = Project::new();
    let ended =
        pollution(&project, &["--overhead", "1.01"], &["java"], &["PotionTest", "IdentityTest"]);
    let found = found(&ended);
    assert_eq!(found.len(), 3, "{found:?}\n{}", ended.stderr);
}
