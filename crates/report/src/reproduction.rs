//! A finding's run once more: what `surefoot reproduce` prints.

use surefoot_model::{Evidence, RunResult, TestId};

use crate::details::labelled;
use crate::terminal::{BAD, BOLD, GOOD, Terminal};
use crate::text::printable;

/// How the test ended this time, and what it saw.
pub fn reproduction(
    test: &TestId,
    result: &RunResult,
    seen: &[Evidence],
    terminal: Terminal,
) -> String {
    let colour = if result.is_bad() { BAD } else { GOOD };
    let word = terminal.paint(colour, &result.word().to_uppercase());
    let mut text = format!("{word}  {}\n", terminal.paint(BOLD, &printable(test.as_str())));
    for evidence in seen {
        text.push_str(&labelled(&evidence.label, &evidence.text, terminal));
    }
    if let Some(reason) = result.reason() {
        text.push_str(&labelled("failure", &reason, terminal));
    }
    text
}

#[cfg(test)]
mod unit_tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::{NARROW, failed, finding};

    #[test]
    fn it_says_how_the_test_ended_and_what_it_saw() {
        let order = "usual [\"a\", \"b\"], fails with [\"b\", \"a\"]".to_owned();
        let seen = [Evidence { label: "order".to_owned(), text: order }];
        let test = &finding(&["a.B#c"]).tests[0];
        let texts = [failed("expected <1>"), RunResult::Passed]
            .map(|result| reproduction(test, &result, &seen, NARROW));
        assert_snapshot!(texts.concat());
    }
}
