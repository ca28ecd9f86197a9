"""The command line as a real program: pipes, terminals, signals, shells, and disks that refuse."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.process.terminal import terminal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="terminals, signals and mounts of POSIX"),
]

MOORING = (sys.executable, "-m", "mooring")
TRUSTED = '{"mcpServers": {"notes": {"command": "python3", "args": ["-c", "pass", "%s"]}}}'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # it hides what only a flush at the end shows
    return folder


def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | env
    return subprocess.run(
        [*MOORING, *words], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def through_the_shell(words: str, before: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f"{before}'{sys.executable}' -m mooring {words}"],
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_data_and_talk_go_different_ways():
    said = run("add", "a", "--", "x")
    assert (said.returncode, said.stdout) == (0, "")
    said = run("config", "get", "mcp.a.command")
    assert (said.stdout, said.stderr[:5]) == ("x\n", "from ")


def test_a_reader_that_stops_reading_is_no_error():
    servers = {f"server-{number}": {"command": "x" * 200} for number in range(1000)}
    Path("mooring.json").write_text(json.dumps({"mcp": servers}))
    writer = subprocess.Popen([*MOORING, "config"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stdout.readline().startswith(b"mcp.server-0.command")
    writer.stdout.close()
    assert writer.stderr is not None
    errors = writer.stderr.read()
    writer.stderr.close()
    assert (writer.wait(60), errors) == (0, b"")


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    "words", ["config schema", "config --json", "config get nope --json", "--version", "--help"]
)
def test_a_full_disk_behind_stdout_is_one_line_and_no_traceback(words, buffered):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    said = through_the_shell(f"{words} > /dev/full", PYTHONUNBUFFERED=buffered)
    assert said.returncode == 1
    assert said.stderr.startswith("error stdout cannot be written: No space left on device (MOOR-OUTPUT-001)")
    assert len(said.stderr.splitlines()) == 2


@pytest.mark.parametrize("words", ["config path", "config schema", "config --json", "--version"])
def test_a_closed_stdout_is_told(words):
    said = through_the_shell(f"{words} >&-")
    assert (said.returncode, said.stderr.splitlines()[0]) == (1, "error stdout is closed (MOOR-OUTPUT-001)")


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_talk_that_nobody_hears_changes_nothing(stderr):
    assert through_the_shell(f"add a -- x {stderr}").returncode == 0
    said = through_the_shell(f"config get mcp.a.command {stderr}")
    assert (said.returncode, said.stdout) == (0, "x\n")
    assert through_the_shell(f"config get nope {stderr}").returncode == 2


def test_a_folder_that_is_gone_is_told():
    said = through_the_shell("config", before="mkdir gone && cd gone && rmdir ../gone && ")
    assert (said.returncode, "(MOOR-USAGE-003)" in said.stderr) == (2, True), said.stderr
    assert through_the_shell("--help", before="mkdir gone && cd gone && rmdir ../gone && ").returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_stream_of_another_encoding_gets_escapes(encoding):
    Path("mooring.json").write_text('{"model": "\u00e9\u2026\U0001f41f"}')
    said = run("config", "--json", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout)["values"][0]["value"] == "\u00e9\u2026\U0001f41f"
    assert run("config", PYTHONIOENCODING=encoding, PYTHONUTF8="0").returncode == 0


def test_a_terminal_gets_colour_and_no_color_takes_it_away(monkeypatch):
    with terminal("remove", "nobody") as shown:
        assert shown.end() == 2
        assert "\x1b[31m" in shown.text
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal("remove", "nobody") as shown:
        assert shown.end() == 2
        assert "\x1b" not in shown.text


def test_a_narrow_terminal_cuts_a_table_with_a_sign(own_server):
    own_server("x" * 300)
    with terminal("config", columns=60) as shown:
        shown.end()
    assert "\u2026" in shown.text
    assert max(len(line) for line in shown.text.splitlines()) <= 60


@pytest.fixture
def own_server():
    def write(argument: str) -> None:
        Path(".mcp.json").write_text(TRUSTED % argument)

    return write


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 4), ("\n", 4)])
def test_trust_asks_and_only_a_yes_is_one(own_server, answer, code):
    own_server("plain")
    with terminal("trust", "notes") as shown:
        shown.until("Approve exactly this? [y/N]:")
        assert "python3 -c pass plain" in shown.text
        shown.type(answer)
        assert shown.end() == code
    [state] = json.loads(run("trust", "--json").stdout)
    assert state["approved"] is (code == 0)


def test_what_is_to_be_approved_is_never_cut_short(own_server):
    own_server("x" * 500 + "; rm -rf everything")
    with terminal("trust", "notes", columns=40) as shown:
        shown.until("[y/N]:")
        assert "rm -rf everything" in shown.text.replace("\r\n", "")
        shown.type("n\n")
        assert shown.end() == 4


def test_an_end_of_input_approves_nothing(own_server):
    own_server("plain")
    with terminal("trust", "notes") as shown:
        shown.until("[y/N]:")
        shown.type("\x04")
        assert shown.end() == 130
    assert json.loads(run("trust", "--json").stdout)[0]["approved"] is False


def test_bare_add_asks_for_a_local_server():
    with terminal("add") as shown:
        shown.until("Name:")
        shown.type("notes\n")
        shown.until("Where does it run?")
        shown.type("local\n")
        shown.until("Command, as in a shell:")
        shown.type("python3 -c 'import this'\n")
        assert shown.end() == 0
    assert json.loads(run("config", "get", "mcp.notes.args").stdout) == ["-c", "import this"]


def test_bare_add_asks_for_a_remote_server():
    with terminal("add") as shown:
        shown.until("Name:")
        shown.type("docs\n")
        shown.until("Where does it run?")
        shown.type("remote\n")
        shown.until("URL:")
        shown.type("https://h.example/mcp\n")
        assert shown.end() == 0
    assert run("config", "get", "mcp.docs.url").stdout == "https://h.example/mcp\n"


def test_an_interrupt_at_a_question_ends_with_130_and_writes_nothing():
    with terminal("add") as shown:
        shown.until("Name:")
        shown.until_it_reads()
        shown.child.send_signal(signal.SIGINT)
        assert shown.end() == 130
        assert "Traceback" not in shown.text
    assert json.loads(run("config", "--json").stdout)["servers"] == []


def test_bash_completes_commands_and_the_names_of_servers():
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    version = subprocess.run(
        [bash, "-c", "echo $BASH_VERSION"], capture_output=True, text=True, check=True
    ).stdout
    if tuple(map(int, version.split(".")[:2])) < (4, 4):
        pytest.skip(f"bash {version.strip()} is too old to complete with")
    run("add", "weather-station", "--", "x")
    bin_folder = Path(sys.executable).parent
    script = f"""
        export PATH="{bin_folder}:$PATH"
        eval "$(mooring completion bash)"
        complete -p mooring >&2
        COMP_WORDS=(mooring remove weath) COMP_CWORD=2
        _mooring_completion mooring weath remove
        echo "${{COMPREPLY[@]}}"
        COMPREPLY=() COMP_WORDS=(mooring com) COMP_CWORD=1
        _mooring_completion mooring com mooring
        echo "${{COMPREPLY[@]}}"
    """
    said = subprocess.run([bash, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert said.stdout.splitlines() == ["weather-station", "completion"], said.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_another_shell_reads_its_script(shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    script = run("completion", shell).stdout
    tried = subprocess.run(
        [program, "-n"], input=script, capture_output=True, text=True, timeout=60, check=False
    )
    assert (tried.returncode, tried.stderr) == (0, "")


def test_a_name_that_a_shell_would_act_on_is_not_completed():
    names = ["good", "güt-2", "$(touch pwned)", "a b", "x;y", "--yes", "*", "`id`", "~root", "a'b"]
    Path("mooring.json").write_text(
        json.dumps({"mcp": {name: {"url": "https://h.example"} for name in names}})
    )
    said = run(_MOORING_COMPLETE="bash_complete", COMP_WORDS="mooring remove ", COMP_CWORD="2")
    assert said.stdout.split("\n") == ["plain,good", "plain,güt-2", ""]


def test_a_configuration_that_cannot_be_read_completes_nothing_and_says_nothing():
    Path("mooring.json").write_text("{")
    said = run(_MOORING_COMPLETE="bash_complete", COMP_WORDS="mooring remove x", COMP_CWORD="2")
    assert (said.returncode, said.stdout.strip(), said.stderr) == (0, "", "")


# --- disks


def in_own_mounts() -> tuple[str, ...]:
    """How to start a child that may mount, or a skip that says why not."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("needs unshare(1) of Linux")
    probe = ("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt")
    tried = subprocess.run(probe, capture_output=True, text=True, timeout=30, check=False)
    if tried.returncode:
        pytest.skip(f"unshare: {tried.stderr.strip()}")
    return ("unshare", "-rm")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ('mount -o remount,ro none "$0"', "read-only"),
        ('dd if=/dev/zero of="$0/rest" bs=4k 2>/dev/null', "no space"),
    ],
    ids=["read-only", "full"],
)
def test_an_edit_on_a_disk_that_refuses_leaves_the_file_and_says_why(tmp_path, spoil, reason):
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f"""
        mount -t tmpfs -o size=64k none "$0" && cd "$0" || exit
        printf '{{"mcp": {{"a": {{"command": "x"}}}}}}' > f.json
        {spoil}
        "$1" -m mooring add b --file "$0/f.json" -- "$(printf %030000d 1)"; echo "code $?"
        cat f.json; echo; ls -A
    """
    command = [*in_own_mounts(), "sh", "-c", script, str(disk), sys.executable]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    code, text, *files = said.stdout.splitlines()
    assert code == "code 2", said.stderr
    assert text == '{"mcp": {"a": {"command": "x"}}}'
    assert set(files) <= {"f.json", "rest"}
    assert "MOOR-CONFIG-013" in said.stderr
    assert reason in said.stderr.lower()
    assert "  hint " in said.stderr


def test_doctor_finds_a_folder_that_cannot_be_written(empty_home):
    prefix: tuple[str, ...] = ()
    if not os.geteuid():
        if not shutil.which("setpriv"):
            pytest.skip("runs as root, and there is no setpriv(1) to become less")
        prefix = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
    closed = empty_home / ".config"
    closed.mkdir()
    closed.chmod(0o500)
    said = subprocess.run(
        [*prefix, *MOORING, "doctor"], capture_output=True, text=True, timeout=60, check=False
    )
    closed.chmod(0o700)
    assert said.returncode == 1, said.stderr
    assert "bad   config folder" in said.stdout
    assert "hint Make ~/.config writable for you" in said.stdout
