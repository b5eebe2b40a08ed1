"""Puts what some roots lead to back to what it was before a test ran.

That tells which of the things that a test changes make it fail when it runs again: with that one put back, it passes. Objects stay the
ones that they are, and get their former contents. Only a worker that is told to keep something does so, and it serves one experiment.

PYTEST_DONT_REWRITE
"""

import collections
import decimal
import gc
import json
import locale
import logging
import os
import random
import signal
import socket
import sys
import types

_MOST = 200_000
"""Objects below one root; of a larger one the rest is not remembered."""

_MISSING = object()

_CLOSED = (types.ModuleType, type, types.CodeType, types.FrameType, types.BuiltinFunctionType, logging.Logger)
"""What is not looked into."""

_OF_OTHERS = {
    "_pytest", "_thread", "asyncio", "concurrent", "importlib", "io", "_io", "multiprocessing", "pluggy", "selectors", "socket", "sqlite3", "ssl",
    "subprocess", "surefoot_pytest", "threading", "unittest", "weakref",
}
"""Modules whose objects stand for something outside, or belong to what runs the tests."""

_SLOT = types.MemberDescriptorType


class Keeper:
    def __init__(self, names, fixtures):
        self._names = names
        self._fixtures = fixtures
        self._kept = {}
        self._is_settled = False

    def remember(self):
        """As it is now, until the first test has begun: what is set up for several tests comes before it."""
        if not self._is_settled:
            self._kept = {name: kept for name, kept in ((name, self._root(name)) for name in self._names) if kept}

    def put_back(self):
        self._is_settled = True
        for kept in self._kept.values():
            kept()

    def _root(self, name):
        """What puts a root back; none if nobody knows how."""
        if name.startswith("fixture "):
            value = self._fixtures.get(name[len("fixture ") :], _MISSING)
            return None if value is _MISSING else _contents(value)
        for begins, setting in _SETTINGS:
            if name == begins or begins.endswith("(") and name.startswith(begins):
                return setting(name)
        return _attribute(name)


