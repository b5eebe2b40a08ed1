use super::verdict::CONFIRMATIONS;
use super::*;
use crate::pollution::samples::difference;
use crate::samples::{failed, watch};
use surefoot_model::{Confidence, Death, FindingKind, Framework, Observe, RunChange, Start};

const SETTINGS: RerunSettings = RerunSettings {
    mode: None,
    repeat: 2,
    class_setup: ClassSetup::Shared,
    across_vms: false,
    limits: Limits { factor: 20, floor_ms: 30_000 },
};

/// What a suite does: the result of a test after those that ran before it in its VM.
type Suite<'a> = dyn Fn(&str, &[&str]) -> RunResult + 'a;

/// Plays it to the end. A VM that dies is replaced.
fn play(watch: &Watch, settings: RerunSettings, suite: &Suite<'_>) -> (Vec<Finding>, Vec<Remark>) {
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let mut rerun = Rerun::new(watch, &tests, settings);
    conduct(&mut rerun, |experiment| run(experiment, suite));
    (rerun.findings(), rerun.remarks())
}

/// The same, with how each experiment ends, for whoever wants to see them.
fn conduct(rerun: &mut Rerun<'_>, mut end: impl FnMut(&Experiment) -> Outcome) {
    loop {
        let experiments = rerun.propose();
        if experiments.is_empty() {
            return;
        }
        rerun.observe(experiments.iter().map(&mut end).collect());
    }
}

/// A suite of Python.
fn python(names: &[&str]) -> (Watch, Vec<TestId>) {
    let mut watch = watch(&[names]);
    watch.tests.values_mut().for_each(|test| test.framework = Framework::Pytest);
    let tests = watch.tests.keys().cloned().collect();
    (watch, tests)
}

fn run(experiment: &Experiment, suite: &Suite<'_>) -> Outcome {
    let mut before: Vec<&str> = Vec::new();
    let mut vm = 0;
    let runs = experiment.runs.iter().map(|run| {
        let result = suite(run.test.as_str(), &before);
        let outcome = RunOutcome {
            test: run.test.clone(),
            result: result.clone(),
            duration_ms: 1,
            vm,
            change: None,
            choices: None,
            output: None,
        };
        before.push(run.test.as_str());
        if matches!(result, RunResult::Died { .. }) {
            vm += 1;
            before.clear();
        }
        outcome
    });
    Outcome {
        experiment: experiment.id,
        runs: runs.collect(),
        class_changes: Vec::new(),
        in_copy: false,
    }
}

fn kinds(findings: &[Finding]) -> Vec<(FindingKind, &str)> {
    findings.iter().map(|finding| (finding.kind, finding.tests[0].as_str())).collect()
}

/// The second run of A#nio fails.
fn nio(test: &str, before: &[&str]) -> RunResult {
    if test == "A#nio" && before.contains(&"A#nio") { failed() } else { RunResult::Passed }
}

#[test]
fn a_test_that_fails_the_second_time_is_found_in_every_mode() {
    let watch = watch(&[&["A#1", "A#nio", "B#1"]]);
    for mode in [None, Some(Mode::Suite), Some(Mode::Class), Some(Mode::Method)] {
        let (findings, remarks) = play(&watch, RerunSettings { mode, ..SETTINGS }, &nio);
        assert_eq!(kinds(&findings), [(FindingKind::Nio, "A#nio")], "{mode:?}");
        assert_eq!(remarks, [], "{mode:?}");
        assert_eq!(findings[0].confidence, Confidence { seen: 5, of: 5 });
        let evidence: Vec<&str> = findings[0].evidence.iter().map(|e| e.text.as_str()).collect();
        let text = "twice in a row, alone: passed, then failed in 5 of 5 fresh VMs";
        assert!(evidence.contains(&text), "{evidence:?}");
        assert!(evidence.contains(&"once, alone: passed in 5 of 5 fresh VMs"), "{evidence:?}");
    }
}

