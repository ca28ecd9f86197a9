"""Ways to a remote server: proxies, private authorities, redirects, credentials."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.servers.scripted_http import Request, http_server, listening, raw, read, session_with

from mooring.errors import NeedsLogin, ProxyFailed, TlsFailed, Unreachable
from mooring.system import certificates
from mooring.upstream.credentials import Refusal


@asynccontextmanager
async def proxy(
    answer: bytes | None = None, secured: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[str, list[Request]]]:
    """It does what it is asked, or gives one answer to everybody."""
    asked: list[Request] = []

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def pass_on(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_tunnel = request.method == "CONNECT"
        authority, _, path = request.target.partition("//")[2].partition("/")
        host, _, port = (request.target if is_tunnel else authority).partition(":")
        there, back = await asyncio.open_connection(host, int(port))
        try:
            if is_tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await asyncio.gather(pump(reader, back), pump(there, writer), return_exceptions=True)
            else:
                lines = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
                head = f"{request.method} /{path} HTTP/1.1\r\n{lines}connection: close\r\n\r\n"
                back.write(head.encode("latin-1") + request.body)
                await pump(there, writer)
        finally:
            back.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read(reader)
        if request is not None:
            asked.append(request)
            if answer is None:
                await pass_on(request, reader, writer)
            else:
                writer.write(answer)
        writer.close()

    async with listening(serve, secured) as port:
        yield f"{'https' if secured else 'http'}://me:pass%20word@127.0.0.1:{port}", asked


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A private authority with a certificate for this machine: `ca.pem`, `server.pem`."""
    folder = tmp_path_factory.mktemp("authority")
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subject = ["-subj", "/CN=A private authority", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", folder / "key.pem", "-out", folder / "ca.pem", "-days", "2"]
    subprocess.run([*new, *subject, *files], check=True, capture_output=True, timeout=60)
    by_hash = folder / "by-hash"
    by_hash.mkdir()
    (by_hash / "ca.pem").write_bytes((folder / "ca.pem").read_bytes())
    subprocess.run(["openssl", "rehash", by_hash], check=True, capture_output=True, timeout=60)
    return folder


def tls(authority: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "ca.pem", authority / "key.pem")
    return context


@pytest.mark.parametrize(
    "name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR"]
)
async def test_a_private_authority_is_trusted_where_the_environment_says_so(
    name: str, authority: Path
) -> None:
    place = authority / ("by-hash" if name == "SSL_CERT_DIR" else "ca.pem")
    served = http_server(tls(authority))
    async with served as server, session_with(server.url, env={name: str(place)}) as session:
        assert (await session.call("echo")).text == "{}"


async def test_a_python_that_knows_no_place_for_certificates_looks_in_the_usual_ones(
    authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "has_its_own", lambda: False)
    monkeypatch.setattr(certificates, "KNOWN", ("/no/such/file", str(authority / "ca.pem")))
    async with http_server(tls(authority)) as server, session_with(server.url) as session:
        assert (await session.call("echo")).text == "{}"


async def test_a_certificate_of_nobody_known_is_named(authority: Path) -> None:
    async with http_server(tls(authority)) as server:
        with pytest.raises(TlsFailed, match=r"of `https://127.0.0.1:.*` cannot be trusted") as caught:
            async with session_with(server.url):
                pass
    assert "SSL_CERT_FILE" in caught.value.hint


async def test_a_certificate_for_another_name_is_refused(authority: Path) -> None:
    async with http_server(tls(authority)) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        with pytest.raises(TlsFailed, match="localhost"):
            async with session_with(url, env={"SSL_CERT_FILE": str(authority / "ca.pem")}):
                pass


async def test_a_file_without_certificates_is_named(tmp_path: Path, authority: Path) -> None:
    empty = tmp_path / "empty.pem"
    for env in ({"SSL_CERT_FILE": "/no/such/file"}, {"NODE_EXTRA_CA_CERTS": str(empty)}):
        empty.write_text("nothing")
        async with http_server(tls(authority)) as server:
            with pytest.raises(TlsFailed, match=next(iter(env))):
                async with session_with(server.url, env=env):
                    pass


async def test_plain_http_on_the_other_side_of_https_is_said() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(raw(400))
        writer.close()

    async with listening(refuse) as port:
        with pytest.raises(TlsFailed, match="speaks no TLS"):
            async with session_with(f"https://127.0.0.1:{port}/mcp"):
                pass


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
async def test_plain_http_goes_through_the_proxy_as_it_is(name: str) -> None:
    async with proxy() as (address, asked), http_server() as server:
        async with session_with(server.url, env={name: address}) as session:
            assert (await session.call("echo")).text == "{}"
        assert {request.target for request in asked} == {server.url}
        assert {request.headers["proxy-authorization"] for request in asked} == {"Basic bWU6cGFzcyB3b3Jk"}


@pytest.mark.parametrize("name", ["https_proxy", "HTTPS_PROXY", "ALL_PROXY"])
async def test_https_goes_through_a_tunnel_that_sees_nothing(name: str, authority: Path) -> None:
    env = {name: "", "SSL_CERT_FILE": str(authority / "ca.pem")}
    async with proxy() as (address, asked), http_server(tls(authority)) as server:
        async with session_with(server.url, env={**env, name: address}, headers={"X-Key": "k"}) as session:
            assert (await session.call("echo")).text == "{}"
        assert {request.method for request in asked} == {"CONNECT"}
        assert {request.target for request in asked} == {f"127.0.0.1:{server.port}"}
        assert not any("x-key" in request.headers for request in asked)
        assert not any("proxy-authorization" in request.headers for request in server.requests)


