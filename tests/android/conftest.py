"""The packed app, made once for all tests of this folder, and what buildozer.spec resolves to."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

# Scripts that run in a process of their own.
collect_ignore = ["blocked.py", "import_all.py", "play.py"]
# The tools that build for Android come with the extra `android`, and are not made for Windows.
if importlib.util.find_spec("buildozer") is None:
    collect_ignore += ["test_package.py", "test_start.py"]
Phone = Callable[..., dict[str, Any]]
ROOT = Path(__file__).resolve().parents[2]


def tool(*arguments: str) -> str:
    """What `python -m package.assemble` prints; on its own, because its tools change the process they run in."""
    command = [sys.executable, "-W", "ignore", "-m", "package.assemble", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder with `app` and `project`; tests that run side by side share it."""
    if worker_id == "master":
        folder = tmp_path_factory.mktemp("packed")
        tool(str(folder))
        return folder
    folder = tmp_path_factory.getbasetemp().parent / "packed"
    try:
        folder.mkdir()
    except FileExistsError:
        return _wait_for(folder)
    tool(str(folder))
    (folder / "done").touch()
    return folder


def _wait_for(folder: Path, seconds: float = 300) -> Path:
    end = time.monotonic() + seconds
    while not (folder / "done").exists():
        assert time.monotonic() < end, "the package was never finished"
        time.sleep(0.2)
    return folder


@pytest.fixture(scope="session")
def resolved() -> dict[str, Any]:
    """Recipes, versions and order."""
    found: dict[str, Any] = json.loads(tool("--recipes").splitlines()[-1])
    return found


@pytest.fixture
def display() -> Iterator[str]:
    """A screen that nobody sees."""
    try:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "500x900x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
    except FileNotFoundError:
        pytest.skip("needs Xvfb")
    assert server.stdout is not None
    yield f":{server.stdout.readline().strip()}"
    server.terminate()
    server.communicate()


@pytest.fixture
def phone(packed: Path) -> Phone:
    """Runs a script of this folder inside the packed app, with what a phone has; gives what it tells at the end."""
    return functools.partial(_phone, packed)


def _phone(packed: Path, script: str, *arguments: str, **environment: str) -> dict[str, Any]:
    site = next(p for p in sys.path if p.endswith("site-packages"))
    command = [sys.executable, "-I", "-S", "-OO", str(Path(__file__).with_name("blocked.py")), site,
               str(packed / "app"), str(Path(__file__).with_name(script)), *arguments]  # fmt: skip
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "HOME", "LD_LIBRARY_PATH")}
    around = {**keep, **environment}
    done = subprocess.run(command, env=around, cwd=packed / "app", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told
