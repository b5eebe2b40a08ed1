"""`python -m surefoot` is the command `surefoot` of the same installation."""

import sys

from surefoot import command

if __name__ == "__main__":
    command.become(*sys.argv[1:])
