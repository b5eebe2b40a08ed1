"""A module with doctests.

>>> count("a b")
2
"""


def count(text):
    """
    >>> count("")
    0
    >>> count("one")
    1
    """
    return len(text.split())


def wrong():
    """
    >>> count("one two")
    3
    """
