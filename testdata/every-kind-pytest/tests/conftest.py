"""Files `*.sums` hold tests too: a plug-in may collect anything."""

import pytest


def pytest_collect_file(parent, file_path):
    if file_path.suffix == ".sums":
        return Sums.from_parent(parent, path=file_path)


class Sums(pytest.File):
    def collect(self):
        for line in self.path.read_text().splitlines():
            yield Sum.from_parent(self, name=line)


class Sum(pytest.Item):
    def runtest(self):
        terms, _, total = self.name.partition("=")
        if sum(int(term) for term in terms.split("+")) != int(total):
            raise ValueError("%s is wrong" % self.name)


def pytest_generate_tests(metafunc):
    if "generated" in metafunc.fixturenames:
        metafunc.parametrize("generated", range(3))


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def database(request):
    return {"kind": request.param}


@pytest.fixture
def broken():
    raise OSError("set-up fails")


@pytest.fixture
def breaks_later():
    yield 1
    raise OSError("tear-down fails")
