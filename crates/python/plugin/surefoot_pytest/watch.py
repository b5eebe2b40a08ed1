"""The plug-in in a process that is watched. PYTEST_PLUGINS names this module.

PYTEST_DONT_REWRITE
"""

import json
import os
import sys
import time

import pytest

from . import environment
from .lines import FileLines, readable
from .plugin import NAME, Plugin

PROTOCOL = 2


def pytest_addoption(parser, pluginmanager):
    # Called as soon as this module is registered, and so after the plug-ins that are installed.
    folder = os.environ.get(environment.WATCH)
    path = [entry for entry in sys.path if entry != environment.FOLDER]
    argv = list(sys.argv)
    # What tests see, and the processes that they start, is the user's own.
    environment.restore(os.environ)
    sys.path[:] = path
    if folder:
        pluginmanager.register(WatchPlugin(folder, path, argv), NAME)


class WatchPlugin(Plugin):
    def __init__(self, folder, path, argv):
        super().__init__(FileLines(folder))
        # <project>/.surefoot/watches/0001/vms
        self._observe_file = os.path.join(folder, os.pardir, "observe.json")
        self._project = os.path.abspath(os.path.join(folder, "..", "..", "..", ".."))
        self._left_behind = _left_behind(os.path.join(folder, os.pardir, "parents"))
        """For workers, if they are wanted."""
        self._config = None
        self._begun = False
        self._notes = []
        # Taken now: later, conftest files and tests have changed them.
        self._vm = {
            "event": "vm",
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "ancestors": environment.ancestors(),
            "loaded_at_ms": int(time.time() * 1000),
            "executable": sys.executable or "",
            "argv": environment.command_line(),
            "directory": readable(os.getcwd()),
            "environment": environment.variables(),
        }
        self._path = [readable(str(entry)) for entry in path]
        self._argv = [readable(argument) for argument in argv]

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        self._config = config
        root = readable(str(config.rootpath))
        below = os.path.relpath(root, self._project)
        if below != os.curdir and not below.startswith(os.pardir):
            self._prefix = below + "/"
        else:
            self._prefix = ""

    def begin(self):
        if self._begun:
            return
        self._begun = True
        config = self._config
        arguments = config.invocation_params.args
        given = [plugin for plugin in config.invocation_params.plugins or () if not isinstance(plugin, str)]
        if given:
            self._notes.append(
                "pytest was started from a program that handed plug-ins to it; workers start it without them"
            )
        seed = getattr(config.option, "randomly_seed", None)
        self._vm["pytest"] = {
            "version": pytest.__version__,
            "options": environment.interpreter_options(),
            "argv": self._argv,
            "path": self._path,
            "arguments": [readable(str(argument)) for argument in arguments],
            "root": readable(str(config.rootpath)),
            "prefix": self._prefix,
            "configuration": readable(str(config.inipath)) if config.inipath else None,
            "plugins": _installed(config),
            "seed": str(seed) if isinstance(seed, int) else None,
        }
        self._lines.tell(self._vm)
        for note in self._notes:
            self._lines.tell({"event": "trouble", "what": note})

    def in_one_process(self):
        self._notes.append(
            "pytest-xdist was to use several processes; the tests ran in one, so that each sees only what tests before it did"
        )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session):
        try:
            with open(self._observe_file, encoding="utf-8") as file:
                observation = json.load(file)
        except (OSError, ValueError):
            observation = None
        if session.items and not session.config.option.collectonly:
            if self._left_behind is not None:
                # What tells of this process comes first.
                self.begin()
                self._safely(self._left_behind.leave, self._vm, self, session)
            if observation is not None:
                self.observe(observation, session.config, patient=False)
        yield

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self):
        if self._begun:
            self._lines.tell({"event": "ended"})


def _left_behind(file):
    try:
        with open(file, encoding="utf-8") as address:
            address = address.read()
        from .left_behind import LeftBehind

        return LeftBehind(address)
    except (ImportError, OSError):
        # None are wanted; or this Python lacks what they need, and workers are started.
        return None


def _installed(config):
    plugins = {
        "%s %s" % (distribution.project_name, distribution.version)
        for _, distribution in config.pluginmanager.list_plugin_distinfo()
    }
    return sorted(readable(plugin) for plugin in plugins)
