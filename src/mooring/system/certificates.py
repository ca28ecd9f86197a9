"""Whose certificates are trusted: the system's, or those that the environment names."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path

from mooring.errors import TlsFailed

__all__ = ["Certificates"]

_INSTEAD = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
_BESIDES = ("NODE_EXTRA_CA_CERTS",)
KNOWN = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


class Certificates:
    """Read when first needed, then shared: reading the system's takes some 20 ms."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = self._read()
        return self._context

    def _read(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        instead = [name for name in _INSTEAD if self._env.get(name)]
        if not instead:
            context.load_default_certs()
            if not has_its_own():
                _add_known(context)
        for name in (*instead, *(name for name in _BESIDES if self._env.get(name))):
            _add(context, name, Path(self._env[name]))
        return context


def has_its_own() -> bool:
    """Some builds of Python look for certificates where this system keeps none."""
    places = ssl.get_default_verify_paths()
    return bool(places.cafile or (places.capath and any(Path(places.capath).glob("*.0"))))


def _add_known(context: ssl.SSLContext) -> None:
    for place in KNOWN:
        if Path(place).is_file():
            context.load_verify_locations(cafile=place)
            return


def _add(context: ssl.SSLContext, name: str, path: Path) -> None:
    try:
        if path.is_dir():
            context.load_verify_locations(capath=path)
        else:
            context.load_verify_locations(cafile=path)
    except (OSError, ssl.SSLError) as error:
        raise TlsFailed(
            f"`{name}` names `{path}`, which holds no certificates that can be read",
            hint=f"Correct `{name}`, or unset it",
        ) from error
