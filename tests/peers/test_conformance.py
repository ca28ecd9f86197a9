"""The protocol's own conformance suite judges the host, scenario by scenario."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.peers

PEERS = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")
SUITE = PEERS / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
LOGINS = (
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
)
REVISIONS = {
    "2025-03-26": (
        "auth/2025-03-26-oauth-metadata-backcompat",
        "auth/2025-03-26-oauth-endpoint-fallback",
    ),
    "2025-11-25": (
        *LOGINS,
        "initialize",
        "tools_call",
        "elicitation-sep1034-client-defaults",
        "json-schema-2020-12-preservation",
        "sse-retry",
    ),
    "2026-07-28": (
        *LOGINS,
        "auth/resource-mismatch",
        "auth/offline-access-scope",
        "auth/offline-access-not-supported",
        "auth/authorization-server-migration",
        "auth/iss-supported",
        "auth/iss-not-advertised",
        "auth/iss-supported-missing",
        "auth/iss-wrong-issuer",
        "auth/iss-unexpected",
        "auth/iss-normalized",
        "auth/metadata-issuer-mismatch",
        "tools_call",
        "request-metadata",
        "sep-2322-client-request-state",
        "http-standard-headers",
        "http-custom-headers",
        "http-invalid-tool-headers",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
    ),
    "extension": (
        "auth/client-credentials-basic",
        "auth/client-credentials-jwt",
        "auth/dpop",
        "auth/dpop-nonce",
        "auth/enterprise-managed-authorization",
        "auth/wif-jwt-bearer",
        "sep-2640-client-no-prefetch",
        "sep-2640-client-verify-digest",
        "sep-2640-client-verify-size",
        "sep-2640-client-verify-frontmatter",
    ),
}
# The suite measures when these come back, to fractions of a second.
TIMED = {"sse-retry"}
# All that the suite passes over, with a success, in a scenario: the new era has no such messages.
NOT_IN_THIS_ERA = {
    "Client sends correct Mcp-Method header on initialize request",
    "Client sends correct Mcp-Method header on notifications/initialized request",
}


def suite(*words: str | Path) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"NO_COLOR": "1"}
    return subprocess.run(
        [NODE, SUITE, *words], capture_output=True, text=True, timeout=50, check=False, env=env
    )


@pytest.mark.parametrize(
    ("revision", "scenario"),
    [
        pytest.param(revision, scenario, marks=[pytest.mark.alone] if scenario in TIMED else [])
        for revision, scenarios in REVISIONS.items()
        for scenario in scenarios
    ],
)
def test_a_scenario_of_the_suite_passes(revision: str, scenario: str) -> None:
    """One at a time the suite is strict: a client that ends badly has failed, whatever it did before."""
    client = f"{sys.executable} {PEERS / 'client.py'}"
    # an extension belongs to no revision
    applies = () if revision == "extension" else ("--spec-version", revision)
    found = suite("client", "--command", client, "--scenario", scenario, *applies)
    said = found.stdout + found.stderr
    assert found.returncode == 0, said[-6000:]
    assert re.search(r"Passed: ([1-9]\d*)/\1, 0 failed, 0 warnings", said), said[-6000:]
    skipped = re.findall(r"SKIPPED\S* (.*)", said)
    assert set(skipped) == (NOT_IN_THIS_ERA if scenario == "http-standard-headers" else set())


def test_no_scenario_of_the_suite_is_left_out() -> None:
    listed = suite("list").stdout.partition("Client scenarios")[2].partition("Authorization server")[0]
    scenarios = re.findall(r"^  - (\S+) \[(.*)\]$", listed, re.MULTILINE)
    assert len(scenarios) >= 48
    wanted = {
        revision: {name for name, applies in scenarios if revision in applies.split(",")}
        for revision in REVISIONS
    }
    assert wanted == {revision: set(names) for revision, names in REVISIONS.items()}
