"""Words that ask for the same thing."""

from __future__ import annotations

from mooring.core.words import stem

__all__ = ["kin"]

_GROUPS = (
    "create add new make insert open",
    "delete remove erase drop destroy clear purge empty",
    "list show browse enumerate",
    "get fetch read retrieve show",
    "find search lookup query locate",
    "update edit change modify set alter patch",
    "send post message write",
    "greet hello welcome",
    "run execute start launch invoke",
    "stop cancel end terminate kill abort",
    "comment remark note reply",
    "ticket issue bug task",
    "mail email message inbox",
    "picture image photo screenshot",
    "movie film video",
    "audio speech voice sound aloud say",
    "transcribe transcript subtitle caption speech",
    "website webpage page site web url",
    "meeting event appointment calendar schedule agenda",
    "todo task reminder remember",
    "complete finish done close tick resolve",
    "price cost quote",
    "share stock equity",
    "money balance cash funds",
    "invoice bill",
    "customer client",
    "weather forecast temperature cold rain warm",
    "route direction navigate way",
    "bike bicycle cycling",
    "car driving",
    "nearby near around close",
    "address location place",
    "coordinate geocode latitude longitude",
    "database sql table",
    "select query",
    "repository repo",
    "folder directory",
    "merge pull mr",
    "log output trace",
    "user person people member colleague",
    "permission policy access",
    "convert turn transform translate",
    "snapshot backup",
    "copy clone fork duplicate",
    "rename move",
    "upload import",
    "download export save",
    "scale replica",
    "error failure crash exception",
    "chart diagram graph",
    "document doc file",
    "switch checkout",
    "undo reset revert rollback",
    "vm machine instance",
    "fast speed performance quick",
    "press click",
    "form fill",
    "step activity walk",
    "trip travel flight ticket",
    "summary overview",
    "latest newest recent last",
)


def _table() -> dict[str, tuple[str, ...]]:
    groups = [[stem(word) for word in group.split()] for group in _GROUPS]
    found: dict[str, dict[str, None]] = {}
    for group in groups:
        for word in group:
            found.setdefault(word, {}).update(dict.fromkeys(group))
    return {word: tuple(other for other in others if other != word) for word, others in found.items()}


_KIN = _table()


def kin(word: str) -> tuple[str, ...]:
    """The stems that whoever typed this one may have meant as well."""
    return _KIN.get(word, ())
