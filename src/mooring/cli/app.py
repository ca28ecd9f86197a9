"""The whole command line on one page; what a verb does stands in `commands/`, imported when it runs."""

from __future__ import annotations

import sys

import click

from mooring import __version__
from mooring.cli.tree import Commands, argument, flag, names, option, says, verb
from mooring.cli.words import CLIENTS, EXPOSING, HTTP, KEY_VALUES, NAME, NAMES, NAMING, PATTERN, SAVE, SCOPE

__all__ = ["main", "run"]

CONFIG = (
    says("path", "Every file that is read, from the weakest to the strongest.", [], "mooring config path"),
    says(
        "schema",
        "The JSON Schema of a configuration file, for editors.",
        [],
        "mooring config schema > mooring.schema.json",
    ),
    says(
        "check",
        "Every mistake in every file; ends with 2 if there is one.",
        [],
        "mooring config check --json",
    ),
    says(
        "get",
        "One value and where it was written.",
        [argument("key")],
        "mooring config get mcp.notes.timeout",
    ),
    says(
        "set",
        "Change one value in the file that owns it.",
        [argument("key"), argument("value"), *SCOPE],
        "mooring config set mcp.notes.timeout 60000",
    ),
)

PINS = (
    says(
        "diff",
        "What differs from what was approved.",
        [argument("name", required=False, complete=names)],
        "mooring pins diff",
        "mooring pins diff notes",
    ),
    says(
        "approve",
        "Show what differs, and accept it.",
        [
            argument("name", required=False, complete=names),
            flag("--all", "every", "Of all servers."),
            flag("--yes", "yes", "Without asking; what is approved is still shown."),
        ],
        "mooring pins approve notes",
    ),
    says(
        "reset",
        "Forget pins: what is offered next is approved by that.",
        [argument("name", required=False, complete=names), flag("--all", "every", "Of all servers.")],
        "mooring pins reset notes",
    ),
)

DOCTOR = (says("list-codes", "Every error code with what it means.", [], "mooring doctor list-codes"),)

AUTH = (says("list", "Where you are logged in, and where you could be.", [], "mooring auth list"),)

USING = (
    says(
        "list",
        "Every server, its state, and what to do about it.",
        [
            argument("name", required=False, complete=names),
            flag("--check", "check", "End with 2, 4, 3 or 1 where one is not well."),
        ],
        "mooring list",
        "mooring list --check",
    ),
    says(
        "test",
        "Try servers out, every step of the way timed.",
        [NAMES],
        "mooring test notes",
    ),
    says(
        "debug",
        "Everything that goes between a server and us.",
        [NAME, flag("--full", "full", "Every message whole, with all headers.")],
        "mooring debug notes",
    ),
    says(
        "reload",
        "Meet servers anew, and see what has changed.",
        [NAMES],
        "mooring reload",
        "mooring reload notes",
    ),
    says(
        "tools",
        "What can be called.",
        [PATTERN, flag("--full", "full", "With all their inputs.")],
        "mooring tools notes",
        "mooring tools '*search*' --full",
    ),
    says(
        "call",
        "Call a tool.",
        [
            argument("words", nargs=-1, metavar="TOOL [KEY=VALUE...]"),
            option(
                "--json",
                "as_json",
                "Print JSON; with {}, @FILE or - also the arguments.",
                multiple=True,
                is_flag=False,
                flag_value="",
                metavar="[JSON]",
            ),
            SAVE,
        ],
        "mooring call notes_add title=Milk tags=home tags=shop",
        "mooring call notes_add --json @note.json",
        is_json=False,
    ),
    says("resources", "What can be read.", [PATTERN], "mooring resources"),
    says(
        "read",
        "Read a resource.",
        [argument("uri"), option("--server", "server", "Whose, where several have it."), SAVE],
        "mooring read notes://today",
    ),
    says("prompts", "Texts that servers write for you.", [PATTERN], "mooring prompts"),
    says(
        "prompt",
        "One of these texts, filled in.",
        [argument("name"), KEY_VALUES],
        "mooring prompt notes:summary tone=kind",
    ),
    says(
        "search",
        "Find what answers a request.",
        [
            argument("words", nargs=-1, required=True, metavar="WORDS..."),
            option(
                "--limit", "limit", "How many.", type=click.IntRange(1, 1000), default=10, show_default=True
            ),
            option(
                "--kind",
                "kind",
                "Only this.",
                type=click.Choice(["tool", "resource", "template", "prompt"]),
            ),
        ],
        "mooring search open a ticket",
    ),
    says(
        "calls",
        "Which tools were called, by whom, and how it went.",
        [
            argument("name", required=False, metavar="[SERVER|TOOL]"),
            flag("--failed", "failed", "Only what went wrong."),
            option(
                "--limit", "limit", "How many.", type=click.IntRange(1, 10_000), default=20, show_default=True
            ),
        ],
        "mooring calls",
        "mooring calls notes --failed",
    ),
    says(
        "logs",
        "What a server said beside its answers.",
        [
            argument("name", complete=names),
            option(
                "--lines",
                "lines",
                "How many at most.",
                type=click.IntRange(0, 100_000),
                default=100,
                show_default=True,
            ),
            flag("--follow", "follow", "And all that comes, until Ctrl-C."),
        ],
        "mooring logs memory",
        "mooring logs memory --follow",
    ),
)

