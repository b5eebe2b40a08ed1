use insta::assert_snapshot;
use surefoot_model::Evidence;

use super::*;
use crate::samples::{LONG, NARROW, ODD, WIDE, finding, totals};

const CART: &str = "com.acme.CartTest#total(int)[2]";

fn many() -> Vec<Finding> {
    let mut with_much_evidence = finding(&["com.acme.ZoneTest#winter"]);
    with_much_evidence.evidence.extend((1..9).map(|number| Evidence {
        label: "order".into(),
        text: format!("\n  observation {number}\n"),
    }));
    with_much_evidence.fix = "set the time zone in the test".into();
    let mut long = finding(&[LONG, "a.B#c"]);
    long.verdict = format!("{} and again", "passes and fails in identical fresh VMs, ".repeat(4));
    long.fix = "wait for the event itself, not for a time in which it usually happens; ".repeat(4);
    let mut odd = finding(&[ODD]);
    odd.evidence[0].text = "expected: \u{1b}[31m<\t1\u{7}>\u{1b}[0m but was: <日本>".into();
    vec![
        with_much_evidence,
        odd,
        finding(&[CART, "com.acme.CartTest#a", "com.acme.CartTest#b", "com.acme.CartTest#c"]),
        long,
    ]
}

#[test]
fn zero_findings() {
    assert_snapshot!(summary(&[], &totals(), NARROW));
}

#[test]
fn zero_findings_of_nothing() {
    assert_snapshot!(summary(&[], &Totals::default(), NARROW));
}

#[test]
fn one_finding() {
    assert_snapshot!(summary(&[finding(&[CART])], &totals(), NARROW));
}

#[test]
fn many_findings_at_80_columns() {
    assert_snapshot!(summary(&many(), &totals(), NARROW));
}

#[test]
fn many_findings_at_120_columns() {
    assert_snapshot!(summary(&many(), &totals(), WIDE));
}

#[test]
fn colours_change_nothing_but_colours() {
    let coloured = summary(&many(), &totals(), Terminal { width: 80, colour: true });
    assert!(coloured.starts_with("\u{1b}[1m\u{1b}[31mFLAKY\u{1b}[0m  \u{1b}[1mcom.acme"));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_eq!(plain, summary(&many(), &totals(), NARROW));
}

#[test]
fn a_finding_takes_at_most_seven_lines_and_keeps_to_the_width() {
    for columns in [0, 40, 57, 80, 120, 200] {
        let terminal = Terminal { width: columns, colour: false };
        for finding in &many() {
            let lines = finding_lines(finding, terminal);
            assert!(lines.len() <= MOST_LINES, "{lines:#?}");
            for line in lines.iter().filter(|line| !line.contains("reproduce")) {
                assert!(width(line) <= terminal.columns(), "{line}");
            }
        }
    }
}

#[test]
fn the_command_to_reproduce_is_never_cut() {
    let text = summary(&many(), &totals(), Terminal { width: 40, colour: false });
    assert!(text.contains(&format!("surefoot run '{LONG}' --repeat 20\n")));
}

#[test]
fn a_finding_without_tests_or_words_does_no_harm() {
    let mut empty = finding(&[""]);
    empty.tests.clear();
    empty.evidence.clear();
    for text in [&mut empty.verdict, &mut empty.reproduce, &mut empty.fix] {
        text.clear();
    }
    assert_eq!(finding_lines(&empty, NARROW).len(), 3);
}
