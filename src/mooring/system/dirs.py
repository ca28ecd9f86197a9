"""The folders that belong to the user, to OpenCode and to the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from mooring.core.frozen import frozen

__all__ = ["Dirs"]


@frozen
class Dirs:
    """Where things are; a value, so that a test can point anywhere."""

    home: Path
    config: Path
    data: Path
    state: Path
    cache: Path
    opencode_config: Path
    opencode_data: Path
    managed: tuple[Path, ...]

    @classmethod
    def of(cls, env: Mapping[str, str]) -> Dirs:
        """The folders of the user whose environment this is."""
        home = _home(env)
        xdg_config = _folder(env, "XDG_CONFIG_HOME", home / ".config")
        xdg_data = _folder(env, "XDG_DATA_HOME", home / ".local/share")
        own = _own(env, home)
        return cls(
            home=home,
            config=xdg_config / "mooring",
            data=own["data"],
            state=own["state"],
            cache=own["cache"],
            opencode_config=xdg_config / "opencode",
            opencode_data=xdg_data / "opencode",
            managed=_managed(env),
        )


def _home(env: Mapping[str, str]) -> Path:
    """Never a folder below the working one: a repository could bring it along, with a configuration in it."""
    for name in ("HOME", "USERPROFILE"):
        path = Path(env.get(name, ""))
        if path.is_absolute():
            return path
    if sys.platform == "win32":
        return Path(os.path.expanduser("~")).absolute()  # noqa: PTH111
    import pwd  # noqa: PLC0415 - HOME is nearly always there

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return Path("/")


def _folder(env: Mapping[str, str], name: str, default: Path) -> Path:
    """The XDG rule: a relative path does not count."""
    value = env.get(name, "")
    return Path(value) if value and Path(value).is_absolute() else default


def _own(env: Mapping[str, str], home: Path) -> dict[str, Path]:
    """Data, state and cache: XDG on Linux and wherever it is set, else the platform's own custom.

    platformdirs knows the customs of macOS and Windows; on Linux its import costs more than click's.
    """
    if sys.platform == "linux":
        customs = {"data": ".local/share", "state": ".local/state", "cache": ".cache"}
        defaults = {key: home / part / "mooring" for key, part in customs.items()}
    else:
        from platformdirs import PlatformDirs  # noqa: PLC0415

        dirs = PlatformDirs("mooring", appauthor=False)
        defaults = {"data": dirs.user_data_path, "state": dirs.user_state_path, "cache": dirs.user_cache_path}
    return {
        key: _folder(env, f"XDG_{key.upper()}_HOME", default.parent) / default.name
        for key, default in defaults.items()
    }


def _managed(env: Mapping[str, str]) -> tuple[Path, ...]:
    if sys.platform == "darwin":
        root = Path("/Library/Application Support")
    elif sys.platform == "win32":
        root = Path(env.get("ProgramData") or r"C:\ProgramData")
    else:
        root = Path("/etc")
    return root / "opencode", root / "mooring"
