"""What the configuration says: of one server, and of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any, Literal, NamedTuple, TypeAlias

from mooring.core.frozen import frozen
from mooring.core.wildcard import matches
from mooring.errors import MooringError

__all__ = [
    "BadServer",
    "Config",
    "Entry",
    "Grant",
    "Input",
    "Layer",
    "LocalSpec",
    "OAuth",
    "Origin",
    "RemoteSpec",
    "ServerSpec",
    "Source",
    "Timeouts",
    "ToolFilter",
]


class Layer(StrEnum):
    """Whose word it is, from the weakest to the strongest."""

    ORGANISATION = "organisation"
    GLOBAL = "global"
    FILE = "file"
    PROJECT = "project"
    FOLDER = "folder"
    INLINE = "inline"
    MANAGED = "managed"

    @property
    def is_the_users(self) -> bool:
        """Written by the user or the machine's owner; a repository or a web address is neither."""
        return self not in (Layer.ORGANISATION, Layer.PROJECT, Layer.FOLDER)


@frozen
class Source:
    """One file, variable or address that a layer was read from."""

    layer: Layer
    name: str
    folder: str

    def __str__(self) -> str:
        return self.name


class Origin(NamedTuple):
    """A place in a source; the path is the source's own, before any renaming."""

    source: Source
    path: tuple[str | int, ...] = ()


@frozen
class Timeouts:
    """Budgets in seconds; `call` is how long a call may be silent, `ceiling` how long it may take at all."""

    start: float = 30.0
    list: float = 30.0
    call: float = 30.0
    ceiling: float = 600.0


@frozen
class ToolFilter:
    """Which of a server's tools exist at all; patterns as in `permission`."""

    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()

    def lets_in(self, tool: str) -> bool:
        included = any(matches(pattern, tool) for pattern in self.include)
        return included and not any(matches(pattern, tool) for pattern in self.exclude)


Grant: TypeAlias = Literal["authorization_code", "client_credentials", "jwt_bearer", "id_jag"]


@frozen
class OAuth:
    """How to log in; everything unset is discovered."""

    client_id: str | None = None
    client_secret: str | None = None
    scope: str | None = None
    callback_port: int | None = None
    redirect_uri: str | None = None
    authorization_url: str | None = None
    token_url: str | None = None
    client_metadata_url: str | None = None
    allow_hosts: tuple[str, ...] = ()
    grant: Grant = "authorization_code"
    private_key: str | None = None
    algorithm: str | None = None
    assertion: str | None = None
    assertion_file: str | None = None
    idp_token_url: str | None = None
    idp_client_id: str | None = None
    idp_client_secret: str | None = None

    @property
    def needs_nobody(self) -> bool:
        """Whether the configuration holds all that a login takes."""
        return self.grant != "authorization_code"


@frozen(kw_only=True)
class ServerSpec:
    """What holds for every server; values are as written, their templates not yet filled in."""

    name: str
    enabled: bool = True
    required: bool = False
    lazy: bool = False
    trusted: bool = False
    protocol: str = "auto"
    timeouts: Timeouts = field(default_factory=Timeouts)
    tools: ToolFilter = field(default_factory=ToolFilter)
    origins: tuple[Origin, ...] = field(default=(), compare=False)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources that had a say, without repetition, the strongest last."""
        return tuple(dict.fromkeys(origin.source for origin in self.origins))


@frozen(kw_only=True)
class LocalSpec(ServerSpec):
    """A program that we start."""

    command: str
    args: tuple[str, ...] = ()
    cwd: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    env_file: str | None = None
    inherit: tuple[str, ...] | Literal[True] = ()


@frozen(kw_only=True)
class RemoteSpec(ServerSpec):
    """An address that we call; `oauth` is None where it was switched off.

    It `displaces` what the user has under that name, where somebody else wrote the address.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    headers_command: tuple[str, ...] = ()
    transport: Literal["auto", "http", "sse"] = "auto"
    oauth: OAuth | None = field(default_factory=OAuth)
    displaces: bool = field(default=False, compare=False)


@frozen
class BadServer:
    """An entry that makes no sense, and why."""

    name: str
    errors: tuple[MooringError, ...]
    origins: tuple[Origin, ...] = field(default=(), compare=False)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(dict.fromkeys(origin.source for origin in self.origins))


Entry: TypeAlias = LocalSpec | RemoteSpec | BadServer


@frozen
class Input:
    """A value that a file asks the person for, as VS Code's `inputs` do."""

    id: str
    description: str = ""
    default: str | None = None
    secret: bool = False


@frozen
class Config:
    """Everything that was asked for, and what was wrong with it."""

    servers: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    inputs: Mapping[str, Input] = field(default_factory=dict[str, Input])
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    problems: tuple[MooringError, ...] = ()
