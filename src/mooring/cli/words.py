"""Arguments and options that several commands share, or that are long."""

from __future__ import annotations

import click

from mooring.cli.tree import argument, flag, names, option

__all__ = ["CLIENTS", "EXPOSING", "HTTP", "KEY_VALUES", "NAME", "NAMES", "NAMING", "PATTERN", "SAVE", "SCOPE"]

CLIENTS = (
    *("claude-desktop", "claude-code", "cursor", "vscode", "windsurf"),
    *("codex", "gemini", "zed", "opencode"),
)

NAME = argument("name", complete=names)
NAMES = argument("names", nargs=-1, metavar="[NAME...]", complete=names)
SCOPE = (
    flag("--global", "is_global", "Write to your own file (the default for new servers)."),
    flag("--project", "is_project", "Write to the project's file."),
    option("--file", "file", "Write to this file.", type=click.Path(dir_okay=False)),
)
PATTERN = argument("pattern", required=False)
SAVE = option("--save", "save", "Folder for images, audio and files.", type=click.Path(file_okay=False))
KEY_VALUES = argument("words", nargs=-1, metavar="[KEY=VALUE...]")
NAMING = option(
    "--names",
    "names",
    "`plain` leaves the server's name out where no other tool has the same.",
    type=click.Choice(["server", "plain"]),
    default="server",
    show_default=True,
)
EXPOSING = (
    option(
        "--expose",
        "expose",
        "`search` lets a model find tools by asking; `auto` does where all of them would be too much.",
        type=click.Choice(["all", "search", "auto"]),
        default="all",
        show_default=True,
    ),
    option(
        "--budget",
        "budget",
        "How many tokens all definitions may cost before `auto` searches.",
        type=click.IntRange(min=0),
        default=10_000,
        show_default=True,
    ),
    option(
        "--ranking",
        "ranking",
        "How tools are found: `meaning` needs the extra `semantic`.",
        type=click.Choice(["words", "meaning"]),
        default="words",
        show_default=True,
    ),
    option("--favourite", "favourites", "Always shown: a tool's name, or a pattern with `*`.", multiple=True),
    option(
        "--longest-result",
        "longest_result",
        "Cut results that cost more tokens than this; 0 is no limit.",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
    ),
)

HTTP = (
    option("--http", "http", "Listen on this port; 0 is any free one.", type=click.IntRange(0, 65535)),
    option("--host", "address", "The address to listen on.", default="127.0.0.1", show_default=True),
    option("--name", "hosts", "Another name that this machine is asked by.", multiple=True),
)
