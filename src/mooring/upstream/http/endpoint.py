"""One address that is spoken to: its headers, its credentials, and where it redirects to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from mooring import __version__
from mooring.core.redact import mask_url, with_bare
from mooring.errors import BadValue, HttpRefused
from mooring.system.address import Address
from mooring.upstream.credentials import Credentials
from mooring.upstream.http.answer import Answer
from mooring.upstream.http.client import Client
from mooring.upstream.trace import HttpAnswer, HttpRequest, Learned, Trace

__all__ = ["Endpoint", "Headers"]

Headers = Iterable[tuple[str, str]]

MOST_REDIRECTS = 3
# A token may be too old, and its proof then lack a number that only the refusal of the new one tells.
MOST_RENEWALS = 2
# Ours to say: they belong to the message, or to the protocol.
_OURS = frozenset(
    (
        *("accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type"),
        *("expect", "host", "keep-alive", "mcp-session-id", "mcp-protocol-version", "proxy-authorization"),
        *("te", "trailer", "transfer-encoding", "upgrade"),
    )
)


class Endpoint:
    """`headers` are those of the configuration; they go to this origin, and to no other."""

    def __init__(
        self,
        client: Client,
        address: Address,
        headers: Mapping[str, str],
        credentials: Credentials | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.client = client
        self.address = address
        self._user = address.user
        self._credentials = credentials
        self._trace = trace
        ours = {"user-agent": f"mooring/{__version__}"}
        if address.user:
            ours["authorization"] = f"Basic {address.user}"
        self._configured = ours | {
            name.lower(): value for name, value in headers.items() if name.lower() not in _OURS
        }
        self._given = headers
        for name, value in self._configured.items():
            _check(name, value)
        self._host = f"host: {address.authority}\r\naccept-encoding: identity\r\n"
        proxy = client.route.proxy
        self._is_forwarded = proxy is not None and not address.is_secure
        if proxy is not None and self._is_forwarded and proxy.user:
            self._host += f"proxy-authorization: Basic {proxy.user}\r\n"
        self._fixed = self._host + _lines(self._configured.items())

    def at(self, address: Address) -> Endpoint:
        """Another address of the same origin, spoken to in the same way."""
        there = replace(address, user=self._user)
        return Endpoint(self.client, there, self._given, self._credentials, self._trace)

    async def send(
        self,
        method: str,
        headers: Headers,
        body: bytes = b"",
        *,
        is_safe: bool = True,
        written: Callable[[], None] | None = None,
    ) -> Answer:
        """The answer, whatever its status, but for redirects and for refusals that credentials can cure."""
        redirects = 0
        renewals = MOST_RENEWALS if self._credentials is not None else 0
        address = self.address
        extra = _lines(headers)
        while True:
            sent: Mapping[str, str] = {}
            if self._credentials is not None:
                sent = await self._credentials.headers(method, address.origin + address.target)
            head = f"{method} {self._target(address)} HTTP/1.1\r\n{self._shown(sent)}{extra}"
            if method == "POST":
                head += f"content-length: {len(body)}\r\n"
            request = head.encode("latin-1") + b"\r\n" + body
            number = 0 if self._trace is None else self._tell(self._trace, address, head, sent)
            answer = await self.client.send(request, is_safe=is_safe, written=written)
            if self._trace is not None:
                self._trace(HttpAnswer(number, answer.status, tuple(answer.headers.items())))
            if answer.status < 300:
                return answer
            if answer.status in (301, 302, 303, 307, 308) and "location" in answer.headers:
                answer.close()
                redirects += 1
                address = self._redirected(answer, address, redirects)
            elif answer.status in (401, 403) and renewals and self._credentials is not None:
                renewals -= 1
                if not await self._credentials.refused(address.origin, answer, sent):
                    return answer
                answer.close()
            else:
                return answer

    def _tell(self, trace: Trace, address: Address, head: str, sent: Mapping[str, str]) -> int:
        self.client.asked += 1
        if sent:
            trace(Learned(with_bare(sent.values())))
        line, *rest = head.splitlines()
        headers = tuple((name, value) for name, _, value in (each.partition(": ") for each in rest))
        trace(
            HttpRequest(self.client.asked, line.partition(" ")[0], address.origin + address.target, headers)
        )
        return self.client.asked

    def _target(self, address: Address) -> str:
        return address.origin + address.target if self._is_forwarded else address.target

    def _shown(self, sent: Mapping[str, str]) -> str:
        if not sent:
            return self._fixed
        lowered = {name.lower(): value for name, value in sent.items()}
        for name, value in lowered.items():
            _check(name, value)
        return self._host + _lines({**self._configured, **lowered}.items())

    def _redirected(self, answer: Answer, address: Address, redirects: int) -> Address:
        there = address.joined(answer.headers["location"])
        shown = mask_url(there.origin + there.target)
        if answer.status not in (307, 308) or not there.is_neighbour_of(address):
            raise HttpRefused(
                f"`{address.origin}` answers that it has moved to `{shown}`",
                hint="If that is right, write it into the `url` of its entry",
                status=answer.status,
                headers=answer.headers,
            )
        if redirects > MOST_REDIRECTS:
            raise HttpRefused(
                f"`{address.origin}` redirects again and again, last to `{shown}`",
                hint="Correct the `url` of its entry",
                status=answer.status,
                headers=answer.headers,
            )
        is_slash = there.target.rstrip("/") == self.address.target.rstrip("/")
        if answer.status == 308 or is_slash:
            # For good, or as good as that: there is no need to be told each time.
            self.address = there
        return there


def _lines(headers: Headers) -> str:
    return "".join([f"{name}: {value}\r\n" for name, value in headers])


def _check(name: str, value: str) -> None:
    if not name or any(c in name for c in ' \t\r\n\0:"(),/<=>?@[]{}') or not name.isascii():
        raise BadValue("a header has a name that no header can have", hint="Correct `headers` of its entry")
    if any(c in value for c in "\r\n\0") or not _fits(value):
        raise BadValue(
            f"the header `{name}` has a value that no header can carry",
            hint="It must be one line of plain letters; correct `headers` of its entry",
        )


def _fits(value: str) -> bool:
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True
