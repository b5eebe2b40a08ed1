"""Asks the native module for other orders in every form in which Python shows them."""

import ast
import asyncio
import collections
import concurrent.futures
import copy
import gc
import importlib.util
import os
import pathlib
import pickle
import sys
import threading
import warnings

# As projects have it.
warnings.simplefilter("error")

plugin, project = sys.argv[1:]
sys.path[:0] = [plugin, project]

from surefoot_pytest import _state, choices, displays  # noqa: E402


class Config:
    rootpath = pathlib.Path(project)

    class invocation_params:
        dir = pathlib.Path(project)


def begin(level="id", seed=1, only=None, models=(), **more):
    choosing = {"seed": seed, "level": level, "models": list(models), "trace": True, **more}
    if only is not None:
        choosing["only"] = only
    begun = choices.Choices(_state, choosing, Config)
    assert begun.troubles == [], begun.troubles
    return begun


def orders(show, level="id"):
    """All orders that `show` gets to see with a hundred seeds."""
    seen = set()
    for seed in range(100):
        chooser = begin(level, seed)
        chooser.test_starts("a.py::test")
        order = show()
        chooser.test_ends()
        seen.add(order)
    return seen


NUMBERS = {1, 2, 3}
PAIRS = {(1, "a"), (1, "b"), (1, "c")}
USUAL = (1, 2, 3)


class Numbers(set):
    pass


def loop(numbers):
    shown = ()
    for number in numbers:
        shown += (number,)
    return shown


def popped():
    numbers, shown = {1, 2, 3}, ()
    while numbers:
        shown += (numbers.pop(),)
    return shown


def unpacked():
    a, b, c = NUMBERS
    return a, b, c


def extended():
    numbers = []
    numbers.extend(NUMBERS)
    return tuple(numbers)


def added():
    numbers = []
    numbers += NUMBERS
    return tuple(numbers)


def assigned():
    numbers = [0]
    numbers[:] = NUMBERS
    return tuple(numbers)


def display(text):
    """As it is compiled where modules of the project are."""
    tree = ast.parse(text, mode="eval")
    if sys.version_info >= (3, 13):
        assert displays.changed(tree) is tree
    return eval(compile(tree, __file__, "eval"))


async def later(number):
    return number


async def in_turn():
    return tuple([await task for task in asyncio.as_completed([later(1), later(2), later(3)])])


async def in_turn_with_their_tasks():
    tasks = {asyncio.ensure_future(later(number)): number for number in (1, 2, 3)}
    if sys.version_info < (3, 13):
        return tuple([await task for task in asyncio.as_completed(tasks)])
    return tuple([tasks[task] async for task in asyncio.as_completed(tasks)])


def of_a_pool():
    with concurrent.futures.ThreadPoolExecutor() as pool:
        futures = [pool.submit(int, number) for number in (1, 2, 3)]
        return tuple([future.result() for future in concurrent.futures.as_completed(futures)])


FORMS = {
    "add": added,
    "assign": assigned,
    "text": lambda: repr(NUMBERS),
    "frozen text": lambda: str(frozenset(NUMBERS)),
    "display": display("lambda: tuple([*NUMBERS])"),
    "mixed display": display("lambda: (0, *NUMBERS, 4)"),
    "mixed arguments": display("lambda: (lambda *numbers: numbers)(0, *NUMBERS)"),
    "tasks": lambda: asyncio.run(in_turn()),
    "their tasks": lambda: asyncio.run(in_turn_with_their_tasks()),
    "futures": of_a_pool,
    "loop": lambda: loop(NUMBERS),
    "frozen": lambda: loop(frozenset(NUMBERS)),
    "list": lambda: tuple(list(NUMBERS)),
    "tuple": lambda: tuple(NUMBERS),
    "comprehension": lambda: tuple([number for number in NUMBERS]),
    "generator": lambda: tuple(number for number in NUMBERS),
    "iter": lambda: (next(iter(NUMBERS)), 0),
    "unpacked": unpacked,
    "arguments": lambda: (lambda *numbers: numbers)(*NUMBERS),
    "extend": extended,
    "join": lambda: tuple(",".join({"1", "2", "3"}).split(",")),
    "map": lambda: tuple(map(int, NUMBERS)),
    "enumerate": lambda: tuple(number for _, number in enumerate(NUMBERS)),
    "keys": lambda: tuple(dict.fromkeys(NUMBERS)),
    "ordered": lambda: tuple(collections.OrderedDict.fromkeys(NUMBERS)),
    "deque": lambda: tuple(collections.deque(NUMBERS)),
    "counter": lambda: tuple(collections.Counter(NUMBERS)),
    "ties": lambda: tuple(sorted(PAIRS, key=lambda pair: pair[0])),
    "pop": popped,
}
for name, form in FORMS.items():
    seen = orders(form)
    expected = 3 if name == "iter" else 6
    assert len(seen) == expected, (name, seen)

