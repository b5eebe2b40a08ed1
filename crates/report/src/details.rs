//! One finding with all that is known of it: what `surefoot explain` prints.

use surefoot_model::{Finding, RunResult};

use crate::terminal::{BAD, BOLD, FAINT, Terminal};
use crate::text::{pad, printable, several, wrap_whole};

/// Most lines of the failure that are shown.
const MOST_STACK: usize = 12;

/// `failure` is one that the finding is about, with its stack.
pub fn details(finding: &Finding, failure: Option<&RunResult>, terminal: Terminal) -> String {
    let kind = finding.kind.name().to_uppercase();
    let mut text = String::new();
    for test in &finding.tests {
        let name = terminal.paint(BOLD, &printable(test.as_str()));
        text.push_str(&format!("{}  {name}\n", terminal.paint(BAD, &kind)));
    }
    let confidence = &finding.confidence;
    let seen = format!("seen {} of {}", confidence.seen, several(confidence.of as usize, "time"));
    text.push_str(&labelled("verdict", &format!("{}, {seen}", finding.verdict), terminal));
    for evidence in &finding.evidence {
        text.push_str(&labelled(&evidence.label, &evidence.text, terminal));
    }
    // Never broken: people copy them.
    let again = format!("surefoot reproduce {}", finding.fingerprint());
    for (label, command) in [("reproduce", again), ("or", printable(&finding.reproduce))] {
        text.push_str(&format!("  {}{command}\n", terminal.paint(FAINT, &pad(label, LABEL))));
    }
    text.push_str(&labelled("fix", &finding.fix, terminal));
    if let Some(RunResult::Failed { thrown }) = failure {
        text.push('\n');
        for line in thrown.stack.lines().take(MOST_STACK) {
            text.push_str(&format!("  {}\n", printable(&line.replace('\t', "    "))));
        }
    }
    text.push('\n');
    text
}

const LABEL: usize = "cause-not-seen  ".len();

pub(crate) fn labelled(label: &str, value: &str, terminal: Terminal) -> String {
    let columns = terminal.columns().saturating_sub(LABEL + 2);
    let lines =
        value.lines().flat_map(|line| wrap_whole(&printable(&line.replace('\t', " ")), columns));
    let mut text = String::new();
    for (at, line) in lines.enumerate() {
        let label = if at == 0 { pad(label, LABEL) } else { " ".repeat(LABEL) };
        text.push_str(&format!("  {}{line}\n", terminal.paint(FAINT, &label)));
    }
    text
}

#[cfg(test)]
mod unit_tests {
    use insta::assert_snapshot;

    use surefoot_model::Evidence;

    use super::*;
    use crate::samples::{NARROW, failed, finding};

    #[test]
    fn nothing_is_cut_but_the_stack() {
        let mut one = finding(&["a.B#c", "a.B#d"]);
        one.verdict = "passes, and fails when it runs again in the same VM ".repeat(2);
        let frame = "com.acme.shop.checkout.internal.pricing.LoyaltyProgramme.discount(LoyaltyProgramme.java:1207)";
        one.evidence.push(Evidence { label: "stack".into(), text: format!("{frame}\n{frame}") });
        assert_snapshot!(details(&one, Some(&failed("expected <1>")), NARROW));
    }
}
