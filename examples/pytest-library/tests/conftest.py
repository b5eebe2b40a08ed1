import datetime

import pytest

from library.books import Book, Catalogue


@pytest.fixture
def emma():
    return Book("Emma", "Jane Austen", 1815)


@pytest.fixture(scope="module")
def catalogue():
    return Catalogue([Book("Persuasion", "Jane Austen", 1817), Book("Middlemarch", "George Eliot", 1871)])


@pytest.fixture
def monday():
    return datetime.date(2024, 1, 1)
