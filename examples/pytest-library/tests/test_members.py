import unittest

from library import members


def test_a_card_has_no_letter_that_looks_like_a_digit():
    # Cards are drawn from all letters, so about one in five does.
    assert "O" not in members.new_card()


class MembersTest(unittest.TestCase):
    def test_joins(self):
        # And never leaves.
        members.join("Ada")
        self.assertIn("Ada", members.MEMBERS)

    def test_joins_and_leaves(self):
        members.join("Grace")
        self.addCleanup(members.leave, "Grace")
        self.assertEqual(len(members.MEMBERS["Grace"]), 6)
