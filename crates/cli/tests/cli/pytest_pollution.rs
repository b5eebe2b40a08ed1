//! Tests of pytest that leave state changed: every kind found with the path to it, and nothing else found.

use std::collections::BTreeSet;
use std::fs;

use crate::pytest::{NEWEST, debug_build, project_of, pytest, python_3_14};
use crate::support::{Ended, Project};

/// With a directory for temporary files that no other test of ours writes to.
fn pollution(project: &Project, environment: &str, options: &[&str], arguments: &[&str]) -> Ended {
    let temporary = project.beside("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let pytest = pytest(environment);
    let command = ["pollution", "--format", "json"];
    let all = [&command, options, &["--", &pytest, "-q"], arguments].concat();
    let mut command = project.command(&all);
    command.env("TMPDIR", &temporary);
    project.start_command(command).end()
}

/// `test: what changed`, for each test and each place.
fn found(project: &Project, ended: &Ended) -> BTreeSet<String> {
    let temporary = project.beside("temporary").canonicalize().unwrap();
    let report = ended.json();
    let mut found = BTreeSet::new();
    for finding in report["findings"].as_array().unwrap() {
        let tests = finding["tests"].as_array().unwrap().iter().map(|test| {
            let test = test.as_str().unwrap();
            test.split_once("::").map_or(test, |(_, method)| method)
        });
        let tests = tests.collect::<Vec<_>>().join(", ");
        for evidence in finding["evidence"].as_array().unwrap() {
            let text = evidence["text"].as_str().unwrap();
            let text = text.replace(temporary.to_str().unwrap(), "[tmp]");
            found.insert(format!("{tests}: {text}"));
        }
    }
    found
}

/// What differs from process to process or from Python to Python.
fn without_chance(line: &str) -> String {
    let cut = ["127.0.0.1:", "state ", "getrecursionlimit(): ", "sys.path[", "sys.argv["];
    let mut line = line.replace("weakref.ReferenceType", "weakref");
    for start in cut {
        if let Some(at) = line.find(start) {
            let end = line[at..].find([']', '→', '"']).map_or(line.len(), |end| at + end);
            line.replace_range(at + start.len()..end, "…");
        }
    }
    line
}

const POLLUTERS: &[&str] = &[
    "TestOnClass::test_method: test_polluters.TestOnClass.values[0] was added: 1",
    "test_arguments: sys.argv[…] was added: \"--fast\"",
    "test_attribute_in_place_of_the_class: product.SHELF.open was added: True",
    "test_attribute_of_a_slot: product.ORIGIN.x: 0 → 5",
    "test_class_attribute: product.Cart.currency: \"chf\" → \"usd\"",
    "test_closure: product.pay.__closure__.content: 0 → 5",
    "test_content: test_polluters.numbers: bytearray of 3 → bytearray of 3",
    "test_context_variable: product.USER.get(): \"nobody\" → \"me\"",
    "test_default_argument: product.collect.__defaults__[0][0] was added: \"x\"",
    "test_default_dict: product.hooks[\"used\"] was added: list of 1",
    "test_default_timeout: socket.getdefaulttimeout(): None → 3.0",
    "test_deque: test_polluters.queue[1] was added: 2",
    "test_element_of_a_list: product.HISTORY[0] was added: \"bought\"",
    "test_entry_of_a_dict: product.RATES[\"eur\"] was added: 0.9",
    "test_environment: os.environ[\"POLLUTION_MODE\"] was added: \"fast\"",
    "test_fake_module, test_module_taken_away: sys.modules[\"json.decoder\"]: module → another module",
    "test_fake_module, test_module_taken_away: sys.modules[\"textwrap\"] was removed: module",
    "test_file: left.txt was added: file of 4 bytes",
    "test_file_in_the_temporary_directory: [tmp]/shop.db was added: file of 4 bytes",
    "test_global: test_polluters.balance: 0 → 5",
    "test_imported_class_of_a_library: textwrap.TextWrapper.fill: function → function <lambda>",
    "test_list_of_a_class: product.Cart.made[0] was added: \"one\"",
    "test_listener_that_lives_on: product.LISTENERS[\"the listener\"] was added: weakref",
    "test_logging_disabled: logging.disable(): 0 → 50",
    "test_logging_handler, test_logging_level: logging.getLogger(\"product\").handlers[0] was added: logging.NullHandler",
    "test_logging_handler, test_logging_level: logging.getLogger(\"product\").level: 0 → 10",
    "test_mask: os.umask: 0o22 → 0o77",
    "test_member_of_a_set: product.NAMES[\"b\"] was added: present",
    "test_new_attribute_of_the_test_class: test_polluters.TestOnClass.shared was added: 1",
    "test_new_global: product.added was added: list",
    "test_parameters[2]: product.LIMIT: 10 → 11",
    "test_patched_class_of_a_library: json.encoder.JSONEncoder.default: function → function <lambda>",
    "test_patched_library: time.sleep: builtin function → function <lambda>",
    "test_path: sys.path[…] was added: \"/nowhere\"",
    "test_port: listening sockets[127.0.0.1:…] was added: open",
    "test_port: test_polluters.server: None → socket.socket",
    "test_recursion_limit: sys.getrecursionlimit(): …→ 1007",
    "test_registry_that_looks_like_a_memo: product.OFFICES[\"bern\"] was added: \"BERN\"",
    "test_removed_global: product.TEMPORARY was removed: \"there\"",
    "test_replaced_function: product.convert: function convert → function <lambda>",
    "test_replaced_method: product.Cart.total: function total → function <lambda>",
    "test_seed: random.getstate(): state …→ state c3ff4822653fa98f",
    "test_signal: signal.getsignal(SIGUSR1): SIG_DFL → function <lambda>",
    "test_tally: product.tally[\"x\"] was added: 1",
    "test_thread: live threads[\"left behind\"] was added: alive",
    "test_unset_and_set_by_a_caller: product._till: None → \"mine\"",
];

/// Those whose words depend on where they run.
const ELSEWHERE: &[&str] = &["test_decimal_context: ", "test_directory: ", "test_locale: "];

#[track_caller]
fn every_polluter(environment: &str) {
    let project = Project::copy_of("pollution-pytest");
    let ended = pollution(&project, environment, &[], &["test_polluters.py"]);
    let all = found(&project, &ended);
    let is_elsewhere = |line: &&String| ELSEWHERE.iter().any(|start| line.starts_with(start));
    let (elsewhere, rest): (Vec<&String>, Vec<&String>) = all.iter().partition(is_elsewhere);
    assert_eq!(elsewhere.len(), ELSEWHERE.len(), "{elsewhere:?}");
    let rest: BTreeSet<String> = rest.into_iter().map(|line| without_chance(line)).collect();
    let expected: BTreeSet<String> = POLLUTERS.iter().map(|&line| line.to_owned()).collect();
    assert_eq!(rest, expected, "{}", ended.stderr);
    ended.expect(1);
}

#[test]
fn every_polluter_is_found_in_python_3_9() {
    every_polluter("pytest-7.0");
}

#[test]
fn every_polluter_is_found_in_python_3_11() {
    every_polluter("pytest-8.1");
}

#[test]
fn every_polluter_is_found_in_python_3_13() {
    every_polluter(NEWEST);
}

#[test]
fn every_polluter_and_no_innocent_is_named_in_python_3_14() {
    if let Some(environment) = python_3_14() {
        every_polluter(environment);
        no_innocent(environment);
    }
}

#[test]
fn no_assertion_of_a_debug_build_fails_while_the_state_is_compared() {
    if let Some(environment) = debug_build() {
        every_polluter(environment);
        no_innocent(environment);
    }
}

/// What looks like pollution and is none; what fixtures do; objects that notice whoever asks them for anything.
#[track_caller]
fn no_innocent(environment: &str) {
    let project = Project::copy_of("pollution-pytest");
    let files = ["test_innocents.py", "test_fixtures.py", "test_hostile.py", "package"];
    let ended = pollution(&project, environment, &[], &files);
    let expected = [
        "test_begins: test_hostile.armed: False → True",
        "test_changes_the_shop: fixture shop[\"visitors\"][0] was added: \"x\"",
        "test_last_leaves_something: test_fixtures.opened[1] was added: \"left\"",
        "test_last_leaves_something: test_fixtures.opened[2] was added: \"left\"",
        "test_leaves_a_change_and_is_looked_into, test_changes_inside: test_hostile.objects[0].slot[1] was added: 1",
        "test_leaves_a_change_and_is_looked_into, test_changes_inside: test_hostile.objects[2][1] was added: 7",
        "test_leaves_a_change_and_is_looked_into, test_changes_inside: test_hostile.objects[9] was added: Hostile",
        "test_leaves_a_change_and_is_looked_into: test_hostile.balance: 0 → 1",
    ];
    let found: BTreeSet<String> = found(&project, &ended);
    assert_eq!(found, expected.map(str::to_owned).into(), "{}", ended.stderr);
    // The last of the hostile ones fails if anybody was asked for anything.
    ended.says("51 passed");
}

#[test]
fn no_innocent_is_named_in_python_3_10() {
    no_innocent("pytest-7.4");
}

#[test]
fn no_innocent_is_named_in_python_3_12() {
    no_innocent("pytest-8.4");
}

#[test]
fn no_innocent_is_named_in_python_3_13() {
    no_innocent(NEWEST);
}

/// Every kind of polluter has an innocent of the same name, which puts everything back.
#[track_caller]
fn what_is_put_back_is_no_pollution(environment: &str) {
    let project = Project::copy_of("pollution-pytest");
    let names = |file: &str| -> BTreeSet<String> {
        let source = fs::read_to_string(project.path().join(file)).unwrap();
        let tests = source.lines().filter_map(|line| line.trim_start().strip_prefix("def test_"));
        tests.map(|rest| rest.split('(').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names("test_put_back.py"), names("test_polluters.py"));
    let ended = pollution(&project, environment, &[], &["test_put_back.py"]);
    assert_eq!(found(&project, &ended), BTreeSet::new(), "{}", ended.stderr);
    ended.expect(0).says("50 passed");
}

#[test]
fn what_is_put_back_is_no_pollution_in_python_3_9() {
    what_is_put_back_is_no_pollution("pytest-7.0");
}

#[test]
fn what_is_put_back_is_no_pollution_in_python_3_13() {
    what_is_put_back_is_no_pollution(NEWEST);
}

/// A test that sets back what another one left, or is the second to leave something, is told for what it is; and what is reset before
/// every test, nobody sees.
#[test]
fn what_earlier_tests_left_is_told_apart_from_what_a_test_leaves() {
    let project = project_of(
        "\
import os

import pytest

LIMIT = 5
MODE = 'usual'


@pytest.fixture(autouse=True)
def usual_mode():
    global MODE
    MODE = 'usual'


def test_wants_the_usual_limit():
    assert LIMIT == 5


def test_raises_the_limit():
    global LIMIT
    LIMIT = 100


def test_sets_the_limit_back():
    global LIMIT
    LIMIT = 5


def test_goes_somewhere(tmp_path):
    os.chdir(tmp_path)


def test_goes_elsewhere(tmp_path):
    os.chdir(tmp_path)


@pytest.mark.parametrize('mode', ['a', None, 'b', None, 'c', None, 'd', None, 'e', None, 'f', None])
def test_mode(mode):
    global MODE
    assert MODE == 'usual'
    MODE = mode or MODE
",
    );
    let ended = pollution(&project, NEWEST, &[], &[]);
    let found: BTreeSet<String> = found(&project, &ended)
        .iter()
        .map(|line| line.split(" → ").next().unwrap().into())
        .collect();
    let directory = project.path().display();
    let expected = [
        format!("test_goes_elsewhere, test_goes_somewhere: os.getcwd(): \"{directory}\""),
        "test_raises_the_limit: test_it.LIMIT: 5".to_owned(),
    ];
    assert_eq!(found, expected.into());
    ended.says("surefoot: warning: passed when watched and not in the opposite order, so that it may depend on which tests come before: test_it.py::test_wants_the_usual_limit (");
    let suppressed = ended.json()["suppressed"].to_string();
    assert!(suppressed.contains("\"set-up\""), "{suppressed}");
}

/// Alone, the test would be the first to fill what nobody had filled.
#[test]
fn what_was_seen_after_another_test_is_reproduced_alone() {
    let project = project_of(
        "\
_mode = None


def test_one():
    global _mode
    _mode = 'one'


def test_two():
    global _mode
    _mode = 'two'


def mode():
    return _mode
",
    );
    let ended = pollution(&project, NEWEST, &[], &[]);
    let expected = ["test_two: test_it._mode: \"one\" → \"two\"".to_owned()];
    assert_eq!(found(&project, &ended), expected.into());
    let again = project.run(&["reproduce", "test_two"]);
    again.expect(1).says("surefoot pollution test_it.py::test_two --root test_it._mode");
    assert!(again.stdout.contains("test_it._mode: None → \"two\""), "{}", again.stdout);
}

/// As pytest-timeout does with the handler of a signal.
#[test]
fn what_a_plugin_sets_around_each_test_is_no_pollution() {
    let project = project_of(
        "\
KEPT = []


def test_first():
    pass


def test_keeps():
    KEPT.append(1)


def test_last():
    KEPT.append(2)
",
    );
    let conftest = "\
import os
import signal

import pytest

running = None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    global running
    running = os.environ['RUNNING'] = item.name
    signal.signal(signal.SIGALRM, lambda *_: None)
    yield
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    del os.environ['RUNNING']
    running = None
";
    std::fs::write(project.path().join("conftest.py"), conftest).unwrap();
    let ended = pollution(&project, NEWEST, &[], &[]);
    let expected = [
        "test_keeps, test_last: test_it.KEPT[0] was added: 1",
        "test_keeps, test_last: test_it.KEPT[1] was added: 2",
    ];
    assert_eq!(found(&project, &ended), expected.map(str::to_owned).into());
}

#[test]
fn check_reports_pollution_of_pytest_too() {
    let project = project_of(
        "seen = []\n\ndef test_leaves():\n    seen.append(1)\n\ndef test_does_not():\n    assert True\n",
    );
    let pytest = pytest(NEWEST);
    let ended = project.run(&["check", "--", &pytest, "-q"]);
    ended.expect(1).says("leaves test_it.seen changed").says("test_it.seen[0] was added: 1");
    ended.says("fix        take out after the yield of a fixture what the test put in");
}

#[test]
fn the_state_of_a_test_can_be_written_down() {
    let project = project_of("rates = {\"chf\": 1}\n\ndef test_adds():\n    rates[\"eur\"] = 2\n");
    pollution(&project, NEWEST, &[], &[]).expect(1);
    let ended = project.run(&["pollution", "--dump-state", "test_adds"]);
    ended.expect(0);
    assert!(ended.stdout.contains("+ (dict#"), "{}", ended.stdout);
    assert!(ended.stdout.contains(", [\"eur\"], 2)"), "{}", ended.stdout);
}

#[test]
fn other_modules_are_looked_at_if_the_user_names_them() {
    let source = "import colorsys\nmine = []\n\ndef test_both():\n    mine.append(1)\n    colorsys.ONE_SIXTH = 7\n";
    let project = project_of(source);
    let options = ["--include-roots", "^colorsys$"];
    let ended = pollution(&project, NEWEST, &options, &[]);
    let found = found(&project, &ended);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found.iter().all(|line| line.contains("colorsys.ONE_SIXTH: ")), "{found:?}");
}

#[test]
fn arrays_of_numpy_and_its_generator() {
    let source = "import numpy as np\nimport numpy.random\n\nshared = np.arange(3)\n\n\
                  def test_through_an_alias():\n    view = shared[1:]\n    view += 1\n\n\
                  def test_seeds():\n    np.random.seed(3)\n\n\
                  def test_draws():\n    assert np.random.rand() < shared.copy().sum() + 9\n";
    let project = project_of(source);
    let ended = pollution(&project, NEWEST, &[], &[]);
    let found: Vec<String> =
        found(&project, &ended).iter().map(|line| without_chance(line)).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("test_seeds: numpy.random.get_state(): state "), "{found:?}");
    assert_eq!(found[1], "test_through_an_alias: test_it.shared: ndarray of 3 → ndarray of 3");
}

