"""What came back from a call, as a person reads it."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from mooring.cli.colours import coloured
from mooring.cli.keep import Keep
from mooring.cli.pictures import drawn
from mooring.cli.result import Paper, show, show_contents, show_messages
from mooring.errors import OutputRefused

PNG = b"\x89PNG\r\n\x1a\n" + b"picture" * 900
IMAGE = {"type": "image", "data": b64encode(PNG).decode(), "mimeType": "image/png"}
PIPE = Paper({})


def test_text_goes_into_a_pipe_as_it_came(capsys):
    show({"content": [{"type": "text", "text": '{"a":1}'}, {"type": "text", "text": "\tb\u200bc"}]}, PIPE)
    assert capsys.readouterr().out == '{"a":1}\n\tb\u200bc\n'


def test_structured_content_is_readable_and_not_there_twice(capsys):
    show({"content": [{"type": "text", "text": '{"a":1}'}], "structuredContent": {"a": 1}}, PIPE)
    show({"content": [], "structuredContent": {"a": [1]}}, PIPE)
    assert capsys.readouterr().out == '{"a":1}\n{\n  "a": [\n    1\n  ]\n}\n'


def test_on_a_terminal_nothing_in_a_text_can_act_and_json_is_readable(capsys):
    paper = Paper({}, is_terminal=True)
    show({"content": [{"type": "text", "text": "\x1b[2Jhello"}, {"type": "text", "text": '{"a":1}'}]}, paper)
    assert capsys.readouterr().out == 'hello\n{\n  "a": 1\n}\n'
    assert coloured('{"a": "b: 1"}').count("\x1b[0m") == 2


def test_a_tools_error_is_talk(capsys):
    show({"content": [{"type": "text", "text": "no such note"}], "isError": True}, PIPE)
    show({"isError": True}, PIPE)
    heard = capsys.readouterr()
    assert heard.out == ""
    assert "The tool reported an error:\nno such note" in heard.err
    assert "gave no reason" in heard.err


def test_what_is_no_text_is_named_in_one_line(capsys):
    link = {
        "type": "resource_link",
        "uri": "file:///a\nb",
        "name": "A",
        "mimeType": "text/plain",
        "size": 1200,
    }
    blob = {"type": "resource", "resource": {"uri": "x:y", "blob": "QUJD", "mimeType": "font/woff"}}
    odd = {"type": "image", "data": "\x1b]not base64", "mimeType": "image/png"}
    show({"content": [IMAGE, link, blob, odd, {"type": "smell\x1b[2J"}, 5]}, PIPE)
    assert capsys.readouterr().out.splitlines() == [
        "[image png 7 kB: --save DIR keeps it]",
        "[link A <file:///a b> (text/plain, 2 kB)]",
        "[file font/woff x:y 3 B: --save DIR keeps it]",
        "[image png: damaged, it is no Base64]",
        "[content of an unknown type smell]",
        "[content without a type]",
    ]


def test_what_is_saved_replaces_nothing_and_is_named_by_us(capsys, tmp_path: Path):
    folder = tmp_path / "deep" / "out"
    paper = Paper({}, Keep(folder, "../draw it"))
    folder.mkdir(parents=True)
    (folder / "draw-it-1.png").write_bytes(b"mine")
    audio = {"type": "audio", "data": "QUJD", "mimeType": "audio/x-made-up; a=b"}
    show({"content": [IMAGE, IMAGE, audio]}, paper)
    assert (folder / "draw-it-1.png").read_bytes() == b"mine"
    assert (folder / "draw-it-3.png").read_bytes() == PNG
    assert (folder / "draw-it-1.bin").read_bytes() == b"ABC"
    assert f"[image png 7 kB: saved as {folder}/draw-it-2.png]" in capsys.readouterr().out
    with pytest.raises(OutputRefused):
        Keep(folder / "draw-it-1.png", "x").put(b"", "image/png")


def test_a_terminal_that_can_draw_draws(capsys):
    show({"content": [IMAGE]}, Paper({"KITTY_WINDOW_ID": "1"}, is_terminal=True))
    kitty = drawn(PNG, "image/png", {"TERM": "xterm-kitty"})
    assert kitty is not None
    assert kitty.startswith("\x1b_Gf=100,a=T,m=1;")
    assert kitty.count("\x1b_G") == 3
    assert kitty.endswith("\x1b\\")
    assert (drawn(PNG, "image/png", {"TERM_PROGRAM": "iTerm.app"}) or "").startswith(
        "\x1b]1337;File=inline=1;"
    )


@pytest.mark.parametrize(
    "env",
    [{}, {"TERM": "xterm"}, {"TERM": "tmux", "KITTY_WINDOW_ID": "1"}, {"TMUX": "1", "LC_TERMINAL": "iTerm2"}],
)
def test_every_other_terminal_gets_words(env: dict[str, str]):
    assert drawn(PNG, "image/png", env) is None


def test_a_resource_is_its_texts_and_a_prompt_its_messages(capsys):
    show_contents({"contents": [{"uri": "a:b", "text": "one"}, {"uri": "a:c", "blob": "QUJD"}, 3]}, PIPE)
    show_messages({"messages": [{"role": "user", "content": {"type": "text", "text": "Sum up"}}]}, PIPE)
    heard = capsys.readouterr()
    assert heard.out.splitlines() == [
        "one",
        "[file application/octet-stream a:c 3 B: --save DIR keeps it]",
        "Sum up",
    ]
    assert "user" in heard.err