VERBS = (
    *USING,
    says(
        "add",
        "Add a server; asks when run bare.",
        [
            argument("name", required=False),
            argument("words", nargs=-1, metavar="[-- COMMAND ARGS...]"),
            option("--url", "url", "Address of a remote server."),
            option(
                "--header", "header", "NAME=VALUE or 'NAME: VALUE', sent with every request.", multiple=True
            ),
            option("--env", "env", "NAME=VALUE for a local server.", multiple=True),
            option("--command", "command", "The program, instead of `-- COMMAND`."),
            option("--args", "args", "Its arguments, split as a shell does.", multiple=True),
            option("--cwd", "cwd", "Working folder of a local server."),
            option("--timeout", "timeout", "All its time budgets, in milliseconds.", type=click.IntRange(1)),
            option(
                "--transport", "transport", "For a remote server.", type=click.Choice(["auto", "http", "sse"])
            ),
            option("--oauth/--no-oauth", "oauth", "Log in when asked to, or never.", default=None),
            flag("--replace", "replace", "Take the place of a server of that name."),
            *SCOPE,
        ],
        "mooring add memory -- npx -y @modelcontextprotocol/server-memory",
        "mooring add docs --url https://h.example/mcp --header 'X-Key: {env:KEY}'",
    ),
    says("remove", "Remove a server from the file that owns it.", [NAME, *SCOPE], "mooring remove memory"),
    says("enable", "Use a server again.", [NAME, *SCOPE], "mooring enable memory"),
    says("disable", "Keep a server, but do not use it.", [NAME, *SCOPE], "mooring disable memory"),
    says(
        "auth",
        "Log in to a server; asks which when run bare.",
        [
            argument("name", required=False, complete=names),
            flag("--all", "every", "Log in to all that wait for it."),
            flag("--paste", "paste", "Bring the address back by hand; no page is opened here."),
            flag("--no-browser", "no_browser", "Show the address, and open no browser."),
            option("--scope", "scope", "What it must allow beside what it did.", metavar="SCOPES"),
            flag("--remove", "remove", "Log out, as `logout` does."),
        ],
        "mooring auth notes",
        "mooring auth notes --paste",
        inner=AUTH,
    ),
    says(
        "logout",
        "Have a login taken back, and forget it.",
        [
            argument("name", required=False, complete=names),
            flag("--all", "every", "Log out everywhere."),
        ],
        "mooring logout notes",
    ),
    says(
        "trust",
        "Show what a project wants to start, and approve it.",
        [
            argument("name", required=False, complete=names),
            flag("--all", "all_pending", "Go through everything that waits."),
            flag("--yes", "yes", "Approve without asking; what is approved is still shown."),
            flag("--revoke", "revoke", "Take an approval back."),
        ],
        "mooring trust",
        "mooring trust memory",
    ),
    says(
        "import",
        "Copy servers from other clients; a dry run unless --apply.",
        [
            argument("client", required=False, type=click.Choice(CLIENTS)),
            option("--only", "only", "Just this server.", multiple=True),
            flag("--apply", "apply", "Write them down."),
            flag("--replace", "replace", "Also those whose name is taken."),
            *SCOPE,
        ],
        "mooring import cursor",
        "mooring import claude-code --only github --apply",
    ),
    says(
        "export",
        "Write Mooring into another client; a dry run unless --apply.",
        [
            argument("client", type=click.Choice(CLIENTS)),
            option("--name", "name", "What to call it there.", default="mooring", show_default=True),
            flag("--apply", "apply", "Write it."),
            flag("--remove", "remove", "Take it out again."),
        ],
        "mooring export cursor",
        "mooring export codex --apply",
    ),
    says("pins", "Which tools are pinned to what they were.", [], "mooring pins", inner=PINS),
    says(
        "serve",
        "Every server of this project over HTTP.",
        [
            option(
                "--port",
                "port",
                "0 is any free one.",
                type=click.IntRange(0, 65535),
                default=4096,
                show_default=True,
            ),
            option("--host", "address", "The address to listen on.", default="127.0.0.1", show_default=True),
            option("--name", "names", "Another name that this machine is asked by.", multiple=True),
            flag("--allow-exec", "allow_exec", "Let the token and the page write down what starts programs."),
            flag("--background", "background", "Start it, wait until it listens, and leave it running."),
            flag("--open", "opens", "Open its page in the browser; started in the background if it must be."),
            flag("--status", "status", "Whether one runs, and where; 1 if none does."),
            flag("--stop", "stop", "End the one that runs; calls may finish."),
        ],
        "mooring serve",
        "mooring serve --port 0 --json",
        "mooring serve --background",
    ),
    says(
        "gateway",
        "Every server as one MCP server, for the client that starts it.",
        [
            option("--agent", "agent", "Whose permissions hold.", default="build", show_default=True),
            NAMING,
            *EXPOSING,
            *HTTP,
        ],
        "mooring gateway",
        "mooring gateway --names plain",
        "mooring gateway --expose search --favourite 'git_*'",
        "mooring gateway --http 4100",
        is_json=False,
    ),
    says("config", "The value of every key, and where it was written.", [], "mooring config", inner=CONFIG),
    says("doctor", "Whether everything Mooring needs is in order.", [], "mooring doctor", inner=DOCTOR),
    says("demo", "Three small servers, used from beginning to end.", [], "mooring demo"),
    says(
        "completion",
        "A script that completes commands and server names.",
        [argument("shell", type=click.Choice(["bash", "zsh", "fish"]))],
        "mooring completion bash >> ~/.bashrc",
        is_json=False,
    ),
)