#[test]
fn the_fingerprint_does_not_depend_on_the_mode() {
    let watch = watch(&[&["A#1", "A#nio"]]);
    let of = |mode| {
        play(&watch, RerunSettings { mode, ..SETTINGS }, &nio).0[0]
            .fingerprint()
            .as_str()
            .to_owned()
    };
    assert_eq!(of(None), of(Some(Mode::Method)));
}

#[test]
fn a_sound_suite_runs_each_test_twice_and_no_more() {
    let watch = watch(&[&["A#1", "A#2"], &["B#1"]]);
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let mut rerun = Rerun::new(&watch, &tests, SETTINGS).numbered_from(7);
    let experiments = rerun.propose();
    let runs: Vec<Vec<&str>> = experiments
        .iter()
        .map(|experiment| experiment.runs.iter().map(|run| run.test.as_str()).collect())
        .collect();
    assert_eq!(runs, [vec!["A#1", "A#1", "A#2", "A#2"], vec!["B#1", "B#1"]]);
    assert_eq!(experiments[0].id, 7);
    rerun.observe(experiments.iter().map(|e| run(e, &|_, _| RunResult::Passed)).collect());
    assert_eq!(rerun.propose(), []);
    assert_eq!((rerun.repeated(), rerun.findings(), rerun.remarks()), (3, vec![], vec![]));
}

/// Figure 4 of the paper: a test before it makes it fail at once, so only alone it can be seen to be NIO.
#[test]
fn a_test_that_others_make_fail_at_once_is_found_alone() {
    let mut watch = watch(&[&["A#polluter", "A#size"]]);
    watch.vms[0].runs[1].result = failed();
    let suite = |test: &str, before: &[&str]| {
        if test == "A#size" && !before.is_empty() { failed() } else { RunResult::Passed }
    };
    for mode in [None, Some(Mode::Method)] {
        let (findings, _) = play(&watch, RerunSettings { mode, ..SETTINGS }, &suite);
        assert_eq!(kinds(&findings), [(FindingKind::Nio, "A#size")], "{mode:?}");
    }
    for mode in [Mode::Suite, Mode::Class] {
        let (findings, _) = play(&watch, RerunSettings { mode: Some(mode), ..SETTINGS }, &suite);
        assert_eq!(kinds(&findings), [(FindingKind::Victim, "A#size")], "{mode:?}");
    }
}

#[test]
fn a_test_that_fails_the_second_time_only_after_another_is_found_among_others() {
    let watch = watch(&[&["A#setter", "A#nio"]]);
    let suite = |test: &str, before: &[&str]| {
        let again = test == "A#nio" && before.contains(&"A#nio");
        if again && before.contains(&"A#setter") { failed() } else { RunResult::Passed }
    };
    let (findings, _) = play(&watch, SETTINGS, &suite);
    assert_eq!(kinds(&findings), [(FindingKind::Nio, "A#nio")]);
    assert!(findings[0].verdict.ends_with("after other tests"), "{}", findings[0].verdict);
    assert_eq!(findings[0].confidence, Confidence { seen: 3, of: 3 });
}

#[test]
fn victims_brittle_and_failing_tests_are_not_called_nio() {
    let mut watch = watch(&[&["A#setter", "A#brittle", "A#polluter", "A#victim", "A#failing"]]);
    watch.vms[0].runs[3].result = failed();
    watch.vms[0].runs[4].result = failed();
    let suite = |test: &str, before: &[&str]| match test {
        "A#brittle" if !before.contains(&"A#setter") => failed(),
        "A#victim" if before.contains(&"A#polluter") => failed(),
        "A#failing" => failed(),
        _ => RunResult::Passed,
    };
    let (findings, remarks) = play(&watch, SETTINGS, &suite);
    assert_eq!(kinds(&findings), [(FindingKind::Victim, "A#victim")]);
    assert_eq!(findings[0].confidence, Confidence { seen: 3, of: 3 });
    let remarks: Vec<(&str, &str)> =
        remarks.iter().map(|r| (r.verdict.as_str(), r.test.as_str())).collect();
    assert_eq!(remarks, [("failing", "A#failing")]);

    let alone = RerunSettings { mode: Some(Mode::Method), ..SETTINGS };
    let (findings, _) = play(&watch, alone, &suite);
    assert_eq!(kinds(&findings), [(FindingKind::Brittle, "A#brittle")]);
}

