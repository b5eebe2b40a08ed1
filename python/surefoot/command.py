"""The command, where pip put it."""

import os
import sys
import sysconfig

NAME = "surefoot"

COULD_NOT = 2
"""What the command itself ends with if it could not do its job."""


def become(*arguments):
    """Runs the command in place of this process; signals, terminal and exit status are its own."""
    path = _find()
    # What is buffered would be gone.
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execv(path, [path, *arguments])
    except OSError as error:
        _give_up("%s cannot be started: %s" % (path, error.strerror))


def is_above():
    """Was this process started by the command, directly or not?"""
    pid = os.getppid()
    while pid > 0:
        try:
            name = os.path.basename(os.readlink("/proc/%d/exe" % pid))
        except OSError:
            # It belongs to another user.
            name = ""
        # A file that was replaced meanwhile has a word more.
        if name.split(" ")[0] == NAME:
            return True
        pid = _parent(pid)
    return False


def _parent(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            # The command's name, in parentheses, may hold anything.
            return int(stat.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def _find():
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [
        sysconfig.get_path("scripts"),
        # pip install --user
        sysconfig.get_path("scripts", "posix_user"),
        # pip install --target
        os.path.join(packages, "bin"),
    ]
    for folder in folders:
        path = os.path.join(folder, NAME)
        if os.access(path, os.X_OK):
            return path
    _give_up("the command is in none of %s" % ", ".join(folders))


def _give_up(why):
    sys.stderr.write("surefoot: %s; install it again: pip install --force-reinstall surefoot\n" % why)
    sys.exit(COULD_NOT)
