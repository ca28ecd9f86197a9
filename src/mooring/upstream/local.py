"""A session with a program that is started for it, and ended with it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from mooring.core.spec import LocalSpec
from mooring.errors import CommandNotFound, ServerExited, ServerFailure, StartTimeout
from mooring.system.programs import located
from mooring.upstream.ground import Ground
from mooring.upstream.order import Order
from mooring.upstream.session import Session, agree
from mooring.upstream.stdio.carrier import StdioCarrier
from mooring.upstream.stdio.environment import environment, private
from mooring.upstream.stdio.process import LocalProcess
from mooring.upstream.stdio.said import Said
from mooring.upstream.trace import Ended, Line
from mooring.upstream.wire import Wire

__all__ = ["local"]


@asynccontextmanager
async def local(order: Order, spec: LocalSpec, ground: Ground) -> AsyncGenerator[Session]:
    """A server that breaks on the first question of the new era is started again, and asked the old one."""
    began = asyncio.get_running_loop().time()
    try:
        async with _once(order, spec, ground, order.protocol, began) as session:
            yield session
            return
    except _BrokeOnProbe:
        pass
    async with _once(order, spec, ground, "legacy", began) as session:
        yield session


class _BrokeOnProbe(Exception):
    pass


@asynccontextmanager
async def _once(
    order: Order, spec: LocalSpec, ground: Ground, protocol: str, began: float
) -> AsyncGenerator[Session]:
    folder = os.path.join(ground.folder, spec.cwd or "")  # noqa: PTH118 - an absolute `cwd` wins
    variables = environment(spec, ground.env, folder)
    order = order.knowing(private(variables, ground.env))
    mark = ground.reaper.mark()
    said = Said(order.journal, order.secrets, _hearing(order))
    command = [_program(spec.command, variables.get("PATH", os.defpath), folder), *spec.args]
    process = LocalProcess(command, {**variables, **mark}, folder)
    ground.reaper.add(process.pid)
    order.took("start")
    wire = Wire(spec.name, order.frames)
    if order.notice is not None:
        wire.on_notice = order.notice
    carrier = StdioCarrier(wire, process, said)
    try:
        await carrier.open()
        wire.carrier = carrier
        try:
            agreed = await agree(wire, order.us, protocol, spec.timeouts.start, began)
        except StartTimeout as error:
            if protocol != order.protocol:
                error.hint = f"Started twice; `mcp.{spec.name}.protocol` set to `legacy` saves the first"
            raise
        except ServerExited as error:
            if protocol == "auto" and wire.heard == 0:
                raise _BrokeOnProbe from error
            raise
        carrier.is_ready = True
        order.took("handshake")
        yield Session(wire, agreed, order.us, spec.timeouts)
    except ServerFailure as error:
        error.stderr = error.stderr or said.last()
        raise
    finally:
        order.took("end")
        await _end(carrier, process, ground, mark)
        if order.trace is not None and process.exited.done():
            order.trace(Ended(process.exited.result()))


def _hearing(order: Order) -> Callable[[str], None] | None:
    trace = order.trace
    return None if trace is None else lambda line: trace(Line(line))


async def _end(carrier: StdioCarrier, process: LocalProcess, ground: Ground, mark: dict[str, str]) -> None:
    """To its end, also for a caller who is in a hurry: nobody else would know what to stop."""
    closing = asyncio.ensure_future(carrier.aclose(leave=ground.leave))
    try:
        await asyncio.shield(closing)
    except asyncio.CancelledError:
        await closing
        raise
    finally:
        if process.exited.done():
            if ground.leave:
                ground.reaper.forget(process.pid)
            else:
                ground.reaper.remove(process.pid, mark)


def _program(command: str, path: str, folder: str) -> str:
    found = located(command, path, folder)
    if found is None:
        raise CommandNotFound(f"command not found: `{command}`", hint="Is it installed, and on PATH?")
    return found
