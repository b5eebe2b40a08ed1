use std::sync::{Arc, Barrier};

use proptest::collection::vec;
use proptest::prelude::*;
use surefoot_model::{
    After, ClassChange, Death, Reuse, RunChange, RunChoices, RunOutcome, RunResult, Settings,
    Start, StateChange, TestId,
};

use super::*;
use crate::Report;
use crate::panics::caught;
use crate::scripted::{
    Script, ScriptedRuntime, Step, done, experiment, experiment_of, finished, launch, passed, table,
};

/// What a pool returned and what it told.
struct Played {
    outcomes: Outcomes,
    told: Vec<Progress>,
}

fn play(jobs: usize, runtime: &ScriptedRuntime, experiments: &[Experiment]) -> Played {
    let mut told = Vec::new();
    let mut on = |progress| told.push(progress);
    let clock = || runtime.now();
    let outcomes = Pool::new(jobs).run_by(&clock, runtime, experiments, runtime.stop(), &mut on);
    Played { outcomes, told }
}

impl Played {
    fn runs(&self, place: usize) -> &[RunOutcome] {
        &self.outcomes.outcomes[place].runs
    }

    fn troubles(&self) -> Vec<&str> {
        let told = self.told.iter();
        told.filter_map(|progress| match progress {
            Progress::Trouble { what, .. } => Some(what.as_str()),
            _ => None,
        })
        .collect()
    }
}

fn plays(steps: impl IntoIterator<Item = Step>) -> Script {
    Script::Plays(steps.into_iter().collect())
}

fn says(reports: impl IntoIterator<Item = Report>) -> Script {
    plays(reports.into_iter().map(Step::Says))
}

fn gone() -> Report {
    Report::Gone { death: Death::Killed { signal: 9 } }
}

fn not_run(reason: &str) -> RunResult {
    RunResult::NotRun { reason: reason.to_owned() }
}

#[test]
fn outcomes_come_in_the_order_of_the_experiments_and_each_has_its_own_vm() {
    let runtime = ScriptedRuntime::new([]);
    let experiments = [experiment(7, "ab"), experiment(5, "aa"), experiment(6, "c")];
    let played = play(2, &runtime, &experiments);
    let ids: Vec<u64> = played.outcomes.outcomes.iter().map(|o| o.experiment).collect();
    assert_eq!(ids, [7, 5, 6]);
    assert_eq!(table(played.runs(1)), ["a passed in VM 0", "a passed in VM 0"]);
    assert!(!played.outcomes.interrupted);
    assert_eq!(runtime.vms_started(), 3);
    assert_eq!(runtime.vms_alive(), 0);
}

#[test]
fn a_pool_works_by_the_real_clock_too() {
    let experiments = [experiment(0, "a"), experiment(1, "b")];
    let runtime = ScriptedRuntime::new([]);
    let mut told = 0;
    let outcomes = Pool::new(0).run(&runtime, &experiments, &Stop::new(), &mut |_| told += 1);
    assert_eq!(outcomes.outcomes.len(), 2);
    assert_eq!(told, 6);
}

#[test]
fn progress_is_told_in_order() {
    let runtime = ScriptedRuntime::new([]);
    let played = play(1, &runtime, &[experiment(7, "a")]);
    let outcome = played.outcomes.outcomes[0].clone();
    let expected = [
        Progress::ExperimentStarted { experiment: 7 },
        Progress::RunFinished {
            experiment: 7,
            index: 0,
            outcome: Box::new(outcome.runs[0].clone()),
        },
        Progress::ExperimentFinished(outcome),
    ];
    assert_eq!(played.told, expected);
}

#[test]
fn an_experiment_without_runs_needs_no_vm() {
    let runtime = ScriptedRuntime::new([]);
    let played = play(1, &runtime, &[experiment(0, ""), experiment(1, "")]);
    assert_eq!(played.outcomes.outcomes.len(), 2);
    assert_eq!(runtime.attempts(), 0);
}

#[test]
fn as_many_experiments_run_at_a_time_as_there_are_slots() {
    let both = Arc::new(Barrier::new(2));
    let meets = plays([Step::Meets(both), Step::Behaves]);
    let runtime = ScriptedRuntime::new([meets.clone(), meets]);
    let played = play(2, &runtime, &[experiment(0, "a"), experiment(1, "b")]);
    assert_eq!(table(played.runs(1)), ["b passed in VM 0"]);
}