# Modules of the project are compiled anew for it, and that is not kept where Python would find it.
with open(os.path.join(project, "starred.py"), "w") as file:
    file.write("def all_of(numbers):\n    return (0, *numbers)\n")
sys.dont_write_bytecode = False
import starred  # noqa: E402

sys.dont_write_bytecode = True
assert len(orders(lambda: starred.all_of(NUMBERS))) == 6
kept = importlib.util.cache_from_source(os.path.join(project, "starred.py"))
assert os.path.exists(kept) == (sys.version_info < (3, 13)), kept

# Promised: the same members, whatever the order.
PROMISED = (
    lambda: len(NUMBERS),
    lambda: NUMBERS == {3, 2, 1},
    lambda: max(NUMBERS),
    lambda: sum(NUMBERS),
    lambda: tuple(sorted(NUMBERS)),
)
for form in PROMISED:
    assert len(orders(form)) == 1
assert orders(lambda: tuple({"b": 1, "a": 2})) == {("b", "a")}
assert {eval(text) == NUMBERS for text in orders(lambda: repr(NUMBERS))} == {True}
assert {eval(text) == frozenset(NUMBERS) for text in orders(lambda: repr(frozenset(NUMBERS)))} == {True}


class Loop(set):
    def __hash__(self):
        return 1


holder = Loop([1, 2])
holder.add(holder)
assert {text.count("Loop(...)") for text in orders(lambda: repr(holder))} == {1}
assert displays.changed(ast.parse("f(*a); [b]; {*c}; x, *y = z")) is None

# All looks at a set that is not modified agree, but at level full.
def looks():
    numbers = {4, 5, 6}
    starred = display("lambda numbers: tuple([*numbers])")(numbers)
    return tuple(numbers) == tuple(list(numbers)) == loop(numbers) == tuple(dict.fromkeys(numbers)) == starred


for level in ("id", "eq", "one"):
    assert orders(looks, level) == {True}, level
assert False in orders(looks, "full")


def changed():
    numbers = {1, 2, 3}
    try:
        for number in numbers:
            numbers.add(number + 10)
    except RuntimeError as error:
        return str(error)


assert orders(changed) == {"Set changed size during iteration"}
chooser = begin()
chooser.test_starts("a.py::test")
iterator = iter(NUMBERS)
assert type(iterator).__name__ == "set_iterator" and iterator.__length_hint__() == 3
assert iter(iterator) is iterator and len(list(iterator)) == 3 and list(iterator) == []
iterator = iter(NUMBERS)
next(iterator)
assert list(copy.copy(iterator)) == list(pickle.loads(pickle.dumps(iterator))) == list(iterator)
assert list(copy.copy(iterator)) == []
assert list(iter(set())) == [] and list(iter({1})) == [1]
chooser.test_ends()

# Directories.
folder = os.path.join(project, "folder")
os.makedirs(folder, exist_ok=True)  # one folder for every Python
for name in "abc":
    open(os.path.join(folder, name), "w").close()


def names(entries):
    return tuple(entry.name for entry in entries)


def scanned():
    with os.scandir(folder) as entries:
        return names(entries)