#[test]
fn what_ends_by_chance_is_never_called_nio() {
    let watch = watch(&[&["A#1", "A#chance"]]);
    for seed in 1..2000u64 {
        let state = std::cell::Cell::new(seed);
        let suite = move |test: &str, _: &[&str]| {
            // xorshift, which needs no library.
            let mut x = state.get();
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            state.set(x);
            if test == "A#chance" && x % 3 == 0 { failed() } else { RunResult::Passed }
        };
        let (findings, _) = play(&watch, SETTINGS, &suite);
        assert!(findings.iter().all(|f| f.kind != FindingKind::Nio), "{seed}: {findings:?}");
    }
}

#[test]
fn a_second_run_that_takes_the_vm_down_is_a_failure_with_its_cause() {
    let watch = watch(&[&["A#exits", "A#2"]]);
    let suite = |test: &str, before: &[&str]| {
        if test == "A#exits" && before.contains(&test) {
            RunResult::Died { death: Death::Exited { status: 3 } }
        } else {
            RunResult::Passed
        }
    };
    let (findings, remarks) = play(&watch, SETTINGS, &suite);
    assert_eq!(kinds(&findings), [(FindingKind::Nio, "A#exits")]);
    assert_eq!(
        findings[0].verdict,
        "passes, and takes its VM down when it runs again in the same VM"
    );
    assert_eq!(findings[0].evidence[0].text, "the VM exited with status 3");
    assert_eq!(remarks, []);
}

#[test]
fn rows_of_one_method_are_one_finding() {
    let watch = watch(&[&["A#rows(int[])[1]", "A#rows(int[])[2]", "A#rows(int[])[3]"]]);
    let suite = |test: &str, before: &[&str]| {
        if !test.ends_with("[2]") && before.contains(&test) { failed() } else { RunResult::Passed }
    };
    let (findings, _) = play(&watch, SETTINGS, &suite);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("A#rows(int[])[1]"), "A#rows(int[])[3]".into()]);
    assert_eq!(finding.cause, "A#rows(int[])");
    assert_eq!(finding.confidence, Confidence { seen: 10, of: 10 });
}

#[test]
fn a_test_that_cannot_be_repeated_is_told() {
    let watch = watch(&[&["A#1"]]);
    let suite = |_: &str, before: &[&str]| match before {
        [] => RunResult::Passed,
        _ => RunResult::NotRun { reason: "the runner refused".into() },
    };
    let (findings, remarks) = play(&watch, SETTINGS, &suite);
    assert_eq!(findings, []);
    assert_eq!(remarks[0].verdict, "not repeated");
    assert_eq!(remarks[0].text, "not run: the runner refused");
}

#[test]
fn tests_that_were_skipped_when_watched_are_left_out() {
    let mut watch = watch(&[&["A#1", "A#skipped"]]);
    watch.vms[0].runs[1].result = RunResult::Skipped { reason: None };
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let mut rerun = Rerun::new(&watch, &tests, SETTINGS);
    assert_eq!(rerun.propose()[0].runs.len(), 2);
}

/// The first run of A#nio changes two roots; the second one fails unless all of `causes` were put back.
fn explained(roots: &[&str], causes: &[&str]) -> Finding {
    explained_with(roots, causes, &[])
}

