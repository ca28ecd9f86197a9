"""From an old configuration to a new one: nothing happens that does not have to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mooring.core.plan import Plan, plan
from mooring.core.spec import (
    BadServer,
    Config,
    Entry,
    Layer,
    LocalSpec,
    OAuth,
    Origin,
    RemoteSpec,
    Source,
    Timeouts,
    ToolFilter,
)
from mooring.errors import BadEntry

LOCAL = LocalSpec(name="x", command="a", args=("b",))
REMOTE = RemoteSpec(name="x", url="https://h.example")
BAD = BadServer("x", (BadEntry("bad"),))
OFF = replace(LOCAL, enabled=False)
ENTRIES = st.sampled_from([LOCAL, REMOTE, BAD, OFF, replace(LOCAL, command="c")])
CONFIGS = st.dictionaries(st.sampled_from("wxyz"), ENTRIES).map(Config)


def of(entry: Entry | None) -> Config:
    return Config({} if entry is None else {"x": entry})


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, LOCAL, Plan(start=("x",))),
        (LOCAL, None, Plan(stop=("x",))),
        (OFF, LOCAL, Plan(start=("x",))),
        (LOCAL, OFF, Plan(stop=("x",))),
        (BAD, LOCAL, Plan(start=("x",))),
        (LOCAL, BAD, Plan(stop=("x",))),
        (LOCAL, REMOTE, Plan(restart=("x",))),
        (LOCAL, LOCAL, Plan(keep=("x",))),
        (OFF, None, Plan()),
        (BAD, OFF, Plan()),
    ],
)
def test_what_came_goes_and_changed(before: Entry | None, after: Entry | None, expected: Plan):
    assert plan(of(before), of(after)) == expected


@pytest.mark.parametrize(
    ("spec", "change"),
    [
        (LOCAL, {"command": "c"}),
        (LOCAL, {"args": ()}),
        (LOCAL, {"cwd": "/w"}),
        (LOCAL, {"environment": {"A": "1"}}),
        (LOCAL, {"env_file": ".env"}),
        (LOCAL, {"inherit": True}),
        (LOCAL, {"protocol": "legacy"}),
        (REMOTE, {"url": "https://other.example"}),
        (REMOTE, {"headers": {"A": "1"}}),
        (REMOTE, {"headers_command": ("a",)}),
        (REMOTE, {"transport": "sse"}),
        (REMOTE, {"oauth": None}),
        (REMOTE, {"oauth": OAuth(client_id="i")}),
    ],
)
def test_what_a_connection_depends_on_restarts_it(spec: LocalSpec | RemoteSpec, change: dict[str, Any]):
    assert plan(of(spec), of(replace(spec, **change))) == Plan(restart=("x",))


@pytest.mark.parametrize(
    "change",
    [
        {"timeouts": Timeouts(call=1)},
        {"tools": ToolFilter(include=("a",))},
        {"required": True},
        {"lazy": True},
        {"trusted": True},
        {"origins": (Origin(Source(Layer.GLOBAL, "f", "/")),)},
    ],
)
@pytest.mark.parametrize("spec", [LOCAL, REMOTE], ids=["local", "remote"])
def test_settings_never_restart_anything(spec: LocalSpec | RemoteSpec, change: dict[str, Any]):
    assert plan(of(spec), of(replace(spec, **change))) == Plan(keep=("x",))


@given(CONFIGS, CONFIGS)
def test_every_name_is_in_one_list_and_the_lists_lead_from_one_to_the_other(old: Config, new: Config):
    made = plan(old, new)
    lists = (made.start, made.stop, made.restart, made.keep)
    running = {name for name, entry in old.servers.items() if getattr(entry, "enabled", False)}
    wanted = {name for name, entry in new.servers.items() if getattr(entry, "enabled", False)}
    assert sum(map(len, lists)) == len({*running, *wanted})
    assert running - {*made.stop} | {*made.start} == wanted


@given(CONFIGS)
def test_nothing_changes_when_nothing_changed(config: Config):
    made = plan(config, config)
    assert (made.start, made.stop, made.restart) == ((), (), ())
