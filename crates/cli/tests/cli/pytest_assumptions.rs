//! Tests of pytest that rely on what Python's documentation leaves open: found with the call that they rely on, and nothing else.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::pytest::{NEWEST, debug_build, project_of, pytest, python_3_14};
use crate::support::{Ended, Project};

/// Runs Surefoot where hashes are as usual, and with these variables.
fn surefoot(project: &Project, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
    let mut command = project.command(arguments);
    command.env("PYTHONHASHSEED", "0").envs(variables.iter().copied());
    project.start_command(command).end()
}

fn watch(project: &Project, environment: &str) {
    surefoot(project, &["watch", "--", &pytest(environment), "-q"], &[]).expect(0);
}

fn texts<'a>(finding: &'a Value, label: &str) -> Vec<&'a str> {
    let all = finding["evidence"].as_array().unwrap().iter();
    all.filter(|one| one["label"] == label).map(|one| one["text"].as_str().unwrap()).collect()
}

/// `test, …: call, …` for each finding; without a call what was other than usual.
fn found(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let assumptions = findings.filter(|finding| finding["kind"] == "assumption");
    let line = |finding: &Value| {
        let tests = finding["tests"].as_array().unwrap().iter();
        let tests = tests.map(|test| test.as_str().unwrap().rsplit("::").next().unwrap());
        let calls = [texts(finding, "call"), texts(finding, "hashes")].concat();
        format!("{}: {}", tests.collect::<Vec<_>>().join(", "), calls.join(", "))
    };
    assumptions.map(line).collect()
}

#[track_caller]
fn expect(ended: &Ended, expected: &[&str]) {
    ended.finds(&found(ended), expected);
}

#[test]
fn directories_are_listed_in_another_order() {
    let project = Project::copy_of("assumptions-pytest");
    watch(&project, NEWEST);
    let words = [
        "test_listdir",
        "test_listdir_in_the_product",
        "test_scandir",
        "test_walk",
        "test_iterdir",
        "test_glob",
    ];
    let ended = project.run(&[&["assumptions", "--format", "json"], &words[..]].concat());
    expect(
        &ended,
        &[
            "test_listdir: test_assumes.test_listdir(test_assumes.py:25) by os.listdir",
            "test_listdir_in_the_product: shop.stock.files(shop/stock.py:5) by os.listdir",
            "test_scandir: test_assumes.test_scandir(test_assumes.py:33) by os.scandir",
            "test_walk: test_assumes.test_walk(test_assumes.py:38) by os.walk",
            "test_iterdir: test_assumes.test_iterdir(test_assumes.py:42) by Path.iterdir",
            "test_glob: test_assumes.test_glob(test_assumes.py:46) by glob.glob",
        ],
    );
    let report = ended.json();
    let order = texts(&report["findings"][0], "order")[0];
    assert!(order.contains("'apples.txt'") && order.contains(", fails with ["), "{order}");
}

#[test]
fn sets_are_read_in_another_order() {
    let project = Project::copy_of("assumptions-pytest");
    watch(&project, NEWEST);
    let words = [
        "test_set_in_the_product",
        "test_first_of_a_set",
        "test_list_of_a_set",
        "test_pop",
        "test_keys",
        "TestClass",
        "test_fixture",
    ];
    let ended = project.run(&[&["assumptions", "--format", "json"], &words[..]].concat());
    expect(
        &ended,
        &[
            "test_set_in_the_product: shop.stock.labels(shop/stock.py:14) by iteration of a set",
            "test_first_of_a_set: shop.stock.first(shop/stock.py:9) by iteration of a set",
            "test_list_of_a_set: test_assumes.test_list_of_a_set(test_assumes.py:58) by list",
            "test_pop: test_assumes.test_pop(test_assumes.py:62) by set.pop",
            "test_keys: test_assumes.test_keys(test_assumes.py:66) by dict.fromkeys",
            "test_set_up: test_assumes.TestClass.setUp(test_assumes.py:71) by list",
            "test_fixture[0], test_fixture[3]: test_assumes.numbers(test_assumes.py:79) by iteration of a set",
        ],
    );
    let report = ended.json();
    let about = |test: &str| {
        let findings = report["findings"].as_array().unwrap().iter();
        let is = |finding: &&Value| finding["tests"][0].as_str().unwrap().ends_with(test);
        findings.clone().find(is).unwrap().clone()
    };
    let first = about("test_first_of_a_set");
    assert_eq!(first["verdict"], "fails when a set is read in another order");
    assert!(texts(&first, "order")[0].starts_with("usual [1, 2, 3, 4], fails with ["));
    assert!(texts(&first, "strictness")[0].starts_with("level one: "), "{first:#}");
    project.run(&["explain", "test_first_of_a_set"]).expect(1).says("use sorted(…)");
    project.run(&["reproduce", "test_first_of_a_set"]).expect(1).says("usual [1, 2, 3, 4]");
    let reproduce = first["reproduce"].as_str().unwrap();
    let again: Vec<&str> = reproduce.split(' ').skip(1).chain(["--format", "json"]).collect();
    assert_eq!(found(&project.run(&again)).len(), 1, "{reproduce}");
}

