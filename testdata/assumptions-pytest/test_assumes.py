"""Tests that rely on what Python's documentation leaves open. All of them pass in a plain run."""

import asyncio
import glob
import os
import pathlib
import sqlite3
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.pool import ThreadPool

import pytest

from shop import stock

FOLDER = pathlib.Path(__file__).parent / "data"
AS_IT_IS = os.listdir(FOLDER)
"""Listed before any test runs: whatever the order of the file system is."""


def test_listdir():
    assert os.listdir(FOLDER) == AS_IT_IS


def test_listdir_in_the_product():
    assert stock.files(FOLDER) == AS_IT_IS


def test_scandir():
    with os.scandir(FOLDER) as entries:
        assert [entry.name for entry in entries] == AS_IT_IS


def test_walk():
    assert [name for _, _, files in os.walk(FOLDER) for name in files] == AS_IT_IS


def test_iterdir():
    assert [path.name for path in FOLDER.iterdir()] == AS_IT_IS


def test_glob():
    assert [os.path.basename(path) for path in glob.glob("%s/*.txt" % FOLDER)] == AS_IT_IS


def test_set_in_the_product():
    assert stock.labels({1, 2, 3, 4}) == ["no. 1", "no. 2", "no. 3", "no. 4"]


def test_first_of_a_set():
    assert stock.first({1, 2, 3, 4}) == 1


def test_list_of_a_set():
    assert list({1, 2, 3, 4}) == [1, 2, 3, 4]


def test_pop():
    assert {1, 2, 3, 4}.pop() == 1


def test_keys():
    assert list(dict.fromkeys({1, 2, 3, 4})) == [1, 2, 3, 4]


class TestClass(unittest.TestCase):
    def setUp(self):
        self.numbers = list(frozenset([1, 2, 3, 4]))

    def test_set_up(self):
        self.assertEqual(self.numbers, [1, 2, 3, 4])


@pytest.fixture
def numbers():
    return [number for number in {1, 2, 3, 4}]


@pytest.mark.parametrize("at", [0, 3])
def test_fixture(numbers, at):
    assert numbers[at] == at + 1


def _later(number):
    time.sleep(0 if number else 0.05)
    return number


def test_as_completed():
    with ThreadPoolExecutor(1) as pool:
        futures = [pool.submit(_later, number) for number in range(3)]
        assert [future.result() for future in as_completed(futures)] == [0, 1, 2]


def test_imap_unordered():
    with ThreadPool(1) as pool:
        assert list(pool.imap_unordered(_later, range(3))) == [0, 1, 2]


def test_rows():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE book (title TEXT)")
    connection.executemany("INSERT INTO book VALUES (?)", [("Emma",), ("Persuasion",)])
    assert connection.execute("SELECT title FROM book").fetchall() == [("Emma",), ("Persuasion",)]
    connection.close()


def _usual(expression):
    """What it is in a process with the usual hashes."""
    command = [sys.executable, "-c", "print(%s)" % expression]
    return subprocess.check_output(command, env={**os.environ, "PYTHONHASHSEED": "0"}, text=True).strip()


HASH = int(_usual("hash('Emma')"))


def test_hash():
    assert hash("Emma") == HASH


def test_display():
    assert [0, *{1, 2, 3, 4}] == [0, 1, 2, 3, 4]


def test_display_in_the_product():
    assert stock.with_all({1, 2, 3, 4}) == (0, 1, 2, 3, 4)


def test_addition():
    numbers = [0]
    numbers += {1, 2, 3, 4}
    assert numbers == [0, 1, 2, 3, 4]


def test_slice():
    numbers = [0]
    numbers[1:] = {1, 2, 3, 4}
    assert numbers == [0, 1, 2, 3, 4]


def test_text():
    assert "%s" % {1, 2, 3, 4} == "{1, 2, 3, 4}"


def test_tasks_as_completed():
    async def later(number):
        await asyncio.sleep(number / 100)
        return number

    async def all_of_them():
        return [await task for task in asyncio.as_completed([later(0), later(1), later(2)])]

    assert asyncio.run(all_of_them()) == [0, 1, 2]
