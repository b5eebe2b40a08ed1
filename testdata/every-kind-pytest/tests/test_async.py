import asyncio

import pytest

pytest.importorskip("pytest_asyncio")


@pytest.mark.asyncio
async def test_waits():
    await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_fails():
    await asyncio.sleep(0)
    assert asyncio is None


@pytest.mark.asyncio
@pytest.mark.parametrize("number", [1, 2])
async def test_takes(number):
    await asyncio.sleep(0)


class TestInClass:
    @pytest.mark.asyncio
    async def test_waits(self):
        await asyncio.sleep(0)