#[test]
fn results_and_rows_come_in_another_order() {
    let project = Project::copy_of("assumptions-pytest");
    watch(&project, NEWEST);
    let words = ["test_as_completed", "test_imap_unordered", "test_rows"];
    let ended = project.run(&[&["assumptions", "--format", "json"], &words[..]].concat());
    expect(
        &ended,
        &[
            "test_as_completed: test_assumes.test_as_completed(test_assumes.py:95) by futures.as_completed",
            "test_imap_unordered: test_assumes.test_imap_unordered(test_assumes.py:100) by pool.imap_unordered",
            "test_rows: test_assumes.test_rows(test_assumes.py:104) by sqlite3.connect",
        ],
    );
}

#[test]
fn sets_in_lists_and_texts_and_tasks_come_in_another_order() {
    let project = Project::copy_of("assumptions-pytest");
    watch(&project, NEWEST);
    let words = [
        "test_display",
        "test_display_in_the_product",
        "test_addition",
        "test_slice",
        "test_text",
        "test_tasks_as_completed",
    ];
    let ended = project.run(&[&["assumptions", "--format", "json"], &words[..]].concat());
    expect(
        &ended,
        &[
            "test_display: test_assumes.test_display(test_assumes.py:125) by [*…]",
            "test_display_in_the_product: shop.stock.with_all(shop/stock.py:18) by [*…]",
            "test_addition: test_assumes.test_addition(test_assumes.py:134) by list +=",
            "test_slice: test_assumes.test_slice(test_assumes.py:140) by list[…] =",
            "test_text: test_assumes.test_text(test_assumes.py:145) by repr",
            "test_tasks_as_completed: test_assumes.test_tasks_as_completed.all_of_them(test_assumes.py:154) by asyncio.as_completed",
        ],
    );
}

#[test]
fn hashes_of_text_are_others_in_another_process() {
    let project = Project::copy_of("assumptions-pytest");
    watch(&project, NEWEST);
    let ended = project.run(&["assumptions", "--format", "json", "test_hash"]);
    let line = "test_assumes.test_hash(test_assumes.py:121) by hash";
    let hashes = "usual PYTHONHASHSEED=0, fails with PYTHONHASHSEED=42";
    expect(&ended, &[&format!("test_hash: {line}, {hashes}")]);
    let finding = &ended.json()["findings"][0];
    assert_eq!(texts(finding, "rate"), ["failed with 3 of 3 values of PYTHONHASHSEED"]);
    project.run(&["reproduce", "test_hash"]).expect(1).says("fails with PYTHONHASHSEED=42");
    let reproduce = finding["reproduce"].as_str().unwrap();
    let expected =
        "surefoot assumptions test_assumes.py::test_hash --only PYTHONHASHSEED --seed 42 --seeds 1";
    assert_eq!(reproduce, expected);
    let again: Vec<&str> = reproduce.split(' ').skip(1).chain(["--format", "json"]).collect();
    assert_eq!(found(&project.run(&again)).len(), 1, "{reproduce}");
    let other = project.run(&["assumptions", "--format", "json", "test_hash", "--only", "set"]);
    expect(&other, &[]);
}

