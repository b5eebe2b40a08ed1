"""Each of these does what the polluter of the same name in test_polluters.py does, and puts everything back."""

import collections
import decimal
import json
import locale
import logging
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time
from textwrap import TextWrapper
from unittest import mock

import pytest

import product

balance = 0
queue = collections.deque([1])
numbers = bytearray(b"abc")
server = None


def test_file():
    with open("removed.txt", "w") as file:
        file.write("gone")
    os.remove("removed.txt")


def test_file_in_the_temporary_directory():
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("gone")


def test_global():
    global balance
    balance += 5
    balance -= 5


def test_entry_of_a_dict():
    product.RATES["eur"] = 0.9
    del product.RATES["eur"]


def test_element_of_a_list():
    product.HISTORY.append("bought")
    product.HISTORY.pop()


def test_member_of_a_set():
    product.NAMES.add("b")
    product.NAMES.discard("b")


def test_default_dict():
    product.hooks["used"].append(1)
    product.hooks["used"].clear()


def test_tally():
    product.tally["x"] += 1
    del product.tally["x"]


def test_deque():
    queue.append(2)
    queue.pop()


def test_content():
    numbers[0] = 0
    numbers[0] = ord("a")


def test_attribute_of_a_slot():
    product.ORIGIN.x = 5
    product.ORIGIN.x = 0


def test_class_attribute():
    with mock.patch.object(product.Cart, "currency", "usd"):
        assert product.Cart.currency == "usd"


def test_list_of_a_class():
    product.Cart.made.append("one")
    del product.Cart.made[:]


def test_default_argument():
    product.collect("x").clear()


def test_closure():
    product.pay(5)
    product.pay(-5)


def test_context_variable():
    token = product.USER.set("me")
    product.USER.reset(token)


def test_replaced_function(monkeypatch):
    monkeypatch.setattr(product, "convert", lambda amount: 1)


def test_replaced_method(monkeypatch):
    monkeypatch.setattr(product.Cart, "total", lambda self: 100)


def test_removed_global(monkeypatch):
    monkeypatch.delattr(product, "TEMPORARY")


def test_new_global(monkeypatch):
    monkeypatch.setattr(product, "added", [1], raising=False)


def test_new_attribute_of_the_test_class(monkeypatch):
    monkeypatch.setattr(TestOnClass, "shared", 1, raising=False)


class TestOnClass:
    values = []

    def test_method(self):
        self.values.append(1)
        self.values.pop()


def test_patched_library():
    with mock.patch("time.sleep"):
        time.sleep(1000)


def test_patched_class_of_a_library(monkeypatch):
    monkeypatch.setattr(json.JSONEncoder, "default", lambda self, value: None)


def test_imported_class_of_a_library(monkeypatch):
    monkeypatch.setattr(TextWrapper, "fill", lambda self, text: text)


def test_environment():
    os.environ["POLLUTION_MODE"] = "fast"
    del os.environ["POLLUTION_MODE"]


def test_directory(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    os.chdir(before)


def test_path():
    sys.path.append("/nowhere")
    sys.path.remove("/nowhere")


def test_arguments():
    with mock.patch.object(sys, "argv", sys.argv + ["--fast"]):
        assert sys.argv[-1] == "--fast"


def test_module_taken_away(monkeypatch):
    monkeypatch.delitem(sys.modules, "textwrap")


def test_fake_module():
    with mock.patch.dict(sys.modules, {"json.tool": sys.modules["json"], "json.decoder": object()}):
        assert sys.modules["json.tool"] is json


def test_logging_handler():
    handler = logging.NullHandler()
    logging.getLogger("product").addHandler(handler)
    logging.getLogger("product").removeHandler(handler)


def test_logging_level():
    logging.getLogger("product").setLevel(logging.DEBUG)
    logging.getLogger("product").setLevel(logging.NOTSET)


def test_logging_disabled():
    logging.disable(logging.CRITICAL)
    logging.disable(logging.NOTSET)


def test_seed():
    state = random.getstate()
    random.seed(42)
    random.setstate(state)


def test_decimal_context():
    with decimal.localcontext() as context:
        context.prec = 5


def test_mask():
    os.umask(os.umask(0o077))


def test_signal():
    former = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    signal.signal(signal.SIGUSR1, former)


def test_thread():
    released = threading.Event()
    thread = threading.Thread(target=released.wait, name="joined", daemon=True)
    thread.start()
    released.set()
    thread.join()


def test_port():
    global server
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
    server = None


def test_default_timeout():
    socket.setdefaulttimeout(3.0)
    socket.setdefaulttimeout(None)


def test_recursion_limit():
    former = sys.getrecursionlimit()
    sys.setrecursionlimit(former + 7)
    sys.setrecursionlimit(former)


def test_locale():
    former = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C.UTF-8" if former == "C" else "C")
    locale.setlocale(locale.LC_ALL, former)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_parameters(number, monkeypatch):
    if number == 2:
        monkeypatch.setattr(product, "LIMIT", product.LIMIT + 1)


def test_listener_that_lives_on():
    product.listen(test_parameters)
    product.LISTENERS.clear()


def test_attribute_in_place_of_the_class():
    product.SHELF.open = True
    del product.SHELF.open


def test_registry_that_looks_like_a_memo(monkeypatch):
    monkeypatch.setattr(product, "OFFICES", {})
    product.register("bern")
    assert product.is_registered("bern")


def test_unset_and_set_by_a_caller():
    product.use("mine")
    product.use(None)
