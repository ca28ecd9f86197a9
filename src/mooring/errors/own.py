"""What can be wrong with a command line, and with files and folders of our own."""

from __future__ import annotations

from mooring.errors.base import MooringError

__all__ = [
    "CredentialsChanged",
    "CredentialsDamaged",
    "ExtraMissing",
    "FolderGone",
    "ForeignUnreadable",
    "ModelUnusable",
    "NoTerminal",
    "OutputRefused",
    "StorageError",
    "StoreDamaged",
    "UsageError",
]


class UsageError(MooringError):
    """A command line that cannot be carried out as it stands."""

    code = "MOOR-USAGE-001"


class NoTerminal(MooringError):
    """A question, and nobody to ask."""

    code = "MOOR-USAGE-002"


class FolderGone(UsageError):
    """The folder the command was started in is not there any more."""

    code = "MOOR-USAGE-003"


class ExtraMissing(MooringError):
    """Something was chosen that needs packages which are not installed."""

    code = "MOOR-EXTRA-001"


class ModelUnusable(MooringError):
    """The model for searching by meaning is there and cannot be used."""

    code = "MOOR-EXTRA-002"


class OutputRefused(MooringError):
    """What was asked for could not be written to stdout."""

    code = "MOOR-OUTPUT-001"


class StorageError(MooringError):
    """A folder or file of our own cannot be used."""

    code = "MOOR-STORAGE-001"


class StoreDamaged(StorageError):
    """The file of calls and pins was damaged; it was set aside, and what it held counts no longer."""

    code = "MOOR-STORAGE-002"


class CredentialsDamaged(StorageError):
    """A record of the vault cannot be understood; it was set aside, and counts no longer."""

    code = "MOOR-VAULT-001"


class CredentialsChanged(MooringError):
    """Somebody else has written the same record of the vault in the meantime."""

    code = "MOOR-VAULT-002"


class ForeignUnreadable(MooringError):
    """Another client's file is there and cannot be understood."""

    code = "MOOR-IMPORT-001"
