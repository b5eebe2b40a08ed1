mod alike;
mod causes;

use super::samples::{difference, file};
use super::*;
use crate::samples::{outcome, watch};
use surefoot_model::{
    Access, ClassChange, Confidence, DifferenceKind, Filling, RunResult, Suppressed,
};

fn all_of(watch: &Watch) -> Scope {
    Scope { tests: watch.tests.keys().cloned().collect(), ..Scope::default() }
}

fn change(differences: &[Difference]) -> StateChange {
    StateChange { differences: differences.to_vec(), ..StateChange::default() }
}

fn watched(changes: &[(&str, StateChange)]) -> Watch {
    let names: Vec<&str> = changes.iter().map(|(name, _)| *name).collect();
    let mut watch = watch(&[&names]);
    for (run, (_, change)) in watch.vms[0].runs.iter_mut().zip(changes) {
        run.change = Some(change.clone());
    }
    watch
}

/// Plays it to the end; `again` is what a test changes when it runs again.
fn play(
    watch: &Watch,
    again: impl Fn(&str) -> StateChange,
) -> (Vec<Finding>, Vec<Suppressed>, usize) {
    let rules = Rules::new(&[], &[]).unwrap();
    let mut pollution = Pollution::new(watch, all_of(watch), rules, Limits::default());
    let runs = play_on(&mut pollution, again);
    (pollution.findings(), pollution.suppressed(), runs)
}

/// With how many runs that took, but for those backwards.
fn play_on(pollution: &mut Pollution<'_>, again: impl Fn(&str) -> StateChange) -> usize {
    let mut runs = 0;
    loop {
        let experiments = pollution.propose();
        if experiments.is_empty() {
            return runs;
        }
        let outcomes = experiments.iter().map(|experiment| {
            let names = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
            let mut outcome = outcome(experiment.id, &names.collect::<Vec<_>>());
            for run in &mut outcome.runs {
                runs += usize::from(experiment.purpose != BACKWARDS);
                run.change = Some(RunChange { runs: 1, change: again(run.test.as_str()) });
            }
            outcome
        });
        let outcomes = outcomes.collect();
        pollution.observe(outcomes);
    }
}

#[test]
fn what_shows_again_is_one_finding_for_all_tests_that_do_it() {
    let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
    let watch = watched(&[("A#1", open()), ("A#2", change(&[])), ("B#1", open())]);
    let (findings, _, runs) = play(&watch, |_| open());
    assert_eq!(runs, 4, "A#2 changed nothing and is not run again");
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("A#1"), TestId::from("B#1")]);
    assert_eq!(finding.confidence, Confidence { seen: 6, of: 6 });
    assert_eq!(finding.evidence[0].text, "com.acme.Shop.open: true → false");
}

#[test]
fn between_points_all_tests_are_looked_at_in_workers_and_findings_say_where() {
    let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
    let watch = watched(&[("A#1", change(&[]))]);
    let pollution = |points: &str| {
        let scope = Scope { capture: Some(points.parse().unwrap()), anew: true, ..all_of(&watch) };
        Pollution::new(&watch, scope, Rules::new(&[], &[]).unwrap(), Limits::default())
    };
    for (points, runs) in [("before-setup..after-setup", 1), ("after-setup..after-setup", 2)] {
        let mut pollution = pollution(points);
        let [first] = &pollution.propose()[..] else { panic!("one VM is enough") };
        assert_eq!(first.settings.capture.unwrap().to_string(), points);
        assert_eq!(first.runs.len(), runs, "two runs are compared if the points are one");
        pollution.observe(vec![outcome(first.id, &[])]);
        assert_eq!(pollution.not_looked_at(), [&TestId::from("A#1")]);
    }
    let mut pollution = pollution("before-setup..after-setup");
    play_on(&mut pollution, |_| open());
    let [finding] = &pollution.findings()[..] else { panic!("it is found") };
    assert_eq!(finding.verdict, "changes com.acme.Shop.open");
    let where_seen =
        "from before-setup to after-setup; what happens before and after is not compared";
    assert_eq!(finding.evidence[1].text, where_seen);
    assert_eq!(
        finding.reproduce,
        "surefoot pollution A#1 --root com.acme.Shop.open --capture before-setup..after-setup"
    );
    assert_eq!(pollution.not_looked_at(), Vec::<&TestId>::new());
}

