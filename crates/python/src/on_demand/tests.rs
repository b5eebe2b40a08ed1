#![cfg(test)]

use super::*;

/// How `shop.cart.RATES`, a dict, gets its entries in a program of this one module.
fn entered(code: &str) -> Filling {
    in_files(&[("shop/cart.py", code)], |attributes| attributes.entered("shop.cart.RATES"))
}

fn set(code: &str) -> Filling {
    in_files(&[("shop/cart.py", code)], |attributes| attributes.set("shop.cart.RATES"))
}

fn in_files<T>(files: &[(&str, &str)], ask: impl Fn(&Attributes) -> T) -> T {
    let directory = tempfile::tempdir().unwrap();
    for (path, code) in files {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, code).unwrap();
    }
    let directories = vec![directory.path().to_owned()];
    ask(&Attributes::in_directories(directories))
}

#[test]
fn a_dict_that_is_filled_where_something_is_missing_is_a_memo() {
    for code in [
        "def rate(name):\n    if name not in RATES:\n        RATES[name] = work_out(name)\n    return RATES[name]\n",
        "def rate(name):\n    if name in RATES:\n        return RATES[name]\n    found = work_out(name)\n    RATES[name] = found\n    return found\n",
        "def rate(name):\n    try:\n        return RATES[name]\n    except KeyError:\n        found = RATES[name] = work_out(name)\n        return found\n",
        "def rate(name):\n    try:\n        return RATES[name]\n    except KeyError:\n        pass\n    RATES[name] = work_out(name)\n    return RATES[name]\n",
        "def rate(name):\n    found = RATES.get(name)\n    if found is None:\n        found = work_out(name)\n        RATES[name] = found\n    return found\n",
        "def rate(name):\n    if (found := RATES.get(name)) is None:\n        RATES[name] = found = work_out(name)\n    return found\n",
        "def rate(name):\n    return RATES.setdefault(name, work_out(name))\n",
        "def rate(name):\n    if len(RATES) > 100:\n        RATES.clear()\n    with LOCK:\n        if not name in RATES:\n            RATES[name] = work_out(name)\n        return RATES[name]\n",
        "def rate(name):\n    known = RATES\n    if name not in known:\n        known[name] = work_out(name)\n    return known[name]\n",
        "def rate(name):\n    found = RATES.get(name)\n    if found is None:\n        found = set()\n        for one in name:\n            found.add(one)\n        RATES[name] = found\n    return found\n",
    ] {
        assert_eq!(entered(&format!("RATES = {{}}\n{code}")), Filling::OnDemand, "{code}");
    }
}

#[test]
fn a_dict_that_anybody_looks_into_otherwise_is_none() {
    const MEMO: &str = "RATES = {}\ndef rate(name):\n    if name not in RATES:\n        RATES[name] = work_out(name)\n    return RATES[name]\n";
    assert_eq!(entered(MEMO), Filling::OnDemand);
    for code in [
        "def known():\n    return list(RATES)\n",
        "def is_known(name):\n    return name in RATES\n",
        "def all_of_them():\n    for name in RATES: print(name)\n",
        "def register(name, rate):\n    RATES[name] = rate\n",
        "def number():\n    return len(RATES)\n",
        "def show():\n    print(getattr(module, 'RATES'))\n",
        "def total():\n    '''\n    >>> len(RATES)\n    0\n    '''\n",
        "def show():\n    return f'{RATES}'\n",
        "ALIAS = RATES\n",
        "def rates():\n    return RATES\n",
    ] {
        assert_eq!(entered(&format!("{MEMO}{code}")), Filling::Unknown, "{code}");
    }
    let first_asks = "def is_dear(name):\n    rate(name)\n    return RATES[name] > 1\n";
    assert_eq!(entered(&format!("{MEMO}{first_asks}")), Filling::OnDemand);
    let local = "def other():\n    RATES = []\n    return RATES\n";
    assert_eq!(entered(&format!("{MEMO}{local}")), Filling::OnDemand);
}

