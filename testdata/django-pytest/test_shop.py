"""Tests of every kind that pytest-django knows. One relies on the order of rows, one cannot run twice, one leaves a setting."""

import pytest
from django.conf import settings as project_settings
from django.contrib.auth.models import User
from django.test import TestCase, TransactionTestCase, modify_settings, override_settings
from django.utils.functional import SimpleLazyObject

from shop.models import Book

TITLES = ["Emma", "Persuasion", "Ivanhoe"]


@pytest.fixture
def books(db):
    for title in TITLES:
        Book.objects.create(title=title)


def test_assumes_an_order(books):
    assert [book.title for book in Book.objects.all()] == TITLES


def test_ordered(books):
    assert [book.title for book in Book.objects.order_by("title")] == sorted(TITLES)


def test_compared_without_order(books):
    assert {book.title for book in Book.objects.all()} == set(TITLES)
    assert Book.objects.count() == 3 and Book.objects.get(title="Emma").title == "Emma"


@pytest.mark.django_db
def test_queries_are_counted(django_assert_num_queries):
    with django_assert_num_queries(2):
        assert list(Book.objects.all()) == [] and not Book.objects.exists()


class BookTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.book = Book.objects.create(title="Emma")

    def test_is_there(self):
        self.assertEqual(Book.objects.count(), 1)

    def test_is_renamed(self):
        self.book.title = "Sanditon"
        self.book.save()
        self.assertEqual(Book.objects.get().title, "Sanditon")

    def test_has_a_reader(self):
        User.objects.create_user("Ada")
        self.assertEqual(User.objects.count(), 1)


class client:
    """Not Django's own, though it has the name of something that is."""

    client = None


def test_leaves_a_client():
    client.client = [1]


class CommittedTest(TransactionTestCase):
    def test_is_empty_at_first(self):
        self.assertEqual(Book.objects.count(), 0)
        Book.objects.create(title="Emma")


@override_settings(USE_TZ=False)
def test_other_settings():
    assert not project_settings.USE_TZ


@modify_settings(INSTALLED_APPS={"remove": "shop"})
class OtherSettingsTest(TestCase):
    def test_are_put_back(self):
        with self.settings(SECRET_KEY="third"):
            self.assertEqual(project_settings.SECRET_KEY, "third")
        self.assertNotIn("shop", project_settings.INSTALLED_APPS)


GREETING = SimpleLazyObject(lambda: ["hello"])


def test_lazy_object():
    assert GREETING[0] == "hello"


def test_leaves_a_setting():
    project_settings.SHOP_NAME = "Emma's"


def test_settings_of_the_fixture(settings):
    settings.SECRET_KEY = "other"
    assert project_settings.SECRET_KEY == "other"


READERS = []


@pytest.mark.django_db
def test_runs_only_once():
    READERS.append(User.objects.create_user("Grace"))
    assert len(READERS) == 1
