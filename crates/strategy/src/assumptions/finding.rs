//! What a user is told of an assumption.

use std::collections::BTreeMap;

use surefoot_model::choice::HASH_SEED;
use surefoot_model::{
    ChoiceDetail, ChoiceKind, Choosing, Confidence, Evidence, Finding, FindingKind, Level,
    MadeChoice, RunResult, TestId,
};

use super::narrowing::MOST_NEEDED;
use super::{Rate, advice, frames, words};
use crate::shell::quoted;

/// Most choices that a finding shows with their orders.
const MOST_CALLS: usize = 3;

/// Most elements of an order that are shown.
const MOST_ELEMENTS: usize = 8;

/// A test that is known to fail by these choices, and to pass without.
#[derive(Debug, Clone)]
pub(super) struct Guilty {
    pub(super) test: TestId,
    /// Tests that must run before it.
    pub(super) after: Vec<TestId>,
    /// Nothing but the choices that it takes.
    pub(super) choosing: Choosing,
    /// The choices that it takes, with their details.
    pub(super) choices: Vec<MadeChoice>,
    /// How it ended with these, where that is known.
    pub(super) failed: Option<RunResult>,
    /// Under seeds.
    pub(super) rates: BTreeMap<Level, Rate>,
    /// Failed and all runs in fresh VMs, each in another one.
    pub(super) confidence: Confidence,
    /// How many choices there were, and how many runs it took to find these.
    pub(super) among: usize,
    pub(super) executions: u32,
}

impl Guilty {
    /// Tests with the same cause are one finding.
    pub(super) fn cause(&self) -> String {
        let mut places: Vec<String> = self
            .choices
            .iter()
            .map(|choice| format!("{} at {}", choice.model, choice.place))
            .collect();
        places.sort();
        places.dedup();
        if !self.is_narrowed() {
            return format!(
                "one of {} orders, or several, that {} sees",
                self.choices.len(),
                self.test
            );
        }
        match self.after.is_empty() {
            true => places.join(", "),
            // Whoever else fails by the same code fails alone.
            false => format!("{} before {}", places.join(", "), self.test),
        }
    }

    /// It is known what it takes.
    fn is_narrowed(&self) -> bool {
        self.choices.len() <= MOST_NEEDED
    }

    /// What it takes are other hashes. Who asked for one is known if `hash` was called.
    fn is_by_hashes(&self) -> bool {
        self.choices.iter().any(|choice| choice.model == HASH_SEED)
    }

    fn reproduce(&self) -> String {
        let tests = self.after.iter().chain([&self.test]);
        let test = tests.map(|test| quoted(test.as_str())).collect::<Vec<_>>().join(" ");
        let seed = self.choosing.seed;
        match self.is_by_hashes() {
            true => {
                format!("surefoot assumptions {test} --only {HASH_SEED} --seed {seed} --seeds 1")
            }
            false => format!(
                "surefoot assumptions {test} --level {} --seed {seed} --seeds 1",
                self.choosing.level
            ),
        }
    }
}

/// One finding for each cause.
pub(super) fn findings(guilty: &[Guilty]) -> Vec<Finding> {
    let mut by_cause: BTreeMap<String, Vec<&Guilty>> = BTreeMap::new();
    for one in guilty {
        by_cause.entry(one.cause()).or_default().push(one);
    }
    let finding = |(cause, mut tests): (String, Vec<&Guilty>)| {
        // What is told of a cause is told of the first.
        tests.sort_by_key(|one| one.choices.iter().all(|choice| choice.detail.is_none()));
        finding(cause, &tests)
    };
    by_cause.into_iter().map(finding).collect()
}

fn finding(cause: String, tests: &[&Guilty]) -> Finding {
    let first = tests[0];
    let (seen, of) = tests
        .iter()
        .fold((0, 0), |(seen, of), one| (seen + one.confidence.seen, of + one.confidence.of));
    let fix = match first.choices.first() {
        Some(choice) if first.is_narrowed() => advice::advice(choice, first.failed.as_ref()),
        _ => words::NOT_NARROWED.to_owned(),
    };
    Finding {
        kind: FindingKind::Assumption,
        tests: tests.iter().map(|one| one.test.clone()).collect(),
        verdict: verdict(first),
        confidence: Confidence { seen, of },
        evidence: evidence(first),
        reproduce: first.reproduce(),
        fix,
        cause,
        // By itself it is no way to see the failure again if it takes other tests.
        choosing: first.after.is_empty().then(|| first.choosing.clone()),
    }
}

