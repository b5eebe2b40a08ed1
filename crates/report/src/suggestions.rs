//! What the configuration would say if all that was found were meant to be.

use std::collections::BTreeMap;

use surefoot_model::{Finding, FindingKind};

use crate::text::{printable, several};

/// Lines for `[pollution]` in surefoot.toml, the root that most tests change first.
pub fn suggested_rules(findings: &[Finding]) -> String {
    let mut roots: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.kind == FindingKind::Pollution) {
        match finding.cause.strip_prefix("file ") {
            Some(path) => *files.entry(path).or_default() += finding.tests.len(),
            None => *roots.entry(&finding.cause).or_default() += finding.tests.len(),
        }
    }
    if roots.is_empty() && files.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n# What is meant to be, and no finding: keep these lines in surefoot.toml\n[pollution]\n",
    );
    let roots = roots.into_iter().map(|(root, tests)| (format!("^{}$", escaped(root)), tests));
    text.push_str(&list("exclude-roots", ".", roots.collect()));
    let files = files.into_iter().map(|(path, tests)| (path.to_owned(), tests));
    text.push_str(&list("ignore-files", "*", files.collect()));
    text
}

/// `any` stands for any character where these values are used.
fn list(option: &str, any: &str, mut values: Vec<(String, usize)>) -> String {
    if values.is_empty() {
        return String::new();
    }
    values.sort_by_key(|(_, tests)| std::cmp::Reverse(*tests));
    let lines = values.iter().map(|(value, tests)| {
        // TOML takes anything between these quotes as it is, but for the quote itself.
        let value = printable(value).replace('\'', any);
        format!("    '{value}', # {}\n", several(*tests, "test"))
    });
    format!("{option} = [\n{}]\n", lines.collect::<String>())
}

/// As a regular expression that matches it and nothing else.
fn escaped(text: &str) -> String {
    let special = |c: char| {
        c.is_ascii_punctuation()
            && !matches!(
                c,
                '_' | '<' | '>' | '/' | ':' | '\'' | '"' | ',' | ';' | '=' | '!' | '@' | '%' | '`'
            )
    };
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod unit_tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::finding;

    fn pollution(cause: &str, tests: &[&str]) -> Finding {
        Finding { kind: FindingKind::Pollution, cause: cause.to_owned(), ..finding(tests) }
    }

    #[test]
    fn what_most_tests_change_comes_first_and_can_be_pasted() {
        let findings = [
            pollution("a.B$C.map", &["a.T#1"]),
            pollution("System.getProperties()", &["a.T#1", "a.T#2"]),
            pollution("file data/it's.txt", &["a.T#3"]),
            finding(&["a.T#4"]),
        ];
        assert_snapshot!(suggested_rules(&findings), @r"

        # What is meant to be, and no finding: keep these lines in surefoot.toml
        [pollution]
        exclude-roots = [
            '^System\.getProperties\(\)$', # 2 tests
            '^a\.B\$C\.map$', # 1 test
        ]
        ignore-files = [
            'data/it*s.txt', # 1 test
        ]
        ");
        assert_eq!(suggested_rules(&[finding(&["a.T#4"])]), "");
    }
}
