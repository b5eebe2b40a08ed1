"""Whatever the native module is handed, it answers with an exception."""

import json
import sys

sys.path[:0] = sys.argv[1:]

from surefoot_pytest import _state  # noqa: E402


class Sample:
    __slots__ = ("held",)
    known = object()


sample = Sample()
sample.held = Sample.known
good = json.dumps({"observation": {}, "directories": [], "patient": False, "generators": True})
for arguments in [
    (),
    (1, 2, 3, 4, 5),
    ("{", {}, Sample, sample, Sample.known),
    (good, [], Sample, sample, Sample.known),
    # Not laid out as expected.
    (good, {}, Sample, sample, object()),
    (good, {}, int, 1, 1),
]:
    try:
        _state.begin(*arguments)
    except RuntimeError as error:
        assert str(error), arguments
    else:
        raise AssertionError(arguments)
# Nothing is under way.
assert _state.test_starts() is None and _state.test_ends() is None and _state.troubles() is None
