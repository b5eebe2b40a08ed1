"""Whether a test has changed the values that it was given as parameters: it is given the same objects when it runs again.

No code of the project's runs here. What cannot be told is taken to have changed.

PYTEST_DONT_REWRITE
"""

import enum
import re
import sys
import types

_MOST = 2000
"""Values in containers that are looked at."""

_OF_MODULES = {
    "datetime": ("date", "datetime", "time", "timedelta", "timezone"),
    "decimal": ("Decimal",),
    "fractions": ("Fraction",),
    "pathlib": ("PosixPath", "PurePosixPath", "PureWindowsPath"),
    "uuid": ("UUID",),
}


def _imported():
    """By whoever else needs it: nothing is imported here that would not be there without us."""
    for module, names in _OF_MODULES.items():
        for name in names:
            kind = getattr(sys.modules.get(module), name, None)
            if type(kind) is type:
                yield kind


_VALUES = frozenset(
    [str, bytes, int, float, complex, bool, type(None), type(...), type(NotImplemented), range, slice, *_imported()]
)
"""They stay what they are."""

_CODE = frozenset(
    [types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, types.CodeType, re.Pattern]
)
"""What changes in these is seen as what the project's modules hold."""

_SEQUENCES = (list, tuple)
_SETS = (set, frozenset)


class Parameters:
    """Of one test, as they were when it began."""

    def __init__(self, item):
        self._before = {}
        given = getattr(getattr(item, "callspec", None), "params", None)
        if type(given) is dict:
            for name, value in given.items():
                if not _is_unchanging(value):
                    self._before[name] = (value, _kept(value))

    def changed(self):
        """The names of those that are not what they were, or may not be."""
        return [name for name, (value, kept) in self._before.items() if kept is None or not _is_same(kept, _kept(value))]


def _is_unchanging(value):
    kind = type(value)
    return kind in _VALUES or kind in _CODE or issubclass(type(kind), enum.EnumMeta) or issubclass(kind, type)


def _kept(value):
    """What containers hold, in a row: values themselves, so that no other takes the place of one in memory, and of all else, which must
    not live longer for it, where it is. None if something cannot be looked into."""
    kept, waiting, known = [], [value], set()
    while waiting:
        one = waiting.pop()
        kind = type(one)
        kept.append(one if kind in _VALUES else id(one))
        if _is_unchanging(one) or id(one) in known:
            continue
        known.add(id(one))
        if kind in _SEQUENCES or kind in _SETS:
            inside = list(one)
        elif kind is dict:
            inside = [*one.keys(), *one.values()]
        elif kind is bytearray:
            inside = [bytes(one)]
        else:
            return None
        kept.append(len(inside))
        waiting.extend(inside)
        if len(kept) + len(waiting) > _MOST:
            return None
    return kept


def _is_same(before, now):
    if now is None or len(before) != len(now):
        return False
    return all(one is other or _are_equal(one, other) for one, other in zip(before, now))


def _are_equal(one, other):
    """Of numbers and bytes, which may be other objects."""
    return type(one) is type(other) and type(one) in (int, bytes) and one == other
