#!/usr/bin/env python3
"""Compares what Surefire reported with what Surefoot saw, test by test.

usage: surefire-diff.py REPORTS_DIR... -- TESTS_JSON
       surefire-diff.py --table REPORTS_DIR...

REPORTS_DIR holds Surefire's TEST-*.xml; TESTS_JSON is the output of `surefoot tests --format json`
(`-` reads standard input). Prints what is only in the XML, only in Surefoot, or has another status;
exits with 1 if there is any of it, with 2 if the input cannot be used. `--table` prints the XML as
the table that testdata/every-kind-*/expected.json holds.

TESTS_JSON is a list of tests, or an object with the lists "tests" and (optional) "containers": what
failed or was skipped above the level of tests. Fields used: framework, class, method, address,
display, legacy, and a status in "status", "result" or "result.status"; a list "runs" of such results
stands for several runs. Optional, for exact names: "class_legacy" and "class_display" (legacy
reporting name, and the value of @DisplayName, of the nearest container that is a class), "source"
("method", "class", "none", "other").

How Surefire makes `classname` and `name` (from its sources, 2.22.2 and 3.5.6)
==============================================================================

Surefire knows only what the framework's event says, and each provider has its own rule.

JUnit Platform, 3.x (RunListenerAdapter.toClassMethodName)
    classname   @DisplayName's value on the class of the nearest container that has a ClassSource,
                else that container's legacyReportingName: `a.B`, `a.B$Inner`, `a.B[1]` for an
                invocation of a class template. It is the class that runs, not the one that declares.
    name        With a MethodSource: the legacyReportingName if the method has parameters (injected
                ones too), or if that name ends in `[digits]` (templates, repetitions, dynamic tests);
                else the method's bare name. With a ClassSource: "". With any other source (a dynamic
                test with a URI of its own, or below a container with one): the displayName.
    entries     Every test. Every failed container (a class: name ""; a factory or template: as a
                method). A skipped class: one entry for each direct child, "" for a nested class, and
                nothing deeper. A skipped method: one entry. An aborted container: none. Tests that
                never started because a container failed: none.
JUnit Platform, 2.22 (LegacyReportingUtils)
    classname   The class of the nearest ClassSource.
    name        legacyReportingName without "()", then `(` and `)` as `{` and `}`; a class is named by
                its class name.
    entries     As above, but a skipped class is one entry, and so is an aborted container.
JUnit 4, also for JUnit 3 classes when the jar is JUnit 4 (JUnit4RunListener), 3.x
    classname   Description.getDisplayName(): what is between its last `(` and its final `)`, else all.
    name        What is before the last `(`, else "".
    entries     Each event: a test that fails twice (ErrorCollector, @After) is there twice. Something
                about a whole class (@BeforeClass, @ClassRule, @Ignore) is one entry with name "".
JUnit 4, 2.22
                The same, but a display name without `(` is its own name.
JUnit 3 (TestListenerInvocationHandler; only when the jar is JUnit 3)
                As JUnit 4, from Test.toString(). In 2.22 the class is test.getClass().
TestNG, 3.x (TestNGReporter)
    classname   ITestResult.getTestClass().getName()
    name        ITestResult.getName(); with parameters, followed by Arrays.toString(parameters) and
                `(currentInvocationCount)`, both as they are when the test has ended.
    entries     Each test, each retry (skipped), failed and skipped configuration methods. Nothing for
                what is not enabled.
TestNG, 2.22
                The same, but never parameters.
All             In 3.x the XML has characters below 32 as the text `&#7;`; a tab comes back from an XML
                parser as a space. rerunFailingTestsCount folds several runs into one entry.

Where the two agree though their entries differ
===============================================

- Several failures of one JUnit 4 or JUnit 3 test are one run.
- The entry of a skipped class stands for the skipped tests in it, and the other way round.
- A failed class (name "") without a partner in "containers" is listed, but is no difference: it is no
  test. So are failed and skipped configuration methods of TestNG that "containers" names.
- Without "class_display" or "source", a test whose name depends on them is found by its file (the
  report's file is named after the top-level class) and by its displayName.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, namedtuple
from pathlib import Path

# `top` is the class that the report's file is about; `framework` is None for what the XML says.
Case = namedtuple("Case", "cls name status top framework")

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
STATUS = {
    "passed": PASSED,
    "failed": FAILED,
    "timed-out": FAILED,
    "died": FAILED,
    "aborted": SKIPPED,
    "skipped": SKIPPED,
}
XML_STATUS = {"failure": FAILED, "error": FAILED, "skipped": SKIPPED}


class Unusable(Exception):
    """The input cannot be compared; says why."""


# --- Surefire's side


def read_reports(directories):
    """All entries of all reports, and whether a Surefire of version 2 wrote them."""
    cases, old = [], False
    for directory in directories:
        files = sorted(Path(directory).glob("TEST-*.xml"))
        if not files:
            raise Unusable(f"no TEST-*.xml in {directory}")
        for file in files:
            suite = ElementTree.fromstring(legal(file.read_bytes()))
            # From 3.0.0-M4 on the format has a version.
            old = old or "version" not in suite.attrib
            for entry in suite.iter("testcase"):
                cls = entry.get("classname", "")
                top = suite.get("name", "")
                for status in statuses(entry):
                    cases.append(Case(cls, entry.get("name", ""), status, top, None))
    return cases, old


def legal(xml):
    """Surefire 2 writes control characters in names as they are, which no XML parser takes."""
    return re.sub(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda match: b"&amp;#%d;" % ord(match[0]), xml)


def statuses(entry):
    """One status for each run that the entry stands for."""
    tags = [child.tag for child in entry]
    flaky = sum(tag.startswith("flaky") for tag in tags)
    reruns = sum(tag.startswith("rerun") for tag in tags)
    first = next((XML_STATUS[tag] for tag in tags if tag in XML_STATUS), PASSED)
    return [FAILED] * flaky + [first] + [FAILED] * reruns


# --- Surefoot's side


def read_tests(path, old):
    """Surefoot's tests and containers, under the names that Surefire would give them."""
    text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    data = json.loads(text)
    if isinstance(data, list):
        data = {"tests": data}
    tests, containers = data.get("tests"), data.get("containers", [])
    if tests is None:
        raise Unusable(f'no "tests" in {path}')
    return cases_of(tests, old), cases_of(containers, old)


