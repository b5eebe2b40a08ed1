//! What is told as one finding, as one line of code does it.

use super::*;

#[test]
fn what_one_inherited_test_does_in_several_classes_is_one_finding() {
    let entry = |class: &str| {
        let mut entry = difference(&format!("{class}.values[{}]", class.len()), "", "1");
        (entry.kind, entry.before) = (DifferenceKind::Added, None);
        change(&[entry])
    };
    let tests = ["shop.A#adds", "shop.Bc#adds", "shop.Def#takes", "bank.A#adds"];
    let looks = tests.map(|test| (test, entry(test.split('#').next().unwrap())));
    let watch = watched(&looks);
    let findings = findings_of(&watch, |_, _, test| entry(test.split('#').next().unwrap()));
    let found: Vec<(&str, usize)> =
        findings.iter().map(|one| (one.cause.as_str(), one.tests.len())).collect();
    assert_eq!(found, [("bank.A.values", 1), ("shop.A.values", 2), ("shop.Def.values", 1)]);
    assert!(
        findings[1].evidence.iter().any(|one| one.text == "the same in 1 more: shop.Bc.values")
    );
    assert_eq!((findings[1].confidence.seen, findings[1].confidence.of), (6, 6));
}

#[test]
fn attributes_that_a_test_adds_to_one_class_are_one_finding() {
    let gained = |path: &str| {
        let mut gained = difference(path, "", "property");
        (gained.kind, gained.before) = (DifferenceKind::Added, None);
        gained
    };
    let changes = change(&["shop.A.one", "shop.A.two", "shop.B.one"].map(gained));
    let watch = watched(&[("A#1", changes.clone())]);
    let findings = findings_of(&watch, |_, _, _| changes.clone());
    let found: Vec<&str> = findings.iter().map(|one| one.cause.as_str()).collect();
    assert_eq!(found, ["shop.A.one", "shop.B.one"]);
    assert!(findings[0].evidence.iter().any(|one| one.text == "the same in 1 more: shop.A.two"));
}

/// What is reported of a suite of pytest's, with how many roots are told in each finding.
fn of_pytest(changes: &[(&str, StateChange)]) -> Vec<(String, usize)> {
    let mut watch = watched(changes);
    watch.tests.values_mut().for_each(|test| test.framework = Framework::Pytest);
    let findings = findings_of(&watch, |_, _, test| {
        changes.iter().find(|(name, _)| *name == test).unwrap().1.clone()
    });
    let more = |finding: &Finding| {
        let all = finding.evidence.iter().filter_map(|one| one.text.strip_prefix("the same in "));
        let number = all.filter_map(|text| text.split(' ').next()?.parse::<usize>().ok()).next();
        (finding.cause.clone(), 1 + number.unwrap_or(0))
    };
    findings.iter().map(more).collect()
}

#[test]
fn what_several_classes_or_functions_have_of_one_is_one_finding() {
    let below = |root: &str, below: &str, field: &str| {
        let path = format!("{root}{below}");
        let one = Difference { root: root.to_owned(), ..difference(&path, "1", "2") };
        change(&[Difference { field: Some(field.to_owned()), ..one }])
    };
    let calls = ["shop.buy", "shop.sell", "shop.Cart.pay"]
        .map(|root| below(root, ".calls[\"x\"]", "function wrapped.calls"));
    let params = ["shop.Aa._params", "shop.Bb._params"].map(|root| below(root, "", root));
    let [a, b, c] = calls;
    let [d, e] = params;
    let more = below("bank.Cart", "._params[0]", "bank.Cart._params");
    let objects = ["shop.NORTH", "shop.SOUTH", "shop.west"]
        .map(|root| below(root, ".values[0]", "shop.Shop.values"));
    let both = [("t1", a), ("t2", b), ("t3", c), ("t4", d), ("t5", e)];
    let found = of_pytest(&both);
    let two = [("shop.Aa._params", 1), ("shop.Bb._params", 1), ("shop.Cart.pay", 3)];
    let named = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
        all.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
    };
    assert_eq!(found, named(&two), "two alone may be alike by chance");
    let all = [&both[..], &[("t6", more)]].concat();
    assert_eq!(of_pytest(&all), named(&[("bank.Cart", 3), ("shop.Cart.pay", 3)]));
    let [north, south, west] = objects;
    let objects = [("t1", north), ("t2", south), ("t3", west)];
    assert_eq!(of_pytest(&objects).len(), 3, "objects of one class are changed one by one");
}

#[test]
fn attributes_of_one_module_that_a_test_sets_are_one_finding() {
    let set = ["shop.rate", "shop.limit", "shop.names"].map(|name| difference(name, "1", "2"));
    let added = difference("shop.names[0]", "1", "2");
    let changes = |of: &[Difference]| [("t1", change(of))];
    assert_eq!(of_pytest(&changes(&set)), [("shop.limit".to_owned(), 3)]);
    assert_eq!(of_pytest(&changes(&set[..2])).len(), 2, "two have a cause each");
    let [rate, limit, names] = set.clone();
    let some =
        [("t1", change(&set)), ("t2", change(&[rate.clone(), limit])), ("t3", change(&[rate]))];
    assert_eq!(of_pytest(&some), [("shop.limit".to_owned(), 3)], "some of the tests set some");
    let others = [&some[..2], &[("t3", change(&[names]))]].concat();
    assert_eq!(of_pytest(&others).len(), 3, "by other tests");
    let rows = ["test_it.py::t[a]", "test_it.py::t[b::c]", "test_it.py::t[c]"];
    let rows: Vec<(&str, StateChange)> = rows
        .into_iter()
        .zip(&set)
        .map(|(row, one)| (row, change(std::slice::from_ref(one))))
        .collect();
    assert_eq!(of_pytest(&rows), [("shop.limit".to_owned(), 3)], "by rows of one test");
    let inside = [set[0].clone(), set[1].clone(), added];
    assert_eq!(
        of_pytest(&changes(&inside)).len(),
        3,
        "what lies in a list was put there by itself"
    );
}
