"""A certified authorization server, a server that believes it, and somebody who fills in its pages."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import httpx2
from tests.peers.conftest import NODE, PEERS

from mooring.core.questions import Accepted, Answer, Question, Visit

MOST_PAGES = 12
ENDS_WITHIN = 10.0


@dataclass(frozen=True)
class World:
    issuer: str
    url: str

    async def asked(self) -> list[str]:
        """What the authorization server was asked, as `path status`."""
        async with httpx2.AsyncClient(timeout=20) as client:
            return (await client.get(f"{self.issuer}/asked")).json()


@asynccontextmanager
async def world(*, proofs: bool = False, **settings: Any) -> AsyncGenerator[World]:
    """Both of them, on ports of their own; `proofs` are the server's to want, `settings` the other's."""
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        url = f"http://127.0.0.1:{port}/mcp"
        authority = [str(NODE), "authority.mjs", url]
        async with started(authority, {"AUTHORITY": json.dumps(settings)}) as first:
            assert first.stdout is not None
            here = World((await first.stdout.readline()).decode().strip(), url)
            fd = listening.fileno()
            guarded = [sys.executable, "guarded.py", here.issuer, str(port), *(["proofs"] if proofs else [])]
            async with started(guarded, {"LISTEN_FD": str(fd)}, (fd,)):
                yield here


@asynccontextmanager
async def started(
    program: list[str], env: Mapping[str, str], fds: tuple[int, ...] = ()
) -> AsyncGenerator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *program,
        cwd=PEERS,
        env={**os.environ, **env},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        pass_fds=fds,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        # what is called `node` starts the real one
        os.killpg(process.pid, signal.SIGKILL)
        async with asyncio.timeout(ENDS_WITHIN):
            await process.wait()


async def walked(url: str, redirect: str, *, consents: bool = True) -> str:
    """Where a person ends who fills in every page: at an address that begins as `redirect` does."""
    async with httpx2.AsyncClient(timeout=20) as browser:
        answer = await browser.get(url)
        for _ in range(MOST_PAGES):
            if "location" in answer.headers:
                there = urljoin(str(answer.url), answer.headers["location"])
                if there.startswith(redirect):
                    return there
                answer = await browser.get(there)
                continue
            assert answer.status_code == 200, answer.text
            form = re.search(r'action="([^"]+)"', answer.text)
            prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
            assert form, answer.text
            assert prompt, answer.text
            if prompt[1] == "consent" and not consents:
                answer = await browser.get(f"{form[1]}/abort")
            else:
                given = {"prompt": prompt[1], "login": "ada", "password": "any"}
                answer = await browser.post(urljoin(str(answer.url), form[1]), data=given)
    raise AssertionError("there is no end to these pages")


@dataclass
class Person:
    """Somebody with a browser: each address is opened, every page filled in, and the end brought back."""

    by_hand: bool = False
    consents: bool = True
    visits: list[Visit] = field(default_factory=list)

    async def __call__(self, question: Question) -> Answer:
        assert isinstance(question, Visit)
        self.visits.append(question)
        redirect = httpx2.URL(question.url).params["redirect_uri"]
        there = await walked(question.url, redirect, consents=self.consents)
        if self.by_hand:
            return Accepted({"url": there})
        self.page = asyncio.ensure_future(opened(there))
        return Accepted()


async def opened(address: str) -> str:
    """The page that is shown there."""
    async with httpx2.AsyncClient(timeout=20) as browser:
        return (await browser.get(address)).text
