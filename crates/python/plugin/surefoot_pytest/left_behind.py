"""A parent that a watched process leaves behind: forked once the tests are collected, it forks workers when they have run.

So nothing need be started and imported once more. The user's own process goes on without it: it is no child of that one, holds none of
its descriptors, and is in no terminal's way. If anything speaks against it there is none, and workers are started.

PYTEST_DONT_REWRITE
"""

import os
import signal
import sys

# Taken now, as the project's code may replace them.
from random import getstate
from select import POLLIN, poll
from time import monotonic, sleep

from . import environment
from ._state import fork_aside
from .forked import Descriptors, shares_only_memory
from .options import FILES_OF_THE_USER, INTERRUPTIONS

_MOST_MEMORY = 1 << 30
"""Bytes of a process that is forked. What it changes from then on is there twice."""

_PATIENCE = 2
"""Seconds in which a parent is there, or else need not be."""

_SOON = 0.001
"""Seconds between two looks at a process that is about to end."""

_FIRST_TO_GO = b"1000"
"""What the system adds to the size of a process when it looks for one to end, as there is no memory left."""

_REPLACING = ("gevent", "eventlet")
"""They replace much of what is needed here."""


class LeftBehind:
    def __init__(self, address):
        """Made before the project's code has run. `address` is where Surefoot listens."""
        self._address = address
        self._inherited = environment.descriptors()
        self._chance = getstate()

    def leave(self, seen, plugin, session):
        """Leaves one behind, if nothing speaks against it. `seen` is what is told of this process, `plugin` what watches it."""
        if not _is_plain(session.config) or not _is_free(self._inherited):
            return
        # Whoever interrupts tests must not meet a fork that does not know yet that it is one.
        usual = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            process = int(fork_aside())
            if process == 0:
                self._orphan(usual, seen, plugin, session)
        except RuntimeError:
            # There are too many processes, or this one would get all that are left behind.
            return
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        # What the project has run around forks may take forever there.
        if not _ends(process, _PATIENCE):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)

    def _orphan(self, signals, seen, plugin, session):
        """Whoever looks for children of the user's process must not find one."""
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            us = os.getpid()
            ours, theirs = os.pipe()
            if fork_aside() == "0":
                os.close(ours)
                self._serve(theirs, us, seen, plugin, session)
            os.close(theirs)
            # Or the tests might be over before there is one.
            ready = poll()
            ready.register(ours, POLLIN)
            ready.poll(_PATIENCE * 1000)
        finally:
            os._exit(0)

    def _serve(self, waiting, starter, seen, plugin, session):
        """`starter` waits for this to be ready, or to be no use: it sees the end of `waiting`, and ends."""
        # All that is imported here is imported in no process of the user's.
        import resource
        import socket

        from .parent import Parent

        os.setsid()
        parent = Parent(self._inherited, self._chance)
        if not parent.can_fork(but=waiting):
            return
        parent.let_go()
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        _go_first()
        connection = socket.socket(socket.AF_UNIX)
        # If there are enough of them already, this fails.
        connection.setblocking(False)
        # No file leads there.
        connection.connect("\0" + self._address)
        connection.setblocking(True)
        os.close(waiting)
        while os.getppid() == starter:
            sleep(_SOON)
        if os.getppid() in _of_the_command(seen, connection):
            return
        from . import worker

        worker.worker = worker.Worker(connection)
        worker.worker.launch = seen["pytest"]
        worker.worker.lines.tell(seen)
        worker.worker.become(parent)
        from .driver import DriverPlugin
        from .plugin import NAME

        manager = session.config.pluginmanager
        manager.unregister(plugin)
        manager.register(DriverPlugin(), NAME)
        # Once more, for what plug-ins do around it.
        session.config.hook.pytest_runtestloop(session=session)


def _ends(process, patience):
    # Not all Pythons can wait for a child and for a time at once.
    deadline = monotonic() + patience
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if monotonic() > deadline:
            return False
        sleep(_SOON)
    return True


def _go_first():
    """What the user's process changes from now on is there twice; where memory is short, that must not be at its cost."""
    try:
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, _FIRST_TO_GO)
        os.close(file)
    except OSError:
        # The system does not say how it chooses.
        pass


def _of_the_command(seen, connection):
    """The processes between Surefoot, where `connection` leads, and the user's. One that takes in what others leave behind may wait for
    all of that to end, and the command for it."""
    import socket
    import struct

    surefoot, _, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    above = seen["ancestors"]
    # Where Surefoot cannot be seen, nothing above it can.
    return above[: above.index(surefoot)] if surefoot in above else above


def _is_plain(config):
    """Whether workers that were started would have the same options and plug-ins."""
    options = dict(FILES_OF_THE_USER, **INTERRUPTIONS)
    # What stops a session after so many failures does not stop a worker.
    del options["maxfail"]
    is_usual = all(getattr(config.option, name, usual) == usual for name, usual in options.items())
    given = [plugin for plugin in config.invocation_params.plugins or () if not isinstance(plugin, str)]
    return is_usual and not given and not _is_measured(config)


def _is_measured(config):
    """Coverage would be measured in workers as well."""
    monitoring = getattr(sys, "monitoring", None)
    tools = [monitoring.get_tool(number) for number in range(6)] if monitoring else []
    return bool(
        getattr(config.option, "cov_source", None) or sys.gettrace() or sys.getprofile() or any(tool for tool in tools)
    )


def _is_free(inherited):
    """Whether this process can be forked and never notice. `inherited` is what was open when it began."""
    with open("/proc/self/statm") as memory:
        resident = int(memory.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    # That the fork ends which leaves the parent behind is a signal.
    nobody_listens = signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
    nobody_listens &= signal.SIGCHLD not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    is_replaced = any(name in sys.modules for name in _REPLACING)
    is_large = resident > _MOST_MEMORY
    if not nobody_listens or is_replaced or is_large or _is_traced() or not shares_only_memory():
        return False
    # What the project has run in forks may speak to whoever is at the other end of a socket.
    return Descriptors(inherited).can_be_parted()


def _is_traced():
    """Whoever traces a process may trace its forks as well, and wait for all of them to end, as strace does."""
    with open("/proc/self/status") as status:
        return any(line.startswith("TracerPid:") and int(line.split()[1]) for line in status)
