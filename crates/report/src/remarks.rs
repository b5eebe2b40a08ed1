//! Tests of which something is to be said, and yet no findings.

use surefoot_model::Remark;

use crate::terminal::{BOLD, Terminal, WARNING};
use crate::text::{cut_end, first_line, test_name, width};

/// Two lines for each, the first `most` of them.
pub fn remarks(remarks: &[Remark], most: usize, terminal: Terminal) -> String {
    let mut text = String::new();
    for remark in remarks.iter().take(most) {
        let word = remark.verdict.to_uppercase();
        let name = test_name(remark.test.as_str(), terminal.columns() - width(&word) - 2);
        let line = cut_end(&first_line(&remark.text), terminal.columns() - 2);
        let (word, name) = (terminal.paint(WARNING, &word), terminal.paint(BOLD, &name));
        text.push_str(&format!("{word}  {name}\n  {line}\n"));
    }
    if remarks.len() > most {
        text.push_str(&format!("and {} more\n", remarks.len() - most));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod unit_tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::NARROW;

    fn remark(test: &str) -> Remark {
        Remark {
            test: test.into(),
            verdict: "failing".into(),
            text: "failed when watched and alone in 10 of 10 fresh VMs: java.lang.AssertionError: expected:<1>".into(),
        }
    }

    #[test]
    fn each_takes_two_lines_and_a_long_list_is_cut() {
        let three = [remark("a.B#c"), remark("a.B#d"), remark("a.B#e")];
        assert_snapshot!(remarks(&three, 2, NARROW), @r"
        FAILING  a.B#c
          failed when watched and alone in 10 of 10 fresh VMs: java.lang.AssertionError…
        FAILING  a.B#d
          failed when watched and alone in 10 of 10 fresh VMs: java.lang.AssertionError…
        and 1 more
        ");
        assert_eq!(remarks(&[], 2, NARROW), "");
    }
}
