use std::collections::BTreeMap;

use surefoot_model::choice::HASH_SEED;
use surefoot_model::{
    After, ChoiceId, ChoiceKind, Choosing, Framework, MadeChoice, RunChoices, RunResult, Start,
};

use super::control::MANY;
use super::*;
use crate::samples::{failed, outcome, watch};

mod confirming;

/// A program: what each test does with the choices that are made.
struct Program {
    watch: Watch,
    /// The choices that each test reaches, by test.
    reaches: BTreeMap<&'static str, Vec<u64>>,
    fails: fn(&str, &Made<'_>) -> bool,
    /// How many of them it comes to only the first time in a VM.
    once: fn(&str) -> u32,
}

/// What a test sees of the choices.
struct Made<'a> {
    choosing: &'a Choosing,
    alone: bool,
    /// How often it ran in this VM before.
    before: usize,
    /// How many runs the experiment has.
    among: usize,
    /// What ran in this VM before.
    earlier: &'a [(TestId, bool)],
    round: &'static str,
    forked: bool,
}

impl Made<'_> {
    fn is_made(&self, id: u64) -> bool {
        self.choosing.only.as_ref().is_none_or(|only| only.contains(&ChoiceId(id)))
    }

    fn nothing(&self) -> bool {
        self.choosing.only.as_ref().is_some_and(Vec::is_empty)
    }

    fn is_after(&self, test: &str) -> bool {
        self.earlier.iter().any(|(earlier, _)| earlier.as_str() == test)
    }

    fn other_hashes(&self) -> bool {
        self.choosing.hash_seed().is_some()
    }
}

fn made(id: u64) -> MadeChoice {
    MadeChoice {
        id: ChoiceId(id),
        model: "java.util.HashMap".into(),
        kind: ChoiceKind::Permute,
        place: format!("com.acme.Place{}", id % 10),
        detail: None,
    }
}

fn hashes(test: &str) -> MadeChoice {
    MadeChoice {
        id: ChoiceId::HASH_SEED,
        model: HASH_SEED.into(),
        kind: ChoiceKind::Random,
        place: test.into(),
        detail: None,
    }
}

/// What was run, by the name of the round.
type Runs = BTreeMap<&'static str, usize>;

fn play(program: &Program, seeds: u32) -> (Vec<Finding>, Runs, (usize, usize)) {
    play_at(Level::Id, program, seeds, &[])
}

fn play_only(
    program: &Program,
    seeds: u32,
    models: &[&str],
) -> (Vec<Finding>, Runs, (usize, usize)) {
    play_at(Level::Id, program, seeds, models)
}

