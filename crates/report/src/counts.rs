//! How many runs ended in which way.

use serde::Serialize;
use surefoot_model::RunResult;

/// One number for each [`RunResult`]; in JSON under the same names as a result's `status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StatusCounts {
    pub passed: usize,
    pub failed: usize,
    pub aborted: usize,
    pub skipped: usize,
    pub timed_out: usize,
    pub died: usize,
    pub not_run: usize,
}

impl StatusCounts {
    pub fn add(&mut self, result: &RunResult) {
        let count = match result {
            RunResult::Passed => &mut self.passed,
            RunResult::Failed { .. } => &mut self.failed,
            RunResult::Aborted { .. } => &mut self.aborted,
            RunResult::Skipped { .. } => &mut self.skipped,
            RunResult::TimedOut { .. } => &mut self.timed_out,
            RunResult::Died { .. } => &mut self.died,
            RunResult::NotRun { .. } => &mut self.not_run,
        };
        *count += 1;
    }

    /// `120 passed, 2 failed`, without what did not happen.
    pub fn words(&self) -> String {
        let StatusCounts { passed, failed, aborted, skipped, timed_out, died, not_run } = *self;
        let counts = [
            (passed, "passed"),
            (failed, "failed"),
            (timed_out, "timed out"),
            (died, "died"),
            (aborted, "aborted"),
            (skipped, "skipped"),
            (not_run, "not run"),
        ];
        let words: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        words.join(", ")
    }
}

impl<'a> FromIterator<&'a RunResult> for StatusCounts {
    fn from_iter<I: IntoIterator<Item = &'a RunResult>>(results: I) -> Self {
        let mut counts = StatusCounts::default();
        results.into_iter().for_each(|result| counts.add(result));
        counts
    }
}
