"""How this process was started, and its environment as it would be without Surefoot.

PYTEST_DONT_REWRITE
"""

import os
import re
import subprocess
import sys

from .lines import readable

WATCH = "SUREFOOT_WATCH"
"""Names the folder for the records of watched processes."""

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

_OURS = "surefoot_pytest."
_MODULES = ["surefoot_pytest"] + [
    _OURS + name.split(".")[0] for name in sorted(os.listdir(os.path.dirname(os.path.abspath(__file__)))) if name.endswith((".py", ".so"))
]
_AGENT = re.compile(r'"?-agentpath:[^"\s]*=watch=[^"\s]*"?')


def restore(environment):
    """Takes out what Surefoot put in, and keeps what the user had there."""
    environment.pop(WATCH, None)
    _change(environment, "PYTHONPATH", lambda value: _without(value, ":", lambda part: part == FOLDER))
    _change(environment, "PYTEST_PLUGINS", lambda value: _without(value, ",", lambda part: part.startswith(_OURS)))
    _change(environment, "TOX_OVERRIDE", lambda value: _without(value, ";", lambda part: WATCH in part))
    _change(environment, "JAVA_TOOL_OPTIONS", lambda value: " ".join(_AGENT.sub(" ", value).split()))


def hide_files():
    """Who looks for the project's own code among all modules goes by their files: Hypothesis draws constants from it, and ours would
    make its examples others.
    """
    for name in _MODULES:
        module = sys.modules.get(name)
        if module is not None:
            vars(module).pop("__file__", None)


def _change(environment, name, change):
    if name in environment:
        value = change(environment[name])
        if value:
            environment[name] = value
        else:
            del environment[name]


def _without(value, separator, ours):
    return separator.join(part for part in value.split(separator) if not ours(part.strip()))


def ancestors():
    """The processes that started this one, from its parent up."""
    found = []
    pid = os.getppid()
    while pid > 0 and len(found) < 64:
        found.append(pid)
        try:
            with open("/proc/%d/stat" % pid) as stat:
                # The command's name, in parentheses, may hold anything.
                pid = int(stat.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
    return found


def command_line():
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [part.decode("utf-8", "backslashreplace") for part in file.read().split(b"\0")[:-1]]
    except OSError:
        return list(sys.argv)


def interpreter_options():
    """What the interpreter was told by options, such as -W and -X; multiprocessing asks for it in the same way."""
    try:
        return [readable(option) for option in subprocess._args_from_interpreter_flags()]
    except Exception:
        return []


def descriptors():
    """What is open, by number."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.fstat(int(name))
        except OSError:
            # The one that listed them.
            pass
    return found


def variables():
    return {readable(name): readable(value) for name, value in os.environ.items()}
