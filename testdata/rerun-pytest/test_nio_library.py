"""Each test passes, and fails when it runs again in the same process, by what a library keeps, or pytest itself."""

import os

import pytest
import vendor


@pytest.mark.parametrize("name", ["one", "two"])
def test_registers(name):
    assert name not in vendor.codecs
    vendor.codecs[name] = len


def test_class_of_the_library():
    vendor.Client.opened.append(1)
    assert vendor.Client.opened == [1]


def test_instance_of_the_library():
    assert vendor.default.session is None
    vendor.default.session = "open"


def test_counts():
    assert vendor.step() == 1


def test_queue():
    vendor.recent.append("one")
    assert len(vendor.recent) == 1


@pytest.mark.parametrize("sizes", [[3, {"kilo": [1]}]])
def test_row_changes_its_parameter(sizes):
    assert sizes[1]["kilo"] == [1]
    sizes[1]["kilo"][0] *= -1


@pytest.mark.parametrize("names", [iter(["one"])])
def test_row_uses_its_parameter_up(names):
    assert list(names) == ["one"]


def test_open_file():
    # Nothing of Python's refers to what is left open.
    with pytest.raises(OSError):
        os.fstat(150)
    with open(os.devnull) as file:
        os.dup2(file.fileno(), 150)


THINGS = []


def teardown_module():
    del THINGS[:]


def test_last_of_the_module():
    # What it leaves is taken away behind it, but not before it runs again.
    THINGS.append("more")
    assert THINGS == ["more"]
