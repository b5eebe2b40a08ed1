"""Changes what modules share at random, and compares looks that walk through what changed with looks that walk through everything."""

import collections
import json
import os
import random
import sys
import tempfile
import types

plugin, project = sys.argv[1:]
sys.path[:0] = [plugin, project]

from surefoot_pytest import _state  # noqa: E402

RUNS, CHANGES = int(os.environ.get("RUNS", "150")), 12
MODULES = ["first", "second", "third"]
NAMES = ["one", "two", "three", "four", "five"]


class Sample:
    __slots__ = ("held",)
    known = object()


sample = Sample()
sample.held = Sample.known


class Thing:
    """Not of a module that is looked at; its instances are."""


class Slots:
    __slots__ = ("one", "two")


def closure(content):
    def step():
        return content

    return step


class World:
    """Three modules of a project with objects that lead to each other, across modules and in circles."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.fixtures = {}
        for name in MODULES:
            sys.modules.pop(name, None)
        for name in MODULES:
            self.add_module(name)
        for _ in range(30):
            self.change()

    def add_module(self, name):
        module = types.ModuleType(name)
        module.__file__ = os.path.join(project, name + ".py")
        exec("def function(): pass\nclass Class:\n    items = []\n", module.__dict__)
        sys.modules[name] = module

    def module(self):
        return sys.modules[self.random.choice([name for name in MODULES if name in sys.modules])]

    def name(self):
        return self.random.choice(NAMES)

    def new(self):
        pick = self.random.randrange
        make = [
            lambda: [self.value() for _ in range(pick(4))],
            lambda: {self.key(): self.value() for _ in range(pick(4))},
            lambda: (self.value(), [self.value()]),
            lambda: {pick(5), self.name(), (1, pick(3))},
            lambda: collections.deque([self.value()]),
            lambda: collections.defaultdict(list, {self.name(): []}),
            lambda: closure(self.value()),
            lambda: bytearray(b"ab"),
            Thing,
            Slots,
            lambda: type("Open", (), {"__module__": self.module().__name__, "held": self.value()}),
            lambda: self.module().Class(),
        ]
        return self.random.choice(make)()

    def key(self):
        return self.random.choice([self.name(), self.random.randrange(3), Thing()])

    def value(self):
        kind = self.random.randrange(10)
        if kind < 3:
            return self.random.choice([None, True, 1, 2.5, "text", 10**20, self.random.randrange(10**6)])
        return self.any() if kind < 7 else self.new()

    def any(self):
        """Something that is there, reached along a random path."""
        held = self.module().__dict__.get(self.name(), self.module().Class)
        for _ in range(self.random.randrange(5)):
            inner = self.inner(held)
            if not inner:
                break
            held = self.random.choice(inner)
        return held

    def inner(self, held):
        if isinstance(held, dict):
            return list(held.values())
        if isinstance(held, (list, tuple, collections.deque)):
            return list(held)
        if isinstance(held, Slots):
            return [getattr(held, name) for name in Slots.__slots__ if hasattr(held, name)]
        if isinstance(held, types.FunctionType) and held.__closure__:
            return [cell.cell_contents for cell in held.__closure__]
        return [value for name, value in getattr(held, "__dict__", {}).items() if not name.startswith("__")]

    def change(self):
        pick = self.random.randrange
        what = pick(24)
        if what == 0:
            module = self.module()
            if hasattr(module, self.name()) and pick(2):
                module.__dict__.pop(self.name(), None)
        elif what < 6:
            setattr(self.module(), self.name(), self.value())
        elif what == 6:
            setattr(self.module().Class, self.name(), self.value())
        elif what == 7:
            self.module().function.__defaults__ = (self.value(),)
        elif what == 8:
            self.module().function.marked = self.value()
        elif what == 9 and pick(4) == 0:
            sys.modules.pop("third", None) or self.add_module("third")
        elif what == 10:
            self.fixtures[self.name()] = self.value()
        elif what == 11:
            self.fixtures.pop(self.name(), None)
        elif what == 12:
            # What is gone leaves its place to others of its size.
            module, name = self.module(), self.name()
            module.__dict__[name] = None
            module.__dict__[name] = self.new()
        elif what == 13:
            module, name = self.module(), self.name()
            module.__dict__[name] = module.__dict__.pop(name, None)
        elif what == 14:
            table = {}
            setattr(self.module(), self.name(), table)
            for number in range(pick(100)):
                table[number] = self.random.choice([number, self.name()])
        else:
            self.change_inside(self.any())

    def change_inside(self, held):
        pick = self.random.randrange
        if isinstance(held, collections.defaultdict):
            held[self.name()].append(pick(3))
        elif isinstance(held, dict):
            held[self.key()] = self.value()
            if held and pick(3) == 0:
                del held[self.random.choice(list(held))]
        elif isinstance(held, (list, collections.deque)):
            held.append(self.value())
            if pick(2):
                del held[0]
        elif isinstance(held, set):
            held ^= {pick(5)}
        elif isinstance(held, bytearray):
            held[:] = bytes([pick(256), pick(256)])
        elif isinstance(held, types.FunctionType) and held.__closure__:
            held.__closure__[0].cell_contents = self.value()
        elif isinstance(held, (Thing, Slots, type)) or type(held).__name__ == "Class":
            name = self.random.choice(Slots.__slots__)
            if hasattr(held, name) and pick(3) == 0:
                try:
                    delattr(held, name)
                except AttributeError:
                    pass
            elif held is not Thing:
                setattr(held, name, self.value())


def begin(world, dump):
    wanted = {"observation": {"dump": dump}, "directories": [project], "patient": False, "generators": False}
    _state.begin(json.dumps(wanted), world.fixtures, Sample, sample, Sample.known)
    _state.test_starts()


def read(path):
    with open(path) as file:
        return file.read()


def told(seed, everything, dump):
    """What looks at one run told. With another module in `sys.modules` each time, they walk through everything."""
    world = World(seed)
    begin(world, dump)
    all_told = []
    for number in range(CHANGES):
        for _ in range(world.random.randrange(3)):
            world.change()
        sys.modules.pop("extra%d" % (number - 1), None)
        if everything:
            sys.modules["extra%d" % number] = types.ModuleType("extra")
        change = json.loads(_state.test_ends())["change"]
        _state.test_starts()
        differences = [one for one in change["differences"] if one["root"] != "sys.modules"]
        all_told.append(sorted(json.dumps(one, sort_keys=True) for one in differences))
    sys.modules.pop("extra%d" % (CHANGES - 1), None)
    return world, all_told


def told_of_everything(seed, dump):
    """In another process, so that both have the same memory to begin with."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            _, all_told = told(seed, True, dump)
            with os.fdopen(writer, "w") as file:
                json.dump(all_told, file)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as file:
        text = file.read()
    assert os.waitpid(child, 0)[1] == 0, seed
    return json.loads(text)


def check(seed, dump):
    expected = told_of_everything(seed, dump)
    world, found = told(seed, False, dump)
    for number, (one, other) in enumerate(zip(found, expected)):
        assert one == other, "seed %d, change %d\n%s\ninstead of\n%s" % (seed, number, "\n".join(one), "\n".join(other))
    # The state as the last look has it, and as one that knows nothing of earlier ones has it.
    _state.test_ends()
    left = read(dump + "/after.txt")
    begin(world, dump)
    assert left == read(dump + "/before.txt"), seed


def main():
    first = int(os.environ.get("SEED", "0"))
    with tempfile.TemporaryDirectory() as dump:
        for seed in range(first, first + RUNS):
            check(seed, dump)


main()
