"""A tour of the example project, in a throw-away home: each command line, then what it says."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path

from mooring.cli.app import run

PROJECT = Path(__file__).parent / "project"
FOREIGN = ("MOORING_", "OPENCODE_", "XDG_")

TOUR = (
    ("Three files of the project say something. This is what holds, and who said it:", "config"),
    ("One value: 20 seconds in one file, 60 in a stronger one.", "config get mcp.hello.timeout"),
    ("One key is misspelt on purpose. Nothing is guessed, nothing is lost:", "config check"),
    ("A project may describe programs. None of them starts before you have seen it:", "trust"),
    ("Saying yes to exactly this one:", "trust hello --yes"),
    ("The others still wait. They come from the same project, and you have seen them:", "trust --all --yes"),
    ("Now they start. One address does not exist, and harms nobody:", "list"),
    ("What can be called:", "tools"),
    ("A tool that keeps what it is told:", "call todo_add_todo text='Set the sails'"),
    ("It is another process by now, and the list is still there:", "call todo_list_todos"),
    ("Resources are read by their address:", "read weather://beijing"),
    ("Prompts are texts that a server writes for you:", "prompt greet:introduce name=Ada language=fr"),
    (
        "A server of your own goes into your own file, and needs no approval:",
        "add memory -- npx -y server-memory",
    ),
    ("It holds beside the project's:", "config get mcp.memory"),
)


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        for name in [name for name in os.environ if name.startswith(FOREIGN)]:
            del os.environ[name]
        # the project's servers say `python3`, and mean the one that runs this
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        os.environ |= {"HOME": home, "USER": os.environ.get("USER") or "captain", "PATH": path}
        os.chdir(PROJECT)
        for number, (why, words) in enumerate(TOUR, 1):
            sys.stdout.write(f"\n{number}. {why}\n\n$ mooring {words}\n")
            sys.stdout.flush()
            code = run(shlex.split(words))
            if code:
                return code
    sys.stdout.write(
        "\nThat was examples/project. Next: cd there, or into a project of yours, and type: mooring config\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
