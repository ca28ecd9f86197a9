"""The program's entry; it answers `--version` before anything else is imported."""

import sys

from mooring import __version__


def main() -> None:
    """`mooring`, also as `python -m mooring`."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        try:
            print(f"mooring {__version__}", flush=True)  # noqa: T201 - `out` would be slow to import
            if sys.stdout:
                return
        except OSError:
            pass  # the command line below says why
    import gc  # noqa: PLC0415 - `--version` must not pay for what follows

    # What imports leave behind is no garbage, and looking for some in it costs a tenth of the time to start.
    gc.set_threshold(50_000, 20, 50)
    try:
        from mooring.cli.attach import attached  # noqa: PLC0415

        code = attached(sys.argv[1:])
        if code is None:
            from mooring.cli.app import run  # noqa: PLC0415

            code = run(sys.argv[1:])
        sys.exit(code)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
