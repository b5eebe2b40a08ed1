//! Which of the things that the first run of a test leaves behind make the second run fail.
//!
//! What the first run leaves different in every look is a candidate. The test then runs again with one candidate put back
//! between its runs: if it passes now, that one is the cause. If only all of them together help, those are looked for that
//! it takes: with each left out in turn, and then without those that were not missed.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{Access, Difference, Evidence, Framework, Outcome, RunResult, StateChange};

use crate::pollution::{Relevance, fix, fix_in_python, words};

/// How often the state around both runs is looked at, and how often each candidate is tried, each time in a fresh VM.
pub(super) const LOOKS: u32 = 2;

/// Most candidates that are tried one by one.
const MOST_TRIED: usize = 8;

/// Most places that are named.
const MOST_NAMED: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Explanation {
    /// What each look showed that the first run left different.
    looks: Vec<StateChange>,
    /// How the runs of each trial ended, by the roots that were put back.
    trials: BTreeMap<Vec<String>, Vec<bool>>,
}

impl Explanation {
    /// Takes in one look at the test in a VM.
    pub(super) fn look(&mut self, outcome: &Outcome) {
        let first = outcome.runs.first().and_then(|run| run.change.as_ref());
        self.looks.extend(first.map(|change| change.change.clone()));
    }

    /// Takes in one trial: did all runs pass with these roots put back?
    pub(super) fn tried(&mut self, kept: &[String], outcome: &Outcome) {
        let passed = outcome.runs.iter().all(|run| run.result.passed());
        self.trials.entry(kept.to_vec()).or_default().push(passed);
    }

    /// What to put back next, by what came of it so far: each candidate and all together, all but each, and then those that
    /// were missed. Nothing is proposed twice.
    pub(super) fn trials(&mut self, failure: Option<&RunResult>) -> Vec<Vec<String>> {
        let all = self.roots(failure);
        let mut sets: Vec<Vec<String>> =
            all.iter().take(MOST_TRIED).map(|root| vec![root.clone()]).collect();
        if all.len() > 1 {
            sets.push(all.clone());
        }
        if self.only_together(&all) && all.len() <= MOST_TRIED {
            sets.extend(all.iter().map(|root| without(&all, root)));
            sets.extend(self.missed(&all));
        }
        sets.retain(|set| !self.trials.contains_key(set));
        self.trials.extend(sets.iter().map(|set| (set.clone(), Vec::new())));
        sets
    }

    /// All candidates, likeliest first.
    fn roots(&self, failure: Option<&RunResult>) -> Vec<String> {
        self.candidates(failure).iter().map(|candidate| candidate.root.to_owned()).collect()
    }

    /// All of them help, and none of them alone.
    fn only_together(&self, all: &[String]) -> bool {
        let one_helps = all.iter().any(|root| self.helped(std::slice::from_ref(root)));
        all.len() > 1 && self.helped(all) && !one_helps
    }

    /// Those without which the others do not help. None before all were left out in turn.
    fn missed(&self, all: &[String]) -> Option<Vec<String>> {
        let was_left_out = |root: &String| self.trials.contains_key(&without(all, root));
        let is_missed = |root: &&String| !self.helped(&without(all, root));
        let missed: Vec<String> = all.iter().filter(is_missed).cloned().collect();
        (all.iter().all(was_left_out) && missed.len() > 1).then_some(missed)
    }

    pub(super) fn was_looked_at(&self) -> bool {
        !self.looks.is_empty()
    }

