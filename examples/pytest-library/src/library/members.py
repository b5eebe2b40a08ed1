"""Members and their cards."""

import random
import string

MEMBERS = {}


def join(name):
    if name in MEMBERS:
        raise ValueError(f"{name} is a member already")
    MEMBERS[name] = new_card()
    return MEMBERS[name]


def leave(name):
    del MEMBERS[name]


def new_card():
    """Six letters, drawn at random."""
    return "".join(random.choice(string.ascii_uppercase) for _ in range(6))
