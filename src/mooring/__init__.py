"""The MCP host for Python: every MCP server you have configured, connected once, usable everywhere."""

from __future__ import annotations

TYPE_CHECKING = (
    False  # that of `typing` is the same, and its import would cost `--version` a third of its time
)

if TYPE_CHECKING:
    from mooring.core.questions import Caller, Face
    from mooring.errors import MooringError
    from mooring.host import Host, open_host
    from mooring.upstream.session import Result

__all__ = ["Caller", "Face", "Host", "MooringError", "Result", "__version__", "open_host"]

__version__ = "0.1.0"

_HOMES = {
    "Caller": "mooring.core.questions",
    "Face": "mooring.core.questions",
    "Host": "mooring.host",
    "MooringError": "mooring.errors",
    "Result": "mooring.upstream.session",
    "open_host": "mooring.host",
}


def __getattr__(name: str) -> object:
    """The public names, each looked up when it is first used: `mooring --version` needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