#[test]
fn the_next_vm_is_started_while_this_one_works() {
    let first = plays([Step::AwaitsStarts(2), Step::Behaves]);
    let runtime = ScriptedRuntime::by_launch([("java", first)]);
    let played = play(1, &runtime, &[experiment(0, "a"), experiment_of("next", 1, "b")]);
    assert_eq!(table(played.runs(1)), ["b passed in VM 0"]);
    assert_eq!(runtime.vms_started(), 2);
}

#[test]
fn a_spare_that_died_while_it_waited_is_replaced_and_nobody_blamed() {
    let first = plays([Step::AwaitsStarts(2), Step::Behaves]);
    let runtime = ScriptedRuntime::by_launch([("java", first), ("next", says([gone()]))]);
    let played = play(1, &runtime, &[experiment(0, "a"), experiment_of("next", 1, "b")]);
    assert_eq!(table(played.runs(1)), ["b passed in VM 0"]);
    assert_eq!(runtime.vms_started(), 3);
    assert_eq!(played.troubles().len(), 1);
}

fn forked(experiment: Experiment) -> Experiment {
    let settings = Settings { start: Start::FORKED, ..experiment.settings };
    Experiment { settings, ..experiment }
}

#[test]
fn an_experiment_says_whether_its_vm_may_be_forked() {
    let runtime = ScriptedRuntime::new([]);
    play(1, &runtime, &[forked(experiment(0, "a")), experiment(1, "b")]);
    // The second is started while the first is asked for, so their order is open.
    let starts = runtime.starts();
    assert_eq!(starts.len(), 2, "{starts:?}");
    assert!(starts.contains(&Start::FORKED) && starts.contains(&Start::Plain), "{starts:?}");
}

#[test]
fn a_vm_that_cannot_be_forked_is_started_and_nobody_blamed() {
    let runtime = ScriptedRuntime::new([says([Report::NotForked])]);
    let played = play(1, &runtime, &[forked(experiment(0, "ab"))]);
    assert_eq!(table(played.runs(0)), ["a passed in VM 0", "b passed in VM 0"]);
    assert_eq!(runtime.starts(), [Start::FORKED, Start::Plain]);
    assert_eq!(played.troubles(), [""; 0]);
}

#[test]
fn a_spare_that_cannot_be_forked_is_replaced() {
    let first = plays([Step::AwaitsStarts(2), Step::Behaves]);
    let next = ("next", says([Report::NotForked]));
    let runtime = ScriptedRuntime::by_launch([("java", first), next]);
    let played = play(1, &runtime, &[experiment(0, "a"), forked(experiment_of("next", 1, "b"))]);
    assert_eq!(table(played.runs(1)), ["b passed in VM 0"]);
    assert_eq!(played.troubles(), [""; 0]);
}

#[test]
fn a_hung_vm_is_killed_and_the_rest_goes_on_in_a_new_one() {
    let runtime = ScriptedRuntime::new([says([passed(0), Report::Started { run: 1 }])]);
    let played = play(1, &runtime, &[experiment(0, "abc")]);
    let expected = ["a passed in VM 0", "b timed out in VM 0 with output", "c passed in VM 1"];
    assert_eq!(table(played.runs(0)), expected);
    assert_eq!(runtime.vms_killed(), 1);
    let submitted = runtime.submitted();
    assert_eq!(submitted[0].len(), 3);
    assert_eq!(submitted[1], ["c".into()]);
}

#[test]
fn vms_that_die_at_once_still_get_the_experiment_to_its_end() {
    let runtime = ScriptedRuntime::new((0..9).map(|_| says([gone()])));
    let played = play(1, &runtime, &[experiment(0, "abc")]);
    assert!(played.runs(0).iter().all(|run| matches!(run.result, RunResult::Died { .. })));
    assert_eq!(runtime.vms_started(), 3);
}

#[test]
fn a_failed_start_is_tried_again_once() {
    let runtime = ScriptedRuntime::new([Script::FailsToStart("no java")]);
    let played = play(1, &runtime, &[experiment(0, "a")]);
    assert_eq!(table(played.runs(0)), ["a passed in VM 0"]);
    assert_eq!(played.troubles(), ["cannot start a test VM: no java"]);
}

