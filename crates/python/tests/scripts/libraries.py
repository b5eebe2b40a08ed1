"""Changes what a library keeps, in every form in which it may keep it, and puts it back."""

import collections
import contextvars
import functools
import io
import itertools
import json
import os
import random
import sys
import types

plugin, project = sys.argv[1:]
sys.path[:0] = [plugin, project]

import shop  # noqa: E402, F401
from surefoot_pytest import _state  # noqa: E402


class Sample:
    __slots__ = ("held",)
    known = object()


sample = Sample()
sample.held = Sample.known


class Holder:
    """Not of the module that is looked at, but one of its objects."""

    size = 1

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Slots:
    __slots__ = ("one", "two")


def closure():
    count = 1000

    def step():
        nonlocal count
        count += 1

    return step


def keyword(*, into={}):
    into["x"] = into.get("x", 1000) + 1


library = types.ModuleType("library")
library.__file__ = "/usr/lib/site-packages/library.py"
library.number = 1000
library.table = {"a": 1}
library.deep = {"list": [1, {"inner": []}]}
library.items = [1000, "two"]
library.row = (1, [2])
library.members = {1, "two"}
library.frozen = frozenset([1, (2, 3)])
library.queue = collections.deque([1])
library.counts = collections.Counter("a")
library.groups = collections.defaultdict(list, a=[1])
library.ordered = collections.OrderedDict(a=1)
library.holder = Holder(value=1000, other=[1])
library.slots = Slots()
library.slots.one, library.slots.two = [1], 1000
library.step = closure()
library.pair = {"lists": ([1], [2])}
viewed = Holder(value=1000)
library.view = viewed.__dict__
library.cells = tuple(types.CellType(number) for number in (1000, 2000))
library.over = [None]
library.keyword = keyword
library.partial = functools.partial(print, [1])
library.method = Holder(state=1).__init__
library.variable = contextvars.ContextVar("variable", default=None)
library.bytes = bytearray(b"ab")
library.numbers = itertools.count()
library.generator = random.Random(1)
library.stream = io.BytesIO(b"abcdefgh")
library.Class = type("Class", (), {"__module__": "library", "attribute": [1], "made": staticmethod(closure())})
library.hooks = [[].append]
library.codes = [closure.__code__]
library.parent = [Holder(child=Holder(value=1))]
library.some_cache = {}
library.__warningregistry__ = {}
sys.modules["library"] = library


def again():
    """Two steps, so that the number may lie where the first one did."""
    library.items[0] += 1
    library.items[0] += 1


def slot_again():
    library.slots.two += 1
    library.slots.two += 1


def attribute_again():
    library.holder.value += 1
    library.holder.value += 1


def in_place():
    library.parent[0].child = Holder(value=library.parent[0].child.value + 1)


def tuple_in_place():
    """What is gone leaves its place to the next of its size: nothing but the dict's version and the tuple itself tells."""
    one, other = library.pair["lists"]
    library.pair["lists"] = None
    library.pair["lists"] = (other, one)


def function_in_place():
    """Both the function and the tuple of its cells may lie where those before it did."""
    before = library.over[0]
    cell = library.cells[before is not None and before.__closure__[0] is library.cells[0]]
    before = library.over[0] = None
    library.over[0] = types.FunctionType(library.step.__code__, {}, "over", None, (cell,))


ours = [1], [2]


def builtin_in_place():
    """Which list it adds to is all that differs."""
    is_first = library.hooks[0].__self__ is ours[0]
    library.hooks[0] = None
    library.hooks[0] = ours[is_first].append


def code_in_place():
    line = library.codes[0].co_firstlineno
    library.codes[0] = None
    library.codes[0] = closure.__code__.replace(co_firstlineno=line + 1)


def deeper():
    library.deep["list"][1]["inner"].append(1)


