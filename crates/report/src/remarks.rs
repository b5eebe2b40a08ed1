//! Tests of which something is to be said, and yet no findings.

use std::collections::BTreeMap;

use surefoot_model::Remark;

use crate::terminal::{BOLD, Terminal, WARNING};
use crate::text::{cut_end, first_line, more_tests, test_name, width};

/// Two lines for each, the first `most` of them. What is to be said of several tests in the same words is said once.
pub fn remarks(remarks: &[Remark], most: usize, terminal: Terminal) -> String {
    let alike = alike(remarks);
    let mut text = String::new();
    for (remark, more) in alike.iter().take(most) {
        let word = remark.verdict.to_uppercase();
        let more = more_tests(*more);
        let room = terminal.columns().saturating_sub(width(&word) + 2 + width(&more));
        let name = test_name(remark.test.as_str(), room);
        let line = cut_end(&first_line(&remark.text), terminal.columns() - 2);
        let (word, name) = (terminal.paint(WARNING, &word), terminal.paint(BOLD, &name));
        text.push_str(&format!("{word}  {name}{more}\n  {line}\n"));
    }
    if alike.len() > most {
        text.push_str(&format!("and {} more\n", alike.len() - most));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// The first of those that say the same, and how many more do.
fn alike(remarks: &[Remark]) -> Vec<(&Remark, usize)> {
    let mut first: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut alike: Vec<(&Remark, usize)> = Vec::new();
    for remark in remarks {
        let at = *first.entry((&remark.verdict, &remark.text)).or_insert(alike.len());
        match alike.get_mut(at) {
            Some((_, more)) => *more += 1,
            None => alike.push((remark, 0)),
        }
    }
    alike
}

#[cfg(test)]
mod unit_tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::NARROW;

    fn remark(test: &str, why: &str) -> Remark {
        Remark {
            test: test.into(),
            verdict: "failing".into(),
            text: format!(
                "failed when watched and alone in 10 of 10 fresh VMs: java.lang.AssertionError: {why}"
            ),
        }
    }

    #[test]
    fn each_takes_two_lines_and_a_long_list_is_cut() {
        let all = [
            remark("a.B#c", "expected:<1>"),
            remark("a.B#d", "expected:<2>"),
            remark("a.B#e", "expected:<1>"),
            remark("a.B#f", "expected:<3>"),
        ];
        assert_snapshot!(remarks(&all, 2, NARROW), @r"
        FAILING  a.B#c   (+1 more test)
          failed when watched and alone in 10 of 10 fresh VMs: java.lang.AssertionError…
        FAILING  a.B#d
          failed when watched and alone in 10 of 10 fresh VMs: java.lang.AssertionError…
        and 1 more
        ");
        assert_eq!(remarks(&[], 2, NARROW), "");
    }
}