fn verdict(guilty: &Guilty) -> String {
    let fails = fails_when(guilty);
    match &guilty.after[..] {
        [] => fails,
        [_] => format!("after another test, {fails}"),
        tests => format!("after {} other tests, {fails}", tests.len()),
    }
}

fn fails_when(guilty: &Guilty) -> String {
    let mut models: Vec<(&str, ChoiceKind)> =
        guilty.choices.iter().map(|choice| (choice.model.as_str(), choice.kind)).collect();
    models.dedup();
    match models[..] {
        [(model, kind)] => match words::of_model(model) {
            Some((what, _)) => format!("fails when {what}"),
            None => format!("fails when {model} returns {}", words::of_kind(kind)),
        },
        _ => "fails when elements are read in another order".to_owned(),
    }
}

fn entry(label: &str, text: String) -> Evidence {
    Evidence { label: label.to_owned(), text }
}

/// Who saw which order instead of the usual one in a run, and whether that failed.
pub fn told_choices(choices: &[MadeChoice], failed: bool) -> Vec<Evidence> {
    let does = if failed { "fails" } else { "passes" };
    let mut evidence = Vec::new();
    for choice in choices.iter().take(MOST_CALLS) {
        let Some(detail) = &choice.detail else {
            evidence.push(entry("call", format!("{} in {}", choice.model, choice.place)));
            continue;
        };
        if !detail.stack.is_empty() {
            evidence.push(entry("call", frames::call(&detail.stack, &choice.model)));
        }
        let (label, (usual, breaking)) = match choice.kind {
            _ if choice.model == HASH_SEED => ("hashes", alternatives(detail)),
            ChoiceKind::Permute => ("order", orders(detail)),
            ChoiceKind::Extend => ("length", alternatives(detail)),
            ChoiceKind::Random => ("number", alternatives(detail)),
        };
        evidence.push(entry(label, format!("usual {usual}, {does} with {breaking}")));
        let again = detail.again.iter().map(|stack| frames::call(stack, &choice.model));
        evidence.extend(again.map(|call| match choice.model.as_str() {
            HASH_SEED => entry("call", call),
            _ => entry("again", format!("the same order at {call}")),
        }));
    }
    if choices.len() > MOST_CALLS {
        let more = choices.len() - MOST_CALLS;
        evidence.push(entry("more", format!("and {more} more choices together with these")));
    }
    evidence
}

fn evidence(guilty: &Guilty) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    let after: Vec<&str> = guilty.after.iter().map(TestId::as_str).collect();
    if !after.is_empty() {
        let text = format!(
            "only after {}; alone it passes with the same seed, and in this order where all is as usual",
            after.join(", ")
        );
        evidence.push(entry("after", text));
    }
    if guilty.is_narrowed() {
        evidence.extend(told_choices(&guilty.choices, true));
    }
    let failed = guilty.failed.as_ref();
    evidence.extend(failed.and_then(RunResult::reason).map(|text| entry("failure", text)));
    if guilty.is_by_hashes() && !evidence.iter().any(|one| one.label == "call") {
        evidence.extend(failed.and_then(failed_at).map(|at| entry("failed-at", at)));
    }
    evidence.push(entry("rate", rates(guilty)));
    evidence.extend(strictness(guilty).map(|text| entry("strictness", text)));
    if !guilty.is_narrowed() {
        let (runs, among) = (guilty.executions, guilty.among);
        let narrowed = format!(
            "not known by which of {among} orders: with some of them as usual it did not fail each time ({runs} runs)"
        );
        evidence.push(entry("narrowed", narrowed));
        return evidence;
    }
    if guilty.executions > 0 {
        let narrowed = format!(
            "{} runs to narrow {} choices down to {}",
            guilty.executions,
            guilty.among,
            guilty.choices.len()
        );
        evidence.push(entry("narrowed", narrowed));
    }
    for detail in guilty.choices.iter().take(MOST_CALLS).filter_map(|choice| choice.detail.as_ref())
    {
        if !detail.stack.is_empty() {
            evidence.push(entry("stack", frames::shown(&detail.stack, &guilty.test)));
        }
    }
    evidence
}

/// The level that was asked for comes first.
fn rates(guilty: &Guilty) -> String {
    let asked_for = guilty.choosing.level;
    let words = |level: Level| {
        let Rate { failed, runs } = guilty.rates.get(&level)?;
        match guilty.is_by_hashes() {
            true => Some(format!("{failed} of {runs} values of {HASH_SEED}")),
            false => Some(format!("{failed} of {runs} seeds at level {level}")),
        }
    };
    let others = Level::ALL.into_iter().filter(|level| *level != asked_for);
    let all: Vec<String> = [asked_for].into_iter().chain(others).filter_map(words).collect();
    format!("failed with {}", all.join(", "))
}

