//! Tests that leave state changed: found with the path to it, and nothing else found.

mod every_runtime;
mod files;
mod frameworks;
mod process;

use std::collections::BTreeSet;
use std::fs;

use crate::support::{Ended, Project, junit4_command, runtimes, tools};

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
        let places = finding["evidence"].as_array().unwrap().iter();
        for evidence in places.filter(|evidence| evidence["label"] != "visible") {
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
fn how_another_test_could_see_it_is_said() {
    let project = Project::new();
    let report = pollution(&project, &[], &["java"], &["PotionTest", "TestDirTest"]).json();
    let visible = |root: &str| {
        let verdict = format!("leaves {root} changed");
        let mut findings = report["findings"].as_array().unwrap().iter();
        let of_root = findings.find(|finding| finding["verdict"] == verdict).unwrap();
        of_root["evidence"][1].clone()
    };
    let reader = visible("pollution.PotionEffectType.byName");
    assert_eq!(reader["text"], "PotionEffectType.getByName (static) reads it");
    let field = visible("pollution.TestDirTest.testDir");
    assert_eq!(field["label"], "visible");
}

/// Who comes first then is nobody's doing; but tests may depend on it.
#[test]
fn classes_can_be_initialised_before_the_first_test() {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], &["EagerTest"]);
    assert!(found(&ended).iter().any(|line| line.contains("b_usesAPlugin")), "{:?}", found(&ended));
    let mine = "c_addsAPlugin: pollution.EagerTest$Plugins.NAMES[1] was added: \"mine\"";
    for java in runtimes() {
        let java = [java.to_str().unwrap()];
        let ended = pollution(&project, &["--eager"], &java, &["EagerTest"]);
        assert_eq!(found(&ended), [mine.to_owned()].into(), "{java:?} {}", ended.stderr);
        ended.says("1 test passed when watched, and not with all classes initialised up front: pollution.EagerTest#a_findsNoPlugin");
    }
    // What was watched for another purpose does not say which classes.
    pollution(&project, &[], &["java"], &["EagerTest"]);
    project.run(&["pollution", "--eager"]).expect(2).says("give the command again");
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
fn what_code_fills_when_asked_is_told_from_what_others_see() {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], &["MemoTest"]);
    let expected = [
        "e_registersAnOwner: pollution.MemoTest$Owners.BY_NAME[\"ann\"] was added: MemoTest$Owners",
        "f_setsThePrivateFieldOnce: pollution.MemoTest$Owners.first: null → MemoTest$Owners",
    ];
    assert_eq!(found(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
    let shown = project.run(&["pollution", "--show-suppressed"]);
    shown.says("memo: remembers what is worked out from the key\n  pollution.MemoTest$Formats.PATTERNS  1 test");
    shown
        .says("pollution.MemoTest.FORMATS  1 test")
        .says("pollution.MemoTest$Formats.shared  1 test");
    shown.says("scratch: whoever uses it resets it first\n  pollution.MemoTest.NUMBERS  1 test");
}

#[test]
fn what_threads_work_with_is_told_from_what_others_see() {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], &["ScratchTest"]);
    let of_class_level_set_up = |line: &String| line.contains("scratch-1-1");
    let (of_class, found): (BTreeSet<_>, BTreeSet<_>) =
        found(&ended).into_iter().partition(of_class_level_set_up);
    assert_eq!(of_class.len(), 1, "{of_class:?}");
    let expected = [
        "d_goesDown: pollution.ScratchTest.DEPTH.value: int[] of 1 → int[] of 1",
        "e_setsTheCharset: pollution.ScratchTest.CHARSET.get(): null → sun.nio.cs.UTF_16",
        "f_writesWhereAllCanRead: pollution.ScratchTest.shared: char[] of 2 → char[] of 2",
        "g_leavesAPool: live threads[\"scratch-2-1\"] was added: alive",
    ];
    assert_eq!(found, expected.map(str::to_owned).into(), "{}", ended.stderr);
    let shown = project.run(&["pollution", "--show-suppressed"]);
    for suppressed in [
        "  pollution.ScratchTest.BYTES  1 test",
        "  pollution.ScratchTest.CHARS  1 test",
        "  pollution.ScratchTest.TEXT  1 test",
        "lazy: set when first asked for\n  pollution.ScratchTest.ENCODER  1 test",
        "ends it\n  live threads  1 test",
    ] {
        shown.says(suppressed);
    }
}

