"""A connection written down while it is heard."""

from __future__ import annotations

from pathlib import Path

from tests.host.conftest import config, spec
from tests.host.scripted import Scripted

from mooring.core.spec import BadServer
from mooring.core.transcript import Asked, Gone, Message, Note, Replied, Said, Stepped
from mooring.errors import BadEntry
from mooring.host import open_host
from mooring.host.transcript import Transcript, known_of
from mooring.host.trial import Audience, open_way, try_out
from mooring.testing import dial_to
from mooring.upstream.trace import Ended, Frame, HttpAnswer, HttpRequest, Learned, Line


def test_everything_is_written_down_and_nothing_of_it_is_a_secret():
    notes: list[Note] = []
    transcript = Transcript(notes.append)
    transcript.hear(Learned(("hunter22",)))
    transcript.hear(Frame("out", b'{"jsonrpc":"2.0","id":1,"method":"hunter22"}'))
    transcript.hear(Frame("in", b"not json, but hunter22"))
    transcript.hear(Line("hunter22 on stderr"))
    asked = (("x-key", "tiger"), ("mcp-method", "ping"))
    transcript.hear(HttpRequest(7, "POST", "https://h.example/?key=tiger", asked))
    transcript.hear(HttpAnswer(7, 401, (("www-authenticate", "Bearer"),)))
    transcript.hear(Ended(-15))
    kinds = [Message, Message, Said, Asked, Replied, Gone]
    assert [type(note) for note in notes] == kinds
    assert notes[0] == Message(notes[0].at, "out", 44, {"jsonrpc": "2.0", "id": 1, "method": "***"})
    assert notes[1] == Message(notes[1].at, "in", 22, "not json, but ***")
    assert notes[2] == Said(notes[2].at, "*** on stderr")
    shown = (("x-key", "***"), ("mcp-method", "ping"))
    assert notes[3] == Asked(notes[3].at, 7, "POST", "https://h.example/?key=***", shown)
    assert notes[4] == Replied(notes[4].at, 7, "POST", 401, (("www-authenticate", "Bearer"),))
    assert notes[5] == Gone(notes[5].at, -15)


async def test_steps_and_messages_are_told_in_the_order_in_which_they_happened(tmp_path: Path) -> None:
    notes: list[Note] = []
    transcript = Transcript(notes.append)
    entry = spec("it", protocol="legacy", environment={"TOKEN": "hunter22"})
    tool = {"name": "tick", "description": "knows hunter22", "inputSchema": {"type": "object"}}
    with open_way(config(entry), cwd=tmp_path, dial=dial_to({"it": Scripted([tool])})) as way:
        await try_out(way, entry, None, Audience(done=transcript.step, trace=transcript.hear))
    told = [
        note.step.name if isinstance(note, Stepped) else note.value.get("method", "answer")
        for note in notes
        if isinstance(note, Stepped) or (isinstance(note, Message) and isinstance(note.value, dict))
    ]
    assert told[:8] == [
        "configuration",
        "start",
        "initialize",
        "answer",
        "notifications/initialized",
        "handshake",
        "tools/list",
        "answer",
    ]
    assert [note.at for note in notes] == sorted(note.at for note in notes)
    assert "knows ***" in str([note.value for note in notes if isinstance(note, Message)])


async def test_what_is_remembered_is_known_as_a_host_would_use_it(tmp_path: Path) -> None:
    entry, dial = spec("it"), dial_to({"it": Scripted()})
    with open_way(config(entry), cwd=tmp_path, dial=dial) as way:
        assert known_of(way, entry) is None
    async with open_host(config(entry), cwd=tmp_path, dial=dial) as host:
        await host.ready()
    with open_way(config(entry), cwd=tmp_path, dial=dial) as way:
        known = known_of(way, entry)
        assert known is not None
        assert (known.protocol, known.server_version, known.tools, known.prompts) == ("legacy", "1", 1, 0)
        pinned = known_of(way, spec("it", protocol="2025-06-18"))
        assert pinned is not None
        assert pinned.protocol == "2025-06-18"
        assert known_of(way, BadServer("it", (BadEntry("x"),))) is None
        assert known_of(way, spec("it", args=("{env:NOWHERE}",))) is None
