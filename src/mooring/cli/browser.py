"""The user's browser, started as a program with the address as one argument: no shell ever reads it."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from shutil import which
from urllib.parse import urlsplit

from mooring.core.redact import visible

__all__ = ["host_of", "open_browser", "programs"]

# Whoever hands the address on ends at once; a browser of its own stays.
LAUNCHED_AFTER = 3.0
LAUNCHERS = (
    ("xdg-open",),
    ("gio", "open"),
    ("x-www-browser",),
    ("firefox",),
    ("chromium",),
    ("google-chrome",),
)


def host_of(url: str) -> str | None:
    """Whom the address belongs to, in letters that cannot pass for others; None where no browser takes it."""
    if not url.isprintable() or any(map(str.isspace, url)):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
        if parts.scheme not in ("http", "https") or not host:
            return None
        return host if host.isascii() else f"{host.encode('idna').decode()} ({visible(host)})"
    except ValueError:
        return None


async def open_browser(url: str, env: Mapping[str, str]) -> bool:
    """Whether some program took it."""
    if host_of(url) is None:
        return False
    for program in programs(url, env):
        if await _started(program, env):
            return True
    return False


def programs(
    url: str,
    env: Mapping[str, str],
    platform: str = sys.platform,
    find: Callable[..., str | None] = which,
) -> Iterator[list[str]]:
    """Command lines that may open it, the best first.

    Without a screen there is none but the user's own: what opens then is a browser inside the terminal.
    """
    for wanted in filter(None, env.get("BROWSER", "").split(";" if platform == "win32" else ":")):
        yield from _wanted(wanted, url)
    if platform == "darwin":
        yield ["open", url]
    elif platform == "win32":
        yield ["rundll32", "url.dll,FileProtocolHandler", url]
    elif "WSL_DISTRO_NAME" in env:
        yield from _there((("wslview",), ("rundll32.exe", "url.dll,FileProtocolHandler")), url, env, find)
    elif env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"):
        yield from _there(LAUNCHERS, url, env, find)


def _there(
    known: tuple[tuple[str, ...], ...], url: str, env: Mapping[str, str], find: Callable[..., str | None]
) -> Iterator[list[str]]:
    for program, *more in known:
        if (path := find(program, path=env.get("PATH"))) is not None:
            yield [path, *more, url]


def _wanted(words: str, url: str) -> Iterator[list[str]]:
    """As others read `BROWSER`: `%s` is the address, which else stands last; a `&` at the end is no word."""
    try:
        program = shlex.split(words.rstrip().removesuffix("&"))
    except ValueError:
        return
    if program:
        has_place = any("%s" in word for word in program)
        yield [word.replace("%s", url) for word in program] if has_place else [*program, url]


async def _started(program: list[str], env: Mapping[str, str]) -> bool:
    """Started, and not ended with an error since; it goes on when we end."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def tell(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    def wait(browser: subprocess.Popen[bytes]) -> None:
        code = browser.wait()
        with suppress(RuntimeError):
            # A browser may outlive the loop.
            loop.call_soon_threadsafe(tell, code)

    browser = _process(program, env)
    if browser is None:
        return False
    threading.Thread(target=wait, args=(browser,), daemon=True, name="browser").start()
    await asyncio.wait([ended], timeout=LAUNCHED_AFTER)
    return not ended.done() or ended.result() == 0


def _process(program: list[str], env: Mapping[str, str]) -> subprocess.Popen[bytes] | None:
    silent = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            program, env=dict(env), stdin=silent, stdout=silent, stderr=silent, start_new_session=True
        )
    except (OSError, ValueError):
        return None
