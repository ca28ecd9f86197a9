"""One way to every server: which kind of connection it is, its entry says."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from mooring.core.redact import mask
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.errors import MooringError
from mooring.upstream.ground import Ground
from mooring.upstream.order import Dial, Order
from mooring.upstream.session import Session

__all__ = ["dialer"]


def dialer(ground: Ground) -> Dial:
    """What a kind of connection needs is imported when the first of its kind is dialled."""

    def way(order: Order) -> AbstractAsyncContextManager[Session]:
        match order.spec:
            case LocalSpec() as spec:
                from mooring.upstream.local import local  # noqa: PLC0415

                return local(order, spec, ground)
            case RemoteSpec() as spec:
                from mooring.upstream.remote import remote  # noqa: PLC0415

                return remote(order, spec, ground)

    @asynccontextmanager
    async def dial(order: Order) -> AsyncGenerator[Session]:
        try:
            async with way(order) as session:
                yield session
        except MooringError as error:
            # A program, a folder or an address is named as it is used, with references filled in.
            error.sentence, error.hint = mask(error.sentence, order.secrets), mask(error.hint, order.secrets)
            error.args = (error.sentence,)
            raise

    return dial
