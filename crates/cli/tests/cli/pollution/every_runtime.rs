//! The same on every runtime and with every collector.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{found, pollution};
use crate::support::{Project, runtimes};

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
