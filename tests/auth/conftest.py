"""An authorization server in this process, and an empty vault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.auth.issuer import Issuer, issuer

from mooring.auth.vault import Vault


@pytest.fixture
def there() -> Iterator[Issuer]:
    with issuer() as found:
        yield found


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "credentials")
