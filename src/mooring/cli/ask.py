"""Questions to the person at the terminal; asked on stderr, because stdout is data."""

from __future__ import annotations

import sys

import click

from mooring.errors import NoTerminal

__all__ = ["can_ask", "choose", "confirm", "need", "text"]


def can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def need(what: str, hint: str) -> None:
    """An error where nobody can be asked."""
    if not can_ask():
        raise NoTerminal(what, hint=hint)


def text(question: str, default: str | None = None) -> str:
    return click.prompt(question, default=default, err=True, type=str)


def choose(question: str, choices: list[str]) -> str:
    return click.prompt(question, type=click.Choice(choices), default=choices[0], err=True)


def confirm(question: str) -> bool:
    return click.confirm(question, default=False, err=True)
