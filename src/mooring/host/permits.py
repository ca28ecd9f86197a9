"""Whether a caller may use a tool: by the rules of the configuration, or by asking."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw

from mooring.core.catalog import Entry
from mooring.core.grant import Grant
from mooring.core.items import Tool
from mooring.core.policy import Policy, ToolFacts, cautious
from mooring.core.questions import Allowed, Approve, Caller, Face, Rejected, Scope
from mooring.core.rules import Author, Effect, Rule
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import JSON
from mooring.errors import CallRefused, MooringError
from mooring.host.running import Arguments
from mooring.store import Store
from mooring.upstream.wire.envelope import params_of

__all__ = ["Permits"]


class Permits:
    """What was allowed for the session holds as long as this does; what for good, in every process."""

    def __init__(self, settings: Mapping[str, JSON], home: str, store: Store) -> None:
        self._store = store
        self._settings = settings
        self._home = home
        self._granted: dict[str, tuple[Rule, ...]] = {}
        self._policies: dict[str, Policy] = {}

    def change(self, settings: Mapping[str, JSON]) -> None:
        """Other rules; what was granted is not taken back."""
        self._settings = settings
        self._policies.clear()

    async def check(
        self, caller: Caller, entry: Entry[Tool], arguments: Arguments, spec: LocalSpec | RemoteSpec
    ) -> None:
        """Raise unless the call may run. What a person types at a terminal is theirs to decide."""
        if caller.face is Face.TERMINAL:
            return
        facts = ToolFacts(entry.name, read_only=entry.item.read_only, trusted=spec.trusted)
        default = cautious(facts) if caller.face is Face.AGENT else Effect.ALLOW
        why = self._policy(caller.agent).why(facts, default=default)
        if why.effect is Effect.ALLOW:
            return
        if why.effect is Effect.DENY:
            raise CallRefused(
                f"`{entry.name}` is not allowed: {why}", hint="`permission` in the configuration"
            )
        grant = Grant.of(caller.agent, spec, entry.item)
        if await self._is_granted(grant):
            return
        if caller.ask is None:
            raise CallRefused(
                f"`{entry.name}` needs a yes, and nobody can be asked here",
                hint=f'Allow it: "permission": {{"{entry.name}": "allow"}}',
            )
        answer = await caller.ask(Approve(entry.server, entry.name, _shown(arguments), facts.is_harmless))
        match answer:
            case Allowed(scope=scope):
                if scope is not Scope.ONCE:
                    self._grant(caller.agent, entry.name)
                if scope is Scope.ALWAYS:
                    await self._keep(grant)
            case Rejected(reason=reason) if reason:
                raise CallRefused(f"`{entry.name}` was refused: {reason}", hint="Do it in another way")
            case _:
                raise CallRefused(f"`{entry.name}` was refused", hint="Do it in another way")

    def shows(self, agent: str, entry: Entry[Tool], spec: LocalSpec | RemoteSpec) -> bool:
        """Whether an agent need know of a tool: one that is always denied is of no use to it."""
        facts = ToolFacts(entry.name, read_only=entry.item.read_only, trusted=spec.trusted)
        return self._policy(agent).visible(facts)

    async def _is_granted(self, grant: Grant) -> bool:
        try:
            return await self._store.allows(grant)
        except MooringError as error:
            # Who cannot look asks once more.
            self._store.trouble(error)
            return False

    async def _keep(self, grant: Grant) -> None:
        try:
            await self._store.allow(grant)
        except MooringError as error:
            self._store.trouble(error)

    def _policy(self, agent: str) -> Policy:
        policy = self._policies.get(agent)
        if policy is None:
            session = self._granted.get(agent, ())
            policy = self._policies[agent] = Policy.of(self._settings, agent, session, home=self._home)
        return policy

    def _grant(self, agent: str, tool: str) -> None:
        rule = Rule(tool, "*", Effect.ALLOW, Author.SESSION)
        self._granted[agent] = (*self._granted.get(agent, ()), rule)
        self._policies.pop(agent, None)


def _shown(arguments: Arguments) -> Mapping[str, JSON]:
    return params_of(arguments) if isinstance(arguments, Raw) else arguments
