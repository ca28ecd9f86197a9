"""Pictures, drawn by terminals that can."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

__all__ = ["drawn"]

_CHUNK = 4_096
_MOST = 8 * 1024 * 1024
_PNG = b"\x89PNG\r\n\x1a\n"
_ITERM = ("iTerm.app", "WezTerm", "vscode", "mintty")
_KITTY = ("ghostty", "kitty")


def drawn(data: bytes, mime: str, env: Mapping[str, str]) -> str | None:
    """What makes this terminal show it; None where it cannot, or where another program stands in between."""
    if len(data) > _MOST or not mime.startswith("image/") or mime == "image/svg+xml":
        return None
    if "TMUX" in env or env.get("TERM", "").startswith(("screen", "tmux", "dumb")):
        return None
    program = env.get("TERM_PROGRAM", "")
    if "KITTY_WINDOW_ID" in env or env.get("TERM") in ("xterm-kitty", "xterm-ghostty") or program in _KITTY:
        return _kitty(data) if data.startswith(_PNG) else None
    return _iterm(data) if program in _ITERM or env.get("LC_TERMINAL") == "iTerm2" else None


def _kitty(data: bytes) -> str:
    """In pieces, as the protocol wants it; it takes PNG as it is."""
    text = b64encode(data).decode()
    pieces = [text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)]
    last = len(pieces) - 1
    return "".join(
        f"\x1b_G{'f=100,a=T,' if at == 0 else ''}m={int(at < last)};{piece}\x1b\\"
        for at, piece in enumerate(pieces)
    )


def _iterm(data: bytes) -> str:
    return f"\x1b]1337;File=inline=1;size={len(data)};preserveAspectRatio=1:{b64encode(data).decode()}\x07"