def _attribute(name):
    """`package.module.Class.attribute`, by whatever is there already."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        owner = sys.modules.get(".".join(parts[:length]))
        if type(owner) is types.ModuleType or isinstance(owner, types.ModuleType):
            return _of_owner(owner, parts[length:])
    return None


def _of_owner(owner, parts):
    for part in parts[:-1]:
        owner = vars(owner).get(part)
        if not isinstance(owner, type):
            return None
    name, namespace = parts[-1], vars(owner)
    value = namespace.get(name, _MISSING)
    below = _contents(value) if value is not _MISSING else None

    def put_back():
        now = vars(owner).get(name, _MISSING)
        if value is _MISSING and now is not _MISSING:
            type.__delattr__(owner, name) if isinstance(owner, type) else vars(owner).pop(name)
        elif now is not value:
            type.__setattr__(owner, name, value) if isinstance(owner, type) else vars(owner).update({name: value})
        if below is not None:
            below()

    return put_back


def _contents(value):
    """Everything that can change below it, found without a word to any of the objects."""
    undo, seen, left = [], {}, [value]
    while left and len(seen) < _MOST:
        one = left.pop()
        if id(one) in seen or _is_closed(type(one)):
            continue
        # Held, so that no other object gets its id.
        seen[id(one)] = one
        for restore, held in _parts(one):
            undo.append(restore)
            left.extend(held)

    def put_back():
        for restore in undo:
            restore()

    return put_back


def _is_closed(kind):
    module = type.__getattribute__(kind, "__module__")
    return issubclass(kind, _CLOSED) or isinstance(module, str) and module.split(".")[0] in _OF_OTHERS


def _parts(one):
    """What puts each part of an object back, with what the part holds."""
    kind = type(one)
    if issubclass(kind, dict):
        yield _entries(one, dict), [*dict.keys(one), *dict.values(one)]
    elif issubclass(kind, list):
        yield _items(one, list.__getitem__, list.__setitem__), list(list.__iter__(one))
    elif issubclass(kind, set):
        members = set(set.__iter__(one))
        yield (lambda: (set.clear(one), set.update(one, members)) if set.__ne__(one, members) else None), list(members)
    elif issubclass(kind, collections.deque):
        held = list(collections.deque.__iter__(one))
        yield (lambda: (collections.deque.clear(one), collections.deque.extend(one, held))), held
    elif issubclass(kind, bytearray):
        content = bytes(one)
        yield (lambda: bytearray.__setitem__(one, slice(None), content)), []
    elif issubclass(kind, tuple):
        yield _nothing, list(tuple.__iter__(one))
    elif issubclass(kind, frozenset):
        yield _nothing, list(frozenset.__iter__(one))
    elif kind is types.FunctionType:
        yield from _function(one)
    elif kind is types.CellType:
        yield from _cell(one)
    elif issubclass(kind, random.Random) and not issubclass(kind, random.SystemRandom):
        state = random.Random.getstate(one)
        yield (lambda: random.Random.setstate(one, state)), []
    elif _is_array(kind):
        content = one.copy()
        yield (lambda: one.__setitem__(Ellipsis, content) if one.flags.writeable else None), []
    yield from _attributes(one, kind)


def _nothing():
    """It cannot change; what it holds can."""


def _is_array(kind):
    numpy = sys.modules.get("numpy")
    return numpy is not None and kind is getattr(numpy, "ndarray", None)


def _entries(one, base):
    before = dict(base.items(one))

    def put_back():
        now = dict(base.items(one))
        if list(map(id, now.keys())) != list(map(id, before.keys())) or list(map(id, now.values())) != list(map(id, before.values())):
            base.clear(one)
            base.update(one, before)

    return put_back


def _items(one, get, put):
    before = get(one, slice(None))

    def put_back():
        if list(map(id, get(one, slice(None)))) != list(map(id, before)):
            put(one, slice(None), before)

    return put_back


def _function(one):
    defaults, named = one.__defaults__, one.__kwdefaults__

    def put_back():
        one.__defaults__, one.__kwdefaults__ = defaults, named

    yield put_back, [*(defaults or ()), *(named or {}).values(), *(one.__closure__ or ())]


def _cell(one):
    try:
        content = one.cell_contents
    except ValueError:
        return

    def put_back():
        one.cell_contents = content

    yield put_back, [content]


def _attributes(one, kind):
    try:
        namespace = object.__getattribute__(one, "__dict__")
    except AttributeError:
        namespace = None
    if type(namespace) is dict:
        yield _entries(namespace, dict), list(namespace.values())
    for base in kind.__mro__:
        for name, slot in list(vars(base).items()):
            if type(slot) is _SLOT and issubclass(slot.__objclass__, base) and base.__flags__ & 1 << 9:
                yield from _slot(one, slot)


def _slot(one, slot):
    try:
        value = slot.__get__(one)
    except (AttributeError, TypeError):
        value = _MISSING

    def put_back():
        try:
            slot.__delete__(one) if value is _MISSING else slot.__set__(one, value)
        except (AttributeError, TypeError):
            # It is read only, or not set.
            pass

    yield put_back, [] if value is _MISSING else [value]


def _value(get, put):
    def setting(name):
        before = get()
        return lambda: put(before) if get() != before else None

    return setting


def _environment(name):
    before = dict(os.environ)

    def put_back():
        for name in list(os.environ):
            if name not in before:
                del os.environ[name]
        os.environ.update(before)

    return put_back


def _modules(name):
    before = dict(sys.modules)

    def put_back():
        for name in list(sys.modules):
            if name not in before:
                del sys.modules[name]
        sys.modules.update(before)

    return put_back


def _list_of_sys(name):
    of = getattr(sys, name[len("sys.") :])
    before = list(of)

    def put_back():
        of[:] = before
        setattr(sys, name[len("sys.") :], of)

    return put_back


def _logger(name):
    # The name of a logger is written as in JSON.
    logger = logging.getLogger(json.loads(name[len("logging.getLogger(") : name.rindex(")")] or "null"))
    before = (logger.level, list(logger.handlers), list(logger.filters), logger.propagate, logger.disabled)

    def put_back():
        logger.setLevel(before[0])
        logger.handlers[:], logger.filters[:] = before[1], before[2]
        logger.propagate, logger.disabled = before[3], before[4]

    return put_back


def _signal(name):
    number = getattr(signal, name[len("signal.getsignal(") : -1], None)
    if number is None:
        return None
    before = signal.getsignal(number)
    return lambda: signal.signal(number, before)


def _numpy(name):
    generator = sys.modules["numpy"].random
    before = generator.get_state()
    return lambda: generator.set_state(before)


def _decimal(name):
    before = decimal.getcontext().copy()
    return lambda: decimal.setcontext(before.copy())


def _mask(name):
    before = os.umask(0)
    os.umask(before)
    return lambda: os.umask(before)


def _collector(name):
    return gc.enable if gc.isenabled() else gc.disable


_SETTINGS = (
    ("os.environ", _environment),
    ("os.getcwd()", _value(os.getcwd, os.chdir)),
    ("os.umask", _mask),
    ("sys.path", _list_of_sys),
    ("sys.argv", _list_of_sys),
    ("sys.meta_path", _list_of_sys),
    ("sys.path_hooks", _list_of_sys),
    ("sys.modules", _modules),
    ("sys.getrecursionlimit()", _value(sys.getrecursionlimit, sys.setrecursionlimit)),
    ("gc.isenabled()", _collector),
    ("random.getstate()", _value(random.getstate, random.setstate)),
    ("numpy.random.get_state()", _numpy),
    ("decimal.getcontext()", _decimal),
    ("locale.setlocale()", _value(lambda: locale.setlocale(locale.LC_ALL), lambda name: locale.setlocale(locale.LC_ALL, name))),
    ("logging.disable()", _value(lambda: logging.root.manager.disable, logging.disable)),
    ("logging.getLogger(", _logger),
    ("signal.getsignal(", _signal),
    ("socket.getdefaulttimeout()", _value(socket.getdefaulttimeout, socket.setdefaulttimeout)),
)
