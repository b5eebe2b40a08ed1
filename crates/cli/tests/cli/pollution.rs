//! Tests that leave state changed: found with the path to it, and nothing else found.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{
    Ended, Project, junit4_command, jupiter_command, runtimes, testng_command, tools,
};

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
fn only_the_parameters_that_pollute_are_named() {
    expect(
        &["ParameterizedTest"],
        &["keepsEven[1]: pollution.ParameterizedTest.kept[0] was added: 2"],
    );
}

/// Watches another command than JUnit 4's.
fn pollution_of(project: &Project, command: Vec<String>) -> Ended {
    let options = ["pollution", "--format", "json", "--no-files", "--"];
    project.run(&options.map(str::to_owned).into_iter().chain(command).collect::<Vec<_>>())
}

#[test]
fn tests_of_testng_with_what_runs_before_and_after_each_and_the_instance_that_they_share() {
    for java in runtimes() {
        let project = Project::new();
        let java = [java.to_str().unwrap()];
        let ended = pollution_of(&project, testng_command(&java, &tools().pollution, &["NgTest"]));
        let expected = [
            "countsInTheInstance, leavesAnOrderInTheInstance: instance of pollution.NgTest.orders[0] was added: \"pear\"",
            "countsInTheInstance, leavesAnOrderInTheInstance: instance of pollution.NgTest.visitors: 0 → 7",
            "keepsEven(int)[1]: pollution.NgTest.KEPT[0] was added: 2",
        ];
        assert_eq!(found(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
    }
}

#[test]
fn the_instance_that_all_tests_of_a_jupiter_class_share() {
    let project = Project::new();
    let ended =
        pollution_of(&project, jupiter_command(&["java"], &tools().pollution, &["PerClassTest"]));
    let expected =
        ["leavesAnOrder: instance of pollution.PerClassTest.orders[0] was added: \"pear\""];
    assert_eq!(found(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
}

/// Verdicts, with the first place and how many tests.
fn verdicts(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let shown = findings.map(|finding| {
        let (verdict, tests) = (&finding["verdict"], finding["tests"].as_array().unwrap());
        let place = finding["evidence"][0]["text"].as_str().unwrap();
        format!("{}: {place}, {} tests", verdict.as_str().unwrap(), tests.len())
    });
    shown.collect()
}

#[test]
fn what_class_level_set_up_leaves_is_put_down_to_the_class() {
    let project = Project::new();
    let classes = ["TidyClassTest", "ClassLevelTest", "PotionTest"];
    let ended = pollution(&project, &["--no-files"], &["java"], &classes);
    let expected = [
        "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.class\"] was added: \"left\", 2 tests",
        "class-level set-up leaves pollution.PotionEffectType.byName changed: pollution.PotionEffectType.byName[\"class\"] was added: PotionEffectType, 2 tests",
        "leaves pollution.PotionEffectType.byName changed: pollution.PotionEffectType.byName[\"own\"] was added: PotionEffectType, 2 tests",
    ];
    assert_eq!(verdicts(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);

    let command = testng_command(&["java"], &tools().pollution, &["NgClassTest", "NgTest"]);
    let ended = pollution_of(&Project::new(), command);
    let expected = "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.ng\"] was added: \"left\", 2 tests";
    let of_classes: Vec<String> =
        verdicts(&ended).into_iter().filter(|verdict| verdict.starts_with("class-level")).collect();
    assert_eq!(of_classes, [expected], "{}", ended.stderr);
    assert!(!verdicts(&ended).iter().any(|one| one.starts_with("leaves System")), "{ended:#?}");

    let command = jupiter_command(&["java"], &tools().pollution, &["JupiterClassTest"]);
    let ended = pollution_of(&Project::new(), command);
    let expected = [
        "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.jupiter\"] was added: \"left\", 2 tests",
    ];
    assert_eq!(verdicts(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
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

#[test]
fn what_stays_beside_static_fields() {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], &["LeftoversTest"]);
    // Each time it gets another port.
    let port = |line: &String| match line.split_once("[127.0.0.1:") {
        Some((before, after)) => {
            format!(
                "{before}[127.0.0.1:0{}",
                after.trim_start_matches(|c: char| c.is_ascii_digit())
            )
        }
        None => line.clone(),
    };
    let found: BTreeSet<String> = found(&ended).iter().map(port).collect();
    let expected = [
        "b_leavesItsCall: pollution.LeftoversTest.CURRENT.get(): null → LeftoversTest$Call",
        "f_leavesAThread: live threads[\"left behind\"] was added: alive",
        "g_leavesAServer: listening sockets[127.0.0.1:0] was added: open",
        "h_addsAProvider: Security.getProviders()[\"Some\"] was added: provider",
        "i_addsAHook: shutdown hooks[pollution.LeftoversTest$$Lambda] was added: registered",
    ];
    assert_eq!(found, expected.map(str::to_owned).into(), "{}", ended.stderr);
    let shown = project.run(&["pollution", "--show-suppressed", "LeftoversTest#k_*"]);
    shown.says("library-hooks: a shutdown hook").says("  shutdown hooks  1 test");
}

#[test]
fn a_provider_is_found_where_the_jdk_takes_others_out_meanwhile() {
    for java in runtimes() {
        let project = Project::new();
        let java = java.to_str().unwrap();
        let ended = pollution(&project, &["--no-files"], &[java], &["ProviderTest"]);
        let expected = ["adds: Security.getProviders()[\"Some\"] was added: provider".to_owned()];
        assert_eq!(found(&ended), expected.into(), "{java}: {}", ended.stderr);
    }
}

/// With a directory for temporary files that no other test of ours writes to.
fn with_files(project: &Project, options: &[&str]) -> Ended {
    let temporary = project.beside("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let property = format!("-Djava.io.tmpdir={}", temporary.display());
    pollution(project, options, &["java", &property], &["FilesTest"])
}

#[test]
fn files_that_tests_leave_changed() {
    let project = Project::new();
    let ended = with_files(&project, &[]);
    let temporary = project.beside("temporary").canonicalize().unwrap();
    let shown = |line: &String| line.replace(temporary.to_str().unwrap(), "[tmp]");
    let found: BTreeSet<String> = found(&ended).iter().map(shown).collect();
    let expected = [
        "b_leavesAFile: left.txt was added: file of 5 bytes",
        "c_counts: data/counters was added: file of 1 byte",
        "d_renames: data/after.txt was added: file of 12 bytes",
        "d_renames: data/before.txt was removed: file of 12 bytes",
        "f_changesAMode: data/mode.txt: file of 12 bytes with mode 644 → file of 12 bytes with mode 700",
        "g_leadsALinkElsewhere: data/link: link to one → link to two",
        "i_wantsToBeTheFirst: fails where it is there already: java.nio.file.FileAlreadyExistsException: once.lock",
        "i_wantsToBeTheFirst: once.lock was added: empty file",
        "j_leavesADirectory: made was added: directory with 4 entries",
        "l_leavesAFileWithAFixedNameInTheTemporaryDirectory: [tmp]/shop.db was added: file of 6 bytes",
    ];
    assert_eq!(found, expected.map(str::to_owned).into(), "{}", ended.stderr);
    ended.expect(1);

    // The files are there now, and Surefoot deletes none of them. Looked at again, the tests still write them.
    let again = project.run(&["pollution", "--show-suppressed", "pollution.FilesTest"]);
    again.expect(1).says("leaves left.txt behind");
    again.says("build-directory: a build directory").says("  target  1 test");
    again.says("log-files: a log grows").says("  shop.log  1 test");
    again.says("fresh-name: a file with another name each time").says("shop");
    assert!(!again.stdout.contains("x.txt"), "classes are not looked at: {}", again.stdout);
}

#[test]
fn only_the_named_directories_are_looked_at() {
    let project = Project::new();
    let ended = with_files(
        &project,
        &["--files", "target/index", "--files", "data", "--ignore-files", "c*ers"],
    );
    let found = found(&ended);
    let of = |method: &str| found.iter().filter(|line| line.starts_with(method)).count();
    assert_eq!(
        of("k_writesWhereBuildsAndLogsDo: target/index was added: directory with 1 entry"),
        1
    );
    assert_eq!((of("d_renames"), of("b_leavesAFile"), of("c_counts")), (2, 0, 0), "{found:?}");
    with_files(&Project::new(), &["--no-files"]).expect(0);
}

#[test]
fn what_another_program_writes_meanwhile_is_put_down_to_no_test() {
    let project = Project::new();
    let temporary = project.beside("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 0u64;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                number += 1;
                fs::write(temporary.join("noise.txt"), number.to_string()).unwrap();
                // Gives up its turn; how often it writes does not matter, as long as it does not stop.
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let ended = with_files(&project, &[]);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        ended
    });
    let found = found(&ended);
    assert!(found.iter().any(|line| line.starts_with("b_leavesAFile")), "{found:?}");
    assert!(!found.iter().any(|line| line.contains("noise")), "{found:?}");
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

const TOUCHED: &[&str] = &[
    "a_nothing",
    "b_flag box.flag: false → true",
    "c_small box.small: (byte) 0 → (byte) -1",
    "d_letter box.letter: 'a' → '\\u{ffff}'",
    "e_low box.low: (short) 0 → (short) -2",
    "f_number box.number: 0 → -3",
    "g_part box.part: 0.0f → -0.5f",
    "h_wide box.wide: 0L → 1099511627776L",
    "i_half box.half: 0.0 → -0.5",
    "j_other box.other: null → \"set\"",
    "k_moment moment: 0L → -9223372036854775808L",
    "l_lastByte bytes: byte[] of 21 → byte[] of 21",
    "m_lastHalf halves: double[] of 3 → double[] of 3",
    "n_lastObject objects[2]:  → \"set\"",
    "o_nothingButTheCollector",
    "p_afterTheCollector box.number: -3 → 4",
    "q_letsGo gone: byte[] of 10 → null",
];

/// What the tests of a class changed in its static fields in the watched run, in their order.
fn watched_changes(project: &Project, class: &str) -> Vec<String> {
    let vms = project.path().join(".surefoot/watches/0001/vms");
    let record = fs::read_dir(vms).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(record.path()).unwrap();
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let changes = events.iter().filter(|event| {
        event["event"] == "changed" && event["test"]["class"].as_str().unwrap().ends_with(class)
    });
    let shown = changes.map(|event| {
        let mut line = event["test"]["method"].as_str().unwrap().to_owned();
        for one in event["change"]["differences"].as_array().into_iter().flatten() {
            let text = |key: &str| one[key].as_str().unwrap_or_default();
            if let Some((_, path)) = text("path").split_once(&format!("{class}.")) {
                line += &format!(" {path}: {} → {}", text("before"), text("after"));
            }
        }
        line
    });
    shown.collect()
}

#[test]
fn every_runtime_and_every_collector_shows_the_same() {
    let classes = &["PotionTest", "IdentityTest", "TestDirTest", "FirstLoadedTest", "TouchTest"];
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
            let (touched, found): (BTreeSet<String>, BTreeSet<String>) =
                found(&ended).into_iter().partition(|line| line.contains("TouchTest"));
            assert_eq!(found, expected, "{java} {collector}\n{}", ended.stderr);
            let lets_go = |line: &String| line.starts_with("q_letsGo: ");
            assert!(touched.iter().any(lets_go), "it fails: {java} {collector}");
            assert_eq!(watched_changes(&project, "TouchTest"), TOUCHED, "{java} {collector}");
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
