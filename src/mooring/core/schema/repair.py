"""A tool's schema as a family of models accepts it."""

from __future__ import annotations

from mooring.core.frozen import frozen
from mooring.core.schema.anthropic import anthropic
from mooring.core.schema.family import Family
from mooring.core.schema.gemini import gemini
from mooring.core.schema.moonshot import moonshot
from mooring.core.schema.openai import openai
from mooring.core.schema.repairs import Log, Path, Repair
from mooring.core.schema.root import empty_root, root
from mooring.core.schema.tidy import tidy
from mooring.core.schema.walk import Node, Rule, pointed_at, rewrite
from mooring.core.values import JSON, is_map

__all__ = ["Repaired", "for_family"]

# A rule may uncover work for another; real schemas need two rounds, and one to see that nothing is left.
_ROUNDS = 12

_RULES: dict[Family, Rule] = {
    Family.OPENAI: openai,
    Family.ANTHROPIC: anthropic,
    Family.GEMINI: gemini,
    Family.MOONSHOT: moonshot,
}


@frozen
class Repaired:
    """The schema to send, and what makes it different from the one that came."""

    schema: Node
    repairs: tuple[Repair, ...]


def for_family(schema: JSON, family: Family) -> Repaired:
    """Always an object at the root; the same again for its own result. `schema` is not touched."""
    log = Log()
    before = schema
    for _ in range(_ROUNDS):
        after = _round(before, family, log)
        if after == before:
            return Repaired(after, log.all())
        before = after
    log.add((), "beyond-repair", "no form of this schema satisfies the family, emptied")
    return Repaired(empty_root(), log.all())


def _round(schema: JSON, family: Family, log: Log) -> Node:
    node = root(tidy(schema, (), log), family, log)
    rule = _RULES.get(family)
    if rule is None:
        return node
    document = node

    def without_dangling(inner: JSON, path: Path, log: Log) -> JSON:
        if is_map(inner) and "$ref" in inner and pointed_at(document, inner["$ref"]) is None:
            log.add((*path, "$ref"), "dangling-ref", "a reference to nothing, dropped")
            del inner["$ref"]
        return inner

    return rewrite(rewrite(node, (), log, without_dangling), (), log, rule)
