"""Fixtures that a thread has in hand: a server goes on while tests run, and what changes in it is not what a test did.

PYTEST_DONT_REWRITE
"""

import functools
import threading
import types

_MRO = type.__dict__["__mro__"].__get__
_NAMESPACE = type.__dict__["__dict__"].__get__


def name(fixture, value):
    """What the value of a fixture is called, by whether a thread works on it."""
    return fixture + " (a thread works on it)" if _is_at_work(value) else fixture


def _is_at_work(value):
    values = list(value) if type(value) is tuple or type(value) is list else [value]
    threads = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    in_hand = [held for thread in threads for held in _of_thread(thread)]
    own = [held for one in values for held in _attributes(one)]
    return any(_is_in(one, in_hand) for one in values) or any(_is_in(thread, own) for thread in threads)


def _is_in(one, others):
    return any(one is other for other in others)


def _of_thread(thread):
    """The thread, what it was given, and what the function that it runs belongs to or encloses."""
    yield thread
    for held in _attributes(thread):
        yield from held if type(held) is tuple else (held,)
        if type(held) is dict:
            yield from held.values()
        if type(held) is functools.partial:
            yield from held.args
            held = held.func
        if type(held) is types.MethodType:
            yield held.__self__
        for cell in getattr(held, "__closure__", None) or () if type(held) is types.FunctionType else ():
            try:
                yield cell.cell_contents
            except ValueError:
                # It is empty.
                continue


def _attributes(value):
    """Of the object itself. Neither it nor its class is asked: a proxy would hand out those of another one."""
    for base in _MRO(type(value)):
        found = _NAMESPACE(base).get("__dict__")
        if found is not None:
            return list(found.__get__(value).values()) if type(found) is types.GetSetDescriptorType else []
    return []
