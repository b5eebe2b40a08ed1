"""A process that has collected the tests and runs none of them: it forks workers that do.

PYTEST_DONT_REWRITE
"""

import json
import os
import select
import signal
import sys

# Taken now, as the project's code may replace them.
from os import fork
from socket import MSG_CMSG_CLOEXEC, SHUT_RDWR, recv_fds, socket

from .forked import Chance, Descriptors, end_with, forget_exit_functions, forget_temporary_folder, shares_only_memory
from .lines import KeptLines

_SOON = 2
"""Milliseconds between two looks at a worker that is about to end."""


class Parent:
    def __init__(self, inherited, chance, files=(), choosing=None):
        """`inherited` are the descriptors that this process had before the project's code ran, and `chance` is the state that the
        generator of random numbers had then."""
        self._connection = None
        self._lines = None
        self.kept = KeptLines()
        """What a worker would have told before it runs tests."""
        self.files = files
        self.choosing = choosing
        self._descriptors = Descriptors(inherited)
        self._can_fork = None
        """Once it was asked for: after that, what is the user's may have been let go."""
        self._chance = Chance(chance)
        self._received = b""
        self._ends = []
        """Descriptors that came with commands and are not used yet."""
        self._pids = {}
        """Of workers, until they are reaped: no other process has such a number as long."""
        self._awaited = set()
        """Workers that are about to end."""

    def listen_to(self, connection, lines):
        """For what to fork, and to tell what became of it."""
        self._connection, self._lines = connection, lines

    def can_fork(self, but=None):
        """Now that the tests are collected. The descriptor `but` will be closed."""
        if self._can_fork is None:
            self._can_fork = shares_only_memory() and self._descriptors.can_be_parted(but)
        return self._can_fork

    def let_go(self):
        """Of what is the user's, where this process is a fork of the user's own."""
        self._descriptors.let_go()

    def refuse(self):
        """Whoever waits need not wait for the end of this process."""
        self._connection.shutdown(SHUT_RDWR)

    def serve(self, config):
        """Returns in each worker, with its socket; and here with none, when no more are wanted."""
        for stream in (sys.stdout, sys.stderr):
            # Or each worker would print it.
            stream.flush()
        self._lines.tell({"event": "warm"})
        poll = select.poll()
        poll.register(self._connection.fileno(), select.POLLIN)
        while True:
            if poll.poll(_SOON if self._awaited else None):
                commands = self._commands()
                if commands is None:
                    return None
                for command in commands:
                    connection = self._obey(command["command"], command["worker"], config)
                    if connection is not None:
                        return connection
            self._reap()

    def _commands(self):
        try:
            data, ends, _, _ = recv_fds(self._connection, 4096, 16, MSG_CMSG_CLOEXEC)
        except OSError:
            return None
        if not data:
            return None
        self._ends += ends
        *lines, self._received = (self._received + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def _obey(self, command, worker, config):
        """In a new worker, its socket."""
        if command == "fork":
            return self._fork(worker, config)
        if command == "reap":
            self._awaited.add(worker)
        elif command == "kill" and worker in self._pids:
            self._kill(self._pids[worker])
        return None

    def _fork(self, worker, config):
        ends, self._ends = self._ends[:2], self._ends[2:]
        self._chance.keep()
        us = os.getpid()
        try:
            pid = fork()
        except OSError:
            self._lines.tell({"event": "not-forked", "worker": worker})
        else:
            if pid == 0:
                return self._as_worker(us, ends, config)
            self._pids[worker] = pid
            self._lines.tell({"event": "forked", "worker": worker})
        for end in ends:
            os.close(end)
        return None

    def _as_worker(self, parent, ends, config):
        try:
            os.setpgid(0, 0)
            end_with(parent)
            self._descriptors.part(ends[1])
            self._chance.restore()
            forget_exit_functions()
            forget_temporary_folder(config)
            return socket(fileno=ends[0])
        except BaseException:
            # It must not go on as if it were the parent.
            os._exit(1)

    def _kill(self, pid):
        for kill in (os.killpg, os.kill):
            try:
                # As its own group, unless it has not come that far.
                kill(pid, signal.SIGKILL)
            except OSError:
                continue
            break

    def _reap(self):
        for worker in sorted(self._awaited):
            pid, status = os.waitpid(self._pids[worker], os.WNOHANG) if worker in self._pids else (0, 0)
            if pid:
                self._awaited.remove(worker)
                del self._pids[worker]
                self._lines.tell({"event": "reaped", "worker": worker, "death": _death(status)})


def _death(status):
    if os.WIFSIGNALED(status):
        return {"how": "killed", "signal": os.WTERMSIG(status)}
    return {"how": "exited", "status": os.WEXITSTATUS(status)}
