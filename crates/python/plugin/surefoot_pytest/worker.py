"""A worker: a Python process that starts pytest as it was when watched, and runs the tests that it is told to.

PYTEST_DONT_REWRITE
"""

import atexit
import json
import os
import socket
import sys

from . import environment
from .lines import SocketLines

DRIVER = "surefoot_pytest.driver"


class Commands:
    def __init__(self, connection):
        self._file = connection.makefile("r", encoding="utf-8")

    def __iter__(self):
        # A test may have closed the socket.
        try:
            for line in self._file:
                yield json.loads(line)
        except (OSError, ValueError):
            return


class Worker:
    """What the driver, which pytest loads, finds here."""

    def __init__(self, connection):
        connection.set_inheritable(False)
        self._connect(connection)
        self.parent = None
        """What forks others, if it is not to run tests itself."""
        self.launch = {}
        self.run = None
        """The command that is worked on."""
        self.observation = None
        """What is to be compared from the next run on."""
        self.choosing = None
        """What is to be chosen from the next run on."""
        self.looped = False
        """pytest got as far as running tests."""
        self.failure = None
        """Why it did not."""

    def _connect(self, connection):
        self.connection = connection
        self.lines = SocketLines(connection)
        self.commands = iter(Commands(connection))

    def become(self, parent):
        self.parent = parent
        parent.listen_to(self.connection, self.lines)
        self.choosing = parent.choosing
        self.lines = parent.kept

    def fork(self, config):
        """Whether this is a worker now: one that has told and read nothing yet. If not, no more of them are wanted."""
        parent, self.parent = self.parent, None
        connection = parent.serve(config)
        if connection is None:
            return False
        self._connect(connection)
        for event in parent.kept.events:
            self.lines.tell(event)
        self.next_run()
        return True

    def next_run(self):
        """Waits for the next command to run tests; none if no more will come."""
        self.run = None
        for command in self.commands:
            content = {name: value for name, value in command.items() if name != "command"}
            if command["command"] == "observe":
                self.observation = content
            elif command["command"] == "choose":
                self.choosing = content
            elif command["command"] == "run":
                self.run = command
                break
        return self.run


worker = None


def main(descriptor):
    global worker
    worker = Worker(socket.socket(fileno=descriptor))
    for command in worker.commands:
        if command["command"] == "warm":
            from random import getstate

            from .parent import Parent

            parent = Parent(environment.descriptors(), getstate(), command["files"], command.get("choose"))
            worker.become(parent)
            continue
        if command["command"] == "pytest":
            worker.launch = command
            _work()
        break
    leave()


def leave():
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that tests left behind would keep the process alive.
    atexit._run_exitfuncs()
    os._exit(0)


def _work():
    sys.argv[:] = worker.launch["argv"]
    sys.path[:] = worker.launch["path"]
    if os.path.isfile(sys.argv[0]):
        # Processes that multiprocessing spawns read it once more, and Hypothesis draws constants from it.
        sys.modules["__main__"].__file__ = sys.argv[0]
    try:
        status = _run_pytest()
        if not worker.looped:
            reason = worker.failure or "pytest ended with status %d before it ran any test" % int(status)
            _refuse(reason)
    except SystemExit as exit:
        _refuse("pytest ended (%s) before it ran any test" % exit)
    except ImportError as error:
        _refuse("pytest cannot be imported as it was when watched: %s" % error)


def _run_pytest():
    import pytest

    # The driver is loaded as the plug-in was in the watched run: last of those that do not belong to the project.
    sys.path.append(environment.FOLDER)
    users = os.environ.get("PYTEST_PLUGINS")
    os.environ["PYTEST_PLUGINS"] = users + "," + DRIVER if users else DRIVER
    return pytest.main(list(worker.launch["arguments"]))


def _refuse(reason):
    """Answers every command that is not answered, and every one that still comes."""
    if worker.parent is not None:
        # Those that are started for its workers will say so.
        return
    if worker.run is None:
        worker.next_run()
    while worker.run is not None:
        worker.lines.tell({"event": "done", "reason": reason})
        worker.next_run()
