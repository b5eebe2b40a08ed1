"""The plug-in in a worker: runs exactly the items that it is told to, in that order.

PYTEST_DONT_REWRITE
"""

import copy
import gc
import os
import sys

import pytest

from . import environment
from .collected import Collected
from .lines import readable
from .options import FILES_OF_THE_USER, INTERRUPTIONS
from .plugin import NAME, Plugin
from .worker import leave, worker

_MEMORIES = ("lfplugin", "nfplugin", "stepwiseplugin")
"""Plug-ins that choose tests by former runs, and write down this one."""


def pytest_addoption(parser, pluginmanager):
    environment.restore(os.environ)
    sys.path[:] = [entry for entry in sys.path if entry != environment.FOLDER]
    pluginmanager.register(DriverPlugin(), NAME)


_PARTS = ("sybil", "nbval")
"""Packages whose items are parts of a document, in one namespace: each may rely on those before it, as their users expect."""


def _is_part(item):
    return type(item).__module__.split(".")[0] in _PARTS


class DriverPlugin(Plugin):
    def __init__(self):
        super().__init__(worker.lines, worker.launch.get("prefix", ""))
        self._collected = {}
        self._only = None
        """The files that tests are wanted of, if not of all."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        # pytest-cov looks here before it starts; coverage data are the user's files.
        if hasattr(early_config.known_args_namespace, "cov_source"):
            early_config.known_args_namespace.cov_source = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        for options in (FILES_OF_THE_USER, INTERRUPTIONS):
            for name, value in options.items():
                if hasattr(config.option, name):
                    setattr(config.option, name, value)
        seed = worker.launch.get("seed")
        if seed is not None and hasattr(config.option, "randomly_seed"):
            config.option.randomly_seed = int(seed)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session):
        manager = session.config.pluginmanager
        for name in _MEMORIES:
            if manager.hasplugin(name):
                manager.unregister(name=name)
        found = readable(str(session.config.inipath)) if session.config.inipath else None
        if found != worker.launch["configuration"]:
            what = "pytest finds its configuration in %s now; when watched, it was %s"
            self.tell({"event": "trouble", "what": what % (found, worker.launch["configuration"])})

    def pytest_internalerror(self, excrepr):
        worker.failure = "pytest failed: " + readable(str(excrepr)).strip().splitlines()[-1]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection(self, session):
        # What to collect depends on what is wanted.
        if worker.parent is not None:
            files = worker.parent.files
        else:
            files = (worker.next_run() or {}).get("files")
        # Before there are classes below those that are changed.
        self._begin_to_choose(session.config)
        if files:
            root, prefix = str(session.config.rootpath), len(self._prefix)
            self._only = {os.path.join(root, file[prefix:]) for file in files}
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path):
        # Packages are collected through their __init__.py.
        needless = self._only is not None and collection_path.name != "__init__.py" and collection_path.is_file()
        if needless and readable(str(collection_path)) not in self._only:
            return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        worker.looped = True
        if worker.parent is None:
            self._run_all(session)
        elif not worker.parent.can_fork():
            worker.parent.refuse()
        elif worker.fork(session.config):
            self._lines = worker.lines
            try:
                self._run_all(session)
            finally:
                # The end of the session is the parent's: it may remove what other workers still need.
                leave()
        # pytest looks for garbage several times now. There is nobody left to tell of it, and for large suites it takes longer than to start.
        gc.freeze()
        return True

    def _run_all(self, session):
        items = self._items(session)
        while worker.run is not None:
            wanted = worker.run["addresses"]
            if self._only is not None and not all(address in items for address in wanted):
                # A plug-in may make items of anything.
                self._only = None
                session.perform_collect()
                items = self._items(session)
            self._run(worker.run, items, session.config)
            worker.next_run()

    def _items(self, session):
        items = {}
        for item in session.items:
            items.setdefault(self.address(item.nodeid), item)
        return items

    def _begin_to_choose(self, config):
        if worker.choosing is not None:
            choosing, worker.choosing = worker.choosing, None
            self.choose(choosing, config)

    def _run(self, command, items, config):
        self._begin_to_choose(config)
        if worker.observation is not None:
            observation, worker.observation = worker.observation, None
            self.observe(observation, config, patient=True)
        found = [items.get(address) for address in command["addresses"]]
        runs = [item for item in found if item is not None]
        shared = command["class_setup"] == "shared"
        for index, item in enumerate(runs):
            following = runs[index + 1] if shared and index + 1 < len(runs) else None
            # pytest keeps set up what the next item needs. A copy needs all but what is the item's own.
            following = copy.copy(item) if following is item else following
            if item in self._collected and _is_part(item):
                self._tell_not_run(item, "a part of a document goes on from those before it, and is not run again")
                item.session._setupstate.teardown_exact(following)
                continue
            self._freshen(item)
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            except pytest.exit.Exception:
                # A test ends the session, and this process with it.
                raise
            except Exception as error:
                self._could_not_run(item, error)
        done = {"event": "done"}
        if len(runs) < len(found):
            done["reason"] = "pytest did not collect it again; it may depend on how the tests were chosen"
        self.tell(done)

    def _could_not_run(self, item, error):
        """pytest would end the session here, with an internal error. No test has done this, and others can still run."""
        try:
            item.session._setupstate.teardown_exact(None)
        except Exception:
            # What cannot be torn down is told by the next item, which cannot be set up.
            pass
        self._tell_not_run(item, "pytest or a plug-in failed: %s: %s" % (type(error).__name__, error))

    def _tell_not_run(self, item, reason):
        event = {"event": "finished", "test": self._test(item), "at_ms": self._at_ms(), "duration_us": 0}
        self.tell({**event, "status": "not-run", "reason": readable(reason)})

    def _freshen(self, item):
        collected = self._collected.get(item)
        if collected is None:
            self._collected[item] = Collected(item)
        else:
            collected.restore(item)
