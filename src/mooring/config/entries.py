"""One server's entry, in anybody's spelling, as a branch of our tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mooring.config.notes import KEPT, Note, nearest_key
from mooring.config.places import Dialect
from mooring.config.spellings import INNER, KNOWN, TRANSPORTS, Piece, budgets, respell
from mooring.core.merge import Branch, Leaf, Node
from mooring.core.spec import Origin, Source
from mooring.core.template import Syntax, canonical
from mooring.core.values import is_list, is_map
from mooring.errors import UnknownKey

__all__ = ["Reader"]

Path = tuple[str | int, ...]

_NO_DEFAULTS: Mapping[str, str] = MappingProxyType({})
_INPUT = re.compile(r"\{input:([^{}:]+)\}")
_SYNTAX = {
    Dialect.NATIVE: Syntax.SHELL,
    Dialect.CLAUDE: Syntax.SHELL,
    Dialect.CURSOR: Syntax.EDITOR,
    Dialect.VSCODE: Syntax.EDITOR,
    Dialect.CODEX: Syntax.OPENCODE,
}

_ENOUGH = 200


class Reader:
    """Reads the entries of one source; its folder and `home` answer relative paths, `~`, editors' names."""

    def __init__(
        self,
        source: Source,
        dialect: Dialect,
        home: str,
        notes: list[Note],
        defaults: Mapping[str, str] = _NO_DEFAULTS,
    ) -> None:
        self._source = source
        self._home = home
        self._notes = notes
        self._defaults = defaults
        self._dialect = dialect
        self._syntax = _SYNTAX[dialect]
        self._folders = {
            "/": "/",
            "cwd": source.folder,
            "pathSeparator": "/",
            "userHome": home,
            "workspaceFolder": source.folder,
            "workspaceFolderBasename": posixpath.basename(source.folder),
            "workspaceRoot": source.folder,
        }

    def entry(self, raw: Any, path: Path, name: str) -> Node:
        """An entry as a branch; what is not a map stays a leaf, for the check to refuse."""
        if not is_map(raw):
            return Leaf(raw, Origin(self._source, path))
        if self._dialect is Dialect.NATIVE:
            # Our files and OpenCode's hold other clients' entries too, but only those speak like a shell.
            self._syntax = Syntax.OPENCODE if path[0] == "mcp" else Syntax.SHELL
        branch = Branch({}, Origin(self._source, path))
        for piece in respell(raw):
            self._put(branch, piece, path)
        self._unknown(raw, KNOWN, path, f"mcp.{name}")
        for key, inner in INNER.items():
            if is_map(raw.get(key)):
                # Below `tools` Codex names single tools, each with a map.
                said = {word: item for word, item in raw[key].items() if key != "tools" or not is_map(item)}
                self._unknown(said, inner, (*path, key), f"mcp.{name}.{key}")
        _infer(branch)
        return branch

    def _unknown(self, raw: dict[str, Any], known: frozenset[str], path: Path, place: str) -> None:
        for key in raw:
            if key not in known:
                sentence = f"Nobody reads the key `{place}.{key}`"
                # A search for each of thousands of different mistakes would take minutes.
                hint = nearest_key(key, tuple(sorted(known))) if len(self._notes) < _ENOUGH else KEPT
                self._notes.append(Note(UnknownKey, (*path, key), sentence, hint))

    def budgets(self, value: Any, path: Path) -> Node:
        """Timeouts that stand outside an entry."""
        branch = Branch({}, Origin(self._source, path))
        for piece in budgets(value, ()):
            self._put(branch, piece, path)
        return branch.children["timeout"]

    def _put(self, branch: Branch, piece: Piece, path: Path) -> None:
        at = (*path, *piece.path)
        for key in piece.target[:-1]:
            inner = branch.children.get(key)
            if not isinstance(inner, Branch):
                inner = branch.children[key] = Branch({}, Origin(self._source, at[: len(path) + 1]))
            branch = inner
        key = piece.target[-1]
        node = self._node(piece, at)
        there = branch.children.get(key)
        if isinstance(node, Branch) and isinstance(there, Branch):
            there.children.update(node.children)
        else:
            branch.children[key] = node

    def _node(self, piece: Piece, at: Path) -> Node:
        match piece.target, piece.value:
            case ("cwd",) | ("envFile",) | ("oauth", "assertionFile"), str() as text:
                return Leaf(self._absolute(self._text(text)), Origin(self._source, at))
            case ("oauth",), True:
                return Branch({}, Origin(self._source, at), covers=True)
            case ("command",), value if is_map(value):
                return Leaf(value, Origin(self._source, at))  # for the check to refuse
            case _, value:
                return self._value(value, at)

    def _value(self, value: Any, at: Path) -> Node:
        """Texts in our template spelling; maps become branches, so that layers merge inside them."""
        if is_map(value):
            children = {key: self._value(item, (*at, key)) for key, item in value.items()}
            return Branch(children, Origin(self._source, at))
        if isinstance(value, str):
            value = self._text(value)
        elif is_list(value):
            value = [self._text(item) if isinstance(item, str) else item for item in value]
        return Leaf(value, Origin(self._source, at))

    def _text(self, text: str) -> str:
        if "{" not in text:
            return text
        return _INPUT.sub(self._input, canonical(text, self._syntax, self._folders, self._absolute))

    def _input(self, match: re.Match[str]) -> str:
        default = self._defaults.get(match[1])
        return match[0] if default is None else f"{{input:{match[1]}:-{default}}}"

    def _absolute(self, path: str) -> str:
        if path == "~" or path.startswith("~/"):
            return self._home + path[1:]
        if path.startswith(("/", "{")) or path[1:3] == ":\\":
            return path
        return posixpath.normpath(posixpath.join(self._source.folder, path))


def _infer(branch: Branch) -> None:
    """`type` and `transport` where they can be told from what else is there."""
    children = branch.children
    for key in ("type", "transport"):
        leaf = children.get(key)
        if isinstance(leaf, Leaf) and isinstance(leaf.value, str) and leaf.value in TRANSPORTS:
            kind, transport = TRANSPORTS[leaf.value]
            del children[key]
            children.setdefault("type", Leaf(kind, leaf.origin))
            if transport:
                children["transport"] = Leaf(transport, leaf.origin)
    if "type" not in children and ("command" in children) != ("url" in children):
        kind, key = ("local", "command") if "command" in children else ("remote", "url")
        origin = children[key].origin
        if origin:
            children["type"] = Leaf(kind, origin)
