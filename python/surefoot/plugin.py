"""`pytest --surefoot`: the same as `surefoot check -- pytest`, for those who start with pytest.

The process becomes that command, with the command line that it was started with itself. What then runs inside of pytest comes with
the command; without the option this plug-in does nothing.
"""

import sys

import pytest

from surefoot import command

OPTION = "--surefoot"

_NO_TESTS = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test", "cacheshow", "collectonly")
"""Where these options are given, pytest shows something and runs no test."""


def pytest_addoption(parser):
    parser.getgroup("surefoot").addoption(
        OPTION,
        action="store_true",
        help="find unreliable tests: run the tests, and again in processes of Surefoot's own (as `surefoot check -- pytest` does)",
    )


# Before anything else happens: output is not captured yet, no conftest file is imported, no coverage measured.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    options = early_config.known_args_namespace
    wanted = options.surefoot and not any(getattr(options, name, None) for name in _NO_TESTS)
    # The option may stand in a configuration file or in a variable, which pytest below the command reads, too.
    if wanted and not command.is_above():
        command.become("check", "--", *_command_line())
    yield


def _command_line():
    with open("/proc/self/cmdline", "rb") as file:
        parts = file.read().split(b"\0")[1:-1]
    arguments = [part.decode(sys.getfilesystemencoding(), "surrogateescape") for part in parts]
    # The name by which the interpreter was started may be looked up elsewhere.
    return [sys.executable, *(argument for argument in arguments if argument != OPTION)]