#[test]
fn frames_and_series_of_pandas() {
    let source = "import pandas as pd\n\n\
                  FRAME = pd.DataFrame({'a': [1, 2], 'b': [0.5, 1.5], 'c': ['x', 'y']})\n\
                  PRICES = pd.Series([1, 2, 3], name='prices')\n\
                  DAYS = pd.Series(pd.to_datetime(['2020-01-01', '2020-01-02']))\n\n\
                  def test_cell():\n    FRAME.loc[0, 'a'] = 5\n\n\
                  def test_column():\n    FRAME['d'] = FRAME['a'] * 2\n\n\
                  def test_element():\n    PRICES.iloc[1] = 9\n\n\
                  def test_day():\n    DAYS.iloc[0] = pd.Timestamp('2021-01-01')\n\n\
                  def test_reads():\n    assert FRAME.sum(numeric_only=True)['b'] == 2\n    assert FRAME.groupby('b')['a'].mean().size == 2\n    \
                  assert PRICES.sort_values().mean() > 1 and PRICES.index[0] == 0\n    assert FRAME.to_dict() and FRAME.describe() is not None\n\n\
                  def test_copies():\n    frame = FRAME.copy()\n    frame.loc[0, 'a'] = 7\n    del frame['b']\n";
    let project = project_of(source);
    let ended = pollution(&project, NEWEST, &[], &[]);
    let found = found(&project, &ended);
    let tests: BTreeSet<&str> = found.iter().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(tests, ["test_column, test_cell", "test_day", "test_element"].into(), "{found:?}");
    let cell = found.iter().find(|line| line.contains("test_it.FRAME._mgr.blocks[0].values"));
    assert!(cell.is_some_and(|line| line.ends_with("ndarray of 2 → ndarray of 2")), "{found:?}");
}

#[test]
fn a_python_whose_state_cannot_be_read_is_told() {
    let project = project_of("def test_it():\n    pass\n");
    let conftest = "import sys\nsys.modules['surefoot_pytest._state'] = None\n";
    fs::write(project.path().join("conftest.py"), conftest).unwrap();
    let pytest = pytest(NEWEST);
    let ended = project.run(&["pollution", "--", &pytest, "-q"]);
    ended.expect(2).says("the state of this Python cannot be compared: ");
    ended.says("no test could be looked at");
}

#[test]
fn what_leads_to_more_objects_than_are_looked_at_is_told_and_looked_at_no_more() {
    let project = project_of(
        "BIG = {n: [n] for n in range(300_000)}\nSMALL = []\n\
         def test_changes():\n    SMALL.append(1)\n    BIG[-1] = [-1]\n\
         def test_does_nothing():\n    pass\n",
    );
    let ended = pollution(&project, NEWEST, &["--no-files"], &["test_it.py"]);
    let all = found(&project, &ended);
    assert_eq!(all, ["test_changes: test_it.SMALL[0] was added: 1".to_owned()].into());
    ended
        .expect(1)
        .says("test_it.BIG leads to more objects than are looked at; what changes there is missed");
}
