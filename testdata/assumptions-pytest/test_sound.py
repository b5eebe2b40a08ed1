"""Tests that look as if they relied on an order and do not, and tests that are unreliable for other reasons."""

import asyncio
import collections
import json
import os
import pathlib
import pickle
import random
import shutil
import sqlite3
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.pool import ThreadPool

import pytest

from shop import stock

FOLDER = pathlib.Path(__file__).parent / "data"
NAMES = ["apples.txt", "bread.txt", "cheese.txt", "dates.txt"]


def test_sorted_listing():
    assert sorted(os.listdir(FOLDER)) == NAMES
    assert sorted(path.name for path in FOLDER.iterdir()) == NAMES


def test_listing_as_a_set():
    assert set(os.listdir(FOLDER)) == set(NAMES)
    assert len(stock.files(FOLDER)) == 4


def test_two_listings_agree():
    with os.scandir(FOLDER) as entries:
        assert os.listdir(FOLDER) == [entry.name for entry in entries]


def test_size_and_members():
    assert len({1, 2, 3}) == 3 and 2 in {1, 2, 3} and {1, 2, 3} == {3, 2, 1}
    assert {1, 2} | {3} == {1, 2, 3} and {1, 2, 3} - {2} == {1, 3}


def test_least_and_most():
    assert (min({3, 1, 2}), max({3, 1, 2}), sum({3, 1, 2})) == (1, 3, 6)
    assert sorted({3, 1, 2}) == [1, 2, 3]


def test_two_looks_agree():
    names = {"b", "a", "c", "d"}
    assert list(names) == list(names) == [name for name in names]
    assert dict(zip(names, names)) == {name: name for name in names}


def test_all_are_popped():
    names, popped = {"a", "b", "c"}, set()
    while names:
        popped.add(names.pop())
    assert popped == {"a", "b", "c"}


def test_change_while_iterating():
    numbers = {1, 2, 3}
    with pytest.raises(RuntimeError):
        for number in numbers:
            numbers.add(number + 10)


def test_order_of_a_dict():
    assert list({"b": 1, "a": 2}) == ["b", "a"]
    assert json.dumps({"b": 1, "a": 2}) == '{"b": 1, "a": 2}'
    assert list(collections.OrderedDict([("b", 1), ("a", 2)])) == ["b", "a"]


def test_sort_is_stable():
    assert sorted([("a", 1), ("b", 0), ("c", 1)], key=lambda pair: pair[1]) == [("b", 0), ("a", 1), ("c", 1)]
    assert collections.Counter("abab").most_common(1) == [("a", 2)]


def test_set_comes_back():
    names = {"a", "b", "c"}
    assert pickle.loads(pickle.dumps(names)) == names


def test_results_by_task():
    with ThreadPoolExecutor(4) as pool:
        futures = {pool.submit(pow, number, 2): number for number in range(4)}
        assert {futures[future]: future.result() for future in as_completed(futures)} == {0: 0, 1: 1, 2: 4, 3: 9}
        assert list(pool.map(str, range(3))) == ["0", "1", "2"]


def test_tasks_by_result():
    async def later(number):
        await asyncio.sleep(number / 100)
        if number == 1:
            raise LookupError(number)
        return number

    async def all_of_them():
        assert await asyncio.gather(later(0), later(2)) == [0, 2]
        results, errors = set(), 0
        for task in asyncio.as_completed([later(0), later(1), later(2)], timeout=30):
            try:
                results.add(await task)
            except LookupError:
                errors += 1
        assert (results, errors) == ({0, 2}, 1)
        with pytest.raises(asyncio.TimeoutError):
            for task in asyncio.as_completed([asyncio.sleep(60), asyncio.sleep(60)], timeout=0.01):
                await task
        task = asyncio.ensure_future(later(0))
        with pytest.raises(TypeError):
            list(asyncio.as_completed(task))
        await task
        return len(results)

    assert asyncio.run(all_of_them()) == 2


def test_a_task_brings_about_the_next():
    async def all_of_them():
        gates = [asyncio.Event() for _ in range(2)]
        gates[0].set()
        count = 0
        for task in asyncio.as_completed([gate.wait() for gate in gates]):
            assert await task
            gates[1].set()
            count += 1
        return count

    assert asyncio.run(all_of_them()) == 2


def test_displays_that_agree():
    names = {"b", "a", "c", "d"}
    assert [*names] == list(names) and (0, *names)[1:] == tuple(names)
    assert sorted([*names, "e"]) == ["a", "b", "c", "d", "e"]
    more = ["z"]
    more += names
    more[1:] = names
    assert more[1:] == [*names] and eval(str(names)) == names == eval(repr(frozenset(names)))
    assert max(0, *{1, 2, 3}) == 3


def test_a_result_brings_about_the_next():
    gates = [threading.Event() for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        futures = [pool.submit(gate.wait, 30) for gate in gates]
        gates[0].set()
        for number, future in enumerate(as_completed(futures)):
            assert future.result()
            if number < 2:
                gates[number + 1].set()


def test_ordered_map():
    with ThreadPool(2) as pool:
        assert list(pool.imap(str, range(4))) == ["0", "1", "2", "3"]
        assert sorted(pool.imap_unordered(str, range(4))) == ["0", "1", "2", "3"]


def test_ordered_rows():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE book (title TEXT)")
    connection.executemany("INSERT INTO book VALUES (?)", [("Persuasion",), ("Emma",)])
    assert connection.execute("SELECT title FROM book ORDER BY title").fetchall() == [("Emma",), ("Persuasion",)]
    assert sorted(connection.execute("SELECT title FROM book")) == [("Emma",), ("Persuasion",)]
    connection.close()


def test_files_come_and_go(tmp_path):
    for name in NAMES:
        (tmp_path / name).write_text(name)
    shutil.copytree(tmp_path, tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(FOLDER, os.path.join(folder, "data"))
    assert sorted(os.listdir(tmp_path)) == NAMES


def test_hash_is_the_same_in_one_process():
    assert hash("Emma") == hash("Em" + "ma"[:])


@pytest.fixture(scope="module")
def shared():
    return [number for number in {1, 2, 3, 4}]


def test_shared_fixture(shared):
    # Set up for all tests of the module, and no part of this one.
    assert shared == [1, 2, 3, 4]


def test_by_chance():
    assert list({1, 2}) in ([1, 2], [2, 1])
    assert "CHANCE" not in os.environ or random.random() < 0.8


SEEN = set()


def test_only_once():
    assert not SEEN
    SEEN.update([1, 2])
    assert sum(SEEN) == 3
