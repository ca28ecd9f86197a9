"""Where a command and a running `serve` meet, and who says hello there."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from mooring.config.places import project_root
from mooring.system.dirs import Dirs
from mooring.system.notify import notify
from mooring.system.peer import process_of, user_of
from mooring.system.rendezvous import LONGEST, root_of, socket_path

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="Windows has no socket that a command could find `serve` by"
)


def at(folder: str, env: dict[str, str]) -> Path:
    path = socket_path(folder, env)
    assert path is not None
    return Path(path)


def test_it_is_the_same_from_every_folder_of_a_project_and_another_for_the_next(tmp_path: Path) -> None:
    inner = tmp_path / "one" / "deep" / "down"
    inner.mkdir(parents=True)
    (tmp_path / "one" / ".git").mkdir()
    env = {"HOME": "/home/anna"}
    assert root_of(str(inner)) == str(project_root(inner)) == str(tmp_path / "one")
    assert at(str(inner), env) == at(str(tmp_path / "one"), env)
    assert at(str(inner), env) != at(str(tmp_path), env)


def test_it_is_in_the_folder_of_the_session_else_in_the_one_for_state() -> None:
    home = {"HOME": "/home/anna"}
    assert at("/", {**home, "XDG_RUNTIME_DIR": "/run/user/1"}).parent == Path("/run/user/1/mooring")
    for env in (home, {**home, "XDG_STATE_HOME": "/state"}, {**home, "XDG_RUNTIME_DIR": "relative"}):
        assert at("/", env).parent == Dirs.of(env).state


def test_it_is_never_longer_than_a_socket_may_be() -> None:
    for length in range(1, 300):
        for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"):
            assert len(os.fsencode(at("/", {name: f"/{'ä' * length}"}))) <= LONGEST
    long = [at("/", {"HOME": f"/{'a' * 200}{number}"}) for number in range(2)]
    assert long[0] != long[1], "two users of one machine share a project, and no socket"


def test_the_system_tells_who_is_at_the_other_end() -> None:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with one, other:
        assert user_of(one) == os.geteuid()
        assert process_of(one) == os.getpid()
    with socket.socket() as nobody:
        assert user_of(nobody) in (None, 0xFFFFFFFF, -1)


def told(name: str, address: str) -> bytes:
    """What a manager hears that waits at this address."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(20)
        notify({"NOTIFY_SOCKET": name}, "READY=1")
        return manager.recv(100)


def test_a_service_says_that_it_is_ready_where_somebody_waits_for_it() -> None:
    # a short folder, since a socket's path is
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        assert told(f"{short}/n", f"{short}/n") == b"READY=1"
        notify({"NOTIFY_SOCKET": f"{short}/gone"}, "READY=1")
    notify({}, "READY=1")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has sockets whose names are no files")
def test_a_manager_may_wait_at_a_name_that_is_no_file() -> None:
    name = f"mooring-{os.getpid()}"
    assert told(f"@{name}", f"\0{name}") == b"READY=1"
