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
from .environment import descriptors

_MEMORY_DEVICES = 1
"""The number under which Linux has /dev/null, /dev/zero, /dev/urandom and the like."""


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
    """The descriptors of the parent that its workers would share with each other. `inherited` are those that it had when it
    began."""

    def __init__(self, inherited):
        self._inherited = inherited
        self._outputs = []
        """For what is printed: also those that pytest puts aside while it captures, and that of the fault handler."""
        self._files = {}
        """Files without a name, for what pytest captures, by what tells them apart."""

    def can_be_parted(self, but=None):
        """Whether each worker can have its own of all of them, but for one that is closed before there are any."""
        for descriptor, status in descriptors().items():
            if descriptor == but:
                continue
            if self._is_output(descriptor, status):
                self._outputs.append(descriptor)
            elif stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                self._files.setdefault((status.st_dev, status.st_ino), []).append(descriptor)
            elif not self._is_inherited(status) and not _is_harmless(descriptor, status):
                return False
        return True

    def _is_output(self, descriptor, status):
        known = [self._inherited[number] for number in (1, 2) if number in self._inherited]
        # Who reads from where others print to, such as a terminal or nothing at all, prints nothing.
        reads = descriptor == 0 or fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
        return not reads and any(os.path.samestat(status, output) for output in known)

    def let_go(self):
        """Of all that is somebody else's: who waits for the end of what is printed must not wait for this process."""
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor, status in descriptors().items():
            if descriptor != nothing and (descriptor in self._outputs or self._is_inherited(status)):
                _replace(descriptor, nothing)
        os.close(nothing)

    def _is_inherited(self, status):
        """Also where it was put aside, as pytest does while it captures."""
        return any(os.path.samestat(status, known) for known in self._inherited.values())

    def part(self, output):
        """In a worker, which prints to `output`."""
        for descriptor in self._outputs:
            _replace(descriptor, output)
        os.close(output)
        for same in self._files.values():
            # Closed, or Python would warn of it while some test runs.
            with _copy(same[0]) as copy:
                for descriptor in same:
                    _replace(descriptor, copy.fileno())


def _replace(descriptor, other):
    os.dup2(other, descriptor, inheritable=os.get_inheritable(descriptor))


def _is_harmless(descriptor, status):
    """A device that keeps nothing, such as /dev/null, or a file to which all that is written is added, whoever does."""
    if not stat.S_ISREG(status.st_mode):
        # A terminal passes on what is written to it.
        return stat.S_ISCHR(status.st_mode) and os.major(status.st_rdev) == _MEMORY_DEVICES
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    only_adds = bool(flags & os.O_APPEND) and flags & os.O_ACCMODE == os.O_WRONLY
    return only_adds and not _is_locked(descriptor)


def _is_locked(descriptor):
    """Whoever shares a descriptor has its locks, too, as long as it is open anywhere."""
    with open("/proc/self/fdinfo/%d" % descriptor) as description:
        return any(line.startswith("lock:") for line in description)


def _copy(descriptor):
    copy = tempfile.TemporaryFile(buffering=0)
    copy.write(os.pread(descriptor, os.fstat(descriptor).st_size, 0))
    os.lseek(copy.fileno(), os.lseek(descriptor, 0, os.SEEK_CUR), os.SEEK_SET)
    return copy


class Chance:
    """The generator that `random` offers to everybody. It has a new seed in each process that is started, and in each fork."""

    def __init__(self, first):
        """`first` is the state that it had before the project's code ran."""
        self._first = self._last = first

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
