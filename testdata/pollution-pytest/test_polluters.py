"""Each of these leaves something behind that the next test can see."""

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

import pytest

import product

balance = 0
queue = collections.deque([1])
numbers = bytearray(b"abc")
released = threading.Event()
server = None


def test_file():
    with open("left.txt", "w") as file:
        file.write("left")


def test_file_in_the_temporary_directory():
    with open(os.path.join(tempfile.gettempdir(), "shop.db"), "w") as file:
        file.write("left")


def test_global():
    global balance
    balance += 5


def test_entry_of_a_dict():
    product.RATES["eur"] = 0.9


def test_element_of_a_list():
    product.HISTORY.append("bought")


def test_member_of_a_set():
    product.NAMES.add("b")


def test_default_dict():
    product.hooks["used"].append(1)


def test_tally():
    product.tally["x"] += 1


def test_deque():
    queue.append(2)


def test_content():
    numbers[0] = 0


def test_attribute_of_a_slot():
    product.ORIGIN.x = 5


def test_class_attribute():
    product.Cart.currency = "usd"


def test_list_of_a_class():
    product.Cart.made.append("one")


def test_default_argument():
    assert "x" in product.collect("x")


def test_closure():
    assert product.pay(5) >= 5


def test_context_variable():
    product.USER.set("me")


def test_replaced_function():
    product.convert = lambda amount: 1


def test_replaced_method():
    product.Cart.total = lambda self: 100


def test_removed_global():
    del product.TEMPORARY


def test_new_global():
    product.added = [1]


def test_new_attribute_of_the_test_class():
    TestOnClass.shared = 1


class TestOnClass:
    values = []

    def test_method(self):
        self.values.append(1)


def test_patched_library():
    time.sleep = lambda seconds: None


def test_patched_class_of_a_library():
    json.JSONEncoder.default = lambda self, value: None


def test_imported_class_of_a_library():
    TextWrapper.fill = lambda self, text: text


def test_environment():
    os.environ["POLLUTION_MODE"] = "fast"


def test_directory(tmp_path):
    os.chdir(tmp_path)


def test_path():
    sys.path.append("/nowhere")


def test_arguments():
    sys.argv.append("--fast")


def test_module_taken_away():
    del sys.modules["textwrap"]


def test_fake_module():
    sys.modules["json.tool"] = sys.modules["json"]
    sys.modules["json.decoder"] = object()


def test_logging_handler():
    logging.getLogger("product").addHandler(logging.NullHandler())


def test_logging_level():
    logging.getLogger("product").setLevel(logging.DEBUG)


def test_logging_disabled():
    logging.disable(logging.CRITICAL)


def test_seed():
    random.seed(42)


def test_decimal_context():
    decimal.getcontext().prec = 5


def test_mask():
    os.umask(0o077)


def test_signal():
    signal.signal(signal.SIGUSR1, lambda number, frame: None)


def test_thread():
    threading.Thread(target=released.wait, name="left behind", daemon=True).start()


def test_port():
    global server
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()


def test_default_timeout():
    socket.setdefaulttimeout(3.0)


def test_recursion_limit():
    sys.setrecursionlimit(sys.getrecursionlimit() + 7)


def test_locale():
    locale.setlocale(locale.LC_ALL, "C.UTF-8" if locale.setlocale(locale.LC_ALL) == "C" else "C")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_parameters(number):
    if number == 2:
        product.LIMIT = product.LIMIT + 1


def test_listener_that_lives_on():
    product.listen(test_parameters)


def test_attribute_in_place_of_the_class():
    product.SHELF.open = True


def test_registry_that_looks_like_a_memo():
    product.register("bern")
    assert product.is_registered("bern")


def test_unset_and_set_by_a_caller():
    product.use("mine")
    assert product.till_in_use() == "mine"
