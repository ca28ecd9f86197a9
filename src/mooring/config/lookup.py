"""What a reference in a value stands for: the environment, small files, and answers to inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from mooring.core.spec import Input
from mooring.core.template import LookUp, Variable
from mooring.errors import ConfigError
from mooring.system.files import read_text

__all__ = ["look_up_in"]

_LIMIT = 64 * 1024
SECRETS = Path("/run/secrets")


def look_up_in(env: Mapping[str, str], inputs: Mapping[str, Input], home: Path) -> LookUp:
    """Answers references from `env`; an input's answer is MOORING_INPUT_<ID>, else its default."""

    def look_up(variable: Variable) -> str | None:
        match variable.kind:
            case "env":
                return env.get(variable.name)
            case "input":
                asked = inputs.get(variable.name)
                name = f"MOORING_INPUT_{re.sub(r'[^A-Za-z0-9]', '_', variable.name).upper()}"
                return env.get(name, asked.default if asked else None)
            case "credential":
                return _credential(variable.name, env)
            case _:
                return _content(variable.name, home)

    return look_up


def _credential(name: str, env: Mapping[str, str]) -> str | None:
    """What the service manager or the container was told to hand over, by a name that leads nowhere else."""
    if "/" in name or "\\" in name or name.startswith("."):
        return None
    given = env.get("CREDENTIALS_DIRECTORY")
    folders = [*([Path(given)] if given else []), SECRETS]
    found = (_content(str(folder / name), folder) for folder in folders)
    return next((text for text in found if text is not None), None)


def _content(name: str, home: Path) -> str | None:
    """A file's text without the white space around it; one that cannot be read counts as missing."""
    path = home / name[2:] if name.startswith("~/") else Path(name)
    try:
        text = read_text(path, _LIMIT)
    except ConfigError:
        return None
    return None if text is None else text.strip()
