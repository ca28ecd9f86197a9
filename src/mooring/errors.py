"""Every deliberate error: a code that never changes, a sentence that says what is wrong, the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

__all__ = ["MooringError", "Spot", "codes"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in a file something stands; `text` is that line, already free of secrets."""

    file: str
    line: int | None = None
    column: int | None = None
    text: str | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


class MooringError(Exception):
    """The base of all of them; also carried as a value, where one bad thing must not stop the others."""

    code: ClassVar[str] = "MOOR-INTERNAL-001"
    severity: ClassVar[Literal["error", "notice"]] = "error"

    def __init__(self, sentence: str, *, hint: str = "", spot: Spot | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
        self.spot = spot


def codes() -> dict[str, type[MooringError]]:
    """Each code with the class that carries it; codes are never renamed or given a second meaning."""
    found: dict[str, type[MooringError]] = {}
    waiting: list[type[MooringError]] = [MooringError]
    while waiting:
        kind = waiting.pop()
        waiting.extend(kind.__subclasses__())
        if "code" in vars(kind):
            found[kind.code] = kind
    return dict(sorted(found.items()))


class ConfigError(MooringError):
    """Something is wrong with the configuration."""

    code = "MOOR-CONFIG-001"


class BrokenSyntax(ConfigError):
    """A file is not the JSON, JSONC or TOML that its name says."""

    code = "MOOR-CONFIG-002"


class UnreadableFile(ConfigError):
    """A file is there and cannot be read: permissions, a loop of links, not a regular file, not text."""

    code = "MOOR-CONFIG-003"


class TooLarge(ConfigError):
    """A file is larger, or nested deeper, than any configuration needs."""

    code = "MOOR-CONFIG-004"


class BadEntry(ConfigError):
    """An entry makes no sense: its server is `failed`, the others are not touched."""

    code = "MOOR-CONFIG-005"


class MissingVariable(ConfigError):
    """A value names an environment variable or an input that is not set."""

    code = "MOOR-CONFIG-006"


class MissingFile(ConfigError):
    """A value names a file that is not there or cannot be read."""

    code = "MOOR-CONFIG-007"


class UnknownServer(ConfigError):
    """A name that no layer defines."""

    code = "MOOR-CONFIG-008"


class ServerExists(ConfigError):
    """`add` of a name that is taken."""

    code = "MOOR-CONFIG-009"


class BadKey(ConfigError):
    """A key path that cannot be read or written."""

    code = "MOOR-CONFIG-010"


class BadValue(ConfigError):
    """A value of the wrong type for its key."""

    code = "MOOR-CONFIG-011"


class NotEditable(ConfigError):
    """The value stands in a layer that is not a file of the user's."""

    code = "MOOR-CONFIG-012"


class EditFailed(ConfigError):
    """A file could not be written; what was there before is untouched."""

    code = "MOOR-CONFIG-013"


class Busy(ConfigError):
    """Somebody else is editing the same file and does not finish."""

    code = "MOOR-CONFIG-014"


class UnknownKey(ConfigError):
    """A key nobody reads; kept as it is."""

    code = "MOOR-CONFIG-015"
    severity = "notice"


class DuplicateKey(ConfigError):
    """One key twice in one object; the last one counts."""

    code = "MOOR-CONFIG-016"
    severity = "notice"


class IgnoredEntry(ConfigError):
    """An entry that only switches a server nobody defines."""

    code = "MOOR-CONFIG-017"
    severity = "notice"


class IgnoredValue(ConfigError):
    """A value that has no effect where it stands."""

    code = "MOOR-CONFIG-018"
    severity = "notice"


class LiteralSecret(ConfigError):
    """A secret stands in a file as it is, where a reference could."""

    code = "MOOR-CONFIG-019"
    severity = "notice"


class OrganisationUnreachable(ConfigError):
    """The organisation's defaults could not be fetched; the last known ones are used, if any."""

    code = "MOOR-ORGANISATION-001"
    severity = "notice"


class OrganisationRefused(ConfigError):
    """The organisation's address or answer is not one that may be used."""

    code = "MOOR-ORGANISATION-002"
    severity = "notice"


class NeedsApprovalError(MooringError):
    """A project wants to start something that nobody has approved."""

    code = "MOOR-TRUST-001"


class ApprovalsDamaged(MooringError):
    """The file of approvals cannot be read; nothing in it counts."""

    code = "MOOR-TRUST-002"


class UsageError(MooringError):
    """A command line that cannot be carried out as it stands."""

    code = "MOOR-USAGE-001"


class NoTerminal(MooringError):
    """A question, and nobody to ask."""

    code = "MOOR-USAGE-002"


class FolderGone(UsageError):
    """The folder the command was started in is not there any more."""

    code = "MOOR-USAGE-003"


class OutputRefused(MooringError):
    """What was asked for could not be written to stdout."""

    code = "MOOR-OUTPUT-001"


class StorageError(MooringError):
    """A folder or file of our own cannot be used."""

    code = "MOOR-STORAGE-001"


class CredentialsDamaged(StorageError):
    """A record of the vault cannot be understood; it was set aside, and counts no longer."""

    code = "MOOR-VAULT-001"


class CredentialsChanged(MooringError):
    """Somebody else has written the same record of the vault in the meantime."""

    code = "MOOR-VAULT-002"


class BadSchema(MooringError):
    """A tool's schema is beyond repair."""

    code = "MOOR-TOOL-001"


class ForeignUnreadable(MooringError):
    """Another client's file is there and cannot be understood."""

    code = "MOOR-IMPORT-001"


class BadItem(MooringError):
    """Something a server offers that cannot be used; the rest of its offer is not touched."""

    code = "MOOR-TOOL-002"


class BadAnswer(MooringError):
    """Typed text that is no value of the kind that was asked for."""

    code = "MOOR-QUESTION-001"


class Unreachable(MooringError):
    """An address that does not answer, or not with what was asked for."""

    code = "MOOR-NET-001"