#[test]
fn what_never_shows_again_is_no_finding() {
    let watch = watched(&[("A#1", change(&[difference("com.acme.Shop.open", "true", "false")]))]);
    assert_eq!(play(&watch, |_| change(&[])).0, []);
}

#[test]
fn what_is_not_reported_is_counted() {
    let both = || {
        change(&[
            difference("com.acme.Shop.priceCache[1]", "x", "y"),
            difference("com.acme.Shop.nextId", "1", "2"),
        ])
    };
    let (findings, suppressed, _) = play(&watched(&[("A#1", both())]), |_| both());
    assert_eq!(findings, []);
    let names: Vec<&str> = suppressed.iter().map(|suppressed| suppressed.rule.as_str()).collect();
    assert_eq!(names, ["cache", "counter"]);
}

#[test]
fn what_others_set_when_they_come_first_is_not_reported() {
    let entry = || {
        let mut difference = difference("com.acme.Shop.formats[1]", "", "Format");
        (difference.kind, difference.before) = (DifferenceKind::Added, None);
        change(&[difference])
    };
    let watch = watched(&[("A#1", entry()), ("B#1", change(&[]))]);
    let rules = Rules::new(&[], &[]).unwrap();
    let scope = all_of(&watch);
    let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
    let mut names = Vec::new();
    loop {
        let experiments = pollution.propose();
        if experiments.is_empty() {
            break;
        }
        names.push(pollution.name());
        let outcomes = experiments.iter().map(|experiment| {
            let runs = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
            let mut outcome = outcome(experiment.id, &runs.collect::<Vec<_>>());
            // Whoever comes first sets it.
            for (at, run) in outcome.runs.iter_mut().enumerate() {
                let change = if at == 0 { entry() } else { change(&[]) };
                run.change = Some(RunChange { runs: 1, change });
            }
            outcome
        });
        let outcomes = outcomes.collect();
        pollution.observe(outcomes);
    }
    assert_eq!(names, ["confirm", "backwards"]);
    assert_eq!(pollution.findings(), []);
    assert_eq!(pollution.suppressed()[0].rule, "lazy");
}

#[test]
fn tests_that_were_looked_at_together_are_looked_at_alone_if_one_changed_something() {
    let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
    let mut watch = watch(&[&["A#1", "A#2", "B#1", "B#2"]]);
    for (run, together) in
        watch.vms[0].runs.iter_mut().zip([open(), open(), change(&[]), change(&[])])
    {
        run.change_together = Some(together);
    }
    let (findings, _, runs) = play(&watch, |test| if test == "A#2" { open() } else { change(&[]) });
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].tests, [TestId::from("A#2")]);
    assert_eq!(runs, 4, "A#1 and A#2 alone, then A#2 twice to confirm it");
}

#[test]
fn tests_that_changed_more_together_than_is_listed_are_looked_at_alone() {
    let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
    let not_worth_it = difference("com.acme.Shop.priceCache[\"x\"]", "absent", "1");
    let mut watch = watch(&[&["A#1", "A#2"]]);
    for run in &mut watch.vms[0].runs {
        run.change_together =
            Some(StateChange { more: 7, ..change(std::slice::from_ref(&not_worth_it)) });
    }
    let (findings, _, _) = play(&watch, |test| if test == "A#2" { open() } else { change(&[]) });
    assert_eq!(findings.len(), 1);
    for run in &mut watch.vms[0].runs {
        run.change_together = Some(change(std::slice::from_ref(&not_worth_it)));
    }
    let (findings, _, runs) = play(&watch, |test| if test == "A#2" { open() } else { change(&[]) });
    assert_eq!((findings.len(), runs), (0, 0), "nothing else was changed");
}

#[test]
fn without_a_look_at_the_watched_run_workers_have_the_first() {
    let watch = watch(&[&["A#1"]]);
    let (findings, _, runs) =
        play(&watch, |_| change(&[difference("com.acme.Shop.open", "true", "false")]));
    assert_eq!((findings.len(), runs), (1, 3));
}

