//! Tests that rely on what is not specified: found with the call that they rely on, and nothing else found.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Ended, Project, junit4_command, tools};

/// Options that keep a VM small and quick to start: there are many of them.
const JAVA: &[&str] = &["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Watches classes of testdata/assumptions and looks at them.
fn assumptions(project: &Project, options: &[&str], java: &[&str], classes: &[&str]) -> Ended {
    let arguments = [
        words(&["assumptions", "--format", "json"]),
        words(options),
        words(&["--"]),
        junit4_command(java, &tools().assumptions, classes),
    ];
    project.run(&arguments.concat())
}

/// `Class#method, …: model at place, …`, for each finding.
fn found(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter().map(|finding| {
        assert_eq!(finding["kind"], "assumption");
        let tests = finding["tests"].as_array().unwrap().iter();
        let tests: Vec<&str> =
            tests.map(|test| test.as_str().unwrap().trim_start_matches("assumptions.")).collect();
        format!("{}: {}", tests.join(", "), texts(finding, "call").join(", "))
    });
    findings.collect()
}

fn texts<'a>(finding: &'a Value, label: &str) -> Vec<&'a str> {
    let all = finding["evidence"].as_array().unwrap().iter();
    all.filter(|one| one["label"] == label).map(|one| one["text"].as_str().unwrap()).collect()
}

#[track_caller]
fn expect(ended: &Ended, expected: &[&str]) {
    ended.finds(&found(ended), expected);
}

#[test]
fn figures_2_1_and_2_8_are_found_with_their_calls() {
    let project = Project::new();
    let ended = assumptions(&project, &[], JAVA, &["BookTest", "MapUtilsTest", "SoundTest"]);
    expect(
        &ended,
        &[
            "BookTest#stringRepresentation: assumptions.BookTest.json(BookTest.java:18) by Class.getDeclaredFields",
            "MapUtilsTest#shouldPrettyPrintAnother, MapUtilsTest#shouldPrettyPrintMap: \
             assumptions.MapUtilsTest.prettyPrint(MapUtilsTest.java:13) by HashMap$EntrySet.iterator",
        ],
    );
    let report = ended.json();
    let maps = &report["findings"][0];
    let order = texts(maps, "order")[0];
    assert!(order.starts_with("usual [2, 3, 4], fails with ["), "{order}");
    let book = texts(&report["findings"][1], "order")[0];
    assert!(book.starts_with("usual [title, author, year], fails with ["), "{book}");
    assert!(!book.ends_with("[title, author, year]"), "{book}");
    let rate = texts(maps, "rate")[0];
    assert!(rate.contains(" seeds at level id, "), "{rate}");
    assert!(texts(maps, "strictness")[0].starts_with("level one: "), "{maps:#}");

    let reproduce = report["findings"][1]["reproduce"].as_str().unwrap();
    let again: Vec<&str> = reproduce.split(' ').skip(1).chain(["--format", "json"]).collect();
    let again = project.run(&again);
    again.expect(1);
    assert_eq!(found(&again).len(), 1, "{reproduce}");
}

#[test]
fn a_test_that_fails_by_what_another_one_saw_is_found_with_that_one() {
    let project = Project::new();
    let ended = assumptions(&project, &[], JAVA, &["SoundTest", "KeptTest"]);
    expect(&ended, &["KeptTest#b: assumptions.KeptTest.a2(KeptTest.java:34) by HashSet.iterator"]);
    let finding = &ended.json()["findings"][0];
    let after = texts(finding, "after")[0];
    assert!(after.starts_with("only after assumptions.KeptTest#a2; "), "{after}");
    assert_eq!(finding["confidence"], serde_json::json!({ "seen": 5, "of": 5 }));

    let again = project.run(&["reproduce", "KeptTest#b"]);
    again.expect(1);
}

#[test]
fn files_that_tests_change_with_other_orders_are_told_of_and_spoil_nothing_more() {
    let project = Project::new();
    let snapshot = project.path().join("snapshot.txt");
    std::fs::write(&snapshot, "[1, 2, 3, 4]").unwrap();
    let ended = assumptions(&project, &[], JAVA, &["SnapshotTest"]);
    expect(
        &ended,
        &[
            "SnapshotTest#shows: assumptions.SnapshotTest.shows(SnapshotTest.java:19) by AbstractCollection.toString",
        ],
    );
    let (before, after) = ended.stderr.split_once("As they were, they are in ").unwrap();
    assert!(before.contains("that the watched run left alone: snapshot.txt; "), "{}", ended.stderr);
    let folder = after.split_once(". From").unwrap().0.trim_start_matches("[project]/");
    let original = project.path().join(folder).join("snapshot.txt");
    let original = std::fs::read_to_string(original).unwrap();
    assert_eq!(original, "[1, 2, 3, 4]");
    assert_ne!(std::fs::read_to_string(snapshot).unwrap(), original);
}

#[test]
fn nobody_is_told_to_look_at_what_was_only_built() {
    let project = Project::new();
    let built = project.path().join("target");
    std::fs::create_dir(&built).unwrap();
    std::fs::write(built.join("snapshot.txt"), "[1, 2, 3, 4]").unwrap();
    let ended = assumptions(&project, &[], JAVA, &["SnapshotTest"]);
    assert_eq!(ended.json()["findings"].as_array().map(Vec::len), Some(1), "{}", ended.stderr);
    assert!(!ended.stderr.contains("files changed"), "{}", ended.stderr);
}

