import datetime

import pytest

from library import loans
from library.loans import Loan


class TestFine:
    def test_is_nothing_on_time(self, emma, monday):
        loan = Loan(emma, monday)
        assert loan.fine(loan.due) == 0

    @pytest.mark.parametrize(("days", "cents"), [(1, 20), (10, 200)])
    def test_grows_by_the_day(self, emma, monday, days, cents):
        loan = Loan(emma, monday)
        assert loan.fine(loan.due + datetime.timedelta(days)) == cents

    def test_a_child_pays_less(self, emma, monday):
        loan = Loan(emma, monday)
        assert loan.fine(loan.due + datetime.timedelta(2), "child") == 10

    def test_rates_can_change(self, emma, monday, monkeypatch):
        monkeypatch.setitem(loans.RATES, "adult", 30)
        loan = Loan(emma, monday)
        assert loan.fine(loan.due + datetime.timedelta(1)) == 30


@pytest.mark.skip(reason="the committee has not decided")
def test_a_lost_book_is_paid_for():
    raise AssertionError