#[test]
fn tests_that_change_files_run_again_one_vm_after_the_other() {
    let left = || change(&[file("left.txt", DifferenceKind::Added)]);
    let mut watch = watch(&[&["A#1", "A#2"], &["B#1"]]);
    for run in watch.vms.iter_mut().flat_map(|vm| &mut vm.runs) {
        let changes = run.test.as_str() != "A#2";
        run.change = Some(if changes { left() } else { change(&[]) });
    }
    let rules = Rules::new(&[], &[]).unwrap();
    let scope = Scope { files: Some(FileScope::default()), ..all_of(&watch) };
    let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
    let mut rounds = Vec::new();
    loop {
        let experiments = pollution.propose();
        if experiments.is_empty() {
            break;
        }
        let [experiment] = &experiments[..] else { panic!("{experiments:?}") };
        assert!(experiment.settings.files.is_some());
        let tests = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
        let tests: Vec<_> = tests.collect();
        rounds.push(tests.iter().map(|(test, _)| *test).collect::<Vec<_>>().join(" "));
        let mut outcome = outcome(experiment.id, &tests);
        for run in &mut outcome.runs {
            let change = change(&[file("left.txt", DifferenceKind::Rewritten)]);
            run.change = Some(RunChange { runs: 1, change });
        }
        pollution.observe(vec![outcome]);
    }
    assert_eq!(rounds, ["A#1", "B#1", "A#1", "B#1"]);
    let findings = pollution.findings();
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.tests, [TestId::from("A#1"), TestId::from("B#1")]);
    assert_eq!(finding.confidence, Confidence { seen: 6, of: 6 });
}

#[test]
fn who_wrote_a_file_among_several_tests_is_found_out() {
    let mut watch = watch(&[&["A#1", "A#2"]]);
    for run in &mut watch.vms[0].runs {
        run.change_together = Some(change(&[file("left.txt", DifferenceKind::Added)]));
    }
    let rules = Rules::new(&[], &[]).unwrap();
    let scope = Scope { files: Some(FileScope::default()), ..all_of(&watch) };
    let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
    let mut runs = 0;
    loop {
        let experiments = pollution.propose();
        let Some(experiment) = experiments.first() else { break };
        let tests = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
        let mut outcome = outcome(experiment.id, &tests.collect::<Vec<_>>());
        for run in &mut outcome.runs {
            runs += 1;
            let writes = run.test.as_str() == "A#2";
            let written = writes.then(|| file("left.txt", DifferenceKind::Rewritten));
            let change = change(written.as_slice());
            run.change = Some(RunChange { runs: 1, change });
        }
        pollution.observe(vec![outcome]);
    }
    assert_eq!(runs, 4, "both once, and A#2 twice more");
    let findings = pollution.findings();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].tests, [TestId::from("A#2")]);
    assert_eq!(pollution.suppressed(), [], "A#1 is not even suspected");
}

/// Says the same of every field.
#[derive(Debug)]
struct Says(Filling);

impl Code for Says {
    fn set(&self, _: &TestId, _: &str) -> Filling {
        self.0
    }

    fn entered(&self, _: &TestId, _: &str) -> Filling {
        self.0
    }

    fn held(&self, _: &TestId, _: &str) -> Filling {
        self.0
    }

    /// Of what is called after it.
    fn is_reset_before_use(&self, _: &TestId, field: &str) -> bool {
        field.ends_with(".cursor")
    }

    /// Of what is called after it.
    fn is_set_before_each(&self, _: &TestId, field: &str) -> bool {
        field.ends_with(".setAnew")
    }
}

#[test]
fn what_lies_in_an_object_that_whoever_uses_it_resets_is_not_reported() {
    let at = |through: &[&str]| Difference {
        through: through.iter().map(|&field| field.to_owned()).collect(),
        ..difference("com.acme.Shop.open[0].cursor.at", "0", "7")
    };
    let cursor = at(&["com.acme.Sale.lines", "com.acme.Lines.cursor"]);
    assert_eq!(judged(&cursor, Filling::Unknown), (vec![], vec!["scratch".to_owned()]));
    let other = at(&["com.acme.Sale.lines", "com.acme.Lines.end"]);
    assert_eq!(judged(&other, Filling::Unknown).0, ["com.acme.Shop.open"]);
}

