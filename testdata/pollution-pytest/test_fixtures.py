"""What fixtures that several tests share do is put down to no test; what a test does to them is."""

import os
import queue
import threading

import pytest

import product

opened = []
mode = "none"
setup = None


def setup_module():
    global setup
    setup = "done"
    os.environ["POLLUTION_FIXTURE"] = "module"


def teardown_module():
    global setup
    setup = "undone"
    del os.environ["POLLUTION_FIXTURE"]


@pytest.fixture(scope="module")
def shop():
    opened.append("shop")
    product.RATES["shop"] = 2.0
    yield {"name": "shop", "visitors": []}
    opened.append("closed")
    del product.RATES["shop"]


@pytest.fixture(scope="session", autouse=True)
def everywhere():
    product.HISTORY.append("session")
    yield


@pytest.fixture(scope="module", params=["fast", "slow"])
def parameter(request):
    global mode
    mode = request.param
    yield mode
    mode = "ended"


@pytest.fixture(scope="class")
def of_class(request):
    request.cls.connection = "open"
    yield
    request.cls.connection = "closed"


class Server:
    def __init__(self):
        self.orders = queue.SimpleQueue()
        self.served = []

    def serve(self):
        for order, done in iter(self.orders.get, None):
            self.served.append(order)
            done.set()

    def order(self, what):
        done = threading.Event()
        self.orders.put((what, done))
        assert done.wait(10)


@pytest.fixture(scope="module", params=["method", "function", "own"])
def server(request):
    server = Server()
    serves = server.serve if request.param != "function" else lambda: server.serve()
    thread = threading.Thread(target=serves)
    thread.start()
    yield (server, thread) if request.param == "own" else server
    server.orders.put(None)
    thread.join()


def test_asks_the_server(server):
    (server[0] if isinstance(server, tuple) else server).order("tea")


def test_first_uses_the_shop(shop):
    assert opened[-1] == "shop"


def test_asks_for_a_fixture_in_the_middle(request):
    product.LIMIT += 1
    try:
        assert request.getfixturevalue("late")
    finally:
        product.LIMIT -= 1


@pytest.fixture(scope="module")
def late():
    opened.append("late")
    return True


def test_changes_the_shop(shop):
    shop["visitors"].append("x")


@pytest.mark.usefixtures("of_class")
class TestWithFixture:
    def test_one(self):
        assert self.connection == "open"

    def test_other(self):
        assert self.connection == "open"


def test_with_parameter(parameter):
    assert mode == parameter


def test_last_leaves_something(shop):
    opened.append("left")