def cases_of(entries, old):
    cases = []
    for entry in entries:
        cls, name = surefire_names(entry, old)
        for status in results(entry):
            cases.append((Case(as_in_xml(cls), as_in_xml(name), status, top_level(entry), entry["framework"]), entry))
    return cases


def results(entry):
    for run in entry.get("runs", [entry]):
        status = run.get("status", run.get("result"))
        if isinstance(status, dict):
            status = status.get("status")
        if status in STATUS:
            yield STATUS[status]
        elif status != "not-run":
            raise Unusable(f"{entry.get('id')}: unknown status {status!r}")


def surefire_names(entry, old):
    framework = entry["framework"]
    if framework == "junit-platform":
        return platform_names_2(entry) if old else platform_names_3(entry)
    if framework == "testng":
        # The invocation count is dropped from the XML's names instead: see without_count.
        return entry["class"], entry["display"].split("[")[0] if old else entry["display"]
    before, paren, after = entry["display"].rpartition("(")
    cls = after[:-1] if paren and after.endswith(")") else entry["display"]
    if old:
        cls = entry["class"] if framework == "junit3" else cls
        return cls, before if paren else entry["display"]
    return cls, before


def platform_names_2(entry):
    name = entry.get("legacy") or entry["display"]
    return entry["class"], name.replace("()", "").replace("(", "{").replace(")", "}")


def platform_names_3(entry):
    cls = entry.get("class_display") or entry.get("class_legacy") or entry["class"] + class_index(entry)
    method, legacy = entry.get("method"), entry.get("legacy") or entry["display"]
    source = entry.get("source", "method" if method else "class")
    if source == "method":
        return cls, method if legacy in (method, f"{method}()") else legacy
    return cls, "" if source == "class" else entry["display"]


def class_index(entry):
    """`[1]` below the first invocation of a class template, for want of the class's own legacy name."""
    segments = re.findall(r"\[([^:\[\]]+):([^\]]*)\]", entry["address"])
    kinds = [kind for kind, _ in segments]
    outer = [value.lstrip("#") for kind, value in segments if kind == "class-template-invocation"]
    if not outer:
        return ""
    own = sum(kind in ("test-template-invocation", "dynamic-test", "dynamic-container") for kind in kinds)
    in_method = len(re.findall(r"\[\d+\]", (entry.get("legacy") or "").rpartition(")")[2]))
    # Up to Jupiter 5.14.0 only the invocation itself carries its index, later all that is below it.
    classes = [kind for kind in kinds if "class" in kind]
    if in_method < len(outer) + own and classes[-1] != "class-template-invocation":
        return ""
    return "".join(f"[{index}]" for index in outer)


def top_level(entry):
    return entry["class"].split("$")[0]


def as_in_xml(text):
    escaped = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda match: f"&#{ord(match[0])};", text)
    return escaped.replace("\t", " ").replace("\r\n", "\n").replace("\r", "\n")


# --- Comparison


def without_count(case):
    return case._replace(name=re.sub(r"\]\(\d+\)$", "]", case.name))


def key(case):
    return case.cls, case.name, case.status


def by_file(case):
    return case.top, case.name, case.status


def suite(entry):
    """Below Vintage, Surefire puts the tests of a JUnit 3 suite down to the class of the suite."""
    return entry["address"].partition(">")[0]


def by_file_if_hidden(case):
    """Only for a class that its @DisplayName hides: any other name must match as it is."""
    return None if case.cls.startswith(case.top) else by_file(case)


