"""Events as lines of JSON: to a file in a watched process, to a socket in a worker.

PYTEST_DONT_REWRITE
"""

import json
import os
import threading


def readable(text):
    """The same text without what is no Unicode: file names and environments may hold any bytes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _line(event):
    return (json.dumps(event, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


class Lines:
    """Writes each event with one `write`, in the process that it was made in and in no fork of it."""

    def __init__(self):
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._closed = False

    def tell(self, event):
        if os.getpid() != self._process:
            return
        with self._lock:
            if self._closed:
                return
            try:
                self._write(_line(event))
            except (OSError, ValueError, RecursionError):
                # Half a line would spoil the next one, and the tests must go on.
                self._closed = True


class KeptLines:
    """For others to tell."""

    def __init__(self):
        self.events = []

    def tell(self, event):
        self.events.append(event)


class FileLines(Lines):
    """A file of its own in the folder, made with the first event."""

    def __init__(self, folder):
        super().__init__()
        self._folder = folder
        self._file = None

    def _write(self, line):
        if self._file is None:
            self._file = self._open()
        while line:
            line = line[os.write(self._file, line) :]

    def _open(self):
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        for number in range(1000):
            path = os.path.join(self._folder, "%d-%d.jsonl" % (os.getpid(), number))
            try:
                return os.open(path, flags, 0o600)
            except FileExistsError:
                continue
        raise OSError("there is no free name for the record")


class SocketLines(Lines):
    def __init__(self, socket):
        super().__init__()
        self._socket = socket
        os.register_at_fork(after_in_child=self._let_go)

    def _let_go(self):
        """A process that a test forks must not hold the socket open, or nobody would see the end of this one."""
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, self._socket.fileno(), inheritable=False)
            os.close(nothing)
        except OSError:
            pass

    def _write(self, line):
        self._socket.sendall(line)
