"""What the page of commands is written in: verbs, their arguments, and how they are looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from mooring.cli.attach import ATTACHED, OPT_OUT

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["Commands", "Verb", "argument", "flag", "names", "option", "says", "verb"]

Complete: TypeAlias = "Callable[[click.Context, click.Parameter, str], list[CompletionItem]]"

_PLAIN = re.compile(r"\w[\w.:@/+-]*")


class Verb(NamedTuple):
    """A command: its name, what it does in one line, its parameters, and an example or two."""

    name: str
    means: str
    parameters: Sequence[click.Parameter]
    examples: tuple[str, ...]
    inner: tuple[Verb, ...] = ()
    is_json: bool = True


def says(
    name: str,
    means: str,
    parameters: Sequence[click.Parameter],
    *examples: str,
    inner: tuple[Verb, ...] = (),
    is_json: bool = True,
) -> Verb:
    """A verb, written as one reads it."""
    return Verb(name, means, parameters, examples, inner, is_json)


def argument(name: str, *, complete: Complete | None = None, **more: Any) -> click.Argument:
    return click.Argument([name], shell_complete=complete, **more)


def option(spelling: str, name: str, means: str, **more: Any) -> click.Option:
    return click.Option([spelling, name], help=means, **more)


def flag(spelling: str, name: str, means: str) -> click.Option:
    return click.Option([spelling, name], help=means, is_flag=True)


class Commands(click.Group):
    """A group in the order of the page, with second names for some commands."""

    def __init__(self, name: str, aliases: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(name, **more)
        self._aliases = aliases or {}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, self._aliases.get(cmd_name, cmd_name))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib

            if args[0].startswith("-"):
                raise
            close = difflib.get_close_matches(args[0], [*self.commands, *self._aliases], n=1)
            meant = f"; did you mean `{close[0]}`?" if close else ""
            raise click.UsageError(f"No such command `{args[0]}`{meant}", ctx) from error


class CommandsOrName(Commands):
    """A group that also takes a name: a word that is none of its commands is one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        word = next((arg for arg in args if not arg.startswith("-")), None)
        ctx.meta[_TAKES_NAME] = word is None or "--" in args or self.get_command(ctx, word) is None
        ctx.allow_interspersed_args = ctx.meta[_TAKES_NAME]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        if ctx.meta.get(_TAKES_NAME, True):
            return params
        return [param for param in params if not isinstance(param, click.Argument)]


_TAKES_NAME = "mooring.takes_name"


def verb(words: Verb, prefix: str = "") -> click.Command:
    """The click command of a verb, and of the verbs inside it."""
    # a keyword is no module's name: `import` is in `import_.py`
    module = prefix + words.name.replace("-", "_") + "_" * iskeyword(words.name)
    title = "Example:" if len(words.examples) == 1 else "Examples:"
    parameters = [*words.parameters]
    if words.is_json:
        parameters.append(flag("--json", "as_json", "Print one JSON document."))
    if (prefix.replace("_", " ") + words.name) in ATTACHED:
        parameters.append(_alone())
    common: dict[str, Any] = {
        "help": words.means,
        "params": parameters,
        "epilog": "\b\n" + "\n  ".join([title, *words.examples]),
        "callback": _callback(module),
    }
    if not words.inner:
        return click.Command(words.name, **common)
    inner = {item.name: verb(item, f"{module}_") for item in words.inner}
    has_name = any(isinstance(each, click.Argument) for each in parameters)
    kind = CommandsOrName if has_name else Commands
    return kind(words.name, {"ls": "list"}, commands=inner, invoke_without_command=True, **common)


def _alone() -> click.Option:
    """Looked at before click is there; whoever comes as far as this runs by itself."""
    return click.Option([OPT_OUT], is_flag=True, expose_value=False, help="Not in the `serve` that runs.")


def _callback(module: str) -> Callable[..., int]:
    def call(**parameters: Any) -> int:
        from mooring.cli.run import carry_out

        context = click.get_current_context()
        if isinstance(context.command, click.Group) and context.invoked_subcommand:
            return 0
        return carry_out(module, parameters)

    return call


def names(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Server names, for the shell: plain words only, as bash types out what it is given, be it `$(…)`."""
    from click.shell_completion import CompletionItem

    from mooring.cli.here import Here
    from mooring.errors import MooringError

    try:
        known = Here.now().load().config.servers
    except MooringError:
        return []
    return [CompletionItem(name) for name in known if name.startswith(typed) and _PLAIN.fullmatch(name)]
