#!/usr/bin/env python3
"""Compares what Surefoot saw with what pytest's own --junitxml says, name by name.

usage: scripts/junitxml-diff.py REPORT.xml TESTS.json

TESTS.json is the output of `surefoot tests --format json`. Prints every test that only one of the two has, or that they end
differently; exit status 1 if there is any. Where the two say the same in other words:

- pytest writes a node id `tests/test_a.py::TestB::test_c[1]` as class `tests.test_a.TestB` and name `test_c[1]`;
- a failed set-up or tear-down is an "error" there and a failure here; a test that fails and whose tear-down fails as well is
  there twice;
- a module that cannot be imported is a test there, and a class failure here; a module that is skipped as a whole is a
  test there, and nothing here.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

WORST_FIRST = ["failed", "skipped", "passed"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    reported, modules = from_xml(sys.argv[1])
    seen, failures = from_surefoot(sys.argv[2])
    differences = []
    for name in sorted(set(reported) | set(seen)):
        if reported.get(name) != seen.get(name):
            differences.append("%s: pytest %s, surefoot %s" % (" ".join(name), reported.get(name), seen.get(name)))
    for module in sorted(modules ^ failures):
        where = "pytest" if module in modules else "surefoot"
        differences.append("only %s says that %s failed as a whole" % (where, module))
    for difference in differences:
        print(difference)
    print("%d tests agree" % sum(reported[name] == seen.get(name) for name in reported))
    sys.exit(1 if differences else 0)


def from_xml(path):
    results, modules = {}, set()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        status = "passed"
        if case.find("failure") is not None or case.find("error") is not None:
            status = "failed"
        elif case.find("skipped") is not None:
            status = "skipped"
        if not case.get("classname"):
            if status == "failed":
                modules.add(case.get("name"))
            continue
        name = (case.get("classname"), case.get("name"))
        results[name] = worse(results.get(name, "passed"), status)
    return results, modules


def from_surefoot(path):
    with open(path) as file:
        document = json.load(file)
    results = {}
    for test in document["tests"]:
        name = xml_name(test["address"])
        results[name] = worse(results.get(name, "passed"), test["status"])
    failures = {".".join(xml_name(container["address"])) for container in document["containers"]}
    return results, {failure.strip(".") for failure in failures}


def xml_name(address):
    path, bracket, parameters = address.partition("[")
    names = path.split("::")
    names[0] = re.sub(r"\.py$", "", names[0].replace("/", "."))
    names[-1] += bracket + parameters
    # What XML cannot hold, pytest writes as #x00.
    names[-1] = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", lambda c: "#x%02X" % ord(c.group()), names[-1])
    return ".".join(names[:-1]), names[-1]


def worse(one, other):
    return min(one, other, key=lambda status: WORST_FIRST.index(status) if status in WORST_FIRST else -1)


if __name__ == "__main__":
    main()