/// The roots that are reported, and the names of the rules that others fall under.
fn judged(difference: &Difference, says: Filling) -> (Vec<String>, Vec<String>) {
    let watch = watched(&[("A#1", change(std::slice::from_ref(difference)))]);
    let code = Says(says);
    let rules = Rules::new(&[], &[]).unwrap();
    let mut pollution =
        Pollution::new(&watch, all_of(&watch), rules, Limits::default()).knowing(&code);
    play_on(&mut pollution, |_| change(std::slice::from_ref(difference)));
    let roots = pollution.findings().into_iter().map(|finding| finding.cause).collect();
    let rules = pollution.suppressed().into_iter().map(|suppressed| suppressed.rule).collect();
    (roots, rules)
}

#[test]
fn what_the_code_fills_when_asked_is_shown_by_its_rule_and_not_reported() {
    let mut entry = difference("com.acme.Shop.formats[1]", "", "Format");
    (entry.kind, entry.before) = (DifferenceKind::Added, None);
    let set = difference("com.acme.Shop.format", "null", "Format");
    for (difference, rule) in [(&entry, "memo"), (&set, "lazy")] {
        assert_eq!(judged(difference, Filling::OnDemand), (vec![], vec![rule.to_owned()]));
        let (reported, rules) = judged(difference, Filling::Unknown);
        assert_eq!((reported.len(), rules.len()), (1, 0));
    }
    let mut gone = difference("com.acme.Shop.formats[1]", "Format", "");
    (gone.kind, gone.after) = (DifferenceKind::Removed, None);
    assert_eq!(judged(&gone, Filling::OnDemand).1, ["memo"]);
    assert_eq!(judged(&gone, Filling::Unknown).0, ["com.acme.Shop.formats"]);
    // It is about what is missing, before or after, and not about what is replaced.
    let replaced = difference("com.acme.Shop.format", "Format", "Other");
    assert_eq!(judged(&replaced, Filling::OnDemand).0, ["com.acme.Shop.format"]);
    entry.access = Access::Process;
    entry.field = None;
    assert_eq!(judged(&entry, Filling::OnDemand).0, ["com.acme.Shop.formats"]);
}

#[test]
fn an_attribute_that_python_sets_when_asked_is_lazy_though_it_was_not_there_at_all() {
    let set = difference("shop.cart.rates", "None", "Rates");
    let mut gained = difference("shop.cart.rates", "", "Rates");
    (gained.kind, gained.before) = (DifferenceKind::Added, None);
    for difference in [&set, &gained] {
        assert_eq!(judged(difference, Filling::OnDemand), (vec![], vec!["lazy".to_owned()]));
        assert_eq!(judged(difference, Filling::Given).0, ["shop.cart.rates"]);
        assert_eq!(judged(difference, Filling::Unknown).0, ["shop.cart.rates"]);
    }
    let mut entry = difference("shop.cart.rates[\"CHF\"]", "", "1.1");
    (entry.kind, entry.before) = (DifferenceKind::Added, None);
    assert_eq!(judged(&entry, Filling::OnDemand).1, ["memo"]);
}

#[test]
fn what_a_thread_local_holds_is_lazy_if_the_code_sets_it_when_asked() {
    let mut held = difference("com.acme.Shop.encoder.get()", "UTF_8$Encoder", "US_ASCII$Encoder");
    (held.root, held.steps) = ("com.acme.Shop.encoder".into(), 1);
    held.field = Some("com.acme.Shop.encoder.get()".into());
    assert_eq!(judged(&held, Filling::OnDemand), (vec![], vec!["lazy".to_owned()]));
    for says in [Filling::Unknown, Filling::Given] {
        assert_eq!(judged(&held, says).0, ["com.acme.Shop.encoder"]);
    }
}