def version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Alone it is answered before click is there; beside other words it is answered here."""
    if is_asked:
        from mooring.cli.render import out

        out(f"mooring {__version__}")
        context.exit()


VERSION = click.Option(
    ["--version", "-V"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=version,
    help="Print the version.",
)

ALIASES = {"ls": "list", "rm": "remove", "status": "list"}


def program() -> click.Group:
    """`mooring`; `mooring mcp VERB` is the same as `mooring VERB`."""
    commands = {item.name: verb(item) for item in VERBS}
    epilog = (
        "\b\nExamples:\n  mooring add memory -- npx -y @modelcontextprotocol/server-memory\n  mooring config"
    )
    as_opencode = "The same commands, as OpenCode spells them."
    commands["mcp"] = Commands(
        "mcp", ALIASES, commands=dict(commands), help=as_opencode, hidden=True, epilog=epilog
    )
    return Commands(
        "mooring",
        ALIASES,
        commands=commands,
        help="Every MCP server you have configured, connected once, usable everywhere.",
        epilog=epilog,
        params=[VERSION],
    )


def run(arguments: list[str]) -> int:
    """The exit code of one command line."""
    from mooring.cli.run import run_program

    return run_program(program(), arguments)


def main() -> None:
    sys.exit(run(sys.argv[1:]))
