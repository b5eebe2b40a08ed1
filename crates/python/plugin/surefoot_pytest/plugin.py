"""The pytest plug-in: sees tests start and end, in a watched process and in a worker alike.

PYTEST_DONT_REWRITE
"""

import threading
import time

import pytest

from . import results
from .lines import readable

NAME = "surefoot"


class _Clock:
    """Kept in a class: libraries that stop the time replace the functions that they find in modules."""

    now = staticmethod(time.perf_counter)


class Plugin:
    def __init__(self, lines, prefix=None):
        self._lines = lines
        self._began = _Clock.now()
        self._prefix = prefix
        """Comes before node ids, where several root directories are tested by one command."""
        self._under_way = {}
        """The run that each thread is at."""

    def address(self, nodeid):
        return (self._prefix or "") + readable(nodeid)

    def begin(self):
        """Before the first event."""

    def tell(self, event):
        self.begin()
        self._lines.tell(event)

    def _at_ms(self):
        return int((_Clock.now() - self._began) * 1000)

    def _test(self, item):
        parent = getattr(item, "parent", None)
        return {
            "framework": "pytest",
            "address": self.address(item.nodeid),
            "class": self.address(parent.nodeid) if parent is not None else "",
            "method": readable(getattr(item, "originalname", None) or item.name),
            "display": readable(item.name),
        }

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        run = _Run()
        self._safely(self._start, item, run)
        outcome = yield
        run.took = _Clock.now() - run.started
        # After pytest.exit, Ctrl-C or an error in a plug-in the session ends, and the test has no result.
        if outcome.excinfo is None:
            self._safely(self._finish, item, run)
        if self._under_way.get(run.thread) is run:
            del self._under_way[run.thread]

    def _start(self, item, run):
        # An item that an item runs is that item's own business.
        if run.thread in self._under_way:
            return
        self._under_way[run.thread] = run
        # pytest-parallel and its like run items in threads.
        if len(self._under_way) > 1:
            for other in self._under_way.values():
                other.overlapped = True
        self.tell({"event": "started", "test": self._test(item), "at_ms": self._at_ms()})

    def _finish(self, item, run):
        if self._under_way.get(run.thread) is not run:
            return
        event = {
            "event": "finished",
            "test": self._test(item),
            "at_ms": self._at_ms(),
            "duration_us": int(run.took * 1e6),
        }
        event.update(results.result(run.reports, run.exceptions))
        if run.overlapped:
            event["overlapped"] = True
        self.tell(event)

    def _safely(self, do, *arguments):
        """An error of ours is no error of the tests."""
        try:
            do(*arguments)
        except Exception as error:
            what = "Surefoot's plug-in failed: %s: %s" % (type(error).__name__, error)
            self._lines.tell({"event": "trouble", "what": readable(what)})

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        run = self._under_way.get(threading.get_ident())
        if run is not None:
            # A plug-in that runs a failed item again starts with its set-up.
            if call.when == "setup":
                run.reports, run.exceptions = [], {}
            if call.excinfo is not None:
                run.exceptions[call.when] = call.excinfo
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        run = self._under_way.get(threading.get_ident())
        if run is not None:
            run.reports.append(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report):
        if report.failed:
            self._safely(self._container_failed, report)

    def _container_failed(self, report):
        address = self.address(report.nodeid)
        container = {"framework": "pytest", "address": address, "class": address, "display": address}
        self.tell({"event": "container-failed", "container": container, "thrown": results.thrown(report)})

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config):
        option = config.option
        several = getattr(option, "numprocesses", None) or getattr(option, "tx", None)
        if several or getattr(option, "dist", "no") != "no":
            option.numprocesses, option.dist, option.tx = None, "no", []
            if hasattr(option, "distload"):
                option.distload = False
            self.in_one_process()

    def in_one_process(self):
        """pytest-xdist was told to use several."""


class _Run:
    """One item on its way through set-up, call and tear-down."""

    def __init__(self):
        self.thread = threading.get_ident()
        self.started = _Clock.now()
        self.took = 0.0
        self.reports = []
        self.exceptions = {}
        self.overlapped = False
