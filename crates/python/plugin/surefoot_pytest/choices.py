"""Orders that are other than usual while a test runs, where Python's documentation leaves them open.

The native module chooses, and changes what is written in C; what is written in Python is changed in `unordered.py`. A worker that
is told to choose does so until it ends, and only while a test's own set-up, call or tear-down is under way.

PYTEST_DONT_REWRITE
"""

import json
import os
import sys

from . import displays, unordered
from .declared import Declared
from .lines import readable


class Entries:
    """What os.scandir returns, of entries that have been read."""

    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._entries = iter(())


class Choices:
    _left = {
        "concurrent.futures._base": unordered.change_futures,
        "asyncio.tasks": unordered.change_tasks,
        "multiprocessing.pool": unordered.change_pools,
        "sqlite3": unordered.change_connections,
    }
    """Modules that are changed once they are there, and only once in a process."""

    def __init__(self, native, choosing, config):
        self._native = native
        roots = [readable(str(config.rootpath)), readable(str(config.invocation_params.dir))]
        wanted = {"choosing": choosing, "library": readable(os.path.dirname(os.__file__)), "roots": roots}
        text = native.choose_begin(json.dumps(wanted), Entries)
        self.troubles = json.loads(text) if text else []
        """What cannot be changed in this Python."""
        if "set" in (choosing.get("models") or ["set"]):
            self.troubles += displays.change(native, roots)
        # With some models named, nothing else is to be other than usual.
        self._declared = Declared(native, () if choosing.get("models") else choosing.get("declared", ()))
        # Nobody would be told what a process chose that a test forked.
        os.register_at_fork(after_in_child=self.pause)
        self._django = unordered.DjangoRows(native)

    def _change_modules(self):
        for name in list(self._left):
            module = sys.modules.get(name)
            if module is not None:
                change = self._left.pop(name)
                try:
                    change(module, self._native)
                except Exception as error:
                    self.troubles.append("orders of %s are left as they are: %s" % (name, error))

    def test_starts(self, address):
        self._change_modules()
        self._declared.change()
        self._native.choose_starts(address)
        self._django.watch()

    def pause(self):
        self._native.choose_pause(True)

    def go_on(self):
        self._native.choose_pause(False)
        # The fixture may have set up a database.
        self._django.watch()

    def test_ends(self):
        """How many choices the test came to, and which were made."""
        text = self._native.choose_ends()
        self._django.let_go()
        self.troubles += self._declared.troubles()
        return json.loads(text) if text else None


def begin(choosing, config):
    from . import _state

    return Choices(_state, choosing, config)