fn explained_with(roots: &[&str], causes: &[&str], elsewhere: &[&str]) -> Finding {
    let watch = watch(&[&["A#1", "A#nio"]]);
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let mut rerun = Rerun::new(&watch, &tests, SETTINGS);
    loop {
        let experiments = rerun.propose();
        if experiments.is_empty() {
            return rerun.findings().remove(0);
        }
        let outcomes = experiments.iter().map(|experiment| {
            let keep = &experiment.settings.keep;
            let cured = !keep.is_empty()
                && causes.iter().all(|cause| keep.iter().any(|kept| kept == cause));
            let mut outcome = run(experiment, &move |test, before| match nio(test, before) {
                _ if cured => RunResult::Passed,
                result => result,
            });
            if experiment.settings.observe == Observe::Each {
                let differences = roots.iter().map(|root| difference(root, "0", "4")).collect();
                let elsewhere = elsewhere.iter().map(|&one| one.to_owned()).collect();
                let change = StateChange { differences, elsewhere, ..StateChange::default() };
                outcome.runs[0].change = Some(RunChange { runs: 1, change });
            }
            outcome
        });
        let outcomes = outcomes.collect();
        rerun.observe(outcomes);
    }
}

fn texts(finding: &Finding, label: &str) -> Vec<String> {
    let labelled = finding.evidence.iter().filter(|evidence| evidence.label == label);
    labelled.map(|evidence| evidence.text.clone()).collect()
}

#[test]
fn the_root_that_makes_the_second_run_pass_when_it_is_put_back_is_the_cause() {
    let finding = explained(&["x.A.counter", "x.A.noise"], &["x.A.counter"]);
    assert_eq!(
        texts(&finding, "cause"),
        ["it trips over x.A.counter: 0 → 4; put back, the second run passes"]
    );
    assert_eq!(finding.fix, "set x.A.counter back in @After, or make it no static field");
}

#[test]
fn several_roots_that_only_help_together_are_named_together() {
    let finding = explained(&["x.A.a", "x.A.b"], &["x.A.a", "x.A.b"]);
    let [cause] = &texts(&finding, "cause")[..] else { panic!("{finding:?}") };
    assert!(cause.starts_with("several together: with x.A.a, x.A.b put back"), "{cause}");
}

#[test]
fn of_several_roots_that_only_help_together_those_are_named_that_it_takes() {
    let roots = ["x.A.a", "x.A.b", "x.A.noise", "x.B.noise"];
    let finding = explained(&roots, &["x.A.a", "x.A.b"]);
    let [cause] = &texts(&finding, "cause")[..] else { panic!("{finding:?}") };
    assert!(cause.starts_with("several together: with x.A.a, x.A.b put back"), "{cause}");
    assert_eq!(texts(&finding, "suspect"), ["x.A.a: 0 → 4", "x.A.b: 0 → 4"]);
}

#[test]
fn where_nothing_helps_that_is_said_with_what_was_tried() {
    let finding = explained(&["x.A.noise"], &["a file"]);
    assert_eq!(texts(&finding, "cause"), [""; 0]);
    assert!(texts(&finding, "cause-not-seen")[0].starts_with("nothing that the first run leaves"));
    assert_eq!(texts(&finding, "suspect"), ["x.A.noise: 0 → 4"]);
    let finding = explained(&[], &["a file"]);
    assert!(texts(&finding, "cause-not-seen")[0].starts_with("the first run leaves nothing"));
}

#[test]
fn a_value_of_parametrize_that_the_first_run_changes_is_the_suspect() {
    let finding = explained_with(&[], &[], &["parameter orders", "codecs.registered"]);
    let suspect = &texts(&finding, "suspect")[0];
    assert!(suspect.contains("the value of its parameter orders, and"), "{suspect}");
    assert_eq!(texts(&finding, "cause-not-seen"), [""; 0]);
    assert!(finding.fix.starts_with("copy what parametrize gives"), "{}", finding.fix);
    // What makes the difference when it is put back comes first.
    let finding = explained_with(&["x.A.a"], &["x.A.a"], &["parameter orders"]);
    assert_eq!(texts(&finding, "cause").len(), 1);
}

