"""Objects of every kind that a capture looks into."""

import collections
import contextvars
import datetime
import decimal
import enum
import fractions
import functools
import pathlib
import re
import types
import uuid
from array import array


class Colour(enum.Enum):
    RED = 1


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = [1]


class Shop:
    made = {}

    def __init__(self):
        self.rates = {"chf": 1.0, 2: [3], (4, "x"): {5}}
        self.itself = self

    @staticmethod
    def helper(x=[]):
        return x

    @classmethod
    def other(cls):
        return cls

    @property
    def value(self):
        return 1


def outer():
    cell = {"count": 0}

    def inner(a, b=[1], *, c={2: 3}):
        return cell, a, b, c

    return inner


shop = Shop()
slots = Slots()
inner = outer()
method = shop.helper
bound = shop.__init__
partial = functools.partial(inner, 1, b=2)
things = [
    None, True, 1, 10**40, 1.5, 2j, "text", "\u00e9\ud800", b"bytes", b"x" * 100, bytearray(b"abc"), array("i", [1, 2]),
    (1, (2,)), {1, "a", (3,)}, frozenset({4}), collections.deque([5]), collections.OrderedDict(a=1), collections.Counter("ab"),
    collections.defaultdict(list, a=[1]), range(3), slice(1), iter([1]), re.compile("a"), re.compile(b"a"), Colour.RED, len,
    [].append, Shop, int, types, types.SimpleNamespace(a=1), datetime.datetime.now(datetime.timezone.utc), datetime.date.today(),
    datetime.timedelta(1), decimal.Decimal("1.5"), fractions.Fraction(1, 2), uuid.UUID(int=1), pathlib.Path("a/b"),
    contextvars.ContextVar("v", default=[1]), ValueError("x"), memoryview(b"x"), object(), NotImplemented, ...,
    collections.namedtuple("Pair", "a b")(1, 2), type("Local", (), {"x": [1]}),
]
things.append(things)
