//! Orders that are other than usual: where that is allowed, and nowhere else, on every JDK.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use surefoot_model::{
    ChoiceKind, Choosing, ClassSetup, Declaration, IdentityHash, Level, RunChoices, RunResult,
    Settings, TestId, Watch,
};
use surefoot_scheduler::{Report, Worker};

use crate::support::{self, PATIENCE, Place};

macro_rules! on {
    ($($jdk:ident $version:literal),*) => {$(
        mod $jdk {
            #[test]
            fn every_look_at_an_unmodified_object_shows_one_order() {
                super::views_agree($version);
            }

            #[test]
            fn every_promise_is_kept_at_every_level() {
                super::promises_are_kept($version);
            }

            #[test]
            fn orders_differ_where_they_may_and_by_the_seed_alone() {
                super::orders_differ($version);
            }

            #[test]
            fn the_levels_do_what_table_2_2_says() {
                super::table($version);
            }
        }
    )*};
}

on!(jdk_11 11, jdk_17 17, jdk_21 21, jdk_25 25);

const CLASSES: [&str; 6] = [
    "choose.ViewsTest",
    "choose.OftenViewsTest",
    "choose.PromisesTest",
    "choose.OftenPromisesTest",
    "choose.OrdersTest",
    "choose.OftenTest",
];

/// The fixtures, watched once, and a worker that verifies all that is woven.
pub(crate) struct Bench {
    place: Place,
    watch: Watch,
    worker: Box<dyn Worker>,
}

impl Bench {
    fn new(jdk: u32) -> Bench {
        Bench::of(jdk, &CLASSES, &[])
    }

    pub(crate) fn of(jdk: u32, classes: &[&str], jars: &[&str]) -> Bench {
        let place = Place::new();
        let junit = &["junit-4.13.2.jar", "hamcrest-core-1.3.jar"];
        let path = support::class_path(&[junit, jars].concat());
        let mut arguments = vec![
            "-Xverify:all".to_owned(),
            place.trace_option(),
            place.watch_option(),
            "-cp".to_owned(),
            path,
            "org.junit.runner.JUnitCore".to_owned(),
        ];
        arguments.extend(classes.iter().map(|&class| class.to_owned()));
        let ended = place.run(&support::java(jdk), &arguments);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        let watch = place.watch();
        let worker = support::start_worker(&watch);
        place.take_trace();
        Bench { place, watch, worker }
    }

    fn restart_with(&mut self, hash: IdentityHash) {
        self.worker = support::start_worker_with(&self.watch, hash);
    }

    fn tests(&self, class: &str) -> Vec<TestId> {
        let tests = self.watch.tests.values().filter(|test| test.class == class);
        tests.map(|test| test.id.clone()).collect()
    }

    /// What became of these tests when that was chosen.
    fn run(&mut self, tests: &[TestId], choosing: &Choosing) -> Vec<(RunResult, RunChoices)> {
        let settings = Settings { choose: Some(choosing.clone()), ..Settings::default() };
        self.worker.submit(tests, &settings);
        let mut results = Vec::new();
        loop {
            match self.worker.next(PATIENCE) {
                Report::Started { .. } => {}
                Report::Finished { result, choices, .. } => {
                    results.push((result, *choices.expect("whoever chooses tells")));
                }
                Report::Done { not_run } => {
                    assert_eq!(results.len(), tests.len(), "{not_run}\n{}", self.worker.output());
                    return results;
                }
                other => panic!("{other:?}\n{}", self.worker.output()),
            }
        }
    }

    pub(crate) fn pass(&mut self, class: &str, choosing: &Choosing) -> u32 {
        let tests = self.tests(class);
        assert!(tests.len() > 2, "{tests:?}");
        let results = self.run(&tests, choosing);
        for (test, (result, _)) in tests.iter().zip(&results) {
            let RunResult::Failed { thrown } = result else { continue };
            panic!("{test} with {choosing:?}: {:?}\n{}", thrown.message, thrown.stack);
        }
        results.iter().map(|(_, choices)| choices.reached).sum()
    }

    /// The lines that a test said, by their names.
    pub(crate) fn shown(&mut self, test: &str, choosing: &Choosing) -> BTreeMap<String, String> {
        let results = self.run(&[TestId::from(test)], choosing);
        assert!(results[0].0.passed(), "{results:?}");
        self.said()
    }

    /// The same in a VM that nobody told to choose.
    pub(crate) fn shown_plainly(&mut self, test: &str) -> BTreeMap<String, String> {
        let tests = [TestId::from(test)];
        let results = support::run_in(&mut *self.worker, &tests, ClassSetup::Shared);
        assert!(results[0].passed(), "{results:?}");
        self.said()
    }

