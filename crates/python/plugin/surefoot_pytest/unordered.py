"""Functions of the standard library whose results come in any order.

Of a function that is written in Python, the code is replaced: that reaches everybody who has the function already. A generator
remains one, and a coroutine function, too: CPython warns of anything else from 3.13 on, and a project may make errors of warnings.

PYTEST_DONT_REWRITE
"""

import json
import sys
import time
import types

_PATIENCE = 1.0
"""Seconds that results may be held back for others, all in all. Who waits for one result to bring about the next goes on then."""

_FUTURES = "concurrent.futures.as_completed"
_TASKS = "asyncio.as_completed"
_POOL = "multiprocessing.pool.imap_unordered"
_ROWS = "sqlite3"
_REVERSE = "PRAGMA reverse_unordered_selects = %s"


def _order(native, model, elements, api=None):
    text = native.choose(model, api or model, elements)
    return json.loads(text) if text else None


def _replace(function, code, target):
    """Has `function` run `code`, whose constant "target" becomes `target`. What it was is returned."""
    original = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__kwdefaults__ = function.__kwdefaults__
    constants = tuple(target if constant == "target" else constant for constant in code.co_consts)
    function.__code__ = code.replace(co_consts=constants)
    return original


def change_futures(module, native):
    """ "yields futures as they complete" """
    wait, first = module.wait, module.FIRST_COMPLETED

    def instead(fs, timeout=None):
        target = "target"
        futures = target(fs, timeout)
        # The original holds none longer than it needs it.
        del fs
        yield from futures

    def as_completed(fs, timeout):
        begun = time.monotonic()
        futures = list(dict.fromkeys(fs))
        order = None
        if len(futures) > 1:
            order = _order(native, _FUTURES, ["task %d" % (at + 1) for at in range(len(futures))])
        if order is None:
            yield from original(futures, timeout)
            return
        waiting = [futures[at] for at in order]
        del futures, fs
        total, patience = len(waiting), _PATIENCE

        def left():
            return None if timeout is None else max(0, begun + timeout - time.monotonic())

        while waiting:
            done, _ = wait(waiting, left(), first)
            if not done:
                raise module.TimeoutError("%d (of %d) futures unfinished" % (len(waiting), total))
            if patience > 0:
                started = time.monotonic()
                limits = [limit for limit in (patience, left()) if limit is not None]
                done, _ = wait(waiting, min(limits))
                patience -= time.monotonic() - started
            chosen = next(at for at, future in enumerate(waiting) if future in done)
            del done
            yield waiting.pop(chosen)

    original = _replace(module.as_completed, instead.__code__, as_completed)


def change_tasks(module, native):
    """ "Each coroutine returned can be awaited to get the earliest next result": which one that is depends on how long each takes."""

    # From 3.13 on; before, the function is a generator.
    iterator = getattr(module, "_AsCompletedIterator", None)
    if "loop" in (module.as_completed.__kwdefaults__ or {}):

        def instead(fs, *, loop=None, timeout=None):
            target = "target"
            yield from target(fs, timeout, loop=loop)

    elif iterator is None:

        def instead(fs, *, timeout=None):
            target = "target"
            yield from target(fs, timeout)

    else:

        def instead(fs, *, timeout=None):
            target = "target"
            return target(fs, timeout)

    def arranged(fs, timeout, named):
        """The futures in another order, and what the original makes of them."""
        if module.futures.isfuture(fs) or module.coroutines.iscoroutine(fs):
            return None, original(fs, timeout=timeout, **named)
        futures, held = list(dict.fromkeys(fs)), None
        order = None
        if len(futures) > 1:
            order = _order(native, _TASKS, ["task %d" % (at + 1) for at in range(len(futures))])
        if order is not None:
            loop = named.get("loop") or module.events.get_event_loop()
            futures = [module.ensure_future(future, loop=loop) for future in futures]
            held = _Held(module, [futures[at] for at in order], timeout)
        return held, original(futures, timeout=timeout, **named)

    def one_by_one(fs, timeout, **named):
        held, usual = arranged(fs, timeout, named)
        for one in usual:
            yield one if held is None else held.result_instead_of(one)

    def at_once(fs, timeout):
        held, usual = arranged(fs, timeout, {})
        if held is not None:
            usual._surefoot_held = held
        return usual

    async def wait_instead(self, resolve=False):
        target = "target"
        return await target(self, resolve)

    def wait_for_one(self, resolve):
        usual = wait_originally(self, resolve)
        held = self.__dict__.get("_surefoot_held")
        return usual if held is None else held.result_instead_of(usual, resolve)

    original = _replace(module.as_completed, instead.__code__, one_by_one if iterator is None else at_once)
    if iterator is not None:
        wait_originally = _replace(iterator._wait_for_one, wait_instead.__code__, wait_for_one)