    /// Roots that the first run left different each time, likeliest first, with their places.
    fn candidates(&self, failure: Option<&RunResult>) -> Vec<Candidate<'_>> {
        let mut by_root: BTreeMap<&str, Vec<&Difference>> = BTreeMap::new();
        let Some(first) = self.looks.first() else { return Vec::new() };
        for difference in &first.differences {
            by_root.entry(&difference.root).or_default().push(difference);
        }
        let shown =
            |look: &StateChange, root: &str| look.differences.iter().any(|d| d.root == root);
        by_root.retain(|root, _| self.looks.iter().all(|look| shown(look, root)));
        let text = failure.map(told).unwrap_or_default();
        let mut candidates: Vec<Candidate<'_>> = by_root
            .into_iter()
            .map(|(root, mut places)| {
                places.sort_by_key(|place| (place.steps, &place.path));
                Candidate { root, places }
            })
            .collect();
        candidates.sort_by_key(|candidate| {
            (!candidate.is_mentioned(&text), candidate.relevance(), candidate.root)
        });
        candidates
    }

    /// Values of `parametrize` that the first run changed each time.
    fn parameters(&self) -> Vec<&str> {
        let Some(first) = self.looks.first() else { return Vec::new() };
        let in_all = |one: &&String| self.looks.iter().all(|look| look.elsewhere.contains(*one));
        let all = first.elsewhere.iter().filter(in_all);
        all.filter_map(|one| one.strip_prefix("parameter ")).collect()
    }

    /// Roots of which one alone makes the difference.
    fn causes<'a>(&self, candidates: &'a [Candidate<'a>]) -> Vec<&'a Candidate<'a>> {
        let helps = |candidate: &&Candidate<'_>| self.helped(&[candidate.root.to_owned()]);
        candidates.iter().filter(helps).collect()
    }

    fn helped(&self, kept: &[String]) -> bool {
        let passed = self.trials.get(kept);
        passed.is_some_and(|passed| passed.len() >= LOOKS as usize && passed.iter().all(|p| *p))
    }

    /// In words, likeliest first; and what to do about it, where that is known.
    pub(super) fn told(
        &self,
        failure: Option<&RunResult>,
        framework: Framework,
    ) -> (Vec<Evidence>, Option<String>) {
        let candidates = self.candidates(failure);
        let causes = self.causes(&candidates);
        let evidence = |label: &str, text: String| Evidence { label: label.to_owned(), text };
        if let Some(cause) = causes.first() {
            let mut told = vec![evidence(
                "cause",
                format!("it trips over {}; put back, the second run passes", cause.words()),
            )];
            told.extend(causes[1..].iter().take(MOST_NAMED).map(|other| {
                evidence("cause", format!("{}; putting this back helps as well", other.words()))
            }));
            return (told, Some(cause.fix(framework)));
        }
        let all = self.roots(failure);
        if self.only_together(&all) {
            let missed = self.missed(&all).filter(|missed| self.helped(missed));
            let needed: BTreeSet<String> = missed.unwrap_or(all).into_iter().collect();
            let names: Vec<&str> = needed.iter().map(String::as_str).collect();
            let text = format!(
                "several together: with {} put back, the second run passes; with one of them alone it does not",
                names.join(", ")
            );
            let mut told = vec![evidence("cause", text)];
            let among = |candidate: &&Candidate<'_>| needed.contains(candidate.root);
            told.extend(suspects(candidates.iter().filter(among)));
            return (told, None);
        }
        let parameters = self.parameters();
        if !parameters.is_empty() {
            let text = format!(
                "the first run changes the value of its parameter {}, and the second one gets the same object",
                parameters.join(", ")
            );
            let mut told = vec![evidence("suspect", text)];
            told.extend(suspects(candidates.iter()));
            let fix = "copy what parametrize gives before it is changed, or let parametrize give what makes it";
            return (told, Some(fix.to_owned()));
        }
        let libraries = match framework {
            Framework::Pytest => "what libraries keep for themselves",
            _ => "what libraries keep in static fields",
        };
        let text = if candidates.is_empty() {
            format!(
                "the first run leaves nothing different that is looked at: think of files, locks and {libraries}"
            )
        } else {
            format!(
                "nothing that the first run leaves different and that could be put back explains it: think of files, threads, locks and {libraries}"
            )
        };
        let mut told = vec![evidence("cause-not-seen", text)];
        told.extend(suspects(candidates.iter()));
        (told, None)
    }

    /// The root that makes the difference, if one alone does.
    pub(super) fn cause(&self, failure: Option<&RunResult>) -> Option<String> {
        let candidates = self.candidates(failure);
        self.causes(&candidates).first().map(|cause| cause.root.to_owned())
    }
}

fn suspects<'a>(candidates: impl Iterator<Item = &'a Candidate<'a>>) -> Vec<Evidence> {
    let evidence = |candidate: &Candidate<'_>| Evidence {
        label: "suspect".to_owned(),
        text: candidate.words(),
    };
    candidates.take(MOST_NAMED).map(evidence).collect()
}

fn without(all: &[String], one: &String) -> Vec<String> {
    all.iter().filter(|root| *root != one).cloned().collect()
}

/// A root that the first run changes.
struct Candidate<'a> {
    root: &'a str,
    /// Shortest path first; never empty.
    places: Vec<&'a Difference>,
}

impl Candidate<'_> {
    fn words(&self) -> String {
        let first = self.places.first().map(|place| words(place)).unwrap_or_default();
        match self.places.len() {
            0 | 1 => first,
            more => format!("{first} (and {} more below it)", more - 1),
        }
    }

    fn relevance(&self) -> Option<Relevance> {
        self.places.iter().map(|place| Relevance::of(place)).min()
    }

    /// The failure, or the code that it comes from, speaks of it.
    fn is_mentioned(&self, failure: &str) -> bool {
        let is_process = self.places.iter().any(|place| place.access == Access::Process);
        let class = self.root.rsplit_once('.').map_or(self.root, |(class, _)| class);
        let key = |place: &&Difference| {
            let quoted = place.path.split('"').nth(1)?;
            (quoted.len() > 2).then(|| failure.contains(quoted))
        };
        let by_key = self.places.iter().filter_map(key).any(|mentioned| mentioned);
        by_key || (!is_process && failure.contains(&format!("{class}.")))
    }

    fn fix(&self, framework: Framework) -> String {
        let first = self.places.first();
        if framework == Framework::Pytest {
            return fix_in_python(self.root, first.copied());
        }
        let access = first.map_or(Access::Package, |place| place.access);
        fix(self.root, access, first.map(|place| place.kind), framework.tear_down())
    }
}

/// All that a failure says, with its stack.
fn told(result: &RunResult) -> String {
    match result {
        RunResult::Failed { thrown } => {
            format!("{} {}", thrown.message.as_deref().unwrap_or_default(), thrown.stack)
        }
        other => other.reason().unwrap_or_default(),
    }
}
