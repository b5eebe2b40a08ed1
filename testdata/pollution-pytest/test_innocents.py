"""Each of these does what a polluter does, and leaves all as it was; or fills in what anybody would fill in."""

import abc
import contextlib
import decimal
import importlib
import io
import logging
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings
import weakref

import pytest

import lazily
import product

mock = unittest.mock.Mock()


class Open:
    """What is open, as long as somebody has it."""

    def __init__(self):
        self.order = []

    def add(self, one):
        weakref.finalize(one, self.order.remove, id(one))
        self.order.append(id(one))


everything_open = Open()


class Shop:
    def __init__(self):
        self.own = self
        everything_open.add(self)


def test_leaves_a_circle_that_is_noted_until_it_is_collected():
    assert id(Shop()) in everything_open.order


class TestHasAShop(unittest.TestCase):
    def setUp(self):
        self.shop = Shop()

    def test_leaves_it_in_its_instance(self):
        assert id(self.shop) in everything_open.order


@pytest.fixture
def open_shop():
    product.OPEN = False
    yield
    product.OPEN = True


def test_global_is_put_back(open_shop):
    assert not product.OPEN


def test_monkeypatch(monkeypatch):
    monkeypatch.setattr(product, "LIMIT", 3)
    monkeypatch.setitem(product.RATES, "usd", 1.1)
    monkeypatch.setattr(product.Cart, "currency", "eur")
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    monkeypatch.delattr(product, "TEMPORARY", raising=False)
    monkeypatch.setenv("POLLUTION_OTHER", "x")
    monkeypatch.syspath_prepend("/elsewhere")


def test_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with open("here.txt", "w") as file:
        file.write("x")


def test_patch():
    with unittest.mock.patch("product.convert", return_value=2), unittest.mock.patch.dict(os.environ, {"A": "b"}):
        assert product.convert(1) == 2


def test_files(tmp_path):
    (tmp_path / "x").write_text("x")
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "y"), "w").close()
    with open("removed.txt", "w") as file:
        file.write("x")
    os.remove("removed.txt")


def test_own_objects():
    cart = product.Cart()
    cart.currency = "usd"
    into = []
    product.collect(1, into)
    assert product.till()(1) == 1
    assert product.length([1]) == 1


def test_equal_objects():
    rates = dict(product.RATES)
    product.RATES.clear()
    product.RATES.update(reversed(list(rates.items())))
    product.HISTORY[:] = list(product.HISTORY)
    product.SHELF = product.Shelf()


def test_caches():
    product.square(time.perf_counter_ns())
    assert product.matches("aab")
    assert product.SHELF.sizes == [1, 2, 3]
    assert not isinstance(3, product.Animal)
    assert product.Colour.RED | product.Colour.BLUE
    product.LAZY.connect()
    product.instance()
    assert product.hooks["asked"] == []
    assert product.tally["asked"] == 0
    assert product.upper["a"] == "A"


def test_own_default_argument(seen=[]):
    seen.append(1)


def test_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        product.complain()
    with pytest.warns(DeprecationWarning):
        product.complain()


def test_filters_and_streams_that_pytest_puts_back():
    warnings.filters.append(("ignore", None, Warning, None, 0))
    sys.stdout = sys.__stderr__


def test_import():
    import wave

    assert importlib.import_module("colorsys")
    assert wave


def test_logging(caplog):
    caplog.set_level(logging.DEBUG, logger="product")
    logging.getLogger("product.new").debug("x")
    handler = logging.NullHandler()
    product.log.addHandler(handler)
    product.log.removeHandler(handler)


def test_random_numbers():
    assert random.random() < 1
    random.Random(42).random()


def test_decimal():
    with decimal.localcontext() as context:
        context.prec = 3
        assert decimal.Decimal(1) / decimal.Decimal(3)
    assert decimal.Decimal(1) / decimal.Decimal(7)


def test_signal():
    former = signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    signal.signal(signal.SIGUSR2, former)


def test_thread():
    thread = threading.Thread(target=lambda: None, name="joined")
    thread.start()
    thread.join()


def test_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()


def test_output(capsys):
    print("x")
    with contextlib.redirect_stdout(io.StringIO()):
        print("y")
    assert capsys.readouterr().out == "x\n"


def test_mock():
    mock(1)
    assert mock.called


def test_mask():
    os.umask(os.umask(0o022))


def test_modules(monkeypatch):
    monkeypatch.setitem(sys.modules, "json.tool", object())


class TestCase(unittest.TestCase):
    level = 0

    @classmethod
    def setUpClass(cls):
        cls.level = 1
        cls.shared = [1]

    def setUp(self):
        product.LIMIT = 20
        self.addCleanup(setattr, product, "LIMIT", 10)

    def test_one(self):
        self.assertEqual(product.LIMIT, 20)

    def test_other(self):
        self.assertEqual(self.level, 1)

    @classmethod
    def tearDownClass(cls):
        cls.level = 2
        del cls.shared


class Registered(abc.ABC):
    """Classes may be registered with it."""


def test_registers_a_class():
    class Local:
        """Nobody else knows it."""

    Registered.register(Local)
    assert issubclass(Local, Registered)


def test_listener_that_is_garbage():
    class Listener:
        """Known to itself."""

    listener = Listener()
    listener.itself = listener
    product.listen(listener)


@pytest.fixture(scope="session")
def surroundings():
    return [os.environ]


def test_asks_for_surroundings(surroundings):
    assert surroundings


def test_is_told_to_others_in_surroundings(surroundings):
    assert "PYTEST_CURRENT_TEST" in surroundings[0]


def test_attribute_that_the_class_has():
    product.SHELF.open = False


def test_asks_a_module_for_what_it_makes_then():
    assert lazily.Later


def test_what_is_worked_out_once_for_each_key():
    assert product.sign("chf") == "CHF"
    assert product.OFFICE.room(1) == [1]


def test_what_is_made_when_it_is_first_asked_for():
    assert product.open_market().total() == 0
