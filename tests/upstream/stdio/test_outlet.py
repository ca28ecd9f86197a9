"""Reading what comes out of a program."""

from __future__ import annotations

import asyncio
import os
import threading

from mooring.upstream.stdio.outlet import AT_ONCE, PIECE, Outlet


def test_everything_that_was_written_arrives_in_order_before_the_end() -> None:
    whole = b"".join(b"%09d\n" % number for number in range(2 * AT_ONCE * PIECE // 10))

    async def conversation() -> bytes:
        heard: list[bytes] = []
        out, into = os.pipe()
        with open(out, "rb", buffering=0) as pipe:  # noqa: ASYNC230, PTH123 - a pipe is no file to wait for
            outlet = Outlet(pipe, heard.append)
            writer = threading.Thread(target=write_and_close, args=(into, whole))
            writer.start()
            async with asyncio.timeout(20):
                await outlet.ended
            writer.join()
        return b"".join(heard)

    assert asyncio.run(conversation()) == whole


def test_nothing_more_is_read_after_a_close_from_within() -> None:
    async def conversation() -> list[int]:
        sizes: list[int] = []
        out, into = os.pipe()
        with open(out, "rb", buffering=0) as pipe:  # noqa: ASYNC230, PTH123 - a pipe is no file to wait for
            outlet = Outlet(pipe, lambda piece: (sizes.append(len(piece)), outlet.close())[0])
            writer = threading.Thread(target=write_and_close, args=(into, b"x" * 2 * PIECE))
            writer.start()
            async with asyncio.timeout(20):
                await outlet.ended
            outlet.close()
            writer.join()
        return sizes

    assert len(asyncio.run(conversation())) == 1


def write_and_close(into: int, whole: bytes) -> None:
    with open(into, "wb", buffering=0) as pipe:
        try:
            while whole:
                whole = whole[pipe.write(whole) :]
        except BrokenPipeError:
            pass