class _Held:
    """Futures of asyncio whose results are held back until all of them are there, as far as that is within patience."""

    def __init__(self, module, futures, timeout):
        self._module = module
        self._futures = futures
        self._patience = _PATIENCE if timeout is None else min(timeout, _PATIENCE)
        self._is_whole = None
        """Whether all were there in time; none while nobody has waited."""
        self._taken = 0

    async def result_instead_of(self, usual, resolve=True):
        if self._is_whole is None:
            _, missing = await self._module.wait(self._futures, timeout=self._patience)
            if self._is_whole is None:
                self._is_whole = not missing
        if not self._is_whole or self._taken == len(self._futures):
            return await usual
        usual.close()
        future = self._futures[self._taken]
        self._taken += 1
        return future.result() if resolve else future


def change_pools(module, native):
    """ "the ordering of the results from the returned iterator should be considered arbitrary" """
    unordered = module.IMapUnorderedIterator

    def take_instead(self, i, obj):
        target = "target"
        return target(self, i, obj)

    def next_instead(self, timeout=None):
        target = "target"
        return target(self, timeout)

    def take(self, i, obj):
        self.__dict__.setdefault("_surefoot_came", []).append(i)
        return take_originally(self, i, obj)

    def next_of(self, timeout=None):
        if type(self) is unordered and "_surefoot_seen" not in self.__dict__:
            self._surefoot_seen = True
            arrange(self, _PATIENCE if timeout is None else min(timeout, _PATIENCE))
        return next_originally(self, timeout)

    def is_whole(self):
        return self._index == self._length

    def arrange(self, patience):
        until = time.monotonic() + patience
        with self._cond:
            while not is_whole(self) and time.monotonic() < until:
                self._cond.wait(max(0, until - time.monotonic()))
            came = self.__dict__.get("_surefoot_came", [])
            if not is_whole(self) or len(came) != len(self._items) or len(came) < 2:
                return
            order = _order(native, _POOL, ["result %d" % (at + 1) for at in range(len(came))])
            if order is not None:
                by_position = dict(zip(came, self._items))
                items = [by_position[position] for position in sorted(by_position)]
                self._items.clear()
                self._items.extend(items[at] for at in order)

    take_originally = _replace(unordered._set, take_instead.__code__, take)
    next_originally = _replace(module.IMapIterator.next, next_instead.__code__, next_of)


def _is_reversed(native, api):
    return _order(native, _ROWS, ["first row", "last row"], api) == [1, 0]


def change_connections(module, native):
    """ "If a SELECT statement that returns more than one row does not have an ORDER BY clause, the order in which the rows are
    returned is undefined." """
    cursor = module.Cursor

    def connected(connection):
        if _is_reversed(native, "sqlite3.connect"):
            cursor(connection).execute(_REVERSE % "ON").close()

    native.choose_connections(module.connect, connected)


class DjangoRows:
    """Django keeps its connections from test to test, so the order is chosen for each query.

    "If a query doesn't have an ordering specified, results are returned from the database in an unspecified order."
    """

    def __init__(self, native):
        self._native = native
        self._watched = []

    def watch(self):
        """The connections that there are now, until the test ends."""
        connections = getattr(sys.modules.get("django.db"), "connections", None)
        for connection in connections.all() if connections is not None else ():
            if connection.vendor == "sqlite" and self._choose not in connection.execute_wrappers:
                connection.execute_wrappers.append(self._choose)
                self._watched.append(connection)

    def let_go(self):
        while self._watched:
            wrappers = self._watched.pop().execute_wrappers
            if self._choose in wrappers:
                wrappers.remove(self._choose)

    def _choose(self, execute, sql, params, many, context):
        connection = context["connection"].connection
        is_open = type(sql) is str and _leaves_order_open(sql) and connection is not None
        if not is_open or not _is_reversed(self._native, "a query without order_by"):
            return execute(sql, params, many, context)
        cursor = sys.modules["sqlite3"].Cursor(connection)
        cursor.execute(_REVERSE % "ON")
        try:
            return execute(sql, params, many, context)
        finally:
            # The rows of a query that has begun come as they were to.
            cursor.execute(_REVERSE % "OFF")
            cursor.close()


def _leaves_order_open(sql):
    words = sql.lstrip().upper()
    return words.startswith("SELECT") and not words.startswith("SELECT COUNT(") and "ORDER BY" not in words
