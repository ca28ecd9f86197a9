"""Which tools an agent sees, and what happens when it calls one: the last rule that matches decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from mooring.core.agents import BUILT_IN
from mooring.core.frozen import frozen
from mooring.core.rules import Author, Effect, Rule, rules_of
from mooring.core.values import JSON, is_map
from mooring.core.wildcard import matches
from mooring.errors import BadValue

__all__ = ["Policy", "ToolFacts", "Why", "cautious"]

_NOTHING: Mapping[str, bool] = MappingProxyType({})
_SHARED_PERMISSIONS = MappingProxyType(
    {
        "write": "edit",
        "apply_patch": "edit",
        "list_mcp_resources": "read",
        "list_mcp_resource_templates": "read",
        "read_mcp_resource": "read",
    }
)
_READ_ONLY_AGENT = "plan"


@frozen
class ToolFacts:
    """The tool that is judged: its public name, what its server claims, whether that server is believed."""

    name: str
    read_only: bool = False
    trusted: bool = False
    builtin: bool = False

    @property
    def permission(self) -> str:
        """The name rules know it by; several of our own tools share one."""
        return _SHARED_PERMISSIONS.get(self.name, self.name) if self.builtin else self.name

    @property
    def is_harmless(self) -> bool:
        """Anybody can claim to only read; only a trusted server's claim counts."""
        return self.read_only and self.trusted


@frozen
class Why:
    """A decision with its ground; without a rule nothing matched, or the agent itself is the ground."""

    effect: Effect
    author: Author
    rule: Rule | None = None
    remark: str = ""

    def __str__(self) -> str:
        return f"{self.effect}: {self.remark or f'{self.author} rule `{self.rule}`'}"


@frozen
class Policy:
    """All rules that hold for one agent in one session and message, the strongest last."""

    agent: str
    rules: tuple[Rule, ...]

    @staticmethod
    def of(
        config: Mapping[str, JSON],
        agent: str = "build",
        session: Sequence[Rule] = (),
        message_tools: Mapping[str, bool] = _NOTHING,
        home: str = "",
        defaults: Sequence[Rule] = (),
    ) -> Policy:
        """Built once from the configuration's tree; `session` also carries what was answered `always`."""
        told = (
            Rule(name, "*", Effect.ALLOW if on else Effect.DENY, Author.MESSAGE)
            for name, on in message_tools.items()
        )
        return Policy(
            agent,
            (
                *_by(Author.BUILTIN, defaults),
                *BUILT_IN.get(agent, ()),
                *rules_of(config, Author.GLOBAL, home=home),
                *rules_of(_entry(config, agent), Author.AGENT, where=f"agent.{agent}.", home=home),
                *_by(Author.SESSION, session),
                *told,
            ),
        )

    def visible(self, facts: ToolFacts) -> bool:
        """Whether the tool is shown to the model at all; one that is denied for some uses only still is."""
        if self._withholds(facts):
            return False
        rule = self._last(facts)
        return rule is None or rule.effect is not Effect.DENY or rule.pattern != "*"

    def decide(self, facts: ToolFacts, pattern: str = "*", default: Effect = Effect.ASK) -> Effect:
        """What happens to a call; `default` is the face's own answer where no rule says anything."""
        return self.why(facts, pattern, default).effect

    def why(self, facts: ToolFacts, pattern: str = "*", default: Effect = Effect.ASK) -> Why:
        """The same decision with the rule it rests on, and whose that is."""
        if self._withholds(facts):
            remark = f"agent `{self.agent}` has the read-only tools of trusted servers only"
            return Why(Effect.DENY, Author.BUILTIN, remark=remark)
        rule = self._last(facts, pattern)
        if rule is None:
            return Why(default, Author.BUILTIN, remark=f"no rule matches `{facts.permission}`")
        return Why(rule.effect, rule.author, rule)

    def _last(self, facts: ToolFacts, pattern: str | None = None) -> Rule | None:
        shown = self._is_shown_by_message(facts)
        for rule in reversed(self.rules):
            if shown and _yields(rule):
                continue
            if _is_about(rule, facts) and (pattern is None or matches(rule.pattern, pattern)):
                return rule
        return None

    def _is_shown_by_message(self, facts: ToolFacts) -> bool:
        about = (
            rule for rule in reversed(self.rules) if rule.author is Author.MESSAGE and _is_about(rule, facts)
        )
        last = next(about, None)
        return last is not None and last.effect is Effect.ALLOW

    def _withholds(self, facts: ToolFacts) -> bool:
        """OpenCode's `plan` gates nothing of MCP; here it does, unless its own rules say otherwise."""
        if self.agent != _READ_ONLY_AGENT or facts.builtin or facts.is_harmless:
            return False
        own = (
            rule for rule in reversed(self.rules) if rule.author is Author.AGENT and _is_about(rule, facts)
        )
        last = next(own, None)
        return last is None or last.effect is Effect.DENY


def cautious(facts: ToolFacts) -> Effect:
    """The default of an agent's run: harmless tools pass, the others ask."""
    return Effect.ALLOW if facts.is_harmless else Effect.ASK


def _is_about(rule: Rule, facts: ToolFacts) -> bool:
    # A message hides a tool by its very name, also where several share one permission.
    by_name = rule.author is Author.MESSAGE and rule.permission == facts.name
    return by_name or matches(rule.permission, facts.permission)


def _yields(rule: Rule) -> bool:
    """Rules that step back when a message shows a tool.

    In OpenCode the message would win over everything. Here it lifts what no file has denied, and grants
    nothing: what is then left of the rules decides.
    """
    return rule.author is Author.MESSAGE or (rule.effect is Effect.DENY and not rule.author.is_configured)


def _by(author: Author, rules: Iterable[Rule]) -> Iterable[Rule]:
    return (replace(rule, author=author) for rule in rules)


def _entry(config: Mapping[str, JSON], agent: str) -> Mapping[str, JSON]:
    entry = config.get("agent")
    if is_map(entry):
        entry = entry.get(agent)
    if entry is None:
        return {}
    if not is_map(entry):
        raise BadValue(f"`agent.{agent}` is not a map", hint='Write `"agent": {"NAME": {"permission": …}}`')
    return entry
