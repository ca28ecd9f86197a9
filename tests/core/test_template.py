"""References are filled in after parsing: a value is text, whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.spec import Layer, LocalSpec, OAuth, Origin, RemoteSpec, Source
from mooring.core.template import Syntax, Variable, canonical, expand, expand_spec, texts, variables
from mooring.errors import MissingFile, MissingVariable

NASTY = st.text(st.sampled_from('{}$:"\\-env file,AB'), max_size=30)
FILE = Source(Layer.PROJECT, "/p/mooring.json", "/p")
ORIGINS = (Origin(FILE, ("mcp", "x")),)


def looking_up(**values: str):
    return lambda variable: values.get(variable.name)


def shell(text: str, **folders: str) -> str:
    return canonical(text, Syntax.SHELL, folders, lambda path: f"/abs/{path}")


# --- filling in


def test_every_kind_of_reference_is_filled_in():
    values = {"env:A": "1", "file:/f": "2", "input:i": "3"}
    text, used = expand("<{env:A}|{file:/f}|{input:i}>", lambda v: values[f"{v.kind}:{v.name}"], "k")
    assert (text, used) == ("<1|2|3>", ["1", "2", "3"])


@given(NASTY, NASTY)
def test_a_value_is_never_looked_at_again(value: str, other: str):
    text, used = expand("<{env:A}|{env:B}>", looking_up(A=value, B=other), "k")
    assert text == f"<{value}|{other}>"
    assert used == [value, other]


@given(NASTY)
def test_a_text_without_references_stays_as_it_is(text: str):
    if not list(variables(text)):
        assert expand(text, looking_up(), "k") == (text, [])


@given(NASTY)
def test_a_value_can_neither_add_an_argument_nor_a_variable(value: str):
    spec = LocalSpec(name="x", command="c", args=("{env:A}",), environment={"K": "{env:A}"}, origins=ORIGINS)
    expanded = expand_spec(spec, looking_up(A=value)).spec
    assert isinstance(expanded, LocalSpec)
    assert expanded.args == (value,)
    assert expanded.environment == {"K": value}


def test_a_default_counts_only_where_there_is_no_value():
    assert expand("{env:A:-d}", looking_up(), "k")[0] == "d"
    assert expand("{env:A:-}", looking_up(), "k")[0] == ""
    assert expand("{env:A:-d}", looking_up(A="v"), "k")[0] == "v"
    assert expand("{env:A:-d}", looking_up(A=""), "k")[0] == ""


def test_a_missing_variable_names_itself_the_key_and_the_file_and_no_other_value():
    spec = LocalSpec(name="x", command="c", environment={"K": "{env:SET}-{env:GONE}"}, origins=ORIGINS)
    with pytest.raises(MissingVariable) as caught:
        expand_spec(spec, looking_up(SET="s3cret"))
    for word in ("`GONE`", "`mcp.x.environment.K`", "`/p/mooring.json`"):
        assert word in caught.value.sentence
    assert caught.value.hint == "export GONE=…"
    assert "s3cret" not in f"{caught.value.sentence}{caught.value.hint}"


def test_a_missing_file_and_a_missing_input_say_what_to_do():
    with pytest.raises(MissingFile, match="`/f` cannot be read"):
        expand("{file:/f}", looking_up(), "k")
    with pytest.raises(MissingVariable) as caught:
        expand("{input:api-key}", looking_up(), "k")
    assert caught.value.hint == "export MOORING_INPUT_API_KEY=…"


def test_the_key_in_an_error_is_the_whole_path():
    spec = RemoteSpec(name="x", url="https://h", oauth=OAuth(client_secret="{env:S}"), origins=ORIGINS)
    with pytest.raises(MissingVariable, match=r"mcp\.x\.oauth\.client_secret"):
        expand_spec(spec, looking_up())


LOCAL = LocalSpec(
    name="x",
    command="{env:A}0",
    args=("{env:A}1", "{env:A}2"),
    cwd="{env:A}3",
    environment={"K": "{env:A}4"},
    env_file="{env:A}5",
)
REMOTE = RemoteSpec(
    name="x",
    url="{env:A}0",
    headers={"H": "{env:A}1"},
    headers_command=("{env:A}2",),
    oauth=OAuth(
        client_id="{env:A}3",
        client_secret="{env:A}4",
        scope="{env:A}5",
        redirect_uri="{env:A}6",
        authorization_url="{env:A}7",
        token_url="{env:A}8",
    ),
)


@pytest.mark.parametrize("spec", [LOCAL, REMOTE], ids=["local", "remote"])
def test_every_text_of_a_spec_is_filled_in_and_every_value_is_a_secret(spec: LocalSpec | RemoteSpec):
    before = dict(texts(spec))
    expanded = expand_spec(spec, looking_up(A="s3cret"))
    after = dict(texts(expanded.spec))
    assert after == {key: value.replace("{env:A}", "s3cret") for key, value in before.items()}
    assert len(set(after.values())) == len(after) >= 6
    assert expanded.secrets[0] == "s3cret"
    assert "secrets" not in repr(expanded)


def test_what_is_written_out_is_a_secret_too():
    local = LocalSpec(
        name="x",
        command="serve",
        args=("--token=hunter22", "--verbose"),
        environment={"KEY": "hunter33", "LOG_LEVEL": "debug", "HOME": "/srv"},
    )
    assert expand_spec(local, looking_up()).secrets == ("hunter33", "hunter22")
    remote = RemoteSpec(
        name="x", url="https://h.example/mcp?key=hunter44", headers={"Authorization": "Bearer hunter55"}
    )
    assert expand_spec(remote, looking_up()).secrets == ("Bearer hunter55", "hunter55", "hunter44")


# --- other clients' spellings


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("${A}", "{env:A}"),
        ("${A:-d e}", "{env:A:-d e}"),
        ("${A:-}", "{env:A:-}"),
        ("a${A}b${B}", "a{env:A}b{env:B}"),
        ("$A", "$A"),
        ("${1}", "${1}"),
        ("${A-d}", "${A-d}"),
        ("$${A}", "${env:A}"),
        ("{file:x}", "{file:/abs/x}"),
        ("{env:A}", "{env:A}"),
    ],
)
def test_a_shells_spelling_becomes_ours(text: str, ours: str):
    assert shell(text) == ours


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("${env:A}", "{env:A}"),
        ("${input:k}", "{input:k}"),
        ("${workspaceFolder}/x", "/w/x"),
        ("${/}", "/"),
        ("${config:a.b}", "${config:a.b}"),
    ],
)
def test_an_editors_spelling_becomes_ours(text: str, ours: str):
    folders = {"workspaceFolder": "/w", "/": "/"}
    assert canonical(text, Syntax.EDITOR, folders, str) == ours


def test_opencode_knows_no_dollar():
    assert canonical("${A}", Syntax.OPENCODE, {}, str) == "${A}"


def test_references_are_found_in_their_order():
    found = list(variables("{env:A:-d}{file:./a:-b}{input:i}{other:x}{env:}"))
    assert found == [Variable("env", "A", "d"), Variable("file", "./a:-b"), Variable("input", "i")]
    assert [str(variable) for variable in found] == ["{env:A}", "{file:./a:-b}", "{input:i}"]
