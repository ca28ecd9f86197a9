"""The rules of the house, held against the tree as it is."""

from __future__ import annotations

import ast
import json
import os
import pwd
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from json import loads
from pathlib import Path

import click
import pytest

from mooring import errors
from mooring.cli import app

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "mooring"
MODULES = sorted(SRC.rglob("*.py"))

LINES, MEDIAN_LINES, STATEMENTS, PARAMETERS = 400, 100, 40, 6
MAY_CATCH_ALL = {"cli/run.py", "host/link.py", "system/door/door.py"}
VAGUE = re.compile(r"(Manager|Helper|Utils?|Service|Data|Info)$")
TOO_DEAR_FOR_HELP = {
    "asyncio",
    "fastapi",
    "httpx2",
    "sqlite3",
    "starlette",
    "uvicorn",
    "mcp",
    "mcp_types",
    "pydantic",
    "rich",
    "tomlkit",
    "watchfiles",
}
COMPUTES = {
    *(
        "__future__",
        "abc",
        "base64",
        "binascii",
        "bisect",
        "cmath",
        "collections",
        "collections.abc",
        "contextlib",
    ),
    *("copy", "dataclasses", "datetime", "decimal", "difflib", "enum", "fractions", "functools", "graphlib"),
    *("hashlib", "heapq", "hmac", "html", "ipaddress", "itertools", "json", "keyword", "math", "numbers"),
    *(
        "operator",
        "re",
        "shlex",
        "statistics",
        "string",
        "struct",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
    ),
    *("urllib.parse", "weakref"),
}
NOT_OURS = {".git", ".venv", ".cache", "node_modules", "__pycache__", "dist"}

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def name_of(module: Path) -> str:
    return module.relative_to(SRC).as_posix()


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_bytes(), str(module))


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, FUNCTION):
                yield f"{name_of(module)}:{node.lineno} {node.name}", node


def project_files() -> Iterator[Path]:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(set(folders) - NOT_OURS)
        # in a linked work tree `.git` is a file that holds an address of this machine
        yield from (Path(folder, file) for file in files if file not in NOT_OURS)


