import pytest

if not hasattr(pytest, "Subtests"):
    pytest.importorskip("pytest_subtests")


def test_all_pass(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert number < 3


def test_one_fails(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert number != 1


def test_one_is_skipped(subtests):
    for number in range(3):
        with subtests.test(number=number):
            if number == 1:
                pytest.skip("not this one")
