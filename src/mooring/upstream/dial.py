"""One way to every server: which kind of connection it is, its entry says."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.upstream.ground import Ground
from mooring.upstream.order import Dial, Order
from mooring.upstream.session import Session

__all__ = ["dialer"]


def dialer(ground: Ground) -> Dial:
    """What a kind of connection needs is imported when the first of its kind is dialled."""

    def dial(order: Order) -> AbstractAsyncContextManager[Session]:
        match order.spec:
            case LocalSpec() as spec:
                from mooring.upstream.local import local  # noqa: PLC0415

                return local(order, spec, ground)
            case RemoteSpec() as spec:
                from mooring.upstream.remote import remote  # noqa: PLC0415

                return remote(order, spec, ground)

    return dial
