"""Whatever a file holds, loading it ends in servers and problems, never in an exception."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from mooring.config.build import build
from mooring.config.dialects import read_tree
from mooring.config.keys import OAUTH, SERVER, TIMEOUTS, TOOLS, TOP
from mooring.config.places import Dialect, Place
from mooring.config.trust import is_gated, launch_of
from mooring.core.merge import EMPTY, laid, leaves
from mooring.core.policy import Policy
from mooring.core.spec import BadServer, Config, Layer
from mooring.core.template import texts
from mooring.core.views import entry_view

FOREIGN = ("disabled", "bearer_token_env_var", "env_http_headers", "startup_timeout_sec", "tool_timeout_sec")
FOREIGN += (
    "enabled_tools",
    "disabled_tools",
    "scopes",
    "mcpServers",
    "servers",
    "mcp_servers",
    "path",
    "id",
    "default",
)
WORDS = [
    word
    for keys in (SERVER, TIMEOUTS, TOOLS, OAUTH, TOP)
    for key in keys
    for word in (key.name, *key.aliases)
]
KEYS = st.sampled_from([*WORDS, *FOREIGN, "x", "y"])
TEXTS = st.sampled_from(
    [
        "",
        "a",
        "local",
        "remote",
        "stdio",
        "http",
        "https://h.example",
        "deny",
        "allow",
        "dney",
        "{env:A}",
        "${B}",
    ]
)
NUMBERS = st.sampled_from([0, 1, -1, 5000, 1.5, 1e308, 10**400, True, False])
LEAVES = st.none() | TEXTS | NUMBERS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
ENTRIES = st.dictionaries(KEYS, VALUES, max_size=5)
SERVERS = st.dictionaries(st.sampled_from(["x", "y", "servers", "timeout"]), ENTRIES | VALUES, max_size=3)
TREES = st.dictionaries(KEYS, VALUES, max_size=3).flatmap(
    lambda tree: st.sampled_from(["mcp", "mcpServers", "mcp_servers", "servers"]).flatmap(
        lambda key: SERVERS.map(lambda servers: {**tree, key: servers})
    )
)


def built(*trees: dict[str, Any], dialect: Dialect = Dialect.NATIVE) -> Config:
    merged = EMPTY
    for layer, tree in zip((Layer.GLOBAL, Layer.PROJECT, Layer.INLINE), trees, strict=False):
        merged = laid(merged, read_tree(tree, Place(layer, layer.value, "/p", dialect), "/h").tree)
    return build(merged, lambda _: None)


@given(TREES, TREES, st.sampled_from(list(Dialect)))
def test_two_layers_of_anything_become_servers_or_say_what_is_wrong(
    one: dict[str, Any], other: dict[str, Any], dialect: Dialect
):
    config = built(one, other, dialect=dialect)
    for name, entry in config.servers.items():
        assert entry.name == name
        json.dumps(entry_view(entry))
        if isinstance(entry, BadServer):
            assert entry.errors
            continue
        assert all(isinstance(text, str) for _, text in texts(entry))
        is_gated(entry)
        launch_of(entry, {"PATH": "/bin"}, "/p")


@given(TREES, TREES)
def test_what_is_left_of_the_permissions_can_always_be_used(one: dict[str, Any], other: dict[str, Any]):
    Policy.of(built(one, other).settings, "build")


@given(TREES)
@example({"mooring": None})
def test_every_value_of_the_tree_names_a_place_in_its_source(tree: dict[str, Any]):
    reading = read_tree(tree, Place(Layer.PROJECT, "f", "/p"), "/h")
    for _, leaf in leaves(reading.tree):
        value: Any = tree
        for key in leaf.origin.path:
            value = value[key]


@given(TREES)
def test_reading_changes_nothing_in_what_was_parsed(tree: dict[str, Any]):
    before = repr(tree)
    read_tree(tree, Place(Layer.PROJECT, "f", "/p"), "/h")
    assert repr(tree) == before