/// How little it takes; none if other levels were not looked at.
fn strictness(guilty: &Guilty) -> Option<String> {
    let failed = |(level, rate): (&Level, &Rate)| (rate.failed > 0).then_some(*level);
    let strictest = guilty.rates.iter().filter_map(failed).max()?;
    let words = match strictest {
        _ if guilty.rates.len() < 2 => return None,
        Level::Full => "fails only where one unmodified object shows several orders",
        Level::Id => "fails only where equal objects may show different orders",
        Level::Eq => "fails where equal objects show one order, but not always the same as others",
        Level::One => "fails even where there is one other order, always the same",
    };
    Some(format!("level {strictest}: {words}"))
}

/// `test_shop.py:12`, the last line that pytest names in the words of a failure.
fn failed_at(result: &RunResult) -> Option<String> {
    let RunResult::Failed { thrown } = result else { return None };
    let place = |line: &str| {
        let (place, _) = line.split_once(": ")?;
        let (file, number) = place.rsplit_once(':')?;
        let is_place = file.ends_with(".py") && number.parse::<u32>().is_ok();
        is_place.then(|| place.to_owned())
    };
    thrown.stack.lines().rev().find_map(place)
}

/// The elements as usual, and as they were when the test failed.
fn orders(detail: &ChoiceDetail) -> (String, String) {
    let elements = &detail.elements;
    // Those that look alike are told apart by a number.
    let shown = |index: usize| {
        let Some(element) = elements.get(index) else { return "…".to_owned() };
        let alike = |some: &[String]| some.iter().filter(|one| *one == element).count();
        match alike(elements) {
            1 => element.clone(),
            _ => format!("{element} #{}", alike(&elements[..index]) + 1),
        }
    };
    let line = |order: &mut dyn Iterator<Item = usize>, size: usize| {
        let shown: Vec<String> = order.take(MOST_ELEMENTS).map(shown).collect();
        let more = if size > MOST_ELEMENTS { ", …" } else { "" };
        format!("[{}{more}]", shown.join(", "))
    };
    let size = detail.order.len();
    let usual = line(&mut (0..size), size);
    let breaking = line(&mut detail.order.iter().map(|at| *at as usize), size);
    (usual, breaking)
}

/// What is usual, and what came instead.
fn alternatives(detail: &ChoiceDetail) -> (String, String) {
    let shown = |at: usize| detail.elements.get(at).cloned().unwrap_or_default();
    (shown(0), shown(detail.order.first().map_or(0, |at| *at as usize)))
}

#[cfg(test)]
mod tests {
    use surefoot_model::{ChoiceId, Thrown};

    use super::*;

    fn detail() -> ChoiceDetail {
        ChoiceDetail {
            stack: [
                "java.util.SurefootHashMap.iterator(SurefootHashMap.java:30)",
                "java.util.HashMap$KeySet.iterator(HashMap.java:912)",
                "java.util.HashSet.iterator(HashSet.java:173)",
                "com.acme.Cart.total(Cart.java:12)",
                "com.acme.CartTest.sums(CartTest.java:7)",
                "java.lang.reflect.Method.invoke(Method.java:569)",
                "org.junit.runners.ParentRunner.run(ParentRunner.java:413)",
            ]
            .map(str::to_owned)
            .to_vec(),
            elements: vec!["\"a\"".into(), "\"b\"".into()],
            order: vec![1, 0],
            again: vec![vec![
                "java.util.AbstractCollection.toString(AbstractCollection.java:465)".into(),
                "com.acme.CartTest.sums(CartTest.java:9)".into(),
            ]],
        }
    }

    fn guilty(test: &str, place: &str) -> Guilty {
        Guilty {
            after: Vec::new(),
            test: test.into(),
            choosing: Choosing {
                seed: 43,
                level: Level::Id,
                only: Some(vec![ChoiceId(1)]),
                models: Vec::new(),
                declared: Vec::new(),
                identity_hash: None,
                trace: true,
            },
            choices: vec![MadeChoice {
                id: ChoiceId(1),
                model: "java.util.HashMap".into(),
                kind: ChoiceKind::Permute,
                place: place.into(),
                detail: Some(detail()),
            }],
            failed: Some(RunResult::Failed {
                thrown: Thrown {
                    class: "java.lang.AssertionError".into(),
                    message: Some("expected: <ab> but was: <ba>".into()),
                    ..Thrown::default()
                },
            }),
            rates: BTreeMap::from([
                (Level::Id, Rate { failed: 5, runs: 10 }),
                (Level::Full, Rate { failed: 4, runs: 5 }),
                (Level::Eq, Rate { failed: 2, runs: 5 }),
                (Level::One, Rate { failed: 0, runs: 5 }),
            ]),
            confidence: Confidence { seen: 3, of: 3 },
            among: 12,
            executions: 8,
        }
    }