CHANGES = [
    ("number", lambda: setattr(library, "number", library.number + 1)),
    ("new", lambda: setattr(library, "new", getattr(library, "new", 0) + 1)),
    ("table", lambda: library.table.update({len(library.table): 2})),
    ("deep", deeper),
    ("items", again),
    ("row", lambda: library.row[1].append(3)),
    ("members", lambda: library.members.add(len(library.members) + 10)),
    ("queue", lambda: library.queue.append(2)),
    ("counts", lambda: library.counts.update("b")),
    ("groups", lambda: library.groups["b"].append(1)),
    ("ordered", lambda: library.ordered.update({len(library.ordered): 1})),
    ("holder", attribute_again),
    ("slots", lambda: library.slots.one.append(2)),
    ("slots", slot_again),
    ("step", lambda: (library.step(), library.step())),
    ("pair", tuple_in_place),
    ("view", lambda: setattr(viewed, "value", viewed.value + 1)),
    ("over", function_in_place),
    ("over", function_in_place),
    ("hooks", builtin_in_place),
    ("hooks", builtin_in_place),
    ("codes", code_in_place),
    ("codes", code_in_place),
    ("keyword", lambda: library.keyword()),
    ("partial", lambda: library.partial.args[0].append(2)),
    ("method", lambda: setattr(library.method.__self__, "state", library.method.__self__.state + 1)),
    ("variable", lambda: library.variable.set((library.variable.get() or []) + [1])),
    ("numbers", lambda: next(library.numbers)),
    ("generator", lambda: library.generator.random()),
    ("stream", lambda: library.stream.read(1)),
    ("bytes", lambda: library.bytes.extend(b"c")),
    ("Class", lambda: library.Class.attribute.append(2)),
    ("parent", in_place),
]


def undone():
    library.table["z"] = 2
    del library.table["z"]
    library.items.append(3)
    library.items.pop()
    value, library.holder.value = library.holder.value, 2000
    library.holder.value = value
    kept, library.deep = library.deep, {}
    library.deep = kept
    library.some_cache["x"] = 1
    library.__warningregistry__["x"] = 1


def begin(**observation):
    wanted = {"observation": observation, "directories": [project], "patient": False, "generators": False}
    _state.begin(json.dumps(wanted), {}, Sample, sample, Sample.known)


def seen(change):
    _state.test_starts()
    change()
    return json.loads(_state.test_ends())["change"].get("elsewhere", [])


begin()
assert seen(lambda: None) == []
for name, change in CHANGES:
    found = seen(change)
    assert found == ["library." + name], (name, found)
    assert seen(lambda: None) == [], name
assert seen(undone) == [], "what is undone is as before"
assert seen(deeper) == ["library.deep"], "it is followed on from what was looked at again"

number = os.open(os.devnull, os.O_RDONLY)
kept = os.dup(number)
assert seen(lambda: os.close(kept)) == ["open files"]
assert seen(lambda: os.dup2(number, kept)) == ["open files"]
assert seen(lambda: open(os.devnull).close()) == []

gone = sys.modules.pop("library")
assert seen(deeper) == [], "nobody can import it"
sys.modules["library"] = library
assert seen(lambda: None) == []
assert seen(deeper) == ["library.deep"]

# The same as if it were the project's: what is not walked through again must not hide any of it.
begin(include_roots=["^library$"])


def differences(change):
    _state.test_starts()
    change()
    roots = [one["root"] for one in json.loads(_state.test_ends())["change"]["differences"]]
    # Variables of this script that are functions now are others next.
    return sorted({root for root in roots if not root.startswith("__main__.")})


for name, change in CHANGES * 2:
    # Where an iterator or a generator is at is nothing to report, nor which function or code it is without a name of its own; but a test
    # may end otherwise for it.
    is_silent = name in ("numbers", "generator", "stream", "hooks", "codes")
    if is_silent:
        assert seen(change) == ["library." + name], name
    expected = [] if is_silent else ["library." + name]
    expected = ["library.Class.attribute"] if name == "Class" else expected
    found = differences(change)
    assert found == expected, (name, found)
    assert differences(lambda: None) == [], name