async def test_the_way_to_the_proxy_may_be_secured_itself(authority: Path) -> None:
    env = {"SSL_CERT_FILE": str(authority / "ca.pem")}
    async with proxy(secured=tls(authority)) as (address, asked), http_server(tls(authority)) as server:
        env["HTTPS_PROXY"] = address
        async with session_with(server.url, env=env) as session:
            assert (await session.call("echo", {"a": "x" * 300_000})).text.startswith('{"a": "xxx')
        assert {request.method for request in asked} == {"CONNECT"}


EXEMPT = ["127.0.0.1", "*", "example.com, 127.0.0.1", "127.0.0.0/8", "127.0.0.1:{port}"]
NOT_EXEMPT = ["127.0.0.1:1", "0.0.1", "example.com", "10.0.0.0/8", ""]


@pytest.mark.parametrize("except_for", [*EXEMPT, *NOT_EXEMPT])
async def test_no_proxy_is_used_for_who_is_exempt(except_for: str) -> None:
    async with proxy() as (address, asked), http_server() as server:
        env = {"HTTP_PROXY": address, "NO_PROXY": except_for.format(port=server.port)}
        async with session_with(server.url, env=env):
            pass
        assert bool(asked) == (except_for in NOT_EXEMPT)


PROXIES: list[tuple[Mapping[str, str], bytes | None, str]] = [
    ({"HTTPS_PROXY": "http://127.0.0.1:9"}, None, "proxy cannot be used: `http://127.0.0.1:9` refuses"),
    ({"HTTPS_PROXY": "socks5://127.0.0.1:9"}, None, "`HTTPS_PROXY` names no http proxy"),
    ({}, raw(407), "answers 407 .* wants another user or password"),
    ({}, raw(403), "answers 403"),
    ({}, b"hello\r\n\r\n", "nonsense"),
    ({}, b"", "without an answer"),
]


@pytest.mark.parametrize(("env", "answer", "words"), PROXIES, ids=[row[2] for row in PROXIES])
async def test_a_proxy_that_does_not_help_is_said(
    env: Mapping[str, str], answer: bytes | None, words: str
) -> None:
    async with proxy(answer) as (address, _):
        with pytest.raises(ProxyFailed, match=words) as caught:
            async with session_with("https://127.0.0.1:1/mcp", env=env or {"HTTPS_PROXY": address}):
                pass
    assert "pass" not in caught.value.sentence.replace("password", "")


@pytest.mark.parametrize(("status", "times"), [(307, 1), (308, 1)])
async def test_a_redirect_within_the_origin_is_followed_and_remembered(status: int, times: int) -> None:
    def moved(request: Request) -> bool:
        return request.target == "/mcp"

    async with http_server() as server:
        plainly = server.plainly

        async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
            if moved(request):
                writer.write(raw(status, location="/mcp/"))
            else:
                await plainly(request, writer)

        server.on = dict.fromkeys(["initialize", "notifications/initialized", "tools/call", "GET"], answer)
        async with session_with(server.url, headers={"X-Key": "k"}) as session:
            assert (await session.call("echo", {"a": 1})).text == '{"a": 1}'
        assert len([request for request in server.requests if moved(request)]) == times
        assert all(request.headers["x-key"] == "k" for request in server.requests)


class Renewing:
    """Credentials that are stale at first."""

    def __init__(self, *, can_renew: bool = True) -> None:
        self.token = "old"
        self.can_renew = can_renew
        self.asked: set[str] = set()
        self.heard: list[tuple[int, str, Mapping[str, str]]] = []

    async def headers(self, method: str, url: str) -> Mapping[str, str]:
        self.asked.add(f"{method} {url}")
        return {"Authorization": f"Bearer {self.token}"}

    async def refused(self, url: str, refusal: Refusal, sent: Mapping[str, str]) -> bool:
        assert self.asked >= {f"POST {url}/mcp"}
        self.heard.append((refusal.status, refusal.headers["www-authenticate"], sent))
        self.token = "new"
        return self.can_renew


async def test_refused_credentials_are_renewed_and_the_request_is_made_once_more() -> None:
    async def guarded(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.headers.get("authorization") == "Bearer new":
            await server.plainly(request, writer)
        else:
            writer.write(raw(401, www_authenticate="Bearer stale"))

    headers = {"authorization": "Bearer configured"}
    async with http_server(on={"initialize": guarded, "tools/call": guarded}) as server:
        renewing = Renewing()
        async with session_with(server.url, credentials=renewing, headers=headers) as session:
            assert (await session.call("echo")).text == "{}"
        assert renewing.heard == [(401, "Bearer stale", {"Authorization": "Bearer old"})]
        with pytest.raises(NeedsLogin):
            async with session_with(server.url, credentials=Renewing(can_renew=False)):
                pass


async def test_an_address_that_is_none_is_said() -> None:
    for url in ("ftp://x/", "http://", "nonsense", "http://a b/", "http://[::1/"):
        with pytest.raises(Unreachable, match="no address of http"):
            async with session_with(url):
                pass


async def test_user_and_password_of_an_address_are_sent_as_such() -> None:
    async with http_server() as server:
        async with session_with(server.url.replace("//", "//me:secret@")):
            pass
        assert {request.headers["authorization"] for request in server.requests} == {"Basic bWU6c2VjcmV0"}
        assert {request.headers["host"] for request in server.requests} == {f"127.0.0.1:{server.port}"}


async def test_a_proxy_that_wants_a_password_for_plain_http_is_said() -> None:
    async with proxy(raw(407)) as (address, _):
        with pytest.raises(ProxyFailed, match="407"):
            async with session_with("http://127.0.0.1:1/mcp", env={"HTTP_PROXY": address}, protocol="auto"):
                pass
