"""What the tests beside it share."""

import abc
import collections
import contextvars
import enum
import functools
import logging
import re
import warnings
import weakref

RATES = {"chf": 1.0}
OPEN = True
HISTORY = []
NAMES = {"a"}
LIMIT = 10
TEMPORARY = "there"
USER = contextvars.ContextVar("user", default="nobody")
log = logging.getLogger("product")

_instance = None
_calls = 0


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


ORIGIN = Point(0, 0)


class Cart:
    currency = "chf"
    made = []

    def total(self):
        return 0

    @staticmethod
    def kinds():
        return ["small"]


class Shelf:
    open = False

    def __init__(self):
        self.items = {}

    @functools.cached_property
    def sizes(self):
        return [1, 2, 3]


SHELF = Shelf()


class Colour(enum.Flag):
    RED = enum.auto()
    BLUE = enum.auto()


class Animal(abc.ABC):
    @abc.abstractmethod
    def name(self):
        """What it is called."""


class Lazy:
    def __init__(self):
        self.connection = None
        self._ready = False

    def connect(self):
        if self.connection is None:
            self.connection = object()
            self._pool = [1]
        return self.connection


LAZY = Lazy()
hooks = collections.defaultdict(list)
tally = collections.Counter()


class Upper(dict):
    def __missing__(self, key):
        self[key] = key.upper()
        return self[key]


upper = Upper()


def collect(item, into=[]):
    into.append(item)
    return into


def length(items=()):
    return len(items)


def till():
    content = 0

    def pay(amount):
        nonlocal content
        content += amount
        return content

    return pay


pay = till()


@functools.lru_cache(maxsize=None)
def square(number):
    return number * number


def convert(amount):
    return amount * RATES["chf"]


def instance():
    global _instance
    if _instance is None:
        _instance = Cart()
    return _instance


def complain():
    warnings.warn("this is old", DeprecationWarning, stacklevel=1)


def matches(text):
    return re.compile(r"a+b").match(text)


LISTENERS = {}


def listen(listener):
    """As libraries for signals do: for as long as the listener lives."""
    name = "the listener"
    LISTENERS[name] = weakref.ref(listener, lambda _: LISTENERS.pop(name))


SIGNS = {}


def sign(currency):
    """Remembers them, under a name that does not say so."""
    if currency not in SIGNS:
        SIGNS[currency] = currency.upper()
    return SIGNS[currency]


class Office:
    def __init__(self):
        self.rooms = {}

    def room(self, number):
        found = self.rooms.get(number)
        if found is None:
            found = self.rooms[number] = self.build(number)
        return found

    def build(self, number):
        return [number]


OFFICE = Office()
market = None


def open_market():
    global market
    if market is None:
        market = Cart()
    return market


OFFICES = {}
_till = None


def register(name):
    """Looks much like a memo, but others find only what was put in."""
    if name not in OFFICES:
        OFFICES[name] = name.upper()
    return OFFICES[name]


def is_registered(name):
    return name in OFFICES


def use(till):
    global _till
    _till = till


def till_in_use():
    return _till