#[test]
fn tests_that_were_looked_at_by_themselves_and_changed_nothing_can_be_left_out() {
    let mut watch = watch(&[&["A#clean", "A#changes", "A#together", "A#unseen", "A#library"]]);
    let runs = &mut watch.vms[0].runs;
    runs[0].change = Some(StateChange::default());
    let differences = vec![difference("x.A.cache", "0", "1")];
    runs[1].change = Some(StateChange { differences, ..StateChange::default() });
    runs[2].change_together = Some(StateChange::default());
    let elsewhere = vec!["codecs.registered".to_owned()];
    runs[4].change = Some(StateChange { elsewhere, ..StateChange::default() });
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let mut rerun = Rerun::new(&watch, &tests, SETTINGS).without_the_clean();
    assert_eq!((rerun.skipped(), rerun.wanted()), (1, 5));
    let wanted: BTreeSet<String> =
        rerun.propose().iter().flat_map(|e| &e.runs).map(|run| run.test.0.clone()).collect();
    let expected = ["A#changes", "A#library", "A#together", "A#unseen"];
    assert_eq!(wanted, expected.map(str::to_owned).into());
    // Class-level set-up that runs again may fail again, whatever the tests do.
    let per_run = RerunSettings { class_setup: ClassSetup::PerRun, ..SETTINGS };
    assert_eq!(Rerun::new(&watch, &tests, per_run).without_the_clean().skipped(), 0);
}

/// Plays it to the end; `result` also knows whether other VMs run at the same time, and how many runs there were before.
fn play_beside_others(
    watch: &Watch,
    result: impl Fn(bool, &[&str], usize) -> RunResult,
) -> (Vec<Finding>, Vec<Remark>) {
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let mut rerun = Rerun::new(watch, &tests, SETTINGS);
    let mut count = 0;
    loop {
        let experiments = rerun.propose();
        if experiments.is_empty() {
            return (rerun.findings(), rerun.remarks());
        }
        let outcomes = experiments.iter().map(|experiment| {
            count += 1;
            let beside = !experiment.settings.undisturbed;
            run(experiment, &|_, before| result(beside, before, count))
        });
        let outcomes = outcomes.collect();
        rerun.observe(outcomes);
    }
}

/// The VMs of Surefoot write one file: whoever runs beside another now and then fails. That is not the test's fault.
#[test]
fn what_only_other_vms_disturb_is_not_called_flaky() {
    let watch = watch(&[&["A#port"]]);
    let (findings, remarks) = play_beside_others(&watch, |beside, _, count| {
        if beside && count % 3 == 1 { failed() } else { RunResult::Passed }
    });
    assert_eq!(findings, []);
    assert_eq!(remarks[0].verdict, "undecided");
    let words = "alone it passed 10 of 10 times";
    assert!(remarks[0].text.starts_with(words), "{}", remarks[0].text);
    let words = "while other VMs ran in the same directory it passed";
    assert!(remarks[0].text.contains(words), "{}", remarks[0].text);
}

#[test]
fn a_test_that_is_nio_without_other_vms_is_nio_whatever_they_do() {
    let watch = watch(&[&["A#nio"]]);
    let (findings, _) = play_beside_others(&watch, |beside, before, count| {
        let disturbed = beside && count % 4 == 3;
        if disturbed != before.is_empty() { RunResult::Passed } else { failed() }
    });
    assert_eq!(kinds(&findings), [(FindingKind::Nio, "A#nio")]);
}

#[test]
fn what_ends_in_different_ways_without_other_vms_too_is_flaky() {
    let watch = watch(&[&["A#chance"]]);
    let (findings, _) =
        play_beside_others(
            &watch,
            |_, _, count| {
                if count % 3 == 1 { failed() } else { RunResult::Passed }
            },
        );
    assert_eq!(kinds(&findings), [(FindingKind::Flaky, "A#chance")]);
}

