"""Remote servers: HTTP of our own, and the protocol's transports over it."""
