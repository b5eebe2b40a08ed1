"""The first test of a package is not to blame for what pytest does to set the package up."""


def test_first():
    assert True
