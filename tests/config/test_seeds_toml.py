"""The TOML examples of the documents this product goes back to, as they were written, in `.opencode/`."""

from __future__ import annotations

import pytest

from mooring.core.spec import OAuth

FILES = [
    (
        ".opencode/config.toml",
        """[mcp.filesystem]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem", "/path"]
""",
        "filesystem",
        ("npx", "-y", "@modelcontextprotocol/server-filesystem", "/path"),
    ),
    (
        ".opencode/config.toml",
        """[mcp.git]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-git"]
""",
        "git",
        ("npx", "-y", "@modelcontextprotocol/server-git"),
    ),
    (
        ".opencode/config.toml",
        """[mcp.brave_search]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-brave-search"]
env = { "BRAVE_API_KEY" = "your-key" }
""",
        "brave_search",
        ("npx", "-y", "@modelcontextprotocol/server-brave-search"),
    ),
]


def local(world, name: str) -> tuple[str, ...]:
    spec = world.local(name)
    return (spec.command, *spec.args)


@pytest.mark.parametrize(("file", "text", "name", "command"), FILES)
def test_a_local_example(world, file: str, text: str, name: str, command: tuple[str, ...]):
    world.put(file, text)
    assert local(world, name) == command
    key = {"BRAVE_API_KEY": "your-key"} if name == "brave_search" else {}
    assert world.local(name).environment == key
    assert world.load().config.problems == ()


TOML = """# Stdio transport (local process)
[mcp.filesystem]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/project"]

# SSE transport (HTTP Server-Sent Events)
[mcp.database]
url = "http://localhost:3000/sse"
headers = { "Authorization" = "Bearer token123" }

# HTTP transport (Streamable HTTP)
[mcp.web_api]
url = "http://localhost:8080"
headers = { "X-API-Key" = "key123" }

# OAuth-enabled server
[mcp.github]
url = "https://mcp-github.example.com"
oauth = true
"""


def test_the_toml_example(world):
    world.put(".opencode/config.toml", TOML)
    assert local(world, "filesystem")[2:] == ("@modelcontextprotocol/server-filesystem", "/path/to/project")
    found = {name: world.remote(name) for name in ("database", "web_api", "github")}
    assert {name: spec.url for name, spec in found.items()} == {
        "database": "http://localhost:3000/sse",
        "web_api": "http://localhost:8080",
        "github": "https://mcp-github.example.com",
    }
    assert found["database"].headers == {"Authorization": "Bearer token123"}
    assert found["web_api"].headers == {"X-API-Key": "key123"}
    assert found["github"].oauth == OAuth()
    assert world.load().config.problems == ()


def test_the_toml_example_of_a_slow_server(world):
    text = '[mcp.slow_server]\ncommand = "python"\nargs = ["server.py"]\n\n[experimental]\n'
    world.put(".opencode/config.toml", f"{text}mcp_timeout = 60000  # 60 seconds (default 30s)\n")
    spec = world.local("slow_server")
    assert local(world, "slow_server") == ("python", "server.py")
    assert (spec.timeouts.start, spec.timeouts.list, spec.timeouts.call) == (60, 60, 60)
    assert world.load().config.problems == ()