fn play_at(
    level: Level,
    program: &Program,
    count: u32,
    models: &[&str],
) -> (Vec<Finding>, Runs, (usize, usize)) {
    let tests = program.watch.tests.keys().cloned().collect();
    let models = models.iter().map(|&model| model.to_owned()).collect();
    let seeds = Seeds { level, first: 42, count, models, declared: Vec::new() };
    let mut strategy = Assumptions::new(&program.watch, tests, seeds, Limits::default());
    let mut runs = Runs::new();
    loop {
        let experiments = strategy.propose();
        if experiments.is_empty() {
            let counts = (strategy.without_control(), strategy.unconfirmed().len());
            return (strategy.findings(), runs, counts);
        }
        let name = strategy.name();
        // What ran in each VM, and whether it failed, by the experiment that came last.
        let mut vms: BTreeMap<u64, Vec<(TestId, bool)>> = BTreeMap::new();
        let mut outcomes = Vec::new();
        for experiment in &experiments {
            let choosing = experiment.settings.choose.as_ref().expect("all of them choose");
            let after = experiment.settings.after.as_ref();
            let mut vm = after.and_then(|after| vms.remove(&after.experiment)).unwrap_or_default();
            assert_eq!(after.is_some(), !vm.is_empty(), "it goes on where another one ended");
            let alone = experiment.runs.len() == 1 && after.is_none();
            let mut results = Vec::new();
            for run in &experiment.runs {
                let before: Vec<bool> =
                    vm.iter().filter(|(test, _)| *test == run.test).map(|(_, bad)| *bad).collect();
                let failures = before.iter().filter(|bad| **bad).count() as u32;
                let reaches = program.reaches.get(run.test.as_str()).map_or(0, Vec::len);
                let is_done = |after: &After| {
                    let chooses_never = after.choosing && reaches == 0 && !before.is_empty();
                    failures >= after.enough || chooses_never
                };
                if after.is_some_and(is_done) {
                    let reason = "enough".to_owned();
                    results.push((run.test.as_str(), RunResult::NotRun { reason }));
                    continue;
                }
                *runs.entry(name).or_default() += 1;
                let among = experiment.runs.len();
                let made = Made {
                    choosing,
                    alone,
                    before: before.len(),
                    among,
                    earlier: &vm,
                    round: name,
                    forked: experiment.settings.start == Start::FORKED,
                };
                let failing = (program.fails)(run.test.as_str(), &made);
                vm.push((run.test.clone(), failing));
                results
                    .push((run.test.as_str(), if failing { failed() } else { RunResult::Passed }));
            }
            let mut outcome = outcome(experiment.id, &results);
            for run in &mut outcome.runs {
                let ids = program.reaches.get(run.test.as_str()).cloned().unwrap_or_default();
                let forked = false;
                let seen = Made {
                    choosing,
                    alone,
                    before: 0,
                    among: 0,
                    earlier: &[],
                    round: name,
                    forked,
                };
                let mut made: Vec<MadeChoice> =
                    ids.iter().filter(|id| seen.is_made(**id)).map(|id| made(*id)).collect();
                if seen.other_hashes() {
                    made = vec![hashes(run.test.as_str())];
                }
                let is_first = after.is_none();
                let once = if is_first { 0 } else { (program.once)(run.test.as_str()) };
                let reached = ids.len() as u32 - once;
                run.choices = Some(Box::new(RunChoices { reached, made }));
            }
            vms.insert(experiment.id, vm);
            outcomes.push(outcome);
        }
        strategy.observe(outcomes);
    }
}

