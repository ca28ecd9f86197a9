"""Servers tried out step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.host.conftest import config, spec
from tests.host.scripted import Scripted

from mooring.core.spec import BadServer, Entry, Timeouts
from mooring.core.trial import Step, Trial
from mooring.errors import BadEntry, ListTimeout, MissingVariable, ServerError
from mooring.host.trial import Audience, open_way, try_out
from mooring.testing import dial_to


async def trial(folder: Path, server: Any, entry: Entry | None = None, **heard: Any) -> Trial:
    entry = entry or spec("it", protocol="legacy")
    with open_way(config(entry), cwd=folder, dial=dial_to({"it": server})) as way:
        return await try_out(way, entry, audience=Audience(**heard))


def verdicts(tried: Trial) -> dict[str, str]:
    return {step.name: step.verdict for step in tried.steps}


def step(tried: Trial, name: str) -> Step:
    return next(step for step in tried.steps if step.name == name)


async def test_every_step_is_told_in_its_order_with_what_it_found(tmp_path: Path) -> None:
    begun: list[str] = []
    done: list[Step] = []
    tried = await trial(tmp_path, Scripted(), begins=begun.append, done=done.append)
    assert verdicts(tried) == {
        "configuration": "ok",
        "start": "ok",
        "handshake": "ok",
        "tools": "ok",
        "resources": "ok",
        "templates": "ok",
        "prompts": "skipped",
        "ping": "ok",
        "end": "ok",
    }
    assert begun == [name for name in verdicts(tried) if name != "prompts"]
    assert tuple(done) == tried.steps
    assert step(tried, "handshake").says == "2025-11-25 · scripted 1"
    assert [step(tried, name).says for name in ("tools", "resources", "prompts")] == ["1", "0", "not offered"]
    assert (tried.error, tried.protocol, tried.server_name) == (None, "2025-11-25", "scripted")
    assert all(each.seconds >= 0 for each in tried.steps)


async def test_it_is_asked_in_the_new_era_first_unless_something_else_is_said(tmp_path: Path) -> None:
    server = Scripted()
    assert (await trial(tmp_path, server, spec("it"))).protocol == "2025-11-25"
    assert server.asked["server/discover"] == 1
    await trial(tmp_path, server)
    assert server.asked["server/discover"] == 1


async def test_what_cannot_be_expanded_ends_the_trial_before_anything_is_started(tmp_path: Path) -> None:
    server = Scripted()
    tried = await trial(tmp_path, server, spec("it", args=("{env:NOWHERE}",)))
    assert isinstance(tried.error, MissingVariable)
    assert verdicts(tried).pop("configuration") == "failed"
    assert {step.verdict for step in tried.steps[1:]} == {"skipped"}
    assert server.connections == 0


async def test_a_bad_entry_says_everything_that_is_wrong_with_it(tmp_path: Path) -> None:
    entry = BadServer("it", (BadEntry("this"), BadEntry("that")))
    tried = await trial(tmp_path, Scripted(), entry)
    first = tried.steps[0]
    assert (first.verdict, first.says, first.notes) == ("failed", "this", ("that",))


async def test_a_list_that_is_refused_costs_that_step_and_no_other(tmp_path: Path) -> None:
    refused = {"error": {"code": -32603, "message": "no hunter22 here"}}
    entry = spec("it", protocol="legacy", environment={"TOKEN": "hunter22"})
    tried = await trial(tmp_path, Scripted(tools_list=refused), entry)
    assert isinstance(tried.error, ServerError)
    assert "no *** here" in step(tried, "tools").says
    assert tried.error.sentence == step(tried, "tools").says
    assert (verdicts(tried)["resources"], verdicts(tried)["ping"]) == ("ok", "ok")


async def test_a_server_without_templates_or_ping_is_none_the_worse(tmp_path: Path) -> None:
    no = {"error": {"code": -32601, "message": "no"}}
    tried = await trial(tmp_path, Scripted(resources_templates_list=no, ping=no))
    assert tried.error is None
    assert (verdicts(tried)["templates"], verdicts(tried)["ping"]) == ("skipped", "note")


async def test_a_server_that_falls_silent_is_asked_no_more(tmp_path: Path) -> None:
    quick = spec("it", protocol="legacy", timeouts=Timeouts(start=5, list=0.05, call=5))
    server = Scripted(tools_list="nothing")
    tried = await trial(tmp_path, server, quick)
    assert isinstance(tried.error, ListTimeout)
    assert [verdicts(tried)[name] for name in ("tools", "resources", "ping")] == [
        "failed",
        "skipped",
        "skipped",
    ]
    assert verdicts(tried)["end"] == "ok"


async def test_a_server_that_leaves_in_the_middle_fails_where_it_left(tmp_path: Path) -> None:
    server = Scripted()
    server.on["tools_list"] = lambda _params: server.leave.set() or "nothing"
    tried = await trial(tmp_path, server)
    assert [verdicts(tried)[name] for name in ("handshake", "tools", "resources", "end")] == [
        "ok",
        "failed",
        "skipped",
        "skipped",
    ]


async def test_an_item_that_cannot_be_used_is_noted(tmp_path: Path) -> None:
    tools = [{"name": "tick", "inputSchema": {"type": "object"}}, {"no": "name"}]
    tried = await trial(tmp_path, Scripted(tools))
    found = step(tried, "tools")
    assert (found.verdict, found.says, len(found.notes)) == ("note", "1, and 1 left out", 1)


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
async def test_whoever_wants_hears_the_messages_too(tmp_path: Path, protocol: str) -> None:
    heard: list[Any] = []
    await trial(tmp_path, Scripted(), spec("it", protocol=protocol), trace=heard.append)
    kinds = [type(each).__name__ for each in heard]
    assert kinds[:2] == ["Learned", "Took"]
    assert kinds.count("Frame") > 8
