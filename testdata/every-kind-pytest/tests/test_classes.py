import pytest


class TestPlain:
    def setup_method(self):
        self.count = 0

    def test_gets_an_instance_of_its_own(self):
        assert not hasattr(self, "other")
        self.other = True

    def test_is_set_up(self):
        self.count += 1
        assert self.count == 1

    @staticmethod
    def test_is_static():
        pass

    @classmethod
    def test_belongs_to_the_class(cls):
        assert cls.__name__.startswith("Test")

    class TestNested:
        def test_is_nested(self):
            pass


class TestInherits(TestPlain):
    def test_adds_one(self):
        pass


@pytest.mark.parametrize("colour", ["red", "blue"])
class TestWithParameters:
    def test_first(self, colour):
        pass

    def test_second(self, colour):
        assert colour == "red"


class TestSetUpOfClass:
    @classmethod
    def setup_class(cls):
        cls.things = ["one"]

    @classmethod
    def teardown_class(cls):
        del cls.things

    def test_sees_it(self):
        assert self.things[0] == "one"

    def test_sees_it_too(self):
        assert self.things[0] == "one"


class TestSetUpOfClassFails:
    @classmethod
    def setup_class(cls):
        raise OSError("no class today")

    def test_never_runs(self):
        pass

    def test_never_runs_either(self):
        pass
