"""Text that others wrote: nothing in it moves a cursor, hides or reorders what is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

__all__ = ["clean", "findings", "visible"]

_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_PLAIN = r"\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f"  # ASCII without the bases of keycaps: # * 0-9

# An unfinished OSC or DCS loses only its introducer: a mis-decoded quote (U+009D) must not swallow the text
# behind it. Its content excludes every introducer, which also keeps this linear.
_HIDDEN = re.compile(
    r"(?P<escape>(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f\n]*+(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"
    r"|\x1b[ -/]*+[0-~]?)"
    r"|(?P<control>[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029])"
    r"|(?P<tag>[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff])"
    r"|(?P<bidi>[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])"
    r"|(?P<invisible>[\u00ad\u034f\u180e\u200b\u200c\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb])"
)
# A joiner belongs between two emoji and nowhere else.
_LOOSE_JOINER = re.compile(
    f"(?P<invisible>\u200d(?![{_EMOJI}])|(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d)",
)
# One selector after an emoji or an ideograph chooses a glyph; several, or one after a letter, carry bytes.
_ODD_SELECTOR = re.compile(f"(?P<selector>[{_SELECTORS}]{{2,}}|(?<![^{_PLAIN}])[{_SELECTORS}])")
_SURROGATE = re.compile("(?P<surrogate>[\ud800-\udfff])")

# In this order: what one step drops can bring together what the next one looks at.
_STEPS = ((_HIDDEN, ""), (_LOOSE_JOINER, ""), (_ODD_SELECTOR, ""), (_SURROGATE, "\ufffd"))

_UNSEEN = re.compile(f"[{_SELECTORS}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def clean(text: str) -> str:
    """`text` without control, escape and invisible characters; line breaks, tabs and emoji stay."""
    if text.isascii() and text.isprintable():
        return text
    for pattern, instead in _STEPS:
        text = pattern.sub(instead, text)
    return text


def findings(text: str) -> Mapping[str, int]:
    """How much of each class `clean` takes away; empty means that it changes nothing."""
    found: Counter[str] = Counter()
    for pattern, instead in _STEPS:
        kinds = Counter(match.lastgroup or "" for match in pattern.finditer(text))
        if kinds:
            found.update(kinds)
            text = pattern.sub(instead, text)
    return dict(found)


def visible(text: str) -> str:
    """`text` on one line with everything unseen written out, so that what is shown is what would run."""
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join(
        character if character.isprintable() and not _UNSEEN.match(character) else _written_out(character)
        for character in text
    )


def _written_out(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
