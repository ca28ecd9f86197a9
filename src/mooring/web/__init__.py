"""What a browser, a program or OpenCode's own clients get over HTTP."""