/// A VM for each test would be dear: one that all before left as it was will do, until a test does not pass.
#[test]
fn alone_means_in_a_vm_as_good_as_new_at_first_and_in_a_fresh_one_when_it_counts() {
    let watch = watch(&[&["A#1", "A#nio", "B#1"]]);
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let settings = RerunSettings { mode: Some(Mode::Method), ..SETTINGS };
    let mut rerun = Rerun::new(&watch, &tests, settings);
    let in_clean_vm = |experiment: &Experiment| {
        experiment.settings.reuse.is_some() && experiment.settings.observe == Observe::Each
    };
    let by_class = rerun.propose();
    assert_eq!(by_class.len(), 2);
    assert!(by_class.iter().all(in_clean_vm));
    rerun.observe(by_class.iter().map(|experiment| run(experiment, &nio)).collect());
    // Nobody looked at A#1, so it may have left something for A#nio.
    let apart = rerun.propose();
    let [one] = &apart[..] else { panic!("{apart:?}") };
    assert!(in_clean_vm(one));
    assert!(one.runs.iter().all(|run| run.test == TestId::from("A#nio")), "{one:?}");
    rerun.observe(vec![run(one, &nio)]);
    let mut fresh = 0;
    loop {
        let experiments = rerun.propose();
        if experiments.is_empty() {
            break;
        }
        assert!(experiments.iter().all(|experiment| experiment.settings.reuse.is_none()));
        fresh += experiments.len();
        rerun.observe(experiments.iter().map(|experiment| run(experiment, &nio)).collect());
    }
    assert!(fresh >= 10, "{fresh}");
    assert_eq!(kinds(&rerun.findings()), [(FindingKind::Nio, "A#nio")]);
}

/// Nothing but what leaves something has a VM of its own.
#[test]
fn those_after_one_that_left_something_share_another_vm() {
    let watch = watch(&[&["A#1", "A#leaves", "A#3", "A#leaves too", "A#5"]]);
    let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
    let settings = RerunSettings { mode: Some(Mode::Method), ..SETTINGS };
    let mut rerun = Rerun::new(&watch, &tests, settings);
    let mut lists = Vec::new();
    loop {
        let experiments = rerun.propose();
        if experiments.is_empty() {
            break;
        }
        let outcomes = experiments.iter().map(|experiment| {
            let mut outcome = run(experiment, &|_, _| RunResult::Passed);
            for run in &mut outcome.runs {
                let leaves = run.test.as_str().contains("leaves");
                let differences = leaves.then(|| difference("x.A.a", "0", "1")).into_iter();
                let change =
                    StateChange { differences: differences.collect(), ..StateChange::default() };
                run.change = Some(RunChange { runs: 1, change });
            }
            let mut tests: Vec<&str> =
                experiment.runs.iter().map(|run| run.test.as_str()).collect();
            tests.dedup();
            lists.push(tests.join(" "));
            outcome
        });
        let outcomes = outcomes.collect();
        rerun.observe(outcomes);
    }
    assert_eq!(lists, ["A#1 A#leaves A#3 A#leaves too A#5", "A#3 A#5", "A#leaves too"]);
}

