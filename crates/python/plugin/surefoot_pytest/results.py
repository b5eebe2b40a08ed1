"""From pytest's reports on an item to one result.

PYTEST_DONT_REWRITE
"""

import traceback

from .lines import readable

_LONGEST = 16 * 1024


def result(reports, exceptions):
    """`exceptions` holds what was raised, by the part of the run in which it was."""
    for report in reports:
        if report.failed:
            return {"status": "failed", "thrown": thrown(report, exceptions.get(report.when))}
    for report in reports:
        if report.skipped and not _of_subtest(report):
            return {"status": "skipped", "reason": _reason(report)}
    return {"status": "passed"}


def _of_subtest(report):
    return type(report).__name__ in ("SubtestReport", "SubTestReport")


def _reason(report):
    expected = getattr(report, "wasxfail", None)
    if expected is not None:
        text = str(expected)
        if text.startswith("reason: "):
            text = text[len("reason: ") :]
        return readable("expected to fail: " + text if text else "expected to fail")
    if isinstance(report.longrepr, tuple) and len(report.longrepr) == 3:
        text = str(report.longrepr[2])
        return readable(text[len("Skipped: ") :] if text.startswith("Skipped: ") else text)
    return None


def thrown(report, exception=None):
    """A failure as text. What the user's exception does when it is made a string is not ours to suffer from."""
    stack = _text_of(lambda: report.longreprtext)
    if exception is None:
        return _from_text(stack, _text_of(lambda: report.longrepr.reprcrash.message))
    kind = exception.type
    if not stack.strip():
        stack = _text_of(lambda: "".join(traceback.format_exception(kind, exception.value, exception.tb)))
    return {
        "class": class_name(kind),
        "message": _text_of(lambda: str(exception.value)),
        "stack": stack,
        "assertion": _is_assertion(kind),
    }


def _from_text(stack, message):
    """Without the exception itself, as for a subtest, a module that cannot be imported, a test that ran in another process."""
    if not message:
        lines = [line for line in stack.splitlines() if line.strip()]
        last = lines[-1] if lines else ""
        # pytest marks the lines of the error.
        message = (last[1:] if last.startswith("E ") else last).strip()
    name, colon, rest = message.partition(": ")
    is_name = bool(colon) and "\n" not in name and name.replace(".", "").replace("_", "").isalnum()
    return {
        "class": name if is_name else "Failed",
        "message": rest if is_name else message,
        "stack": stack,
        "assertion": name == "AssertionError" or message.startswith("assert "),
    }


def class_name(kind):
    if kind.__module__ in ("builtins", "__main__"):
        return readable(kind.__qualname__)
    return readable("%s.%s" % (kind.__module__, kind.__qualname__))


def _is_assertion(kind):
    return issubclass(kind, AssertionError) or kind.__name__ == "Failed"


def _text_of(make):
    try:
        text = make()
        return readable(text[:_LONGEST]) if isinstance(text, str) else ""
    except Exception:
        return ""
