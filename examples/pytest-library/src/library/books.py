"""Books and where they stand."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Book:
    title: str
    author: str
    year: int

    @property
    def signature(self):
        """Where it stands on the shelf.

        >>> Book("Emma", "Jane Austen", 1815).signature
        'AUS 1815'
        """
        return f"{self.author.split()[-1][:3].upper()} {self.year}"


class Catalogue:
    def __init__(self, books=()):
        self._books = list(books)

    def add(self, book):
        self._books.append(book)

    def by(self, author):
        """
        >>> Catalogue([Book("Emma", "Jane Austen", 1815)]).by("Jane Austen")[0].title
        'Emma'
        """
        return [book for book in self._books if book.author == author]

    def years(self):
        """The years that it has books of, each once."""
        return [year for year in {book.year for book in self._books}]

    def __len__(self):
        return len(self._books)
