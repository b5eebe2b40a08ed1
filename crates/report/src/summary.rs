//! What `surefoot check` ends with: the findings, worst first, and one table of totals.

use std::collections::BTreeMap;

use surefoot_model::{Finding, FindingKind, TestId};

use crate::table;
use crate::terminal::{BAD, BOLD, FAINT, GOOD, Terminal};
use crate::text::{
    cut_path, cut_text, duration, first_line, more_tests, pad, printable, test_name, width, wrap,
};
use crate::totals::Totals;

/// Most lines that one finding takes.
const MOST_LINES: usize = 7;

/// Most of them that go to the hint.
const MOST_FIX_LINES: usize = 2;

/// For people, at the end of a run.
pub fn summary(findings: &[Finding], totals: &Totals, terminal: Terminal) -> String {
    let mut text = String::new();
    for finding in worst_first(findings) {
        for line in finding_lines(finding, terminal) {
            text.push_str(&line);
            text.push('\n');
        }
        text.push('\n');
    }
    if findings.is_empty() {
        text.push_str(&terminal.paint(GOOD, "No findings"));
        text.push_str("\n\n");
    }
    text.push_str(&totals_table(findings, totals, terminal));
    text
}

/// By kind, then by how many tests share the cause, then by name.
pub(crate) fn worst_first(findings: &[Finding]) -> Vec<&Finding> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| {
        (finding.kind, std::cmp::Reverse(finding.tests.len()), finding.tests.first())
    });
    sorted
}

pub(crate) fn by_kind(findings: &[Finding]) -> BTreeMap<FindingKind, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.kind).or_default() += 1;
    }
    counts
}

/// The command is never cut: people copy it.
fn finding_lines(finding: &Finding, terminal: Terminal) -> Vec<String> {
    const INDENT: &str = "  ";
    const LABEL: usize = "reproduce  ".len();
    let columns = terminal.columns();
    let label = |word: &str| format!("{INDENT}{}", terminal.paint(FAINT, &pad(word, LABEL)));
    let blank = " ".repeat(INDENT.len() + LABEL);

    let mut end = vec![format!("{}{}", label("reproduce"), printable(&finding.reproduce))];
    let fix = wrap(&printable(&finding.fix), columns - blank.len(), MOST_FIX_LINES);
    for (at, line) in fix.iter().enumerate() {
        let before = if at == 0 { label("fix") } else { blank.clone() };
        end.push(before + line);
    }

    let mut lines = vec![headline(finding, terminal), verdict(finding, columns, INDENT)];
    let room = MOST_LINES - lines.len() - end.len();
    for evidence in finding.evidence.iter().take(room) {
        let cut = if evidence.label == "path" { cut_path } else { cut_text };
        let text = cut(&first_line(&evidence.text), columns - INDENT.len());
        lines.push(format!("{INDENT}{text}"));
    }
    lines.extend(end);
    lines
}

/// `FLAKY  com.acme.CartTest#total(int)[2]   (+3 more tests)`
fn headline(finding: &Finding, terminal: Terminal) -> String {
    let kind = finding.kind.name().to_uppercase();
    let more = more_tests(finding.tests.len().saturating_sub(1));
    let room = terminal.columns().saturating_sub(width(&kind) + 2 + width(&more));
    let test = finding.tests.first().map(TestId::as_str).unwrap_or_default();
    format!(
        "{}  {}{more}",
        terminal.paint(BAD, &kind),
        terminal.paint(BOLD, &test_name(test, room))
    )
}

/// The verdict, and at the right end how often it was seen.
fn verdict(finding: &Finding, columns: usize, indent: &str) -> String {
    let seen = format!("seen {} of {}", finding.confidence.seen, finding.confidence.of);
    let room = columns - indent.len() - 2 - width(&seen);
    let verdict = cut_path(&first_line(&finding.verdict), room);
    format!("{indent}{}  {seen}", pad(&verdict, room))
}

fn totals_table(findings: &[Finding], totals: &Totals, terminal: Terminal) -> String {
    let kinds: Vec<String> = by_kind(findings)
        .into_iter()
        .map(|(kind, count)| format!("{count} {}", kind.name()))
        .collect();
    let not_replayable = match totals.not_replayable {
        0 => String::new(),
        tests => format!("{tests} not replayable"),
    };
    table::totals(
        &[
            ["tests".into(), totals.tests.to_string(), totals.results.words()],
            ["replayed".into(), totals.replayed.to_string(), not_replayable],
            ["findings".into(), findings.len().to_string(), kinds.join(", ")],
            ["test VMs".into(), totals.vms.to_string(), String::new()],
            ["time".into(), String::new(), duration(totals.elapsed)],
        ],
        terminal,
    )
}

#[cfg(test)]
mod unit_tests;
