"""Everything that a host has, as one MCP server, in both eras of the protocol."""