#[test]
fn what_is_put_in_must_be_worked_out_from_the_key_and_from_nothing_else() {
    for code in [
        // A registry.
        "def register(name, rate):\n    if name in RATES:\n        raise ValueError(name)\n    else:\n        RATES[name] = rate\n",
        "def register(name):\n    if name in RATES:\n        raise ValueError(name)\n    RATES[name] = work_out(name)\n",
        "def keep(name, rate):\n    return RATES.setdefault(name, rate)\n",
        "def join(self, name):\n    if name not in RATES:\n        RATES[name] = self\n    return RATES[name]\n",
        // Another caller would have another market.
        "def rate(name, market):\n    if name not in RATES:\n        RATES[name] = work_out(name, market)\n    return RATES[name]\n",
        // A list for each key, and a counter.
        "def add(name, one):\n    RATES.setdefault(name, []).append(one)\n",
        "def add(name, one):\n    if name not in RATES:\n        RATES[name] = []\n    RATES[name].append(one)\n",
        "def count(name):\n    RATES[name] = RATES.get(name, 0) + 1\n",
        "def count(name):\n    RATES[name] += 1\n",
        "def add(name, one):\n    rates = RATES.get(name)\n    if rates is None:\n        rates = RATES[name] = make(name)\n    rates.append(one)\n",
        // Who comes first does something that others do not.
        "def warn_once(name):\n    if name not in RATES:\n        RATES[name] = True\n        print(name)\n",
        "def is_new(name):\n    if name not in RATES:\n        RATES[name] = work_out(name)\n        return True\n    return False\n",
        // Whatever is there is replaced.
        "def rate(name):\n    RATES[name] = work_out(name)\n    return RATES[name]\n",
        "def rate(name, again):\n    if name in RATES and not again:\n        return RATES[name]\n    RATES[name] = work_out(name)\n    return RATES[name]\n",
        "def rate(name):\n    if name not in RATES or hurry():\n        RATES[name] = work_out(name)\n    return RATES[name]\n",
        "def rate(name, other):\n    if other not in RATES:\n        RATES[name] = work_out(name)\n    return RATES[name]\n",
    ] {
        assert_eq!(entered(&format!("RATES = {{}}\n{code}")), Filling::Unknown, "{code}");
    }
}

#[test]
fn an_attribute_is_told_from_that_of_another_class() {
    let own = "class Shop:\n    def __init__(self):\n        self.rates = {}\n    def rate(self, name):\n        if name not in self.rates:\n            self.rates[name] = self.work_out(name)\n        return self.rates[name]\n";
    let other = "class Bank:\n    def __init__(self, rates):\n        self.rates = rates\n    def all(self):\n        return list(self.rates)\n";
    let below = "class Corner(Shop):\n    def all(self):\n        return list(self.rates)\n";
    let handed = "def all(shop):\n    return list(shop.rates)\n";
    let of = |more: &str| {
        in_files(&[("a.py", own), ("b.py", more)], |attributes| attributes.entered("a.Shop.rates"))
    };
    assert_eq!(of(""), Filling::OnDemand);
    assert_eq!(of(other), Filling::OnDemand);
    assert_eq!(of(below), Filling::Unknown);
    assert_eq!(of(handed), Filling::Unknown);
    assert_eq!(of("def broken(:\n    rates\n"), Filling::Unknown, "nobody knows what this does");
}

#[test]
fn a_name_counts_in_other_files_only_if_they_can_mean_it() {
    let own = "RATES = {}\ndef rate(name):\n    if name not in RATES:\n        RATES[name] = work_out(name)\n    return RATES[name]\n";
    let of = |more: &str| {
        let files = [("shop/cart.py", own), ("test_shop.py", more)];
        in_files(&files, |attributes| attributes.entered("shop.cart.RATES"))
    };
    assert_eq!(of("RATES = [1, 2]\nprint(RATES)\n"), Filling::OnDemand, "its own");
    for code in [
        "from shop.cart import RATES\ndef test():\n    assert 'a' in RATES\n",
        "from shop.cart import RATES as rates\n",
        "from shop.cart import *\ndef test():\n    assert 'a' in RATES\n",
        "import shop.cart\ndef test():\n    assert shop.cart.RATES == {}\n",
        "def test(monkeypatch):\n    monkeypatch.setattr('shop.cart', 'RATES', {})\n",
    ] {
        assert_eq!(of(code), Filling::Unknown, "{code}");
    }
}

#[test]
fn what_is_set_where_it_is_missing_is_set_on_demand() {
    for code in [
        "def rates():\n    global RATES\n    if RATES is None:\n        RATES = load()\n    return RATES\n",
        "def rates():\n    global RATES\n    if RATES is not None:\n        return RATES\n    RATES = load()\n    return RATES\n",
        "def rates():\n    global RATES\n    if not RATES:\n        RATES = load()\n    return RATES\ndef forget():\n    global RATES\n    RATES = None\n",
        "def rates():\n    global RATES\n    if RATES is None:\n        RATES = load()\n    return RATES\ndef first():\n    rates()\n    return RATES[0]\n",
    ] {
        assert_eq!(set(&format!("RATES = None\n{code}")), Filling::OnDemand, "{code}");
    }
    let object = "class Shop:\n    def rates(self):\n        try:\n            return self._rates\n        except AttributeError:\n            self._rates = load(self)\n            return self._rates\n    def more(self):\n        if not hasattr(self, '_rates'):\n            self._rates = load(self)\n";
    let of = |code| in_files(&[("a.py", code)], |attributes| attributes.set("a.Shop._rates"));
    assert_eq!(of(object), Filling::OnDemand);
}

