"""The program's entry; it answers `--version` before anything else is imported."""

import sys

from mooring import __version__


def main() -> None:
    """`mooring`, also as `python -m mooring`."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"mooring {__version__}\n")
        return
    try:
        from mooring.cli.app import run  # noqa: PLC0415 - `--version` must not pay for it

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
