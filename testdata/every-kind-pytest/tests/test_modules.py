"""Set-up of the whole module, and fixtures of every scope."""

import pytest

LOG = []


def setup_module():
    LOG.append("module")


def teardown_module():
    del LOG[:]


def setup_function():
    LOG.append("function")


def teardown_function():
    LOG.pop()


@pytest.fixture(scope="module")
def server():
    yield {"requests": 0}


@pytest.fixture(scope="class")
def room():
    yield []


@pytest.fixture(scope="package")
def house():
    yield "house"


def test_is_set_up(server, room, house):
    assert LOG == ["module", "function"]
    assert room == []


class TestShares:
    def test_gets_a_room(self, room):
        assert house is not None
        assert room == []