fn program(
    reaches: &[(&'static str, std::ops::Range<u64>)],
    fails: fn(&str, &Made<'_>) -> bool,
) -> Program {
    let names: Vec<&str> = reaches.iter().map(|(name, _)| *name).collect();
    Program {
        watch: watch(&[&names]),
        reaches: reaches.iter().map(|(name, ids)| (*name, ids.clone().collect())).collect(),
        fails,
        once: |_| 0,
    }
}

#[test]
fn a_test_that_fails_by_one_choice_is_found_with_it() {
    let program =
        program(&[("A#1", 0..40), ("A#2", 0..40)], |test, made| test == "A#1" && made.is_made(17));
    let (findings, runs, counts) = play(&program, 10);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("A#1")]);
    assert_eq!(finding.cause, "java.util.HashMap at com.acme.Place7");
    assert_eq!(finding.confidence, Confidence { seen: 5, of: 5 });
    let rate = "failed with 6 of 6 seeds at level id, 5 of 5 seeds at level full, 5 of 5 seeds at level eq, 5 of 5 seeds at level one";
    assert!(finding.evidence.iter().any(|one| one.text == rate), "{:?}", finding.evidence);
    assert_eq!(runs["levels"], 3 * 5, "one test, five seeds, three other levels");
    let enough = 3;
    assert_eq!(runs["seeds"], 10 + 2 * enough, "A#1 is left out once it has failed often enough");
    assert!(runs["narrow"] <= 14, "{runs:?}");
    assert_eq!(counts, (0, 0));
}

#[test]
fn two_choices_that_it_takes_together_are_both_named() {
    let program = program(&[("A#1", 0..30)], |_, made| made.is_made(4) && made.is_made(25));
    let (findings, ..) = play(&program, 3);
    assert_eq!(
        findings[0].cause,
        "java.util.HashMap at com.acme.Place4, java.util.HashMap at com.acme.Place5"
    );
}

#[test]
fn only_tests_that_reach_a_choice_run_under_seeds() {
    let program = program(&[("A#1", 0..0), ("A#2", 0..2)], |_, _| false);
    let (findings, runs, _) = play(&program, 10);
    assert_eq!(findings, []);
    assert_eq!(runs["seeds"], 2 + 10, "A#1 once in each of two VMs");
    assert_eq!(runs["hash codes"], 2, "who asks for a hash code is not seen");
    assert_eq!(runs.len(), 2, "nothing failed, so nothing is confirmed");
}

#[test]
fn each_vm_looks_for_choices_in_a_part_of_the_suite() {
    let program = program(&[("A#1", 0..0), ("A#2", 0..2), ("B#1", 0..0)], |_, _| false);
    assert_eq!(play(&program, 10).1["seeds"], 2 + 10);
}

#[test]
fn what_fails_without_any_choice_is_never_reported() {
    let program = program(&[("A#1", 0..2)], |_, _| true);
    let (findings, runs, counts) = play(&program, 10);
    assert_eq!((findings.len(), counts), (0, (1, 0)));
    assert_eq!(runs["control"], 1);
    assert_eq!(runs["confirm"], 4, "in the control it failed, too, so it is not run alone");
}

#[test]
fn what_passes_in_the_suite_and_not_among_suspects_is_confirmed_alone() {
    // Each of the two spoils the other, unless B#1 comes in between; alone they are sound.
    let program = program(&[("A#1", 0..2), ("B#1", 0..2), ("C#1", 0..2)], |test, made| {
        let is_spoilt = made.among == 2 && !made.alone;
        test != "B#1" && (made.is_made(1) || is_spoilt)
    });
    let (findings, runs, counts) = play(&program, 2);
    assert_eq!(findings.iter().map(|finding| finding.tests.len()).sum::<usize>(), 2);
    assert_eq!((runs["control"], counts), (3, (0, 0)));
}

#[test]
fn with_very_many_tests_the_control_comes_first() {
    let names: Vec<&'static str> = (0..=MANY).map(|n| &*format!("A#{n}").leak()).collect();
    let reaches: Vec<(&'static str, std::ops::Range<u64>)> =
        names.iter().map(|name| (*name, 0..u64::from(*name == "A#7"))).collect();
    let (_, runs, _) = play(&program(&reaches, |_, _| false), 10);
    assert_eq!((runs["control"], runs["seeds"]), (MANY + 1, 10));
}

#[test]
fn what_fails_alone_without_choices_is_not_reported() {
    let program = program(&[("A#1", 0..2), ("A#2", 0..0)], |test, made| {
        test == "A#1" && (made.alone || !made.nothing())
    });
    let (findings, _, counts) = play(&program, 3);
    assert_eq!((findings.len(), counts), (0, (0, 1)));
}

#[test]
fn what_fails_only_among_others_is_not_reported() {
    let program = program(&[("A#1", 0..2), ("A#2", 0..2)], |test, made| {
        test == "A#1" && !made.alone && !made.nothing()
    });
    let (findings, _, counts) = play(&program, 3);
    assert_eq!((findings.len(), counts), (0, (0, 1)));
}

/// A program in which A#1 fails by a choice with every other seed, and A#2 and B#1 never.
fn failing_with_odd_seeds(fails: fn(&str, &Made<'_>) -> bool) -> Program {
    program(&[("A#1", 0..2), ("A#2", 0..2), ("B#1", 0..2)], fails)
}

#[test]
fn what_fails_whenever_it_runs_again_is_looked_at_in_fresh_vms() {
    let program = failing_with_odd_seeds(|test, made| {
        test == "A#1" && (made.before > 0 || (made.is_made(1) && made.choosing.seed % 4 == 1))
    });
    let (findings, runs, counts) = play(&program, 4);
    assert_eq!(findings.len(), 1, "the failures of other runs do not hide it");
    assert_eq!(findings[0].choosing.as_ref().map(|choosing| choosing.seed), Some(45));
    assert_eq!(runs["seeds"], 3 * 4 + 2 * 4, "A#1 and A#2 once more, B#1 not");
    assert_eq!(counts, (0, 0));
}

#[test]
fn what_fails_whenever_it_runs_again_is_not_reported() {
    let program = failing_with_odd_seeds(|test, made| test == "A#1" && made.before > 0);
    let (findings, _, counts) = play(&program, 4);
    assert_eq!((findings.len(), counts), (0, (0, 0)));
}

#[test]
fn a_class_in_which_choices_are_made_once_for_a_vm_has_a_fresh_one_for_each_seed() {
    let mut program = failing_with_odd_seeds(|_, _| false);
    program.once = |test| u32::from(test == "A#2");
    assert_eq!(play(&program, 10).1["seeds"], 3 * 10 + 2 * 10);
    program.once = |_| 0;
    assert_eq!(play(&program, 10).1["seeds"], 3 * 10);
}

/// A program with many tests, of which C#2 fails by a choice for B#7.
fn failing_after_another(fails: fn(&str, &Made<'_>) -> bool) -> Program {
    let names = [
        "A#1", "A#2", "A#3", "A#4", "A#5", "B#1", "B#2", "B#3", "B#4", "B#5", "B#6", "B#7", "C#1",
        "C#2", "C#3",
    ];
    let reaches: Vec<(&'static str, std::ops::Range<u64>)> =
        (0..).zip(names).map(|(number, name)| (name, 100 * number..100 * number + 4)).collect();
    program(&reaches, fails)
}

#[test]
fn a_test_that_fails_by_what_another_one_saw_is_found_with_that() {
    let program = failing_after_another(|test, made| {
        test == "C#2" && made.is_after("B#7") && made.is_made(1102)
    });
    let (findings, runs, counts) = play(&program, 4);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("C#2")]);
    assert!(finding.verdict.starts_with("after another test, fails when "), "{}", finding.verdict);
    assert!(finding.evidence[0].text.starts_with("only after B#7; "), "{:?}", finding.evidence);
    assert_eq!(finding.cause, "java.util.HashMap at com.acme.Place2 before C#2");
    assert_eq!(finding.confidence, Confidence { seen: 5, of: 5 });
    assert_eq!(finding.reproduce, "surefoot assumptions B#7 C#2 --level id --seed 42 --seeds 1");
    assert_eq!(finding.choosing, None, "it takes two tests");
    assert!(!runs.contains_key("levels"), "{runs:?}");
    assert_eq!(counts, (0, 0));
}

#[test]
fn a_test_that_another_one_makes_fail_without_any_choice_is_not_reported() {
    // Without the first test of all, as in the control, it does not take a choice.
    let program = failing_after_another(|test, made| {
        test == "C#2" && made.is_after("B#7") && (!made.is_after("A#1") || made.is_made(1102))
    });
    let (findings, _, counts) = play(&program, 4);
    assert_eq!((findings.len(), counts), (0, (0, 1)));
}

#[test]
fn suspects_are_confirmed_among_each_other_and_the_first_of_a_cause_alone() {
    let program = failing_with_odd_seeds(|test, made| test != "B#1" && made.is_made(1));
    let (findings, runs, _) = play(&program, 2);
    assert_eq!(findings[0].tests, [TestId::from("A#1"), TestId::from("A#2")]);
    assert_eq!(findings[0].confidence, Confidence { seen: 5 + 4, of: 5 + 4 });
    let (among, alone, shown) = (2 * 2 * 2, 2, 2);
    assert_eq!(runs["confirm"], among + alone + shown);
}

#[test]
fn a_suspect_that_fails_only_after_some_other_one_does_not_have_its_cause() {
    // A#2 is between the others whichever way round they run, and fails by what either of them leaves.
    let program = failing_with_odd_seeds(|test, made| {
        made.is_made(1) && (test != "A#2" || made.is_after("A#1") || made.is_after("B#1"))
    });
    let (findings, _, counts) = play(&program, 2);
    let tests: Vec<&[TestId]> = findings.iter().map(|finding| &finding.tests[..]).collect();
    assert_eq!(tests, [&["A#1".into(), "B#1".into()][..], &["A#2".into()]]);
    assert!(findings[1].verdict.starts_with("after another test, fails when "), "{findings:?}");
    assert_eq!(counts, (0, 0));
}

#[test]
fn tests_that_come_to_the_same_places_may_have_different_causes() {
    let program = program(&[("A#1", 0..4), ("A#2", 0..4), ("A#3", 0..4)], |test, made| {
        made.is_made(if test == "A#2" { 2 } else { 1 })
    });
    let (findings, ..) = play(&program, 2);
    let told: Vec<(usize, &str)> =
        findings.iter().map(|finding| (finding.tests.len(), finding.cause.as_str())).collect();
    let [one, other] =
        ["java.util.HashMap at com.acme.Place1", "java.util.HashMap at com.acme.Place2"];
    assert_eq!(told, [(2, one), (1, other)]);
}

#[test]
fn a_suspect_that_others_disturb_is_confirmed_alone() {
    let program = failing_with_odd_seeds(|test, made| match test {
        "A#1" => made.is_made(1),
        "A#2" => made.is_made(1) || (!made.alone && made.before == 0 && is_confirming(made)),
        _ => false,
    });
    let (findings, ..) = play(&program, 2);
    assert_eq!(findings.iter().map(|finding| finding.tests.len()).sum::<usize>(), 2);
}

/// Without any choice, among the two suspects: there are three tests in the control.
fn is_confirming(made: &Made<'_>) -> bool {
    made.nothing() && made.among == 2
}

#[test]
fn tests_with_one_cause_are_one_finding_and_the_later_ones_cost_two_runs() {
    let names: Vec<&'static str> =
        ["A#01", "A#02", "A#03", "A#04", "A#05", "A#06", "A#07", "A#08", "A#09", "A#10"].to_vec();
    let reaches: Vec<(&'static str, std::ops::Range<u64>)> =
        names.iter().map(|name| (*name, 0..10)).collect();
    let program = program(&reaches, |_, made| made.is_made(3));
    let (findings, runs, _) = play(&program, 3);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].tests.len(), 10);
    let the_first = 6;
    assert_eq!(runs["narrow"], the_first + 9 * 2);
}

#[test]
fn a_test_that_did_not_pass_when_watched_is_left_alone() {
    let mut program = program(&[("A#1", 0..2)], |_, _| false);
    program.watch.vms[0].runs[0].result = failed();
    let (_, runs, _) = play(&program, 3);
    assert!(runs.is_empty(), "{runs:?}");
}

/// The same, but the tests are pytest's.
fn python(mut program: Program) -> Program {
    for test in program.watch.tests.values_mut() {
        test.framework = Framework::Pytest;
    }
    program
}

#[test]
fn tests_of_python_run_with_other_hashes_whatever_they_reach() {
    let program = python(program(&[("A#1", 0..0), ("A#2", 0..0)], |test, made| {
        test == "A#1" && made.other_hashes()
    }));
    let (findings, runs, counts) = play(&program, 10);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("A#1")]);
    assert_eq!(finding.cause, "PYTHONHASHSEED at A#1");
    assert_eq!(finding.confidence, Confidence { seen: 5, of: 5 });
    assert!(
        finding
            .evidence
            .iter()
            .any(|one| one.text == "failed with 3 of 3 values of PYTHONHASHSEED"),
        "{:?}",
        finding.evidence
    );
    assert_eq!((runs["control"], runs["hashes"]), (2, 2 * 3));
    assert!(!runs.contains_key("narrow") && !runs.contains_key("levels"), "{runs:?}");
    assert_eq!(counts, (0, 0));
}

