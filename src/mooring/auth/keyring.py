"""The secrets of logins in the operating system's own store, where the user has chosen that."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol

from mooring.core.values import JSON, is_map
from mooring.errors import StorageError

__all__ = ["Keyring", "Safe", "safe_of"]

SERVICE = "mooring"
PROBE = "probe"
HINT = "Unlock it, or set `mooring.credentials` to `file`"


class Safe(Protocol):
    """Something that keeps a secret under a name."""

    def get(self, key: str) -> str | None: ...

    def put(self, key: str, secret: str) -> None: ...

    def drop(self, key: str) -> None: ...


def safe_of(settings: Mapping[str, JSON]) -> Safe | None:
    """What is chosen in `mooring.credentials`; nothing, or `file`, are the private files alone."""
    ours = settings.get("mooring")
    return Keyring() if is_map(ours) and ours.get("credentials") == "keyring" else None


class Keyring:
    """Never a second choice in silence: what it cannot do is an error. `store` stands in for the real one."""

    def __init__(self, store: Any = None) -> None:
        self._store = store
        self._is_probed = False

    def get(self, key: str) -> str | None:
        return self._does("read", "get_password", SERVICE, key)

    def put(self, key: str, secret: str) -> None:
        self._probe()
        self._does("written", "set_password", SERVICE, key, secret)

    def drop(self, key: str) -> None:
        if self.get(key) is not None:
            self._does("changed", "delete_password", SERVICE, key)

    def _probe(self) -> None:
        """Some take everything and give nothing back."""
        if self._is_probed:
            return
        self._does("written", "set_password", SERVICE, PROBE, PROBE)
        if self._does("read", "get_password", SERVICE, PROBE) != PROBE:
            raise StorageError("the keyring does not give back what it is given", hint=HINT)
        self._does("changed", "delete_password", SERVICE, PROBE)
        self._is_probed = True

    def _does(self, what: str, verb: str, *words: str) -> Any:
        store, errors = self._opened()
        try:
            return getattr(store, verb)(*words)
        except errors as error:
            # Its own words may hold what was to be kept.
            raise StorageError(f"the keyring cannot be {what}: {type(error).__name__}", hint=HINT) from None

    def _opened(self) -> tuple[Any, tuple[type[BaseException], ...]]:
        try:
            errors = import_module("keyring.errors")
            self._store = self._store or import_module("keyring")
        except ImportError as error:
            raise StorageError(
                "`mooring.credentials` is `keyring`, and the package for that is not installed",
                hint="pip install 'mooring[keyring]', or set it to `file`",
            ) from error
        return self._store, (errors.KeyringError, OSError, RuntimeError, ValueError)
