"""What the tests test."""

import functools
import logging

REGISTRY = {}
LOG = logging.getLogger("product")


def register(name, value):
    if name in REGISTRY:
        raise ValueError("%s is registered already" % name)
    REGISTRY[name] = value


def collect(item, into=[]):
    into.append(item)
    return into


def nio_doctest():
    """
    >>> register("doctest", 1)
    >>> len(REGISTRY) > 0
    True
    """


def fine_doctest():
    """
    >>> values = [1]
    >>> values.append(2)
    >>> values
    [1, 2]
    >>> REGISTRY = "only here"
    """


@functools.lru_cache(maxsize=None)
def square(number):
    return number * number


class overrides:
    """A command that tests replace, as in the paper's case 5.5."""

    __overrides__ = {}


def to_zero(northing, easting):
    """As in the paper's case 5.6: the arrays of the caller change."""
    northing -= northing[0]
    easting -= easting[0]
    return northing, easting
