"""What a local server gets to know of our environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from mooring.core.spec import LocalSpec
from mooring.errors import MissingFile
from mooring.upstream.stdio.environment import environment

OURS = {
    "HOME": "/home/a",
    "PATH": "/bin",
    "LANG": "C",
    "LC_ALL": "C",
    "HTTPS_PROXY": "http://p",
    "SSL_CERT_FILE": "/ca",
    "AWS_SECRET_ACCESS_KEY": "s",
    "GITHUB_TOKEN": "t",
    "MOORING_TOKEN": "m",
    "EDITOR": "vi",
    "BASH_FUNC_x%%": "() {",
}


def given(**entry) -> dict[str, str]:
    return environment(LocalSpec(name="it", command="x", **entry), OURS, "/")


def test_little_is_passed_on() -> None:
    assert sorted(given()) == ["HOME", "HTTPS_PROXY", "LANG", "LC_ALL", "PATH", "SSL_CERT_FILE"]


def test_more_is_passed_on_by_name_or_altogether() -> None:
    assert given(inherit=("GITHUB_TOKEN",))["GITHUB_TOKEN"] == "t"
    assert "EDITOR" in given(inherit=True)


def test_our_own_settings_are_for_nobody_else() -> None:
    assert "MOORING_TOKEN" not in given(inherit=True)
    assert given(inherit=("MOORING_TOKEN",))["MOORING_TOKEN"] == "m"


def test_the_entry_wins_over_its_file_and_both_over_ours(tmp_path: Path) -> None:
    (tmp_path / "it.env").write_text("HOME=/file\nONE=file\n# a comment\nexport TWO='file'\n")
    spec = LocalSpec(name="it", command="x", env_file="it.env", environment={"ONE": "entry"})
    found = environment(spec, OURS, str(tmp_path))
    assert (found["HOME"], found["ONE"], found["TWO"]) == ("/file", "entry", "file")


def test_a_file_that_is_missing_is_an_error_that_names_the_key(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"mcp\.it\.envFile"):
        environment(LocalSpec(name="it", command="x", env_file="no.env"), OURS, str(tmp_path))
