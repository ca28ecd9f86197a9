"""What servers offer, and what came back from them, as JSON."""

from __future__ import annotations

from mooring.core import views
from mooring.core.catalog import Catalog
from mooring.core.listing import Listing
from mooring.core.names import Names
from mooring.core.search import Index

CATALOG = Catalog.build(
    [
        Listing.read(
            "notes",
            tools=[{"name": "add", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}],
            resources=[{"uri": "notes://all", "name": "all", "mimeType": "text/plain", "size": 4}],
            templates=[{"uriTemplate": "notes://{id}", "name": "one"}],
            prompts=[{"name": "sum up", "arguments": [{"name": "tone", "required": True}]}],
        )
    ],
    Names(["notes"]),
)


def test_a_tool_is_known_by_its_public_name_and_its_own():
    view = views.tool(CATALOG.tools()[0])
    assert (view["name"], view["server"], view["tool"]) == ("notes_add", "notes", "add")
    assert (view["readOnly"], view["destructive"], view["openWorld"]) == (True, False, True)
    assert (view["inputSchema"], view["outputSchema"]) == ({"type": "object"}, None)


def test_a_resource_and_a_template_are_known_by_their_address():
    assert views.resource(CATALOG.resources()[0])["uri"] == "notes://all"
    assert views.resource(CATALOG.resources()[0])["size"] == 4
    assert views.template(CATALOG.templates()[0])["uriTemplate"] == "notes://{id}"


def test_a_prompt_shows_its_gaps():
    view = views.prompt(CATALOG.prompts()[0])
    assert (view["name"], view["prompt"]) == ("notes:sum_up", "sum up")
    assert view["arguments"] == [{"name": "tone", "description": "", "required": True}]


def test_what_was_found_is_one_line_with_what_it_cannot_do_without():
    view = views.hit(Index.of(CATALOG).find("sum up")[0])
    assert (view["kind"], view["name"], view["required"]) == ("prompt", "notes:sum_up", ["tone"])


def test_results_keep_their_parts_as_the_server_sent_them():
    text = {"type": "text", "text": "hello", "later": 1}
    assert views.result({"content": [text]}) == {"content": [text], "structured": None, "isError": False}
    assert views.result({"content": text, "isError": True})["content"] == [text]
    assert views.result({"structuredContent": {"a": 1}})["structured"] == {"a": 1}
    assert views.contents({"contents": [{"uri": "a:b", "text": "c"}]})["contents"][0]["text"] == "c"
    assert views.messages({"messages": []}) == {"description": None, "messages": []}
