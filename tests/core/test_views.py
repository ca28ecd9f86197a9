"""What leaves the process is JSON, and no secret is in it."""

from __future__ import annotations

import json

from mooring.core.merge import Branch, lift
from mooring.core.spec import BadServer, Layer, LocalSpec, OAuth, Origin, RemoteSpec, Source
from mooring.core.views import entry_view, error_view, origin_view, problem_views, tree_view, value_views
from mooring.errors import BadEntry, Spot, UnknownKey

SECRET = "sk-proj-9f8e7d6c5b4a39281706"
FILE = Source(Layer.PROJECT, "/p/mooring.json", "/p")
SPOT = Spot("/p/mooring.json", 3, 5, '"a": 1')


def test_an_error_is_its_code_its_words_and_its_place():
    error = BadEntry("`x` is bad", hint="mend it", spot=SPOT)
    assert error_view(error) == {
        "code": "MOOR-CONFIG-005",
        "message": "`x` is bad",
        "hint": "mend it",
        "file": "/p/mooring.json",
        "line": 3,
        "column": 5,
        "text": '"a": 1',
    }
    assert error_view(BadEntry("`x` is bad")) == {
        "code": "MOOR-CONFIG-005",
        "message": "`x` is bad",
        "hint": "",
    }


def test_errors_and_notices_are_told_apart():
    views = problem_views([BadEntry("a"), UnknownKey("b")])
    assert [view["severity"] for view in views] == ["error", "notice"]


def test_a_message_cannot_act_on_the_terminal():
    assert (
        "\x1b" not in json.dumps(error_view(BadEntry("\x1b[2J"))) + error_view(BadEntry("\x1b[2J"))["message"]
    )


def test_a_local_server_shows_its_references_and_no_secret():
    environment = {"API_KEY": SECRET, "OTHER": "{env:OTHER}", "DEBUG": "true"}
    spec = LocalSpec(name="x", command="a", args=("--token", SECRET, "b"), environment=environment)
    view = entry_view(spec)
    assert view["command"][0] == "a"
    assert view["command"][3] == "b"
    assert view["environment"]["OTHER"] == "{env:OTHER}"
    assert SECRET not in json.dumps(view)


def test_a_remote_server_shows_its_references_and_no_secret():
    oauth = OAuth(client_id="i", client_secret=SECRET, scope="s")
    url = f"https://user:{SECRET}@h.example/mcp?api_key={SECRET}"
    headers = {"Authorization": f"Bearer {SECRET}", "X-Key": "{env:K}"}
    command = ("get", "--token", SECRET)
    spec = RemoteSpec(name="x", url=url, headers=headers, headers_command=command, oauth=oauth)
    view = entry_view(spec)
    assert view["headers"]["X-Key"] == "{env:K}"
    assert view["oauth"]["clientId"] == "i"
    assert "h.example" in view["url"]
    assert SECRET not in json.dumps(view)


def test_oauth_that_is_off_and_a_server_that_is_bad_say_so():
    assert entry_view(RemoteSpec(name="x", url="https://h", oauth=None))["oauth"] is False
    assert entry_view(BadServer("x", (BadEntry("a"),))) == {
        "name": "x",
        "errors": [{"code": "MOOR-CONFIG-005", "message": "a", "hint": ""}],
    }


def test_an_origin_is_its_layer_and_its_place():
    assert origin_view(Origin(FILE, ("mcp",)), Spot("/p/mooring.json", 3)) == {
        "layer": "project",
        "file": "/p/mooring.json",
        "line": 3,
    }
    assert origin_view(None, None) == {}


def tree() -> Branch:
    servers = {"x": {"environment": {"API_KEY": SECRET, "DEBUG": "1"}, "enabled": True}}
    node = lift({"mcp": servers, "model": "a/b"}, Origin(FILE))
    assert isinstance(node, Branch)
    return node


def test_a_part_of_the_tree_is_masked_by_what_stands_above_it():
    assert tree_view(tree(), ("mcp", "x", "enabled")) is True
    assert SECRET not in json.dumps(tree_view(tree()))
    assert SECRET not in json.dumps(tree_view(tree(), ("mcp", "x", "environment", "API_KEY")))
    assert tree_view(tree(), ("mcp", "nobody")) is None
    assert tree_view(tree(), ("model", "deeper")) is None


def test_every_value_is_listed_with_its_key_and_its_origin():
    views = value_views(tree(), lambda origin: Spot(origin.source.name, len(origin.path)), ".".join)
    assert [view["key"] for view in views] == [
        "mcp.x.environment.API_KEY",
        "mcp.x.environment.DEBUG",
        "mcp.x.enabled",
        "model",
    ]
    assert views[-1] == {"key": "model", "value": "a/b", "layer": "project", "file": FILE.name, "line": 1}
    assert SECRET not in json.dumps(views)