#[test]
fn runs_for_which_no_vm_starts_are_not_run_for_that_reason() {
    let fails = Script::FailsToStart("no java");
    let runtime = ScriptedRuntime::new([says([gone()]), fails.clone(), fails]);
    let played = play(1, &runtime, &[experiment(0, "abc")]);
    assert_eq!(played.runs(0)[0].result.word(), "died");
    let reason = not_run("cannot start a test VM: no java");
    assert!(played.runs(0)[1..].iter().all(|run| run.result == reason));
}

#[test]
fn a_launch_that_failed_three_times_in_a_row_is_not_tried_again() {
    let runtime = ScriptedRuntime::new((0..99).map(|_| Script::FailsToStart("no java")));
    let experiments: Vec<_> = (0..9).map(|id| experiment(id, "ab")).collect();
    let played = play(1, &runtime, &experiments);
    let reason = not_run("cannot start a test VM: no java");
    for place in 0..9 {
        assert!(played.runs(place).iter().all(|run| run.result == reason));
    }
    assert_eq!(runtime.attempts(), 3);
}

#[test]
fn a_start_that_works_forgets_earlier_failures_and_launches_fail_apart() {
    let fails = || Script::FailsToStart("no java");
    let scripts = [fails(), fails(), Script::Behaves, fails(), fails(), fails(), Script::Behaves];
    let runtime = ScriptedRuntime::new(scripts);
    thread::scope(|scope| {
        let starter = Starter::new(scope, &runtime);
        let works = |name: &str| starter.spare(&launch(name), Start::Plain).is_some();
        let worked = [works("a"), works("a"), works("a"), works("a"), works("a"), works("a")];
        assert_eq!(worked, [false, false, true, false, false, false]);
        assert!(works("b"));
        assert!(!works("a"), "though the script would let it start");
    });
}

#[test]
fn a_panic_in_a_worker_ends_its_experiment_only() {
    let first = plays([Step::Says(passed(0)), Step::Panics]);
    let runtime = ScriptedRuntime::by_launch([("java", first), ("next", Script::PanicsAtStart)]);
    let played = play(1, &runtime, &[experiment(0, "ab"), experiment_of("next", 1, "c")]);
    assert_eq!(table(played.runs(0)), ["a passed in VM 0", "b not run in VM 0"]);
    assert_eq!(played.runs(0)[1].result, not_run("internal error: a script said so"));
    assert_eq!(played.troubles(), ["internal error: a script said so"]);
    assert_eq!(table(played.runs(1)), ["c passed in VM 0"]);
    assert_eq!(runtime.vms_alive(), 0);
}

#[test]
fn a_panic_of_the_caller_stops_the_vms_and_comes_through() {
    let runtime = ScriptedRuntime::new([plays([Step::Says(passed(0)), Step::AwaitsStop])]);
    let experiments = [experiment(0, "ab")];
    let clock = || runtime.now();
    let mut on = |progress| {
        assert!(!matches!(progress, Progress::RunFinished { .. }), "the disk is full");
    };
    let ran =
        caught(|| Pool::new(1).run_by(&clock, &runtime, &experiments, runtime.stop(), &mut on));
    assert_eq!(ran.unwrap_err(), "internal error: the disk is full");
    assert_eq!((runtime.vms_killed(), runtime.vms_alive()), (1, 0));
}

#[test]
fn an_interrupted_experiment_holds_only_the_runs_that_ended() {
    let first = plays([
        Step::AwaitsStarts(2),
        Step::Says(passed(0)),
        Step::Says(Report::Started { run: 1 }),
        Step::Stops,
    ]);
    let runtime = ScriptedRuntime::by_launch([("java", first)]);
    let played = play(1, &runtime, &[experiment(0, "abc"), experiment_of("next", 1, "d")]);
    assert!(played.outcomes.interrupted);
    assert_eq!(played.outcomes.outcomes.len(), 1);
    assert_eq!(table(played.runs(0)), ["a passed in VM 0"]);
    let outcome = played.outcomes.outcomes[0].clone();
    assert_eq!(played.told.last(), Some(&Progress::ExperimentInterrupted(outcome)));
    assert_eq!((runtime.vms_killed(), runtime.vms_alive()), (1, 0));
}

