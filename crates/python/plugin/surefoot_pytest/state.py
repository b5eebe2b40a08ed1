"""The state that tests share, compared around each test by the native module `_state`.

The native module captures and compares; here is when: before a test and after it, and around each fixture that several tests
share, so that what such a fixture does is put down to no test.

PYTEST_DONT_REWRITE
"""

import gc
import json

from . import at_work
from .lines import readable
from .parameters import Parameters

_AWAITS_COLLECTOR = "null"
"""What tests have left may be garbage, or what is noted of garbage until it goes, as far as the native module can tell."""


class Sample:
    """By its instance the native module sees whether this Python keeps objects in the way that it expects."""

    __slots__ = ("held",)
    known = object()


class Looks:
    def __init__(self, native, observation, config, patient):
        self._native = native
        self._fixtures = {}
        """The values of fixtures that several tests share, by name; the native module reads it."""
        self._names = {}
        """What they are called there, by their definitions."""
        self._depth = 0
        """Fixtures that several tests share and that are being set up, one for the other."""
        self._parameters = None
        self._changed = []
        """Parameters that tests have changed since anybody looked."""
        self._keeper = _keeper(observation.get("keep"), self._fixtures)
        directories = {readable(str(config.rootpath)), readable(str(config.invocation_params.dir))}
        wanted = {
            "observation": observation,
            "directories": sorted(directories),
            "patient": patient,
            # pytest-randomly seeds them anew for each test.
            "generators": not getattr(config.option, "randomly_reset_seed", False),
        }
        sample = Sample()
        sample.held = Sample.known
        native.begin(json.dumps(wanted), self._fixtures, Sample, sample, Sample.known)

    def troubles(self):
        text = self._native.troubles()
        return json.loads(text) if text else []

    def test_starts(self, item):
        """What changed around the tests since the last one, if that was looked at."""
        self._depth = 0
        self._remember()
        self._parameters = Parameters(item)
        text = self._native.test_starts()
        return json.loads(text) if text else None

    def test_ends(self):
        """What the test changed, with the number of tests that it may have been; none if nobody looked."""
        if self._parameters is not None:
            self._changed += self._parameters.changed()
            self._parameters = None
        text = self._native.test_ends()
        if text == _AWAITS_COLLECTOR:
            gc.collect()
            text = self._native.test_ends()
        if not text:
            return None
        seen = json.loads(text)
        if self._changed:
            elsewhere = seen["change"].setdefault("elsewhere", [])
            elsewhere += ["parameter " + name for name in sorted(set(self._changed))]
            self._changed = []
        return seen

    def put_back(self):
        """What is to be kept, once a test has ended."""
        if self._keeper is not None:
            self._keeper.put_back()

    def _remember(self):
        if self._keeper is not None:
            self._keeper.remember()

    def test_is_over(self):
        self._native.test_is_over()

    def lose_track(self):
        self._native.lose_track()
        self._parameters = None

    def others_are_set_up(self):
        """What was done so far was done for all tests of a module or a package."""
        self._native.others_are_set_up()
        self._remember()

    def fixture_starts(self):
        self._depth += 1
        if self._depth == 1:
            self._native.fixture_starts()

    def fixture_ends(self, definition):
        self._depth -= 1
        result = definition.cached_result
        if result is not None and result[2] is None and result[0] is not None:
            name = self._names[definition] = at_work.name(definition.argname, result[0])
            self._fixtures[name] = result[0]
        if self._depth == 0:
            self._native.fixture_ends()
            self._remember()

    def fixture_is_gone(self, definition, while_setting_up):
        self._fixtures.pop(self._names.pop(definition, None), None)
        # Of one with parameters, the former value is torn down when the next test is set up.
        if while_setting_up and self._depth == 0:
            self._native.fixture_ends()


def _keeper(names, fixtures):
    """None in a process of the user's, which has nothing imported for it."""
    if not names:
        return None
    from .keeping import Keeper

    return Keeper(names, fixtures)


def begin(observation, config, patient):
    """Fails if this Python's state cannot be read."""
    from . import _state

    return Looks(_state, observation, config, patient)
