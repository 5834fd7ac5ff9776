"""What all tests may use: the folder of shared material, where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with photos, facts and examples that lies beside the project; tests that need it skip without it."""
    if not (SHARED / "facts").is_dir():
        pytest.skip("needs the shared material (../shared), which is not beside this checkout")
    return SHARED


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the boards, games or settings of whoever runs it, nor what another test enrolled."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("COMPANION_LANG", "en")
