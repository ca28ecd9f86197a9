"""Headers that a program prints: used, never shown, and waited for within bounds."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.servers.scripted_http import Request, http_server, raw, session_with
from tests.upstream.scripted import steps

from mooring.errors import BadValue, CommandNotFound, HttpRefused, MooringError, ServerFailure
from mooring.upstream.trace import Traced


def python(program: str) -> tuple[str, ...]:
    return (sys.executable, "-c", program)


async def failure(program: str, tmp_path: Path, **more: object) -> MooringError:
    with pytest.raises(MooringError) as caught:
        async with session_with(
            "http://127.0.0.1:9/", headers_command=python(program), folder=tmp_path, **more
        ):
            pass
    return caught.value


async def test_printed_headers_go_with_every_request_and_win(tmp_path: Path) -> None:
    command = python('print(\'{"Authorization": "Bearer printed"}\')')
    heard: list[Traced] = []
    headers = {"Authorization": "Bearer written", "X-Other": "o"}
    more: Mapping[str, object] = {"headers": headers, "headers_command": command, "folder": tmp_path}
    async with http_server() as server, session_with(server.url, trace=heard.append, **more):
        pass
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer printed"}
    assert {request.headers["x-other"] for request in server.requests} == {"o"}
    assert steps(heard) == ["headers", "connect", "handshake"]


async def test_the_program_gets_the_environment_of_a_local_server(tmp_path: Path) -> None:
    command = python("import json, os; print(json.dumps({'X': ' '.join(sorted(os.environ)) + os.getcwd()}))")
    env = {"HOME": "/h", "AWS_SECRET": "s", "MOORING_TOKEN": "t", "PATH": "/bin"}
    more: Mapping[str, object] = {"headers_command": command, "folder": tmp_path, "env": env}
    async with http_server() as server, session_with(server.url, **more):
        pass
    names = server.requests[0].headers["x"]
    assert "HOME" in names
    assert str(tmp_path) in names
    assert "AWS_SECRET" not in names
    assert "MOORING_TOKEN" not in names


async def test_no_shell_reads_the_words_of_the_program(tmp_path: Path) -> None:
    words = ("$HOME; echo x | `id` $(id)", "*", "~")
    command = (*python("import json, sys; print(json.dumps({'X': ' '.join(sys.argv[1:])}))"), *words)
    more: Mapping[str, object] = {"headers_command": command, "folder": tmp_path}
    async with http_server() as server, session_with(server.url, **more):
        pass
    assert server.requests[0].headers["x"] == " ".join(words)


def printer(file: Path, said: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'#!/bin/sh\necho "{{\\"X\\": \\"{said}\\"}}"\n')
    file.chmod(0o755)


@pytest.mark.parametrize("elsewhere", ["sub", "sub/tools"])
@pytest.mark.parametrize(
    ("command", "path"), [("./tools/token", "/bin"), ("tools/token", "/bin"), ("token", "tools")]
)
async def test_the_program_is_the_one_of_the_project_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, path: str, elsewhere: str
) -> None:
    printer(tmp_path / "tools/token", "the project's")
    printer(tmp_path / "sub/tools/token", "another")
    monkeypatch.chdir(tmp_path / elsewhere)
    more: Mapping[str, object] = {"headers_command": (command,), "folder": tmp_path, "env": {"PATH": path}}
    async with http_server() as server, session_with(server.url, **more):
        pass
    assert server.requests[0].headers["x"] == "the project's"


async def test_a_printed_secret_that_comes_back_is_masked(tmp_path: Path) -> None:
    async def echo(request: Request, writer: object) -> None:
        writer.write(raw(500, request.headers["x-key"].encode()))  # type: ignore[attr-defined]  # pyright: ignore

    command = python('print(\'{"X-Key": "quite-a-secret"}\')')
    async with http_server(on={"initialize": echo}) as server:
        with pytest.raises(HttpRefused, match=r"\*\*\*"):
            async with session_with(server.url, headers_command=command, folder=tmp_path):
                pass


async def test_a_failing_program_is_told_with_its_code_and_words(tmp_path: Path) -> None:
    error = await failure(
        "import sys; print('token-abc'); print('no key', file=sys.stderr); sys.exit(3)", tmp_path
    )
    assert isinstance(error, ServerFailure)
    assert error.sentence == "the `headersCommand` of `it` ended with exit code 3"
    assert (error.exit_code, error.stderr) == (3, ("no key",))


@pytest.mark.parametrize("printed", ["", "[]", "token", '{"a": 1}', '{"a": "b"} x'])
async def test_what_is_no_object_of_texts_is_told_and_not_shown(printed: str, tmp_path: Path) -> None:
    error = await failure(f"print({printed!r})", tmp_path)
    assert isinstance(error, ServerFailure)
    assert "headersCommand" in error.sentence
    assert "token" not in error.sentence + error.hint


async def test_a_header_that_cannot_be_sent_is_told(tmp_path: Path) -> None:
    error = await failure('print(\'{"X-Key": "a\\\\nb"}\')', tmp_path)
    assert isinstance(error, BadValue)
    assert "`x-key`" in error.sentence


async def test_a_program_that_floods_or_hangs_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = await failure("print('{' + ' ' * 10_000_000)", tmp_path)
    assert isinstance(error, ServerFailure)
    monkeypatch.setattr("mooring.upstream.http.command.WITHIN", 0.3)
    error = await failure("import subprocess as s; s.Popen(['sleep', '60']).wait()", tmp_path)
    assert error.sentence == "the `headersCommand` of `it` did not end within 0.3 s"


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandNotFound, match="no-such-program"):
        async with session_with("http://127.0.0.1:9/", headers_command=("no-such-program",), folder=tmp_path):
            pass
