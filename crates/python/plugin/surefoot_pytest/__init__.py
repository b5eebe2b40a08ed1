"""Surefoot inside a Python process that runs pytest: tells which tests run and how they end, and runs tests on demand.

It is a guest: it prints nothing, raises nothing into the tests, and leaves the process's environment as the user set it.
It needs nothing but the standard library and pytest. docs/protocol.md describes the lines that it writes.

PYTEST_DONT_REWRITE
"""
