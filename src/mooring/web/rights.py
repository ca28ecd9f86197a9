"""What somebody may do who may administrate, and what takes more than that."""

from __future__ import annotations

from mooring.core.spec import BadServer, Entry, LocalSpec
from mooring.core.template import texts, variables
from mooring.errors import RoleMissing
from mooring.system.door import Role, Visitor

__all__ = ["must_have", "needs_exec"]

FILES = ("file", "credential")


def needs_exec(entry: Entry) -> bool:
    """Whether to write it down is to start a program, or to send a file of this machine somewhere."""
    match entry:
        case BadServer():
            # What it would be once it is mended, nobody knows.
            return True
        case LocalSpec():
            return True
        case spec:
            reads = any(
                each.kind in ("file", "credential") for _, text in texts(spec) for each in variables(text)
            )
            hands_over = spec.oauth is not None and bool(spec.oauth.assertion_file)
            return bool(spec.headers_command) or reads or hands_over


def must_have(visitor: Visitor, role: Role, what: str) -> None:
    if role not in visitor.roles:
        hint = (
            "mooring serve --allow-exec" if role is Role.EXEC else "Use the token that `mooring serve` made"
        )
        raise RoleMissing(f"{what} takes the role `{role}`, which this credential does not have", hint=hint)
