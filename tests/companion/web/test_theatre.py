"""What phones follow: each at its own pace and in its own language, and nobody waits for one that is slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from companion.locale import language
from companion.web import theatre as theatres
from companion.web.theatre import Stage, Theatre


def numbered(number: int) -> Stage:
    return Stage(lambda: {"number": number, "spoken": language()})


async def latest(scenes: AsyncIterator[Any], number: int) -> int:
    """Follow until a number is shown; return how many scenes that took."""
    count = 0
    async for scene in scenes:
        count += 1
        if scene is not None and scene.get("number") == number:
            return count
    return -1


def test_a_slow_phone_misses_what_is_over_and_holds_nobody_up() -> None:
    async def run() -> tuple[int, int]:
        theatre = Theatre()
        theatre.attach(asyncio.get_running_loop())
        slow, quick = theatre.scenes("de"), theatre.scenes("fr")
        await anext(slow)  # and it reads no further for now
        following = asyncio.ensure_future(latest(quick, 99))
        for number in range(100):
            theatre.show(numbered(number))
            await asyncio.sleep(0)
        seen = await asyncio.wait_for(following, 5.0)
        return seen, await asyncio.wait_for(latest(slow, 99), 5.0)

    quick, slow = asyncio.run(run())
    assert quick >= 1
    assert slow == 1, "only what is shown now"


def test_a_phone_that_had_a_stage_before_it_was_woken_for_it_sleeps_until_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits, wait_for = 0, asyncio.wait_for

    async def counted(waiting: Any, timeout: float) -> Any:
        nonlocal waits
        waits += 1
        return await wait_for(waiting, timeout)

    async def run() -> None:
        theatre = Theatre()
        theatre.attach(asyncio.get_running_loop())
        phone = theatre.scenes("de")
        await anext(phone)
        theatre.show(numbered(1))
        assert await anext(phone) == {"number": 1, "spoken": "de", "language": "de"}, "before the loop could wake it"
        following = asyncio.ensure_future(phone.__anext__())
        for _ in range(100):
            await asyncio.sleep(0)
        following.cancel()

    monkeypatch.setattr(asyncio, "wait_for", counted)
    asyncio.run(run())
    assert waits <= 2


def test_each_language_is_rendered_once_for_all_phones_that_read_it() -> None:
    rendered: list[str] = []

    def render() -> dict[str, Any]:
        rendered.append(language())
        return {}

    async def run() -> list[Any]:
        theatre = Theatre()
        theatre.attach(asyncio.get_running_loop())
        theatre.show(Stage(render, language="it"))
        phones = [theatre.scenes(code) for code in ("de", "de", "fr", "", "it")]
        return list(await asyncio.gather(*map(anext, phones)))

    scenes = asyncio.run(run())
    assert sorted(rendered) == ["de", "fr", "it"], "a phone that chose none reads the table's"
    assert [scene["language"] for scene in scenes] == ["de", "de", "fr", "it", "it"]


def test_a_phone_that_has_gone_is_forgotten_and_one_that_hears_nothing_gets_a_heartbeat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(theatres, "HEARTBEAT_S", 0.01)

    async def run() -> None:
        theatre = Theatre()
        theatre.attach(asyncio.get_running_loop())
        scenes = theatre.scenes("en")
        assert await anext(scenes) is not None
        assert await anext(scenes) is None
        assert theatre.listeners == 1
        await scenes.aclose()  # type: ignore[attr-defined] # an asynchronous generator
        assert theatre.listeners == 0
        theatre.show(numbered(1))

    asyncio.run(run())


def test_showing_something_works_before_the_server_runs_and_after_it_has_ended() -> None:
    theatre = Theatre()
    theatre.show(numbered(1))

    async def run() -> None:
        theatre.attach(asyncio.get_running_loop())

    asyncio.run(run())
    theatre.show(numbered(2))
    assert theatre.stage.render()["number"] == 2
