"""What can be wrong with the configuration, and with what it wants to start."""

from __future__ import annotations

from mooring.errors.base import MooringError

__all__ = [
    "ApprovalsDamaged",
    "BadEntry",
    "BadKey",
    "BadValue",
    "BrokenSyntax",
    "Busy",
    "ConfigError",
    "DuplicateKey",
    "EditFailed",
    "IgnoredEntry",
    "IgnoredValue",
    "LiteralSecret",
    "MissingFile",
    "MissingVariable",
    "NeedsApprovalError",
    "NotEditable",
    "OrganisationRefused",
    "OrganisationUnreachable",
    "ServerExists",
    "TooLarge",
    "UnknownKey",
    "UnknownServer",
    "UnreadableFile",
]


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
