//! What people are told of a test that did not pass each time.

use std::collections::BTreeMap;

use surefoot_model::{
    ClassSetup, Confidence, Evidence, Finding, FindingKind, Framework, Remark, RunResult, Test,
    TestId, Watch,
};

use super::explanation::Explanation;
use super::history::{History, Place, Series};
use super::verdict::{Verdict, failed_again};
use super::{Mode, RerunSettings};
use crate::flaky::{Alike, flaky};
use crate::shell::quoted;

/// Rows of one parameterised method are one finding.
pub(super) fn findings(
    watch: &Watch,
    histories: &BTreeMap<TestId, History>,
    explanations: &BTreeMap<TestId, Explanation>,
    settings: &RerunSettings,
) -> Vec<Finding> {
    let mut grouped: BTreeMap<(Verdict, &str), Finding> = BTreeMap::new();
    for (test, history) in histories {
        let verdict = history.verdict();
        let explanation = explanations.get(test).filter(|known| known.was_looked_at());
        let told = Told { watch, test, history, explanation, settings };
        let Some(finding) = told.finding(verdict) else { continue };
        let key = (verdict, if verdict == Verdict::Flaky { test.as_str() } else { method(test) });
        match grouped.get_mut(&key) {
            Some(group) => {
                group.tests.extend(finding.tests);
                group.confidence.seen += finding.confidence.seen;
                group.confidence.of += finding.confidence.of;
            }
            None => {
                grouped.insert(key, finding);
            }
        }
    }
    grouped.into_values().collect()
}

pub(super) fn remark(test: &TestId, history: &History) -> Option<Remark> {
    let results = || history.series.iter().flat_map(|series| &series.results);
    let why = |so: fn(&RunResult) -> bool| {
        let reason = results().filter(|result| so(result)).find_map(RunResult::reason);
        reason.map(|reason| format!(": {reason}")).unwrap_or_default()
    };
    let alone = history.firsts(Place::Alone).len();
    let (verdict, text) = match history.verdict() {
        Verdict::Failing => (
            "failing",
            format!(
                "failed when watched and alone in {alone} of {alone} fresh VMs{}",
                why(RunResult::is_bad)
            ),
        ),
        Verdict::NotReplayable => {
            let why = why(RunResult::is_bad);
            ("not replayable", format!("passed when watched, fails alone and after others{why}"))
        }
        Verdict::Undecided if history.is_suspect() => {
            let text = format!("{}{}", settled_ways(history), why(RunResult::is_bad));
            ("undecided", text)
        }
        Verdict::Undecided => {
            let other = results().find(|result| !result.passed());
            let ended = other.map_or("run only once", RunResult::word);
            ("not repeated", format!("{ended}{}", why(|result| !result.passed())))
        }
        _ => return None,
    };
    Some(Remark { test: test.clone(), verdict: verdict.to_owned(), text })
}

/// `alone it passed 10 of 10 times, in the suite 0 of 1`
fn settled_ways(history: &History) -> String {
    let place = |place: Place, words: &str| {
        let firsts = history.firsts(place);
        let passed = firsts.iter().filter(|result| result.passed()).count();
        (!firsts.is_empty())
            .then(|| format!("{words} it passed {passed} of {} times", firsts.len()))
    };
    let ways = [
        place(Place::Alone, "alone"),
        place(Place::Among, "after others"),
        place(Place::Suite, "in the suite"),
        place(Place::AsLeft, "alone with the files that are there now"),
        place(Place::NextVm, "in the suite with the files that are there now"),
        place(Place::CleanVm, "after others that left all as it was"),
        place(Place::AfterDeath, "after a VM died"),
        place(Place::Disturbed, "while other VMs ran in the same directory"),
    ];
    ways.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The test's id without the numbers of a row.
fn method(test: &TestId) -> &str {
    let mut id = test.as_str();
    while let (true, Some(open)) = (id.ends_with(']'), id.rfind('[')) {
        id = &id[..open];
    }
    id
}

struct Told<'a> {
    watch: &'a Watch,
    test: &'a TestId,
    history: &'a History,
    explanation: Option<&'a Explanation>,
    settings: &'a RerunSettings,
}

