"""One command carried out: its module imported, its errors turned into words and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from mooring import __version__

if TYPE_CHECKING:
    from mooring.errors import MooringError

__all__ = ["carry_out", "exit_code", "run_program", "worst"]

INTERRUPTED = 130


def exit_code(error: MooringError) -> int:
    """What is not in this table is 1, "the thing asked for failed"."""
    from mooring.errors import (
        ConfigError,
        LoginGivenUp,
        NeedsApprovalError,
        NeedsLogin,
        NoLogin,
        NoTerminal,
        ToolNotApproved,
        UsageError,
    )

    match error:
        case NeedsLogin():
            return 3
        case NeedsApprovalError() | ToolNotApproved():
            return 4
        case ConfigError() | UsageError() | NoTerminal() | NoLogin():
            return 2
        case LoginGivenUp():
            return INTERRUPTED
        case _:
            return 1


def worst(codes: Iterable[int]) -> int:
    """Of several: what can be mended in a file, by a yes, by a login, and last what nobody can tell."""
    found = {0, *codes}
    return next(code for code in (2, 4, 3, 1, 0) if code in found)


def carry_out(verb: str, parameters: dict[str, Any]) -> int:
    """Run `commands/<verb>.py`; with `as_json` an error is one JSON document on stdout."""
    from importlib import import_module

    from mooring.cli.here import Here
    from mooring.cli.render import forget
    from mooring.errors import MooringError

    try:
        command = import_module(f"mooring.cli.commands.{verb}")
        return command.run(Here.now(), **parameters)
    except MooringError as error:
        _tell(error, as_json=bool(parameters.get("as_json")))
        return exit_code(error)
    except BrokenPipeError:
        # before click sees it, for which this is a failure: whoever read our output has seen enough
        forget(sys.stdout)
        return 0


def run_program(program: click.Group, arguments: list[str]) -> int:
    """The last resort stands here: whatever else went wrong becomes one line and exit code 1."""
    ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
    as_json = "--json" in ours
    try:
        return _run(program, arguments, as_json=as_json)
    except Exception as error:  # noqa: BLE001 - the one place that may
        from mooring.errors import MooringError

        _tell(error if isinstance(error, MooringError) else _report(error), as_json=as_json)
        return 1


def _run(program: click.Group, arguments: list[str], *, as_json: bool) -> int:
    try:
        return program.main(arguments, "mooring", standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        from mooring.errors import UsageError

        hint = f"{error.ctx.command_path} --help" if error.ctx is not None else ""
        _tell(UsageError(_sentence(error), hint=hint), as_json=as_json)
        return 2
    except OSError as error:
        import errno

        from mooring.cli.render import refused

        # click prints its help itself; what we open ourselves has a name
        if error.filename is not None or error.errno not in (
            errno.ENOSPC,
            errno.EDQUOT,
            errno.EFBIG,
            errno.EIO,
        ):
            raise
        raise refused(error) from error
    except (click.Abort, KeyboardInterrupt):
        click.echo("", err=True)
        return INTERRUPTED


def _sentence(error: click.UsageError) -> str:
    """click's own words, but for a choice: of that it would write a page."""
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    if isinstance(kind, click.Choice):
        return f"Wanted is one of {', '.join(f'`{choice}`' for choice in kind.choices)}"
    return error.format_message().rstrip(".")


def _tell(error: MooringError, *, as_json: bool) -> None:
    from mooring.cli.render import complain, emit, forget
    from mooring.errors import OutputRefused

    if isinstance(error, OutputRefused):
        complain(error)
        forget(sys.stdout)
    elif as_json:
        from mooring.core.views import error_view

        emit({"error": error_view(error)})
    else:
        complain(error)


def _report(error: Exception) -> MooringError:
    """The place in our own code, never a value: values may be secrets."""
    from mooring.errors import MooringError

    root = __file__.removesuffix("cli/run.py").removesuffix("cli\\run.py")
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(root):
            place = f" at {file.removeprefix(root)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return MooringError(
        f"This is a mistake in Mooring {__version__} itself: {type(error).__name__}{place}",
        hint="Report this line together with the command",
    )