    #[test]
    fn what_could_not_be_narrowed_names_no_call() {
        let mut one = guilty("a.B#c", "com.acme.Cart.sum");
        one.choices = vec![one.choices[0].clone(); 20];
        (one.among, one.executions) = (20, 44);
        let [finding] = &findings(&[one])[..] else { panic!("one finding") };
        let labels: Vec<&str> = finding.evidence.iter().map(|one| one.label.as_str()).collect();
        assert!(!labels.contains(&"call") && !labels.contains(&"stack"), "{labels:?}");
        let narrowed = finding.evidence.iter().find(|one| one.label == "narrowed").unwrap();
        assert_eq!(
            narrowed.text,
            "not known by which of 20 orders: with some of them as usual it did not fail each time (44 runs)"
        );
        assert_eq!(finding.cause, "one of 20 orders, or several, that a.B#c sees");
    }

    #[test]
    fn a_finding_names_the_call_and_both_orders() {
        let findings = findings(&[guilty("a.B#c", "com.acme.Cart.total")]);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        let texts: Vec<&str> = finding.evidence.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "com.acme.Cart.total(Cart.java:12) by HashSet.iterator",
                "usual [\"a\", \"b\"], fails with [\"b\", \"a\"]",
                "the same order at com.acme.CartTest.sums(CartTest.java:9) by AbstractCollection.toString",
                "java.lang.AssertionError: expected: <ab> but was: <ba>",
                "failed with 5 of 10 seeds at level id, 4 of 5 seeds at level full, 2 of 5 seeds at level eq, 0 of 5 seeds at level one",
                "level eq: fails where equal objects show one order, but not always the same as others",
                "8 runs to narrow 12 choices down to 1",
                "java.util.HashSet.iterator(HashSet.java:173)\n\
                 com.acme.Cart.total(Cart.java:12)\n\
                 com.acme.CartTest.sums(CartTest.java:7)",
            ]
        );
        assert_eq!(finding.reproduce, "surefoot assumptions a.B#c --level id --seed 43 --seeds 1");
        let chosen = finding.choosing.as_ref().and_then(|choosing| choosing.only.as_deref());
        assert_eq!(chosen, Some(&[ChoiceId(1)][..]));
    }

    #[test]
    fn elements_that_look_alike_are_numbered() {
        let elements = ["<Node>", "\"a\"", "<Node>"].map(str::to_owned).to_vec();
        let alike = ChoiceDetail { elements, order: vec![2, 1, 0], ..detail() };
        let (usual, breaking) = orders(&alike);
        assert_eq!(usual, "[<Node> #1, \"a\", <Node> #2]");
        assert_eq!(breaking, "[<Node> #2, \"a\", <Node> #1]");
    }

    #[test]
    fn a_method_that_was_declared_is_told_as_what_it_is() {
        let mut declared = guilty("a.B#c", "com.acme.Shop.open");
        let choice = &mut declared.choices[0];
        choice.model = "com.lib.Catalog.columns".into();
        choice.kind = ChoiceKind::Extend;
        choice.detail = Some(ChoiceDetail {
            stack: [
                "java.util.SurefootDeclared.extended(SurefootDeclared.java:60)",
                "com.lib.Catalog.columns(Catalog.java:5)",
                "com.acme.Shop.open(Shop.java:9)",
            ]
            .map(str::to_owned)
            .to_vec(),
            elements: vec!["2".into(), "3".into(), "4".into()],
            order: vec![2, 0, 1],
            again: Vec::new(),
        });
        let finding = &findings(&[declared])[0];
        assert_eq!(
            finding.verdict,
            "fails when com.lib.Catalog.columns returns more elements than usual"
        );
        let texts: Vec<&str> = finding.evidence.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts[..2],
            ["com.acme.Shop.open(Shop.java:9) by Catalog.columns", "usual 2, fails with 4"]
        );
    }

    #[test]
    fn tests_that_fail_by_one_place_are_one_finding() {
        let findings = findings(&[
            guilty("a.B#c", "com.acme.Cart.total"),
            guilty("a.B#d", "com.acme.Cart.total"),
            guilty("a.B#e", "com.acme.Shop.open"),
        ]);
        let tests: Vec<usize> = findings.iter().map(|finding| finding.tests.len()).collect();
        assert_eq!(tests, [2, 1]);
        assert_eq!(findings[0].confidence, Confidence { seen: 6, of: 6 });
    }
}
