"""Loans, and what it costs to forget them."""

from datetime import timedelta

DAYS = 28
RATES = {"adult": 20, "child": 5}


class Loan:
    def __init__(self, book, since):
        self.book = book
        self.since = since

    @property
    def due(self):
        return self.since + timedelta(days=DAYS)

    def fine(self, today, kind="adult"):
        """In cents."""
        late = (today - self.due).days
        return max(0, late) * RATES[kind]
