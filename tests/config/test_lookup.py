"""What a reference stands for: the environment, small files, answers to inputs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mooring.config import lookup
from mooring.config.lookup import look_up_in
from mooring.core.spec import Input, LocalSpec, OAuth, RemoteSpec
from mooring.core.template import Variable, expand_spec
from mooring.errors import MissingFile

INPUTS = {"api-key": Input("api-key", default="d"), "bare": Input("bare")}


def found(kind: str, name: str, home: Path = Path("/nowhere"), **env: str) -> str | None:
    return look_up_in(env, INPUTS, home)(Variable(kind, name))


def test_a_variable_is_what_the_environment_says():
    assert found("env", "A", A="1") == "1"
    assert found("env", "A", A="") == ""
    assert found("env", "B", A="1") is None


def test_an_input_is_answered_by_its_variable_or_its_default():
    assert found("input", "api-key", MOORING_INPUT_API_KEY="k") == "k"
    assert found("input", "api-key") == "d"
    assert found("input", "bare") is None
    assert found("input", "unknown") is None


def test_a_file_is_its_text_without_the_white_space_around_it(tmp_path: Path):
    (tmp_path / "t").write_text("  s3cret \n\n")
    assert found("file", str(tmp_path / "t")) == "s3cret"
    assert found("file", "~/t", tmp_path) == "s3cret"


def test_a_file_that_cannot_be_read_counts_as_missing(tmp_path: Path):
    (tmp_path / "large").write_text("x" * 70_000)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    for name in ("large", "binary", "loop", "pipe", "gone", ".", "a\0b"):
        assert found("file", str(tmp_path / name)) is None, name


def test_a_credential_is_what_the_service_or_the_container_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    service, container = tmp_path / "service", tmp_path / "container"
    for folder in (service, container):
        folder.mkdir()
    (service / "key").write_text("of the service\n")
    (container / "key").write_text("of the container\n")
    (container / "other.pem").write_text("theirs")
    monkeypatch.setattr(lookup, "SECRETS", container)
    assert found("credential", "key", CREDENTIALS_DIRECTORY=str(service)) == "of the service"
    assert found("credential", "other.pem", CREDENTIALS_DIRECTORY=str(service)) == "theirs"
    assert found("credential", "key") == "of the container"
    assert found("credential", "gone", CREDENTIALS_DIRECTORY=str(service)) is None


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "..", ".", "~/outside", "a/../../outside"])
def test_a_credentials_name_leads_nowhere_else(tmp_path: Path, name: str):
    (tmp_path / "outside").write_text("not yours")
    folder = tmp_path / "credentials"
    folder.mkdir()
    assert found("credential", name, tmp_path, CREDENTIALS_DIRECTORY=str(folder)) is None


def test_a_missing_credential_names_itself_and_the_key(tmp_path: Path):
    spec = RemoteSpec(name="docs", url="https://x.example", headers={"X-Key": "{credential:docs-key}"})
    with pytest.raises(MissingFile, match=r"`docs-key`; `mcp\.docs\.headers\.X-Key` needs it") as caught:
        expand_spec(spec, look_up_in({"CREDENTIALS_DIRECTORY": str(tmp_path)}, {}, tmp_path))
    assert "LoadCredential=docs-key" in caught.value.hint


def test_the_text_of_a_credential_is_a_secret(tmp_path: Path):
    (tmp_path / "key").write_text("hush-hush")
    spec = RemoteSpec(
        name="docs",
        url="https://x.example",
        headers={"X-Key": "{credential:key}"},
        oauth=OAuth(client_secret="{credential:key}", private_key="{credential:key}"),
    )
    expanded = expand_spec(spec, look_up_in({"CREDENTIALS_DIRECTORY": str(tmp_path)}, {}, tmp_path))
    assert isinstance(expanded.spec, RemoteSpec)
    assert expanded.spec.headers == {"X-Key": "hush-hush"}
    assert expanded.spec.oauth == OAuth(client_secret="hush-hush", private_key="hush-hush")
    assert "hush-hush" in expanded.secrets


@pytest.mark.parametrize("file", ["opencode.json", ".opencode/opencode.json", ".mcp.json"])
def test_a_file_counts_from_the_file_that_names_it(world, file: str):
    args = ["{file:./key}", "{file:../up}", "{file:/abs}", "{file:~/mine}"]
    written = world.put(file, {"mcpServers": {"x": {"command": "a", "args": args}}})
    folder = written.parent
    expected = (folder / "key", folder.parent / "up", Path("/abs"), world.home / "mine")
    assert world.local("x").args == tuple(f"{{file:{path}}}" for path in expected)


def test_the_files_of_an_editors_folder_count_from_the_project(world):
    world.put(".vscode/mcp.json", {"servers": {"x": {"command": "a", "cwd": "w", "args": ["{file:k}"]}}})
    assert world.local("x").args == (f"{{file:{world.project}/k}}",)
    assert world.local("x").cwd == str(world.project / "w")


def test_a_missing_file_names_itself_the_key_and_the_file_that_names_it(world):
    file = world.put("mooring.json", {"mcp": {"x": {"command": "a", "args": ["{env:A}", "{file:gone}"]}}})
    spec = world.local("x")
    assert isinstance(spec, LocalSpec)
    with pytest.raises(MissingFile) as caught:
        expand_spec(spec, look_up_in({"A": "s3cret"}, {}, world.home))
    for word in (f"`{world.project}/gone`", "`mcp.x.args.1`", f"`{file}`"):
        assert word in caught.value.sentence
    assert "s3cret" not in caught.value.sentence
