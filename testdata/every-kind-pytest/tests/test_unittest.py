import unittest


class CartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = {"open": True}

    def setUp(self):
        self.cart = []

    def tearDown(self):
        self.cart = None

    def test_starts_empty(self):
        self.assertEqual(self.cart, [])

    def test_fails(self):
        self.assertEqual(self.cart, [1])

    def test_raises(self):
        raise LookupError("nothing there")

    @unittest.skip("not ready")
    def test_is_skipped(self):
        self.fail()

    def test_skips_itself(self):
        self.skipTest("no reason")

    @unittest.expectedFailure
    def test_fails_as_expected(self):
        self.fail()

    @unittest.expectedFailure
    def test_passes_unexpectedly(self):
        pass

    def test_has_subtests(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertLess(number, 3)

    def test_has_a_subtest_that_fails(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertLess(number, 2)


@unittest.skip("the whole class")
class SkippedTest(unittest.TestCase):
    def test_never_runs(self):
        pass


class SetUpClassFailsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError("no class today")

    def test_never_runs(self):
        pass


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.ready = True

    async def test_waits(self):
        self.assertTrue(self.ready)

    async def test_fails(self):
        self.assertFalse(self.ready)
