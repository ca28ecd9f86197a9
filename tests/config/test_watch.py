"""Files that change are noticed, each with the place it has among the layers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from mooring.config import watch as watcher
from mooring.config.places import Place, global_places, user_places
from mooring.config.watch import watch
from mooring.core.spec import Layer

OUT_OF_WATCHES = "OS file watch limit reached"
Changes = AsyncIterator[tuple[Place, ...]]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "LOOK_EVERY_MS", 100)


def watching(world) -> tuple[Changes, anyio.Event]:
    def places() -> list[Place]:
        return [*global_places(world.dirs), *user_places(world.project, world.dirs, world.env)]

    stop = anyio.Event()
    return watch(places, stop), stop


@asynccontextmanager
async def bounded(world) -> AsyncIterator[Changes]:
    """A watcher that is stopped at the end, and a test that ends."""
    changes, stop = watching(world)
    with anyio.fail_after(30):
        yield changes
        stop.set()
        assert [found async for found in changes] == []


def run(test: Callable[[], Awaitable[None]]) -> None:
    anyio.run(test)


async def said(changes: Changes) -> list[tuple[Layer, str]]:
    return [(place.layer, Path(place.name).name) for place in await anext(changes)]


BEFORE, AFTER = '{"mcp": {}}', '{"mcp": {"x": {"command": "a"}}}'


def edit(file: Path) -> None:
    file.write_text(AFTER)


def replace(file: Path) -> None:
    new = file.with_name("new")
    new.write_text(AFTER)
    new.replace(file)


def delete(file: Path) -> None:
    file.unlink()


def become_a_link(file: Path) -> None:
    other = file.parent / "other"
    other.mkdir()
    (other / "real").write_text(AFTER)
    file.unlink()
    file.symlink_to(other / "real")


@pytest.mark.parametrize("change", [edit, replace, delete, become_a_link])
@pytest.mark.parametrize(
    ("path", "layer"),
    [
        ("~/.config/mooring/mooring.json", Layer.GLOBAL),
        ("opencode.json", Layer.PROJECT),
        (".opencode/opencode.json", Layer.FOLDER),
    ],
)
def test_a_change_is_said_with_its_layer(world, path: str, layer: Layer, change: Callable[[Path], None]):
    file = world.put(path, BEFORE)

    async def test() -> None:
        async with bounded(world) as changes:
            change(file)
            assert await said(changes) == [(layer, file.name)]

    run(test)


def test_a_folder_that_is_made_later_counts_and_so_does_what_happens_in_it(world):
    async def test() -> None:
        async with bounded(world) as changes:
            file = world.put(".opencode/opencode.json", BEFORE)
            assert await said(changes) == [(Layer.FOLDER, "opencode.json")]
            file.write_text(AFTER)
            assert await said(changes) == [(Layer.FOLDER, "opencode.json")]
            file.unlink()
            file.parent.rmdir()
            assert await said(changes) == [(Layer.FOLDER, "opencode.json")]
            world.put(".opencode/opencode.json", BEFORE)
            assert await said(changes) == [(Layer.FOLDER, "opencode.json")]

    run(test)


def test_what_a_link_leads_to_is_watched_and_so_is_the_link(world):
    one, two = world.put("../dotfiles/1/real", BEFORE), world.put("../dotfiles/2/real", AFTER)
    link = world.project / "mooring.json"
    link.symlink_to(one)

    async def test() -> None:
        async with bounded(world) as changes:
            one.write_text('{"model": "a/b"}')
            assert await said(changes) == [(Layer.PROJECT, "mooring.json")]
            link.unlink()
            link.symlink_to(two)
            assert await said(changes) == [(Layer.PROJECT, "mooring.json")]
            two.write_text(BEFORE)
            assert await said(changes) == [(Layer.PROJECT, "mooring.json")]

    run(test)


def test_the_same_bytes_written_again_are_no_change(world):
    file, other = world.put("opencode.json", BEFORE), world.put("mooring.json", BEFORE)

    async def test() -> None:
        async with bounded(world) as changes:
            file.write_text(BEFORE)
            replaced = file.with_name("new")
            replaced.write_text(BEFORE)
            replaced.replace(file)
            other.write_text(AFTER)
            assert await said(changes) == [(Layer.PROJECT, "mooring.json")]

    run(test)


def test_nothing_is_lost_before_the_first_wait_or_between_two(world):
    first, second = world.put("opencode.json", BEFORE), world.put("mooring.json", BEFORE)

    async def test() -> None:
        async with bounded(world) as changes:
            first.write_text(AFTER)
            assert await said(changes) == [(Layer.PROJECT, "opencode.json")]
            second.write_text(AFTER)
            first.write_text(BEFORE)
            found = await said(changes)
            if len(found) == 1:
                found += await said(changes)
            assert sorted(name for _, name in found) == ["mooring.json", "opencode.json"]

    run(test)


def test_what_cannot_be_read_hurts_nobody(world):
    (world.project / ".mooring").symlink_to(world.project / ".mooring")
    (world.project / "opencode.json").mkdir()
    file = world.put("mooring.json", BEFORE)

    async def test() -> None:
        async with bounded(world) as changes:
            file.write_text(AFTER)
            assert await said(changes) == [(Layer.PROJECT, "mooring.json")]

    run(test)


def test_it_ends_when_it_is_told_to_while_it_waits_or_before(world):
    async def test() -> None:
        with anyio.fail_after(30):
            for delay in (0, 0.05):
                changes, stop = watching(world)
                async with anyio.create_task_group() as group:
                    group.start_soon(stop_after, delay, stop)
                    assert [found async for found in changes] == []

    run(test)


async def stop_after(seconds: float, stop: anyio.Event) -> None:
    await anyio.sleep(seconds)
    stop.set()


def test_the_system_tells_of_a_change_long_before_anybody_looks(world, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watcher, "LOOK_EVERY_MS", 60_000)
    file = world.put("mooring.json", BEFORE)

    async def write_until(noticed: anyio.Event) -> None:
        number = 0
        while not noticed.is_set():
            number += 1
            file.write_text(f'{{"model": "a/{number}"}}')
            await anyio.sleep(0.3)

    async def test() -> None:
        async with bounded(world) as changes, anyio.create_task_group() as group:
            noticed = anyio.Event()
            group.start_soon(write_until, noticed)
            assert await said(changes) == [(Layer.PROJECT, "mooring.json")]
            noticed.set()

    run(test)


def test_a_machine_that_can_watch_no_more_is_looked_at_all_the_same(world, monkeypatch: pytest.MonkeyPatch):
    def refuses(*_folders: str, **_how: object) -> None:
        raise OSError(OUT_OF_WATCHES)

    monkeypatch.setattr("watchfiles.awatch", refuses)
    file = world.put("opencode.json", BEFORE)

    async def test() -> None:
        async with bounded(world) as changes:
            edit(file)
            assert await said(changes) == [(Layer.PROJECT, "opencode.json")]

    run(test)