#[test]
fn what_fails_by_an_order_is_not_looked_at_for_hashes() {
    let program = python(program(&[("A#1", 0..4)], |_, made| {
        made.other_hashes() || (!made.nothing() && made.is_made(2))
    }));
    let (findings, runs, _) = play(&program, 3);
    assert_eq!(findings[0].cause, "java.util.HashMap at com.acme.Place2");
    assert_eq!((findings.len(), runs.get("hashes")), (1, None));
}

#[test]
fn only_hashes_or_all_but_hashes_can_be_looked_at() {
    let program = python(program(&[("A#1", 0..4)], |_, made| made.other_hashes()));
    let (findings, runs, _) = play_only(&program, 6, &["set"]);
    assert_eq!((findings.len(), runs.get("hashes")), (0, None));
    let (findings, runs, _) = play_only(&program, 6, &[HASH_SEED]);
    assert_eq!((findings.len(), runs.get("seeds")), (1, None));
    assert_eq!(runs["hashes"], 4, "it failed often enough");
}

#[test]
fn tests_of_a_jvm_have_no_such_hashes() {
    let program = program(&[("A#1", 0..0)], |_, made| made.other_hashes());
    let (findings, runs, _) = play(&program, 3);
    assert_eq!((findings.len(), runs.len()), (0, 2), "{runs:?}");
    assert_eq!((runs["seeds"], runs["hash codes"]), (2, 1));
}

