import pytest

from library.books import Book, Catalogue


def test_is_found_by_its_author(catalogue):
    assert [book.title for book in catalogue.by("George Eliot")] == ["Middlemarch"]


def test_a_new_book_is_found(catalogue, emma):
    # The catalogue belongs to the whole module, and so does the book from now on.
    before = len(catalogue.by("Jane Austen"))
    catalogue.add(emma)
    assert before == 1
    assert len(catalogue.by("Jane Austen")) == 2


def test_years_are_listed_once():
    # And in this order, as small numbers in a set happen to be.
    books = [Book("Emma", "Jane Austen", 1816), Book("Ivanhoe", "Walter Scott", 1819), Book("Belinda", "Maria Edgeworth", 1817)]
    assert Catalogue(books + books).years() == [1816, 1817, 1819]


@pytest.mark.parametrize(
    ("author", "signature"),
    [("Jane Austen", "AUS 1900"), ("George Eliot", "ELI 1900"), ("Ng", "NG 1900")],
)
def test_signature(author, signature):
    assert Book("Any", author, 1900).signature == signature
