"""The first words with a server: which revision of the protocol to speak, and what the server can do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import field
from functools import partial
from typing import Any

from mooring.core.frozen import frozen
from mooring.core.intake import tidy
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import (
    BadMessage,
    CallTimeout,
    HttpRefused,
    MooringError,
    NoCommonVersion,
    NotMcp,
    ServerError,
    StartTimeout,
)
from mooring.system.tasks import beside, let_go
from mooring.upstream.session.eras import HANDSHAKE, LATEST_HANDSHAKE, META, MODERN, UNSUPPORTED_VERSION
from mooring.upstream.session.ourselves import Ourselves
from mooring.upstream.wire import Inbound, Terms, Wire, decode

__all__ = ["Agreed", "agree"]

PROBE_WITHIN = 2.0
_NOT_AN_ERA = (401, 403, 407, 408, 429)


@frozen
class Agreed:
    """What both sides know after the first words."""

    protocol: str
    capabilities: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    server: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    instructions: str = ""

    @property
    def is_modern(self) -> bool:
        return self.protocol in MODERN

    @property
    def name(self) -> str:
        return tidy(self.server.get("title") or self.server.get("name"), 128, characters=True)

    @property
    def version(self) -> str:
        return tidy(self.server.get("version"), 64, characters=True)

    def can(self, capability: str, part: str | None = None) -> bool:
        found = self.capabilities.get(capability)
        return is_map(found) and (part is None or found.get(part) is True)


async def agree(wire: Wire, us: Ourselves, setting: str, within: float, since: float | None = None) -> Agreed:
    """`setting` is `auto`, `legacy` or one version; `auto` asks in the new way first, then in the old one.

    The time may have begun before, `since` a moment of the loop's clock.
    """
    wire.on_request = partial(_asked, us)
    began = asyncio.get_running_loop().time() if since is None else since
    try:
        async with asyncio.timeout_at(began + within):
            agreed = await _agreed_on(wire, us, setting)
    except (TimeoutError, CallTimeout) as error:
        raise StartTimeout(
            f"`{wire.name}` did not answer the handshake within {within:g} s",
            hint=f"Is it slow? Raise `mcp.{wire.name}.timeout.start`",
        ) from error
    # Both eras may have been tried at once.
    wire.protocol = agreed.protocol
    return agreed


async def _agreed_on(wire: Wire, us: Ourselves, setting: str) -> Agreed:
    if setting in HANDSHAKE or setting == "legacy":
        wanted = LATEST_HANDSHAKE if setting == "legacy" else setting
        return await _initialize(wire, us, wanted, only=setting in HANDSHAKE)
    if setting in MODERN:
        return await _pinned(wire, us, setting)
    if setting == "auto":
        return await _auto(wire, us)
    known = ", ".join(f"`{version}`" for version in (*HANDSHAKE, *MODERN))
    raise NoCommonVersion(
        f"`mcp.{wire.name}.protocol` is `{tidy(setting, 60)}`, a version that is not known here",
        hint=f"Set it to `auto`, `legacy`, or one of {known}",
    )


async def _asked(us: Ourselves, inbound: Inbound) -> Mapping[str, JSON]:
    """From the first word on: a server may ask back before its greeting is over."""
    if inbound.method == "ping":
        return {}
    return await us.answer(inbound.method, inbound.params, inbound.cause)


async def _pinned(wire: Wire, us: Ourselves, version: str) -> Agreed:
    try:
        found = await _offered(wire, us, version)
    except ServerError as error:
        if error.number == UNSUPPORTED_VERSION:
            raise _no_common(wire, _supported(error.data), version) from error
        raise
    if version not in _versions(found):
        raise _no_common(wire, _versions(found), version)
    return _modern(wire, version, found)


async def _auto(wire: Wire, us: Ourselves) -> Agreed:
    """Probe; whoever says nothing for a while is greeted in the old way too, and the first answer counts.

    A server may be slow to start, or ignore what it does not know: from outside they look the same.
    """
    probe = beside(_probe(wire, us))
    tasks: list[asyncio.Future[Any]] = [probe]
    try:
        await asyncio.wait([probe], timeout=PROBE_WITHIN)
        if probe.done():
            return probe.result() or await _initialize(wire, us, LATEST_HANDSHAKE)
        greeting = beside(_initialize(wire, us, LATEST_HANDSHAKE))
        tasks.append(greeting)
        await asyncio.wait([probe, greeting], return_when=asyncio.FIRST_COMPLETED)
        if not (greeting.done() and greeting.exception() is None):
            # One that speaks the new way only refuses the greeting, maybe before it answers the probe.
            await asyncio.wait([probe], timeout=PROBE_WITHIN)
        if probe.done():
            found = probe.result()
            if found is not None:
                return found
        return await greeting
    finally:
        await let_go(*tasks)


async def _probe(wire: Wire, us: Ourselves) -> Agreed | None:
    """None where everything says that the server belongs to the old era."""
    version = MODERN[-1]
    try:
        found = await _offered(wire, us, version)
    except ServerError as error:
        if error.number == UNSUPPORTED_VERSION:
            supported = _supported(error.data)
            if supported and not any(each in HANDSHAKE for each in supported):
                raise _no_common(wire, supported, version) from error
        return None
    except HttpRefused as error:
        if error.status in _NOT_AN_ERA:
            raise
        return None
    except (NotMcp, BadMessage):
        return None
    return _modern(wire, version, found) if version in _versions(found) else None


async def _offered(wire: Wire, us: Ourselves, version: str) -> Mapping[str, JSON]:
    """Whoever refuses a version, and names it among those that it takes, is asked once more."""
    try:
        return await _discover(wire, us, version)
    except ServerError as error:
        if error.number != UNSUPPORTED_VERSION or version not in _supported(error.data):
            raise
    return await _discover(wire, us, version)


async def _discover(wire: Wire, us: Ourselves, version: str) -> Mapping[str, JSON]:
    meta = {
        f"{META}protocolVersion": version,
        f"{META}clientCapabilities": us.capabilities(None),
        f"{META}clientInfo": us.about,
    }
    headers = (("mcp-protocol-version", version), ("mcp-method", "server/discover"))
    terms = Terms(cancellable=False, headers=headers)
    return _map(wire, decode(await wire.request("server/discover", {"_meta": meta}, terms)))


async def _initialize(wire: Wire, us: Ourselves, wanted: str, *, only: bool = False) -> Agreed:
    params = {
        "protocolVersion": wanted,
        "capabilities": us.capabilities(None),
        "clientInfo": us.about,
    }
    try:
        raw = await wire.request("initialize", params, Terms(cancellable=False))
    except ServerError as error:
        if error.number == UNSUPPORTED_VERSION:
            raise _no_common(wire, _supported(error.data), wanted) from error
        raise
    found = _map(wire, decode(raw))
    version = found.get("protocolVersion")
    if not isinstance(version, str) or version not in HANDSHAKE or (only and version != wanted):
        raise _no_common(wire, [tidy(version, 60) or "no version"], wanted)
    agreed = _agreed(version, found)
    wire.protocol = version
    await wire.notify("notifications/initialized")
    return agreed


def _modern(wire: Wire, version: str, found: Mapping[str, JSON]) -> Agreed:
    wire.protocol = version
    return _agreed(version, found)


def _agreed(version: str, found: Mapping[str, JSON]) -> Agreed:
    capabilities = found.get("capabilities")
    meta = found.get("_meta")
    server = found.get("serverInfo") or (meta.get(f"{META}serverInfo") if is_map(meta) else None)
    instructions = found.get("instructions")
    return Agreed(
        version,
        capabilities if is_map(capabilities) else {},
        server if is_map(server) else {},
        instructions if isinstance(instructions, str) else "",
    )


def _map(wire: Wire, value: JSON) -> Mapping[str, JSON]:
    if not is_map(value):
        raise BadMessage(f"`{wire.name}` answered the handshake with no map", hint="Is it an MCP server?")
    return value


def _versions(found: Mapping[str, JSON]) -> list[str]:
    return _texts(found.get("supportedVersions"))


def _supported(data: JSON) -> list[str]:
    return _texts(data.get("supported")) if is_map(data) else []


def _texts(value: JSON) -> list[str]:
    return [each for each in value if isinstance(each, str)] if is_list(value) else []


def _no_common(wire: Wire, theirs: list[str], ours: str) -> MooringError:
    said = ", ".join(f"`{tidy(version, 60)}`" for version in theirs[:8]) or "no version"
    return NoCommonVersion(
        f"`{wire.name}` speaks {said}, and not `{ours}`",
        hint=f"`mcp.{wire.name}.protocol` says which version to use; `auto` finds out",
    )