#[test]
fn a_test_that_relies_on_hash_codes_is_found_in_vms_that_make_up_others() {
    let program = program(&[("A#1", 0..0), ("A#2", 0..0)], |test, made| {
        test == "A#1" && made.choosing.identity_hash.is_some()
    });
    let (findings, runs, counts) = play(&program, 3);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("A#1")]);
    assert_eq!(finding.cause, "java.lang.Object.hashCode (counted) in A");
    assert_eq!(finding.confidence, Confidence { seen: 3, of: 3 });
    let hash = finding.choosing.as_ref().and_then(|choosing| choosing.identity_hash);
    assert_eq!(hash, Some(IdentityHash::Counted));
    assert_eq!((runs["hash codes"], runs["confirm"], counts), (2, 6, (0, 0)));
}

#[test]
fn that_objects_have_the_same_hash_code_is_for_level_full() {
    let program = program(&[("A#1", 0..0)], |_, made| {
        made.choosing.identity_hash == Some(IdentityHash::Same)
    });
    for (level, expected) in [(Level::Full, 1), (Level::Id, 0), (Level::Eq, 0), (Level::One, 0)] {
        assert_eq!(play_at(level, &program, 3, &[]).0.len(), expected, "{level}");
    }
}

#[test]
fn what_fails_with_other_hash_codes_only_among_others_is_not_reported() {
    let program = program(&[("A#1", 0..0), ("A#2", 0..0)], |test, made| {
        test == "A#1" && made.choosing.identity_hash.is_some() && !made.alone
    });
    let (findings, _, counts) = play(&program, 3);
    assert_eq!((findings.len(), counts), (0, (0, 1)));
}