const WITHOUT_A_CALL: &str = "\
def test_it():
    first = \"Emma\".__hash__()
    assert first % 8 == 0
";

#[test]
fn a_test_that_relies_on_hashes_without_calling_hash_is_told_with_the_line_that_fails() {
    let project = project_of(WITHOUT_A_CALL);
    watch(&project, NEWEST);
    let only = ["--only", "PYTHONHASHSEED", "--seeds", "5"];
    let ended = project.run(&[&["assumptions", "--format", "json"], &only[..]].concat());
    let report = ended.json();
    let finding = &report["findings"][0];
    assert_eq!(texts(finding, "failed-at"), ["test_it.py:3"], "{report:#}");
}

/// Of a size that nothing else has, so that CPython's own allocator hands the same block out again.
const IDS: &str = "\
import string


class Page:
    __slots__ = tuple(string.ascii_letters)


def two_ids():
    return id(Page()), id(Page())


def test_assumes_that_an_id_comes_again():
    first, second = two_ids()
    assert first == second


def test_does_not():
    pages = [Page() for _ in range(100)]
    by_id = {id(page): page for page in pages}
    assert len(by_id) == 100 and len(set(pages)) == 100
    assert all(by_id[id(page)] is page and hash(page) == object.__hash__(page) for page in pages)
    assert [bytes(size) for size in range(600)] == [b\"\\0\" * size for size in range(600)]
";

#[test]
fn ids_are_others_than_usual() {
    for environment in ["pytest-7.0", NEWEST] {
        let project = project_of(IDS);
        watch(&project, environment);
        let ended = project.run(&["assumptions", "--format", "json", "--only", "id"]);
        let report = ended.json();
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{report:#}");
        let test = "test_it.py::test_assumes_that_an_id_comes_again";
        assert_eq!(findings[0]["tests"], serde_json::json!([test]));
        assert_eq!(findings[0]["verdict"], "fails when objects have other ids than usual");
        let reproduce = format!("surefoot assumptions {test} --level id --only id");
        assert_eq!(findings[0]["reproduce"], reproduce);
        project.run(&["reproduce", "test_assumes_that_an_id_comes_again"]).expect(1);
    }
}

const CATALOGUE: &str = "\
class Catalogue:
    def __init__(self):
        self.titles = [\"Emma\", \"Ivanhoe\", \"Waverley\"]

    def names(self):
        return list(self.titles)

    @property
    def shelves(self):
        return [shelf for shelf in [1, 2]]

    @staticmethod
    def number():
        return 7


def prices():
    yield from (3, 5, 8)


async def pages():
    yield 1


def around(factor):
    def scaled(number):
        return [number, number * factor]

    return scaled


scaled = around(2)
length = len
";

const DECLARED: &str = "\
from catalogue import Catalogue, length, prices, scaled


def test_names():
    assert Catalogue().names() == [\"Emma\", \"Ivanhoe\", \"Waverley\"]


def test_shelves():
    assert len(Catalogue().shelves) == 2


def test_number():
    assert Catalogue.number() == 7


def test_prices():
    assert [price for price in prices()] == [3, 5, 8]


def test_scaled():
    assert scaled(4) == [4, 8]


def test_relies_on_nothing():
    assert sorted(Catalogue().names()) == [\"Emma\", \"Ivanhoe\", \"Waverley\"] and set(prices()) == {3, 5, 8}
    assert Catalogue().shelves[0] == 1 and isinstance(Catalogue.number(), int) and length([]) == 0
    assert scaled.__name__ == \"scaled\" and len(set(scaled(1))) == 2
";

#[test]
fn functions_that_a_user_declares_are_other_than_usual_too() {
    let project = project_of(DECLARED);
    std::fs::write(project.path().join("catalogue.py"), CATALOGUE).unwrap();
    let declare = "[assumptions]\ndeclare = [\n    \"catalogue.Catalogue.names=permute\",\n    \
                   \"catalogue.Catalogue.shelves=extend\",\n    \"catalogue.Catalogue.number=random\",\n    \
                   \"catalogue.prices=permute\",\n    \"catalogue.scaled=permute\",\n    \
                   \"catalogue.length=permute\",\n    \"catalogue.missing=permute\",\n    \
                   \"catalogue.pages=permute\",\n]\n";
    std::fs::write(project.path().join("surefoot.toml"), declare).unwrap();
    let strict = "[pytest]\nfilterwarnings = error:Assigning a code object\n";
    std::fs::write(project.path().join("pytest.ini"), strict).unwrap();
    watch(&project, NEWEST);
    let ended = project.run(&["assumptions", "--format", "json"]);
    expect(
        &ended,
        &[
            "test_names: test_it.test_names(test_it.py:5) by Catalogue.names",
            "test_number: test_it.test_number(test_it.py:13) by Catalogue.number",
            "test_prices: test_it.test_prices(test_it.py:17) by catalogue.prices",
            "test_scaled: test_it.test_scaled(test_it.py:21) by catalogue.scaled",
            "test_shelves: test_it.test_shelves(test_it.py:9) by Catalogue.shelves",
        ],
    );
    ended.says("catalogue.length is left as it is: it is not written in Python");
    ended.says("catalogue.missing is left as it is: there is none of that name");
    ended.says("catalogue.pages is left as it is: it is an asynchronous generator");
    let report = ended.json();
    let verdicts: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["verdict"].as_str().unwrap())
        .collect();
    assert!(
        verdicts
            .contains(&"fails when catalogue.Catalogue.shelves returns more elements than usual")
    );
    assert!(verdicts.contains(&"fails when catalogue.Catalogue.number returns another number"));
}

#[test]
fn what_is_promised_is_kept_at_every_level() {
    let project = Project::copy_of("assumptions-pytest");
    watch(&project, NEWEST);
    expect(&project.run(&["assumptions", "--format", "json", "test_sound.py"]), &[]);
    for level in ["eq", "one"] {
        let ended =
            project.run(&["assumptions", "--format", "json", "test_sound.py", "--level", level]);
        expect(&ended, &[]);
    }
}

#[test]
fn what_fails_by_chance_or_fails_anyway_is_not_reported() {
    let project = Project::copy_of("assumptions-pytest");
    let source = "def test_fails():\n    assert list({1, 2, 3}) == []\n";
    std::fs::write(project.path().join("test_fails.py"), source).unwrap();
    let pytest = pytest(NEWEST);
    let command = ["watch", "--", &pytest, "-q"];
    surefoot(&project, &command, &[("CHANCE", "1")]).expect(1);
    let words = ["test_by_chance", "test_fails", "test_only_once"];
    let ended = project.run(&[&["assumptions", "--format", "json"], &words[..]].concat());
    assert_eq!(found(&ended), BTreeSet::new(), "{}", ended.stderr);
}

const SMALL: &str = "\
import os

FOLDER = os.path.dirname(__file__)
AS_IT_IS = os.listdir(FOLDER)


def test_assumes():
    assert [number for number in {1, 2, 3, 4}] == [1, 2, 3, 4]


def test_does_not():
    assert len({1, 2, 3, 4}) == 4
    assert sorted(os.listdir(FOLDER)) == sorted(AS_IT_IS)
";

#[test]
fn it_works_with_the_oldest_python_and_pytest_those_before_the_newest_python_3_14_and_a_debug_build()
 {
    let some = ["pytest-7.0", "pytest-8.4"].into_iter();
    for environment in some.chain(python_3_14()).chain(debug_build()) {
        let project = project_of(SMALL);
        watch(&project, environment);
        let ended = project.run(&["assumptions", "--format", "json", "--seeds", "3"]);
        expect(&ended, &["test_assumes: test_it.test_assumes(test_it.py:8) by iteration of a set"]);
    }
}

#[test]
fn a_check_looks_for_assumptions_too() {
    let project = project_of(SMALL);
    let pytest = pytest(NEWEST);
    let ended = project.run(&["check", "--format", "json", "--", &pytest, "-q"]);
    expect(&ended, &["test_assumes: test_it.test_assumes(test_it.py:8) by iteration of a set"]);
}
