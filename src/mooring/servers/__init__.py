"""MCP servers that come with Mooring: examples to start, to call and to begin one's own from."""