#[test]
fn threads_of_a_server_that_others_start_are_lazy_though_its_pool_grows() {
    let thread = |before: Option<&str>| {
        let mut thread = difference("live threads[\"server-1\"]", "", "alive");
        (thread.access, thread.kind) = (Access::Process, DifferenceKind::Added);
        thread.before = before.map(str::to_owned);
        change(&[thread])
    };
    let watch = watched(&[("A#1", thread(None)), ("B#1", change(&[]))]);
    let left = |purpose: &str, place: usize, test: &str| match (purpose, test) {
        (BACKWARDS, "A#1") if place > 0 => thread(Some("others of its pool")),
        (BACKWARDS, _) => change(&[]),
        _ => thread(None),
    };
    assert_eq!(findings_of(&watch, left), []);
    let its_own = |_: &str, _: usize, _: &str| thread(None);
    assert_eq!(findings_of(&watch, its_own).len(), 1);
}

#[test]
fn a_private_field_that_a_caller_sets_is_reported_though_it_was_unset() {
    let mut set = difference("com.acme.Shop.owner", "null", "Owner");
    set.access = Access::Private;
    assert_eq!(judged(&set, Filling::Unknown).1, ["lazy"]);
    assert_eq!(judged(&set, Filling::Given).0, ["com.acme.Shop.owner"]);
    set.steps = 1;
    assert_eq!(judged(&set, Filling::Given).1, ["lazy"], "inside an object it may be its own");
}

#[test]
fn what_set_up_sets_anew_in_a_shared_instance_is_not_reported() {
    for (field, rule) in [("setAnew", Some("set-up")), ("kept", None)] {
        let mut entry = difference("instance of a.B", "", "Order");
        entry.path = format!("instance of a.B.{field}[0]");
        (entry.kind, entry.before, entry.steps) = (DifferenceKind::Added, None, 2);
        let (reported, rules) = judged(&entry, Filling::Unknown);
        assert_eq!(rules.first().map(String::as_str), rule, "{field}");
        assert_eq!(reported.len(), usize::from(rule.is_none()), "{field}");
    }
}

#[test]
fn what_set_up_sets_anew_in_a_static_field_of_the_test_class_is_not_reported() {
    // The test is one of class A.
    for (root, rule) in [("A.setAnew", Some("set-up")), ("B.setAnew", None), ("A.kept", None)] {
        let (reported, rules) = judged(&difference(root, "Order", "Bill"), Filling::Unknown);
        assert_eq!(rules.first().map(String::as_str), rule, "{root}");
        assert_eq!(reported.len(), usize::from(rule.is_none()), "{root}");
    }
}

/// What comes of it if all runs pass, and each leaves what `left` says: for the experiment's purpose, the run's place in it and
/// the test.
fn findings_of(watch: &Watch, left: impl Fn(&str, usize, &str) -> StateChange) -> Vec<Finding> {
    let (rules, scope) = (Rules::new(&[], &[]).unwrap(), all_of(watch));
    let mut pollution = Pollution::new(watch, scope, rules, Limits::default());
    loop {
        let experiments = pollution.propose();
        if experiments.is_empty() {
            return pollution.findings();
        }
        let outcomes = experiments.iter().map(|experiment| {
            let runs = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
            let mut outcome = outcome(experiment.id, &runs.collect::<Vec<_>>());
            for (place, run) in outcome.runs.iter_mut().enumerate() {
                let change = left(&experiment.purpose, place, run.test.as_str());
                run.change = Some(RunChange { runs: 1, change });
            }
            outcome
        });
        let outcomes = outcomes.collect();
        pollution.observe(outcomes);
    }
}

#[test]
fn tests_that_put_one_thing_after_the_other_into_a_list_are_all_reported() {
    let at = |place: usize, what: &str| {
        let mut entry = difference(&format!("com.acme.Shop.orders[{place}]"), "", what);
        (entry.kind, entry.before) = (DifferenceKind::Added, None);
        change(&[entry])
    };
    let watch = watched(&[("A#1", at(0, "pear")), ("B#1", at(1, "plum"))]);
    let findings = findings_of(&watch, |_, place, test| at(place, test));
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].tests.len(), 2);
}

