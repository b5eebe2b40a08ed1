//! Pollution in the words of pytest.

use surefoot_model::{Access, Difference, DifferenceKind, Framework, StateChange, Test};

/// Generators of random numbers that a whole process shares.
const GENERATORS: &[&str] = &["random.getstate()", "numpy.random.get_state()"];

/// Whether a difference is no generator's, or the test has set the generator to a state of its choice: the same one each time,
/// from wherever it was. A test that only draws numbers leaves another state if it met another one.
pub(super) fn is_seeded(difference: &Difference, looks: &[StateChange]) -> bool {
    if !GENERATORS.contains(&difference.root.as_str()) {
        return true;
    }
    let all = || {
        let all = looks.iter().flat_map(|look| &look.differences);
        all.filter(|one| one.root == difference.root)
    };
    all().all(|one| one.after == difference.after)
        && all().any(|one| one.before != difference.before)
}

/// Whether the root is the function of the test that changed it.
pub(super) fn is_own_function(difference: &Difference, test: Option<&Test>) -> bool {
    let Some(test) = test.filter(|test| test.framework == Framework::Pytest) else { return false };
    let name = difference.root.rsplit('.').next();
    name.is_some() && name == test.method.as_deref()
}

/// Whether a class or a module is the one that the test is of: `tests.test_cart.TestCart` of `tests/test_cart.py::TestCart`, whatever
/// directory imports begin at.
pub(super) fn is_of_its_class(test: &Test, owner: &str) -> bool {
    let class = test.class.replacen(".py", "", 1).replace("::", ".").replace('/', ".");
    let rest = class.strip_suffix(owner);
    test.framework == Framework::Pytest
        && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// What to do about a root that is left changed.
pub(crate) fn fix(root: &str, first: Option<&Difference>) -> String {
    let is_process = first.is_some_and(|one| one.access == Access::Process);
    let is_added = first.is_some_and(|one| one.kind == DifferenceKind::Added);
    let is_removed = first.is_some_and(|one| one.kind == DifferenceKind::Removed);
    if is_process {
        return of_process(root).to_owned();
    }
    if let Some(name) = root.strip_prefix("fixture ") {
        return format!(
            "give the fixture {name} the scope \"function\", or undo the change in the test"
        );
    }
    if first.is_some_and(is_loaded_again) {
        return "if modules are loaded again, do that in a process of its own; if not, replace it with monkeypatch.setattr, which puts it back"
            .to_owned();
    }
    if is_replaced(first) {
        return "replace it with monkeypatch.setattr or unittest.mock.patch, which put it back"
            .to_owned();
    }
    let undo = if is_added {
        "take out after the yield of a fixture what the test put in"
    } else if is_removed {
        "put back after the yield of a fixture what the test took out"
    } else {
        "set it with monkeypatch.setattr or monkeypatch.setitem, which put it back"
    };
    format!("{undo}, or give each test an object of its own")
}

/// A function or a class in place of another one of that name.
pub(super) fn is_loaded_again(one: &Difference) -> bool {
    let name =
        |text: &Option<String>| text.as_deref()?.rsplit(['.', ' ']).next().map(str::to_owned);
    let last = one.path.rsplit('.').next();
    last.is_some() && name(&one.before).as_deref() == last && name(&one.after).as_deref() == last
}

/// A function or a class that is another one now.
fn is_replaced(difference: Option<&Difference>) -> bool {
    let is_code =
        |text: &str| ["function", "class ", "builtin "].iter().any(|start| text.starts_with(start));
    difference.is_some_and(|one| {
        one.kind == DifferenceKind::Value && one.before.as_deref().is_some_and(is_code)
    })
}

fn of_process(root: &str) -> &'static str {
    match root {
        "os.environ" => "set it with monkeypatch.setenv or monkeypatch.delenv, which put it back",
        "os.getcwd()" => "change the directory with monkeypatch.chdir, which changes back",
        "sys.path" => "add to it with monkeypatch.syspath_prepend, which takes it out again",
        "sys.modules" => {
            "replace or remove modules with monkeypatch.setitem or delitem on sys.modules"
        }
        "sys.stdout" | "sys.stderr" | "sys.stdin" => {
            "use capsys, contextlib.redirect_stdout or monkeypatch.setattr, which put the stream back"
        }
        "warnings.filters" => "change them inside warnings.catch_warnings() or pytest.warns",
        "decimal.getcontext()" => "change it inside decimal.localcontext()",
        "random.getstate()" | "numpy.random.get_state()" => {
            "use a generator of the test's own (random.Random(seed), numpy.random.default_rng(seed)) instead of seeding the one that all share"
        }
        "live threads" => {
            "end the thread, or shut its executor down, and wait for it, after the yield of a fixture"
        }
        "listening sockets" => "close the server after the yield of a fixture",
        _ if root.starts_with("logging.") => {
            "set levels with caplog.set_level, and take handlers off again after the yield of a fixture"
        }
        _ if root.starts_with("signal.") => {
            "set the former handler again after the yield of a fixture"
        }
        _ => "set it back to what it was after the yield of a fixture",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pollution::samples::difference;
    use crate::samples::watch;

    fn state(before: &str, after: &str) -> StateChange {
        let differences = vec![difference("random.getstate()", before, after)];
        StateChange { differences, ..StateChange::default() }
    }

    #[test]
    fn a_generator_that_ends_in_the_same_state_wherever_it_was_was_seeded() {
        let is_seeded = |looks: &[StateChange]| is_seeded(&looks[0].differences[0], looks);
        assert!(is_seeded(&[state("1", "9"), state("2", "9"), state("3", "9")]));
        assert!(!is_seeded(&[state("1", "7"), state("2", "8"), state("1", "7")]), "it draws");
        assert!(!is_seeded(&[state("1", "9"), state("1", "9")]), "it draws after one that seeds");
        let other = difference("shop.rate", "1", "2");
        assert!(super::is_seeded(&other, &[]));
    }

    #[test]
    fn the_class_of_a_test_is_known_by_its_file() {
        let watch = watch(&[&["x"]]);
        let mut test = watch.tests[&"x".into()].clone();
        test.framework = Framework::Pytest;
        test.class = "tests/unit/test_cart.py::TestCart".to_owned();
        for owner in ["tests.unit.test_cart.TestCart", "test_cart.TestCart"] {
            assert!(is_of_its_class(&test, owner), "{owner}");
        }
        for owner in ["test_cart", "cart.TestCart", "shop.test_cart.TestCart", "TestCar"] {
            assert!(!is_of_its_class(&test, owner), "{owner}");
        }
        test.class = "tests/unit/test_cart.py".to_owned();
        assert!(is_of_its_class(&test, "unit.test_cart"));
    }

    #[test]
    fn the_fix_is_in_the_terms_of_pytest() {
        let of = |root: &str, before: &str, after: &str, access| {
            let mut one = difference(root, before, after);
            one.access = access;
            fix(root, Some(&one))
        };
        assert!(of("os.environ", "a", "b", Access::Process).contains("monkeypatch.setenv"));
        assert!(
            of("time.sleep", "builtin function", "function f", Access::Public).contains("patch")
        );
        let again = of("shop.cart.Cart", "shop.cart.Cart", "Cart", Access::Public);
        assert!(again.contains("loaded again"), "{again}");
        assert!(of("shop.rates", "1", "2", Access::Public).contains("monkeypatch.setattr"));
        assert!(of("fixture db", "1", "2", Access::Public).contains("scope"));
    }
}