# --- imports


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    program = [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"]
    paths = os.environ | {"PYTHONPATH": str(root / "src"), "NO_COLOR": "1", "COLUMNS": "200"}
    return subprocess.run(
        program, cwd=root, env=paths, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its contracts, to be spoilt."""
    root = tmp_path / "copy"
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", root)
    return root


def test_every_import_contract_holds() -> None:
    found = lint_imports(ROOT)
    assert found.returncode == 0, found.stdout + found.stderr


DOWN, CYCLE, PURE = "Imports point down", "No cycles inside a room", "The core is pure"
SDK, TYPES = (
    "The SDK stays where sessions are",
    "Protocol types stay where sessions are, and in the core",
)
DRAWING, WEB, AGENTS = (
    "Only the command line draws",
    "Web frameworks stay in the web rooms",
    "Agent frameworks stay with the agent",
)

DOORS, FORMATS = "A package of the core has one door", "How files are read and written stays inside config"


@pytest.mark.parametrize(
    ("contract", "files"),
    [
        (DOWN, {"core/mutant.py": "from mooring import config"}),
        (DOWN, {"core/mutant.py": "def late():\n    from mooring.system import dirs"}),
        (DOWN, {"system/mutant.py": "import mooring.cli.app"}),
        (DOWN, {"auth/mutant.py": "from mooring import config"}),
        (DOWN, {"config/mutant.py": "import mooring.auth"}),
        (DOWN, {"errors/base.py": "from mooring import core"}),
        (DOWN, {"servers/mutant.py": "from mooring import system"}),
        (DOWN, {"core/mutant.py": "import mooring.servers.todo"}),
        (DOWN, {"attic/__init__.py": "", "attic/mutant.py": ""}),
        (DOWN, {"mutant.py": ""}),
        (CYCLE, {"core/one.py": "import mooring.core.other", "core/other.py": "import mooring.core.one"}),
        (CYCLE, {"cli/a.py": "import mooring.cli.commands.b", "cli/commands/b.py": "import mooring.cli.a"}),
        (PURE, {"core/mutant.py": "import os"}),
        (PURE, {"core/mutant.py": "def late():\n    from pathlib import Path"}),
        (PURE, {"core/mutant.py": "from time import monotonic"}),
        (PURE, {"errors/base.py": "import asyncio"}),
        (SDK, {"config/mutant.py": "import mcp"}),
        (SDK, {"core/mutant.py": "from mcp.shared import session"}),
        (SDK, {"__main__.py": "import mcp"}),
        (TYPES, {"cli/commands/mutant.py": "from mcp_types import Tool"}),
        (DRAWING, {"config/mutant.py": "import rich"}),
        (DRAWING, {"auth/mutant.py": "from click import echo"}),
        (WEB, {"config/mutant.py": "import starlette"}),
        (WEB, {"auth/mutant.py": "from uvicorn import run"}),
        (AGENTS, {"cli/mutant.py": "import pydantic_ai"}),
        (DOORS, {"config/mutant.py": "from mooring.core.redact.shapes import mask_literal"}),
        (DOORS, {"core/mutant.py": "import mooring.core.schema.walk"}),
        (FORMATS, {"cli/mutant.py": "from mooring.config.jsonc_scan import scan"}),
    ],
    ids=str,
)  # fmt: skip
def test_an_import_that_breaks_a_contract_is_noticed(
    contract: str, files: dict[str, str], copy: Path
) -> None:
    for name, text in files.items():
        file = copy / "src" / "mooring" / name
        file.parent.mkdir(exist_ok=True)
        with file.open("a") as end:
            end.write(f"\n{text}\n")
    found = lint_imports(copy)
    assert found.returncode != 0
    assert f"{contract} BROKEN" in found.stdout, found.stdout + found.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("auth/mutant.py", "import mcp.client\nimport mcp_types"),
        ("core/mutant.py", "import mcp_types"),
        ("cli/mutant.py", "import click, rich"),
        ("auth/loopback.py", "import starlette"),
    ],
)
def test_an_import_in_the_room_that_may_is_allowed(name: str, text: str, copy: Path) -> None:
    with (copy / "src" / "mooring" / name).open("a") as end:
        end.write(f"\n{text}\n")
    found = lint_imports(copy)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_core_asks_neither_the_clock_nor_the_disk() -> None:
    """What no import shows: `datetime` holds values, but its `now` is a clock, and `open` needs no import."""
    clocks = {"now", "today", "utcnow", "urlopen"}
    asked: list[str] = []
    for module in (module for module in MODULES if module.is_relative_to(SRC / "core")):
        for node in ast.walk(tree_of(module)):
            match node:
                case ast.Call(
                    func=ast.Name(id="open" | "input" | "print" | "__import__" | "exec" | "eval" as name)
                ) if (module.name, name) != ("frozen.py", "exec"):
                    asked.append(f"{name_of(module)}:{node.lineno} {name}")
                case ast.Attribute(attr=name) if name in clocks:
                    asked.append(f"{name_of(module)}:{node.lineno} {name}")
                case _:
                    pass
    assert asked == []


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(module)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name
            case _:
                pass


def test_the_core_takes_from_the_standard_library_only_what_computes() -> None:
    """The contract lists what is impure as far as one thought of it; this lists what is not."""
    pure = [module for module in MODULES if name_of(module).startswith(("core/", "errors/"))]
    taken = {
        name
        for module in pure
        for name in imported(module)
        if name.partition(".")[0] in sys.stdlib_module_names
    }
    assert taken - COMPUTES == set()


def test_nobody_inside_goes_round_through_the_front_door() -> None:
    """`from mooring import open_host` would be an import upwards that no contract sees."""
    rooms = {folder.name for folder in SRC.iterdir()} | {module.stem for module in SRC.glob("*.py")}
    taken = {
        f"{name_of(module)} {name.name}"
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ImportFrom) and node.module == "mooring" and module.parent != SRC
        for name in node.names
        if name.name not in {"__version__", *rooms}
    }
    assert taken == set()


def test_no_function_changes_a_global() -> None:
    changed = [
        f"{name_of(module)}:{node.lineno} {', '.join(node.names)}"
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Global)
    ]
    assert changed == []


def test_a_name_in_a_command_that_is_offered_cannot_act_on_the_shell() -> None:
    """Names are written by strangers, and hints are copied into a terminal."""
    unquoted = [
        f"{name_of(module)}: {found}"
        for module in MODULES
        for found in re.findall(r"mooring [a-z]+ \{(?!(?:shlex\.)?quote\().*?\}", module.read_text("utf-8"))
    ]
    assert unquoted == []


# --- size and shape


def test_no_file_is_longer_than_one_can_hold_in_mind() -> None:
    lines = {name_of(module): len(module.read_text("utf-8").splitlines()) for module in MODULES}
    assert {name: count for name, count in lines.items() if count > LINES} == {}
    assert statistics.median(lines.values()) <= MEDIAN_LINES


def test_no_function_does_too_much() -> None:
    counts = {
        where: sum(isinstance(part, ast.stmt) for part in ast.walk(node)) - 1 for where, node in functions()
    }
    assert {where: count for where, count in counts.items() if count > STATEMENTS} == {}


def test_no_function_asks_for_too_much() -> None:
    counts: dict[str, int] = {}
    for where, node in functions():
        given = node.args
        named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        counts[where] = sum(each is not None and each.arg not in {"self", "cls"} for each in named)
    assert {where: count for where, count in counts.items() if count > PARAMETERS} == {}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_module_says_its_one_job_in_one_sentence(module: Path) -> None:
    said = ast.get_docstring(tree_of(module)) or ""
    assert re.fullmatch(r"[^\n].*\.", said, re.DOTALL), "no docstring, or one without a full stop"
    assert not re.search(r"[.!?]\s+[A-Z]|\n\n", said), "more than one sentence"


def test_everything_may_be_caught_in_three_places_only() -> None:
    broad = {"Exception", "BaseException"}
    places: set[str] = set()
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            match node:
                case ast.ExceptHandler(type=None):
                    caught = broad
                case ast.ExceptHandler(type=ast.expr() as kind):
                    caught = {part.id for part in ast.walk(kind) if isinstance(part, ast.Name)}
                case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=kinds):
                    caught = {kind.id for kind in kinds if isinstance(kind, ast.Name)}
                case _:
                    continue
            if caught & broad:
                places.add(name_of(module))
    assert places <= MAY_CATCH_ALL


def test_no_class_has_a_name_that_says_nothing() -> None:
    classes = [
        f"{name_of(module)} {node.name}"
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ClassDef) and VAGUE.search(node.name)
    ]
    assert classes == []


# --- the command line starts light


def walk(way: tuple[click.Command, ...], words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Down the tree from the last command of the way; a group inside itself is entered once."""
    yield words
    group = way[-1]
    if isinstance(group, click.Group):
        context = click.Context(group, info_name=" ".join(("mooring", *words)))
        for name in group.list_commands(context):
            inner = group.get_command(context, name)
            assert inner is not None, f"`{name}` is listed and is not there"
            if inner not in way:
                yield from walk((*way, inner), (*words, name))


def commands() -> list[tuple[str, ...]]:
    """Every command there is, as the words that reach it; the bare program is the empty one."""
    return list(walk((app.program(),), ()))


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(("mooring", *words)))
def test_help_imports_nothing_dear(words: tuple[str, ...]) -> None:
    program = [sys.executable, "-X", "importtime", "-m", "mooring", *words, "--help"]
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    found = subprocess.run(program, env=bare, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 0, found.stderr
    imported = set(re.findall(r"^import time: .*\| +([\w.]+)$", found.stderr, re.MULTILINE))
    assert "mooring" in imported
    assert {name for name in imported if name.partition(".")[0] in TOO_DEAR_FOR_HELP} == set()


def test_a_list_imports_only_what_it_takes(tmp_path: Path) -> None:
    """Of what is dear it is the loop alone that servers need; and nobody here has a file in TOML."""
    program = [sys.executable, "-X", "importtime", "-m", "mooring", "list"]
    bare = {"HOME": str(tmp_path), "PATH": os.defpath}
    greet = [sys.executable, "-c", "input()"]
    bare["MOORING_CONFIG_CONTENT"] = json.dumps({"mcp": {"greet": {"command": greet}}})
    found = subprocess.run(
        program, env=bare, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert "greet" in found.stdout, found.stderr
    imported = set(re.findall(r"^import time: .*\| +([\w.]+)$", found.stderr, re.MULTILINE))
    assert "asyncio" in imported
    dear = {*TOO_DEAR_FOR_HELP, "tomllib", "anyio", "starlette"} - {"asyncio", "sqlite3"}
    assert {name for name in imported if name.partition(".")[0] in dear} == set()


def test_the_version_is_said_before_anything_is_imported() -> None:
    asked = (
        "import sys; there = {*sys.modules}; sys.argv = ['mooring', '--version']; "
        "from mooring.__main__ import main; main(); print(*sorted({*sys.modules} - there))"
    )
    program = [sys.executable, "-S", "-c", f"import sys; sys.path.append({str(ROOT / 'src')!r}); {asked}"]
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    found = subprocess.run(program, env=bare, capture_output=True, text=True, timeout=60, check=True)
    _, imported = found.stdout.splitlines()
    assert set(imported.split()) <= {"__future__", "mooring", "mooring.__main__"}


# --- documents say what is there


def documents() -> str:
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join(file.read_text("utf-8") for file in files)


def rooms_and_files() -> list[str]:
    """A package whose `__init__.py` holds its sentence only goes by the name of its folder."""
    return [
        name_of(module.parent) + "/" if len(tree_of(module).body) == 1 else name_of(module)
        for module in MODULES
    ]


def test_the_page_of_the_house_names_every_file_and_no_other() -> None:
    page = (ROOT / "docs" / "house.md").read_text("utf-8")
    assert [name for name in rooms_and_files() if f"`{name}`" not in page] == []
    listed = re.findall(r"^\| `([\w/]+\.py)` \|", page, re.MULTILINE)
    assert sorted(set(listed) - {name_of(module) for module in MODULES}) == []


def test_no_two_errors_share_a_code() -> None:
    texts = [module.read_text("utf-8") for module in MODULES if module.is_relative_to(SRC / "errors")]
    written = re.findall(r'"(MOOR-[A-Z]+-\d{3})"', "".join(texts))
    assert [code for code, times in Counter(written).items() if times > 1] == []
    assert set(written) == set(errors.codes())


def test_every_error_is_explained_once() -> None:
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    explained = Counter(re.findall(r"\bMOOR-[A-Z]+-\d{3}\b", page))
    assert {code: explained[code] for code in errors.codes() if explained[code] != 1} == {}
    assert explained.keys() <= errors.codes().keys()


def dependencies() -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    groups = [
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        *project["project"].get("optional-dependencies", {}).values(),
        *project["dependency-groups"].values(),
    ]
    python = {re.split(r"[^\w.-]", wanted)[0] for group in groups for wanted in group}
    manifests = [
        loads((ROOT / folder / "package.json").read_text("utf-8")) for folder in ("tests/peers", "benchmarks")
    ]
    return sorted(python.union(*(manifest["dependencies"] for manifest in manifests)))


def test_every_dependency_has_its_reason_in_the_documents() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    assert [name for name in dependencies() if f"`{name}`" not in page] == []


def test_the_changelog_has_room_for_what_is_not_released() -> None:
    page = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## .*\bUnreleased\b", page, re.MULTILINE)


def test_the_documents_name_every_make_target() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert len(targets) >= 10
    named = documents()
    assert [target for target in targets if not re.search(rf"\bmake {target}\b(?!-)", named)] == []


# --- nothing of one machine in the tree


def registry_hosts() -> set[str]:
    """Learnt from the clients, so that not even this file names one."""
    index = "from pip._internal.models.index import PyPI as it"
    questions = [
        [sys.executable, "-c", f"{index}; print('//' + it.netloc, '//' + it.file_storage_domain)"],
        [sys.executable, "-m", "pip", "config", "list"],
        [sys.executable, str(Path(sys.executable).with_name("npm")), "config", "get", "registry"],
    ]
    answers = [
        subprocess.run(each, capture_output=True, text=True, timeout=60, check=True) for each in questions
    ]
    return {
        host
        for answer in answers
        for host in re.findall(r"//(?:[^/@\s]*@)?([\w-]+(?:\.[\w-]+)+)", answer.stdout)
    }


def test_no_file_names_a_package_registry() -> None:
    hosts = registry_hosts()
    assert len(hosts) >= 3
    address = re.compile("|".join(map(re.escape, sorted(hosts))).encode())
    assert [str(file) for file in project_files() if address.search(file.read_bytes())] == []


def test_no_file_names_a_folder_of_this_machine() -> None:
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    folders = {str(ROOT), str(home)} - {"/"}
    named = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, sorted(folders)))})(?![\w.-])".encode())
    assert [str(file) for file in project_files() if named.search(file.read_bytes())] == []


def test_the_locks_pin_every_package_by_its_hash() -> None:
    for name in ("run", "dev", "bench", "peers", "sqlite", "uv"):
        lock = (ROOT / "locks" / f"{name}.txt").read_text("utf-8")
        pins = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)[1:]
        assert pins
        assert [pin.splitlines()[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []


def test_npm_packages_are_locked_by_content_not_by_address() -> None:
    for folder in ("tests/peers", "benchmarks"):
        packages = loads((ROOT / folder / "package-lock.json").read_text("utf-8"))["packages"]
        del packages[""]
        assert [
            name for name, entry in packages.items() if "resolved" in entry or "integrity" not in entry
        ] == []
        assert (ROOT / folder / ".npmrc").read_bytes() == (ROOT / ".npmrc").read_bytes()
