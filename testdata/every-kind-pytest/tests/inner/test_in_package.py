def test_lies_in_a_package():
    assert __name__ == "tests.inner.test_in_package" or __name__ == "inner.test_in_package"
