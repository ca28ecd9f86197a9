"""One run of a server, as its journal tells it."""

from __future__ import annotations

from os import urandom
from pathlib import Path

from mooring.core.redact import clean, mask, mask_shapes
from mooring.errors import MooringError
from mooring.host.notices import Message
from mooring.system.journal import Journal, journal_file

__all__ = ["LOG", "end_run", "keep_log", "new_run"]

LOG = "notifications/message"


def new_run(folder: Path, server: str) -> Journal:
    return Journal(journal_file(folder, server), urandom(4).hex())


def keep_log(journal: Journal, message: Message) -> None:
    """If there is room for it."""
    level, logger, text = message
    if journal.admit([len(text) + 1]):
        journal.write("log", [text], level=level, logger=logger)


def end_run(journal: Journal, error: MooringError | None, secrets: tuple[str, ...]) -> None:
    """Why it ended; that somebody stopped it is worth a word only where it had something to say."""
    if error is not None:
        journal.end(mask_shapes(mask(clean(error.sentence), secrets)))
    else:
        journal.end("stopped" if journal.is_begun else None)
