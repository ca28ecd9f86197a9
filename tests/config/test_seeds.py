"""Every example of the documents this product goes back to, as it was written and where it was meant."""

from __future__ import annotations

import pytest

from mooring.core.spec import OAuth

COMPLETE = """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    // ========== 本地 MCP 服务器示例 ==========
    "filesystem": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/user/docs"],
      "enabled": true,
      "timeout": 30000,
      "environment": {
        "DEBUG": "true"
      }
    },

    "everything": {
      "type": "local",
      "command": ["bun", "x", "@modelcontextprotocol/server-everything"],
      "enabled": true
    },

    // ========== 远程 MCP 服务器示例（无认证）==========
    "context7": {
      "type": "remote",
      "url": "https://mcp.context7.com/mcp",
      "enabled": true,
      "headers": {
        "CONTEXT7_API_KEY": "{env:CONTEXT7_API_KEY}"
      },
      "timeout": 30000
    },

    // ========== 远程 MCP 服务器示例（OAuth 自动发现）==========
    "sentry": {
      "type": "remote",
      "url": "https://mcp.sentry.dev/mcp",
      "oauth": {},
      "enabled": true
    },

    // ========== 远程 MCP 服务器示例（预注册 OAuth）==========
    "github-mcp": {
      "type": "remote",
      "url": "https://api.github.com/mcp",
      "oauth": {
        "clientId": "{env:GITHUB_CLIENT_ID}",
        "clientSecret": "{env:GITHUB_CLIENT_SECRET}",
        "scope": "repo read:user"
      },
      "enabled": true
    },

    // ========== 远程 MCP 服务器示例（禁用 OAuth）==========
    "api-key-server": {
      "type": "remote",
      "url": "https://mcp.example.com/api",
      "oauth": false,
      "headers": {
        "Authorization": "Bearer {env:MCP_API_KEY}"
      },
      "enabled": true
    },

    // ========== 禁用远程默认配置 ==========
    "jira": {
      "enabled": false
    }
  },

  // ========== 工具级别控制 ==========
  "tools": {
    "filesystem_*": true,
    "context7_*": true,
    "sentry_*": false,
    "github-mcp_*": true
  },

  // ========== Agent 级别工具控制 ==========
  "agent": {
    "primary": {
      "tools": {
        "sentry_*": true
      }
    }
  },

  // ========== 实验性配置 ==========
  "experimental": {
    "mcp_timeout": 60000
  }
}
"""


def local(world, name: str) -> tuple[str, ...]:
    spec = world.local(name)
    return (spec.command, *spec.args)


@pytest.mark.parametrize("file", ["opencode.json", "opencode.jsonc", ".opencode/opencode.json"])
def test_the_complete_example(world, file: str):
    world.put(file, COMPLETE)
    names = ["filesystem", "everything", "context7", "sentry", "github-mcp", "api-key-server"]
    loaded = world.load().config
    assert [*loaded.servers] == names
    assert all(spec.enabled for spec in loaded.servers.values())
    filesystem = ("npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/user/docs")
    assert local(world, "filesystem") == filesystem
    assert world.local("filesystem").environment == {"DEBUG": "true"}
    assert local(world, "everything") == ("bun", "x", "@modelcontextprotocol/server-everything")
    budgets = [world.local(name).timeouts.call for name in ("filesystem", "everything")]
    assert budgets == [30, 60]


def test_the_complete_examples_remote_servers_and_settings(world):
    world.put("opencode.jsonc", COMPLETE)
    assert world.remote("context7").headers == {"CONTEXT7_API_KEY": "{env:CONTEXT7_API_KEY}"}
    assert world.remote("sentry").oauth == OAuth()
    registered = OAuth("{env:GITHUB_CLIENT_ID}", "{env:GITHUB_CLIENT_SECRET}", "repo read:user")
    assert world.remote("github-mcp").oauth == registered
    key = world.remote("api-key-server")
    assert (key.oauth, key.headers) == (None, {"Authorization": "Bearer {env:MCP_API_KEY}"})
    config = world.load().config
    assert config.settings["tools"]["sentry_*"] is False
    assert config.settings["agent"] == {"primary": {"tools": {"sentry_*": True}}}
    assert [problem.sentence.split("`")[1] for problem in config.problems] == ["mcp.jira"]


def test_the_complete_example_switches_off_what_the_user_defines(world):
    world.put(
        "~/.config/opencode/opencode.json",
        '{"mcp": {"jira": {"type": "remote", "url": "https://j.example"}}}',
    )
    world.put("opencode.jsonc", COMPLETE)
    assert not world.remote("jira").enabled
    assert world.load().config.problems == ()