LISTINGS = {
    "listdir": lambda: tuple(os.listdir(folder)),
    "scandir": scanned,
    "walk": lambda: tuple(next(os.walk(folder))[2]),
    "iterdir": lambda: names(pathlib.Path(folder).iterdir()),
    "glob": lambda: names(pathlib.Path(folder).glob("*")),
    "bytes": lambda: tuple(os.listdir(os.fsencode(folder))),
}
for name, form in LISTINGS.items():
    seen = orders(form)
    assert len(seen) == 6, (name, seen)
assert orders(lambda: os.listdir(folder) == list(scanned())) == {True}
for error in (lambda: os.listdir("missing"), lambda: os.scandir("missing"), lambda: os.listdir(1.5)):
    chooser.test_starts("a.py::test")
    try:
        error()
    except (FileNotFoundError, TypeError):
        pass
    else:
        raise AssertionError
    chooser.test_ends()

# What is told of a choice.
chooser = begin(seed=3)
chooser.test_starts("a.py::test")
loop(NUMBERS)
loop(NUMBERS)
told = chooser.test_ends()
assert told["reached"] == 1, told
(made,) = told["made"]
assert made["model"] == "set" and made["place"] == "__main__.loop", made
assert made["detail"]["elements"] == ["1", "2", "3"], made
assert made["detail"]["stack"][0] == "iteration of a set"
assert made["detail"]["stack"][1].startswith("__main__.loop("), made
assert len(made["detail"]["again"]) == 1, made

# Nothing is chosen without a test, for other models, or for what is left out; then it is only counted.
assert loop(NUMBERS) == USUAL
chooser.test_starts("a.py::test")
chooser.pause()
assert loop(NUMBERS) == USUAL
chooser.go_on()
chooser.test_ends()
for seed in range(20):
    chooser = begin(seed=seed, models=["os.listdir"])
    chooser.test_starts("a.py::test")
    assert loop(NUMBERS) == USUAL
    assert chooser.test_ends()["reached"] == 0
    chooser = begin(seed=seed, only=[])
    chooser.test_starts("a.py::test")
    assert loop(NUMBERS) == USUAL
    assert chooser.test_ends() == {"reached": 1}

# Nothing is kept and nothing is lost.
member = object()
held = {member, 1, 2}


chooser = begin()


def look(times):
    for _ in range(times):
        chooser.test_starts("a.py::test")
        for form in FORMS.values():
            form()
        for form in LISTINGS.values():
            form()
        loop(held)
        {member, 1}.pop()
        iter(held)
        chooser.test_ends()


look(20)
gc.collect()
watched = (member, held, NUMBERS, set, list, _state, choices.Entries)
counts = [sys.getrefcount(one) for one in watched]
objects = len(gc.get_objects())
look(500)
gc.collect()
assert counts == [sys.getrefcount(one) for one in watched], (counts, [sys.getrefcount(one) for one in watched])
assert len(gc.get_objects()) <= objects + 20, (objects, len(gc.get_objects()))

# Another interpreter sees what is usual, though it shares functions and types with this one, and frees what it has.
NOT_OURS = """
class Empty:
    __slots__ = ()

numbers = {1, 2, 3}
for _ in range(200):
    shown = [[number for number in numbers], list(numbers), [*map(int, repr(numbers)[1:-1].split(", "))]]
    assert shown == [[1, 2, 3]] * 3, shown
    held = [Empty() for _ in range(50)]
"""


def in_another_interpreter():
    interpreters = importlib.import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
    number = interpreters.create()
    failure = interpreters.run_string(number, NOT_OURS)
    assert failure is None, failure
    interpreters.destroy(number)


chooser = begin(identity_hash="moved")
chooser.test_starts("a.py::test")
in_another_interpreter()
beside = threading.Thread(target=in_another_interpreter)
beside.start()
loop({1, 2, 3})
while beside.is_alive():
    loop({1, 2, 3})
    # Before 3.12, interpreters take turns only so.
    beside.join(0.001)
assert chooser.test_ends()["reached"] > 0