#[test]
fn figure_2_7_fails_at_level_full_alone() {
    let project = Project::new();
    expect(&assumptions(&project, &[], JAVA, &["OptionGroupTest"]), &[]);
    for level in ["eq", "one"] {
        let ended = project.run(&["assumptions", "--format", "json", "--level", level]);
        expect(&ended, &[]);
    }
    let full =
        project.run(&["assumptions", "--format", "json", "--level", "full", "--seeds", "20"]);
    let finding = &full.json()["findings"][0];
    full.expect(1);
    assert!(texts(finding, "strictness")[0].starts_with("level full: "), "{finding:#}");
    let calls = texts(finding, "call");
    assert!(
        calls.iter().all(|call| call.starts_with("assumptions.OptionGroupTest.toString(")),
        "{calls:?}"
    );
}

#[test]
fn figure_2_10_relies_on_the_length_of_a_row() {
    let project = Project::new();
    let ended = assumptions(&project, &[], JAVA, &["ZoneNamesTest"]);
    expect(
        &ended,
        &["ZoneNamesTest#shortName: assumptions.ZoneNamesTest.shortName(ZoneNamesTest.java:14) \
           by DateFormatSymbols.getZoneStrings"],
    );
    let report = ended.json();
    let length = texts(&report["findings"][0], "length")[0];
    assert!(length.starts_with("usual 7, fails with "), "{length}");
}

/// It reads hash tables by the thousand, and is right in whatever order they are.
#[test]
fn the_compiler_works_at_level_full() {
    let project = Project::new();
    let java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    let options = ["--level", "full", "--seeds", "3"];
    let ended = assumptions(&project, &options, &java, &["JavacTest"]);
    expect(&ended, &[]);
    assert_eq!(ended.json()["totals"]["replayed"], 1, "it reaches open orders: {}", ended.stderr);
}

#[test]
fn two_choices_of_many_are_both_named() {
    let project = Project::new();
    let ended = assumptions(&project, &["--seeds", "20"], JAVA, &["TwoTest"]);
    expect(
        &ended,
        &["TwoTest#notBoth: assumptions.TwoTest.first(TwoTest.java:14) by ArrayList.<init>, \
           assumptions.TwoTest.second(TwoTest.java:18) by ArrayList.<init>"],
    );
    let report = ended.json();
    let finding = &report["findings"][0];
    assert_eq!(
        texts(finding, "order"),
        [
            "usual [\"a\", \"b\"], fails with [\"b\", \"a\"]",
            "usual [\"c\", \"d\"], fails with [\"d\", \"c\"]"
        ]
    );
    assert!(texts(finding, "narrowed")[0].ends_with(" runs to narrow 12 choices down to 2"));
}

#[test]
fn only_what_is_asked_for_is_changed() {
    let project = Project::new();
    let only = ["--only", "java.io.File"];
    expect(&assumptions(&project, &only, JAVA, &["BookTest", "MapUtilsTest"]), &[]);
    let wrong = project.run(&["assumptions", "--only", "HashMap"]);
    wrong.expect(2).says("there are java.util.HashMap, ");
}

#[test]
fn hash_codes_that_the_vm_makes_up_can_be_others() {
    let project = Project::new();
    let ended = assumptions(&project, &["--seeds", "1"], JAVA, &["HashCodesTest"]);
    expect(&ended, &["HashCodesTest#hasALongText: "]);
    let verdict = "fails when objects have other hash codes than usual";
    assert_eq!(ended.json()["findings"][0]["verdict"], verdict);
    project.run(&["reproduce", "HashCodesTest"]).expect(1);
    let only = ["--only", "java.lang.Object.hashCode", "--level", "full"];
    let full = project.run(&[&["assumptions", "--format", "json"], &only[..]].concat());
    expect(&full, &["HashCodesTest#areTold: ", "HashCodesTest#hasALongText: "]);
}

#[test]
fn a_method_of_a_library_can_be_declared() {
    let project = Project::new();
    expect(&assumptions(&project, &[], JAVA, &["LibraryTest"]), &[]);
    let method = "assumptions.LibraryTest$Library.authors";
    let file = format!("[assumptions]\ndeclare = [\"{method}=permute\"]\n");
    std::fs::write(project.path().join("surefoot.toml"), file).unwrap();
    let ended = project.run(&["assumptions", "--format", "json"]);
    expect(
        &ended,
        &["LibraryTest#firstAuthor: assumptions.LibraryTest.firstAuthor(LibraryTest.java:20) \
           by LibraryTest$Library.authors"],
    );
    let verdict = format!("fails when {method} returns its elements in another order");
    assert_eq!(ended.json()["findings"][0]["verdict"], verdict);
    project
        .run(&["reproduce", "LibraryTest"])
        .expect(1)
        .says("usual [\"Ada\", \"Grace\", \"Mary\"]");
    let wrong = project.run(&["assumptions", "--declare", &format!("{method}=random")]);
    wrong.says("it returns Ljava/util/List;, and random is for int and long");
}

#[test]
fn what_fails_by_chance_is_not_reported() {
    let project = Project::new();
    let java = [JAVA, &["-Dchance=1"]].concat();
    let ended = assumptions(&project, &["--seeds", "3"], &java, &["SoundTest"]);
    assert_eq!(found(&ended), BTreeSet::new());
}
