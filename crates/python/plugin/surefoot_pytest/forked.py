"""What it takes that a worker which was forked cannot be told from one that was started.

Forks have the memory of their parent, and that is what they are for. Where they would share anything else, there are none: what one of
them does to it, others would see. What every process has anyway is made anew.

PYTEST_DONT_REWRITE
"""

import atexit
import fcntl
import os
import stat
import sys
import tempfile
import weakref
from random import getstate, setstate

from ._state import end_with_parent


def shares_only_memory():
    """Whether forks would have all of this process, and nothing together but descriptors."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        # There is a process that was started by this one: a server, say, which each worker would have of its own.
        return False
    except ChildProcessError:
        pass
    with open("/proc/self/maps") as maps:
        # rw-s
        if any(line.split(None, 2)[1][1::2] == "ws" for line in maps):
            return False
    # Threads are not forked, but what they have locked remains so.
    return len(os.listdir("/proc/self/task")) == 1


class Descriptors:
    """The descriptors of the parent that its workers would share with each other. Made before there are any but those that every
    worker gets from Surefoot."""

    def __init__(self):
        self._inherited = dict(_open())
        self._outputs = []
        """For what is printed: also those that pytest puts aside while it captures, and that of the fault handler."""
        self._files = {}
        """Files without a name, for what pytest captures, by what tells them apart."""

    def can_be_parted(self):
        """Whether each worker can have its own of all of them."""
        for descriptor, status in _open():
            if os.path.samestat(status, self._inherited[1]):
                self._outputs.append(descriptor)
            elif stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                self._files.setdefault((status.st_dev, status.st_ino), []).append(descriptor)
            elif not self._is_inherited(descriptor, status) and not _is_harmless(descriptor, status):
                return False
        return True

    def _is_inherited(self, descriptor, status):
        return descriptor in self._inherited and os.path.samestat(status, self._inherited[descriptor])

    def part(self, output):
        """In a worker, which prints to `output`."""
        for descriptor in self._outputs:
            _replace(descriptor, output)
        os.close(output)
        for descriptors in self._files.values():
            # Closed, or Python would warn of it while some test runs.
            with _copy(descriptors[0]) as copy:
                for descriptor in descriptors:
                    _replace(descriptor, copy.fileno())


def _open():
    for name in os.listdir("/proc/self/fd"):
        try:
            yield int(name), os.fstat(int(name))
        except OSError:
            # The one that listed them.
            pass


def _replace(descriptor, other):
    os.dup2(other, descriptor, inheritable=os.get_inheritable(descriptor))


def _is_harmless(descriptor, status):
    """A device, or a file to which all that is written is added, whoever does."""
    if not stat.S_ISREG(status.st_mode):
        return stat.S_ISCHR(status.st_mode)
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    return bool(flags & os.O_APPEND) and flags & os.O_ACCMODE == os.O_WRONLY


def _copy(descriptor):
    copy = tempfile.TemporaryFile(buffering=0)
    copy.write(os.pread(descriptor, os.fstat(descriptor).st_size, 0))
    os.lseek(copy.fileno(), os.lseek(descriptor, 0, os.SEEK_CUR), os.SEEK_SET)
    return copy


class Chance:
    """The generator that `random` offers to everybody. It has a new seed in each process that is started, and in each fork."""

    def __init__(self):
        self._first = self._last = getstate()

    def keep(self):
        """As it is in the parent."""
        self._last = getstate()

    def restore(self):
        """In a worker: whoever gave it a seed while tests were imported did so for good."""
        if self._last != self._first:
            setstate(self._last)


def end_with(parent):
    """Makes this process, which it forked, end with it."""
    end_with_parent()
    # It may have ended before.
    if os.getppid() != parent:
        os._exit(0)


def forget_exit_functions():
    """Those of the parent, which calls them when it ends: they may remove what other workers still need."""
    atexit._clear()
    finalize = weakref.finalize
    for known in list(finalize._registry.values()):
        known.atexit = False
    # For what a worker adds, who registers once for all must do so again.
    if finalize._registered_with_atexit:
        atexit.register(finalize._exitfunc)
    processes = sys.modules.get("multiprocessing.util")
    if processes is not None:
        atexit.register(processes._exit_function)


def forget_temporary_folder(config):
    """pytest makes one for each process that asks."""
    folders = getattr(config, "_tmp_path_factory", None)
    if folders is not None and folders._given_basetemp is None:
        folders._basetemp = None
