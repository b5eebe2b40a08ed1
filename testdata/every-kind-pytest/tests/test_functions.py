import sys
import warnings

import pytest


def test_passes():
    assert 1 + 1 == 2


def test_fails():
    assert [1, 2] == [1, 3], "lists differ"


def test_raises():
    raise LookupError("no such thing")


def test_calls_fail():
    pytest.fail("on purpose")


def test_exits():
    sys.exit(3)


@pytest.mark.skip(reason="not today")
def test_is_marked_to_skip():
    raise AssertionError


@pytest.mark.skipif("sys.version_info > (3,)", reason="always")
def test_is_skipped_by_a_condition():
    raise AssertionError


def test_skips_itself():
    pytest.skip("found no reason to run")


@pytest.mark.xfail(reason="known bug")
def test_fails_as_expected():
    assert False


@pytest.mark.xfail
def test_passes_unexpectedly():
    pass


@pytest.mark.xfail(strict=True)
def test_passes_and_must_not():
    pass


def test_marks_itself_as_expected_to_fail():
    pytest.xfail("gives up")


def test_set_up_fails(broken):
    pass


def test_tear_down_fails(breaks_later):
    pass


def test_fails_and_so_does_its_tear_down(breaks_later):
    raise KeyError("first")


@pytest.mark.parametrize("value", [1, 2.5, "a b", "a/b::c", "[x]", "", None, "é", "\x00", b"\xff"])
def test_takes(value):
    pass


@pytest.mark.parametrize("a", [1, 2])
@pytest.mark.parametrize("b", ["x", pytest.param("y", marks=pytest.mark.xfail)])
def test_takes_two(a, b):
    assert b == "x"


@pytest.mark.parametrize("value", [])
def test_takes_nothing(value):
    pass


def test_is_generated(generated):
    assert generated < 2


def test_database(database):
    assert database["kind"] != "oracle"


def test_warns():
    warnings.warn("old", DeprecationWarning)


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def test_raises_what_cannot_be_printed():
    raise Unprintable
