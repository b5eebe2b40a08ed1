"""Functions that a user declares to promise less than they keep: `shop.catalogue.names=permute`.

The code of such a function is replaced, which reaches everybody who has the function already.

PYTEST_DONT_REWRITE
"""

import inspect
import itertools
import json
import sys
import types

_MOST_READ = 10_000
"""Elements of an iterator that are put in another order; what comes after them comes after them."""

_MOST_LONGER = 2
_OTHER_NUMBERS = 3
_FILE = __file__
"""In tracebacks. The module itself has none later."""


class Declared:
    def __init__(self, native, declarations):
        self._native = native
        self._left = list(declarations)
        self._told = set()
        self._troubles = []

    def troubles(self):
        """What does not fit, once each."""
        troubles, self._troubles = self._troubles, []
        return troubles

    def change(self):
        """Those whose modules are there by now."""
        for declaration in list(self._left):
            name = declaration["method"]
            found = _find(name)
            if found is None:
                continue
            self._left.remove(declaration)
            function = getattr(found, "__func__", None) or getattr(found, "fget", None) or found
            if found is _NOTHING:
                self._tell(name, "there is none of that name")
            elif type(function) is not types.FunctionType:
                self._tell(name, "it is not written in Python")
            elif inspect.isasyncgenfunction(function):
                self._tell(name, "it is an asynchronous generator")
            else:
                _replace(function, self._changes(name, declaration["kind"]))

    def _tell(self, name, why):
        if (name, why) not in self._told:
            self._told.add((name, why))
            self._troubles.append("%s is left as it is: %s" % (name, why))

    def _changes(self, name, kind):
        """What makes another value of what the function returns."""
        change = {"permute": self._permuted, "extend": self._extended, "random": self._other}[kind]

        def changed(value):
            try:
                return change(name, value)
            except Exception as error:
                self._tell(name, "%s: %s" % (type(error).__name__, error))
                return value

        return changed

    def _order(self, name, kind, elements):
        text = self._native.choose(name, name, elements, kind)
        return json.loads(text) if text else None

    def _permuted(self, name, value):
        kind, rest = type(value), ()
        if kind is dict or kind in (list, tuple):
            elements = list(value)
        elif hasattr(kind, "__next__"):
            elements, rest = list(itertools.islice(value, _MOST_READ)), value
        else:
            self._tell(name, "a %s has no order that could be another one" % kind.__name__)
            return value
        order = self._order(name, "permute", elements) if len(elements) > 1 else None
        if order is None:
            order = range(len(elements))
        if kind is dict:
            return {elements[at]: value[elements[at]] for at in order}
        listed = [elements[at] for at in order]
        return kind(listed) if kind in (list, tuple) else itertools.chain(listed, rest)

    def _extended(self, name, value):
        if type(value) not in (list, tuple):
            self._tell(name, "a %s is no list and no tuple" % type(value).__name__)
            return value
        lengths = [len(value) + more for more in range(1 + _MOST_LONGER)]
        order = self._order(name, "extend", lengths) if value else None
        return value + value[-1:] * order[0] if order else value

    def _other(self, name, value):
        if type(value) is not int:
            self._tell(name, "a %s is no int" % type(value).__name__)
            return value
        numbers = [value] + [(value * 31 + at * 0x51ED2701) % (1 << 31) for at in range(1, 1 + _OTHER_NUMBERS)]
        order = self._order(name, "random", numbers)
        return numbers[order[0]] if order else value


_NOTHING = object()


def _find(name):
    """The function; none as long as its module may still come."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        owner = sys.modules.get(".".join(parts[:length]))
        if owner is None:
            continue
        for number, part in enumerate(parts[length:]):
            owner = _own(owner, part)
            if owner is _NOTHING:
                # It may be a module that is imported later, unless it is the function itself, or in a class.
                return _NOTHING if number > 0 or length == len(parts) - 1 else None
        return owner
    return None


def _own(owner, name):
    for space in owner.__mro__ if isinstance(owner, type) else (owner,):
        found = getattr(space, "__dict__", {}).get(name, _NOTHING)
        if found is not _NOTHING:
            return found
    return _NOTHING


def _replace(function, changed):
    original = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__kwdefaults__ = function.__kwdefaults__
    signature = inspect.signature(original)
    if inspect.iscoroutinefunction(original):

        async def target(*arguments, **named):
            return changed(await original(*arguments, **named))

    else:

        def target(*arguments, **named):
            return changed(original(*arguments, **named))

    function.__code__ = _code(original, target)
    function.__signature__ = signature


def _code(original, target):
    """Hands everything on to `target`. A function can only be given code with as many variables of those around it as it has, and
    from 3.13 on CPython warns of code of another kind: generators stay generators."""
    names = ["_%d" % at for at in range(len(original.__code__.co_freevars))]
    words = ("def", "return")
    if inspect.iscoroutinefunction(original):
        words = ("async def", "return await")
    elif inspect.isgeneratorfunction(original):
        words = ("def", "yield from")
    source = "\n".join(
        (
            "def around(%s):" % ", ".join(names),
            "    %s instead(*arguments, **named):" % words[0],
            "        if 0: %s" % (", ".join(names) or "pass"),
            "        target = 'target'",
            "        %s target(*arguments, **named)" % words[1],
            "    return instead",
        )
    )
    space = {}
    # In this file, so that the place that sees the order is that of the caller.
    exec(compile(source, _FILE, "exec"), space)
    code = space["around"](*names).__code__
    return code.replace(co_consts=tuple(target if constant == "target" else constant for constant in code.co_consts))
