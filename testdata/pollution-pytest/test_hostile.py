"""Objects that notice whoever asks them for anything. Nobody may, while the state around the tests is compared."""

import collections
import threading

import pytest

asked = []
armed = False


def notice(what):
    if armed:
        asked.append(what)


class Meta(type):
    def __getattribute__(cls, name):
        notice("attribute %s of a class" % name)
        return super().__getattribute__(name)

    def __instancecheck__(cls, instance):
        notice("instance check")
        return False

    def __hash__(cls):
        notice("hash of a class")
        return 1

    def __eq__(cls, other):
        notice("comparison of a class")
        return False


class Descriptor:
    def __get__(self, instance, owner):
        notice("descriptor")
        return 1


class Hostile(metaclass=Meta):
    __slots__ = ("slot", "__dict__", "__weakref__")
    described = Descriptor()

    def __init__(self):
        self.slot = [1]
        self.value = {"x": 2}

    def __getattribute__(self, name):
        notice("attribute %s" % name)
        return super().__getattribute__(name)

    def __getattr__(self, name):
        notice("missing attribute %s" % name)
        raise AttributeError(name)

    @property
    def __class__(self):
        notice("class")
        return int

    @property
    def asks(self):
        notice("property")
        return 1

    def __eq__(self, other):
        notice("comparison")
        return True

    def __hash__(self):
        notice("hash")
        return 1

    def __repr__(self):
        notice("representation")
        return "x"

    __str__ = __repr__

    def __bool__(self):
        notice("truth")
        return True

    def __len__(self):
        notice("length")
        return 1

    def __iter__(self):
        notice("iteration")
        return iter(())

    def __index__(self):
        notice("index")
        return 1


class HostileDict(dict):
    def __iter__(self):
        notice("iteration of a dict")
        return super().__iter__()

    def __getitem__(self, key):
        notice("entry of a dict")
        return super().__getitem__(key)

    def keys(self):
        notice("keys of a dict")
        return super().keys()

    def items(self):
        notice("items of a dict")
        return super().items()


class HostileList(list):
    def __iter__(self):
        notice("iteration of a list")
        return super().__iter__()

    def __getitem__(self, at):
        notice("element of a list")
        return super().__getitem__(at)

    def __len__(self):
        notice("length of a list")
        return super().__len__()


class HostileSet(set):
    def __iter__(self):
        notice("iteration of a set")
        return super().__iter__()


class HostileDeque(collections.deque):
    def __iter__(self):
        notice("iteration of a deque")
        return super().__iter__()


class HostileText(str):
    def __eq__(self, other):
        notice("comparison of a text")
        return super().__eq__(other)

    def __hash__(self):
        notice("hash of a text")
        return super().__hash__()


class HostileNumber(int):
    def __int__(self):
        notice("conversion")
        return 1

    __index__ = __int__


objects = [
    Hostile(),
    HostileDict(a=[1]),
    HostileList([2]),
    HostileSet([3]),
    HostileDeque([4]),
    HostileText("5"),
    HostileNumber(6),
    {HostileText("key"): 1, (Hostile(), 2): 3, HostileNumber(7): Hostile},
    {Hostile()},
]
cycle = [Hostile()]
cycle.append(cycle)
globals()[HostileText("named_by_a_hostile_text")] = 1
balance = 0


def test_leaves_a_change_and_is_looked_into():
    global balance
    balance += 1
    objects.append(Hostile())


def test_changes_inside():
    object.__getattribute__(list.__getitem__(objects, 0), "slot").append(1)
    list.append(list.__getitem__(objects, 2), 7)


def test_begins():
    global armed
    armed = True


@pytest.fixture(scope="module")
def shared():
    """While a thread has another one in hand."""
    done = threading.Event()
    thread = threading.Thread(target=lambda hostile: done.wait(), args=(Hostile(),))
    thread.start()
    yield Hostile()
    done.set()
    thread.join()


def test_between(shared):
    """The state is compared before and after this one."""


def test_ends():
    global armed
    armed = False
    assert asked == []
