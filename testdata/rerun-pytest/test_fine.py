"""Each test passes however often it runs, though it looks like one in test_nio.py."""

import asyncio
import logging
import os
import random
import socket
import sys
import unittest
import unittest.mock
import warnings

import pytest
import vendor

import product


@pytest.fixture
def things():
    return ["set up"]


def test_list_of_a_fixture(things):
    things.append("more")
    assert things == ["set up", "more"]


@pytest.fixture
def registered():
    yield
    product.REGISTRY.pop("fixture")


def test_is_undone_after_the_yield(registered):
    product.register("fixture", 1)


@pytest.mark.parametrize("name", ["one", "two"])
def test_row_is_undone(name, monkeypatch):
    monkeypatch.setattr(product, "REGISTRY", {})
    product.register(name, 1)


@pytest.mark.parametrize("names", [["one", ("two", {"three": {4}})], {"five": len}])
def test_row_reads_its_parameter(names):
    assert names


def test_environment(monkeypatch):
    assert "SUREFOOT_OTHER" not in os.environ
    monkeypatch.setenv("SUREFOOT_OTHER", "1")


def test_directory(tmp_path, monkeypatch):
    assert os.path.exists("product.py")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch(exist_ok=False)


def test_imports():
    import colorsys

    assert colorsys.rgb_to_hsv(0, 0, 0) == (0, 0, 0)


def test_cache():
    assert product.square(3) == 9


def test_patch():
    with unittest.mock.patch.object(sys, "platform", "other"):
        assert sys.platform == "other"


def test_generator():
    random.seed(1)
    assert random.random() == random.Random(1).random()


def test_warning():
    with pytest.warns(UserWarning):
        warnings.warn("each time")


def test_warning_by_default():
    warnings.warn("once for each place", DeprecationWarning)


def test_library_is_as_before(monkeypatch):
    vendor.seen_cache["here"] = 1
    monkeypatch.setitem(vendor.codecs, "here", len)
    monkeypatch.setattr(vendor.default, "session", "open")
    vendor.recent.append(1)
    vendor.recent.pop()


def test_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))


def test_records(caplog):
    with caplog.at_level(logging.INFO):
        logging.getLogger("product").info("here")
    assert len(caplog.records) == 1


def test_output(capsys):
    print("here")
    assert capsys.readouterr().out == "here\n"


def test_temporary_files(tmp_path_factory):
    assert not list(tmp_path_factory.mktemp("fine").iterdir())


def test_counts_only_up(request):
    product.REGISTRY["count"] = product.REGISTRY.get("count", 0) + 1
    assert product.REGISTRY["count"] > 0


@pytest.mark.asyncio
async def test_coroutine():
    loop = asyncio.get_running_loop()
    assert not hasattr(loop, "seen")
    await asyncio.sleep(0)


class TestClass:
    def test_instance(self):
        assert not hasattr(self, "seen")
        self.seen = True

    def setup_method(self):
        self.values = []

    def test_set_up(self):
        self.values.append(1)
        assert self.values == [1]


class UnitTest(unittest.TestCase):
    def setUp(self):
        self.stock = ["book"]

    def test_takes(self):
        self.assertEqual(self.stock.pop(), "book")

    def test_instance(self):
        self.assertFalse(hasattr(self, "seen"))
        self.seen = True

    def test_cleans_up(self):
        product.register("unit", 1)
        self.addCleanup(product.REGISTRY.pop, "unit")


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_waits(self):
        self.addAsyncCleanup(asyncio.sleep, 0)
        await asyncio.sleep(0)


def test_subtests(subtests):
    for number in range(2):
        with subtests.test(number=number):
            assert number < 2


@pytest.mark.xfail(reason="each time")
def test_fails_as_expected():
    raise AssertionError


def test_marks_itself(request):
    assert request.node.get_closest_marker("seen") is None
    request.node.add_marker(pytest.mark.seen)


def test_properties(record_property, request):
    record_property("key", 1)
    assert request.node.user_properties == [("key", 1)]


hypothesis = pytest.importorskip("hypothesis")


class TestProperties:
    @hypothesis.given(hypothesis.strategies.integers())
    @hypothesis.settings(max_examples=5, deadline=None, database=None)
    def test_holds_for_each_number(self, number):
        assert number * 0 == 0


class PropertiesTest(unittest.TestCase):
    @hypothesis.given(hypothesis.strategies.integers())
    @hypothesis.settings(max_examples=5, deadline=None, database=None)
    def test_holds_for_each_number(self, number):
        self.assertEqual(number * 0, 0)