#[test]
fn tests_of_python_have_other_ids_instead_of_other_hash_codes() {
    let program =
        python(program(&[("A#1", 0..0)], |_, made| made.choosing.identity_hash.is_some()));
    for level in Level::ALL {
        let (findings, runs, _) = play_at(level, &program, 3, &[]);
        assert_eq!((findings.len(), runs.get("hash codes")), (1, Some(&1)), "{level}");
        assert_eq!(findings[0].verdict, "fails when objects have other ids than usual");
        let moved = findings[0].choosing.as_ref().and_then(|choosing| choosing.identity_hash);
        assert_eq!(moved, Some(IdentityHash::Moved));
    }
}

/// What a test sees of how its VM came to be is as it should be.
fn is_forked_to_look_for_something(made: &Made<'_>) {
    let looks = ["control", "seeds", "narrow", "levels"].contains(&made.round);
    assert_eq!(made.forked, looks, "in round {}", made.round);
}

#[test]
fn tests_of_python_are_forked_to_look_for_something_and_not_to_confirm_it() {
    let program = python(program(&[("A#1", 0..4), ("A#2", 0..4)], |test, made| {
        is_forked_to_look_for_something(made);
        match test {
            "A#1" => !made.nothing() && made.is_made(2),
            _ => made.other_hashes(),
        }
    }));
    let (findings, runs, _) = play(&program, 10);
    assert_eq!(findings.len(), 2);
    let rounds: Vec<&str> = runs.keys().copied().collect();
    assert_eq!(rounds, ["confirm", "control", "hash codes", "hashes", "levels", "narrow", "seeds"]);
}

#[test]
fn what_fails_in_forks_alone_is_not_reported() {
    let program = python(program(&[("A#1", 0..4)], |_, made| made.forked && !made.nothing()));
    let (findings, _, counts) = play(&program, 10);
    assert_eq!((findings.len(), counts), (0, (0, 1)));
}

#[test]
fn a_test_that_fails_in_any_fork_is_looked_at_without_them() {
    let program = python(program(&[("A#1", 0..4), ("A#2", 0..4)], |test, made| {
        (made.forked && test == "A#1") || (!made.nothing() && made.is_made(2))
    }));
    let (findings, runs, counts) = play(&program, 4);
    assert_eq!(findings[0].tests, ["A#1", "A#2"].map(TestId::from));
    assert_eq!((runs["control"], counts), (3, (0, 0)));
}

#[test]
fn what_fails_in_forks_and_without_is_left_alone() {
    let program = python(program(&[("A#1", 0..4)], |_, _| true));
    let (findings, runs, counts) = play(&program, 4);
    assert_eq!((findings.len(), runs.get("seeds"), counts), (0, None, (1, 0)));
}

#[test]
fn no_jvm_is_forked() {
    let program = program(&[("A#1", 0..4)], |_, made| {
        assert!(!made.forked, "in round {}", made.round);
        !made.nothing() && made.is_made(2)
    });
    assert_eq!(play(&program, 10).0.len(), 1);
}
