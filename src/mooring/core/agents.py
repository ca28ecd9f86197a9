"""The agents that come with OpenCode, and the rules everybody starts from there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mooring.core.rules import Author, Effect, Rule

__all__ = ["BUILT_IN", "OPENCODE"]


def _rules(*entries: tuple[str, str, Effect]) -> tuple[Rule, ...]:
    return tuple(Rule(permission, pattern, effect, Author.BUILTIN) for permission, pattern, effect in entries)


OPENCODE = _rules(
    ("*", "*", Effect.ALLOW),
    ("doom_loop", "*", Effect.ASK),
    ("external_directory", "*", Effect.ASK),
    ("question", "*", Effect.DENY),
    ("plan_enter", "*", Effect.DENY),
    ("plan_exit", "*", Effect.DENY),
    ("read", "*", Effect.ALLOW),
    ("read", "*.env", Effect.ASK),
    ("read", "*.env.*", Effect.ASK),
    ("read", "*.env.example", Effect.ALLOW),
)

_EXPLORING = ("grep", "glob", "list", "bash", "webfetch", "websearch", "read")

BUILT_IN: Mapping[str, tuple[Rule, ...]] = MappingProxyType(
    {
        "build": _rules(("question", "*", Effect.ALLOW), ("plan_enter", "*", Effect.ALLOW)),
        "plan": _rules(
            ("question", "*", Effect.ALLOW),
            ("plan_exit", "*", Effect.ALLOW),
            ("task", "general", Effect.DENY),
            ("edit", "*", Effect.DENY),
            ("edit", ".opencode/plans/*.md", Effect.ALLOW),
        ),
        "explore": _rules(("*", "*", Effect.DENY), *((name, "*", Effect.ALLOW) for name in _EXPLORING)),
        "general": _rules(("todowrite", "*", Effect.DENY)),
    }
)