#[test]
fn what_a_stopped_vm_says_last_counts_if_it_is_a_result_but_not_if_it_is_a_death() {
    let steps =
        |last| plays([Step::Says(Report::Started { run: 0 }), Step::Stops, Step::Says(last)]);
    let runtime = ScriptedRuntime::new([steps(passed(0))]);
    assert_eq!(play(1, &runtime, &[experiment(0, "ab")]).runs(0).len(), 1);
    for last in [gone(), done("for a reason")] {
        let runtime = ScriptedRuntime::new([steps(last)]);
        assert_eq!(play(1, &runtime, &[experiment(0, "ab")]).runs(0).len(), 0);
    }
}

#[test]
fn a_stop_after_the_last_result_interrupts_nothing() {
    let runtime = ScriptedRuntime::new([plays([Step::Says(passed(0)), Step::Stops])]);
    let played = play(1, &runtime, &[experiment(0, "a")]);
    assert!(!played.outcomes.interrupted);
    assert!(matches!(played.told.last(), Some(Progress::ExperimentFinished(_))));
}

#[test]
fn nothing_starts_once_the_user_has_stopped() {
    let runtime = ScriptedRuntime::new([]);
    runtime.stop().set();
    let played = play(2, &runtime, &[experiment(0, "a"), experiment(1, "b")]);
    assert!(played.outcomes.interrupted);
    assert_eq!((played.told.len(), runtime.attempts()), (0, 0));
}

fn any_report() -> impl Strategy<Value = Report> {
    let run = 0..5_usize;
    prop_oneof![
        4 => run.clone().prop_map(|run| Report::Started { run }),
        4 => run.clone().prop_map(passed),
        1 => run.prop_map(|run| finished(run, RunResult::Skipped { reason: None })),
        1 => Just(done("no such test")),
        1 => Just(Report::Trouble { what: "hm".to_owned() }),
        1 => Just(gone()),
        1 => Just(Report::Quiet),
    ]
}