#[test]
fn a_value_that_is_another_one_in_every_vm_is_not_reported_and_one_that_was_unset_is() {
    for (first, rule) in [("\"0.1\"", Some("fresh-value")), ("\"unset\"", None)] {
        let watch =
            watched(&[("A#1", change(&[difference("com.acme.Shop.password", first, "\"0.2\"")]))]);
        let rules = Rules::new(&[], &[]).unwrap();
        let mut pollution = Pollution::new(&watch, all_of(&watch), rules, Limits::default());
        let count = std::cell::Cell::new(2);
        play_on(&mut pollution, |_| {
            count.set(count.get() + 2);
            let before =
                if rule.is_some() { format!("\"0.{}\"", count.get() - 1) } else { first.into() };
            let after = format!("\"0.{}\"", count.get());
            change(&[difference("com.acme.Shop.password", &before, &after)])
        });
        assert_eq!(pollution.findings().len(), usize::from(rule.is_none()));
        assert_eq!(pollution.suppressed().first().map(|one| one.rule.as_str()), rule);
    }
}

#[test]
fn a_setting_that_says_which_test_runs_is_not_reported() {
    for (value, reported) in [("\"sells\"", 0), ("\"sold\"", 1)] {
        let path = "System.getProperties()[\"now\"]";
        let property =
            || change(&[Difference { access: Access::Process, ..difference(path, "\"\"", value) }]);
        let mut watch = watched(&[("A#sells", property())]);
        let test = watch.tests.get_mut(&TestId::from("A#sells")).unwrap();
        test.method = Some("sells".to_owned());
        assert_eq!(findings_of(&watch, |_, _, _| property()).len(), reported, "{value}");
    }
}

/// Findings about a class whose set-up showed this when watched, shows `again` in workers and `backwards` backwards.
fn of_class(again: &StateChange, backwards: &StateChange) -> Vec<Finding> {
    let mut watch = watched(&[("A#1", change(&[])), ("A#2", change(&[])), ("B#1", change(&[]))]);
    let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
    watch.vms[0].class_changes = ["A", "B"]
        .map(|class| {
            let change = if class == "A" { open() } else { change(&[]) };
            ClassChange { class: class.to_owned(), change }
        })
        .into();
    for (id, test) in &mut watch.tests {
        test.class = id.as_str()[..1].to_owned();
    }
    let (rules, scope) = (Rules::new(&[], &[]).unwrap(), all_of(&watch));
    let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
    loop {
        let experiments = pollution.propose();
        if experiments.is_empty() {
            return pollution.findings();
        }
        let outcomes = experiments.iter().map(|experiment| {
            let names = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
            let mut outcome = outcome(experiment.id, &names.collect::<Vec<_>>());
            let is_backwards = experiment.purpose == BACKWARDS;
            let change = if is_backwards { backwards } else { again }.clone();
            outcome.class_changes.push(ClassChange { class: "A".into(), change });
            outcome
        });
        let outcomes = outcomes.collect();
        pollution.observe(outcomes);
    }
}

#[test]
fn what_class_level_set_up_leaves_is_a_finding_about_the_class() {
    let open = change(&[difference("com.acme.Shop.open", "true", "false")]);
    let findings = of_class(&open, &open);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.verdict, "class-level set-up leaves com.acme.Shop.open changed");
    assert_eq!(finding.tests, [TestId::from("A#1"), TestId::from("A#2")]);
    assert_eq!(finding.confidence, Confidence { seen: 3, of: 3 });
    assert_eq!(finding.reproduce, "surefoot pollution A --root com.acme.Shop.open");
    assert_eq!(of_class(&change(&[]), &open), [], "it never shows again");
    assert_eq!(of_class(&open, &change(&[])), [], "whoever comes first does it");
}

#[test]
fn a_test_that_sets_back_what_another_one_did_hides_nothing() {
    let armed = |before, after| change(&[difference("com.acme.Shop.armed", before, after)]);
    let begins = || armed("false", "true");
    let watch = watched(&[("A#begins", begins()), ("B#ends", armed("true", "false"))]);
    let findings = findings_of(&watch, |purpose, _, test| match test {
        "A#begins" => begins(),
        _ if purpose == BACKWARDS => change(&[]),
        _ => armed("true", "false"),
    });
    assert_eq!(findings.len(), 1);
}