#[test]
fn what_callers_set_is_given_and_what_anybody_looks_at_is_not_known() {
    let lazy = "RATES = None\ndef rates():\n    global RATES\n    if RATES is None:\n        RATES = load()\n    return RATES\n";
    let with = |code: &str| set(&format!("{lazy}{code}"));
    assert_eq!(with("def use(rates):\n    global RATES\n    RATES = rates\n"), Filling::Given);
    assert_eq!(with("def is_loaded():\n    return RATES is not None\n"), Filling::Unknown);
    let reads = "class Cart:\n    def __init__(self):\n        self.rates = RATES\n";
    assert_eq!(with(reads), Filling::Unknown);
    assert_eq!(with("def again():\n    global RATES\n    RATES = load()\n"), Filling::Unknown);
    let made_of = "RATES = None\ndef rates(market):\n    global RATES\n    if RATES is None:\n        RATES = load(market)\n    return RATES\n";
    assert_eq!(set(made_of), Filling::Unknown, "the first market counts");
}

#[test]
fn generated_code_of_any_size_is_read() {
    let memo = "RATES = {}\ndef rate(name):\n    if name not in RATES:\n        RATES[name] = work_out(name)\n    return RATES[name]\n";
    let table = format!("TABLE = [{}]\n", "(1, 'RATES'), ".repeat(60_000));
    assert_eq!(entered(&format!("{memo}{table}")), Filling::OnDemand);
    let condition = vec!["name"; 20_000].join(" or ");
    let long =
        format!("def long(name):\n    if {condition}:\n        RATES[name] = work_out(name)\n");
    assert_eq!(entered(&format!("{memo}{long}")), Filling::Unknown);
}

/// Whether whoever uses `shop.cart.RATES` sets it first.
fn is_set_first(code: &str) -> bool {
    in_files(&[("shop/cart.py", code)], |attributes| attributes.is_set_first("shop.cart.RATES"))
}

#[test]
fn what_every_function_sets_before_it_looks_is_set_first() {
    const SETS: &str = "RATES = []\ndef test_a():\n    global RATES\n    RATES = [1]\n    def more():\n        RATES.append(2)\n    more()\n    assert RATES\n";
    assert!(is_set_first(SETS));
    assert!(is_set_first(&format!(
        "{SETS}def test_b():\n    RATES.clear()\n    RATES.append(1)\n"
    )));
    for looks in [
        "def test_b():\n    assert RATES\n",
        "def test_b():\n    if RATES:\n        RATES.clear()\n",
        "def test_b():\n    global RATES\n    RATES += [1]\n",
        "def test_b(rate):\n    global RATES\n    for one in rate:\n        RATES = one\n",
        "def test_b():\n    print(getattr(module, 'RATES'))\n",
        "ALL = [RATES]\n",
    ] {
        assert!(!is_set_first(&format!("{SETS}{looks}")), "{looks}");
    }
    assert!(!is_set_first("RATES = []\n"), "nobody sets it");
}

#[test]
fn what_runs_before_each_test_of_a_class_or_a_module_sets_it_for_them() {
    let set_up = |decorator: &str, name: &str| {
        format!(
            "import pytest\nclass TestCart:\n    RATES = []\n    {decorator}\n    def {name}(self):\n        TestCart.RATES = []\n    def test_a(self):\n        TestCart.RATES.append(1)\n"
        )
    };
    let is_set = |code: &str| {
        in_files(&[("test_cart.py", code)], |code| code.is_set_first("test_cart.TestCart.RATES"))
    };
    assert!(is_set(&set_up("", "setUp")));
    assert!(is_set(&set_up("@pytest.fixture(autouse=True)", "empty")));
    assert!(!is_set(&set_up("@pytest.fixture(autouse=True, scope='class')", "empty")));
    assert!(!is_set(&set_up("@pytest.fixture", "empty")), "not every test asks for it");
    assert!(!is_set(&set_up("@classmethod", "setUpClass")));
    let other = "class TestOther:\n    def test_b(self):\n        assert TestCart.RATES\n";
    assert!(!is_set(&format!("{}{other}", set_up("", "setUp"))), "nothing sets it before that one");
}
