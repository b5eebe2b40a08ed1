"""Objects of classes that a compiler has laid out, such as mypyc: what lies in them where others have a reference may be a number.

Following one of these would end the process.
"""

import ctypes
import json
import sys
import warnings

plugin, project = sys.argv[1:]
sys.path[:0] = [plugin, project]

from surefoot_pytest import _state  # noqa: E402

import shop  # noqa: E402

HEAD, WORD = object.__basicsize__, ctypes.sizeof(ctypes.c_void_p)
MEMBERS, OBJECT, DEFAULT, OPEN = 72, 16, 1 << 18, 1 << 10


class Member(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    ]


class Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("value", ctypes.c_void_p)]


class Spec(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("of_item", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(Slot)),
    ]


make = ctypes.pythonapi.PyType_FromSpecWithBases
make.restype, make.argtypes = ctypes.py_object, [ctypes.POINTER(Spec), ctypes.py_object]
kept = []


def compiled(name, base, words, members):
    """A class whose instances have so many words, some of which are references."""
    table = (Member * (len(members) + 1))()
    for place, (member, word) in enumerate(members):
        table[place] = Member(member, OBJECT, HEAD + word * WORD, 0, None)
    slots = (Slot * 2)(Slot(MEMBERS, ctypes.cast(table, ctypes.c_void_p)), Slot(0, None))
    spec = Spec(name, HEAD + words * WORD, 0, DEFAULT | OPEN, slots)
    kept.append((table, slots, spec))
    return make(ctypes.byref(spec), (base,))


def number_at(instance, word):
    return ctypes.c_size_t.from_address(id(instance) + HEAD + word * WORD)


# Such classes have names without a module, as those have that are written in Python.
warnings.simplefilter("ignore", DeprecationWarning)
# Its dict moves behind what the class below it adds.
base = compiled(b"Base", object, 2, [(b"held", 0), (b"__dict__", 1)])
below = compiled(b"Below", base, 3, [(b"__dict__", 2)])
# One that is among those that it inherits from, and has another layout.
trait = compiled(b"Trait", object, 1, [(b"wanted", 0)])
user = compiled(b"User", object, 1, [])
former = id(object)
second = ctypes.c_void_p.from_address(id(user.__mro__) + tuple.__basicsize__ + WORD)
assert second.value == former, "the second of its items"

shop.of_base, shop.of_user = below(), user()
shop.of_base.held = held = []
number_at(shop.of_base, 1).value = 1
number_at(shop.of_user, 0).value = 1
second.value = id(trait)


class Sample:
    __slots__ = ("held",)
    known = object()


sample = Sample()
sample.held = Sample.known
wanted = {"observation": {}, "directories": [project], "patient": False, "generators": False}
_state.begin(json.dumps(wanted), {}, Sample, sample, Sample.known)
_state.test_starts()
held.append(1)
seen = json.loads(_state.test_ends())["change"]["differences"]
second.value = former
number_at(shop.of_base, 1).value = 0
number_at(shop.of_user, 0).value = 0
assert [one["path"] for one in seen] == ["shop.of_base.held[0]"], seen