#[test]
fn collections_are_compared_as_their_users_see_them() {
    expect(
        &["MapsTest"],
        &[
            "d_putsOneIntoEach: pollution.MapsTest.concurrent[\"new\"] was added: 1",
            "d_putsOneIntoEach: pollution.MapsTest.deque[0] was added: \"new\"",
            "d_putsOneIntoEach: pollution.MapsTest.guardedMap[\"new\"] was added: 1",
            "d_putsOneIntoEach: pollution.MapsTest.guarded[0] was added: \"new\"",
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
fn a_new_object_in_the_place_of_one_just_like_it_is_no_change() {
    expect(
        &["RenewalTest"],
        &[
            "d_anotherLabel, h_anotherSize: pollution.RenewalTest.single.label: \"single\" → \"SINGLE\"",
            "d_anotherLabel, h_anotherSize: pollution.RenewalTest.single.sizes: int[] of 2 → int[] of 2",
            "e_oneOfTwoThatAreOne: pollution.RenewalTest.left is another object than before: RenewalTest$Box → RenewalTest$Box",
            "f_oneForTwo: pollution.RenewalTest.second is another object than before: RenewalTest$Box → RenewalTest$Box",
            "g_notInTheArchive: pollution.RenewalTest.kept is another object than before: RenewalTest$Box → RenewalTest$Box",
            "i_aSmallerRing: pollution.RenewalTest.ring.next is another object than before: RenewalTest$Box → RenewalTest$Box",
        ],
    );
}

#[test]
fn state_of_unusual_shape() {
    expect(
        &["OddTest"],
        &[
            "b_endOfALongList: pollution.OddTest.list.next(×99999).value: 0 → -1",
            "d_oneByte: pollution.OddTest.bytes: byte[] of 1000000 → byte[] of 1000000",
            "e_light: pollution.OddTest.light: pollution.OddTest$Light.RED → pollution.OddTest$Light.GREEN",
            "f_insideAConstant: pollution.OddTest$Light.RED.seconds: 10 → 20",
            "h_anotherLambda: pollution.OddTest.lambda: OddTest$$Lambda → OddTest$$Lambda/3",
            "i_anotherProxy: pollution.OddTest.proxy.h: OddTest$$Lambda/2 → OddTest$$Lambda/4",
            "j_putsIntoABuffer: pollution.OddTest.offHeap.position: 0 → 1",
            "k_makesARing: pollution.OddTest.ring[0][0] was added: ArrayList of 1",
            "g_anotherList: pollution.OddTest.self[0] is another object than before: ArrayList of 1 → ArrayList",
        ],
    );
}

#[test]
fn ids_that_stay_in_a_static_map() {
    expect(
        &["HistoryTest"],
        &["b_isKilled: pollution.HistoryTest.fileMap{HistoryTest$JobId} was added: entry"],
    );
}

#[test]
fn one_of_a_million() {
    expect(
        &["MillionTest"],
        &[
            "b_changesOne: pollution.MillionTest.million[77]: 77 → -1",
            "c_changesANumber: pollution.MillionTest.ways[0]: int[] of 100 → int[] of 100",
        ],
    );
}

#[test]
fn the_seven_kinds_of_poldet_at_jpf() {
    expect(
        &["SevenTest"],
        &[
            "b_setsAStaticField: pollution.SevenTest.level: 0 → 4",
            "e_setsAStaticFieldThroughAnotherClass: pollution.SevenTest$Label.text: \"foo\" → \"bar\"",
            "f_changesAClassThatItIsTheFirstToUse: pollution.SevenTest$Part.made: 0 → 1",
        ],
    );
}

#[test]
fn what_the_jdk_changes_by_design_is_no_finding() {
    expect(&["JdkTest"], &[]);
    let project = Project::new();
    let ended = pollution(
        &project,
        &["--include-roots", r"^java\.util\.Collections$"],
        &["java"],
        &["JdkTest", "TestDirTest"],
    );
    ended.expect(0);
    let report = ended.json();
    let suppressed = report["suppressed"].as_array().unwrap();
    let rules: Vec<&str> = suppressed.iter().map(|one| one["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["lazy", "random"], "the first one makes the generator");
    for one in suppressed {
        assert_eq!(one["roots"][0]["root"], "java.util.Collections.r");
    }
}

#[test]
fn to_use_a_format_is_no_change_but_to_set_it_is() {
    for java in runtimes() {
        let project = Project::new();
        let ended = pollution(&project, &[], &[java.to_str().unwrap()], &["FormatTest"]);
        let found = found(&ended);
        let tests: Vec<&str> =
            found.iter().filter_map(|line| line.split_once(": ")).map(|(test, _)| test).collect();
        assert_eq!(tests, ["c_setsTheTimeZone"], "{java:?} {found:?}");
    }
}

#[test]
fn a_state_is_written_down_before_and_after_a_test() {
    let project = Project::new();
    pollution(&project, &[], &["java"], &["TestDirTest"]).expect(1);
    let ended = project.run(&["pollution", "--dump-state", "TestDirTest#buggyPath"]);
    ended.expect(0);
    assert!(ended.stdout.contains("- (File#1, path, \"build/test/data\")\n"), "{ended:#?}");
    assert!(ended.stdout.contains("+ (File#1, path, \"/tmp\")\n"), "{ended:#?}");
    let written =
        fs::read_to_string(project.path().join(".surefoot/runs/0002/before.txt")).unwrap();
    assert!(written.contains("(root, pollution.TestDirTest.testDir, File#1)\n"));
    project
        .run(&["pollution", "--dump-state", "TestDirTest"])
        .expect(2)
        .says("stands for 2 tests, and --dump-state is about one");
}

#[test]
fn what_is_meant_to_be_can_be_pasted_into_the_configuration() {
    let project = Project::new();
    pollution(&project, &[], &["java"], &["TestDirTest"]).expect(1);
    let ended = project.run(&["pollution", "--suggest-rules"]);
    let line = r"    '^pollution\.TestDirTest\.testDir$', # 1 test";
    ended.expect(1).says(line);
    let (_, rules) = ended.stdout.split_once("[pollution]").unwrap();
    fs::write(project.path().join("surefoot.toml"), format!("[pollution]{rules}")).unwrap();
    project.run(&["pollution"]).expect(0);
}

#[test]
fn a_misspelt_test_is_told_before_a_long_run() {
    let project = Project::new();
    pollution(&project, &[], &["java"], &["LazyTest"]).expect(0);
    let ended = pollution(&project, &["LasyTest"], &["java"], &["LazyTest"]);
    ended.expect(2);
    let told = ended.stderr.find("going on, as the test may be new").unwrap();
    assert!(told < ended.stderr.find("JUnit version").unwrap(), "{}", ended.stderr);
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
