"""Each test passes, and fails when it runs again in the same process."""

import asyncio
import http.server
import logging
import os
import random
import socket
import string
import sys
import types
import unittest

import pytest

import product

THINGS = []
NUMBERS = random.Random(7)
SERVERS = []


def setup_module():
    THINGS[:] = ["set up"]


def teardown_module():
    del THINGS[:]


def test_list_of_the_module():
    THINGS.append("more")
    assert THINGS == ["set up", "more"]


@pytest.mark.parametrize("name", ["one", "two"])
def test_row_registers(name):
    product.register(name, 1)


def test_default_argument():
    assert product.collect(1) == [1]


def test_environment():
    assert "SUREFOOT_SAMPLE" not in os.environ
    os.environ["SUREFOOT_SAMPLE"] = "1"


def test_directory(tmp_path):
    assert os.path.exists("product.py")
    os.chdir(tmp_path)


def test_import_path():
    assert "/no/such/place" not in sys.path
    sys.path.append("/no/such/place")


def test_module_is_replaced():
    assert "made_up" not in sys.modules
    sys.modules["made_up"] = types.ModuleType("made_up")


def test_standard_library_is_patched():
    assert string.digits == "0123456789"
    string.digits = "01"


def test_handler_is_added():
    product.LOG.addHandler(logging.NullHandler())
    assert len(product.LOG.handlers) == 1


def test_shared_generator():
    assert NUMBERS.randrange(1000) == random.Random(7).randrange(1000)


def test_file():
    with open("made-by-%d" % os.getpid(), "x") as file:
        file.write("once")


def test_wrong_type_on_cleaning():
    # The paper's 5.5, benchbuild.
    product.overrides.__overrides__["srun"] = "mocked"
    assert product.overrides.__overrides__["srun"] == "mocked"
    product.overrides.__overrides__ = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PORT = free_port()


def test_port():
    # The paper's 5.7, pybrake.
    SERVERS.append(http.server.HTTPServer(("127.0.0.1", PORT), http.server.BaseHTTPRequestHandler))
    assert SERVERS[0].server_port == PORT


@pytest.fixture(scope="module")
def basket():
    return []


def test_fixture_of_the_module(basket):
    basket.append(1)
    assert basket == [1]


@pytest.fixture(scope="session")
def account():
    return {"balance": 10}


def test_fixture_of_the_session(account):
    account["balance"] -= 10
    assert account["balance"] == 0


@pytest.mark.asyncio
async def test_coroutine():
    await asyncio.sleep(0)
    product.register("coroutine", 1)


class TestClass:
    seen = []

    @pytest.fixture(scope="class")
    def shelf(self):
        return []

    def test_attribute_of_the_class(self):
        self.seen.append(1)
        assert self.seen == [1]

    def test_fixture_of_the_class(self, shelf):
        shelf.append(1)
        assert shelf == [1]


class UnitTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stock = ["book"]

    def test_takes_from_the_class(self):
        self.assertEqual(self.stock.pop(), "book")

    def test_has_subtests(self):
        for number in range(2):
            with self.subTest(number=number):
                product.register("subtest %d" % number, 1)


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_waits(self):
        await asyncio.sleep(0)
        product.register("async", 1)