class Comparison:
    """Takes pairs away from both sides, surest first, until only differences are left."""

    def __init__(self, xml, tests, containers):
        if any(case.framework == "testng" for case, _ in tests):
            xml = [without_count(case) for case in xml]
        self.xml = xml
        self.tests = tests
        self.containers = containers
        self.paired = []
        self.notes = []

    def run(self):
        self.pair(lambda case, entry: key(case), key)
        self.pair_containers()
        self.fold_failures()
        self.pair(lambda case, entry: by_file(case._replace(name=as_in_xml(entry["display"]))), by_file)
        self.pair(lambda case, entry: by_file(case), by_file_if_hidden)
        self.pair(lambda case, entry: key(case._replace(cls=suite(entry))), key)
        self.fold_skipped_classes()
        self.fold_unreported_skips()
        self.note_failed_classes()
        return self

    def pair(self, of_test, of_xml):
        wanted = Counter(of_test(case, entry) for case, entry in self.tests)
        found = Counter(of_xml(case) for case in self.xml)
        both = wanted & found
        _, self.xml = take(self.xml, of_xml, both)
        mine, self.tests = take(self.tests, lambda pair: of_test(*pair), both)
        self.paired += [case for case, _ in mine]

    def pair_containers(self):
        known = Counter(key(case) for case, _ in self.containers)
        _, self.xml = take(self.xml, key, known)

    def fold_failures(self):
        failed = [case for case in self.paired if case.status == FAILED and case.framework in ("junit3", "junit4")]
        repeated = {(case.cls, case.name) for case in failed}
        self.xml = [case for case in self.xml if case.status != FAILED or (case.cls, case.name) not in repeated]

    def fold_skipped_classes(self):
        whole = {case.cls for case in self.xml if is_skipped_class(case)}
        inside = [case for case, _ in self.tests if case.status == SKIPPED and within(case.cls, whole)]
        met = {cls for cls in whole if any(within(case.cls, {cls}) for case in inside)}
        self.xml = [case for case in self.xml if not (is_skipped_class(case) and case.cls in met)]
        self.tests = [(case, entry) for case, entry in self.tests if case not in inside]

        whole = {case.cls for case, _ in self.tests if is_skipped_class(case)}
        inside = [case for case in self.xml if case.status == SKIPPED and case.cls in whole]
        met = {case.cls for case in inside}
        self.xml = [case for case in self.xml if case not in inside]
        self.tests = [(case, entry) for case, entry in self.tests if not (is_skipped_class(case) and case.cls in met)]

    def fold_unreported_skips(self):
        """Below Vintage, a class whose assumption failed has no testcase at all; Surefoot lists its tests as skipped."""
        reported = {case.cls for case in self.xml} | {case.cls for case in self.paired}
        self.tests = [(case, entry) for case, entry in self.tests if case.status != SKIPPED or case.cls in reported]

    def note_failed_classes(self):
        self.notes = [case for case in self.xml if case.status == FAILED and is_class_level(case)]
        self.xml = [case for case in self.xml if case not in self.notes]

    def report(self, out):
        """Prints the differences; says whether there are any."""
        by_name = {(case.cls, case.name): case for case in self.xml}
        differs = [(by_name[case.cls, case.name], case) for case, _ in self.tests if (case.cls, case.name) in by_name]
        names = {(case.cls, case.name) for _, case in differs}
        section(out, "class-level failures, no tests", [shown(case) for case in self.notes])
        section(out, "only in xml", [shown(case) for case in self.xml if (case.cls, case.name) not in names])
        section(out, "only in surefoot", [shown(case) for case, _ in self.tests if (case.cls, case.name) not in names])
        section(out, "status differs", [f"{shown(theirs)}, surefoot: {ours.status}" for theirs, ours in differs])
        print(f"{len(self.paired)} tests agree", file=out)
        return bool(self.xml or self.tests)


def take(items, of_item, counts):
    """Splits items into those that use up the counts and the rest."""
    left, taken, rest = Counter(counts), [], []
    for item in items:
        which = of_item(item)
        if which is not None and left[which] > 0:
            left[which] -= 1
            taken.append(item)
        else:
            rest.append(item)
    return taken, rest


def is_class_level(case):
    return case.name in ("", case.cls)


def is_skipped_class(case):
    return case.status == SKIPPED and is_class_level(case)


def within(cls, classes):
    return any(cls == outer or cls.startswith(outer + "$") for outer in classes)


def shown(case):
    return f"{case.cls} {json.dumps(case.name, ensure_ascii=False)} {case.status}"


def section(out, title, lines):
    if lines:
        print(f"{title}:", file=out)
        for line in sorted(lines):
            print(f"  {line}", file=out)


def print_table(cases, out):
    rows = [dict(zip(("class", "name", "status"), row)) for row in sorted(map(key, cases))]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    print("[\n  " + ",\n  ".join(lines) + "\n]", file=out)


def main(arguments):
    if arguments[:1] == ["--table"] and len(arguments) > 1:
        print_table(read_reports(arguments[1:])[0], sys.stdout)
        return 0
    if "--" not in arguments or arguments.index("--") == 0 or arguments.index("--") != len(arguments) - 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    xml, old = read_reports(arguments[:-2])
    tests, containers = read_tests(arguments[-1], old)
    return 1 if Comparison(xml, tests, containers).run().report(sys.stdout) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Unusable, OSError, ElementTree.ParseError, json.JSONDecodeError) as problem:
        print(f"surefire-diff: {problem}", file=sys.stderr)
        sys.exit(2)
