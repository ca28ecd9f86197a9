"""One server started and asked for its tools with as little as it takes: what nobody can be faster than."""

import subprocess
import sys

PARAMS = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"alone","version":"1"}}'
WORDS = (
    f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{PARAMS}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
)

with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
    assert process.stdin is not None
    assert process.stdout is not None
    line = b""
    for words in WORDS:
        process.stdin.write(words.encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
    print(line.count(b'"name"'), "tools")