impl Told<'_> {
    fn finding(&self, verdict: Verdict) -> Option<Finding> {
        match verdict {
            Verdict::Flaky => flaky(self.test, &self.alike()),
            Verdict::Nio => Some(self.nio(Place::Alone)),
            Verdict::NioAmong => Some(self.nio(Place::Among)),
            Verdict::NioFiles => Some(self.nio_by_files(Place::Alone)),
            Verdict::NioInPlace => Some(self.nio(Place::AsLeft)),
            Verdict::NioAcrossVms => Some(self.nio_by_files(Place::AcrossVms)),
            Verdict::Victim => Some(self.victim()),
            Verdict::Brittle => Some(self.brittle()),
            _ => None,
        }
    }

    fn nio(&self, place: Place) -> Finding {
        let (failure, does, confidence) = self.failed_again(place);
        let verdict = match place {
            Place::Among => {
                format!("passes, and {does} when it runs again in the same VM after other tests")
            }
            _ => format!("passes, and {does} when it runs again in the same VM"),
        };
        let explained = self.explanation.map(|known| known.told(failure, self.framework()));
        let (state, fix) = explained.unwrap_or_default();
        let fix = fix.unwrap_or_else(|| {
            format!(
                "undo in {} what the first run leaves behind, or set it up in the test itself",
                self.tear_down()
            )
        });
        let reproduce = self.reproduce(place);
        let mut told = self.told(FindingKind::Nio, verdict, confidence, failure, reproduce, fix);
        let after_failure = usize::from(failure.is_some_and(|failure| failure.reason().is_some()));
        told.evidence.splice(after_failure..after_failure, state);
        told
    }

    fn nio_by_files(&self, place: Place) -> Finding {
        let (failure, does, confidence) = self.failed_again(place);
        let (again, option) = match place {
            Place::AcrossVms => ("another VM with the files it left", " --across-vms"),
            _ => ("the same VM", ""),
        };
        let verdict = format!("passes, and {does} when it runs again in {again}");
        let fix = "write to a directory of the test's own (@TempDir, TemporaryFolder), or remove the files before and after"
            .to_owned();
        let test = quoted(self.test.as_str());
        let reproduce = format!("surefoot rerun {test}{option}{}", self.setup());
        self.told(FindingKind::Nio, verdict, confidence, failure, reproduce, fix)
    }

    /// How, in a word for it, and how often.
    fn failed_again(&self, place: Place) -> (Option<&RunResult>, &'static str, Confidence) {
        let repeats = self.history.repeats(place);
        let failure = repeats.iter().find_map(|series| series.failed_again());
        let does = match failure {
            Some(RunResult::TimedOut { .. }) => "hangs",
            Some(RunResult::Died { .. }) => "takes its VM down",
            _ => "fails",
        };
        let confidence =
            Confidence { seen: failed_again(&repeats) as u32, of: repeats.len() as u32 };
        (failure, does, confidence)
    }

    fn victim(&self) -> Finding {
        let among = self.history.firsts(Place::Among);
        let failure = among.iter().copied().find(|result| result.is_bad());
        let verdict = "passes alone, and fails after other tests".to_owned();
        let confidence = Confidence { seen: among.len() as u32, of: among.len() as u32 };
        let look = match self.framework() {
            Framework::Pytest => "",
            _ => " (surefoot pollution lists those that do)",
        };
        let fix = format!("find the test that leaves something behind{look} and undo it there");
        self.told(
            FindingKind::Victim,
            verdict,
            confidence,
            failure,
            self.reproduce(Place::Among),
            fix,
        )
    }

    fn brittle(&self) -> Finding {
        let alone = self.history.firsts(Place::Alone);
        let failure = alone.first().copied();
        let verdict = "fails alone, and passes after other tests".to_owned();
        let confidence = Confidence { seen: alone.len() as u32, of: alone.len() as u32 };
        let fix = "set up in the test, or in its own set-up, what an earlier test sets up for it by chance"
            .to_owned();
        let once = format!("surefoot run {} --fresh-vm-per test", quoted(self.test.as_str()));
        self.told(FindingKind::Brittle, verdict, confidence, failure, once, fix)
    }

    fn told(
        &self,
        kind: FindingKind,
        verdict: String,
        confidence: Confidence,
        failure: Option<&RunResult>,
        reproduce: String,
        fix: String,
    ) -> Finding {
        let reason = failure.and_then(RunResult::reason);
        let mut evidence: Vec<Evidence> =
            reason.map(|text| Evidence { label: "failure".to_owned(), text }).into_iter().collect();
        evidence.extend(self.evidence());
        Finding {
            kind,
            tests: vec![self.test.clone()],
            verdict,
            confidence,
            evidence,
            reproduce,
            fix,
            cause: method(self.test).to_owned(),
            choosing: None,
        }
    }

    /// In what experiments it was seen, and how often.
    fn evidence(&self) -> Vec<Evidence> {
        let several = |place, label: &str| {
            let in_a_row: Vec<&Series> =
                self.history.at(place).filter(|series| series.results.len() > 1).collect();
            let first = in_a_row.first()?;
            let words: Vec<&str> = first.results.iter().map(RunResult::word).collect();
            let same = |series: &&&Series| {
                series.results.iter().map(RunResult::word).eq(words.iter().copied())
            };
            let often = in_a_row.iter().filter(same).count();
            let text = format!(
                "{}: {} in {often} of {} fresh VMs",
                self.setting(place),
                words.join(", then "),
                in_a_row.len()
            );
            Some(Evidence { label: label.to_owned(), text })
        };
        let once = |place, label: &str| {
            let once = self.history.at(place).filter(|series| series.results.len() == 1);
            let results: Vec<&RunResult> = once.map(|series| &series.results[0]).collect();
            let first = results.first()?;
            let often = results.iter().filter(|result| result.same_ending(first)).count();
            let (setting, word) = (self.setting_once(place), first.word());
            let text = format!("{setting}: {word} in {often} of {} fresh VMs", results.len());
            Some(Evidence { label: label.to_owned(), text })
        };
        let seen = [
            several(Place::Alone, "rerun-alone"),
            once(Place::Alone, "alone"),
            several(Place::Among, "rerun"),
            several(Place::AsLeft, "rerun-files"),
            once(Place::AsLeft, "files"),
            several(Place::AcrossVms, "across-vms"),
            once(Place::Suite, "suite"),
        ];
        let watched: Vec<&str> = self.history.watched.iter().map(RunResult::word).collect();
        let text = format!("when watched: {}", watched.join(", then "));
        let watched = Evidence { label: "watched".to_owned(), text };
        seen.into_iter().flatten().chain([watched]).collect()
    }

    fn setting(&self, place: Place) -> String {
        let times = match self.settings.repeat {
            2 => "twice".to_owned(),
            times => format!("{times} times"),
        };
        match (place, self.settings.mode) {
            (Place::Alone, _) => format!("{times} in a row, alone"),
            (Place::AsLeft, _) => {
                format!("{times} in a row, alone, with the files that are there now")
            }
            (Place::AcrossVms, _) => {
                "in one VM, then in another with the files that the first left".to_owned()
            }
            (_, Some(Mode::Class)) => {
                format!("among the tests of its class, each {times} in a row")
            }
            _ => format!("in the whole suite, each test {times} in a row"),
        }
    }

    fn setting_once(&self, place: Place) -> &'static str {
        match place {
            Place::Alone => "once, alone",
            Place::AsLeft => "once, alone, with the files that tests left",
            _ => "in the suite as it was watched",
        }
    }

    /// What should have ended the same each time.
    fn alike(&self) -> Vec<Alike<'_>> {
        let alike = self.history.positions().map(|(place, position)| {
            let before = match position {
                0 => String::new(),
                before => format!("as run {} of it ", before + 1),
            };
            let (label, place_words) = match place {
                Place::Alone => ("alone", "alone in a fresh VM".to_owned()),
                Place::Suite => ("suite", self.setting_once(place).to_owned()),
                Place::AcrossVms => ("across-vms", self.setting(place)),
                _ => ("rerun", self.setting(place)),
            };
            let setting = format!("{before}{place_words}");
            Alike { label: label.to_owned(), setting, results: self.history.nth(place, position) }
        });
        alike.collect()
    }

    /// The experiment that showed it, once more.
    fn reproduce(&self, place: Place) -> String {
        let (repeat, setup) = (self.settings.repeat, self.setup());
        match (place, self.settings.mode) {
            (Place::Alone | Place::AsLeft, _) => {
                let test = quoted(self.test.as_str());
                format!("surefoot run {test} --fresh-vm-per test --repeat {repeat}{setup}")
            }
            (_, Some(Mode::Class)) => {
                let class = self.watch.tests.get(self.test).map_or("", |test| test.class.as_str());
                format!(
                    "surefoot run {} --fresh-vm-per class --repeat {repeat}{setup}",
                    quoted(class)
                )
            }
            (_, Some(_)) => format!("surefoot run --fresh-vm-per suite --repeat {repeat}{setup}"),
            (_, None) => format!("surefoot run --repeat {repeat}{setup}"),
        }
    }

    fn setup(&self) -> &'static str {
        match self.settings.class_setup {
            ClassSetup::Shared => "",
            ClassSetup::PerRun => " --class-setup per-run",
        }
    }

    fn tear_down(&self) -> &'static str {
        self.framework().tear_down()
    }

    fn framework(&self) -> Framework {
        let test = self.watch.tests.get(self.test);
        test.map_or(Framework::JunitPlatform, Test::style)
    }
}