#[test]
fn tests_of_python_are_forked_and_confirmed_in_forks_of_several_parents_and_a_vm_that_was_started()
{
    for framework in [Framework::Pytest, Framework::JUnit4] {
        let mut watch = watch(&[&["A#1", "A#nio"]]);
        watch.tests.values_mut().for_each(|test| test.framework = framework);
        let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
        let mut rerun = Rerun::new(&watch, &tests, SETTINGS);
        let mut starts: BTreeMap<String, BTreeSet<Option<u32>>> = BTreeMap::new();
        conduct(&mut rerun, |one| {
            let parent = match one.settings.start {
                Start::Plain => None,
                Start::Forked { parent } => Some(parent),
            };
            starts.entry(one.purpose.clone()).or_default().insert(parent);
            run(one, &nio)
        });
        assert_eq!(kinds(&rerun.findings()), [(FindingKind::Nio, "A#nio")]);
        let expected = match framework {
            Framework::Pytest => [
                (AMONG_OTHERS, BTreeSet::from([Some(0)])),
                (CONTROL, (1..=CONFIRMATIONS).map(Some).collect()),
                (ALONE, std::iter::once(None).chain((1..CONFIRMATIONS).map(Some)).collect()),
                (STATE, BTreeSet::from([Some(0)])),
            ],
            _ => [AMONG_OTHERS, CONTROL, ALONE, STATE].map(|one| (one, BTreeSet::from([None]))),
        };
        let expected: BTreeMap<String, BTreeSet<Option<u32>>> =
            expected.into_iter().map(|(purpose, parents)| (purpose.to_owned(), parents)).collect();
        assert_eq!(starts, expected);
    }
}

#[test]
fn where_a_test_ends_otherwise_in_a_fork_from_the_start_nothing_in_it_counts() {
    let (watch, tests) = python(&["A#1", "A#2"]);
    let mut rerun = Rerun::new(&watch, &tests, SETTINGS);
    let mut starts = Vec::new();
    conduct(&mut rerun, |one| {
        starts.push(one.settings.start);
        let lacks = |test: &str| one.settings.start != Start::Plain && test == "A#2";
        run(one, &|test, _| if lacks(test) { failed() } else { RunResult::Passed })
    });
    assert_eq!(starts, [Start::FORKED, Start::Plain]);
    assert!(rerun.findings().is_empty() && rerun.remarks().is_empty());
    assert_eq!(rerun.repeated(), 2);
}

#[test]
fn a_test_of_python_that_failed_when_watched_starts_no_process_unless_it_passes_alone() {
    for passes_alone in [false, true] {
        let (mut watch, tests) = python(&["A#1", "A#2"]);
        watch.vms[0].runs[1].result = failed();
        let suite = |test: &str, before: &[&str]| match test {
            "A#2" if !passes_alone || !before.is_empty() => failed(),
            _ => RunResult::Passed,
        };
        let mut rerun = Rerun::new(&watch, &tests, SETTINGS);
        let mut started = BTreeSet::new();
        conduct(&mut rerun, |one| {
            if one.settings.start == Start::Plain {
                started.insert(one.purpose.clone());
            }
            run(one, &suite)
        });
        assert_eq!(started.contains(ALONE), passes_alone, "{started:?}");
        assert_eq!(rerun.findings().len(), usize::from(passes_alone));
    }
}

/// The last test needs the first one before it.
#[test]
fn forks_have_parts_of_a_suite_and_the_whole_is_run_where_a_part_is_not_enough() {
    let names: Vec<String> = (0..30).map(|number| format!("A#{number:02}")).collect();
    for needs in [false, true] {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (watch, tests) = python(&names);
        let suite = |test: &str, before: &[&str]| match test {
            "A#29" if needs && !before.contains(&"A#00") => failed(),
            _ => RunResult::Passed,
        };
        let mut rerun = Rerun::new(&watch, &tests, SETTINGS).divided_among(2);
        let mut sizes = Vec::new();
        conduct(&mut rerun, |one| {
            sizes.push((one.settings.start, one.runs.len()));
            run(one, &suite)
        });
        let mut expected = vec![(Start::FORKED, 30), (Start::FORKED, 30)];
        expected.extend(needs.then_some((Start::Plain, 60)));
        assert_eq!(sizes, expected);
        assert!(rerun.findings().is_empty() && rerun.remarks().is_empty());
        assert_eq!(rerun.repeated(), 30);
    }
}
