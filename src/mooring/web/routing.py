"""From a method and a path to who may use it, and to the function that answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeAlias
from urllib.parse import unquote

from mooring.core.frozen import frozen
from mooring.errors import NoSuchRoute, WrongMethod
from mooring.system.door import Receive, Role, Scope, Send

__all__ = ["Handler", "Route", "Routes"]

Handler: TypeAlias = Callable[[Scope, Receive, Send, Mapping[str, str]], Awaitable[None]]


@frozen
class Route:
    """`path` has `{name}` where one segment may be anything; without a role nobody need say who they are."""

    method: str
    path: str
    role: Role | None
    handler: Handler


class Routes:
    """Segments are told apart before they are decoded, so that a name may hold a slash."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.all = tuple(routes)
        self._exact = {(route.method, route.path): route for route in self.all if "{" not in route.path}
        self._open = [(route, route.path.split("/")) for route in self.all if "{" in route.path]

    def role(self, method: str, raw: str) -> Role | None:
        """What it takes; a path that leads nowhere tells nobody so who may not look around."""
        try:
            return self.find(method, raw)[0].role
        except (NoSuchRoute, WrongMethod):
            return Role.READ

    def find(self, method: str, raw: str) -> tuple[Route, Mapping[str, str]]:
        wanted = "GET" if method == "HEAD" else method
        exact = self._exact.get((wanted, raw))
        if exact is not None:
            return exact, {}
        segments = raw.split("/")
        others: set[str] = set()
        for route, pattern in self._open:
            given = _matched(pattern, segments)
            if given is not None and route.method == wanted:
                return route, given
            if given is not None:
                others.add(route.method)
        others |= {other for other, path in self._exact if path == raw}
        if others:
            raise WrongMethod(
                f"This path does not know {method}", hint=f"It knows {', '.join(sorted(others))}"
            )
        raise NoSuchRoute("There is nothing at this path", hint="GET /doc describes every path")


def _matched(pattern: list[str], segments: list[str]) -> dict[str, str] | None:
    if len(pattern) != len(segments):
        return None
    given: dict[str, str] = {}
    for part, segment in zip(pattern, segments, strict=True):
        if part.startswith("{"):
            if not segment:
                return None
            given[part[1:-1]] = unquote(segment)
        elif part != segment:
            return None
    return given
