"""Which proxy the environment wants for an address, if any."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from mooring.errors import ProxyFailed, Unreachable
from mooring.system.address import Address

__all__ = ["proxy_for"]


def proxy_for(address: Address, env: Mapping[str, str]) -> Address | None:
    """Lower case wins over upper case, and the scheme's own variable over `ALL_PROXY`."""
    for variable in (f"{address.scheme}_proxy", "all_proxy"):
        for name in (variable, variable.upper()):
            value = env.get(name, "").strip()
            if value:
                except_for = env.get("no_proxy", "") or env.get("NO_PROXY", "")
                return None if _is_exempt(address, except_for) else _proxy(name, value)
    return None


def _proxy(name: str, value: str) -> Address:
    try:
        return Address.of(value if "://" in value else f"http://{value}")
    except Unreachable as error:
        raise ProxyFailed(
            f"`{name}` names no http proxy",
            hint=f"Correct `{name}`, or name the server's host in `NO_PROXY`",
        ) from error


def _is_exempt(address: Address, except_for: str) -> bool:
    return any(_matches(address, entry.strip().lower()) for entry in except_for.split(","))


def _matches(address: Address, entry: str) -> bool:
    if not entry:
        return False
    if entry == "*":
        return True
    if "/" in entry:
        return _is_within(address.host, entry)
    host, colon, port = entry.rpartition(":")
    if colon and port.isdigit() and (":" not in host or host.startswith("[")):
        if int(port) != address.port:
            return False
        entry = host
    entry = entry.strip("[]").removeprefix("*").removeprefix(".")
    is_number = _is_within(address.host, address.host)
    return bool(entry) and (address.host == entry or (address.host.endswith(f".{entry}") and not is_number))


def _is_within(host: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False
