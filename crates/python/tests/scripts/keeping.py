"""Changes every kind of state that a test can change, and has it put back."""

import collections
import decimal
import logging
import os
import random
import signal
import socket
import sys
import types

plugin, project = sys.argv[1:]
sys.path[:0] = [plugin, project]

from surefoot_pytest.keeping import Keeper  # noqa: E402

SOURCE = """
import collections
import random


class Point:
    __slots__ = ("x", "y")

    def __init__(self):
        self.x = 1


class Named(dict):
    pass


class Hostile:
    def __eq__(self, other):
        raise RuntimeError

    __hash__ = object.__hash__

    def __getattribute__(self, name):
        raise RuntimeError


class Shop:
    made = []
    currency = "chf"


def collect(item, into=[], *, more={}):
    into.append(item)
    more[item] = 1


def till():
    content = [0]

    def pay(amount):
        nonlocal content
        content = [content[0] + amount]
        return content[0]

    return pay


pay = till()
rates = {"chf": [1.0], (1, 2): None}
history = [1, [2]]
names = {"a"}
queue = collections.deque([1], maxlen=3)
numbers = bytearray(b"abc")
point = Point()
named = Named(a=1)
named.note = "n"
shop = Shop()
shop.stock = ["book"]
generator = random.Random(7)
hostile = [Hostile()]
cycle = []
cycle.append(cycle)
limit = 3
temporary = "there"
"""
kept = types.ModuleType("kept")
exec(SOURCE, kept.__dict__)
sys.modules["kept"] = kept


def change():
    kept.rates["chf"].append(2)
    kept.rates["eur"] = 3
    del kept.rates[(1, 2)]
    kept.history[1].append(3)
    kept.history.insert(0, 0)
    kept.names.add("b")
    kept.queue.append(2)
    kept.numbers[0] = 0
    kept.point.x, kept.point.y = 5, 6
    kept.named["b"], kept.named.note = 2, "m"
    kept.shop.stock.clear()
    kept.shop.__dict__["open"] = True
    kept.generator.random()
    kept.hostile.append(kept.Hostile())
    kept.cycle.append(1)
    kept.limit += 1
    del kept.temporary
    kept.added = 1
    kept.Shop.made.append(1)
    kept.Shop.currency = "usd"
    kept.Shop.fresh = 1
    kept.collect(1)
    kept.pay(5)
    kept.till = None
    fixtures["basket"].append(1)


def shown():
    """Of everything that is kept, by value."""
    point = kept.point
    return (
        repr(kept.rates), repr(kept.history), repr(kept.names), repr(kept.queue), bytes(kept.numbers), point.x, hasattr(point, "y"), repr(kept.named),
        kept.named.note, kept.shop.__dict__, kept.generator.getstate(), len(kept.hostile), len(kept.cycle), kept.limit, kept.__dict__.get("temporary"),
        hasattr(kept, "added"), list(kept.Shop.made), kept.Shop.currency, hasattr(kept.Shop, "fresh"), repr(kept.collect.__defaults__),
        repr(kept.collect.__kwdefaults__), kept.pay(0), kept.till, list(fixtures["basket"]),
    )


ROOTS = [
    *("kept." + name for name in (
        "rates", "history", "names", "queue", "numbers", "point", "named", "shop", "generator", "hostile", "cycle", "limit", "temporary", "added", "collect",
        "pay", "till", "Shop.made", "Shop.currency", "Shop.fresh", "missing.thing",
    )),
    "fixture basket", "fixture gone", "no.such.module",
]
fixtures = {"basket": []}
keeper = Keeper(ROOTS, fixtures)
keeper.remember()
before, objects = shown(), (kept.rates, kept.history, kept.point, kept.shop, kept.collect, fixtures["basket"])
for _ in range(3):
    change()
    assert shown() != before
    keeper.put_back()
    assert shown() == before, [pair for pair in zip(shown(), before) if pair[0] != pair[1]]
assert all(one is other for one, other in zip(objects, (kept.rates, kept.history, kept.point, kept.shop, kept.collect, fixtures["basket"])))
# Once a test has run, what is there is no longer what was there before it.
change()
keeper.remember()
keeper.put_back()
assert shown() == before

logger = logging.getLogger("kept")


def settings():
    return (
        dict(os.environ), os.getcwd(), list(sys.path), list(sys.argv), "made_up" in sys.modules, "textwrap" in sys.modules, sys.getrecursionlimit(),
        random.getstate(), decimal.getcontext().prec, logger.level, list(logger.handlers), logging.root.manager.disable, signal.getsignal(signal.SIGUSR1),
        socket.getdefaulttimeout(), os.umask(os.umask(0o022)),
    )


def change_settings():
    os.environ["KEPT"] = "1"
    del os.environ["PATH"]
    os.chdir("/")
    sys.path.append("/nowhere")
    sys.argv = ["other"]
    sys.modules["made_up"] = kept
    sys.modules.pop("textwrap", None)
    sys.setrecursionlimit(sys.getrecursionlimit() + 7)
    random.seed(3)
    decimal.getcontext().prec = 5
    logger.addHandler(logging.NullHandler())
    logger.setLevel(10)
    logging.disable(50)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    socket.setdefaulttimeout(3)
    os.umask(0o077)


import textwrap  # noqa: E402, F401

os.umask(0o022)
NAMES = [
    "os.environ", "os.getcwd()", "sys.path", "sys.argv", "sys.modules", "sys.getrecursionlimit()", "random.getstate()", "decimal.getcontext()",
    'logging.getLogger("kept")', "logging.disable()", "signal.getsignal(SIGUSR1)", "socket.getdefaulttimeout()", "os.umask", "gc.isenabled()",
    "locale.setlocale()", "live threads", "listening sockets",
]
keeper = Keeper(NAMES, {})
keeper.remember()
usual = settings()
for _ in range(2):
    change_settings()
    assert settings() != usual
    keeper.put_back()
    assert settings() == usual, [pair for pair in zip(settings(), usual) if pair[0] != pair[1]]

# Each root by itself, and nothing else.
keeper = Keeper(["kept.limit"], {})
keeper.remember()
kept.limit, kept.rates["x"] = 9, 1
keeper.put_back()
assert kept.limit == 3 and kept.rates["x"] == 1
assert collections.deque(maxlen=3) != kept.queue