    fn said(&self) -> BTreeMap<String, String> {
        let path = self.place.path("trace");
        let text = fs::read_to_string(&path).expect("the fixture says something");
        fs::remove_file(path).expect("the trace is there");
        let line = |line: &str| {
            let (name, order) = line.split_once(": ").expect("a name and an order");
            (name.to_owned(), order.to_owned())
        };
        text.lines().map(line).collect()
    }
}

pub(crate) fn choosing(level: Level, seed: u64) -> Choosing {
    Choosing {
        seed,
        level,
        only: None,
        models: Vec::new(),
        declared: Vec::new(),
        identity_hash: None,
        trace: false,
    }
}

fn views_agree(jdk: u32) {
    let mut bench = Bench::new(jdk);
    for level in [Level::Id, Level::Eq, Level::One] {
        for seed in 0..10 {
            assert!(bench.pass("choose.ViewsTest", &choosing(level, seed)) > 5);
        }
        assert!(bench.pass("choose.OftenViewsTest", &choosing(level, 3)) > 1000);
    }
}

fn promises_are_kept(jdk: u32) {
    let mut bench = Bench::new(jdk);
    for level in Level::ALL {
        for seed in 0..5 {
            assert!(bench.pass("choose.PromisesTest", &choosing(level, seed)) > 20);
        }
        assert!(bench.pass("choose.OftenPromisesTest", &choosing(level, 3)) > 1000);
    }
    assert!(bench.pass("choose.PromisesTest", &choosing(Level::Full, 0).nothing()) > 20);
}

/// Of each look, more than one order; the same ones in another VM; and none but the usual where nothing is to be chosen.
fn orders_differ(jdk: u32) {
    let mut bench = Bench::new(jdk);
    let tests = ["everyLook", "reflection", "files", "lists"]
        .map(|name| format!("choose.OrdersTest#{name}"));
    let mut orders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut by_seed: Vec<BTreeMap<String, String>> = Vec::new();
    for seed in 0..10 {
        for test in &tests {
            let shown = bench.shown(test, &choosing(Level::Id, seed));
            for (name, order) in &shown {
                orders.entry(name.clone()).or_default().insert(order.clone());
            }
            by_seed.push(shown);
        }
    }
    for (name, orders) in &orders {
        assert!(orders.len() > 4, "{name}: {orders:?}");
    }
    assert!(orders.len() > 300, "{}", orders.len());

    let mut other = Bench::new(jdk);
    let lambda = TestId::from("choose.OrdersTest#linksALambda");
    let linked = other.run(&[lambda], &choosing(Level::Full, 3));
    assert!(
        matches!(linked[..], [(RunResult::Passed, RunChoices { reached: 0, .. })]),
        "{linked:?}"
    );
    let again = other.shown(&tests[0], &choosing(Level::Id, 3));
    assert_eq!(again, by_seed[3 * tests.len()], "the same seed, the same orders");
    let usual = other.shown(&tests[0], &choosing(Level::Id, 3).nothing());
    assert_eq!(usual, other.shown(&tests[0], &choosing(Level::Full, 8).nothing()));

    let outside = |seed| choosing(Level::Full, seed);
    let set_up: BTreeSet<_> =
        (0..6).map(|seed| bench.shown("choose.OrdersTest#outside", &outside(seed))).collect();
    assert_eq!(set_up.len(), 1, "class-level set-up is no test: {set_up:?}");

    let only = |model: &str| Choosing { models: vec![model.to_owned()], ..choosing(Level::Id, 3) };
    let mut third = Bench::new(jdk);
    let shown = third.shown(&tests[0], &only("java.util.concurrent.ConcurrentHashMap"));
    let same: BTreeSet<&str> = shown
        .iter()
        .filter(|(name, order)| usual[*name] == **order)
        .filter_map(|(name, _)| name.split(' ').next())
        .collect();
    // Set.of and Map.of have another order in every VM.
    let others = ["HashMap", "HashSet", "Hashtable", "WeakHashMap", "PriorityQueue"];
    assert!(same.is_superset(&BTreeSet::from(others)), "{same:?}");
    assert!(!same.contains("ConcurrentHashMap") && !same.contains("Properties:"), "{same:?}");
}

