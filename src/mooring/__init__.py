"""The MCP host for Python: every MCP server you have configured, connected once, usable everywhere."""

__version__ = "0.1.0"
