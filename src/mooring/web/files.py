"""The files of the web page, as they lie beside this one."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from html import escape
from pathlib import Path

from mooring.errors import NoSuchRoute
from mooring.system.door import Receive, Role, Scope, Send
from mooring.system.door.asgi import Header, answer, header
from mooring.web.routing import Route

__all__ = ["HTML", "Files"]

HTML = (b"content-type", b"text/html; charset=utf-8")
IMPORTED = re.compile(r'^(?:import|\} from).*"\./([\w.]+)";$', re.MULTILINE)
FOLDER = Path(__file__).with_name("page")
KINDS = {
    ".css": b"text/css; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".svg": b"image/svg+xml",
}


class Files:
    """Read when the first of them is asked for, and as they were then from there on.

    Their address names what is in them, so that a browser need not ask for one twice.
    """

    @property
    def routes(self) -> tuple[Route, ...]:
        return (Route("GET", "/page/{digest}/{file}", Role.READ, self.serve),)

    @cached_property
    def page(self) -> str:
        """Every script of the first view is named in it: none has to be read before the next is asked for."""
        base = f"/page/{self._digest}"
        scripts = sorted(self.first)
        named = "\n".join(f'<link rel="modulepreload" href="{base}/{name}">' for name in scripts)
        return self.text("index.html").replace("{modules}", named).replace("{base}", base)

    @cached_property
    def first(self) -> frozenset[str]:
        """The scripts that are there before anybody has chosen anything."""
        found, fresh = set[str](), {"main.js"}
        while fresh:
            found |= fresh
            fresh = {name for each in fresh for name in IMPORTED.findall(self.text(each))} - found
        return frozenset(found)

    def text(self, name: str) -> str:
        return self._found[name].decode()

    async def plain(
        self, send: Send, status: int, title: str, text: str, *headers: Header, leads: str = ""
    ) -> None:
        """A page that only says something, and may lead on by itself."""
        page = self.text("plain.html")
        on = f'<meta http-equiv="refresh" content="0; url={leads}">' if leads else ""
        for name, value in (("{on}", on), ("{title}", escape(title)), ("{text}", escape(text))):
            page = page.replace(name, value)
        await answer(send, status, page.encode(), (HTML, *headers))

    async def serve(self, scope: Scope, _receive: Receive, send: Send, given: Mapping[str, str]) -> None:
        name = given["file"]
        kind = KINDS.get(Path(name).suffix)
        if kind is None or name not in self._found or given["digest"] != self._digest:
            raise NoSuchRoute("The page has no such file", hint="Open the page again")
        kept = (b"cache-control", b"private, max-age=31536000, immutable")
        headers = [(b"content-type", kind), kept, (b"vary", b"accept-encoding")]
        if any(b"gzip" in each for each in header(scope, b"accept-encoding")):
            await answer(send, 200, self._small[name], (*headers, (b"content-encoding", b"gzip")))
        else:
            await answer(send, 200, self._found[name], headers)

    @cached_property
    def _found(self) -> Mapping[str, bytes]:
        return {file.name: file.read_bytes() for file in sorted(FOLDER.iterdir()) if file.is_file()}

    @cached_property
    def _small(self) -> Mapping[str, bytes]:
        return {name: gzip.compress(found, mtime=0) for name, found in self._found.items()}

    @cached_property
    def _digest(self) -> str:
        return sha256(b"".join(self._found.values())).hexdigest()[:12]
