"""Captures ten thousand times, with and without changes, and counts references and memory."""

import gc
import json
import os
import sys

plugin, project = sys.argv[1:]
sys.path[:0] = [plugin, project]

import shop  # noqa: E402
from surefoot_pytest import _state  # noqa: E402


class Sample:
    __slots__ = ("held",)
    known = object()


sample = Sample()
sample.held = Sample.known
fixtures = {"database": {"rows": [1]}}
wanted = {"observation": {}, "directories": [project], "patient": False, "generators": True}
_state.begin(json.dumps(wanted), fixtures, Sample, sample, Sample.known)


def look(times, change):
    for number in range(times):
        _state.test_starts()
        if change:
            shop.shop.rates["chf"] = number
            shop.things[1] = [number % 7]
        _state.fixture_starts()
        _state.fixture_ends()
        seen = json.loads(_state.test_ends())
        assert bool(seen["change"]["differences"]) == change, seen


def counts():
    gc.collect()
    objects = [
        shop, shop.shop, shop.Shop, shop.slots, shop.inner, shop.inner.__code__, shop.inner.__closure__[0], shop.things,
        shop.things[9], shop.Shop.made, shop.shop.__dict__, shop.Colour.RED, fixtures, fixtures["database"], sys.modules,
        shop.Shop.__dict__["helper"], "chf", "rates", int, dict, type(shop.things[-2]),
    ] + shop.things[8:]
    return [sys.getrefcount(one) for one in objects]


def references():
    """Of all objects together; only debug builds count them."""
    return getattr(sys, "gettotalrefcount", lambda: 0)()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def put_back():
    shop.shop.rates["chf"], shop.things[1] = 1.0, [1]
    _state.lose_track()
    look(5, False)


look(50, True)
look(50, False)
put_back()
before, memory, objects, total = counts(), resident(), len(gc.get_objects()), references()
# Four captures each.
look(2250, False)
look(250, True)
put_back()
after = counts()
# The lists of counts are objects too.
assert len(gc.get_objects()) <= objects + 10
assert before == after, [pair for pair in zip(before, after) if pair[0] != pair[1]]
more = references() - total
assert more < 200, more
grown = resident() - memory
assert grown < 4_000_000, grown
assert gc.isenabled()
gc.disable()
_state.lose_track()
look(5, False)
assert not gc.isenabled()