LOCAL_FILES = [
    (
        "opencode.json",
        """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "my-server": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "./src"]
    }
  }
}
""",
        "my-server",
        ("npx", "-y", "@modelcontextprotocol/server-filesystem", "./src"),
    ),
    (
        "opencode.json",
        """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "my-greet": {
      "type": "local",
      "command": ["node", "./mcp-servers/my-greet.mjs"],
      "enabled": true,
      "environment": {
        "NODE_ENV": "development"
      },
      "timeout": 30000
    }
  }
}
""",
        "my-greet",
        ("node", "./mcp-servers/my-greet.mjs"),
    ),
    (
        "opencode.json",
        """{
  "mcp": {
    "my-greet": {
      "type": "local",
      "command": ["bun", "run", "./mcp-servers/my-greet.mjs"]
    }
  }
}
""",
        "my-greet",
        ("bun", "run", "./mcp-servers/my-greet.mjs"),
    ),
    (
        "opencode.json",
        """{
  "mcp": {
    "todo": {
      "type": "local",
      "command": ["bun", "run", "./mcp-servers/todo-server.mjs"]
    }
  }
}
""",
        "todo",
        ("bun", "run", "./mcp-servers/todo-server.mjs"),
    ),
    (
        "~/.opencode/config.json",
        """{
  "mcp": {
    "filesystem": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/path/to/dir"],
      "enabled": true
    }
  }
}
""",
        "filesystem",
        ("npx", "-y", "@modelcontextprotocol/server-filesystem", "/path/to/dir"),
    ),
    (
        ".opencode/config.json",
        """{
  "mcp": {
    "weather": {
      "type": "local",
      "command": ["node", "/path/to/my-mcp-server.js"]
    }
  }
}
""",
        "weather",
        ("node", "/path/to/my-mcp-server.js"),
    ),
    (
        ".opencode/config.json",
        """{
  "mcp": {
    "weather": {
      "type": "local",
      "command": ["npx", "-y", "@your-org/mcp-weather"]
    }
  }
}
""",
        "weather",
        ("npx", "-y", "@your-org/mcp-weather"),
    ),
]


@pytest.mark.parametrize(("file", "text", "name", "command"), LOCAL_FILES)
def test_a_local_example(world, file: str, text: str, name: str, command: tuple[str, ...]):
    world.put(file, text)
    assert local(world, name) == command
    assert world.local(name).environment == ({"NODE_ENV": "development"} if "NODE_ENV" in text else {})
    assert world.load().config.problems == ()


REMOTE_FILES = [
    (
        "opencode.json",
        """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "context7": {
      "type": "remote",
      "url": "https://mcp.context7.com/mcp"
    }
  }
}
""",
        "https://mcp.context7.com/mcp",
        {},
        OAuth(),
    ),
    (
        "~/.opencode/config.json",
        """{
  "mcp": {
    "github": {
      "type": "remote",
      "url": "https://mcp.github.com",
      "enabled": true,
      "headers": {
        "Authorization": "Bearer YOUR_TOKEN"
      }
    }
  }
}
""",
        "https://mcp.github.com",
        {"Authorization": "Bearer YOUR_TOKEN"},
        OAuth(),
    ),
    (
        ".opencode/config.json",
        """{
  "mcp": {
    "github": {
      "type": "remote",
      "url": "https://mcp.github.com",
      "oauth": {
        "clientId": "your-client-id",
        "clientSecret": "your-client-secret",
        "scope": "repo read:user"
      }
    }
  }
}
""",
        "https://mcp.github.com",
        {},
        OAuth("your-client-id", "your-client-secret", "repo read:user"),
    ),
    (
        ".opencode/config.json",
        """{
  "mcp": {
    "github": {
      "type": "remote",
      "url": "https://mcp.github.com"
      // OAuth 配置会自动从服务器获取
    }
  }
}
""",
        "https://mcp.github.com",
        {},
        OAuth(),
    ),
]


@pytest.mark.parametrize(("file", "text", "url", "headers", "oauth"), REMOTE_FILES)
def test_a_remote_example(world, file: str, text: str, url: str, headers: dict[str, str], oauth: OAuth):
    world.put(file, text)
    (name,) = world.load().config.servers
    spec = world.remote(name)
    assert (spec.url, spec.headers, spec.oauth) == (url, headers, oauth)
    assert world.load().config.problems == ()
