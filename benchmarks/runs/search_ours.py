"""The share of requests that have an acceptable tool among our first five; or what the index costs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from mooring.core.catalog import Catalog
from mooring.core.chinese import in_english
from mooring.core.fusion import fused
from mooring.core.listing import Listing
from mooring.core.names import Names
from mooring.core.search import Index
from mooring.gateway.finder import gist
from mooring.meaning.meanings import open_meanings

sys.path.insert(0, str(Path(__file__).parents[1]))
from wishes import asked, catalogue

FIRST, DEEP = 5, 60


def main(ranking: str, which: str, file: str) -> float:
    tools = catalogue(Path(file))
    catalog = Catalog.build([Listing.read(server, tools=own) for server, own in tools.items()], Names(tools))
    entries = catalog.tools()
    places = {entry.name: place for place, entry in enumerate(entries)}
    before, began = resident(), time.process_time()
    index = Index.of_tools(catalog)
    if which == "build":
        return time.process_time() - began
    if which == "resident":
        return resident() - before

    def by_words(request: str) -> list[int]:
        return [places[hit.entry.name] for hit in index.find(request, DEEP)]

    find: Callable[[str], list[int]] = by_words
    if ranking == "meaning":
        meanings = open_meanings(Path.home() / "vectors", Path(os.environ["MOORING_BENCH_MODEL"]))
        space = meanings.space([gist(entry) for entry in entries], Event())
        assert space is not None

        def by_both(request: str) -> list[int]:
            said = " ".join(in_english(request)) or request
            return fused(by_words(request), space.nearest(said)[:DEEP])

        find = by_both
    requests = asked("seen" if which == "query" else which, tools)
    began = time.process_time()
    found = [
        wanted & {f"{entries[at].server}/{entries[at].item.name}" for at in find(request)[:FIRST]}
        for request, wanted in requests
    ]
    if which == "query":
        return (time.process_time() - began) / len(requests)
    return sum(map(bool, found)) / len(requests)


def resident() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


print(main(*sys.argv[1:4]))
