//! Findings for machines. docs/findings.schema.json is the contract.

use std::collections::BTreeMap;

use serde::Serialize;
use surefoot_model::{Confidence, Evidence, Finding, FindingKind, Fingerprint, Suppressed, TestId};

use crate::summary::{by_kind, worst_first};
use crate::{JSON_VERSION, StatusCounts, Totals};

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    findings: Vec<FindingEntry<'a>>,
    /// What is no finding, by rule.
    suppressed: Vec<SuppressedEntry<'a>>,
    totals: TotalsEntry,
}

#[derive(Serialize)]
struct SuppressedEntry<'a> {
    rule: &'a str,
    reason: &'a str,
    roots: Vec<RootEntry<'a>>,
}

#[derive(Serialize)]
struct RootEntry<'a> {
    root: &'a str,
    tests: Vec<&'a TestId>,
}

#[derive(Serialize)]
struct FindingEntry<'a> {
    fingerprint: Fingerprint,
    kind: FindingKind,
    tests: &'a [TestId],
    verdict: &'a str,
    confidence: &'a Confidence,
    evidence: &'a [Evidence],
    reproduce: &'a str,
    fix: &'a str,
}

#[derive(Serialize)]
struct TotalsEntry {
    tests: usize,
    results: StatusCounts,
    vms: usize,
    replayed: usize,
    not_replayable: usize,
    /// Only kinds of which there are findings.
    findings: BTreeMap<FindingKind, usize>,
    seconds: f64,
}

/// The findings, worst first, what is none, and the totals.
pub fn findings_json(findings: &[Finding], suppressed: &[Suppressed], totals: &Totals) -> String {
    let entries = worst_first(findings).into_iter().map(|finding| FindingEntry {
        fingerprint: finding.fingerprint(),
        kind: finding.kind,
        tests: &finding.tests,
        verdict: &finding.verdict,
        confidence: &finding.confidence,
        evidence: &finding.evidence,
        reproduce: &finding.reproduce,
        fix: &finding.fix,
    });
    let totals = TotalsEntry {
        tests: totals.tests,
        results: totals.results,
        vms: totals.vms,
        replayed: totals.replayed,
        not_replayable: totals.not_replayable,
        findings: by_kind(findings),
        seconds: totals.elapsed.as_millis() as f64 / 1000.0,
    };
    let suppressed = suppressed.iter().map(|one| SuppressedEntry {
        rule: &one.rule,
        reason: &one.reason,
        roots: one
            .roots
            .iter()
            .map(|(root, tests)| RootEntry { root, tests: tests.iter().collect() })
            .collect(),
    });
    let suppressed = suppressed.collect();
    document(&Report { version: JSON_VERSION, findings: entries.collect(), suppressed, totals })
}

/// Indented, and with an end of line.
pub(crate) fn document(value: &impl Serialize) -> String {
    // Our own types have string keys and no serialiser of their own, so this cannot fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod unit_tests;
