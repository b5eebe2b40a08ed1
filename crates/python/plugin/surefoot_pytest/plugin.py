"""The pytest plug-in: sees tests start and end, in a watched process and in a worker alike.

PYTEST_DONT_REWRITE
"""

import functools
import threading
import time

import pytest

from . import choices, environment, results, state
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
        self._looks = None
        """Compares the state around tests, if that is wanted."""
        self._choices = None
        """Lets tests see other orders, if that is wanted."""

    def observe(self, observation, config, patient):
        """Compare the state around each test from now on."""
        try:
            self._looks = state.begin(observation, config, patient)
        except Exception as error:
            self._looks = None
            what = "the state of this Python cannot be compared: %s" % error
            self.tell({"event": "trouble", "what": readable(what)})
        else:
            self._tell_troubles()

    def choose(self, choosing, config):
        """Let each test from now on see other orders than usual."""
        try:
            self._choices = choices.begin(choosing, config)
        except Exception as error:
            self._choices = None
            what = "no order can be changed in this Python: %s" % error
            self.tell({"event": "trouble", "what": readable(what)})

    def _tell_troubles(self):
        for trouble in self._looks.troubles():
            self.tell({"event": "trouble", "what": readable(trouble)})

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
            if self._choices is not None:
                self._safely(self._choices.pause)
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
        environment.hide_files()
        if self._looks is not None:
            self._look_before(item, run)
        self.tell({"event": "started", "test": self._test(item), "at_ms": self._at_ms()})
        if self._choices is not None:
            if run.overlapped:
                self._choices.pause()
            else:
                self._choices.test_starts(self.address(item.nodeid))

    def _look_before(self, item, run):
        if run.overlapped:
            self._looks.lose_track()
            return
        around = self._looks.test_starts(item)
        if around is not None:
            self.tell({"event": "changed-around", "test": self._test(item), "change": around})

    def _look_after(self, item, skipped):
        seen = self._looks.test_ends()
        # What a test does that is skipped in the end is of no interest.
        if seen is not None and (seen["tests"] > 1 or not skipped):
            event = {"event": "changed", "test": self._test(item)}
            event.update(seen)
            self.tell(event)
        self._tell_troubles()

    def _finish(self, item, run):
        if self._under_way.get(run.thread) is not run:
            return
        event = {
            "event": "finished",
            "test": self._test(item),
            "at_ms": self._at_ms(),
            "duration_us": int(run.took * 1e6),
        }
        if self._choices is not None and not run.overlapped:
            self._safely(self._tell_choices, item)
        event.update(results.result(run.reports, run.exceptions))
        if run.overlapped:
            event["overlapped"] = True
        elif self._looks is not None:
            self._safely(self._look_after, item, event["status"] == "skipped")
            self._safely(self._looks.put_back)
        self.tell(event)

    def _tell_choices(self, item):
        made = self._choices.test_ends()
        if made is not None:
            self.tell({"event": "chose", "test": self._test(item), "choices": made})
        troubles, self._choices.troubles = self._choices.troubles, []
        for trouble in troubles:
            self.tell({"event": "trouble", "what": readable(trouble)})

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

    def _run_alone(self):
        """The run of this thread, if there is no other."""
        run = self._under_way.get(threading.get_ident())
        return run if run is not None and not run.overlapped else None

    def _run_to_look_at(self):
        """The run of this thread, if the state is compared around it."""
        return self._run_alone() if self._looks is not None else None

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item):
        run = self._run_to_look_at()
        if run is None:
            yield
            return
        run.is_set_up = True
        is_first = not self._is_set_up(item.parent)
        if is_first:
            # Modules and packages that the item lies in are set up first, which may import them.
            item.setup = functools.partial(self._set_up_alone, item.setup)
        yield
        if is_first:
            item.__dict__.pop("setup", None)
        run.is_set_up = False

    def _is_set_up(self, node):
        return node is None or node in getattr(node.session._setupstate, "stack", ())

    def _set_up_alone(self, set_up):
        if self._looks is not None:
            self._safely(self._looks.others_are_set_up)
        return set_up()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef):
        is_shared = fixturedef.scope != "function" and self._run_alone() is not None
        if is_shared and self._looks is not None:
            self._safely(self._looks.fixture_starts)
        if is_shared and self._choices is not None:
            self._safely(self._choices.pause)
        yield
        if is_shared and self._choices is not None:
            self._safely(self._choices.go_on)
        if is_shared and self._looks is not None:
            self._safely(self._looks.fixture_ends, fixturedef)

    def pytest_fixture_post_finalizer(self, fixturedef):
        run = self._run_to_look_at()
        if run is not None and fixturedef.scope != "function":
            self._safely(self._looks.fixture_is_gone, fixturedef, run.is_set_up)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item, nextitem):
        parent = item.parent
        if self._run_alone() is not None and parent is not None:
            if nextitem is None or parent not in nextitem.listchain():
                try:
                    # What comes last is done first: after the item's own tear-down, before that of what it shares.
                    parent.addfinalizer(self._item_is_torn_down)
                except AssertionError:
                    # It was never set up.
                    pass
        yield

    def _item_is_torn_down(self):
        if self._run_to_look_at() is not None:
            self._safely(self._looks.test_is_over)
        if self._choices is not None and self._run_alone() is not None:
            self._safely(self._choices.pause)

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
        # Before anything is collected, and before each test once more, as some are imported late.
        environment.hide_files()
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
        self.is_set_up = False
        """It is being set up."""
