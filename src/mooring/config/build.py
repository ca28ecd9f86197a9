"""The merged tree as a `Config`: every entry checked on its own, so that a bad one harms nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mooring.config.check import SpotOf, origin_of
from mooring.config.ourselves import is_ours
from mooring.config.server import server
from mooring.config.settings import without_nulls
from mooring.core.merge import Branch, Node, plain
from mooring.core.spec import BadServer, Config, Entry, Input, Source
from mooring.core.values import is_map, is_number
from mooring.errors import IgnoredEntry, MooringError

__all__ = ["build"]

_BUDGETS = ("start", "list", "call")


def build(tree: Branch, spot: SpotOf, sources: Sequence[Source] = ()) -> Config:
    """What was asked for; `spot` finds the line of an origin, and is asked only when something is wrong.

    `sources` are those that the tree was made from, the weakest first.
    """
    problems: list[MooringError] = []
    settings = _settings(tree)
    order = {source: rank for rank, source in enumerate(sources)}
    base = _base_timeouts(settings)
    servers: dict[str, Entry] = {}
    branch = tree.children.get("mcp")
    for name, node in branch.children.items() if isinstance(branch, Branch) else ():
        if _starts_us(node):
            sentence = f"`mcp.{name}` is Mooring itself, and is left out"
            hint = "It is for the other clients that read this file"
            problems.append(IgnoredEntry(sentence, hint=hint, spot=spot(origin_of(node))))
            continue
        entry = server(name, node, base, order, spot, problems)
        if entry is not None:
            servers[name] = entry
            problems.extend(entry.errors if isinstance(entry, BadServer) else ())
    return Config(servers, _inputs(tree.children.get("inputs")), settings, tuple(problems))


def _starts_us(node: Node) -> bool:
    """Whether an entry is the one that `mooring export` writes for others: we would start ourselves."""
    children = node.children if isinstance(node, Branch) else {}
    return is_ours({key: plain(children[key]) for key in ("command", "args") if key in children})


def _settings(tree: Branch) -> dict[str, Any]:
    """What is no server; each source's values were checked when it was read."""
    values = {name: plain(node) for name, node in tree.children.items() if name not in ("mcp", "inputs")}
    return without_nulls(values)


def _base_timeouts(settings: Mapping[str, Any]) -> dict[str, int]:
    """For servers that say nothing: OpenCode's `experimental.mcp_timeout`, then `mooring.timeout`."""
    base: dict[str, int] = {}
    everything = settings.get("experimental", {}).get("mcp_timeout")
    if is_number(everything):
        base = dict.fromkeys(_BUDGETS, int(everything))
    given = settings.get("mooring", {}).get("timeout")
    if is_number(given):
        base |= dict.fromkeys(_BUDGETS, int(given))
    elif is_map(given):
        base |= {key: int(given[key]) for key in (*_BUDGETS, "ceiling") if key in given}
    return base


def _inputs(node: Node | None) -> dict[str, Input]:
    found: dict[str, Input] = {}
    items: dict[str, dict[str, Any]] = plain(node) if isinstance(node, Branch) else {}
    for name, item in items.items():
        default = item.get("default")
        found[name] = Input(
            name,
            description=str(item.get("description", "")),
            default=None if default is None else str(default),
            secret=item.get("password") is True,
        )
    return found
