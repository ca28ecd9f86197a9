"""What a local server gets to know of our environment: little, unless its entry says more."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

from mooring.core.envfile import assignments
from mooring.core.redact import names_secret, secret_values
from mooring.core.spec import LocalSpec
from mooring.errors import MissingFile
from mooring.system.files import read_text

__all__ = ["TAG", "environment", "private"]

TAG = "MOORING_TAG"

_PROXIES = "http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY"
_CERTIFICATES = (
    "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO"
)
_POSIX = "HOME LOGNAME USER PATH SHELL TERM LANG TMPDIR"
_WINDOWS = """
    APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT
    TEMP TMP USERNAME USERPROFILE WINDIR
"""
_ALWAYS = frozenset(" ".join((_POSIX, _PROXIES, _CERTIFICATES)).split())
_ON_WINDOWS = frozenset(_WINDOWS.split())


def environment(spec: LocalSpec, ours: Mapping[str, str], folder: str) -> dict[str, str]:
    """All of it; what is written in the entry wins over its file, and both over what is passed on."""
    found = {name: value for name, value in ours.items() if _is_passed_on(name, spec)}
    if spec.env_file:
        found.update(_of_file(os.path.join(folder, spec.env_file), spec.name))  # noqa: PTH118
    return {**found, **spec.environment}


def private(variables: Mapping[str, str], ours: Mapping[str, str]) -> Iterator[str]:
    """What of it must not be shown: all that this server alone is given, and what its name gives away."""
    own = {name: value for name, value in variables.items() if ours.get(name) != value or names_secret(name)}
    return secret_values(own)


def _is_passed_on(name: str, spec: LocalSpec) -> bool:
    if name.startswith("MOORING_") or "\0" in name:
        # Our own settings and tokens are for nobody else.
        return spec.inherit is not True and name in spec.inherit
    if spec.inherit is True or name in spec.inherit:
        return True
    is_windows = sys.platform == "win32" and name.upper() in _ON_WINDOWS
    return name in _ALWAYS or name.startswith("LC_") or is_windows


def _of_file(path: str, server: str) -> dict[str, str]:
    text = read_text(path)
    if text is None:
        raise MissingFile(
            f"`{path}` is not there; `mcp.{server}.envFile` needs it", hint="Create it, or change the key"
        )
    return assignments(text)
