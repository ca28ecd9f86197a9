"""One thing a server offers: a tool, a resource, a template or a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from mooring.core.frozen import frozen
from mooring.core.intake import LIMITS, Limits, exact, schema, tidy
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadItem, BadSchema

__all__ = ["Argument", "Item", "Kind", "Prompt", "Resource", "Template", "Tool"]


class Kind(StrEnum):
    """What sort of thing it is."""

    TOOL = "tool"
    RESOURCE = "resource"
    TEMPLATE = "template"
    PROMPT = "prompt"


@frozen
class Tool:
    """`raw` is what the server sent, with fields that nobody here knows; everything else is safe to show."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, JSON] = field(repr=False)
    output_schema: Mapping[str, JSON] | None = field(repr=False)
    unchecked: str
    raw: Mapping[str, JSON] = field(repr=False)

    @staticmethod
    def read(raw: JSON, limits: Limits = LIMITS) -> Tool:
        written = _map(raw)
        name = exact(written, "name", limits.name)
        annotations = written.get("annotations")
        title = written.get("title") or (annotations.get("title") if is_map(annotations) else None)
        try:
            taken, unchecked = schema(written.get("inputSchema"), limits)
            given, unmeasured = schema(written.get("outputSchema"), limits)
        except BadSchema as error:
            raise BadSchema(f"`{name}`: {error.sentence}", hint=error.hint) from error
        return Tool(
            name,
            tidy(title, limits.title, characters=True),
            tidy(written.get("description"), limits.description),
            taken,
            given if written.get("outputSchema") is not None else None,
            unchecked or unmeasured,
            written,
        )

    @property
    def key(self) -> str:
        """What tells it from the others of its server."""
        return self.name

    @property
    def read_only(self) -> bool:
        """What the tool claims of itself; worth as much as its server is trusted."""
        return self._claims("readOnlyHint", default=False)

    @property
    def destructive(self) -> bool:
        """Whether it may destroy something; by the protocol it may, unless it says that it does not."""
        return not self.read_only and self._claims("destructiveHint", default=True)

    @property
    def open_world(self) -> bool:
        """Whether it may reach beyond what its server knows; by the protocol it may, unless it says not."""
        return self._claims("openWorldHint", default=True)

    def _claims(self, hint: str, *, default: bool) -> bool:
        annotations = self.raw.get("annotations")
        claim = annotations.get(hint) if is_map(annotations) else None
        return claim if isinstance(claim, bool) else default


@frozen
class Resource:
    """Something that can be read at its address."""

    uri: str
    name: str
    title: str
    description: str
    mime: str
    raw: Mapping[str, JSON] = field(repr=False)

    @staticmethod
    def read(raw: JSON, limits: Limits = LIMITS) -> Resource:
        written = _map(raw)
        return Resource(exact(written, "uri", limits.uri), *_described(written, limits), written)

    @property
    def key(self) -> str:
        return self.uri

    @property
    def size(self) -> int | None:
        """In bytes, where the server knows it beforehand."""
        size = self.raw.get("size")
        return size if isinstance(size, int) and not isinstance(size, bool) else None


@frozen
class Template:
    """A whole family of addresses, with gaps to be filled in."""

    uri_template: str
    name: str
    title: str
    description: str
    mime: str
    raw: Mapping[str, JSON] = field(repr=False)

    @staticmethod
    def read(raw: JSON, limits: Limits = LIMITS) -> Template:
        written = _map(raw)
        return Template(exact(written, "uriTemplate", limits.uri), *_described(written, limits), written)

    @property
    def key(self) -> str:
        return self.uri_template


@frozen
class Argument:
    """One gap in a prompt."""

    name: str
    description: str = ""
    required: bool = False


@frozen
class Prompt:
    """A text the server writes for us, from a few arguments."""

    name: str
    title: str
    description: str
    raw: Mapping[str, JSON] = field(repr=False)

    @staticmethod
    def read(raw: JSON, limits: Limits = LIMITS) -> Prompt:
        written = _map(raw)
        name = exact(written, "name", limits.name)
        _, title, description, _ = _described(written, limits)
        return Prompt(name, title, description, written)

    @property
    def key(self) -> str:
        return self.name

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Read when it is asked for; an argument without a name cannot be given and is left out."""
        written = self.raw.get("arguments")
        return tuple(
            Argument(
                item["name"], tidy(item.get("description"), LIMITS.description), item.get("required") is True
            )
            for item in (written if is_list(written) else [])
            if is_map(item) and isinstance(item.get("name"), str)
        )


Item: TypeAlias = Tool | Resource | Template | Prompt


def _map(raw: JSON) -> Mapping[str, JSON]:
    if not is_map(raw):
        raise BadItem("an item is not a map", hint="Tell the author of the server")
    return raw


def _described(raw: Mapping[str, JSON], limits: Limits) -> tuple[str, str, str, str]:
    """Name, title, description and MIME type, each empty where it is missing."""
    return (
        tidy(raw.get("name"), limits.name, characters=True),
        tidy(raw.get("title"), limits.title, characters=True),
        tidy(raw.get("description"), limits.description),
        tidy(raw.get("mimeType"), limits.name, characters=True),
    )