fn table(jdk: u32) {
    let mut bench = Bench::new(jdk);
    let expected: [(Level, &[&str]); 4] = [
        (Level::Full, &["10", "13", "17", "22", "4", "5", "7"]),
        (Level::Id, &["13", "17", "22", "4", "5"]),
        (Level::Eq, &["22", "4", "5"]),
        (Level::One, &["4", "5"]),
    ];
    for (level, expected) in expected {
        let mut failed: BTreeSet<String> = BTreeSet::new();
        for seed in 0..24 {
            let shown = bench.shown("choose.OrdersTest#figure", &choosing(level, seed));
            let lines = shown["figure"].trim_matches(['[', ']']).split(", ");
            failed.extend(lines.map(str::to_owned));
        }
        assert!(failed.iter().eq(expected), "{level}: {failed:?}");
    }
}

/// So the stack need not be read, and the seed still means the same wherever the test runs.
#[test]
fn a_thread_that_asks_very_often_is_answered_by_content() {
    let mut bench = Bench::new(17);
    for level in [Level::Id, Level::Full] {
        let mut orders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for seed in 0..6 {
            let plain = choosing(level, seed);
            let shown = bench.shown("choose.OftenTest#asksOften", &plain);
            let first: u32 = shown["first"].parse().expect("a number");
            assert!(first > 100, "by place, all of them differ: {first}");
            assert_eq!(shown["then"].matches('[').count(), 1, "one order: {}", shown["then"]);
            let traced = Choosing { trace: true, ..plain.clone() };
            assert_eq!(bench.shown("choose.OftenTest#asksOften", &traced), shown, "{level}");
            let more = bench.shown("choose.OftenTest#asksAFewTimesMore", &plain);
            assert_eq!(
                (&more["then"], &more["other content"]),
                (&shown["then"], &shown["other content"])
            );
            assert!(level == Level::Full || shown["unmodified"] == "true", "seed {seed}");
            for (name, order) in shown {
                orders.entry(name).or_default().insert(order);
            }
        }
        for name in ["then", "other content", "other thread"] {
            assert!(orders[name].len() > 3, "{name}: {orders:?}");
        }
    }
    // A choice by content can be told and made alone, as any other. It comes after the thousand that are made by their places.
    let test = [TestId::from("choose.OftenTest#asksOften")];
    let traced = Choosing { trace: true, ..choosing(Level::Id, 1) };
    let (_, choices) = bench.run(&test, &traced).remove(0);
    let shown = bench.said();
    let only = Some(vec![choices.made[1000].id]);
    let (_, alone) = bench.run(&test, &Choosing { only, ..traced }).remove(0);
    assert_eq!((alone.made.len(), &*alone.made[0].place), (1, "choose.OftenTest.ask"));
    let alone = bench.said();
    assert_eq!((alone["first"].as_str(), &alone["then"]), ("2", &shown["then"]));
}

#[test]
fn a_choice_is_told_with_its_stack_and_can_be_made_alone() {
    let mut bench = Bench::new(17);
    let figure = [TestId::from("choose.OrdersTest#figure")];
    let traced = Choosing { trace: true, ..choosing(Level::Id, 1) };
    let (_, choices) = bench.run(&figure, &traced).remove(0);
    assert_eq!(choices.made.len(), 4, "{choices:?}");
    let first = &choices.made[0];
    assert_eq!(
        (first.model.as_str(), first.place.as_str()),
        ("java.util.HashMap", "choose.OrdersTest.figure")
    );
    let detail = first.detail.as_ref().expect("the first ones are told with details");
    assert_eq!(detail.elements, ["1", "2"]);
    assert_eq!(detail.order.len(), 2);
    let frames: Vec<&str> = detail.stack.iter().map(String::as_str).collect();
    assert!(
        frames.iter().any(|frame| frame.starts_with("java.util.HashSet.toArray(")),
        "{frames:?}"
    );
    assert!(
        frames.iter().any(|frame| frame.starts_with("choose.OrdersTest.figure(")),
        "{frames:?}"
    );

    assert_eq!(
        detail.again.len(),
        2,
        "lines 7 and 10 of the figure see the same: {:?}",
        detail.again
    );

    let only = Some(vec![choices.made[2].id]);
    let (_, alone) = bench.run(&figure, &Choosing { only, ..traced }).remove(0);
    assert_eq!(alone.reached, 4);
    assert_eq!(alone.made, [choices.made[2].clone()]);
}

