//! Who is to blame for what is left, and what has one cause.

use super::*;

#[test]
fn a_test_that_does_nothing_where_others_come_before_is_not_named_whatever_else_they_do() {
    let names = || difference("com.acme.Parser.word[0].names", "\"\"", "\"word\"");
    let limit = || difference("com.acme.Parser.word[0].limit", "5", "100");
    let watch = watched(&[("A#1", change(&[names()])), ("B#1", change(&[limit()]))]);
    let left = |purpose: &str, _: usize, test: &str| match (purpose, test) {
        (BACKWARDS, "B#1") => change(&[names(), limit()]),
        (BACKWARDS, _) => change(&[]),
        (_, "A#1") => change(&[names()]),
        _ => change(&[limit()]),
    };
    let [finding] = &findings_of(&watch, left)[..] else { panic!("one root") };
    assert_eq!(finding.tests, [TestId::from("B#1")]);
    assert_eq!(finding.evidence[0].text, "com.acme.Parser.word[0].limit: 5 → 100");
}

#[test]
fn what_is_worked_out_together_with_a_flag_that_says_so_is_not_reported() {
    let shown = |flag: &str, other: &str| {
        let differences =
            [difference(flag, "False", "True"), difference(other, "\"\"", "\"a word\"")];
        let watch = watched(&[("A#1", change(&differences))]);
        let findings = findings_of(&watch, |_, _, _| change(&differences));
        findings.into_iter().map(|finding| finding.cause).collect::<Vec<_>>()
    };
    let flag = "com.acme.Parser.words[0].streamlined";
    assert_eq!(shown(flag, "com.acme.Parser.words[0].names[1].text"), [""; 0]);
    assert_eq!(shown(flag, "com.acme.Parser.words[1].text"), ["com.acme.Parser.words"]);
    assert_eq!(shown(flag, "com.acme.Parser.words[0]"), ["com.acme.Parser.words"]);
    assert_eq!(shown(flag, "com.acme.Other.words[0].text"), ["com.acme.Other.words"]);
}

#[test]
fn what_a_root_is_that_was_prepared_is_reported() {
    let mut flag = difference("com.acme.Shop.app.initialized", "false", "true");
    let mut mode = difference("com.acme.Shop.app.mode", "1", "2");
    for one in [&mut flag, &mut mode] {
        (one.root, one.steps) = ("com.acme.Shop.app".to_owned(), 1);
    }
    let both = || change(&[flag.clone(), mode.clone()]);
    let watch = watched(&[("A#1", both())]);
    assert_eq!(findings_of(&watch, |_, _, _| both()).len(), 1, "who knows why a test did that");
}

#[test]
fn a_test_that_changes_what_another_one_does_in_any_order_is_named_with_it() {
    let on = || change(&[difference("com.acme.Shop.traced", "false", "true")]);
    // Something in between sets it back.
    let watch = watched(&[("A#1", on()), ("B#1", on())]);
    let [finding] = &findings_of(&watch, |purpose, _, test| match (purpose, test) {
        (BACKWARDS, "A#1") => change(&[]),
        _ => on(),
    })[..] else {
        panic!("one root")
    };
    assert_eq!(finding.tests, [TestId::from("A#1"), TestId::from("B#1")]);
}

#[test]
fn roots_that_the_same_tests_change_in_the_same_way_are_one_finding() {
    let entry = |path: &str, after: &str| {
        let mut entry = difference(path, "", after);
        (entry.kind, entry.before) = (DifferenceKind::Added, None);
        entry
    };
    let differences = [
        entry("com.acme.Shop.north[0]", "Fee"),
        entry("com.acme.Shop.north[1]", "Tax"),
        entry("com.acme.Shop.south[0]", "Fee"),
        entry("com.acme.Shop.south[1]", "Tax"),
        entry("com.acme.Shop.east[0]", "Tax"),
        entry("com.acme.Shop.west[0]", "Tax"),
        difference("com.acme.Shop.open", "true", "false"),
        difference("com.acme.Shop.lit", "true", "false"),
    ];
    let watch = watched(&[("A#1", change(&differences)), ("B#1", change(&differences[..2]))]);
    let others = |test: &str| change(&differences[..if test == "A#1" { 8 } else { 2 }]);
    let causes = |findings: Vec<Finding>| {
        findings.into_iter().map(|finding| finding.cause).collect::<Vec<_>>()
    };
    let named = |names: &[&str]| names.iter().map(|name| format!("com.acme.Shop.{name}")).collect();
    let apart: Vec<String> = named(&["east", "lit", "north", "open", "south", "west"]);
    let found = causes(findings_of(&watch, |_, _, test| others(test)));
    assert_eq!(found, apart, "B#1 changes only one of them");
    let watch = watched(&[("A#1", change(&differences))]);
    let findings = findings_of(&watch, |_, _, _| change(&differences));
    assert_eq!(findings[2].evidence[1].text, "the same in 1 more: com.acme.Shop.south");
    let together: Vec<String> = named(&["east", "lit", "north", "open", "west"]);
    assert_eq!(causes(findings), together, "one place alone may be alike by chance");
}

#[test]
fn what_changes_below_a_root_that_is_asked_for_is_told_whatever_speaks_against_it() {
    let differences = [
        difference("com.acme.Shop.priceCache[1]", "x", "y"),
        difference("com.acme.Shop.open", "true", "false"),
    ];
    let watch = watched(&[("A#1", change(&differences))]);
    let scope = Scope { roots: vec!["com.acme.Shop.priceCache".into()], ..all_of(&watch) };
    let rules = Rules::new(&[], &[]).unwrap();
    let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
    assert_eq!(play_on(&mut pollution, |_| change(&differences)), 2, "and the suite not backwards");
    let [finding] = &pollution.findings()[..] else { panic!("one root") };
    assert_eq!(finding.cause, "com.acme.Shop.priceCache");
    assert_eq!(finding.reproduce, "surefoot pollution A#1 --root com.acme.Shop.priceCache");
    assert_eq!(pollution.suppressed(), []);
}

#[test]
fn what_is_loaded_again_is_one_finding() {
    let class = |name: &str| {
        let path = format!("shop.vector.{name}");
        let shown = [format!("shop.vector.{name}"), name.to_owned()];
        difference(&path, &shown[0], &shown[1])
    };
    let both = || change(&[class("Vector"), class("Matrix"), difference("shop.open", "1", "2")]);
    let watch = watched(&[("A#1", both())]);
    let findings = findings_of(&watch, |_, _, _| both());
    let causes: Vec<&str> = findings.iter().map(|finding| finding.cause.as_str()).collect();
    assert_eq!(causes, ["shop.open", "shop.vector.Matrix"]);
}
