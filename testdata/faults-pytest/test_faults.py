"""Tests that break their process, each between two good ones. They behave unless the file that SUREFOOT_FAULT_FILE names says
which of them shall not."""

import ctypes
import os
import signal
import sys
import threading
import time

import pytest


def wanted(fault):
    try:
        with open(os.environ["SUREFOOT_FAULT_FILE"]) as file:
            return file.read().strip() == fault
    except OSError:
        return False


def test_before():
    pass


def test_exit():
    if wanted("exit"):
        os._exit(3)


def test_kill():
    if wanted("kill"):
        os.kill(os.getpid(), signal.SIGKILL)


def test_crash():
    if wanted("crash"):
        ctypes.string_at(0)


def test_hang():
    while wanted("hang"):
        time.sleep(0.01)


def test_flood():
    if wanted("flood"):
        line = b"x" * 1023 + b"\n"
        for _ in range(50_000):
            os.write(1, line)
            os.write(2, line)


def test_session_exit():
    if wanted("session-exit"):
        pytest.exit("enough")


def test_interrupt():
    if wanted("interrupt"):
        raise KeyboardInterrupt


def test_threads():
    if wanted("threads"):
        threading.Thread(target=time.sleep, args=(3600,)).start()


def test_fork():
    if wanted("fork"):
        child = os.fork()
        # The child runs on through pytest.
        if child:
            os.waitpid(child, 0)


def test_close():
    if wanted("close"):
        os.closerange(3, 1024)


def test_recursion():
    if wanted("recursion"):
        sys.setrecursionlimit(100)


def test_after():
    pass