/// In classes that are there already, and in those that are loaded later.
#[test]
fn methods_that_a_user_declares_return_what_they_may() {
    let test = "choose.OrdersTest#declared";
    let declare =
        |kind, method: &str| Declaration { method: format!("choose.Catalog.{method}"), kind };
    let mut declared: Vec<Declaration> = ["names", "unmodifiable", "sorted", "prices", "all"]
        .map(|method| declare(ChoiceKind::Permute, method))
        .to_vec();
    declared.push(declare(ChoiceKind::Extend, "columns"));
    declared.extend(["token", "stamp"].map(|method| declare(ChoiceKind::Random, method)));
    for jdk in [11, 25] {
        for loaded in [false, true] {
            let mut bench = Bench::new(jdk);
            if loaded {
                bench.shown(test, &choosing(Level::Id, 0));
            }
            let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for seed in 0..10 {
                let declared = declared.clone();
                let shown = bench.shown(test, &Choosing { declared, ..choosing(Level::Id, seed) });
                assert_eq!(shown["names"], shown["names again"], "the same object");
                for (name, text) in shown {
                    seen.entry(name).or_default().insert(text);
                }
            }
            assert_eq!(seen["sorted"].len(), 1, "{:?}", seen["sorted"]);
            for name in ["names", "unmodifiable", "prices", "all", "columns", "token", "stamp"] {
                assert!(seen[name].len() > 2, "{jdk}, {loaded}, {name}: {:?}", seen[name]);
            }
            assert!(seen["columns"].contains("[id, name, name]"), "{:?}", seen["columns"]);
        }
    }
}

/// Figures 2.9 and 2.10.
#[test]
fn rows_of_time_zone_names_may_be_longer() {
    for jdk in [11, 25] {
        let mut bench = Bench::new(jdk);
        let seen: BTreeSet<String> = (0..12)
            .map(|seed| bench.shown("choose.OrdersTest#zones", &choosing(Level::One, seed)))
            .map(|shown| shown["columns"].clone())
            .collect();
        assert!(seen.iter().eq(["7 7", "8 8", "9 9"]), "{seen:?}");
    }
}

#[test]
fn an_initialiser_sees_the_same_whichever_test_comes_first() {
    let shown = |name: &str, seed| {
        let mut bench = Bench::new(17);
        bench.shown("choose.OrdersTest#everyLook", &seed);
        bench.shown(&format!("choose.OrdersTest#{name}"), &seed)
    };
    for seed in (0..3).map(|seed| choosing(Level::Id, seed)) {
        let first = shown("initialiser", seed.clone());
        assert_eq!(first.len(), 2);
        assert_eq!(shown("sameInitialiser", seed), first);
    }
    let mut bench = Bench::new(17);
    let mut far_out =
        |seed| bench.shown("choose.OrdersTest#farOut", &choosing(Level::Id, seed)).into_values();
    let orders: BTreeSet<String> = (0..6).flat_map(&mut far_out).collect();
    assert!(orders.len() > 3, "{orders:?}");
}

#[test]
fn a_vm_gives_objects_the_hash_codes_that_are_chosen_for_it() {
    let test = "choose.OrdersTest#hashCodes";
    for jdk in [11, 17, 21, 25] {
        let mut bench = Bench::new(jdk);
        let numbers = |shown: BTreeMap<String, String>| -> Vec<u32> {
            let words = shown["hash codes"].split(' ');
            words.map(|word| word.parse().expect("a number")).collect()
        };
        let usual = numbers(bench.shown(test, &choosing(Level::Full, 0).nothing()));
        assert!(!usual.is_sorted() || usual[4] > 1 << 20, "{jdk}: {usual:?}");
        bench.restart_with(IdentityHash::Same);
        let same = numbers(bench.shown(test, &choosing(Level::Full, 0).nothing()));
        assert_eq!(same, [1; 5], "{jdk}");
        bench.restart_with(IdentityHash::Counted);
        let counted = numbers(bench.shown(test, &choosing(Level::Full, 0).nothing()));
        assert!(counted.is_sorted() && counted[4] < 1 << 20, "{jdk}: {counted:?}");
        assert!(bench.pass("choose.PromisesTest", &choosing(Level::Full, 0)) > 20);
    }
}

#[test]
fn a_test_in_the_style_of_junit_3_tells_its_choices_too() {
    let mut bench = Bench::of(17, &["choose.OldStyleTest"], &[]);
    let tests = bench.tests("choose.OldStyleTest");
    let traced = Choosing { trace: true, ..choosing(Level::Id, 1) };
    let results = bench.run(&tests, &traced);
    let [(result, choices)] = &results[..] else { panic!("{results:?}") };
    assert!(result.passed());
    assert_eq!((choices.reached, choices.made.len()), (1, 1), "{choices:?}");
}