fn any_script(step: impl Strategy<Value = Step> + 'static) -> impl Strategy<Value = Script> {
    prop_oneof![
        6 => vec(step, 0..8).prop_map(Script::Plays),
        1 => Just(Script::Behaves),
        1 => Just(Script::FailsToStart("no java")),
        1 => Just(Script::PanicsAtStart),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![15 => any_report().prop_map(Step::Says), 1 => Just(Step::Panics)]
}

/// Of up to four runs each, and of one launch or another.
fn any_experiments() -> impl Strategy<Value = Vec<Experiment>> {
    let like = vec((0..5_usize, prop_oneof!["java", "python"]), 0..5);
    like.prop_map(|like| {
        let numbered = (100..).zip(like);
        numbered.map(|(id, (runs, name))| experiment_of(&name, id, &"aabc"[..runs])).collect()
    })
}

/// Each run that ended was told once, as it is in the outcomes; all experiments' parts are in order.
fn assert_consistent(played: &Played, experiments: &[Experiment]) {
    let mut outcomes = played.outcomes.outcomes.iter().peekable();
    for experiment in experiments {
        let mut told: Vec<_> = (played.told.iter())
            .filter_map(|progress| match progress {
                Progress::RunFinished { experiment: id, index, outcome }
                    if *id == experiment.id =>
                {
                    Some((*index, (**outcome).clone()))
                }
                _ => None,
            })
            .collect();
        told.sort_by_key(|(index, _)| *index);
        let is_its = |outcome: &&Outcome| outcome.experiment == experiment.id;
        let runs = outcomes.next_if(is_its).map_or(&[][..], |outcome| &outcome.runs);
        assert!(told.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(told.iter().map(|(_, outcome)| outcome).eq(runs));
        for (index, outcome) in told {
            assert_eq!(outcome.test, experiment.runs[index].test);
            assert!((outcome.vm as usize) < experiment.runs.len());
        }
    }
    assert_eq!(outcomes.next(), None);
}

proptest! {
    #[test]
    fn whatever_vms_do_every_run_has_exactly_one_result(
        jobs in 1..4_usize,
        experiments in any_experiments(),
        scripts in vec(any_script(any_step()), 0..16),
    ) {
        let runtime = ScriptedRuntime::new(scripts);
        let played = play(jobs, &runtime, &experiments);
        assert_consistent(&played, &experiments);
        prop_assert!(!played.outcomes.interrupted);
        let results: usize = played.outcomes.outcomes.iter().map(|o| o.runs.len()).sum();
        let runs: usize = experiments.iter().map(|e| e.runs.len()).sum();
        prop_assert_eq!(results, runs);
        // Each VM gives at least one run its result, but for spares that died before their use, of which
        // there is at most one for each experiment that had to wait.
        let waited = experiments.len().saturating_sub(jobs);
        prop_assert!(runtime.vms_started() <= runs + waited);
        prop_assert_eq!(runtime.vms_alive(), 0);
    }

    #[test]
    fn whenever_the_user_stops_all_results_are_real_and_no_vm_is_left(
        jobs in 1..4_usize,
        experiments in any_experiments(),
        scripts in vec(
            any_script(prop_oneof![
                3 => (0..5_usize).prop_map(|run| Step::Says(passed(run))),
                1 => Just(Step::Says(Report::Quiet)),
                1 => Just(Step::Stops),
            ]),
            0..8,
        ),
    ) {
        let runtime = ScriptedRuntime::new(scripts);
        let played = play(jobs, &runtime, &experiments);
        assert_consistent(&played, &experiments);
        let results: usize = played.outcomes.outcomes.iter().map(|o| o.runs.len()).sum();
        let runs: usize = experiments.iter().map(|e| e.runs.len()).sum();
        let all_there = results == runs && played.outcomes.outcomes.len() == experiments.len();
        prop_assert_eq!(played.outcomes.interrupted, !all_there);
        prop_assert!(runtime.stop().is_set() || all_there);
        prop_assert_eq!(runtime.vms_alive(), 0);
    }
}

/// One that may have a VM that others left as it was.
fn reusing(id: u64, tests: &str) -> Experiment {
    let mut experiment = experiment(id, tests);
    experiment.settings.reuse = Some(Reuse { set: vec!["zone".into()] });
    experiment
}

/// Passes, and was looked at.
fn passed_leaving(run: usize, change: StateChange) -> Report {
    let Report::Finished { run, result, duration, choices, .. } = passed(run) else {
        unreachable!("it is what `passed` makes");
    };
    let change = Some(RunChange { runs: 1, change });
    Report::Finished { run, result, duration, change, choices }
}

fn something() -> StateChange {
    StateChange { more: 1, ..StateChange::default() }
}

#[test]
fn a_vm_that_was_left_as_it_was_serves_the_next_experiment_that_allows_it() {
    let clean = || passed_leaving(0, StateChange::default());
    let changed = || passed_leaving(0, something());
    // One of them is the spare.
    let vm = || says([clean(), done(""), clean(), done(""), changed(), done("")]);
    let runtime = ScriptedRuntime::new([vm(), vm()]);
    let experiments = ["a", "b", "c", "d"].map(|tests| reusing(0, tests));
    let played = play(1, &runtime, &experiments);
    assert_eq!(table(played.runs(3)), ["d passed in VM 0"]);
    assert_eq!((runtime.vms_started(), runtime.vms_alive()), (2, 0));
}

#[test]
fn an_experiment_that_wants_a_vm_of_its_own_gets_one() {
    let clean = || passed_leaving(0, StateChange::default());
    let runtime = ScriptedRuntime::new([says([clean(), done("")])]);
    play(1, &runtime, &[reusing(0, "a"), experiment(1, "b"), reusing(2, "c")]);
    assert_eq!(runtime.vms_started(), 3);
}

#[test]
fn a_vm_in_which_a_test_failed_or_nobody_looked_serves_no_other() {
    for end in [finished(0, RunResult::TimedOut { limit_ms: 1 }), passed(0)] {
        let runtime = ScriptedRuntime::new([says([end, done("")])]);
        play(1, &runtime, &[reusing(0, "a"), reusing(1, "b")]);
        assert_eq!(runtime.vms_started(), 2);
    }
}

#[test]
fn a_vm_that_class_level_set_up_changed_serves_no_other() {
    let clean = passed_leaving(0, StateChange::default());
    let set_up = ClassChange { class: "x.A".into(), change: something() };
    let vm = says([clean, Report::ClassChanged(set_up), done("")]);
    let runtime = ScriptedRuntime::new([vm]);
    play(1, &runtime, &[reusing(0, "a"), reusing(1, "b")]);
    assert_eq!(runtime.vms_started(), 2);
}

fn after(other: u64, enough: u32, one: Experiment) -> Experiment {
    let after = Some(After { experiment: other, enough, choosing: false });
    Experiment { settings: Settings { after, ..one.settings }, ..one }
}

#[test]
fn what_goes_on_after_others_finds_their_vm() {
    let vm = || plays([Step::Behaves, Step::Behaves, Step::Behaves]);
    let runtime = ScriptedRuntime::new([vm(), vm()]);
    let experiments = [
        experiment(1, "ab"),
        experiment(2, "c"),
        after(1, 3, experiment(3, "ba")),
        after(2, 3, experiment(4, "c")),
        after(3, 3, experiment(5, "a")),
    ];
    let played = play(1, &runtime, &experiments);
    assert_eq!(runtime.vms_started(), 2);
    let name = |tests: &Vec<TestId>| tests.iter().map(TestId::as_str).collect::<String>();
    let submitted: Vec<String> = runtime.submitted().iter().map(name).collect();
    assert_eq!(submitted, ["ab", "ba", "a", "c", "c"]);
    assert_eq!(table(played.runs(2)), ["b passed in VM 0", "a passed in VM 0"]);
    assert!(!played.outcomes.interrupted);
}

#[test]
fn tests_that_failed_often_enough_in_a_vm_do_not_run_there_again() {
    let fails = || finished(0, RunResult::TimedOut { limit_ms: 1 });
    let both = || [fails(), passed(1), done("")];
    let runtime = ScriptedRuntime::new([says([both(), both(), both()].concat())]);
    let experiments =
        [experiment(1, "ab"), after(1, 2, experiment(2, "ab")), after(2, 2, experiment(3, "a"))];
    let played = play(1, &runtime, &experiments);
    assert_eq!(played.runs(2)[0].result, not_run("it has failed often enough"));
    assert_eq!(runtime.submitted().len(), 2, "nothing was left for the third");
}

#[test]
fn tests_that_came_to_no_choice_need_not_run_again() {
    let reaches = |run, reached| {
        let Report::Finished { run, result, duration, change, .. } = passed(run) else {
            unreachable!()
        };
        let choices = Some(Box::new(RunChoices { reached, made: Vec::new() }));
        Report::Finished { run, result, duration, change, choices }
    };
    for (choosing, submitted) in [(true, ["abc", "bc"]), (false, ["abc", "abc"])] {
        let first = [reaches(0, 0), reaches(1, 2), passed(2), done("")];
        let vm = says([first.to_vec(), vec![done("")]].concat());
        let runtime = ScriptedRuntime::new([vm]);
        let mut second = after(1, 3, experiment(2, "abc"));
        second.settings.after = Some(After { experiment: 1, enough: 3, choosing });
        play(1, &runtime, &[experiment(1, "abc"), second]);
        let name = |tests: &Vec<TestId>| tests.iter().map(TestId::as_str).collect::<String>();
        assert_eq!(runtime.submitted()[..2].iter().map(name).collect::<Vec<_>>(), submitted);
    }
}

#[test]
fn what_goes_on_after_a_vm_that_died_has_a_new_one() {
    let runtime = ScriptedRuntime::new([says([passed(0), done(""), gone()])]);
    let played = play(1, &runtime, &[experiment(1, "a"), after(1, 3, experiment(2, "bc"))]);
    assert_eq!(runtime.vms_started(), 2);
    assert_eq!(table(played.runs(1)), ["b passed in VM 0", "c passed in VM 0"]);
}

#[test]
fn what_would_go_on_once_the_user_has_stopped_does_not_start() {
    let stops = plays([Step::Says(passed(0)), Step::Stops, Step::Says(done(""))]);
    let runtime = ScriptedRuntime::new([stops]);
    let played = play(1, &runtime, &[experiment(1, "a"), after(1, 3, experiment(2, "b"))]);
    assert_eq!((played.outcomes.outcomes.len(), runtime.vms_alive()), (1, 0));
    assert!(played.outcomes.interrupted);
}
